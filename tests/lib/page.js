// SPDX-License-Identifier: GPL-2.0
// Check pages at several screen widths. The result has a line for each fault, and a line for each page and width that says
// what was checked. All parts of a page are unfolded first.
const widths = [390, 600, 768, 1000, 1280, 1600];
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
	// A table below 1100 px has its headings beside the values, and no row of headings.
	inside.querySelectorAll('tr.head').forEach(e => {
		if ((e.getBoundingClientRect().height > 0) !== (width > 1100))
			lines.push(`page ${page} at ${width}: the row of headings is ${width > 1100 ? 'missing' : 'shown'}`);
	});
	// A heading, and a word of a list that is known, must not be broken: it is in one line, or breaks at spaces and '_'.
	inside.querySelectorAll('tr.head th, td.choice, td.kept, td.exceeded, td.undecided').forEach(e => {
		const walker = inside.createTreeWalker(e, NodeFilter.SHOW_TEXT);

		for (let node; (node = walker.nextNode());)
			for (const word of node.data.matchAll(/[^ _]+/g)) {
				const range = inside.createRange();

				range.setStart(node, word.index);
				range.setEnd(node, word.index + word[0].length);
				if (new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1)
					lines.push(`page ${page} at ${width}: '${word[0]}' is broken`);
			}
	});
	inside.querySelectorAll('table').forEach(table => {
		const names = [...table.querySelectorAll('tr.head th')].map(th => th.textContent);

		if (new Set(names).size < names.length)
			lines.push(`page ${page} at ${width}: two headings of '${table.caption.textContent}' are the same`);
	});
	// The key shows a bar in the colours of the bars.
	inside.querySelectorAll('.picture').forEach(picture => {
		const colours = e => [...new Set([...e.querySelectorAll('.bounds:not(.open)')].map(l => view.getComputedStyle(l).stroke))].sort().join();

		if (colours(picture) !== colours(picture.nextElementSibling))
			lines.push(`page ${page} at ${width}: the bars are ${colours(picture)}, and the key's ${colours(picture.nextElementSibling)}`);
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
