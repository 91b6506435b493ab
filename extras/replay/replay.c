// SPDX-License-Identifier: GPL-2.0
/*
 * replay [-l LIMIT_NS] [-p PERIODS.TSV] -t TABLE INPUT OUTPUT.TSV NAME=GOVERNOR.so[@TABLE[@LIMIT_NS]]...: replay governors
 * over a recording. The first one is the recorded governor. TABLE: see choose.h.
 *
 * OUTPUT.TSV has rows of these kinds, by the column `kind`: agreement, missing, ended, recorded, uncertain, predicted. Exit status: see
 * recording.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "predict.h"
#include "recording.h"
#include "seal.h"

struct job {
	const char *input, *output, *periods, *table;
	char **variants;
	int nr_variants;
	int64_t limit;
};

static struct outfile out, periods;

static void row(const char *kind, const char *variant, const char *name, const uint64_t *values, int nr)
{
	char *p = outfile_reserve(&out, 1024);

	p = put_text(p, kind);
	*p++ = '\t';
	p = put_text(p, variant);
	*p++ = '\t';
	p = put_text(p, name);
	for (int i = 0; i < 5; i++) {
		*p++ = '\t';
		p = i < nr ? put_u64(p, values[i]) : put_text(p, "-");
	}
	*p++ = '\n';
	outfile_commit(&out, p);
}

static void rows_of_shares(const char *kind, const struct variant *variant, const struct shares *shares)
{
	for (int i = 0; i < variant->driver.state_count; i++)
		row(kind, variant->name, variant->driver.states[i].name, (uint64_t []) {
			shares->n[i], shares->all, shares->too_deep[i], shares->too_shallow[i],
			shares->n[i] ? shares->latency[i] / shares->n[i] : 0 }, shares->n[i] ? 5 : 4);
}

/* Load NAME=FILE[@TABLE[@LIMIT_NS]]. */
static void load(struct variant *variant, char *text, const char *table)
{
	char *file = strchr(text, '='), *at;
	int64_t limit = -1;

	if (!file)
		die("'%s' is not NAME=FILE", text);
	*file++ = 0;
	at = strchr(file, '@');
	if (at) {
		char *second = strchr(at + 1, '@');

		*at = 0;
		if (second) {
			*second++ = 0;
			if (!parse_s64(second, second + strlen(second), &limit))
				die("'%s' is not a limit in ns", second);
		}
		if (at[1])
			table = at + 1;
	}
	variant_load(variant, text, file, table, limit);
}

static int replay(void *arg)
{
	static const char header[] = "kind\tvariant\tname\tn\tall\ttoo_deep\ttoo_shallow\tlatency_mean_ns\n";
	static const char *const ended[NR_ENDED] = { "unknown", "timer", "tick", "device", "busy-cpu", "cpu" };
	struct variant *variant = xrealloc(NULL, 1, sizeof(*variant));
	const struct job *job = arg;
	struct agreement agreement;
	struct latencies latencies;
	struct inputs inputs;
	struct shares shares;
	struct ends ends;
	const char *file;

	outfile_begin(&out, job->output);
	outfile_commit(&out, put_text(outfile_reserve(&out, sizeof(header)), header));
	inputs_read(&inputs, job->input, job->limit);
	if (!inputs.nr)
		die("%s: no complete idle period after the start of the governor", job->input);
	if (job->periods)
		outfile_begin(&periods, job->periods);
	file = strchr(job->variants[0], '=');
	if (!file)
		die("'%s' is not NAME=FILE", job->variants[0]);
	seal(file + 1);
	load(variant, job->variants[0], job->table);
	if (inputs.governor && strcmp(inputs.governor, variant->governor->governor->name))
		die("%s: recorded with governor %s, not %s", job->input, inputs.governor,
		    variant->governor->governor->name);
	explain(&inputs, variant, job->periods ? &periods : NULL, &agreement);
	for (int i = 0; i < NR_CAUSES; i++)
		row("agreement", variant->name, cause_names[i], (uint64_t []) { agreement.causes[i], agreement.n }, 2);
	row("agreement", variant->name, "start", (uint64_t []) { !!inputs.governor, 1 }, 2);
	for (int i = 0; i < inputs.nr_missing; i++)
		row("missing", variant->name, inputs.missing[i], NULL, 0);
	if (!inputs.functions)
		row("missing", variant->name, "function", NULL, 0);
	row("agreement", variant->name, "refused", (uint64_t []) { inputs.refused, agreement.n }, 2);
	ends_count(&ends, &inputs);
	for (int i = 0; i < NR_ENDED; i++)
		row("ended", variant->name, ended[i], (uint64_t []) { ends.n[i], ends.all }, 2);
	recorded_shares(&inputs, variant, &shares);
	rows_of_shares("recorded", variant, &shares);
	latencies_read(&latencies, &inputs);
	for (int i = 0; i < job->nr_variants; i++) {
		if (i)
			load(variant, job->variants[i], job->table);
		predict(&inputs, &latencies, variant, &shares);
		row("uncertain", variant->name, "period", (uint64_t []) { shares.uncertain, shares.all }, 2);
		rows_of_shares("predicted", variant, &shares);
	}
	outfile_close(&out);
	if (!inputs.lost)
		return 0;
	message("%s: %s", job->input, inputs.lost);
	return STATUS_INCOMPLETE;
}

int main(int argc, char **argv)
{
	struct job job = { .limit = INT32_MAX * 1000LL };
	const char *outputs[3] = { 0 };
	int opt;

	message_init("wakelat replay");
	while ((opt = getopt(argc, argv, "l:p:t:")) != -1) {
		if (opt == 'p')
			job.periods = optarg;
		else if (opt == 't')
			job.table = optarg;
		else if (opt != 'l' || !parse_s64(optarg, optarg + strlen(optarg), &job.limit))
			optind = argc;
	}
	if (optind + 3 > argc || !job.table)
		die("usage: replay [-l LIMIT_NS] [-p PERIODS.TSV] -t TABLE INPUT OUTPUT.TSV NAME=GOVERNOR.so[@TABLE[@LIMIT_NS]]...");
	job.input = argv[optind];
	job.output = outputs[0] = argv[optind + 1];
	outputs[1] = job.periods;
	job.variants = argv + optind + 2;
	job.nr_variants = argc - optind - 2;
	return recording_convert(job.input, outputs, replay, &job);
}
