/* SPDX-License-Identifier: GPL-2.0 */
/* figures.c: the data of the figures. */
#ifndef WAKELAT_DRAW_H
#define WAKELAT_DRAW_H

#include "facts.h"
#include "figures.h"
#include "source.h"

/* Begin a data set: each row of TSV is also taken for the figures. figures_end() ends it. */
void draw_begin(struct figures *figures, const struct facts *facts, const struct source *source, struct tsv *tsv);
/*
 * Write the files after the last data set, among them words, with lines for the recordings (FACTS and NAMES): which counter counts in
 * which state of the last one; what the figures do not say; a note if a machine is not a real one; yes, if launch distances are by
 * steps; the date of the first one, in seconds since 1970. Return NULL, or why there is nothing to draw.
 */
const char *draw_end(struct figures *figures, const struct source *last, const struct facts *const facts[], const char *const names[]);

/* Write a file nothing that says why there is nothing to draw, unless WHY_NOT is NULL. */
void draw_note(const char *why_not);
/* Read a recording only for its figures. If there is nothing to draw, draw_note() says so. Return 0, or 1 on failure. */
int draw_alone(const struct figures *figures, const struct question *q, const char *name);

/*
 * answer figures [-l] [-w MM] [-x|-X COLUMN] [-y|-Y COLUMN] -o DIRECTORY RECORDINGS
 *
 * Write what gnuplot reads to draw the recordings: see tools/figures/figdata.c. RECORDINGS: see sets.h.
 *
 *	-l	make the axes of latency and silent time linear
 *	-w	width of the figure in mm: 88 (the default) or 180
 *	-x, -y	column in place of silent_time, and in place of the latency (counts: not possible). Values in ns become us
 *	-X, -Y	the same for columns whose values are not in ns
 *
 * Return the exit status, 3 if samples are missing; -1: a wrong command line.
 */
int figures_command(int argc, char **argv);

#endif
