/* SPDX-License-Identifier: GPL-2.0 */
/* Metrics as OpenMetrics text, for node_exporter's textfile collector. */
#ifndef WAKELAT_METRICS_H
#define WAKELAT_METRICS_H

#include <stdio.h>

/* Return TEXT as the value of a label, in a buffer that the next call overwrites. */
const char *metrics_label(const char *text);

/* Begin FILE under its partial name. */
FILE *metrics_begin(const char *file);

/* Begin a metric: its name, type and help. */
void metrics_head(FILE *out, const char *name, const char *type, const char *help);

/* Give FILE, which is whole, its name; die() if that fails. */
void metrics_end(FILE *out, const char *file);

#endif
