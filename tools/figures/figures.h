/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of the figures: samples of one or more data sets, in series. A series is the
 * samples of one state of one source in one data set. It has its own colour and mark.
 */
#ifndef WAKELAT_FIGURES_H
#define WAKELAT_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "axis.h"
#include "distribution.h"
#include "reached.h"
#include "tsv.h"

/* Shares of an idle period by the residency counters. */
enum share { SHARE_C1, SHARE_C3, SHARE_C6, SHARE_C7, SHARE_PACKAGE, NR_SHARES };

/* What is known of a sample besides its numbers. */
struct sample_flags {
	unsigned int series : 20;	/* position in figures.series */
	bool counted : 1, tainted : 1, interval : 1;
	bool has_silent : 1, has_latency : 1, has_intr : 1, has_ldist : 1, has_residency : 1, has_shares : 1;
	bool tells : 1, reached : 1;	/* the counter of the requested state is known; it has advanced */
};

struct sample {
	struct sample_flags is;
	uint32_t cpu;
	int64_t latency;	/* wake, interrupt or other latency: see struct series */
	/* Whether a state has wake_latency or intr_latency is known only after all rows are read. Until then, keep both. */
	int64_t intr_latency;
	int64_t silent_time, ldist;
	int64_t residency;	/* ns in the state asked for, by its counter */
	/* counts.tsv */
	int64_t high;		/* the end of an interval that begins at latency; INT64_MAX: it has no end */
	int64_t count;		/* of equal samples: see count_of() */
};

/* A column of numbers. They have 32 bits until one needs more. A column that has only zeros has no memory. */
struct numbers {
	int32_t *small;
	int64_t *wide;
};

/* All samples, by column. There may be ten millions of them. */
struct samples {
	size_t nr, room;
	struct sample_flags *is;
	uint32_t *cpu;
	struct numbers latency, intr_latency, silent_time, ldist, residency, high, count;
};

static inline int64_t number_at(const struct numbers *numbers, size_t i)
{
	return numbers->small ? numbers->small[i] : numbers->wide ? numbers->wide[i] : 0;
}

/* Return sample I. The compiler leaves out the columns that the caller does not use. */
static inline __attribute__((always_inline)) struct sample sample_at(const struct samples *all, size_t i)
{
	return (struct sample) {
		.is = all->is[i], .cpu = all->cpu[i], .latency = number_at(&all->latency, i),
		.intr_latency = number_at(&all->intr_latency, i), .silent_time = number_at(&all->silent_time, i),
		.ldist = number_at(&all->ldist, i), .residency = number_at(&all->residency, i),
		.high = number_at(&all->high, i), .count = number_at(&all->count, i),
	};
}

#define MOST_SERIES (1 << 20)
#define TAINTED SIZE_MAX

/* POSITION: that of a series, whose untainted samples are meant, or TAINTED, those of all series. */
static inline bool in_series(struct sample_flags is, size_t position)
{
	return position == TAINTED ? is.tainted : !is.tainted && is.series == position;
}

/* Looks only at the flags of others, because each series passes over all samples. */
#define for_each_sample_of(all, i, position) \
	for (size_t i = 0; i < (all)->nr; i++) \
		if (!in_series((all)->is[i], position)) \
			continue; \
		else

static inline uint64_t count_of(const struct sample *s)
{
	return s->is.counted ? s->count : 1;
}

struct series {
	size_t set;
	char *source;
	int64_t state;
	bool uses_wake;		/* wake_latency; false: intr_latency, the state is entered with interrupts on */
	bool timed_elsewhere;	/* latency was measured by another tool */
	bool chosen;		/* latency is the value of another column */
	uint64_t tainted;
	uint64_t below;		/* untainted samples below the axis of latency */
	int64_t *latency;	/* of the untainted samples, sorted */
	/* Used in place of latency if some latencies are only known as intervals. ends: INT64_MAX: no end. */
	bool intervals;
	struct distribution low, ends;
	size_t nr;
};

#define MOST_ADVERTISED 64

/* A column that the user has chosen. */
struct chosen {
	const char *name;	/* NULL: none */
	bool plain;		/* not in ns: kept in thousandths, because all values are printed as us */
};

struct figures {
	size_t nr_sets;
	struct series *series;
	size_t nr_series;
	struct samples samples;
	uint64_t all_samples;	/* number of samples; differs from samples.nr if a set is counts */
	bool counts;		/* a set is counts, which have no order */
	bool intervals;		/* latencies of a set are only known as intervals */
	float (*shares)[NR_SHARES];	/* by sample; NULL if no set has such counters */
	size_t shares_room;
	/*
	 * Of the untainted samples. Latencies and silent times of tainted samples may lie outside: these two figures state
	 * how many. Untainted latencies may lie below a logarithmic axis, see shortest_drawn().
	 */
	struct axis silent, latency, ldist, residency;
	uint64_t outside_silent, outside_order;	/* tainted samples */
	uint32_t cpu_low, cpu_high;
	bool swept;		/* launch distances were swept geometrically */
	int64_t advertised[MOST_ADVERTISED];	/* ns, of the states: each is the end of a bin */
	size_t nr_advertised;
	size_t cells_x, cells_y;	/* cells of a plane of points; a cell is smaller than a mark */
	struct reading *reading;	/* see figures_begin() */
	struct chosen x, y;	/* columns in place of silent_time and of the latency */
};

struct source_of_samples {
	int64_t tsc_khz;	/* 0: not known */
	const char *reached;	/* "state:3=cc6_cyc,...", or NULL */
};

/* Return the lower end and the upper end at RANK (from 0), and the largest known end. SERIES must have samples. */
int64_t low_at(const struct series *series, size_t rank);
int64_t high_at(const struct series *series, size_t rank);
int64_t greatest_of(const struct series *series);

/* samples.c: Append a sample; store a number in a column. */
void samples_add(struct samples *all, const struct sample *s);
void samples_set(const struct samples *all, struct numbers *numbers, size_t i, int64_t value);

/*
 * figread.c: Begin a set before the first row of TSV is read, take each row, and end the set before TSV is closed. After the last
 * set, sort the series and set the ranges.
 */
void figures_begin(struct figures *figures, const struct source_of_samples *from, const struct tsv *tsv);
void figures_row(struct figures *figures, const struct tsv *tsv);
void figures_end(struct figures *figures, const struct tsv *tsv);
void figures_complete(struct figures *figures);

/*
 * figdata.c: Return figures without samples for this width in mm, 88 or 180. After the last set, write all files; return NULL, or why
 * there is nothing to draw.
 */
struct figures figures_new(int64_t width);
/* An exit latency that a driver advertises: bins end there. */
void figures_advertise(struct figures *figures, int64_t ns);
const char *figures_write(struct figures *figures);

/* Each function writes the files of one kind of figure. */
void write_points(struct figures *figures);	/* sets outside_silent and outside_order */
/* Return the number of samples in the fullest cell, or 0 if most samples are not in cells. */
uint64_t write_density(const struct figures *figures);
/* Return NULL, or why there is nothing to draw. */
const char *write_distributions(const struct figures *figures);
/* figintervals.c: Write the distribution of a series of intervals. */
void write_intervals(const struct figures *figures, size_t position);
void outline_base(FILE *f, int64_t edge);
void outline_top(FILE *f, int64_t low, int64_t high, size_t count, bool log);
void write_boxes(const struct figures *figures);
void write_cpus(const struct figures *figures);
void write_shares(const struct figures *figures);
bool shares_tell(const struct figures *figures, size_t position);

/* figout.c: Write files in the directory; die() at any error. */
extern const char *figures_directory;
FILE *create(const char *name);
FILE *create_for(const char *name, size_t position);
void finish(FILE *f);

/* Print ns as us with three decimals. No double is used, so the value is exact. */
void print_us(FILE *f, int64_t ns);
void print_point(FILE *f, int64_t x_ns, int64_t y_ns);
void print_us_or_dash(FILE *f, bool known, int64_t ns);

#endif
