/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write metrics into a file for node_exporter's textfile collector. The file is valid as OpenMetrics text and in
 * Prometheus's own format, whatever the labels contain.
 */
#ifndef WAKELAT_METRICS_H
#define WAKELAT_METRICS_H

enum metric_type { METRIC_COUNTER, METRIC_GAUGE, METRIC_HISTOGRAM };

void metrics_begin(const char *file);

/* Begin a metric. Counters get the suffix _total. */
void metrics_family(const char *name, enum metric_type type, const char *help);

/*
 * Add VALUE to the metric's series whose name has SUFFIX (of a histogram: _bucket, _sum, _count), and whose labels are the
 * following pairs of name and text, up to a NULL. Texts are made plain. If they are equal then, the values are added up.
 */
void metrics_add(double value, const char *suffix, ...);

/* Add the metric for N events that SOURCE could not count. */
void metrics_lost(const char *source, double n);

/* Give the file its final name; exit if that fails. */
void metrics_end(void);

#endif
