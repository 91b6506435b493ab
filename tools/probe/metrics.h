/* SPDX-License-Identifier: GPL-2.0 */
/* Write metrics as OpenMetrics text, for node_exporter's textfile collector. */
#ifndef WAKELAT_METRICS_H
#define WAKELAT_METRICS_H

#include <stdio.h>

/* Return TEXT as the value of a label, in a buffer that the next call overwrites. */
const char *metrics_label(const char *text);

/* Write the head of a metric: its name, type and help. */
void metrics_head(FILE *out, const char *name, const char *type, const char *help);

/* Close OUT, from outfile_begin_stream(FILE), and give FILE its final name; exit if that fails. */
void metrics_end(FILE *out, const char *file);

#endif
