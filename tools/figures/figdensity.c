// SPDX-License-Identifier: GPL-2.0
/*
 *	cells-P.dat	x_low x_high y_least y_greatest count	latency against silent time
 *	density-P.dat	silent_time latency			points of the series at position P
 *
 * A cell has the number of a series' untainted samples in it, and the range of their latencies. Only
 * this range is drawn, because the whole cell would show latencies that were not measured. If a cell
 * and its neighbours are nearly empty, its samples are written as points instead: a pale cell would
 * hide a single late wake-up, which the figure has to show.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "message.h"

/* Cells are this many times as wide and high as those of the planes, so that they are visible. */
#define COARSER 3
/* Samples are drawn as points if their cell and the eight cells around it have at most this many samples together. */
#define FEW 4
/* At least one in this many samples must be in a cell. Otherwise the figure shows hardly more than silent-time. */
#define ONE_IN 2

struct cell {
	uint64_t count;
	int64_t least, greatest;
	bool sparse;	/* set by write_cells() if there are samples */
};

struct grid {
	size_t width, height;
	struct cell *cells;
};

static bool countable(const struct sample *s)
{
	return s->is.has_silent && s->is.has_latency;
}

/* Return the cell of a sample, or -1 if it is outside of an axis. */
static int64_t cell_of(const struct figures *figures, const struct grid *grid,
		       const struct sample *s)
{
	int x = axis_cell(&figures->silent, grid->width, s->silent_time);
	int y = axis_cell(&figures->latency, grid->height, s->latency);

	return x < 0 || y < 0 ? -1 : (int64_t)y * (int64_t)grid->width + x;
}

static bool is_sparse(const struct grid *grid, size_t cell)
{
	size_t x = cell % grid->width, y = cell / grid->width;
	uint64_t sum = 0;

	for (size_t row = y ? y - 1 : 0; row <= y + 1 && row < grid->height; row++)
		for (size_t column = x ? x - 1 : 0; column <= x + 1 && column < grid->width; column++)
			sum += grid->cells[row * grid->width + column].count;
	return sum <= FEW;
}

static void fill(const struct figures *figures, struct grid *grid, size_t position)
{
	memset(grid->cells, 0, grid->width * grid->height * sizeof(*grid->cells));
	for_each_sample_of(&figures->samples, i, position) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;
		int64_t at = countable(s) ? cell_of(figures, grid, s) : -1;
		struct cell *cell;

		if (at < 0)
			continue;
		cell = &grid->cells[at];
		if (!cell->count || s->latency < cell->least)
			cell->least = s->latency;
		if (!cell->count || s->latency > cell->greatest)
			cell->greatest = s->latency;
		cell->count++;
	}
}

/* Write the cells. Return the number of samples in the fullest one. Add to ALL the samples, and to IN_CELLS those in cells. */
static uint64_t write_cells(FILE *f, const struct figures *figures, const struct grid *grid, uint64_t *all,
			    uint64_t *in_cells)
{
	uint64_t most = 0;

	for (size_t i = 0; i < grid->width * grid->height; i++) {
		struct cell *cell = &grid->cells[i];
		size_t x = i % grid->width;

		*all += cell->count;
		cell->sparse = cell->count && is_sparse(grid, i);
		if (!cell->count || cell->sparse)
			continue;
		*in_cells += cell->count;
		if (cell->count > most)
			most = cell->count;
		fprintf(f, "%.4f\t%.4f\t", axis_edge(&figures->silent, grid->width, x) / 1000,
			axis_edge(&figures->silent, grid->width, x + 1) / 1000);
		print_us(f, cell->least);
		fputc('\t', f);
		print_us(f, cell->greatest);
		fprintf(f, "\t%" PRIu64 "\n", cell->count);
	}
	finish(f);
	return most;
}

static void write_isolated(FILE *f, const struct figures *figures, const struct grid *grid,
			   size_t position)
{
	for_each_sample_of(&figures->samples, i, position) {
		const struct sample sample = sample_at(&figures->samples, i), *s = &sample;
		int64_t cell;

		if (!countable(s))
			continue;
		cell = cell_of(figures, grid, s);
		if (cell < 0 || !grid->cells[cell].sparse)
			continue;
		print_point(f, s->silent_time, s->latency);
	}
	finish(f);
}

uint64_t write_density(const struct figures *figures)
{
	struct grid grid = { figures->cells_x / COARSER, figures->cells_y / COARSER, NULL };
	uint64_t most = 0, all = 0, in_cells = 0;

	if (!axis_known(&figures->silent))
		return 0;
	grid.cells = xrealloc(NULL, grid.width * grid.height, sizeof(*grid.cells));
	for (size_t p = 0; p < figures->nr_series; p++) {
		uint64_t count;

		fill(figures, &grid, p);
		count = write_cells(create_for("cells", p), figures, &grid, &all, &in_cells);
		most = count > most ? count : most;
		write_isolated(create_for("density", p), figures, &grid, p);
	}
	free(grid.cells);
	return in_cells >= all / ONE_IN ? most : 0;
}
