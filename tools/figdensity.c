// SPDX-License-Identifier: GPL-2.0
/*
 *	density.dat	x_low x_high y_low y_high count		latency against silent time
 *	density-P.dat	silent_time latency			points of the series at position P
 *
 * How many untainted samples of all series fell into each cell of the plane. Where a
 * cell and those around it are nearly empty, its samples are points instead: a pale cell
 * would hide exactly what is looked for, the single late wake-up.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "message.h"

/* A third of the planes' resolution: cells that are seen. */
#define COARSER 3
/* In a cell and the eight around it. */
#define FEW 4

struct grid {
	size_t width, height;
	uint64_t *count;
};

static bool countable(const struct sample *s)
{
	return s->has_silent && s->has_latency && !s->tainted;
}

/* The cell of a sample; -1 where an axis has no place for it. */
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
			sum += grid->count[row * grid->width + column];
	return sum <= FEW;
}

/* Returns how many samples the fullest has. */
static uint64_t write_cells(const struct figures *figures, const struct grid *grid)
{
	FILE *f = create("density.dat");
	uint64_t most = 0;

	for (size_t cell = 0; cell < grid->width * grid->height; cell++) {
		size_t x = cell % grid->width, y = cell / grid->width;

		if (!grid->count[cell] || is_sparse(grid, cell))
			continue;
		if (grid->count[cell] > most)
			most = grid->count[cell];
		fprintf(f, "%.4f\t%.4f\t%.4f\t%.4f\t%" PRIu64 "\n",
			axis_edge(&figures->silent, grid->width, x) / 1000,
			axis_edge(&figures->silent, grid->width, x + 1) / 1000,
			axis_edge(&figures->latency, grid->height, y) / 1000,
			axis_edge(&figures->latency, grid->height, y + 1) / 1000, grid->count[cell]);
	}
	finish(f);
	return most;
}

static void write_isolated(FILE *f, const struct figures *figures, const struct grid *grid,
			   size_t position)
{
	for (size_t i = 0; i < figures->nr_samples; i++) {
		const struct sample *s = &figures->samples[i];
		int64_t cell;

		if (s->series != position || !countable(s))
			continue;
		cell = cell_of(figures, grid, s);
		if (cell < 0 || !is_sparse(grid, cell))
			continue;
		print_point(f, s->silent_time, s->latency);
	}
	finish(f);
}

uint64_t write_density(const struct figures *figures)
{
	struct grid grid = { figures->cells_x / COARSER, figures->cells_y / COARSER, NULL };
	size_t size = grid.width * grid.height;
	uint64_t most;

	if (!axis_known(&figures->silent))
		return 0;
	grid.count = xrealloc(NULL, size, sizeof(*grid.count));
	memset(grid.count, 0, size * sizeof(*grid.count));
	for (size_t i = 0; i < figures->nr_samples; i++) {
		int64_t cell = -1;

		if (countable(&figures->samples[i]))
			cell = cell_of(figures, &grid, &figures->samples[i]);
		if (cell >= 0)
			grid.count[cell]++;
	}
	most = write_cells(figures, &grid);
	for (size_t p = 0; p < figures->nr_series; p++)
		write_isolated(create_for("density", p), figures, &grid, p);
	free(grid.count);
	return most;
}
