// SPDX-License-Identifier: GPL-2.0
// Find text in figures that covers other text or the edge. The result has a line for each such text, and a line for each
// page that says what was checked. A page is an svg file, or json with a png and the positions of the words in the pdf of
// the same figure, as fractions of its size.
const lines = [];

function text(base64) {
	return new TextDecoder().decode(Uint8Array.from(atob(base64), c => c.charCodeAt(0)));
}

// Return the box of a text's ink, which is less high than its line, and the text.
function ink(element) {
	const box = element.getBoundingClientRect();
	const upright = box.height > box.width && element.textContent.trim().length > 2;
	const x = upright ? box.width * 0.2 : 0.3, y = upright ? 0.3 : box.height * 0.2;

	return { left: box.left + x, right: box.right - x, top: box.top + y, bottom: box.bottom - y, text: element.textContent.trim() };
}

function overlap(a, b) {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function look_at_svg(number, source) {
	const holder = document.createElement('div');

	holder.style = 'position: absolute; left: 0; top: 0; width: max-content';
	holder.innerHTML = source.slice(source.indexOf('<svg'));
	document.body.append(holder);
	const svg = holder.querySelector('svg');

	svg.setAttribute('width', svg.viewBox.baseVal.width);
	svg.setAttribute('height', svg.viewBox.baseVal.height);
	const frame = svg.getBoundingClientRect();
	const boxes = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim()).map(ink);

	boxes.forEach((a, i) => {
		if (a.left < frame.left || a.right > frame.right || a.top < frame.top || a.bottom > frame.bottom)
			lines.push(`${number}: '${a.text}' is cut at the edge`);
		for (const b of boxes.slice(i + 1))
			if (overlap(a, b))
				lines.push(`${number}: '${a.text}' over '${b.text}'`);
	});
	lines.push(`${number}: svg, ${boxes.length > 3 ? 'text' : 'hardly any text'}`);
	holder.remove();
}

function look_at_png(number, page) {
	const image = page.image, canvas = document.createElement('canvas');

	canvas.width = image.naturalWidth;
	canvas.height = image.naturalHeight;
	const context = canvas.getContext('2d', { willReadFrequently: true });

	context.drawImage(image, 0, 0);
	for (const [word, left, top, right, bottom] of page.words) {
		const x = Math.floor(left * canvas.width), y = Math.floor(top * canvas.height);
		const pixels = context.getImageData(x, y, Math.max(1, Math.ceil(right * canvas.width) - x),
						    Math.max(1, Math.ceil(bottom * canvas.height) - y)).data;
		let dark = 0;

		for (let i = 0; i < pixels.length; i += 4)
			dark += pixels[i] + pixels[i + 1] + pixels[i + 2] < 450;
		if (dark < pixels.length / 4 * 0.02)
			lines.push(`${number}: '${word}' is not in the png where it is in the pdf`);
	}
	lines.push(`${number}: png, ${page.words.length > 3 ? 'text' : 'hardly any text'}`);
}

// Images that are appended while the document is parsed are loaded before its load event.
const pages = JSON.parse(document.getElementById('pages').textContent).map(page => {
	const source = text(page);

	if (!source.startsWith('{'))
		return source;
	const figure = JSON.parse(source);

	figure.image = new Image();
	figure.image.src = 'data:image/png;base64,' + figure.png;
	document.body.append(figure.image);
	return figure;
});

addEventListener('load', () => {
	pages.forEach((page, number) => (page.image ? look_at_png : look_at_svg)(number + 1, page));
	const results = document.createElement('pre');

	results.id = 'results';
	results.textContent = lines.join('\n');
	document.body.replaceChildren(results);
});
