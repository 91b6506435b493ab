/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read the samples of a recording: of one trace.dat, or of all traces of a recording that was resumed, one after another.
 * Then a sample has its run's number in run.tsv. Samples of runs that run.tsv does not have are left out: such a run was
 * interrupted, and recorded again.
 */
#ifndef WAKELAT_READER_H
#define WAKELAT_READER_H

#include "runs.h"
#include "sample-table.h"
#include "tally.h"
#include "trace.h"

struct end_event {
	int id;			/* -1: an old kernel does not have the event */
	struct event_field run, cpu, samples;
};

/* The event numbers of a sweep's run on a CPU. Each step begins with event 1. */
struct sweep {
	uint64_t run, cpu, step, before, last;
};

struct reader {
	const char *const *inputs;
	size_t nr, at;
	struct runs runs;
	const char *trace_name;		/* the current input without its directory */
	struct trace trace;
	bool open, any;
	struct end_event end;
	struct sample_table table;
	char **names;			/* of the first input's columns */
	size_t nr_names;
	struct tally tally;		/* the samples that reader_next() has returned */
	struct sweep *sweeps;
	size_t nr_sweeps;
	char *lost;			/* what is missing; NULL: nothing is known to be */
};

/*
 * Open a recording. RUN_TSV: its run.tsv, NULL: none. WHOLE: INPUTS are the traces of a recording's directory, trace.dat last. If
 * run.tsv needs only trace.dat, the others are not read. die() if an input cannot be read.
 */
void reader_open(struct reader *reader, const char *run_tsv, bool whole, const char *const *inputs, size_t nr);

/* Make the next sample the current row of reader->table. Return false after the last one. */
bool reader_next(struct reader *reader);

#endif
