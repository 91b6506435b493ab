// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <string.h>

#include "axis.h"
#include "message.h"

void axis_take(struct axis *axis, double value)
{
	if (axis->log && value <= 0)
		return;
	if (isnan(axis->low) || value < axis->low)
		axis->low = value;
	if (isnan(axis->high) || value > axis->high)
		axis->high = value;
}

bool axis_known(const struct axis *axis)
{
	return !isnan(axis->low);
}

/* Return the logarithm of an end of an axis. The last ones are kept, because all samples ask for the same. */
static double log_of_end(double end, int which)
{
	static double kept[2], logs[2];

	if (kept[which] != end) {
		kept[which] = end;
		logs[which] = log(end);
	}
	return logs[which];
}

int axis_cell(const struct axis *axis, size_t cells, double value)
{
	double low = axis->low, high = axis->high;

	if (!(value >= low && value <= high))
		return -1;
	if (axis->log) {
		value = log(value);
		low = log_of_end(low, 0);
		high = log_of_end(high, 1);
	}
	if (!(high > low))
		return 0;
	/* The largest value belongs to the last cell. */
	value = (value - low) / (high - low) * cells;
	return value < cells - 1 ? (int)value : (int)cells - 1;
}

double axis_edge(const struct axis *axis, size_t cells, size_t cell)
{
	if (axis->log)
		return axis->low * pow(axis->high / axis->low, (double)cell / cells);
	return axis->low + (axis->high - axis->low) * cell / cells;
}

void plane_clear(struct plane *plane)
{
	size_t size = plane->cells_x * plane->cells_y;

	plane->taken = xrealloc(plane->taken, size, 1);
	memset(plane->taken, 0, size);
}

bool plane_take(struct plane *plane, double x, double y, bool *first)
{
	int column = axis_cell(&plane->x, plane->cells_x, x);
	int row = axis_cell(&plane->y, plane->cells_y, y);
	unsigned char *cell;

	*first = false;
	if (column < 0 || row < 0)
		return false;
	cell = &plane->taken[row * plane->cells_x + column];
	*first = !*cell;
	*cell = 1;
	return true;
}
