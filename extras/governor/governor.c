// SPDX-License-Identifier: GPL-2.0
/*
 * governor [-s TABLE] [-p SYSTEM:EVENT:FIELD] [-S] INPUT OUTPUT.TSV: count the idle periods whose
 * state was too deep or too shallow. INPUT is a recording of stock events (periods.h), or with -S a
 * samples.tsv.
 *
 * TABLE has the idle states: INDEX:RESIDENCY_NS:LATENCY_NS:DISABLED,... Without TABLE, the counts that
 * need it are "-". -p names the field with the predicted length of an idle period.
 * The output has a row for each state, by index, and one for "all". Exit status: see dump.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "number.h"
#include "outfile.h"
#include "periods.h"
#include "recording.h"
#include "tsv.h"

#define MAX_STATES 64
#define MAX_ROW 1024

struct idle_state {
	bool known, disabled;
	int64_t residency, latency;
};

struct values {
	int64_t *list;
	size_t nr, room;
};

struct row {
	struct values durations, errors;
	uint64_t n, timer, other, missed;
	uint64_t too_deep, too_deep_timer, too_shallow;
	uint64_t kernel_too_deep, kernel_too_shallow;
};

/* What the input contains. */
struct known {
	bool timers, misses, predictions, any_state;
};

struct idle_period {
	int64_t state, duration;
	bool timer;
	enum miss miss;
	bool has_prediction;
	int64_t prediction;
};

struct job {
	const char *input;
	const char *output;
	const char *predicted;
};

static struct idle_state idle_states[MAX_STATES];
static struct row rows[MAX_STATES], all;
static struct known known;

static void take_value(struct values *values, int64_t value)
{
	if (values->nr == values->room) {
		values->room = values->room ? 2 * values->room : 1024;
		values->list = xrealloc(values->list, values->room, sizeof(*values->list));
	}
	values->list[values->nr++] = value;
}

/* Judge as cpuidle does: the next shallower or deeper state that is not disabled decides. */
static bool is_too_deep(int64_t state, int64_t duration)
{
	if (!idle_states[state].known || duration >= idle_states[state].residency)
		return false;
	for (int64_t i = state - 1; i >= 0; i--)
		if (idle_states[i].known && !idle_states[i].disabled)
			return true;
	return false;
}

static bool is_too_shallow(int64_t state, int64_t duration)
{
	if (!idle_states[state].known || duration < idle_states[state].residency ||
	    duration <= idle_states[state].latency)
		return false;
	for (int64_t i = state + 1; i < MAX_STATES; i++)
		if (idle_states[i].known && !idle_states[i].disabled)
			return duration - idle_states[state].latency >= idle_states[i].residency;
	return false;
}

static void count(struct row *row, const struct idle_period *period)
{
	bool too_deep = is_too_deep(period->state, period->duration);
	int64_t error;

	row->n++;
	take_value(&row->durations, period->duration);
	row->timer += period->timer;
	row->other += !period->timer;
	row->too_deep += too_deep;
	row->too_deep_timer += too_deep && period->timer;
	row->too_shallow += is_too_shallow(period->state, period->duration);
	row->missed += idle_states[period->state].known &&
		       period->duration < idle_states[period->state].residency;
	row->kernel_too_deep += period->miss == MISS_TOO_DEEP;
	row->kernel_too_shallow += period->miss == MISS_TOO_SHALLOW;
	if (period->has_prediction &&
	    !__builtin_sub_overflow(period->prediction, period->duration, &error))
		take_value(&row->errors, error);
}

static void take_period(const char *where, const struct idle_period *period)
{
	if (period->state < 0 || period->state >= MAX_STATES)
		die("%s: an idle period in state %" PRId64 ": damaged?", where, period->state);
	count(&rows[period->state], period);
	count(&all, period);
}

static void read_recording(struct trace *trace, const struct job *job)
{
	struct periods periods;
	struct period p;

	periods_open(&periods, trace, job->input, false, job->predicted);
	known.timers = periods.timers;
	known.misses = periods.misses;
	known.predictions = job->predicted;
	while (periods_next(&periods, &p))
		take_period(job->input, &(struct idle_period) {
			.state = p.state, .duration = p.exit - p.enter,
			.timer = p.wakeup != WAKEUP_OTHER, .miss = p.miss,
			.has_prediction = p.has_prediction, .prediction = p.prediction,
		});
	if (!all.n)
		die("%s: no complete idle period in this recording", job->input);
	periods_close(&periods);
}

/*
 * Read samples as idle periods that a timer ended. With interrupts on, a period ends in the
 * handler.
 */
static void read_samples(const char *name)
{
	size_t state, silent, wake, intr;
	struct tsv tsv;

	tsv_open(&tsv, name);
	state = tsv_column(&tsv, "state");
	silent = tsv_column(&tsv, "silent_time");
	wake = tsv_column(&tsv, "wake_latency");
	intr = tsv_column(&tsv, "intr_latency");
	known.timers = true;
	while (tsv_next_row(&tsv)) {
		struct idle_period period = { .timer = true };
		int64_t before, after;

		if (!tsv_s64(&tsv, state, &period.state) || !tsv_s64(&tsv, silent, &before))
			continue;
		if (!tsv_s64(&tsv, wake, &after) && !tsv_s64(&tsv, intr, &after))
			continue;
		if (__builtin_add_overflow(before, after, &period.duration))
			continue;
		take_period(name, &period);
	}
	tsv_close(&tsv);
	if (!all.n)
		die("%s: no sample with silent_time and a latency", name);
}

static char *put_count(char *p, bool there, uint64_t n)
{
	*p++ = '\t';
	if (there)
		return put_u64(p, n);
	*p++ = '-';
	return p;
}

/* Write the median (type 7). With two middle values, it is their mean, which may end in .5. */
static char *put_median(char *p, struct values *values)
{
	int64_t *scratch;
	__int128 twice;
	bool negative;

	*p++ = '\t';
	if (!values->nr) {
		*p++ = '-';
		return p;
	}
	scratch = xrealloc(NULL, values->nr, sizeof(*scratch));
	sort_s64(values->list, scratch, values->nr);
	free(scratch);
	twice = (__int128)values->list[(values->nr - 1) / 2] + values->list[values->nr / 2];
	negative = twice < 0;
	if (negative) {
		*p++ = '-';
		twice = -twice;
	}
	p = put_u64(p, twice / 2);
	return twice % 2 ? stpcpy(p, ".5") : p;
}

static char *put_duration(char *p, const struct values *values)
{
	__int128 total = 0;

	for (size_t i = 0; i < values->nr; i++)
		total += values->list[i];
	*p++ = '\t';
	/* More than 292 years do not fit into 64 bits. */
	if (total < 0 || total > INT64_MAX) {
		*p++ = '-';
		return p;
	}
	return put_s64(p, total);
}

static void write_row(struct outfile *out, struct row *row, const char *state, bool known_state)
{
	char *p = outfile_reserve(out, MAX_ROW);

	p = put_text(p, state);
	p = put_count(p, true, row->n);
	p = put_duration(p, &row->durations);
	p = put_median(p, &row->durations);
	p = put_count(p, known_state, row->too_deep);
	p = put_count(p, known_state, row->too_shallow);
	p = put_count(p, known_state, row->missed);
	p = put_count(p, known.misses, row->kernel_too_deep);
	p = put_count(p, known.misses, row->kernel_too_shallow);
	p = put_count(p, known.timers, row->timer);
	p = put_count(p, known.timers, row->other);
	p = put_count(p, known.timers && known_state, row->too_deep_timer);
	p = put_count(p, known.predictions, row->errors.nr);
	p = put_median(p, &row->errors);
	*p++ = '\n';
	outfile_commit(out, p);
}

/* PARTIAL: the caller gives the file its name later (outfile.h). */
static void write_table(const char *name, bool partial)
{
	static const char header[] =
		"state\tn\tidle_total_ns\tidle_p50_ns\ttoo_deep\ttoo_shallow\tmissed\t"
		"kernel_too_deep\tkernel_too_shallow\ttimer\tother\ttoo_deep_timer\tpredicted\t"
		"prediction_error_p50_ns\n";
	static struct outfile out;
	char state[16];

	if (partial)
		outfile_begin(&out, name);
	else
		outfile_open(&out, name);
	outfile_commit(&out, put_text(outfile_reserve(&out, sizeof(header)), header));
	for (int i = 0; i < MAX_STATES; i++) {
		if (!rows[i].n)
			continue;
		snprintf(state, sizeof(state), "%d", i);
		write_row(&out, &rows[i], state, idle_states[i].known);
	}
	write_row(&out, &all, "all", known.any_state);
	outfile_close(&out);
}

static int governor(void *arg)
{
	const struct job *job = arg;
	struct trace trace;
	char *lost;

	trace_open(&trace, job->input);
	read_recording(&trace, job);
	write_table(job->output, true);
	lost = trace_losses(&trace);
	if (!lost)
		return 0;
	message("%s: %s; idle periods that contain lost events are left out", job->input, lost);
	return STATUS_INCOMPLETE;
}

static void parse_table(const char *text)
{
	char **entries;
	size_t nr = split_list(text, &entries);

	for (size_t i = 0; i < nr; i++) {
		int64_t part[4];
		char *at = entries[i];

		for (int k = 0; k < 4; k++) {
			char *end = at + strcspn(at, ":");

			if (!parse_s64(at, end, &part[k]) || part[k] < 0 ||
			    (*end == ':') != (k < 3))
				die("-s: '%s' is not INDEX:RESIDENCY_NS:LATENCY_NS:DISABLED", text);
			at = end + 1;
		}
		if (part[0] >= MAX_STATES)
			die("-s: the index of state %" PRId64 " of '%s' is too great", part[0], text);
		idle_states[part[0]] = (struct idle_state) {
			.known = true, .residency = part[1], .latency = part[2],
			.disabled = part[3],
		};
		known.any_state = true;
		free(entries[i]);
	}
	free(entries);
}

int main(int argc, char **argv)
{
	const char *outputs[2] = { 0 };
	struct job job = { 0 };
	bool samples = false;
	int opt;

	message_init("wakelat governor");
	while ((opt = getopt(argc, argv, "p:s:S")) != -1) {
		if (opt == 'p')
			job.predicted = optarg;
		else if (opt == 's')
			parse_table(optarg);
		else if (opt == 'S')
			samples = true;
		else
			optind = argc;
	}
	if (optind + 2 != argc)
		die("usage: governor [-s TABLE] [-p SYSTEM:EVENT:FIELD] [-S] INPUT OUTPUT.TSV");
	job.input = argv[optind];
	job.output = outputs[0] = argv[optind + 1];
	if (!samples)
		return recording_convert(job.input, outputs, governor, &job);
	read_samples(job.input);
	write_table(job.output, false);
	return 0;
}
