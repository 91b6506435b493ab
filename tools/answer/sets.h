/* SPDX-License-Identifier: GPL-2.0 */
/* The recordings that a command line names. */
#ifndef WAKELAT_SETS_H
#define WAKELAT_SETS_H

#include "answer.h"
#include "html.h"

struct set {
	struct question q;
	size_t first_trace;	/* in the list of all traces */
};

/* The child process that reads traces needs those of all recordings in one list. */
struct sets {
	struct set *list;
	size_t nr;
	const char **tables, **traces;
	size_t nr_tables, nr_traces;
	struct names names;
};

/*
 * The options, for getopt(): [-n NAMES] {-r RUN.TSV [-t] [-c NAME] TABLE...}...
 *
 *	-n	the names of the recordings, separated by TABs
 *	-c	compare the numbers of samples with those of RUN.TSV; NAME is the table in messages
 *	-t	the TABLEs are the traces of the recording's directory, trace.dat last
 *
 * With the dash, getopt() returns 1 for each operand, in its place among the options.
 */
#define SETS_OPTIONS "-c:n:r:t"

/* Prepare for at most MOST arguments. */
void sets_begin(struct sets *sets, size_t most);
/* Take an option of SETS_OPTIONS. Return false for any other. */
bool sets_option(struct sets *sets, int opt, char *value);
/* Name the recordings that have no name. */
void sets_end(struct sets *sets);

#endif
