// SPDX-License-Identifier: GPL-2.0
/*
 * probe [OPTION]... SAMPLES.TSV FACTS.TSV: measure wake-up latencies on an unpatched kernel, by
 * BPF.
 *
 *	-s SOURCE	timer, passive or wake
 *	-c CPU,...	CPUs to measure
 *	-H CPU,...	CPUs on which the rest of this program runs; default: any
 *	-w CPU		source wake: the CPU that wakes the others; -1: make no events, record all wake-ups
 *	-l MIN:MAX	launch distance, ns
 *	-S SEED
 *	-n SAMPLES	end after this many untainted samples of each CPU; 0: no limit
 *	-A NS		print a line to stderr when a wake-up takes longer than NS
 *	-X NS		write to SAMPLES.TSV, in the format of outliers.tsv, only samples that took longer than NS, with
 *			the events around them
 *	-O		with -X: end after the first untainted sample that took longer
 *
 * options.h has the other options. With -E, SAMPLES.TSV gets no samples. FACTS.TSV gets lines of
 * run.tsv. SIGINT, SIGTERM or SIGHUP end the program early, with complete files. Changes in the
 * kernel are undone when the process ends, also if it is killed.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "bpf-load.h"
#include "foreign.h"
#include "hist.h"
#include "live.h"
#include "measuring.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "probe-bpf.h"
#include "probe-events.h"
#include "probe-export.h"
#include "probe-outlier.h"
#include "probe-samples.h"

#define QUIET_NS 5000000000ULL	/* a CPU that was not idle once in this time counts as busy */
#define BUFFER_PER_CPU (1UL << 20)
#define BUFFER_MOST (64UL << 20)

static struct {
	enum probe_source source;
	int cpus[PROBE_MAX_CPUS], nr_cpus;
	int helpers[PROBE_MAX_CPUS], nr_helpers;
	int waker;
	struct distances distances;
	uint64_t samples;
	uint64_t alarm;		/* ns, 0: none */
	uint64_t threshold;	/* ns, 0: none */
	bool stop_at_first;
} run = { .waker = -1, .distances = { .min = 50000, .max = 8000000, .seed = 1 } };

static struct outfile rows;
static struct probe_counts written[PROBE_MAX_CPUS];
static uint64_t outliers;
static bool checked_idle;
static bool first_seen;

/* Return the kernel's counts of CPU. */
static const struct probe_counts *counts_of(int cpu)
{
	return &probe_cpu(cpu)->counts;
}

static int take_record(void *unused, void *data, size_t size)
{
	const struct probe_record *r = data;
	struct probe_counts *count = &written[r->cpu];

	(void)unused;
	/* Ignore an event that was already armed when the CPU had enough samples. */
	if (size < sizeof(*r) || (run.samples && count->samples - count->tainted >= run.samples))
		return 0;
	count->samples++;
	count->tainted += r->taint != 0;
	if (r->taint && r->vector)
		foreign_count(r->vector);
	samples_write(&rows, run.source, r);
	if (options.view >= 0)
		live_record(r);
	return 0;
}

/* Return true if samples are only counted in the kernel, not read here. */
static bool only_counted(void)
{
	return options.export || run.threshold;
}

/* Return the kernel's counts of CPU if samples are only counted there, else the counts of the samples written. */
static const struct probe_counts *taken(int cpu)
{
	return only_counted() ? counts_of(cpu) : &written[cpu];
}

static int take_outlier(void *unused, void *data, size_t size)
{
	const struct probe_outlier *outlier = data;
	const struct probe_record *r = &outlier->record;
	char words[256];

	(void)unused;
	/* Ignore further outliers in the buffer. */
	if (size < sizeof(*outlier) || (run.stop_at_first && first_seen))
		return 0;
	outlier_write(&rows, outlier, ++outliers);
	first_seen |= !r->taint;
	if (options.view < 0)
		return 0;
	outlier_words(outlier, words, sizeof(words));
	live_say("latest sample above the threshold (number %" PRIu64 "): %.1f us, CPU %u, %s%s%s", outliers,
		 probe_latency(r) / 1000.0, r->cpu, state_name(r->state),
		 r->taint ? ", tainted" : "", words);
	return 0;
}

static void move_to(const int *list, int nr)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int i = 0; i < nr; i++)
		CPU_SET(list[i], &set);
	if (nr && sched_setaffinity(0, sizeof(set), &set))
		die("cannot move this process away from the measured CPU: %s; allow it another CPU",
		    strerror(errno));
}

static void load(void)
{
	struct probe_setup setup = {
		.source = run.source, .own_wakeups = run.waker >= 0,
		.emit = !only_counted(), .histograms = only_counted() || options.view >= 0,
		.threshold = run.threshold, .buffer = BUFFER_PER_CPU,
		.cpus = run.cpus, .nr_cpus = run.nr_cpus,
	};

	while (setup.buffer < BUFFER_PER_CPU * run.nr_cpus && setup.buffer < BUFFER_MOST)
		setup.buffer *= 2;
	probe_open(&setup, take_record, take_outlier);
}

static void begin(void)
{
	load();
	if (run.source == PROBE_WAKE && run.waker >= 0)
		events_wake(run.cpus, run.nr_cpus, run.waker, &run.distances, run.samples);
	for (int i = 0; i < run.nr_cpus && run.source == PROBE_TIMER; i++)
		events_timer(run.cpus[i], &run.distances, run.samples);
}

static bool all_have_enough(void)
{
	if (!run.samples)
		return false;
	for (int i = 0; i < run.nr_cpus; i++) {
		const struct probe_counts *count = taken(run.cpus[i]);

		/* A busy CPU gets no samples: do not wait for them. */
		if (checked_idle && !counts_of(run.cpus[i])->periods)
			continue;
		if (count->samples - count->tainted < run.samples)
			return false;
	}
	return true;
}

/*
 * Say once which CPUs were not idle. die() if none of them was, except with -E: metrics are written for as long as a host runs,
 * and a CPU that becomes idle later counts from then on.
 */
static void check_idle(uint64_t elapsed)
{
	static const char hint[] = "what keeps it busy (top)? or was the kernel booted with idle=poll or nohlt?";
	int busy = 0;

	if (checked_idle || elapsed < QUIET_NS)
		return;
	checked_idle = true;
	for (int i = 0; i < run.nr_cpus; i++)
		busy += !counts_of(run.cpus[i])->periods;
	for (int i = 0; i < run.nr_cpus; i++) {
		if (counts_of(run.cpus[i])->periods)
			continue;
		if (busy == run.nr_cpus && !options.export)
			die("CPU %d was not idle once in %d s: %s", run.cpus[i], (int)(elapsed / 1000000000), hint);
		message("CPU %d was not idle once in %d s, so it has no samples: %s", run.cpus[i],
			(int)(elapsed / 1000000000), hint);
	}
}

static void draw(uint64_t elapsed)
{
	uint64_t samples = 0, tainted = 0, lost = 0;
	char limit[64] = "";
	char *head;

	for (int i = 0; i < run.nr_cpus; i++) {
		samples += taken(run.cpus[i])->samples;
		tainted += taken(run.cpus[i])->tainted;
		lost += counts_of(run.cpus[i])->lost;
	}
	if (options.seconds)
		snprintf(limit, sizeof(limit), " of %" PRIu64, options.seconds);
	head = xprintf("source %s, CPU %d%s: %d%s s, %" PRIu64 " samples (%" PRIu64 " tainted, %" PRIu64
		       " lost). Ctrl-C ends it.", source_names[run.source], run.cpus[0],
		       run.nr_cpus > 1 ? " and others" : "", (int)(elapsed / 1000000000), limit, samples,
		       tainted, lost);
	live_draw(head);
	free(head);
}

/* Write the OpenMetrics file if it is due, and print new alarms. */
static void write_export(uint64_t elapsed, bool last)
{
	static uint64_t written_at, alarms;
	uint64_t now;

	if (!options.export || !(is_due(&written_at, elapsed, options.every_s * 1000000000) || last))
		return;
	now = export_write(source_names[run.source], run.cpus, run.nr_cpus, run.alarm, elapsed);
	if (now > alarms)
		message("alarm: %" PRIu64 " wake-ups took longer than %" PRIu64 " ns", now - alarms,
			run.alarm);
	alarms = now;
}

/* Return why the measurement ended. */
static const char *measure(void)
{
	uint64_t start = clock_ns(CLOCK_MONOTONIC), drawn = 0;
	const char *reason = NULL;

	while (!reason) {
		uint64_t elapsed;

		sleep_ns(LOOK_NS);
		probe_read();
		elapsed = clock_ns(CLOCK_MONOTONIC) - start;
		check_idle(elapsed);
		write_export(elapsed, false);
		if (options.view >= 0 && is_due(&drawn, elapsed, DRAW_NS))
			draw(elapsed);
		if (all_have_enough())
			reason = "samples";
		else if (options.seconds && elapsed >= options.seconds * 1000000000)
			reason = "duration";
		else if (run.stop_at_first && first_seen)
			reason = "threshold";
		else if (stopped)
			reason = "stopped";
	}
	write_export(clock_ns(CLOCK_MONOTONIC) - start, true);
	return reason;
}

static void cpu_fact(FILE *out, int cpu, const char *name, uint64_t value)
{
	fprintf(out, "run.1.cpu%d.%s\t%" PRIu64 "\n", cpu, name, value);
}

static void cpu_facts(FILE *out, int cpu)
{
	const struct probe_counts *count = counts_of(cpu);
	uint64_t armed = probe_cpu(cpu)->next_own.seq;
	/* Samples that came after the CPU had enough of them. */
	uint64_t surplus = only_counted() ? 0 : count->samples - written[cpu].samples - count->lost;

	if (run.source == PROBE_TIMER || (run.source == PROBE_WAKE && run.waker >= 0)) {
		cpu_fact(out, cpu, "armed", armed);
		cpu_fact(out, cpu, "not_idle", armed - count->samples - count->late);
	}
	cpu_fact(out, cpu, "idle_periods", count->periods);
	cpu_fact(out, cpu, "samples", count->samples - surplus);
	cpu_fact(out, cpu, "tainted", taken(cpu)->tainted);
	if (run.threshold)
		cpu_fact(out, cpu, "beyond", count->beyond);
	cpu_fact(out, cpu, "surplus", surplus);
	cpu_fact(out, cpu, "late", count->late);
	cpu_fact(out, cpu, "other_clock", count->other_clock);
	cpu_fact(out, cpu, "other_wakeups", count->other_wakeups);
}

static void quantile_fact(FILE *out, unsigned int state, const char *name, unsigned int per_mille)
{
	double ns = hist_quantile(probe_hist(state), per_mille);

	if (ns >= 0)
		fprintf(out, "state.%u.%s_ns\t%.0f\n", state, name, ns);
}

/* With -X, write the results of the kernel's histograms: most samples are only counted there. */
static void state_facts(FILE *out)
{
	for (unsigned int s = 0; s < PROBE_MAX_STATES && run.threshold; s++) {
		const struct probe_hist *hist = probe_hist(s);
		uint64_t n = hist_n(hist);

		if (!n && !hist->tainted)
			continue;
		fprintf(out, "state.%u.samples\t%" PRIu64 "\nstate.%u.tainted\t%" PRIu64 "\n", s, n, s,
			(uint64_t)hist->tainted);
		quantile_fact(out, s, "p50", 500);
		quantile_fact(out, s, "p99", 990);
		quantile_fact(out, s, "p99.9", 999);
		if (n)
			fprintf(out, "state.%u.max_ns\t%" PRIu64 "\n", s, (uint64_t)hist->max);
	}
	if (run.threshold)
		fprintf(out, "threshold_ns\t%" PRIu64 "\noutliers\t%" PRIu64 "\n", run.threshold, outliers);
}

static void write_facts(const char *name, const char *reason, uint64_t elapsed)
{
	FILE *out = outfile_stream(name);
	uint64_t lost = 0, periods = 0;

	for (int i = 0; i < run.nr_cpus; i++) {
		cpu_facts(out, run.cpus[i]);
		lost += counts_of(run.cpus[i])->lost;
		periods += counts_of(run.cpus[i])->periods;
	}
	fprintf(out, "run.1.reason\t%s\nlost_overrun\t%" PRIu64 "\n", reason, lost);
	fprintf(out, "elapsed_ns\t%" PRIu64 "\n", elapsed);
	/* The CPU time of this thread, which runs on CPUs that are not measured. */
	fprintf(out, "reader_cpu_ns\t%" PRIu64 "\n", clock_ns(CLOCK_THREAD_CPUTIME_ID));
	foreign_fact(out);
	if (probe_missing())
		fprintf(out, "missing_tracepoints\t%s\n", probe_missing());
	state_facts(out);
	bpf_cost_facts(out, periods);
	outfile_close_stream(out, name);
}

static int take_cpus(const char *text, int *list)
{
	int nr = 0;

	while (*text) {
		char *end;
		long cpu = strtol(text, &end, 10);

		if (end == text || cpu < 0 || cpu >= PROBE_MAX_CPUS || (*end && *end != ','))
			die("'%s' is not a list of CPUs below %d", text, PROBE_MAX_CPUS);
		list[nr++] = cpu;
		text = *end ? end + 1 : end;
		if (nr == PROBE_MAX_CPUS)
			break;
	}
	return nr;
}

static void take_source(const char *name)
{
	for (int i = 0; i < PROBE_NR_SOURCES; i++)
		if (!strcmp(name, source_names[i])) {
			run.source = i;
			return;
		}
	die("no source '%s'", name);
}

static void take_options(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "s:c:H:w:l:S:n:A:X:O" COMMON_OPTIONS)) != -1) {
		switch (opt) {
		case 's': take_source(optarg); break;
		case 'c': run.nr_cpus = take_cpus(optarg, run.cpus); break;
		case 'H': run.nr_helpers = take_cpus(optarg, run.helpers); break;
		case 'w': run.waker = atoi(optarg); break;
		case 'l':
			if (sscanf(optarg, "%" SCNu64 ":%" SCNu64, &run.distances.min,
				   &run.distances.max) != 2)
				die("'%s' is not MIN:MAX", optarg);
			break;
		case 'S': run.distances.seed = take_number(optarg); break;
		case 'n': run.samples = take_number(optarg); break;
		case 'A': run.alarm = take_number(optarg); break;
		case 'X': run.threshold = take_number(optarg); break;
		case 'O': run.stop_at_first = true; break;
		default: take_common_option(opt, optarg);
		}
	}
	if (optind + 2 != argc || !run.nr_cpus || run.distances.max < run.distances.min)
		die("usage: probe -c CPUS [OPTION]... SAMPLES.TSV FACTS.TSV");
}

int main(int argc, char **argv)
{
	uint64_t start;
	const char *reason;

	message_init("wakelat probe");
	take_options(argc, argv);
	if (options.check) {
		load();
		return 0;
	}
	catch_signals();
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	move_to(run.helpers, run.nr_helpers);
	outfile_open(&rows, argv[optind]);
	if (run.threshold)
		outlier_header(&rows);
	else
		samples_header(&rows, run.source);
	hold_latency(options.latency_limit);
	begin();
	if (options.view >= 0) {
		live_begin(options.view, false, options.note, probe_hist(0));
		message_at_death(live_end);
	}
	start = clock_ns(CLOCK_MONOTONIC);
	reason = measure();
	events_end();
	probe_read();
	live_end();
	outfile_close(&rows);
	write_facts(argv[optind + 1], reason, clock_ns(CLOCK_MONOTONIC) - start);
	return 0;
}
