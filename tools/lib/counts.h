/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read files of counts (Documentation/formats.md). A file has a block for each recording, which says how often each value
 * occurred.
 *
 * Call counts_open(), then counts_next() until COUNTS_END. For each COUNTS_BLOCK call counts_check(), then counts_line()
 * until it returns false. For a line `values` call counts_row(), for a line `intervals` counts_interval().
 *
 *	counts.c	blocks and lines
 *	counts-check.c	the checks of a block
 */
#ifndef WAKELAT_COUNTS_H
#define WAKELAT_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsv.h"

#define COUNTS_FIRST_LINE "wakelat-counts\t1\n"
/* If there are intervals, one more column, high, follows. */
#define COUNTS_TSV_HEADER "source\tstate\treached\tcpu\ttaint\tmetric\tkind\tvalue\tcount"
/* The upper end of an open interval. */
#define COUNTS_OPEN INT64_MAX
#define COUNTS_ID 32
/* A line `sum` of this metric counts the samples whose cell of the column unknown is what follows. */
#define COUNTS_UNKNOWN "unknown:"
/* Enough for a week of wake-ups. */
#define COUNTS_MAX_BLOCK (256 << 20)

struct counts_block {
	char id[COUNTS_ID + 1];
	const char *text;	/* from its line `recording` to its line `end`, which follows */
	size_t len;
	const char *lines;	/* the first line after the line `recording` */
	uint32_t crc;
	uint64_t offset;	/* in the file */
};

struct counts_file {
	const char *name;
	int fd;
	char *buf;
	size_t size, at, filled;
	uint64_t offset;	/* of buf */
	bool eof;
	char why[512];		/* why counts_open() failed, or what is damaged */
};

enum counts_status { COUNTS_BLOCK, COUNTS_DAMAGED, COUNTS_END };

/*
 * Return false, set file->why and close the file if NAME cannot be read, or is not a file of counts
 * of version 1.
 */
bool counts_open(struct counts_file *file, const char *name);
void counts_close(struct counts_file *file);

/*
 * Read the next block and compare its checksum. COUNTS_DAMAGED: a damaged part was skipped, see
 * file->why.
 */
enum counts_status counts_next(struct counts_file *file, struct counts_block *block);

enum counts_kind {
	COUNTS_RUN, COUNTS_DOCTOR, COUNTS_INCOMPLETE, COUNTS_COLUMNS, COUNTS_SAMPLES, COUNTS_SUM, COUNTS_ORDER, COUNTS_VALUES,
	COUNTS_INTERVALS,
	NR_COUNTS_KINDS
};

#define COUNTS_CELLS 8

/* The caller sets all of this to 0 before the first line. */
struct counts_line {
	enum counts_kind kind;
	/*
	 * The cells after the first word. Lines doctor and columns have one cell, including its
	 * TABs.
	 */
	struct tsv_cell cells[COUNTS_CELLS];
	size_t nr_cells;
	const char *next;	/* the next line, or the next row of this one */
};

/*
 * Read the next line, or the next row of a line. BLOCK must have passed counts_check(). Return
 * false at the end.
 */
bool counts_line(const struct counts_block *block, struct counts_line *line);
bool counts_row(struct counts_line *line, int64_t *value, int64_t *count);
/*
 * Read the next interval: COUNT samples are at least LOW and less than HIGH. HIGH may be
 * COUNTS_OPEN.
 */
bool counts_interval(struct counts_line *line, int64_t *low, int64_t *high, int64_t *count);
/* True if a row follows. */
bool counts_at_row(const struct counts_line *line);

/* Return the value of the line `run` with KEY; an empty cell if there is none. */
struct tsv_cell counts_run(const struct counts_block *block, const char *key);

/*
 * Return NULL if every line is valid, else what is wrong, allocated. If DESCRIBED is set, BLOCK
 * must also describe its machine well enough for comparisons.
 */
char *counts_check(const struct counts_block *block, bool described);

/*
 * Compare the first NR cells of two lines of the same kind, as a file of counts orders them. Return
 * less than, equal to, or greater than 0. Compare the second cell as a number, and if BY_CPU is set
 * the fourth, too; the other cells are text.
 */
int counts_compare(const struct tsv_cell *a, const struct tsv_cell *b, size_t nr, bool by_cpu);

#endif
