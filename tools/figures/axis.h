/* SPDX-License-Identifier: GPL-2.0 */
/* Axes cut into cells, and the plane between two of them. */
#ifndef WAKELAT_AXIS_H
#define WAKELAT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

struct axis {
	double low, high;	/* NAN: no value yet */
	bool log;
};

void axis_take(struct axis *axis, double value);
bool axis_known(const struct axis *axis);

/* Return in which of CELLS cells VALUE is, or -1 if it is outside of the axis. */
int axis_cell(const struct axis *axis, size_t cells, double value);
/* Return the value at which cell number CELL begins. */
double axis_edge(const struct axis *axis, size_t cells, size_t cell);

struct plane {
	struct axis x, y;
	size_t cells_x, cells_y;
	unsigned char *taken;
};

void plane_clear(struct plane *plane);
/* Return true if the point is in the plane. Set *FIRST if it is the first in its cell: later ones would be drawn at the same place. */
bool plane_take(struct plane *plane, double x, double y, bool *first);

#endif
