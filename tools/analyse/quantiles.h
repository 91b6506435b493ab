/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of quantiles share: a job is one table of statistics. */
#ifndef WAKELAT_QUANTILES_H
#define WAKELAT_QUANTILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "by-state.h"
#include "distribution.h"
#include "groups.h"
#include "percentile.h"
#include "reached.h"
#include "table.h"
#include "tsv.h"

struct columns {
	char **names;
	size_t *at;
	size_t nr;
};

/* Columns of a counts.tsv. */
struct counts_columns {
	size_t reached, metric, kind, value, high, count;
	bool intervals;
};

/* The groups of untainted rows with the same cells: that of all parts and that of the part. NULL: not known; there is none. */
struct kind {
	struct summary *all, *part;
	bool all_has_cpu, part_has_cpu;	/* a value is stored with its CPU */
	uint32_t cpu;
};

/* The options of a table, and the rows that were read for it. */
struct job {
	const char *name;			/* -o: the file to write; NULL: stdout */
	struct columns by, metrics;		/* -g, -m */
	struct percentile *percentiles;		/* -p */
	size_t nr_percentiles;
	bool unsupported;			/* -u */
	bool only_means;			/* -s */
	bool count_sums;			/* counts.tsv: count the samples of rows `sum`, too */
	struct reached reached;			/* -r */
	char *only_reached;			/* -R */
	size_t twin;				/* -R: the job with the same options and -r */
	char *taint_column;			/* -t */
	char **taint_names;
	size_t nr_taint_names, taint_at;
	char **kept_taints;			/* -k */
	size_t nr_kept_taints;
	const char *taints_name;		/* -T */
	bool want_taints;
	const char *hgrm_directory;		/* -H */
	const char *intervals_name;		/* -i */
	bool want_intervals;
	bool use_uncertainty;			/* -U */
	size_t uncertainty_at;
	int64_t tail;				/* -c, in ppm */
	struct by_state tails;			/* -C, in ppm */
	struct by_state above;			/* -x */
	struct by_state endless;		/* -e */
	char *part_column;			/* -w */
	size_t part_at;
	size_t cpu_at;				/* TSV_ABSENT: no column, or the keys (-g) have it */
	int64_t limit_of_all;			/* -l */
	bool count_over;

	const struct counts_columns *counts;	/* NULL: the rows are samples */
	/*
	 * The key of the current row: the cells of the -g columns, then the part (-w), then whether
	 * its state was reached.
	 */
	struct tsv_cell *key;
	struct kind *kinds;		/* by tsv_rows.kind() */
	size_t nr_kinds;
	struct groups groups, taint_groups;	/* data: struct summary, a number of rows */
	struct table table, intervals, taints;	/* the results (fill_tables()) */
};

struct values {
	int64_t *list;
	int32_t *small;		/* instead of LIST, while all values of samples fit into 32 bits */
	int64_t *uncertain;	/* -U: the uncertainty of each value */
	uint32_t *cpu;		/* of each value, if the group may have several */
	uint64_t *counts;	/* counts.tsv: how often each value occurred */
	/* counts.tsv with intervals: the upper end; for an exact value, the value itself */
	int64_t *high;
	size_t nr, room, nr_cpu;
	/*
	 * With -s, or if counts.tsv has only rows `sum` of a metric: the sum of all values, and the
	 * number of values.
	 */
	__int128 sum;
	uint64_t nr_sum;
	/*
	 * The p-values in counts.tsv, which were computed while the order of the samples was known.
	 */
	char *clusters_p, *drift_p;
};

/* The rows of a group. */
struct summary {
	uint64_t n;
	uint64_t tainted;
	uint64_t *taints;	/* samples with each taint name; the last is for all other names */
	uint64_t parts;		/* -w: how many parts the group and its siblings are; 0 or 1: there is only one */
	char *only_part;	/* -w, all parts of samples: the part of all rows so far, which has no group of its own */
	int64_t uncertainty;	/* counts.tsv: the largest; counts do not say which sample has it */
	struct values *metrics;
};

/* The sorted values of a metric, and what the tests and bounds need. */
struct sorted {
	struct distribution all;
	/* Lower and upper bound of each value, from its uncertainty and its interval. */
	struct distribution least, most;
	struct distribution ends;		/* upper ends of the intervals; no values if all are exact */
	int64_t *recorded;			/* the values in recorded order; NULL if the order is not known */
	int64_t uncertainty;			/* the largest */
	uint64_t longer;			/* -e: number of further values, longer than all others */
};

/* quantiles-job.c: add a job that writes its table to NAME. Its options are not known yet. */
struct job *add_job(struct job **jobs, size_t *nr, const char *name);
/* die() if a metric or a percentile is there twice. */
void check_lists(const struct job *job);
/* Read the rows of an open table once, close it, and make the tables of all NR jobs. */
void make_tables(struct job **jobs, size_t nr, struct tsv *tsv);

/* quantiles-read.c: read the rows of an open table once, for all NR jobs, and close it. */
void read_table(struct job *jobs, size_t nr, struct tsv *tsv);

/* -R: leave out of JOB the rows that did not reach their state. TWIN has read the same rows with -r. */
void only_reached(struct job *job, struct job *twin);

/* quantiles-sort.c: move the values from v->small to v->list. */
void widen_values(struct values *v);
/* Sort the values of a metric, which takes them over. */
struct sorted sort_values(const struct job *job, const struct group *group, struct values *v);
void free_sorted(struct sorted *sorted);

/* -w: the value of the part's column for the rows of all parts together. */
#define ALL_PARTS "all"

static inline size_t nr_taint_keys(const struct job *job)
{
	return job->by.nr + !!job->part_column;
}

/* quantiles-print.c: make all tables of a job, and free its values. */
void fill_tables(struct job *job);
/* Add the columns of the keys of a job, without "reached". */
void key_columns(struct table *table, const struct job *job);
/* Return true if the group is of one value of -w. */
bool is_part(const struct job *job, const struct group *group);
/* Return how many samples of -e the group has. */
uint64_t endless_of(const struct job *job, const struct group *group);
void put_percentile(struct table *out, const struct job *job, const struct sorted *v,
		    const struct percentile *p);

/* quantiles-bounds.c: add the columns of the table of -i, and the rows for a metric of a group. */
void intervals_columns(struct job *job);
void put_intervals(struct job *job, const struct group *group, const char *metric,
		   const struct values *values, const struct sorted *v);
/* Add how many values are above LIMIT, and the upper confidence bound on their share. */
void put_above(struct job *job, const struct group *group, const int64_t *limit,
	       const struct sorted *v);

#endif
