// SPDX-License-Identifier: GPL-2.0
/*
 * top - show the latencies of an active recording, for `wakelat top`
 *
 *	top [-1] [-t NOTE] [-i MS] -N NAME... LOCK EVENT COUNTS
 *
 * LOCK is a directory. It is locked, so that only one top runs at a time. EVENT is the directory of
 * the event wakelat_sample in the recording's tracefs instance. COUNTS is the kernel's file
 * wakelat/counts.
 *
 * The kernel counts in histogram triggers, which top sets and removes. top reads them from a CPU
 * that is not measured. The measured CPUs only do the counting, after each sample is over.
 * Latencies are counted in buckets of BUCKET_NS; the longest latency is exact.
 *
 * top runs until the recording ends or a signal arrives. With -1, it prints one view to standard
 * output, 80 columns wide, and exits.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "hist.h"
#include "live.h"
#include "measuring.h"
#include "message.h"
#include "options.h"

#define BUCKET_NS 100
/*
 * Size of each histogram. The kernel counts the samples that do not fit, and top shows this count.
 */
#define ENTRIES 4096
#define MAX_TAINTS 32

enum { BY_TAINT, WAKE, INTR, LONGEST_WAKE, LONGEST_INTR, NR_TRIGGERS };

/*
 * record sets triggers on the same event, so top's triggers must differ from them. To the kernel,
 * two triggers are the same if they have the same keys, in the same order, and the same filter.
 * There is no sort key, because top does not need an order.
 */
#define INTERRUPTS_OFF "entered != 18446744073709551615"
#define INTERRUPTS_ON "entered == 18446744073709551615"
/* The same limit of the uncertainty as in dump, which taints samples above it. */
#define CLEAN(metric, when) " if taint == 0 && uncertainty <= 5000 && " when " && " metric " >= 0"
#define LATENCIES(metric, when) "hist:keys=state," metric ".buckets=100:size=4096" CLEAN(metric, when)
#define LONGEST(metric, when, name) \
	"hist:keys=state:" name "=" metric ":onmax($" name ").save(common_cpu,seq,silent_time)" CLEAN(metric, when)

static const char *const triggers[NR_TRIGGERS] = {
	[BY_TAINT] = "hist:keys=state,taint",
	[WAKE] = LATENCIES("wake_latency", INTERRUPTS_OFF),
	[INTR] = LATENCIES("intr_latency", INTERRUPTS_ON),
	[LONGEST_WAKE] = LONGEST("wake_latency", INTERRUPTS_OFF, "top_wake"),
	[LONGEST_INTR] = LONGEST("intr_latency", INTERRUPTS_ON, "top_intr"),
};

_Static_assert(BUCKET_NS == 100 && ENTRIES == 4096, "the texts of the triggers have these numbers");

struct longest {
	uint64_t ns, cpu, seq, silent_ns;
	unsigned int state;
};

static const char *event;
static const char *counts_path;
static char *taint_names[MAX_TAINTS];	/* by bit */
static bool is_set[NR_TRIGGERS];

static struct probe_hist hists[PROBE_MAX_STATES];
static uint64_t by_taint[MAX_TAINTS];
static uint64_t dropped;
static struct longest longest;

/* Open the file NAME in the event's directory. Return NULL if it is gone. */
static FILE *open_file(const char *name)
{
	char *path = xprintf("%s/%s", event, name);
	FILE *file = fopen(path, "re");

	if (!file && errno != ENOENT && errno != ENODEV)
		die("%s: %s", path, strerror(errno));
	free(path);
	return file;
}

static bool write_trigger(const char *prefix, const char *trigger)
{
	char *path = xprintf("%s/trigger", event);
	char *text = xprintf("%s%s\n", prefix, trigger);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	int error = errno;

	if (fd >= 0)
		close(fd);
	free(text);
	free(path);
	errno = error;
	return written;
}

/* Remove our triggers, in reverse order. */
static void take_away(void)
{
	for (int i = NR_TRIGGERS - 1; i >= 0; i--)
		if (is_set[i])
			write_trigger("!", triggers[i]);
}

static void leave(void)
{
	live_end();
	take_away();
}

static void set_triggers(void)
{
	for (int i = 0; i < NR_TRIGGERS; i++) {
		/* A top that was killed may have left this trigger. */
		write_trigger("!", triggers[i]);
		if (!write_trigger("", triggers[i]))
			die(errno == ENOENT ? "the recording has ended (%s)" :
			    "the kernel rejects the histogram trigger (CONFIG_HIST_TRIGGERS, Linux 5.14 or later): %s",
			    strerror(errno));
		is_set[i] = true;
	}
}

/* Read the names of the taints from the event's format: { 0x01, "foreign_irq" }, after the field's name. */
static void read_taints(void)
{
	FILE *file = open_file("format");
	char *line = NULL, *at;
	size_t size = 0;

	while (file && getline(&line, &size, file) > 0) {
		at = strstr(line, "REC->taint");
		if (!at || strncmp(line, "print fmt", 9))
			continue;
		/* Stop at the end of this field: other fields may have names, too. */
		at[strcspn(at, ")")] = '\0';
		while ((at = strchr(at, '{'))) {
			char name[64];
			unsigned int flag;

			if (sscanf(at, "{ %i , \"%63[a-z_]\" }", (int *)&flag, name) != 2 || !flag)
				break;
			taint_names[__builtin_ctz(flag)] = xstrdup(name);
			at++;
		}
	}
	free(line);
	if (file)
		fclose(file);
}

/*
 * Store in NUMBER the number that follows NAME in LINE. For a bucket, this is its lower end. Return
 * false if there is none.
 */
static bool number_of(const char *line, const char *name, uint64_t *number)
{
	const char *at = strstr(line, name);

	if (!at)
		return false;
	at += strlen(name) + strspn(at + strlen(name), " ~");
	errno = 0;
	*number = strtoull(at, NULL, 10);
	return !errno;
}

/*
 * Return the index of the trigger that a line "trigger info" describes, or NR_TRIGGERS if it is not
 * ours. The kernel does not print a trigger as it was written, but as it parsed it.
 */
static int which(const char *info)
{
	if (strstr(info, "$top_wake") || strstr(info, "top_wake="))
		return LONGEST_WAKE;
	if (strstr(info, "$top_intr") || strstr(info, "top_intr="))
		return LONGEST_INTR;
	if (strstr(info, "keys=state,wake_latency.buckets="))
		return WAKE;
	if (strstr(info, "keys=state,intr_latency.buckets="))
		return INTR;
	return strstr(info, "keys=state,taint:") ? BY_TAINT : NR_TRIGGERS;
}

static void take_bucket(const char *line, const char *field, unsigned int state, uint64_t hits)
{
	uint64_t first;

	if (!number_of(line, field, &first))
		return;
	first += BUCKET_NS / 2;
	hists[state].bucket[probe_bucket_of(first)] += hits;
	hists[state].sum += first * hits;
}

static void take_taint(const char *line, unsigned int state, uint64_t hits)
{
	uint64_t taint;

	if (!number_of(line, "taint:", &taint) || !taint)
		return;
	hists[state].tainted += hits;
	for (int i = 0; i < MAX_TAINTS; i++)
		if (taint >> i & 1)
			by_taint[i] += hits;
}

/* Take the line below an entry: max: N  common_cpu: N  seq: N  silent_time: N */
static void take_longest(const char *line, unsigned int state)
{
	struct longest l = { .state = state };

	if (!number_of(line, "max:", &l.ns) || !number_of(line, "common_cpu:", &l.cpu) || !number_of(line, "seq:", &l.seq) ||
	    !number_of(line, "silent_time:", &l.silent_ns))
		return;
	if (l.ns > hists[state].max)
		hists[state].max = l.ns;
	if (l.ns > longest.ns)
		longest = l;
}

static void take_line(const char *line, int *here, unsigned int *state)
{
	uint64_t number, hits;

	if (!strncmp(line, "# trigger info:", 15)) {
		*here = which(line);
		return;
	}
	if (*here == NR_TRIGGERS)
		return;
	if (number_of(line, "Dropped:", &number))
		dropped += number;
	if (*line == '{') {
		*state = PROBE_MAX_STATES;
		if (!number_of(line, "state:", &number) || number >= PROBE_MAX_STATES || !number_of(line, "hitcount:", &hits))
			return;
		*state = number;
		if (*here == BY_TAINT)
			take_taint(line, *state, hits);
		else if (*here == WAKE)
			take_bucket(line, "wake_latency:", *state, hits);
		else if (*here == INTR)
			take_bucket(line, "intr_latency:", *state, hits);
		return;
	}
	if (*here >= LONGEST_WAKE && *state < PROBE_MAX_STATES)
		take_longest(line, *state);
}

/* Read all histograms. Return false if the recording has ended, which removes them. */
static bool read_hist(void)
{
	FILE *file = open_file("hist");
	unsigned int state = PROBE_MAX_STATES;
	int here = NR_TRIGGERS;
	bool ours = false;
	char *line = NULL;
	size_t size = 0;

	if (!file)
		return false;
	memset(hists, 0, sizeof(hists));
	memset(by_taint, 0, sizeof(by_taint));
	longest.ns = 0;
	dropped = 0;
	while (getline(&line, &size, file) > 0) {
		take_line(line, &here, &state);
		ours |= here != NR_TRIGGERS;
	}
	free(line);
	fclose(file);
	return ours;
}

/* Sum two columns of wakelat/counts: samples of the active run, and events. */
static void read_counts(uint64_t *samples, uint64_t *armed)
{
	FILE *file = fopen(counts_path, "re");
	int samples_at = -1, armed_at = -1;
	char *line = NULL, *cell, *rest;
	size_t size = 0;

	*samples = *armed = 0;
	for (int row = 0; file && getline(&line, &size, file) > 0; row++) {
		rest = line;
		for (int i = 0; (cell = strsep(&rest, "\t\n")); i++) {
			if (!row && !strcmp(cell, "samples"))
				samples_at = i;
			else if (!row && !strcmp(cell, "armed"))
				armed_at = i;
			else if (row && i == samples_at)
				*samples += strtoull(cell, NULL, 10);
			else if (row && i == armed_at)
				*armed += strtoull(cell, NULL, 10);
		}
	}
	free(line);
	if (file)
		fclose(file);
}

/* Show the longest sample, and the number of samples with each taint. */
static void say_more(void)
{
	const char *comma = "tainted: ";
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		die("out of memory");
	if (longest.ns)
		fprintf(out, "longest without taint: %.3f us, CPU %" PRIu64 ", %s, silent time %.3f us, "
			"event %" PRIu64 ". ", longest.ns / 1000.0, longest.cpu,
			state_name(longest.state), longest.silent_ns / 1000.0, longest.seq);
	for (int i = 0; i < MAX_TAINTS; i++) {
		if (!by_taint[i])
			continue;
		fprintf(out, "%s%" PRIu64 " %s", comma, by_taint[i],
			taint_names[i] ? taint_names[i] : "?");
		comma = ", ";
	}
	if (dropped)
		fprintf(out, ". Not counted here, because the histogram is full: %" PRIu64,
			dropped);
	fclose(out);
	live_say("%s", text);
	free(text);
}

static char *head(void)
{
	uint64_t samples, armed, clean = 0, tainted = 0;

	for (int s = 0; s < PROBE_MAX_STATES; s++) {
		clean += hist_n(&hists[s]);
		tainted += hists[s].tainted;
	}
	read_counts(&samples, &armed);
	return xprintf("since top began: %" PRIu64 " samples, %" PRIu64 " tainted; this run: %" PRIu64 " samples of %" PRIu64
		       " events. Latencies are rounded to %d ns; the maximum is exact. Ctrl-C ends the view, not the recording.",
		       clean + tainted, tainted, samples, armed, BUCKET_NS);
}

static bool view(void)
{
	char *text;

	if (!read_hist())
		return false;
	say_more();
	text = head();
	live_draw(text);
	free(text);
	return true;
}

/* Lock DIR until this process ends, also if it is killed. */
static void lock(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		die("%s: %s", dir, strerror(errno));
	if (flock(fd, LOCK_EX | LOCK_NB))
		die("another wakelat top watches this recording");
}

int main(int argc, char **argv)
{
	unsigned long ms = 1000;
	const char *note = NULL;
	bool once = false, on = true;
	int option;

	message_init("wakelat top");
	while ((option = getopt(argc, argv, "1t:i:N:")) != -1) {
		if (option == '1')
			once = true;
		else if (option == 't')
			note = optarg;
		else if (option == 'i')
			ms = strtoul(optarg, NULL, 10);
		else if (option == 'N')
			take_state_name(optarg);
		else
			return 2;
	}
	if (argc - optind != 3)
		return 2;
	lock(argv[optind]);
	event = argv[optind + 1];
	counts_path = argv[optind + 2];
	read_taints();
	catch_signals();
	signal(SIGPIPE, SIG_IGN);
	message_at_death(leave);
	set_triggers();
	live_begin(STDOUT_FILENO, once, note, hists);
	while (on && !stopped) {
		sleep_ns(ms * 1000000);
		on = view();
		if (once)
			break;
	}
	/* Leave the last view on the terminal: do not call leave(). */
	take_away();
	if (!on)
		message("the recording has ended");
	return stopped ? 128 + stopped : 0;
}
