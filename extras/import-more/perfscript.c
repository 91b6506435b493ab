// SPDX-License-Identifier: GPL-2.0
/*
 * perfscript -k INPUT: exit with 0 if the first 64 KB have such a line, else with 1.
 * perfscript [-s wake|passive] INPUT SAMPLES.TSV FACTS.TSV: make samples from the text that `perf script`, `trace-cmd
 * report` or the kernel's trace file prints. INPUT must have events power:cpu_idle. It must also have sched:sched_waking (source wake), or timer:hrtimer_start
 * and timer:hrtimer_expire_entry (source passive). Recorded interrupts (irq_vectors, irq:irq_handler_entry) taint
 * samples. FACTS.TSV gets lines for run.tsv. A sentence on stdout says how many samples there are.
 * The lines of INPUT need not be in order of time, so INPUT may be the concatenated texts of several recordings with the
 * same clock.
 * Where INPUT says that events were lost, no idle period becomes a sample.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hrtimers.h"
#include "line.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "samples.h"
#include "taint.h"
#include "textevent.h"

/* As in periods.c. */
#define RELATED_NS 10000
#define GREATEST_DELAY_NS 1000000
#define LEAST_DELAY_NS 20000

struct cpu {
	bool open, exited;
	uint32_t state;
	uint64_t nr, enter, exit, tintr;
	uint64_t waking;	/* when another CPU woke a task on it; 0: none did */
	uint64_t armed;
	int64_t expires;
	bool timer, foreign, other_timer;
};

static const char *input;
static uint64_t line_nr;
static struct cpu *cpus;
static struct hrtimers timers;
static FILE *out;
static bool want_wake = true, want_passive = true;
static uint64_t nr_wake, nr_passive, nr_tainted, nr_periods, nr_late, nr_events, nr_expired;
static int64_t least_delay = INT64_MAX;
static bool coarse, irqs_seen;

/* Events can be missing between two times. The gaps are in order, and do not overlap. */
struct gap {
	uint64_t from, to;
};

static struct gap *gaps;
static size_t nr_gaps;
static uint64_t nr_lost, nr_overwritten, nr_cut;
static bool lost_uncounted, losses_known;

static bool is(const struct text_event *event, const char *name)
{
	return strlen(name) == event->name_len && !memcmp(event->name, name, event->name_len);
}

static bool ends_in(const struct text_event *event, const char *end)
{
	size_t len = strlen(end);

	return event->name_len > len && !memcmp(event->name + event->name_len - len, end, len);
}

/*
 * Read the VALUE of the last " KEY=VALUE". An earlier match can be part of a task's name.
 */
static bool find_field(const struct text_event *event, const char *key, int base, uint64_t *value)
{
	size_t len = strlen(key);
	bool found = false;

	for (const char *p = event->fields; (p = strstr(p, key)); p++) {
		char *end;

		if (p[-1] != ' ' || p[len] != '=')
			continue;
		errno = 0;
		*value = strtoull(p + len + 1, &end, base);
		if (!errno && end != p + len + 1 && (!*end || *end == ' '))
			found = true;
	}
	return found;
}

static uint64_t number_of(const struct text_event *event, const char *key, int base)
{
	uint64_t value = 0;

	if (!find_field(event, key, base, &value))
		die("%s:%" PRIu64 ": event %.*s has no %s=", input, line_nr, (int)event->name_len,
		    event->name, key);
	return value;
}

static uint64_t field(const struct text_event *event, const char *key)
{
	return number_of(event, key, 10);
}

/* Return the address of the timer. The kernel's trace file prints it without 0x. */
static uint64_t timer_of(const struct text_event *event)
{
	return number_of(event, "hrtimer", 16);
}

static struct cpu *cpu_of(uint64_t nr)
{
	if (nr >= MAX_CPUS)
		die("%s:%" PRIu64 ": the number of a CPU cannot be %" PRIu64, input, line_nr, nr);
	return &cpus[nr];
}

static void put(uint64_t value, bool there)
{
	if (there)
		fprintf(out, "\t%" PRIu64, value);
	else
		fputs("\t-", out);
}

static void put_difference(uint64_t later, uint64_t earlier, bool there)
{
	if (there)
		fprintf(out, "\t%" PRId64, (int64_t)(later - earlier));
	else
		fputs("\t-", out);
}

static void write_sample(const struct cpu *cpu, bool wake, uint64_t ltime)
{
	bool irqs_on = !wake && cpu->tintr && cpu->tintr < cpu->exit;
	unsigned int taint = (cpu->foreign ? TAINT_FOREIGN_IRQ : 0) |
			     ((wake && cpu->timer) || cpu->other_timer ? TAINT_FOREIGN_TIMER : 0);
	char text[64];

	if (ltime < cpu->enter) {
		nr_late++;
		return;
	}
	fprintf(out, "1\t%td\t%s\t%" PRIu32 "\t%" PRIu64, cpu - cpus, wake ? "wake" : "passive",
		cpu->state, cpu->nr);
	put_difference(ltime, cpu->armed, !wake);
	put(ltime, true);
	put(cpu->enter, true);
	put(cpu->exit, !irqs_on);
	put(cpu->tintr, cpu->tintr);
	put_difference(ltime, cpu->enter, true);
	put_difference(cpu->exit, ltime, !irqs_on);
	put_difference(cpu->tintr, ltime, cpu->tintr);
	*put_taint(text, taint) = '\0';
	fprintf(out, "\t%d\t%s\t-\t-\t-\n", irqs_on, text);
	nr_tainted += taint != 0;
	*(wake ? &nr_wake : &nr_passive) += 1;
}

/* Return whether events can be missing that belong to the CPU's period, which has ended. */
static bool is_cut(const struct cpu *cpu)
{
	size_t first = 0, end = nr_gaps;

	/* Find the first gap that ends after the period began. */
	while (first < end) {
		size_t middle = (first + end) / 2;

		if (gaps[middle].to <= cpu->enter)
			first = middle + 1;
		else
			end = middle;
	}
	return first < nr_gaps && gaps[first].from < cpu->exit + RELATED_NS;
}

/*
 * Write a sample of the CPU's period, if it has ended. All events that can belong to it were read.
 */
static void finish(struct cpu *cpu)
{
	if (!cpu->open || !cpu->exited)
		return;
	if (is_cut(cpu)) {
		nr_cut++;
		return;
	}
	nr_periods++;
	if (cpu->waking && want_wake)
		write_sample(cpu, true, cpu->waking);
	else if (cpu->timer && want_passive && !cpu->waking)
		write_sample(cpu, false, cpu->expires);
}

static void idle(const struct text_event *event)
{
	uint64_t state = field(event, "state");
	struct cpu *cpu = cpu_of(field(event, "cpu_id"));

	if (state == UINT32_MAX) {
		if (cpu->open && !cpu->exited) {
			cpu->exited = true;
			cpu->exit = event->ns;
		}
		return;
	}
	finish(cpu);
	*cpu = (struct cpu) {
		.open = true, .state = state, .enter = event->ns, .nr = cpu->nr + 1,
	};
}

static void waking(const struct text_event *event)
{
	struct cpu *cpu = cpu_of(field(event, "target_cpu"));

	/*
	 * Take the first wake-up from another CPU. If the CPU itself woke the task, an interrupt
	 * had ended the period.
	 */
	if (cpu->open && !cpu->exited && !cpu->waking && event->cpu != cpu - cpus)
		cpu->waking = event->ns;
}

static void expired(const struct text_event *event)
{
	struct cpu *cpu = cpu_of(event->cpu);
	int64_t now = field(event, "now"), delay = (int64_t)(event->ns - (uint64_t)now);
	struct hrtimer timer;
	bool known = hrtimers_take(&timers, timer_of(event), &timer);

	nr_expired++;
	if (delay >= 0 && delay < least_delay)
		least_delay = delay;
	if (!cpu->open || (cpu->exited && event->ns > cpu->exit + RELATED_NS + GREATEST_DELAY_NS))
		return;
	if (!known || delay < 0 || delay > GREATEST_DELAY_NS) {
		cpu->other_timer |= !cpu->exited || event->ns <= cpu->exit + RELATED_NS;
		return;
	}
	if (timer.expires > (int64_t)(cpu->exited ? cpu->exit : event->ns))
		return;
	if (!cpu->tintr)
		cpu->tintr = now;
	if (cpu->timer && timer.expires >= cpu->expires)
		return;
	cpu->timer = true;
	cpu->expires = timer.expires;
	cpu->armed = timer.armed;
}

static void interrupt(const struct text_event *event)
{
	struct cpu *cpu = cpu_of(event->cpu);

	irqs_seen = true;
	if (!cpu->open || (cpu->exited && event->ns > cpu->exit + RELATED_NS))
		return;
	if (is(event, "local_timer_entry")) {
		if (!cpu->tintr)
			cpu->tintr = event->ns;
	} else if (!cpu->waking) {
		cpu->foreign = true;
	} else if (!is(event, "reschedule_entry") && !is(event, "call_function_single_entry")) {
		/* The two interrupts named here are those by which other CPUs wake this CPU. */
		cpu->foreign = true;
	}
}

static void take(const struct text_event *event)
{
	if (!event->name)
		/* A timer may have been armed again meanwhile. */
		hrtimers_forget(&timers);
	else if (is(event, "cpu_idle"))
		idle(event);
	else if (is(event, "sched_waking"))
		waking(event);
	else if (is(event, "hrtimer_start"))
		hrtimers_arm(&timers, timer_of(event), event->ns, field(event, "expires"));
	else if (is(event, "hrtimer_expire_entry"))
		expired(event);
	else if (is(event, "irq_handler_entry") || is(event, "nmi_handler") ||
		 (event->vector && ends_in(event, "_entry")))
		interrupt(event);
}

static bool is_ours(const struct text_event *event)
{
	static const char *const names[] = {
		"cpu_idle", "sched_waking", "hrtimer_start", "hrtimer_expire_entry", "irq_handler_entry",
		"nmi_handler",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is(event, names[i]))
			return true;
	return event->vector;
}

static int by_time(const void *a, const void *b)
{
	const struct text_event *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->line_nr < y->line_nr ? -1 : 1;
}

static int by_start(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static void add_gap(uint64_t from, uint64_t to)
{
	if (!(nr_gaps & (nr_gaps - 1)))
		gaps = xrealloc(gaps, nr_gaps ? 2 * nr_gaps : 1, sizeof(*gaps));
	gaps[nr_gaps++] = (struct gap) { from, to };
}

/*
 * Find the gaps in the EVENTS, which are in order. Each CPU has a buffer: what is lost there is between its last event and the
 * report of the loss. A CPU's period can depend on events of all CPUs, so the gaps of all are one list.
 */
static void find_gaps(const struct text_event *events)
{
	uint64_t *last = xrealloc(NULL, MAX_CPUS, sizeof(*last));
	size_t nr = 0;

	memset(last, 0, MAX_CPUS * sizeof(*last));
	for (size_t i = 0; i < nr_events; i++) {
		const struct text_event *event = &events[i];

		if (!event->name || (nr_overwritten && !last[event->cpu]))
			add_gap(last[event->cpu], event->ns);
		last[event->cpu] = event->ns;
	}
	free(last);
	if (!nr_gaps)
		return;
	qsort(gaps, nr_gaps, sizeof(*gaps), by_start);
	for (size_t i = 1; i < nr_gaps; i++)
		if (gaps[i].from > gaps[nr].to)
			gaps[++nr] = gaps[i];
		else if (gaps[i].to > gaps[nr].to)
			gaps[nr].to = gaps[i].to;
	nr_gaps = nr + 1;
}

/* Read the line of the kernel's trace file that says how many events it has, and how many were written. */
static void read_entries(const char *line)
{
	static const char title[] = "# entries-in-buffer/entries-written: ";
	uint64_t kept, written;

	if (strncmp(line, title, sizeof(title) - 1))
		return;
	line += sizeof(title) - 1;
	if (!take_digits(&line, &kept) || *line++ != '/' || !take_digits(&line, &written) || kept > written)
		die("%s:%" PRIu64 ": the numbers of events are missing", input, line_nr);
	losses_known = true;
	nr_overwritten += written - kept;
}

static void take_loss(const struct text_event *event)
{
	losses_known = true;
	lost_uncounted |= !event->lost;
	if (__builtin_add_overflow(nr_lost, event->lost, &nr_lost))
		die("%s:%" PRIu64 ": more lost events than 64 bits can count", input, line_nr);
}

/* Give reports without a time the time of the next event of their CPU, or the end of time. */
static void time_losses(struct text_event *events)
{
	uint64_t *next = xrealloc(NULL, MAX_CPUS, sizeof(*next));

	memset(next, 0xff, MAX_CPUS * sizeof(*next));
	for (size_t i = nr_events; i--;)
		if (events[i].timed)
			next[events[i].cpu] = events[i].ns;
		else
			events[i].ns = next[events[i].cpu];
	free(next);
}

/* Read events and write samples. */
static void convert(FILE *in)
{
	struct text_event *events = NULL, event;
	static char line[TSV_MAX_LINE + 1];
	size_t room = 0, len;

	while ((len = line_read(in, line))) {
		char *copy;

		++line_nr;
		if (len == LINE_TOO_LONG)
			die("%s:%" PRIu64 ": a line of more than %d bytes", input, line_nr, TSV_MAX_LINE);
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		read_entries(line);
		if (!text_event_parse(line, &event))
			continue;
		event.line_nr = line_nr;
		if (!event.name) {
			take_loss(&event);
		} else if (is_ours(&event)) {
			coarse |= event.coarse;
			/* Copy the name and the fields, because the next line overwrites LINE. */
			copy = xstrdup(event.name);
			event.fields = copy + (event.fields - event.name);
			event.name = copy;
		} else {
			continue;
		}
		if (nr_events == room) {
			room = room ? 2 * room : 4096;
			events = xrealloc(events, room, sizeof(*events));
		}
		events[nr_events++] = event;
	}
	if (ferror(in))
		die("cannot read %s: %s", input, strerror(errno));
	time_losses(events);
	if (nr_events)
		qsort(events, nr_events, sizeof(*events), by_time);
	find_gaps(events);
	for (size_t i = 0; i < nr_events; i++) {
		line_nr = events[i].line_nr;
		take(&events[i]);
	}
	free(events);
}

/* Return whether the beginning of IN has a line of events. */
static bool has_events(FILE *in)
{
	static char line[TSV_MAX_LINE + 1];
	struct text_event event;
	size_t len, read = 0;

	while (read < 1 << 16 && (len = line_read(in, line)) && len != LINE_TOO_LONG) {
		if (text_event_parse(line, &event))
			return true;
		read += len;
	}
	return false;
}

static void write_facts(const char *name)
{
	FILE *facts = outfile_stream(name);
	const char *comma = "";

	fprintf(facts, "cpus\t");
	for (int i = 0; i < MAX_CPUS; i++)
		if (cpus[i].nr) {
			fprintf(facts, "%s%d", comma, i);
			comma = ",";
		}
	fprintf(facts, "\nidle_periods\t%" PRIu64 "\n", nr_periods);
	fprintf(facts, "systematic_error\twake_latency includes the kernel's path from the idle state to event "
		"cpu_idle and the recording itself%s; this is not subtracted\n",
		coarse ? ", and its times are cut to whole us (perf script --ns and trace-cmd report -t print them whole)" : "");
	if (losses_known && !lost_uncounted)
		fprintf(facts, "lost_overrun\t%" PRIu64 "\n", nr_lost > nr_overwritten ? nr_lost : nr_overwritten);
	if (lost_uncounted)
		fprintf(facts, "caveat\tevents were lost while recording; the text does not say how many\n");
	if (losses_known)
		fprintf(facts, "cut_periods\t%" PRIu64 "\n", nr_cut);
	if (!irqs_seen)
		fprintf(facts, "taints_unknown\tno interrupt events were recorded: wake-ups with another interrupt "
			"are not tainted\n");
	outfile_close_stream(facts, name);
}

int main(int argc, char **argv)
{
	bool ask = false;
	FILE *in;
	int opt;

	message_init("wakelat import");
	while ((opt = getopt(argc, argv, "ks:")) != -1) {
		if (opt == '?')
			return 2;
		ask |= opt == 'k';
		if (opt == 'k')
			continue;
		want_wake = !strcmp(optarg, "wake");
		want_passive = !strcmp(optarg, "passive");
	}
	if (optind + (ask ? 1 : 3) != argc)
		die("usage: perfscript -k INPUT, or perfscript [-s wake|passive] INPUT SAMPLES.TSV FACTS.TSV");
	input = argv[optind];
	in = fopen(input, "re");
	if (!in)
		die("%s: %s", input, strerror(errno));
	if (ask)
		return !has_events(in);
	cpus = xrealloc(NULL, MAX_CPUS, sizeof(*cpus));
	memset(cpus, 0, MAX_CPUS * sizeof(*cpus));
	out = outfile_stream(argv[optind + 1]);
	fputs(SAMPLES_HEADER, out);
	convert(in);
	fclose(in);
	for (int i = 0; i < MAX_CPUS; i++)
		finish(&cpus[i]);
	outfile_close_stream(out, argv[optind + 1]);
	if (nr_expired && least_delay >= LEAST_DELAY_NS)
		die("%s: times and timers use different clocks: record with perf record -k CLOCK_MONOTONIC or trace-cmd record -C mono", input);
	if (!nr_wake && !nr_passive)
		die("%s: none of the %" PRIu64 " idle periods was ended by a recorded timer, or a recorded wake-up from another CPU (%" PRIu64
		    " began after the event; in %" PRIu64 " others events were lost)", input, nr_periods, nr_late, nr_cut);
	write_facts(argv[optind + 2]);
	printf("%" PRIu64 " samples of source wake, %" PRIu64 " of source passive (%" PRIu64 " tainted), of %" PRIu64
	       " idle periods", nr_wake, nr_passive, nr_tainted, nr_periods);
	if (nr_cut)
		printf("; %" PRIu64 " periods in which events were lost are left out", nr_cut);
	printf("\n");
	return 0;
}
