// SPDX-License-Identifier: GPL-2.0
/*
 * outliers [-O] INSTANCE KHZ NS UNCERTAINTY OUTLIERS.TSV FACTS.TSV: for each sample that took longer than NS, write the
 * last events of its CPU.
 *
 * INSTANCE is a tracefs instance that records wakelat:wakelat_sample and the events of `kinds` below, and that a trigger
 * of the caller stops at such a sample. This program looks every 20 ms whether it has stopped, reads it, and lets
 * it go on. A sample that comes before it goes on has no events: another trigger of the caller counts these, too. A
 * sample whose uncertainty exceeds UNCERTAINTY ns gets the taint uncertain. KHZ is the rate of the instance's clock, which
 * must be the clock of the samples' stamps (1000000: ns).
 *
 * Ends at SIGTERM, or with -O at the first untainted sample. Writes to FACTS.TSV the lines `outliers`, their number, and
 * `longest_outlier`, the longest of them in words, and then with -O prints "stop", if that sample has come, for the
 * kernel's file wakelat/run. Exit status: 0, 1 after an error, 2 for bad arguments.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tracefs.h>

#include "derive.h"
#include "event.h"
#include "message.h"
#include "number.h"
#include "probe-outlier.h"
#include "sample.h"
#include "taint.h"

#define LOOK_NS 20000000

/* The events around a sample. FIELD has the number: a state, a vector, a CPU. */
static const struct kind {
	const char *system, *name, *field;
	enum probe_kind kind;
	enum probe_sent how;
} kinds[] = {
	{ "power", "cpu_idle", "state", PROBE_IDLE, 0 },
	{ "nmi", "nmi_handler", NULL, PROBE_VECTOR, 0 },
	{ "irq", "irq_handler_entry", "irq", PROBE_DEVICE, 0 },
	{ "timer", "hrtimer_expire_entry", "function", PROBE_EXPIRED, 0 },
	{ "timer", "timer_expire_entry", "function", PROBE_EXPIRED, 0 },
	{ "sched", "sched_switch", "next_pid", PROBE_SWITCH, 0 },
	{ "sched", "sched_wake_idle_without_ipi", "cpu", PROBE_SENT, PROBE_SENT_FLAG },
	{ "ipi", "ipi_send_cpu", "cpu", PROBE_SENT, PROBE_SENT_IPI },
};
#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* What cpu_idle has as the state at the end of an idle period. */
#define NO_STATE UINT32_MAX
#define NMI_VECTOR 2

static struct watch {
	struct tep_handle *tep;
	struct tracefs_instance *instance;
	struct sample_event sample;
	struct derive derive;
	bool derives;
	int64_t khz, threshold;
	struct probe_history *cpus;
	int nr_cpus;
	struct outfile out;
	uint64_t outliers;
	int64_t longest;
	char words[512];
	bool only_first, found_clean;
} watch;

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static struct probe_event *keep(struct probe_history *history)
{
	return &history->events[history->nr++ % PROBE_EVENTS];
}

static const struct kind *kind_of(const struct tep_event *event)
{
	for (size_t i = 0; i < NR_KINDS; i++)
		if (!strcmp(event->system, kinds[i].system) && !strcmp(event->name, kinds[i].name))
			return &kinds[i];
	return NULL;
}

static uint64_t number_in(struct tep_event *event, const struct tep_record *record, const char *name)
{
	struct event_field field;

	if (!name)
		return 0;
	field = event_find_field(event, name);
	return event_has(&field) ? event_read(&field, record) : 0;
}

/* Store in COMM the name of the task that runs next. */
static void name_next(struct tep_event *event, const struct tep_record *record, char *comm)
{
	struct event_text field = event_find_text(event, "next_comm");
	char text[64 + 1] = "-";

	if (field.size)
		*event_put_text(text, &field, record) = '\0';
	snprintf(comm, PROBE_COMM, "%.*s", PROBE_COMM - 1, text);
}

/* Store in COMM the name of the task that had the event, or "-" if it has ended since. */
static void name_current(const struct tep_record *record, int cpu, char *comm)
{
	int pid = tep_data_pid(watch.tep, (struct tep_record *)record);
	char path[64];
	FILE *f;

	snprintf(comm, PROBE_COMM, pid ? "-" : "swapper/%u", (unsigned char)cpu);
	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	f = pid ? fopen(path, "re") : NULL;
	if (!f)
		return;
	if (fgets(comm, PROBE_COMM, f))
		comm[strcspn(comm, "\n")] = '\0';
	fclose(f);
}

/* Note EVENT in the history of the CPU that it is about. */
static void note(struct tep_event *event, const struct tep_record *record, int nr)
{
	const struct kind *kind = kind_of(event);
	struct probe_event noted = { .time = (unsigned __int128)record->ts * 1000000 / watch.khz };
	struct probe_history *history = &watch.cpus[nr];
	uint64_t number;

	if (!strcmp(event->system, "irq_vectors")) {
		if (!tep_find_field(event, "vector") || !strstr(event->name, "_entry"))
			return;
		noted.kind = PROBE_VECTOR;
		noted.number = number_in(event, record, "vector");
		*keep(history) = noted;
		return;
	}
	if (!kind)
		return;
	number = number_in(event, record, kind->field);
	noted.kind = kind->kind;
	noted.number = number;
	switch (kind->kind) {
	case PROBE_IDLE:
		if (noted.number == NO_STATE)
			noted.kind = PROBE_EXIT;
		break;
	case PROBE_VECTOR:
		noted.number = NMI_VECTOR;
		break;
	case PROBE_EXPIRED:
		noted.value = number;
		break;
	case PROBE_SWITCH:
		name_next(event, record, noted.comm);
		break;
	case PROBE_SENT:
		if (number >= (uint64_t)watch.nr_cpus)
			return;
		noted.number = nr;
		noted.how = kind->how;
		name_current(record, nr, noted.comm);
		watch.cpus[number].sent = noted;
		return;
	default:
		break;
	}
	*keep(history) = noted;
}

/* Return the value of field WHICH of a sample, or 0 if it is absent. */
static uint64_t value_of(const struct tep_record *record, bool irqs_on, enum sample_known which)
{
	uint64_t value;

	return sample_value(&watch.sample.fields[which], record, irqs_on, &value) ? value : 0;
}

/* Store in OUTLIER the sample in RECORD. Return its latency, or INT64_MIN if it has none. */
static int64_t read_sample(struct probe_outlier *outlier, const struct tep_record *record, int cpu)
{
	bool irqs_on = sample_irqs_on(&watch.sample, record);
	uint64_t latency;

	if (!sample_value(&watch.sample.fields[irqs_on ? SAMPLE_INTR_LATENCY : SAMPLE_WAKE_LATENCY], record, irqs_on,
			  &latency))
		return INT64_MIN;
	outlier->record = (struct probe_record) {
		.cpu = cpu,
		.state = value_of(record, irqs_on, SAMPLE_STATE),
		.seq = value_of(record, irqs_on, SAMPLE_SEQ),
		.ltime = value_of(record, irqs_on, SAMPLE_LTIME),
		.taint = value_of(record, irqs_on, SAMPLE_TAINT),
		.irqs_on = irqs_on,
	};
	outlier->record.exit = outlier->record.tintr = outlier->record.ltime + latency;
	return latency;
}

static void take_sample(const struct tep_record *record, int cpu)
{
	struct probe_outlier outlier;
	int64_t latency;

	if (watch.derives)
		record = derive_sample(&watch.derive, &watch.sample, record);
	latency = read_sample(&outlier, record, cpu);
	if (latency <= watch.threshold || (watch.only_first && watch.found_clean))
		return;
	outlier.history = watch.cpus[cpu];
	outlier_write(&watch.out, &outlier, ++watch.outliers);
	watch.found_clean |= !outlier.record.taint;
	if (latency <= watch.longest)
		return;
	watch.longest = latency;
	outlier.record.enter = outlier.record.ltime;
	snprintf(watch.words, sizeof(watch.words), "%" PRId64 ".%03" PRId64 " us on CPU %d", latency / 1000, latency % 1000, cpu);
	outlier_words(&outlier, watch.words + strlen(watch.words), sizeof(watch.words) - strlen(watch.words));
}

static int take(struct tep_event *event, struct tep_record *record, int cpu, void *unused)
{
	(void)unused;
	if (cpu < 0 || cpu >= watch.nr_cpus)
		return 0;
	if (event->id == watch.sample.id)
		take_sample(record, cpu);
	else
		note(event, record, cpu);
	return 0;
}

/* Read the events of an instance that has stopped, forget them, and let it go on. */
static void look(void)
{
	int on = tracefs_trace_is_on(watch.instance);

	if (on < 0)
		die("%s: cannot read: %s", tracefs_instance_get_name(watch.instance), strerror(errno));
	if (on)
		return;
	memset(watch.cpus, 0, watch.nr_cpus * sizeof(*watch.cpus));
	tracefs_iterate_raw_events(watch.tep, watch.instance, NULL, 0, take, NULL);
	if (tracefs_trace_on(watch.instance))
		die("%s: cannot go on: %s", tracefs_instance_get_name(watch.instance), strerror(errno));
}

static void find_events(const char *name, int64_t max_uncertainty)
{
	static const char *const systems[] = { "wakelat", "power", "nmi", "irq", "irq_vectors", "timer", "sched", "ipi", NULL };
	struct tep_event *event;

	tep_set_loglevel(TEP_LOG_NONE);
	watch.instance = tracefs_instance_alloc(NULL, name);
	if (!watch.instance)
		die("%s: no such tracefs instance", name);
	watch.tep = tracefs_local_events_system(NULL, systems);
	event = watch.tep ? tep_find_event_by_name(watch.tep, "wakelat", "wakelat_sample") : NULL;
	if (!event)
		die("the kernel has no event wakelat_sample");
	sample_event_find(&watch.sample, event);
	watch.derives = derive_find(&watch.derive, &watch.sample, -1, max_uncertainty);
}

static void write_facts(const char *name)
{
	FILE *facts = outfile_begin_stream(name);

	fprintf(facts, "outliers\t%" PRIu64 "\n", watch.outliers);
	if (watch.outliers)
		fprintf(facts, "longest_outlier\t%s\n", watch.words);
	outfile_close_stream(facts, name);
	if (outfile_place(name))
		exit(1);
}

static int64_t number(const char *text)
{
	int64_t v;

	if (!parse_s64(text, text + strlen(text), &v) || v <= 0)
		die("%s: not a positive number", text);
	return v;
}

int main(int argc, char **argv)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	const struct sigaction action = { .sa_handler = end };

	message_init("wakelat record");
	watch.only_first = argc > 1 && !strcmp(argv[1], "-O");
	argv += watch.only_first;
	if (argc - watch.only_first != 7) {
		message("usage: outliers [-O] INSTANCE KHZ NS UNCERTAINTY OUTLIERS.TSV FACTS.TSV");
		return 2;
	}
	watch.khz = number(argv[2]);
	watch.threshold = number(argv[3]);
	watch.longest = watch.threshold;
	find_events(argv[1], number(argv[4]));
	watch.nr_cpus = tep_get_cpus(watch.tep);
	watch.cpus = xrealloc(NULL, watch.nr_cpus, sizeof(*watch.cpus));
	sigaction(SIGTERM, &action, NULL);
	outfile_open(&watch.out, argv[5]);
	outlier_header(&watch.out);
	while (!ended && !(watch.only_first && watch.found_clean)) {
		nanosleep(&pause, NULL);
		look();
	}
	outfile_close(&watch.out);
	write_facts(argv[6]);
	if (watch.found_clean && watch.only_first)
		puts("stop");
	return fflush(stdout) ? 1 : 0;
}
