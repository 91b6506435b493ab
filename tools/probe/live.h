/* SPDX-License-Identifier: GPL-2.0 */
/* What `wakelat probe` and `wakelat top` show while it is measured: state by state, refreshed in place on a terminal. */
#ifndef WAKELAT_LIVE_H
#define WAKELAT_LIVE_H

#include <linux/types.h>

#include "probe.h"

/* Samples without taint in HIST. */
__u64 probe_hist_n(const struct probe_hist *hist);

/* Of the histogram HIST: the latency in ns that a share of PER_MILLE is not above; -1: too few samples for it. */
double live_quantile(const struct probe_hist *hist, unsigned int per_mille);

/* Its first and last ns: [low, high). */
void live_bucket(unsigned int bucket, double *low, double *high);

/* The bucket in which NS is counted. */
unsigned int live_bucket_of(__u64 ns);

/* FD is the terminal; NOTE stands first if there is one; NAMES of the states; HIST_OF gives a state's histogram. */
void live_begin(int fd, const char *note, char *const *names, unsigned int nr_names,
		const struct probe_hist *(*hist_of)(unsigned int state));

/* Each record: the longest of late is shown. */
void live_record(const struct probe_record *record, __u64 ns);

/* The last one beyond the threshold, number NR, took NS; WORDS: what woke the CPU. In the place of the longest. */
void live_outlier(const struct probe_record *record, __u64 nr, __u64 ns, const char *words);

/* A line of words below the states. */
void live_say(const char *words);

/* HEAD says what is measured, and how far it is. */
void live_draw(const char *head);
/* The same as plain text, 80 columns wide, into FD, which need not be a terminal. */
void live_print(const char *head, int fd);
void live_end(void);

#endif
