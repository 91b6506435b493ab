// SPDX-License-Identifier: GPL-2.0
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

#include <KsPlugins.hpp>
#include <KsPluginsGUI.hpp>

extern "C" {
#include "bars.h"
}
#include "kshark-draw.h"

namespace {

void *window;
int64_t threshold_ns;	/* 0: each state's advertised exit latency */

/*
 * Okabe and Ito's colours, one for each state. The wake latency has the full colour, the silent time a pale one, and the
 * interrupt latency the palest.
 */
const ksplot_color palette[] = {
	{ 0x99, 0x99, 0x99 }, { 0xe6, 0x9f, 0x00 }, { 0x56, 0xb4, 0xe9 }, { 0x00, 0x9e, 0x73 },
	{ 0x00, 0x72, 0xb2 }, { 0xd5, 0x5e, 0x00 }, { 0xcc, 0x79, 0xa7 }, { 0xb0, 0xa0, 0x10 },
};
const unsigned int nr_colors = sizeof(palette) / sizeof(palette[0]);
const ksplot_color dark = { 0x20, 0x20, 0x20 };

enum part { SILENT, WAKE, INTR };

ksplot_color color_of(uint32_t state, part p)
{
	static const int percent[] = { 45, 100, 20 };
	ksplot_color color = palette[state % nr_colors];
	uint8_t *const components[] = { &color.red, &color.green, &color.blue };

	for (uint8_t *c : components)
		*c = 255 - (255 - *c) * percent[p] / 100;
	return color;
}

/* All samples of a graph in one shape. A shape for each of a million samples would be a million objects. */
class Bars : public KsPlot::PlotObject {
public:
	struct Box { int left, right; ksplot_color color; };	/* the box ends before RIGHT */
	struct Hit { int left, right; const bar *sample; };

	std::vector<Box> boxes, hatched;
	std::vector<int> markers;
	std::vector<Hit> hits;
	int top, bottom;

	/* Remember the sample whose bar is at (x, y): a double click marks it. */
	double distance(int x, int y) const override
	{
		_hit = nullptr;
		if (y < top || y > bottom)
			return KsPlot::PlotObject::distance(x, y);
		for (const Hit &hit : hits)
			if (x >= hit.left && x < hit.right)
				_hit = hit.sample;
		return _hit ? 0 : KsPlot::PlotObject::distance(x, y);
	}

private:
	mutable const bar *_hit = nullptr;

	void _doubleClick() const override
	{
		if (_hit && _hit->entry && window)
			markEntryA(window, _hit->entry);
	}

	void _draw(const KsPlot::Color &, float) const override
	{
		for (const Box &box : boxes)
			_drawBox(box);
		for (const Box &box : hatched)
			_drawHatch(box);
		for (int x : markers)
			_drawMarker(x);
	}

	void _drawBox(const Box &box) const
	{
		const ksplot_point corners[] = {
			{ box.left, top }, { box.right, top }, { box.right, bottom }, { box.left, bottom },
		};

		ksplot_draw_polygon(corners, 4, &box.color, 1);
	}

	/* Draw lines from the lower left to the upper right, clipped to the box. */
	void _drawHatch(const Box &box) const
	{
		const int step = 6, height = bottom - top;

		for (int x = box.left - height; x < box.right; x += step) {
			int skip = std::max(0, box.left - x), stop = std::min(height, box.right - x);
			const ksplot_point from = { x + skip, bottom - skip }, to = { x + stop, bottom - stop };

			if (skip < stop)
				ksplot_draw_line(&from, &to, &dark, 1);
		}
	}

	void _drawMarker(int x) const
	{
		const ksplot_point corners[] = { { x, top - 1 }, { x - 5, top - 10 }, { x + 5, top - 10 } };

		ksplot_draw_polygon(corners, 3, &dark, 1);
	}
};

/* Puts samples into the pixels of one graph. */
class Plotter {
public:
	Plotter(Bars *out, const bars *all, kshark_trace_histo *histo, const KsPlot::Graph *graph, int64_t shift)
	: _out(out), _all(all), _min(histo->min - shift), _max(histo->max - shift), _binSize(histo->bin_size),
	  _nrBins(graph->size()), _x0(graph->bin(0)._base.x()), _columns(_nrBins), _marked(_nrBins)
	{
		_out->bottom = graph->base() - 2;
		_out->top = graph->base() - graph->height() * 6 / 10;
	}

	void plot(const cpu_bars *cpu)
	{
		const bar *first = cpu->list, *end = first + cpu->nr;
		const bar *at = std::lower_bound(first, end, _min,
						 [] (const bar &b, int64_t time) { return bar_last(&b) < time; });

		while (at < end && at->tbi <= _max) {
			size_t i = at - first;
			const block *of = &cpu->blocks[i / BLOCK];

			if (i % BLOCK == 0 && _sharesPixel(of)) {
				_share(first[of->longest]);
				_markIfAbove(first[threshold_ns ? of->longest : of->excess]);
				at += std::min<size_t>(BLOCK, cpu->nr - i);
			} else {
				_plotOne(*at++);
			}
		}
		_finish();
	}

private:
	/* If several samples share a pixel, it shows the longest one. */
	struct Column { const bar *sample; };

	Bars *_out;
	const bars *_all;
	int64_t _min, _max, _binSize;
	int _nrBins, _x0;
	std::vector<Column> _columns;
	std::vector<bool> _marked;

	/* Return the bin of TIME. A time outside of the graph is at its edge. */
	int _bin(int64_t time) const
	{
		if (time <= _min)
			return 0;
		if (time >= _max)
			return _nrBins;
		return std::min<int64_t>((time - _min) / _binSize, _nrBins);
	}

	/* Return true if the block takes less than half a pixel: then none of its bars is drawn as parts. */
	bool _sharesPixel(const block *of) const
	{
		return of->first >= _min && of->last < _max && 2 * (of->last - of->first) < _binSize;
	}

	void _plotOne(const bar &b)
	{
		if (bar_last(&b) - b.tbi >= 4 * _binSize)
			_plotParts(b);
		else
			_share(b);
		_markIfAbove(b);
	}

	void _markIfAbove(const bar &b)
	{
		bool above = threshold_ns ? b.latency > threshold_ns : bars_excess(_all, &b) > 0;
		int64_t time = b.ltime + b.latency;

		if (above && time >= _min && time < _max)
			_marked[std::min(_bin(time), _nrBins - 1)] = true;
	}

	void _share(const bar &b)
	{
		int left = _bin(b.tbi), right = std::min(_bin(bar_last(&b)) + 1, _nrBins);

		for (int i = left; i < right; i++)
			if (!_columns[i].sample || b.latency > _columns[i].sample->latency)
				_columns[i].sample = &b;
	}

	/* Draw the parts of a bar, each at least one pixel wide. The wake latency gets its pixel first. */
	void _plotParts(const bar &b)
	{
		int left = _bin(b.tbi), ltime = _bin(b.ltime), tai = _bin(b.tai), right = _bin(bar_last(&b));

		if (b.tai > b.ltime && tai == ltime && tai < _nrBins)
			tai++;
		if (b.tintr > b.tai && right <= tai)
			right = std::min(tai + 1, _nrBins);
		_box(left, ltime, color_of(b.state, SILENT));
		_box(ltime, tai, color_of(b.state, WAKE));
		_box(tai, right, color_of(b.state, INTR));
		if (b.taint)
			_out->hatched.push_back({ _x0 + left, _x0 + right, dark });
		_out->hits.push_back({ _x0 + left, _x0 + right, &b });
	}

	void _box(int left, int right, const ksplot_color &color)
	{
		if (left < right)
			_out->boxes.push_back({ _x0 + left, _x0 + right, color });
	}

	void _finish()
	{
		for (int i = 0; i < _nrBins; i++) {
			const bar *b = _columns[i].sample;

			if (b) {
				_box(i, i + 1, color_of(b->state, SILENT));
				_out->hits.push_back({ _x0 + i, _x0 + i + 1, b });
			}
			if (_marked[i])
				_out->markers.push_back(_x0 + i);
		}
	}
};

void redraw()
{
	for (QWidget *widget : static_cast<QMainWindow *>(window)->findChildren<QWidget *>())
		widget->update();
}

void goToLongest()
{
	const bar *longest = bars_longest();

	if (longest)
		markEntryA(window, longest->entry);
}

void askThreshold()
{
	bool taken;
	double us = QInputDialog::getDouble(static_cast<QMainWindow *>(window), "wakelat",
					    "Mark samples that take longer than (us; 0: than their state's advertised exit latency)",
					    threshold_ns / 1000., 0, 1e9, 3, &taken);

	if (!taken)
		return;
	threshold_ns = us * 1000 + .5;
	redraw();
}

QMenu *toolsMenu(QMainWindow *main)
{
	for (QAction *action : main->menuBar()->actions())
		if (action->menu() && action->text().remove('&') == "Tools")
			return action->menu();
	return main->menuBar()->addMenu("Tools");
}

} // namespace

void draw_bars(struct kshark_cpp_argv *argv, int stream, int cpu, int action)
{
	KsCppArgV *cpp = KS_ARGV_TO_CPP(argv);
	const bars *all = bars_of(stream);

	if (!(action & KSHARK_CPU_DRAW) || !all || cpu < 0 || cpu >= all->nr_cpus || !all->cpus[cpu].nr ||
	    cpp->_graph->size() <= 0)
		return;

	Bars *shape = new Bars;
	Plotter plotter(shape, all, cpp->_histo, cpp->_graph, bars_shift(all, cpu));

	plotter.plot(&all->cpus[cpu]);
	cpp->_shapes->push_front(shape);
}

void draw_menu(void *gui)
{
	QMainWindow *main = static_cast<QMainWindow *>(gui);
	QMenu *menu = toolsMenu(main);

	window = gui;
	menu->addAction("wakelat: go to the longest", main, goToLongest);
	menu->addAction("wakelat: mark above...", main, askThreshold);
}
