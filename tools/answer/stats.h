/* SPDX-License-Identifier: GPL-2.0 */
/* The statistics of the latencies of each state: tables stats*.tsv, and the text that shows them. */
#ifndef WAKELAT_STATS_H
#define WAKELAT_STATS_H

#include <string.h>

#include "facts.h"
#include "figures.h"
#include "source.h"
#include "table.h"

enum { STATS, CI, REACHED, CPU, FREQUENCY, UNKNOWNS, UNCERTAINTY, NR_STATS };

struct stats {
	/* what is asked for; the names of metrics and percentiles are separated by commas */
	struct question question;
	const char *metrics, *percentiles;
	bool unsupported;		/* also percentiles for which there are too few samples */
	bool brief;			/* the short text */
	bool chosen;			/* the caller has chosen the percentiles */
	bool special;			/* the statistics are not those of stats*.tsv */
	const char *selected;		/* a line that says which samples were selected, or "" */
	const char *name;		/* the recording's */
	const char *again;		/* the command that shows everything */
	const char *form, *prefix;	/* what is printed, and where files go; NULL: none */

	struct facts facts;
	struct source source;
	/* Without columns: there is nothing to say. */
	struct table tables[NR_STATS];
	struct table kinds;		/* by what woke the CPU */
	struct figures figures;
	bool draws;			/* the same pass makes the figures' data */
};

/*
 * stats.c: answer stats [-m METRICS] -p PERCENTILES [-u] [-c] [-f FORM] [-o PREFIX] [-n NAME]
 *          [-s SELECTED] [-S] [-i] [-g COMMAND] [-F DIRECTORY] [-C NAME] [-t] RUN.TSV TABLE...
 *
 * Make the tables of statistics. The options are the members of struct stats, in this order; FORM is
 * what is printed: brief, all, json, none; PREFIX: see write_stats().
 *
 *	-F	also write the data of the figures, as answer figures does; if there is nothing to draw, a file nothing that says why
 *	-C	compare the numbers of samples with those of RUN.TSV; NAME is the table in messages
 *	-t	the TABLEs are the traces of a recording's directory, trace.dat last
 *
 * Return the exit status; -1: a wrong command line.
 */
int stats_command(int argc, char **argv);

/* Read the samples of stats->question, and make the tables. */
void make_stats(struct stats *stats);
/* Make the tables, write them to stats->prefix, and if stats->draws is set, write the data of the figures. */
void make_files(struct stats *stats);
/*
 * Set stats->draws if figures_directory is set, and the tables and the figures' data fit into little memory together (up to 1.5 million
 * samples of a raw trace). draw_rest() makes the data otherwise, in a process of its own. It returns false on failure.
 */
void choose_draws(struct stats *stats);
bool draw_rest(const struct stats *stats);

bool is_there(const struct table *table);
static inline bool is_dash(const char *cell)
{
	return !strcmp(cell, "-");
}
/* Return a cell by the name of its column; "" if the table has no such column. */
const char *named_cell(const struct table *table, size_t row, const char *column);
/* Return the name of the state with this index. */
const char *state_name(const struct facts *facts, const char *index);

/* stats-show.c: print the text. */
void show_stats(const struct stats *stats, FILE *out);

/* notes.c: return whether the p-value of a test for dependence is in doubt. */
bool is_small(const char *p);
/* Print what a reader of the tables must know, a line each. */
void show_stats_notes(const struct stats *stats, FILE *out);
/*
 * Print a line for each state and metric whose samples depend on each other; if BRIEF, one line for
 * all states in doubt.
 */
void show_doubts(const struct stats *stats, bool brief, FILE *out);

#endif
