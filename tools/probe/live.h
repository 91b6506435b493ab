/* SPDX-License-Identifier: GPL-2.0 */
/* The live view of `wakelat probe` and `wakelat top`: one histogram per state, refreshed in place on a terminal. */
#ifndef WAKELAT_LIVE_H
#define WAKELAT_LIVE_H

#include <linux/types.h>

#include "probe.h"

/* Return the number of untainted samples in HIST. */
__u64 probe_hist_n(const struct probe_hist *hist);

/* Return the quantile PER_MILLE of the histogram HIST in ns, or -1 if it has too few samples. */
double live_quantile(const struct probe_hist *hist, unsigned int per_mille);

/* Store the range of BUCKET in ns, [low, high). */
void live_bucket(unsigned int bucket, double *low, double *high);

/* Return the bucket in which NS is counted. */
unsigned int live_bucket_of(__u64 ns);

/*
 * Set up the view. FD: the terminal. NOTE: the first line, or NULL. NAMES: of the states. HIST_OF returns a
 * state's histogram.
 */
void live_begin(int fd, const char *note, char *const *names, unsigned int nr_names,
		const struct probe_hist *(*hist_of)(unsigned int state));

/* Add RECORD to the view, which shows the longest recent one. NS: its latency. */
void live_record(const struct probe_record *record, __u64 ns);

/*
 * Show the last sample beyond the threshold in place of the longest one. NR: its number. NS: its latency.
 * WORDS: what woke the CPU.
 */
void live_outlier(const struct probe_record *record, __u64 nr, __u64 ns, const char *words);

/* Show WORDS below the states. */
void live_say(const char *words);

/* Draw the view. HEAD: what is measured, and the progress. */
void live_draw(const char *head);
/* Write the view to FD as plain text, 80 columns wide. FD need not be a terminal. */
void live_print(const char *head, int fd);
void live_end(void);

#endif
