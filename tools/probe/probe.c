// SPDX-License-Identifier: GPL-2.0
/*
 * probe [OPTION]... SAMPLES.TSV FACTS.TSV: measure wake-up latencies on an unpatched kernel, by BPF.
 *
 *	-s SOURCE	timer, passive or wake
 *	-c CPU,...	CPUs to measure
 *	-H CPU,...	CPUs on which the rest of this program runs; default: any
 *	-w CPU		source wake: the CPU that wakes the others; -1: make no events, record all wake-ups
 *	-l MIN:MAX	launch distance, ns
 *	-S SEED
 *	-n SAMPLES	end after this many untainted samples of each CPU; 0: no limit
 *	-T SECONDS	0: no limit
 *	-N NAME		name of the next idle state, in the order of states; a state named POLL is a loop
 *	-L US		hold /dev/cpu_dma_latency at this limit
 *	-V FD		live view on this terminal
 *	-t TEXT		first line of the live view
 *	-E FILE		write OpenMetrics to this file every -e SECONDS, and no samples to SAMPLES.TSV
 *	-A NS		print a line to stderr when a wake-up takes longer than NS
 *	-M NAME		kind of machine, for -E: bare, guest, emulated
 *	-X NS		write to SAMPLES.TSV, in the format of outliers.tsv, only samples that took longer than NS, with
 *			the events around them
 *	-O		with -X: end after the first untainted sample that took longer
 *	-C		let the kernel measure what the BPF programs cost
 *	-K		only check whether the kernel accepts the BPF programs; both files may be /dev/null
 *
 * Writes SAMPLES.TSV, and lines of run.tsv to FACTS.TSV. SIGINT, SIGTERM or SIGHUP end it early, with complete files.
 * Changes in the kernel are undone when the process ends, also if it is killed.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bpf-load.h"
#include "measuring.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "probe-bpf.h"
#include "probe-events.h"
#include "probe-export.h"
#include "live.h"
#include "probe-outlier.h"
#include "samples.h"
#include "taint.h"

#define MAX_ROW 512
#define READ_NS 250000000ULL	/* how often the buffer is emptied */
#define DRAW_NS 1000000000ULL
#define QUIET_NS 5000000000ULL	/* end with an error if a CPU was not idle once in this time */
#define BUFFER_PER_CPU (1UL << 20)
#define BUFFER_MOST (64UL << 20)

static const char *const source_names[] = { "timer", "passive", "wake" };

struct run {
	enum probe_source source;
	int cpus[PROBE_MAX_CPUS], nr_cpus;
	int helpers[PROBE_MAX_CPUS], nr_helpers;
	int waker;
	struct distances distances;
	uint64_t samples, seconds;
	char *names[PROBE_MAX_STATES];
	unsigned int nr_names;
	__u32 polling;
	int latency_limit;	/* us, -1: none */
	int view;		/* -1: none */
	const char *note;
	struct export export;	/* no file: none */
	uint64_t every_s;
	uint64_t threshold;	/* ns, 0: none */
	bool stop_at_first;
	bool cost;
	bool check;
};

static struct run run = {
	.waker = -1, .latency_limit = -1, .view = -1, .every_s = 15,
	.distances = { .min = 50000, .max = 8000000, .seed = 1 },
};

static struct outfile rows;
static struct probe_counts written[PROBE_MAX_CPUS];
static uint64_t outliers;
static bool first_seen;

static char *put_time(char *p, uint64_t time)
{
	*p++ = '\t';
	if (time)
		return put_u64(p, time);
	*p++ = '-';
	return p;
}

static char *put_difference(char *p, uint64_t later, uint64_t earlier)
{
	*p++ = '\t';
	if (later && earlier)
		return put_s64(p, (int64_t)(later - earlier));
	*p++ = '-';
	return p;
}

static char *put_number(char *p, uint64_t number)
{
	*p++ = '\t';
	return put_u64(p, number);
}

static void write_header(void)
{
	char *p = outfile_reserve(&rows, sizeof(SAMPLES_HEADER) + 64);

	p = put_text(p, SAMPLES_HEADER);
	if (run.source == PROBE_WAKE)
		p = put_text(p - 1, "\twaker_cpu\tipi\tsent_delay\tsent_latency\n");
	outfile_commit(&rows, p);
}

static void write_row(const struct probe_record *r)
{
	uint64_t tai = r->irqs_on ? 0 : r->exit;
	char *p = outfile_reserve(&rows, MAX_ROW);

	p = put_text(p, "1");
	p = put_number(p, r->cpu);
	*p++ = '\t';
	p = put_text(p, source_names[run.source]);
	p = put_number(p, r->state);
	p = put_number(p, r->seq);
	p = put_difference(p, r->ltime, r->armed);
	p = put_time(p, r->ltime);
	p = put_time(p, r->enter);
	p = put_time(p, tai);
	p = put_time(p, r->tintr);
	p = put_difference(p, r->ltime, r->enter);
	p = put_difference(p, tai, r->ltime);
	p = put_difference(p, r->tintr, r->ltime);
	p = put_number(p, r->irqs_on);
	*p++ = '\t';
	p = put_taint(p, r->taint);
	p = put_text(p, "\t-\t-\t-");
	if (run.source == PROBE_WAKE) {
		p = put_number(p, r->waker);
		p = put_number(p, r->how == PROBE_SENT_IPI);
		p = put_difference(p, r->sent, r->ltime);
		p = put_difference(p, r->irqs_on ? r->tintr : r->exit, r->sent);
	}
	*p++ = '\n';
	outfile_commit(&rows, p);
}

static void take_record(const struct probe_record *r)
{
	struct probe_counts *count = &written[r->cpu];

	/* Ignore an event that was already armed when the CPU had enough samples. */
	if (run.samples && count->samples - count->tainted >= run.samples)
		return;
	count->samples++;
	count->tainted += r->taint != 0;
	write_row(r);
	if (run.view >= 0)
		live_record(r, probe_latency(r));
}

/* Return true if samples are only counted in the kernel, not read here. */
static bool only_counted(void)
{
	return run.export.file || run.threshold;
}

/* Return the kernel's counts of CPU if samples are only counted there, else the counts of the samples written. */
static const struct probe_counts *taken(int cpu)
{
	return only_counted() ? probe_counts(cpu) : &written[cpu];
}

static void take_outlier(const struct probe_outlier *outlier)
{
	const struct probe_record *r = &outlier->record;
	char words[256];

	/* Ignore further outliers in the buffer. */
	if (run.stop_at_first && first_seen)
		return;
	outlier_write(&rows, outlier, ++outliers);
	first_seen |= !r->taint;
	if (run.view < 0)
		return;
	outlier_words(outlier, words, sizeof(words));
	live_outlier(r, outliers, probe_latency(r), words);
}

static void move_to(const int *list, int nr)
{
	size_t size = CPU_ALLOC_SIZE(PROBE_MAX_CPUS);
	cpu_set_t *set = CPU_ALLOC(PROBE_MAX_CPUS);

	if (!set)
		die("out of memory");
	CPU_ZERO_S(size, set);
	for (int i = 0; i < nr; i++)
		CPU_SET_S(list[i], size, set);
	if (nr && sched_setaffinity(0, size, set))
		die("cannot move this process away from the measured CPU: %s; allow it another CPU",
		    strerror(errno));
	CPU_FREE(set);
}

static void load(void)
{
	size_t buffer = BUFFER_PER_CPU;
	struct probe_setup setup = {
		.source = run.source, .polling_states = run.polling, .own_wakeups = run.waker >= 0,
		.emit = !only_counted(), .histograms = only_counted() || run.view >= 0,
		.threshold = run.threshold, .cpus = run.cpus, .nr_cpus = run.nr_cpus,
	};

	while (buffer < BUFFER_PER_CPU * run.nr_cpus && buffer < BUFFER_MOST)
		buffer *= 2;
	setup.buffer = buffer;
	probe_open(&setup, take_record, take_outlier);
	if (run.cost && !bpf_cost_begin())
		die("the kernel cannot time BPF programs (BPF statistics): %s", strerror(errno));
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

		if (count->samples - count->tainted < run.samples)
			return false;
	}
	return true;
}

static void check_idle(uint64_t elapsed)
{
	static bool checked;

	if (checked || elapsed < QUIET_NS)
		return;
	checked = true;
	for (int i = 0; i < run.nr_cpus; i++)
		if (!probe_counts(run.cpus[i])->periods)
			die("CPU %d was not idle once in %d s: what keeps it busy (top)? "
			    "or was the kernel booted with idle=poll or nohlt?", run.cpus[i],
			    (int)(elapsed / 1000000000));
}

static void draw(uint64_t elapsed)
{
	uint64_t samples = 0, tainted = 0, lost = 0;
	char limit[64] = "";
	char *head;

	for (int i = 0; i < run.nr_cpus; i++) {
		samples += taken(run.cpus[i])->samples;
		tainted += taken(run.cpus[i])->tainted;
		lost += probe_counts(run.cpus[i])->lost;
	}
	if (run.seconds)
		snprintf(limit, sizeof(limit), " of %" PRIu64, run.seconds);
	head = xprintf("source %s, CPU %d%s: %d%s s, %" PRIu64 " samples (%" PRIu64 " tainted, %" PRIu64
		       " lost). Ctrl-C ends it.", source_names[run.source], run.cpus[0],
		       run.nr_cpus > 1 ? " and others" : "", (int)(elapsed / 1000000000), limit, samples,
		       tainted, lost);
	live_draw(head);
	free(head);
}

/* Write the OpenMetrics file if it is due, and print new alarms. */
static void export(uint64_t elapsed, bool last)
{
	static uint64_t written_at, alarms;
	uint64_t now;

	if (!run.export.file || (!last && elapsed - written_at < run.every_s * 1000000000))
		return;
	written_at = elapsed;
	now = export_write(&run.export, elapsed);
	if (now > alarms)
		message("alarm: %" PRIu64 " wake-ups took longer than %" PRIu64 " ns", now - alarms,
			run.export.alarm_ns);
	alarms = now;
}

/* Return why the measurement ended. */
static const char *measure(void)
{
	uint64_t start = clock_ns(CLOCK_MONOTONIC), drawn = 0;
	const char *reason = NULL;

	while (!reason) {
		struct timespec pause = { .tv_nsec = READ_NS };
		uint64_t elapsed;

		nanosleep(&pause, NULL);
		probe_read();
		elapsed = clock_ns(CLOCK_MONOTONIC) - start;
		check_idle(elapsed);
		export(elapsed, false);
		if (run.view >= 0 && elapsed - drawn >= DRAW_NS) {
			draw(elapsed);
			drawn = elapsed;
		}
		if (all_have_enough())
			reason = "samples";
		else if (run.seconds && elapsed >= run.seconds * 1000000000)
			reason = "duration";
		else if (run.stop_at_first && first_seen)
			reason = "threshold";
		else if (stopped)
			reason = "stopped";
	}
	export(clock_ns(CLOCK_MONOTONIC) - start, true);
	return reason;
}

static void cpu_fact(FILE *out, int cpu, const char *name, uint64_t value)
{
	fprintf(out, "run.1.cpu%d.%s\t%" PRIu64 "\n", cpu, name, value);
}

static void cpu_facts(FILE *out, int cpu)
{
	const struct probe_counts *count = probe_counts(cpu);
	uint64_t armed = probe_own(cpu)->seq;
	/* Samples that came after the CPU had enough of them. */
	uint64_t surplus = only_counted() ? 0 : count->samples - written[cpu].samples - count->lost;

	if (run.source == PROBE_TIMER || (run.source == PROBE_WAKE && run.waker >= 0)) {
		cpu_fact(out, cpu, "armed", armed);
		cpu_fact(out, cpu, "not_idle", armed - count->samples - count->late);
	}
	cpu_fact(out, cpu, "idle_periods", count->periods);
	cpu_fact(out, cpu, "samples", only_counted() ? count->samples : written[cpu].samples + count->lost);
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
	double ns = live_quantile(probe_hist(state), per_mille);

	if (ns >= 0)
		fprintf(out, "state.%u.%s_ns\t%.0f\n", state, name, ns);
}

/* With -X, write the results of the kernel's histograms: most samples are only counted there. */
static void state_facts(FILE *out)
{
	for (unsigned int s = 0; s < PROBE_MAX_STATES && run.threshold; s++) {
		const struct probe_hist *hist = probe_hist(s);
		uint64_t n = probe_hist_n(hist);

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

static void cost_facts(FILE *out)
{
	uint64_t periods = 0;
	__u64 runs, ns;

	if (!run.cost)
		return;
	for (int i = 0; i < run.nr_cpus; i++)
		periods += probe_counts(run.cpus[i])->periods;
	probe_cost(out, &runs, &ns);
	fprintf(out, "bpf_runs\t%" PRIu64 "\nbpf_ns\t%" PRIu64 "\nbpf_ns_per_period\t%" PRIu64 "\n",
		(uint64_t)runs, (uint64_t)ns, periods ? (uint64_t)ns / periods : 0);
}

static void write_facts(const char *name, const char *reason, uint64_t elapsed)
{
	FILE *out = outfile_stream(name);
	uint64_t lost = 0;

	for (int i = 0; i < run.nr_cpus; i++) {
		cpu_facts(out, run.cpus[i]);
		lost += probe_counts(run.cpus[i])->lost;
	}
	fprintf(out, "run.1.reason\t%s\nlost_overrun\t%" PRIu64 "\n", reason, lost);
	fprintf(out, "elapsed_ns\t%" PRIu64 "\n", elapsed);
	/* The CPU time of this thread, which runs on CPUs that are not measured. */
	fprintf(out, "reader_cpu_ns\t%" PRIu64 "\n", clock_ns(CLOCK_THREAD_CPUTIME_ID));
	if (probe_missing())
		fprintf(out, "missing_tracepoints\t%s\n", probe_missing());
	state_facts(out);
	cost_facts(out);
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

static uint64_t take_number(const char *text, char **end)
{
	uint64_t value;

	errno = 0;
	value = strtoull(text, end, 10);
	if (errno || *end == text)
		die("'%s' is not a number", text);
	return value;
}

static void take_name(char *name)
{
	if (run.nr_names == PROBE_MAX_STATES)
		return;
	if (!strcmp(name, "POLL"))
		run.polling |= 1U << run.nr_names;
	run.names[run.nr_names++] = name;
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
	char *end;
	int opt;

	while ((opt = getopt(argc, argv, "s:c:H:w:l:S:n:T:N:L:V:t:E:e:A:M:CX:OK")) != -1) {
		switch (opt) {
		case 's': take_source(optarg); break;
		case 'c': run.nr_cpus = take_cpus(optarg, run.cpus); break;
		case 'H': run.nr_helpers = take_cpus(optarg, run.helpers); break;
		case 'w': run.waker = atoi(optarg); break;
		case 'l':
			run.distances.min = take_number(optarg, &end);
			run.distances.max = take_number(*end == ':' ? end + 1 : end, &end);
			break;
		case 'S': run.distances.seed = take_number(optarg, &end); break;
		case 'n': run.samples = take_number(optarg, &end); break;
		case 'T': run.seconds = take_number(optarg, &end); break;
		case 'N': take_name(optarg); break;
		case 'L': run.latency_limit = take_number(optarg, &end); break;
		case 'V': run.view = take_number(optarg, &end); break;
		case 't': run.note = optarg; break;
		case 'E': run.export.file = optarg; break;
		case 'e': run.every_s = take_number(optarg, &end); break;
		case 'A': run.export.alarm_ns = take_number(optarg, &end); break;
		case 'M': run.export.machine = optarg; break;
		case 'X': run.threshold = take_number(optarg, &end); break;
		case 'O': run.stop_at_first = true; break;
		case 'C': run.cost = true; break;
		case 'K': run.check = true; break;
		default: exit(2);
		}
	}
	if (optind + 2 != argc || !run.nr_cpus || run.distances.max < run.distances.min)
		die("usage: probe -c CPUS [OPTION]... SAMPLES.TSV FACTS.TSV");
	run.export.source = source_names[run.source];
	run.export.names = run.names;
	run.export.nr_names = run.nr_names;
	run.export.cpus = run.cpus;
	run.export.nr_cpus = run.nr_cpus;
}

int main(int argc, char **argv)
{
	uint64_t start;
	const char *reason;

	message_init("wakelat probe");
	take_options(argc, argv);
	if (run.check) {
		load();
		probe_close();
		return 0;
	}
	catch_signals();
	move_to(run.helpers, run.nr_helpers);
	outfile_open(&rows, argv[optind]);
	if (run.threshold)
		outlier_header(&rows);
	else
		write_header();
	if (run.view >= 0) {
		live_begin(run.view, run.note, run.names, run.nr_names, probe_hist);
		message_at_death(live_end);
	}
	hold_latency(run.latency_limit);
	begin();
	start = clock_ns(CLOCK_MONOTONIC);
	reason = measure();
	events_end();
	probe_read();
	live_end();
	outfile_close(&rows);
	write_facts(argv[optind + 1], reason, clock_ns(CLOCK_MONOTONIC) - start);
	probe_close();
	return 0;
}
