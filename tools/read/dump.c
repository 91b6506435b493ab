// SPDX-License-Identifier: GPL-2.0
/*
 * dump [-w] [-r RUN.TSV] [-n ROWS] TRACE.DAT... OUTPUT.TSV: write the samples of a recording, one row each, with their parts.
 *
 *	-r RUN.TSV	samples with a part wakelat_clock are corrected by the facts of this file (correct.h)
 *	-w		the traces are all those of a recording's directory, trace.dat last (reader.h)
 *	-n ROWS		a file to write: a table with the number of samples of each run and CPU
 *
 * Exit status: 0 if all samples are there; 3 if the output is written, but the recording
 * lost samples (a line on stderr says how many); 1 if nothing is written.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "number.h"
#include "outfile.h"
#include "reader.h"
#include "recording.h"

struct job {
	const char *run_tsv;
	const char *rows;
	bool whole;
	const char *const *inputs;
	size_t nr;
	const char *output;
};

static void write_header(struct outfile *out, const struct sample_table *table)
{
	size_t size = 0;
	char *p;

	for (size_t i = 0; i < table->nr; i++)
		size += strlen(table->columns[i].name) + 1;
	p = outfile_reserve(out, size);

	for (size_t i = 0; i < table->nr; i++) {
		p = put_text(p, table->columns[i].name);
		*p++ = i + 1 < table->nr ? '\t' : '\n';
	}
	outfile_commit(out, p);
}

static void write_row(struct outfile *out, const struct sample_table *table)
{
	char *p = outfile_reserve(out, table->row_size);

	for (const struct column *column = table->columns, *end = column + table->nr; column < end; column++) {
		p = sample_table_put(p, table, column);
		*p++ = column + 1 < end ? '\t' : '\n';
	}
	outfile_commit(out, p);
}

static void write_rows(const char *name, const struct tally *tally)
{
	FILE *out = outfile_stream(name);

	fputs("run\tcpu\tn\n", out);
	for (size_t i = 0; i < tally->nr; i++)
		if (tally->rows[i].seen)
			fprintf(out, "%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", tally->rows[i].run, tally->rows[i].cpu, tally->rows[i].seen);
	outfile_close_stream(out, name);
}

static int dump(void *arg)
{
	static struct outfile out;
	static struct reader reader;
	const struct job *job = arg;

	reader_open(&reader, job->run_tsv, job->whole, job->inputs, job->nr);
	outfile_begin(&out, job->output);
	write_header(&out, &reader.table);
	while (reader_next(&reader))
		write_row(&out, &reader.table);
	if (job->rows)
		write_rows(job->rows, &reader.tally);
	outfile_close(&out);
	if (!reader.lost)
		return 0;
	message("%s: %s; the other %" PRIu64 " samples are in %s", job->inputs[job->nr - 1], reader.lost, reader.tally.seen,
		job->output);
	return STATUS_INCOMPLETE;
}

int main(int argc, char **argv)
{
	const char *outputs[2] = { 0 };
	struct job job = { 0 };
	int opt;

	message_init("wakelat dump");
	while ((opt = getopt(argc, argv, "+n:r:w")) != -1) {
		if (opt == 'n')
			job.rows = optarg;
		else if (opt == 'r')
			job.run_tsv = optarg;
		else if (opt == 'w')
			job.whole = true;
		else
			exit(1);
	}
	if (optind + 2 > argc)
		die("usage: dump [-w] [-r RUN.TSV] [-n ROWS] TRACE.DAT... OUTPUT.TSV");
	job.inputs = (const char *const *)argv + optind;
	job.nr = argc - optind - 1;
	job.output = outputs[0] = argv[argc - 1];
	return recording_convert_all(job.inputs, job.nr, outputs, dump, &job);
}
