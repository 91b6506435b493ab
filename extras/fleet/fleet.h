/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rank the machines of a fleet by their distance from the median of their kind.
 *
 *	fleet.c		the command line, and the tables
 *	fleet-read.c	read files of counts; a few statistics of each state
 *	fleet-facts.c	the facts about a recording's machine, and how they differ
 *	fleet-claims.c	whose recording a file gives; which recordings are left out
 *	fleet-rank.c	make machines and kinds from recordings, and rank the machines
 */
#ifndef WAKELAT_FLEET_H
#define WAKELAT_FLEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The maximum is shown, but never judged. */
enum statistic { P50, P99, MAX, NR_STATISTICS };

extern const char *const statistic_name[NR_STATISTICS];

/*
 * A statistic of a state, in ns, with its 95 % interval. Launch times may be wrong by up to the uncertainty, all of them in the same
 * direction. The interval includes the uncertainty at both ends.
 */
struct estimate {
	bool has;
	double value, low, high, uncertainty;
};

/* One state of one recording, or of one machine. */
struct cell {
	uint32_t state, source;		/* names */
	bool intr;			/* values are of intr_latency: the state is entered with interrupts on */
	uint64_t n, tainted;
	double step;			/* smallest difference between two values, ns; 0: all are equal */
	struct estimate at[NR_STATISTICS];
};

/* A state in a recording's table of states. */
#define MAX_STATES 64
struct state {
	uint32_t name;
};

struct pair {
	uint32_t key, value;
};

struct recording {
	uint32_t id, crc;
	uint32_t machine, file;
	bool bound;		/* the file is named after the machine that it was fetched from */
	uint32_t kind;		/* facts that must be equal in machines that are compared */
	uint32_t date;
	uint32_t reason;	/* why the recording cannot be used, or 0 */
	struct pair *pairs;	/* sorted by key */
	size_t nr_pairs, room;
	struct cell *cells;
	size_t nr_cells;
};

/* The distance of a statistic from the median of the kind. */
struct distance {
	bool judged;
	double percent, low, high;	/* of the median, with the 95 % interval */
	double mads;			/* in scales (struct spread); without the part that uncertainty may explain */
};

/* All recordings with the same name and kind. */
struct machine {
	uint32_t name, kind, reason;
	struct recording **recordings;
	size_t nr_recordings;
	struct cell *cells;
	size_t nr_cells;
	struct distance *distances;	/* nr_cells * NR_STATISTICS */
	uint32_t missing;		/* states that machines of this kind have and this one lacks, or 0 */
	bool different;
	size_t rank;			/* within the kind, from 1; 0: nothing to rank */
	size_t farthest;		/* index of the largest distance */
	double mads;			/* this distance; 0: none */
};

/* A statistic of a state in all machines of a kind. */
struct spread {
	uint32_t state, source;
	bool intr;
	enum statistic statistic;
	size_t nr;			/* machines */
	double median, low, high;	/* ns; the smallest and the largest machine */
	double least, most;		/* the median if all values are smaller, or larger, by their uncertainty */
	double uncertainty;		/* the largest of the machines */
	double scale;			/* median absolute deviation (MAD); at least 1 % and the clock's step, ns */
};

struct kind {
	struct machine **machines;	/* ranked; those without a rank are last */
	size_t nr, nr_ranked;
	struct spread *spreads;
	size_t nr_spreads;
	size_t comparisons;
	double limit;			/* MADs: a machine farther from the median is called different; INFINITY: none is */
};

struct left_out {
	uint32_t file, machine, reason, id;
};

struct fleet {
	struct recording **recordings;
	size_t nr_recordings;
	struct kind *kinds;
	size_t nr_kinds;
	struct left_out *left_out;
	size_t nr_left_out;
	size_t duplicates;
};

/* fleet-read.c */
void fleet_read(struct fleet *fleet, uint32_t file, bool bound);

/* fleet-facts.c: Take a line of counts. At the end set the recording's pairs and kind. */
struct counts_line;
void facts_run(struct recording *r, struct state *states, const struct counts_line *line);
void facts_doctor(struct recording *r, const struct counts_line *line);
void facts_end(struct recording *r);
/* Return the value of KEY, or 0. */
uint32_t pair_value(const struct recording *r, uint32_t key);
/* Return the text that says in which facts M differs from most machines of K, or 0. */
uint32_t facts_differ(const struct kind *k, const struct machine *m);

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

/* fleet-rank.c */
void fleet_kinds(struct fleet *fleet);
void kind_rank(struct kind *k);
const struct spread *find_spread(const struct kind *k, const struct cell *c, enum statistic s);

#endif
