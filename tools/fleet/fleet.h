/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many machines: what each of them does, held against its peers.
 *
 *	fleet.c		the command line, and the order of what is done
 *	fleet-read.c	files of counts: of each recording, what is asked about it, a few numbers for each state
 *	fleet-peers.c	which machines are comparable, and who is whose peer
 *	fleet-spread.c	how far machines of a kind are apart, and how unlikely it is to be so far off
 *	fleet-odd.c	the tests of all machines, corrected for their number
 *	fleet-cause.c	what else is different in a machine that is odd
 *	fleet-find.c	in words, what is odd
 *	fleet-history.c	the same machine from one kernel to the next
 *	fleet-write.c	the tables
 */
#ifndef WAKELAT_FLEET_H
#define WAKELAT_FLEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What is tested in each state. */
enum statistic { P50, P99, P999, MAX, REACHED, TAINTED, NR_STATISTICS };

extern const char *const statistic_name[NR_STATISTICS];

/* Shares of samples, not latencies. */
static inline bool is_share(enum statistic s)
{
	return s == REACHED || s == TAINTED;
}

/* The shares of samples that are not longer than grid[i]: where a second mode begins. */
#define NR_GRID 13
#define GRID_999 11 /* 99.9 % */
extern const double grid_share[NR_GRID];

/* One state of one recording, or of one machine. */
struct cell {
	uint32_t state, source;		/* names */
	bool intr;			/* of intr_latency: the state is entered with interrupts on */
	bool polls;			/* the driver advertises no latency */
	uint64_t n, tainted, reached, not_reached;
	bool has[NR_STATISTICS];
	double value[NR_STATISTICS];	/* ns, or a share */
	double y[NR_STATISTICS];	/* where differences are alike: logarithm, or arc sine of the root */
	double error[NR_STATISTICS];	/* of y: standard error */
	double grid[NR_GRID];		/* ns */
};

struct pair {
	uint32_t key, value;
};

struct recording {
	unsigned char id[16];
	uint32_t crc;
	uint32_t machine, file;
	bool bound;		/* the file's name is that of the machine that it was fetched from */
	uint32_t kind;		/* what must be the same in machines that are compared at all */
	uint32_t key;		/* what makes them alike */
	uint32_t date, by;
	uint32_t reason;	/* nothing can be said: why */
	struct pair *pairs;	/* by key */
	size_t nr_pairs;
	struct cell *cells;
	size_t nr_cells;
};

/* Of one name, kind and key: all its recordings. */
struct machine {
	uint32_t name, kind, key, reason;
	struct recording **recordings;
	size_t nr_recordings;
	struct cell *cells;
	size_t nr_cells;
	struct peers *peers;	/* NULL: too few */
	unsigned int tests;
	double p;		/* of all its tests together */
	bool odd, undecided;
	unsigned int nr_missing;
	struct missing *missing;
	struct test *test;	/* nr_cells * NR_STATISTICS */
};

struct missing {
	uint32_t state, source, how;
};

/* Who is compared with whom. */
struct peers {
	uint32_t kind, key;	/* key 0: all of the kind */
	struct machine **machines;
	size_t nr;
	struct spread *spreads;
	size_t nr_spreads;
};

/* Student's distributions, from the heaviest tails to the lightest. */
#define NR_FREEDOMS 12

/* How far peers are apart in one statistic of one state. */
struct spread {
	uint32_t state, source;
	bool intr, polls;
	enum statistic statistic;
	size_t nr;
	double centre;
	double scale[2];	/* below and above */
	/* Below and above: log likelihoods of tails, and their degrees of freedom. */
	double likelihood[2][NR_FREEDOMS], freedom[2];
	bool has_tail[2];	/* not all of the machines are at the centre */
	double skew;		/* above 0: the long side is above */
	double low, high;	/* of y: what the peers have */
	double least;		/* of y, what could be found by a machine of the usual error */
	uint64_t n_low, n_usual;
	double grid_high;	/* ns: 99.9 % of the usual machine's samples are not longer */
};

struct test {
	bool done, odd;
	struct spread *spread;
	double z, p;
	double low, high;	/* of the difference of y, 95 % */
};

struct left_out {
	uint32_t file, machine, reason;
	const char *id;
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

/* Fewer machines are no peers. */
#define LEAST_PEERS 8
/* Of what is called odd, so much is not, on average. */
#define RATE 0.05
/* What would not be found although it is so much: undecided. */
#define MATTERS 0.2

/* fleet-read.c */
void fleet_read(struct fleet *fleet, const char *file, bool bound);
/* When all are read. */
void fleet_bind(struct fleet *fleet);
void fleet_leave_out(struct fleet *fleet, const char *file, uint32_t machine, const char *id, const char *reason);
uint32_t pair_value(const struct recording *r, uint32_t key);
double y_of(enum statistic s, double value);
double value_of(enum statistic s, double y);

/* fleet-peers.c */
void fleet_machines(struct fleet *fleet);
void fleet_peers(struct fleet *fleet);
struct cell *cell_of(struct machine *m, uint32_t state, uint32_t source);
void add_recording(struct machine *m, struct recording *r);

/* fleet-spread.c */
struct observation {
	double y, error;
};

void spread_of(struct spread *spread, const struct observation *all, size_t nr);
/* When all spreads of the peers are there: how heavy their tails are. */
void spreads_freedom(struct spread *spreads, size_t nr);
double spread_z(const struct spread *spread, double y, double error);
double spread_p(const struct spread *spread, double y, double error);
double spread_found(const struct spread *spread, double p, double error);
double student_tail(double z, double freedom);
double student_quantile(double tail, double freedom);
double median_of(double *values, size_t nr);
int compare_doubles(const void *a, const void *b);

/* fleet-odd.c */
void fleet_test(struct fleet *fleet);

/* fleet-cause.c */
void causes_prepare(struct fleet *fleet);
/* In words, allocated; NULL: nothing differs. */
char *cause_of(const struct machine *m);

/* fleet-find.c: in words, allocated */
char *findings_of(const struct machine *m);

/* fleet-history.c, fleet-write.c */
FILE *table(const char *directory, const char *name, const char *header);
void end_table(FILE *to);
const char *metric_name(bool intr);
void write_history(const struct fleet *fleet, const char *directory);
void write_tables(const struct fleet *fleet, const char *directory);

#endif
