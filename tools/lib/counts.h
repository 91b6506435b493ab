/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of counts (Documentation/formats.md): recordings as blocks, each with how often each value occurred.
 *
 * counts_open(), counts_next() until COUNTS_END, and of a block that is whole counts_check(); then counts_line() until
 * false, and within a line `values` counts_row(), within a line `intervals` counts_interval().
 */
#ifndef WAKELAT_COUNTS_H
#define WAKELAT_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsv.h"

#define COUNTS_FIRST_LINE "wakelat-counts\t1\n"
/* With one more column, high, where intervals are. */
#define COUNTS_TSV_HEADER "source\tstate\treached\tcpu\ttaint\tmetric\tkind\tvalue\tcount"
/* The upper end of an interval that has none. */
#define COUNTS_OPEN INT64_MAX
#define COUNTS_ID 32
/* A week of wake-ups has fewer different nanoseconds. */
#define COUNTS_MAX_BLOCK (256 << 20)

struct counts_block {
	char id[COUNTS_ID + 1];
	const char *text;	/* from its line `recording` to before its line `end` */
	size_t len;
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
	char why[512];		/* after COUNTS_DAMAGED */
};

enum counts_status { COUNTS_BLOCK, COUNTS_DAMAGED, COUNTS_END };

/* False, and file->why, if it cannot be read, or is none of this version. */
bool counts_open(struct counts_file *file, const char *name);
void counts_close(struct counts_file *file);

/* The next block, whose bytes are those that were written; what is damaged is passed over. */
enum counts_status counts_next(struct counts_file *file, struct counts_block *block);

enum counts_kind {
	COUNTS_RUN, COUNTS_DOCTOR, COUNTS_INCOMPLETE, COUNTS_COLUMNS, COUNTS_SAMPLES, COUNTS_SUM, COUNTS_ORDER, COUNTS_VALUES,
	COUNTS_INTERVALS,
	NR_COUNTS_KINDS
};

#define COUNTS_CELLS 8

struct counts_line {
	enum counts_kind kind;
	/* Behind the first; of doctor and columns one cell, TABs and all. */
	struct tsv_cell cells[COUNTS_CELLS];
	size_t nr_cells;
	/* Of values and intervals: their rows. */
	const char *rows, *rows_end;
	/* The caller begins with NULL. */
	const char *next;
};

/* Of a block that counts_check() has found good. */
bool counts_line(const struct counts_block *block, struct counts_line *line);
bool counts_row(struct counts_line *line, int64_t *value, int64_t *count);
/* The same of a line `intervals`: COUNT samples are LOW or more and less than HIGH, which may be COUNTS_OPEN. */
bool counts_interval(struct counts_line *line, int64_t *low, int64_t *high, int64_t *count);

/* The value of a line `run`; an empty cell if there is none. */
struct tsv_cell counts_run(const struct counts_block *block, const char *key);

/* NULL if every line is what it must be, else what is wrong, to be freed. */
char *counts_check(const struct counts_block *block);

/* NULL if its machine is known well enough to be compared with others, else what is missing, to be freed. */
char *counts_unknown(const struct counts_block *block);

/* Cells of lines of one kind, NR of them, in the order of the file: the second and the fourth as numbers if BY_CPU. */
int counts_compare(const struct tsv_cell *a, const struct tsv_cell *b, size_t nr, bool by_cpu);

/* What cksum prints: of pieces, then of how many bytes they are. */
uint32_t counts_crc(uint32_t crc, const char *text, size_t len);
uint32_t counts_crc_end(uint32_t crc, uint64_t len);

#endif
