// SPDX-License-Identifier: GPL-2.0
// Check pages at several screen widths. The result has a line for each fault, and a line for each page and width that says
// what was checked. All parts of a page are unfolded first.
const widths = [390, 600, 768, 1280, 1600];
const lines = [];

function text(base64) {
	return new TextDecoder().decode(Uint8Array.from(atob(base64), c => c.charCodeAt(0)));
}

function name(element) {
	return element.tagName + (element.className ? '.' + element.className : '') + ' "' + element.textContent.trim().slice(0, 30) + '"';
}

function look(frame, page, width) {
	const inside = frame.contentDocument, view = frame.contentWindow;
	let seen = 0;

	inside.querySelectorAll('details').forEach(d => d.open = true);
	if (inside.documentElement.scrollWidth > width)
		lines.push(`page ${page} at ${width}: ${inside.documentElement.scrollWidth} wide`);
	inside.querySelectorAll('h1,h2,h3,p,li,pre,table,td,th,img,figure,.row,.name,.cost,.verdict,svg.strip,summary').forEach(e => {
		const box = e.getBoundingClientRect();

		if (!box.width)
			return;
		seen++;
		if (box.left < -0.5 || box.right > width + 0.5)
			lines.push(`page ${page} at ${width}: ${name(e)} from ${box.left} to ${box.right}`);
	});
	inside.querySelectorAll('.wide,pre').forEach(e => {
		if (e.scrollWidth > e.clientWidth + 1)
			lines.push(`page ${page} at ${width}: ${name(e)} is cut: ${e.scrollWidth} in ${e.clientWidth}`);
	});
	inside.querySelectorAll('.axis').forEach(axis => {
		let last = -1e9;

		axis.querySelectorAll('text').forEach(t => {
			const box = t.getBoundingClientRect();

			if (box.width && box.left < last)
				lines.push(`page ${page} at ${width}: ${t.textContent} touches the number before it`);
			last = box.right;
		});
	});
	inside.querySelectorAll('img').forEach(i => {
		if (!i.complete || !i.naturalWidth)
			lines.push(`page ${page} at ${width}: no image ${i.alt.slice(0, 40)}`);
	});
	if (view.executed)
		lines.push(`page ${page}: executed ${view.executed}`);
	// The browser applies the style only if its hash in the page's content security policy is right.
	if (!/rgb/.test(view.getComputedStyle(inside.querySelector('.answer')).borderLeftColor) ||
	    view.getComputedStyle(inside.querySelector('.answer')).fontWeight < 600)
		lines.push(`page ${page}: its style is not applied`);
	lines.push(`looked at page ${page}, ${width}: ${seen > 20 ? 'many' : seen}, ` +
		`text ${view.getComputedStyle(inside.body).color} on ${view.getComputedStyle(inside.body).backgroundColor}`);
}

addEventListener('load', async () => {
	const pages = JSON.parse(document.getElementById('pages').textContent);

	for (const [number, page] of pages.entries())
		for (const width of widths) {
			const frame = document.createElement('iframe');

			frame.width = width;
			frame.height = 900;
			frame.style.border = 0;
			frame.srcdoc = text(page);
			document.body.append(frame);
			await new Promise(done => frame.onload = done);
			look(frame, number + 1, width);
			frame.remove();
		}
	const results = document.createElement('pre');

	results.id = 'results';
	results.textContent = lines.join('\n');
	document.body.replaceChildren(results);
});
