/* SPDX-License-Identifier: GPL-2.0 */
/* Axes cut into cells, and the plane between two of them. */
#ifndef WAKELAT_AXIS_H
#define WAKELAT_AXIS_H

#include <stdbool.h>
#include <stddef.h>

struct axis {
	double low, high;	/* NAN: nothing seen yet */
	bool log;
};

void axis_take(struct axis *axis, double value);
bool axis_known(const struct axis *axis);

/* Which of so many cells VALUE is in; -1 for what cannot be drawn. */
int axis_cell(const struct axis *axis, size_t cells, double value);
/* Where cell number CELL begins. */
double axis_edge(const struct axis *axis, size_t cells, size_t cell);

struct plane {
	struct axis x, y;
	size_t cells_x, cells_y;
	unsigned char *taken;
};

void plane_clear(struct plane *plane);
/* Is this the first point in its cell? What it hides would have been drawn under it. */
bool plane_take(struct plane *plane, double x, double y);

#endif
