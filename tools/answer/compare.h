/* SPDX-License-Identifier: GPL-2.0 */
/* How the latencies of recordings differ: compare.tsv, and the text that shows it. */
#ifndef WAKELAT_COMPARE_H
#define WAKELAT_COMPARE_H

#include "answer.h"
#include "stats.h"

/* A recording, with its statistics. */
struct compared {
	const char *name;
	struct stats stats;
};

struct comparison {
	struct compared *list;		/* the first is A */
	size_t nr;
	const char *selected;		/* a line that says which samples were selected, or "" */
	bool incomplete;		/* samples are missing from a recording */
	struct table rows;		/* compare.tsv */
};

/*
 * compare.c: answer compare [-f FORM] [-i] -o COMPARE.TSV -p PERCENTILES [-w CONDITION] RECORDINGS
 *
 * Compare the first recording with each of the others, and write the table. RECORDINGS: see sets.h. FORM is what is
 * printed: text, json, or notes (see show_differences()). -i: samples are missing. -w: the tables have only the
 * samples that meet CONDITION.
 *
 * Return 0, 4 if a statistic is distinguishable, 5 if none is, but a state has too few samples, 3 if samples are
 * missing; -1: a wrong command line.
 */
int compare_command(int argc, char **argv);

/* compare-show.c: print the table as text, then the notes and what the recordings do not say. */
void show_comparison(const struct comparison *comparison, FILE *out);
/* Print what a reader of the table must know, a line each. */
void show_differences(const struct comparison *comparison, FILE *out);

#endif
