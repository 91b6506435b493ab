/* SPDX-License-Identifier: GPL-2.0 */
/* What `wakelat probe` shows while it measures, on a terminal: state by state, refreshed in place. */
#ifndef WAKELAT_PROBE_LIVE_H
#define WAKELAT_PROBE_LIVE_H

#include "probe.h"

/* Of the histogram HIST: the latency in ns that a share of PER_MILLE is not above; -1: too few samples for it. */
double live_quantile(const struct probe_hist *hist, unsigned int per_mille);

/* Its first and last ns: [low, high). */
void live_bucket(unsigned int bucket, double *low, double *high);

/* FD is the terminal; NOTE stands first if there is one; NAMES of the states. */
void live_begin(int fd, const char *note, char *const *names, unsigned int nr_names);

/* Each record: the longest of late is shown. */
void live_record(const struct probe_record *record, __u64 ns);

/* The last one beyond the threshold, number NR, took NS; WORDS: what woke the CPU. In the place of the longest. */
void live_outlier(const struct probe_record *record, __u64 nr, __u64 ns, const char *words);

/* HEAD says what is measured, and how far it is. */
void live_draw(const char *head);
void live_end(void);

#endif
