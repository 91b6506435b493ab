// SPDX-License-Identifier: GPL-2.0
/*
 * stock TRACE.DAT SAMPLES.TSV FACTS.TSV: make samples of wake-ups by timers from events that
 * any kernel has (periods.h). FACTS.TSV gets lines for run.tsv, which count the idle periods by what
 * ended them.
 *
 * Exit status: see dump.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "number.h"
#include "outfile.h"
#include "periods.h"
#include "recording.h"
#include "samples.h"
#include "taint.h"

#define MAX_ROW 512

struct counts {
	uint64_t periods, tainted, by[NR_WAKEUPS];
};

struct job {
	const char *input;
	const char *samples;
	const char *facts;
};

static char *put_time(char *p, bool there, uint64_t time)
{
	*p++ = '\t';
	if (there)
		return put_u64(p, time);
	*p++ = '-';
	return p;
}

static char *put_difference(char *p, bool there, uint64_t later, uint64_t earlier)
{
	*p++ = '\t';
	if (there)
		return put_s64(p, (int64_t)(later - earlier));
	*p++ = '-';
	return p;
}

static void write_row(struct outfile *out, const struct period *period)
{
	bool off = !period->irqs_on, has_tintr = period->tintr;
	uint64_t ltime = period->ltime;
	char *p = outfile_reserve(out, MAX_ROW);

	p = put_text(p, "1\t");
	p = put_u64(p, period->cpu);
	p = put_text(p, "\tstock\t");
	p = put_u64(p, period->state);
	p = put_time(p, true, period->nr);
	p = put_difference(p, true, ltime, period->armed);
	p = put_time(p, true, ltime);
	p = put_time(p, true, period->enter);
	p = put_time(p, off, period->exit);
	p = put_time(p, has_tintr, period->tintr);
	p = put_difference(p, true, ltime, period->enter);
	p = put_difference(p, off, period->exit, ltime);
	p = put_difference(p, has_tintr, period->tintr, ltime);
	p = put_text(p, off ? "\t0\t" : "\t1\t");
	p = put_taint(p, period->taint);
	p = put_text(p, "\t-\t-\t-\n");
	outfile_commit(out, p);
}

static void fact(struct outfile *out, const char *key, uint64_t value)
{
	char *p = outfile_reserve(out, MAX_ROW);

	p = put_text(p, key);
	p = put_time(p, true, value);
	*p++ = '\n';
	outfile_commit(out, p);
}

static void cpu_fact(struct outfile *out, int cpu, const char *name, uint64_t value)
{
	char *key = xprintf("run.1.cpu%d.%s", cpu, name);

	fact(out, key, value);
	free(key);
}

static void write_facts(struct outfile *out, const struct trace *trace,
			const struct periods *periods, const struct counts *counts)
{
	static const char *const names[NR_WAKEUPS] = {
		"samples", "late", "unknown_timer", "other_clock", "other_wakeups",
	};

	fact(out, "lost_overrun", trace->lost + trace->lost_more);
	fact(out, "cut_periods", periods->cut);
	fact(out, "irqs_recorded", periods->irqs);
	for (int cpu = 0; cpu < periods->nr_cpus; cpu++) {
		if (!counts[cpu].periods)
			continue;
		cpu_fact(out, cpu, "idle_periods", counts[cpu].periods);
		for (int i = 0; i < NR_WAKEUPS; i++)
			cpu_fact(out, cpu, names[i], counts[cpu].by[i]);
		cpu_fact(out, cpu, "tainted", counts[cpu].tainted);
	}
}

static uint64_t write_samples(struct outfile *out, struct periods *periods, struct counts *counts)
{
	uint64_t nr_periods = 0, nr_samples = 0;
	struct period period;
	char *p = outfile_reserve(out, sizeof(SAMPLES_HEADER));

	outfile_commit(out, put_text(p, SAMPLES_HEADER));
	while (periods_next(periods, &period)) {
		struct counts *count = &counts[period.cpu];

		nr_periods++;
		count->periods++;
		count->by[period.wakeup]++;
		if (period.wakeup != WAKEUP_TIMER)
			continue;
		count->tainted += period.taint != 0;
		write_row(out, &period);
		nr_samples++;
	}
	if (!nr_periods)
		die("%s: no complete idle period in this recording", periods->input);
	if (!nr_samples)
		die("%s: none of the %" PRIu64 " idle periods was ended by a timer whose start is recorded", periods->input, nr_periods);
	return nr_samples;
}

static int stock(void *arg)
{
	static struct outfile samples, facts;
	const struct job *job = arg;
	struct periods periods;
	struct counts *counts;
	struct trace trace;
	uint64_t nr;
	char *lost;

	trace_open(&trace, job->input);
	periods_open(&periods, &trace, job->input, true, NULL);
	counts = xrealloc(NULL, periods.nr_cpus, sizeof(*counts));
	memset(counts, 0, periods.nr_cpus * sizeof(*counts));
	outfile_begin(&samples, job->samples);
	nr = write_samples(&samples, &periods, counts);
	outfile_close(&samples);
	outfile_begin(&facts, job->facts);
	write_facts(&facts, &trace, &periods, counts);
	outfile_close(&facts);

	lost = trace_losses(&trace);
	if (!lost)
		return 0;
	message("%s: %s; the %" PRIu64 " samples outside these gaps are written", job->input,
		lost, nr);
	return STATUS_INCOMPLETE;
}

int main(int argc, char **argv)
{
	const char *outputs[3] = { 0 };
	struct job job;

	message_init("wakelat dump");
	if (argc != 4)
		die("usage: stock TRACE.DAT SAMPLES.TSV FACTS.TSV");
	job.input = argv[1];
	job.samples = outputs[0] = argv[2];
	job.facts = outputs[1] = argv[3];
	return recording_convert(job.input, outputs, stock, &job);
}
