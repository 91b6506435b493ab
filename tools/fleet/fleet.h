/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compare each machine of a fleet with its peers.
 *
 *	fleet.c		the command line, and the order of the steps
 *	fleet-read.c	read files of counts
 *	fleet-facts.c	the facts about a recording's machine
 *	fleet-values.c	a few statistics of each state of a recording
 *	fleet-claims.c	whose recording a file gives; which recordings are left out
 *	fleet-peers.c	make machines from recordings, and find the peers of each machine
 *	fleet-spread.c	how far peers are apart, and how unlikely a given distance is
 *	fleet-student.c	Student's distribution
 *	fleet-odd.c	test all machines, and correct for the number of tests
 *	fleet-cause.c	how the facts of an odd machine differ from those of its peers
 *	fleet-find.c	the findings about an odd machine, in words
 *	fleet-history.c	the changes of a machine from one kernel to the next
 *	fleet-write.c	the tables
 */
#ifndef WAKELAT_FLEET_H
#define WAKELAT_FLEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "distribution.h"

/* The statistics that are tested in each state. */
enum statistic { P50, P99, P999, MAX, REACHED, TAINTED, NR_STATISTICS };

extern const char *const statistic_name[NR_STATISTICS];
/* The share of the samples that are not longer than a latency. */
extern const double statistic_share[MAX + 1];

/* Return true if S is a share of samples, false if it is a latency. */
static inline bool is_share(enum statistic s)
{
	return s == REACHED || s == TAINTED;
}

/* grid_share[i]: the share of samples that are not longer than cell.grid[i]. The grid shows where a second mode begins. */
#define NR_GRID 13
#define GRID_999 11 /* 99.9 % */
extern const double grid_share[NR_GRID];

/* One state of one recording, or of one machine. */
struct cell {
	uint32_t state, source;		/* names */
	bool intr;			/* values are of intr_latency: the state is entered with interrupts on */
	bool polls;			/* the driver advertises a latency of 0 */
	uint64_t n, tainted, reached, not_reached;
	bool has[NR_STATISTICS];
	double value[NR_STATISTICS];	/* ns, or a share */
	double y[NR_STATISTICS];	/* logarithm of a latency, arc sine of the root of a share */
	double error[NR_STATISTICS];	/* standard error of y */
	double grid[NR_GRID];		/* ns */
};

/* A state in a recording's table of states. */
#define MAX_STATES 64
struct state {
	uint32_t name;
	bool polls;
};

struct pair {
	uint32_t key, value;
};

struct recording {
	uint32_t id, crc;
	uint32_t machine, file;
	bool bound;		/* the file is named after the machine that it was fetched from */
	uint32_t kind;		/* facts that must be equal in machines that are compared */
	uint32_t key;		/* facts that peers share where possible: microcode, kernel, ... */
	uint32_t date, by;
	uint32_t reason;	/* why the recording cannot be used, or 0 */
	struct pair *pairs;	/* sorted by key */
	size_t nr_pairs, room;
	struct cell *cells;
	size_t nr_cells;
};

/* All recordings with the same name, kind and key. */
struct machine {
	uint32_t name, kind, key, reason;
	struct recording **recordings;
	size_t nr_recordings;
	struct cell *cells;
	size_t nr_cells;
	struct peers *peers;	/* NULL: too few machines of this kind */
	unsigned int tests;
	double p;		/* of the most unlikely test, corrected for the number of tests */
	size_t key_number;	/* keys are numbered in the order of the tables, from 1 */
	bool odd;
	uint32_t undecided;	/* why some state could not be judged, or 0 */
	unsigned int nr_missing;
	struct missing *missing;
	struct test *test;	/* nr_cells * NR_STATISTICS */
};

struct missing {
	uint32_t state;
	const char *how;
};

/* Machines that are compared with each other. */
struct peers {
	uint32_t kind;
	size_t key_number;	/* 0: all of the kind */
	struct machine **machines;
	size_t nr;
	struct spread *spreads;
	size_t nr_spreads;
	/* fleet-cause.c: the facts of the machines that are not odd, and their number */
	struct distribution facts;
	size_t nr_usual;
};

/* How many Student's distributions are tried. They are in order from the heaviest tails to the lightest. */
#define NR_FREEDOMS 12

/* How far peers are apart in one statistic of one state. */
struct spread {
	uint32_t state, source;
	bool intr, polls;
	enum statistic statistic;
	size_t nr;
	double centre;
	double scale[2];	/* below and above */
	/* Below and above: log likelihood of each Student distribution, and the degrees of freedom in use. */
	double likelihood[2][NR_FREEDOMS], freedom[2];
	bool has_tail[2];	/* false: the median distance from the centre is 0 */
	double skew;		/* above 0: the long side is above */
	double low, high;	/* smallest and largest y of the peers */
	double least;		/* smallest difference of y that a test of a usual machine can find */
	uint64_t n_low, n_usual;
	double grid_high;	/* ns: 99.9 % of the usual machine's samples are not longer */
};

struct test {
	bool done, odd;
	struct spread *spread;
	double z, p;
	double low, high;	/* 95 % interval of the difference of y */
};

struct left_out {
	uint32_t file, machine, reason, id;
};

struct fleet {
	struct recording **recordings;
	size_t nr_recordings;
	struct machine **machines;
	size_t nr_machines;
	struct peers **peers;
	size_t nr_peers;
	struct left_out *left_out;
	size_t nr_left_out;
	uint32_t by;		/* key of run.tsv, or 0 */
	size_t duplicates;
};

/* The minimum number of machines that are peers. */
#define LEAST_PEERS 8
/* Of the machines that are called odd, the average share that is not odd (false discovery rate). */
#define RATE 0.05
/* If a test cannot find a difference of this size, the machine is undecided. */
#define MATTERS 0.2

/* fleet-read.c */
void fleet_read(struct fleet *fleet, uint32_t file, bool bound);

/* fleet-facts.c: Take a line of counts. At the end set the recording's pairs, kind and key. */
struct counts_line;
void facts_run(struct recording *r, struct state *states, const struct counts_line *line);
void facts_doctor(struct recording *r, const struct counts_line *line);
void facts_end(struct recording *r, const struct state *states);
/* Return the value of KEY, or 0. */
uint32_t pair_value(const struct recording *r, uint32_t key);

/* fleet-values.c: Take a line `samples` or `values`. At the end make the recording's cells. */
void values_take(struct counts_line *line);
void values_end(struct recording *r, const struct state *states);
/* Set the statistic S, a share, unless ALL is 0. */
void measure_share(struct cell *cell, enum statistic s, uint64_t part, uint64_t all);
double y_of(enum statistic s, double value);
double value_of(enum statistic s, double y);

/* fleet-claims.c */
/* List R as left out, and print a message. An R without identity is a file, or a part of it. */
void fleet_leave_out(struct fleet *fleet, const struct recording *r, uint32_t reason);
/*
 * Handle a second recording NEW with the identity of OLD. If the two differ, the owner of the
 * identity is unknown, and both are left out.
 */
void fleet_dispute(struct fleet *fleet, struct recording *old, const struct recording *new);
/*
 * Check each recording against the machine that its file was fetched from. This machine is known if
 * the recording is bound, or is the only one in its file. If the recording names another machine,
 * it is left out in two cases: the other machine has such a file of its own, or bound recordings
 * from two or more machines name it. A recording that is left out gets the machine of its file.
 * Call this after all files are read.
 */
void fleet_bind(struct fleet *fleet);

/* fleet-peers.c */
void fleet_machines(struct fleet *fleet);
void fleet_peers(struct fleet *fleet);
struct cell *find_cell(const struct machine *m, uint32_t state, uint32_t source, bool intr);
struct cell *cell_of(const struct machine *m, uint32_t state, uint32_t source);
void add_recording(struct machine *m, struct recording *r);

/* fleet-spread.c */
struct observation {
	double y, error;
};

void spread_of(struct spread *spread, const struct observation *all, size_t nr);
/* Set the degrees of freedom of each spread. Call this after spread_of() for all spreads of the peers. */
void spreads_freedom(struct spread *spreads, size_t nr);
double spread_z(const struct spread *spread, double y, double error);
double spread_p(const struct spread *spread, double y, double error);
double spread_found(const struct spread *spread, double p, double error);
double median_of(double *values, size_t nr);
int compare_doubles(const void *a, const void *b);

/* fleet-student.c */
double student_tail(double z, double freedom);
double student_quantile(double tail, double freedom);

/* fleet-odd.c */
void fleet_test(struct fleet *fleet);
struct spread *find_spread(const struct peers *p, uint32_t state, uint32_t source, bool intr,
			   enum statistic s);

/* fleet-cause.c: Count the facts of the peers. Call this after fleet_test(). */
void causes_prepare(struct fleet *fleet);
/* Return the differences in words, or 0 if nothing differs. */
uint32_t cause_of(const struct machine *m);

/* fleet-find.c: Return the findings in words. */
uint32_t findings_of(const struct machine *m);

/* fleet-history.c, fleet-write.c */
FILE *table(const char *directory, const char *name, const char *header);
void end_table(FILE *to);
const char *metric_name(bool intr);
void write_history(const struct fleet *fleet, const char *directory);
void write_tables(const struct fleet *fleet, const char *directory);

#endif
