// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "explain.h"
#include "message.h"
#include "number.h"

/* Menu and teo remember at least this many periods. */
#define HISTORY 64
/* In how many periods before a different choice its cause is looked for. */
#define PAST 10
/* Errors of time that are tried; as the beginning of a period, the last is when cpuidle_select() was called. */
#define NR_TIMES 7

const char *const cause_names[NR_CAUSES] = {
	"agrees", "time between two events", "a refused choice before", "tick held by RCU or a softirq", "timer not in the recording",
	"latency limit", "history before the recording", "unknown",
};

static const char *const ended_names[NR_ENDED] = { "-", "timer", "tick", "device", "busy-cpu", "cpu" };

void question(const struct inputs *inputs, const struct step *step, int64_t entry, struct replay_now *now)
{
	int64_t base = entry - (entry - inputs->tick_phase) % inputs->tick_ns;

	now->delta_next = step->device - entry;
	if (!step->stopped && step->wheel - base <= inputs->tick_ns)
		now->sleep_length = now->delta_next;
	else
		now->sleep_length = least(step->wheel, step->hrtimer) - entry;
	now->latency_req = step->limit;
	now->tick_stopped = step->stopped;
	now->got_tick = false;
	now->clock = step->enter - inputs->usual_gap / 3;
	now->asked = false;
}

/* RCU or a softirq wants the next tick. */
static void hold(const struct inputs *inputs, const struct step *step, struct replay_now *now)
{
	int64_t tick = step->entry - (step->entry - inputs->tick_phase) % inputs->tick_ns + inputs->tick_ns;

	now->sleep_length = step->stopped ? least(tick, step->hrtimer) - step->entry : now->delta_next;
}

/* Name the first input without which the choice differs. */
static const char *decided_by(const struct inputs *inputs, const struct step *step, struct variant *variant,
			      const struct saved *saved, int choice)
{
	static const char *const names[] = { "limit", "timer", "tick", "history" };
	struct replay_now *now = variant->governor->now;
	const char *found = "table";
	struct saved after;
	bool stop;

	variant_save(variant, &after);
	for (int i = 0; i < 4; i++) {
		variant_return(variant, saved);
		question(inputs, step, step->entry, now);
		if (i == 0)
			now->latency_req = INT32_MAX * 1000LL;
		else if (i == 1)
			now->sleep_length = NEVER - step->entry;
		else if (i == 2)
			now->tick_stopped = !step->stopped;
		else if (variant->governor->state_size)
			variant_start(variant, step->cpu, inputs), question(inputs, step, step->entry, now);
		if (variant_choose(variant, &stop) != choice) {
			found = names[i];
			break;
		}
	}
	variant_return(variant, &after);
	return found;
}

static char *put_length(char *p, int64_t length)
{
	*p++ = '\t';
	if (length > NEVER / 2)
		return put_text(p, "-");
	return put_s64(p, length);
}

static void write_choice(struct outfile *out, const struct variant *variant, const struct step *step,
			 const struct replay_now *asked, int choice, int64_t last, const char *decided, enum cause cause)
{
	char *p = put_u64(outfile_reserve(out, 512), step->cpu);

	p = put_length(p, step->enter);
	*p++ = '\t';
	p = put_text(p, variant->driver.states[step->state].name);
	*p++ = '\t';
	p = put_text(p, variant->driver.states[choice].name);
	p = put_length(p, asked->sleep_length);
	p = put_length(p, asked->delta_next);
	p = put_text(p, step->stopped ? "\tstopped" : "\truns");
	p = put_length(p, step->limit >= INT32_MAX / 2 * 1000LL ? NEVER : step->limit);
	p = put_length(p, last);
	p = put_length(p, step->exit - step->enter);
	*p++ = '\t';
	p = put_text(p, ended_names[step->ended]);
	*p++ = '\t';
	p = put_text(p, decided);
	*p++ = '\t';
	p = put_text(p, cause == AGREES ? "-" : cause_names[cause]);
	*p++ = '\n';
	outfile_commit(out, p);
}

/* The last periods, to find what went wrong in one of them. */
static struct past {
	struct step *step;
	struct saved saved;
	bool held;
} past[PAST];
static uint64_t nr_past;
/*
 * RCU or a softirq keeps the tick. Seen when the governor lets the tick stop, but it goes on; until the tick stops, or RCU
 * has called back.
 */
static bool held;

/* Another value of what the recording does not say exactly. */
struct change {
	enum cause cause;
	int64_t entry, length;
};

static const struct change no_change;

static int choose_at(struct inputs *inputs, struct step *step, struct variant *variant, const struct saved *saved,
		     const struct change *change)
{
	struct replay_now *now = variant->governor->now;
	bool stop;
	int choice;

	question(inputs, step, step->entry + change->entry, now);
	if (variant->device.last_residency_ns > 2000)
		variant->device.last_residency_ns += change->length;
	if (inputs->functions)
		held = step->held;
	else if (step->stopped || step->stops)
		held = false;
	if (change->cause == CAUSE_REFUSED) {
		variant_choose(variant, &stop);
		variant->device.last_residency_ns = 0;
	} else if (change->cause == CAUSE_HELD) {
		held = !held;
	} else if (change->cause == CAUSE_TIMER) {
		now->sleep_length = now->delta_next = step->exit - step->entry;
	} else if (change->cause == CAUSE_LIMIT) {
		now->latency_req = 0;
	}
	if (held)
		hold(inputs, step, now);
	step->held = held;
	choice = variant_choose(variant, &stop);
	if (step->state == REFUSED) {
		variant->device.last_residency_ns = 0;
		return REFUSED;
	}
	/* The governor let the tick stop, and no timer was near, but the tick went on. */
	if (change->cause != CAUSE_HELD && !inputs->functions && stop && now->asked && !step->stopped && !step->stops &&
	    now->sleep_length != now->delta_next) {
		step->held = held = true;
		variant_return(variant, saved);
		question(inputs, step, step->entry, now);
		now->sleep_length = now->delta_next;
		choice = variant_choose(variant, &stop);
	}
	return choice;
}

static void reflect(const struct inputs *inputs, const struct step *step, struct variant *variant)
{
	variant_reflect(variant, step->state, step->exit - step->enter - inputs->event_cost, step->got_tick,
			step->exit + inputs->usual_gap / 2);
	if (step->rcu)
		held = false;
}

/*
 * Replay the last periods again, with CHANGE in the one that is BACK before the last, or with other times in all from there.
 * Return whether all choices agree.
 */
static bool tries(struct inputs *inputs, struct variant *variant, uint64_t back, const struct change *change)
{
	for (uint64_t i = nr_past - back; i <= nr_past; i++) {
		struct past *one = &past[i % PAST];

		if (i == nr_past - back) {
			variant_return(variant, &one->saved);
			held = one->held;
		}
		variant_save(variant, &one->saved);
		one->held = held;
		if (choose_at(inputs, one->step, variant, &one->saved, i == nr_past - back || change->cause == CAUSE_TIME ? change : &no_change) != one->step->state)
			return false;
		if (i < nr_past && one->step->state != REFUSED)
			reflect(inputs, one->step, variant);
	}
	return true;
}

/*
 * Find what other value in this period or one before would have given all recorded choices, and go on from there. The
 * periods are then as if the recording had said so.
 */
static enum cause find_cause(struct inputs *inputs, struct variant *variant)
{
	static const int64_t times[NR_TIMES] = { 0, -100, 100, -400, 400, -1500, 1500 };
	struct past *copy = xrealloc(NULL, 1, sizeof(past));
	uint64_t most = nr_past < PAST - 1 ? nr_past : PAST - 1;
	struct change change = { 0 };
	struct saved after;
	bool after_held = held;

	variant_save(variant, &after);
	memcpy(copy, past, sizeof(past));
	for (change.cause = CAUSE_TIME; change.cause <= CAUSE_LIMIT; change.cause++)
		for (uint64_t back = 0; back <= most; back++) {
			const struct step *step = past[(nr_past - back) % PAST].step;

			/* Calls of functions tell refused and held choices. */
			if ((inputs->functions && (change.cause == CAUSE_REFUSED || change.cause == CAUSE_HELD)) ||
			    (change.cause == CAUSE_TIMER && !step->unknown_timer && step->ended != BY_NOTHING) ||
			    (change.cause == CAUSE_LIMIT && back))
				continue;
			for (int i = 0; i < (change.cause == CAUSE_TIME ? NR_TIMES * NR_TIMES : 1); i++) {
				change.entry = i / NR_TIMES == NR_TIMES - 1 ? step->latest - step->entry : times[i / NR_TIMES];
				change.length = times[i % NR_TIMES];
				if (tries(inputs, variant, back, &change))
					goto out;
				memcpy(past, copy, sizeof(past));
			}
		}
	change.cause = !inputs->governor && nr_past < HISTORY ? CAUSE_HISTORY : CAUSE_UNKNOWN;
	variant_return(variant, &after);
	held = after_held;
out:
	free(copy);
	return change.cause;
}

static void explain_step(struct inputs *inputs, struct step *step, struct variant *variant, struct outfile *out,
			 struct agreement *agreement)
{
	struct past *present = &past[nr_past % PAST];
	int64_t last = variant->device.last_residency_ns;
	const char *decided = "-";
	enum cause cause = AGREES;
	struct replay_now asked;
	int choice;

	present->step = step;
	present->held = held;
	variant_save(variant, &present->saved);
	choice = choose_at(inputs, step, variant, &present->saved, &no_change);
	asked = *variant->governor->now;
	if (choice != step->state)
		cause = find_cause(inputs, variant);
	nr_past++;
	if (step->state == REFUSED)
		return;
	agreement->n++;
	agreement->causes[cause]++;
	if (out) {
		if (choice == step->state)
			decided = decided_by(inputs, step, variant, &present->saved, choice);
		write_choice(out, variant, step, &asked, choice, last, decided, cause);
	}
	reflect(inputs, step, variant);
}

void explain(struct inputs *inputs, struct variant *variant, struct outfile *out, struct agreement *agreement)
{
	static const char header[] = "cpu\tenter_ns\trecorded\treplayed\tnext_timer_ns\tnext_event_ns\ttick\tlimit_ns\tlast_ns\t"
				     "length_ns\tended_by\tdecided_by\tcause\n";
	int cpu = -1;

	*agreement = (struct agreement) { 0 };
	if (out)
		outfile_commit(out, put_text(outfile_reserve(out, sizeof(header)), header));
	for (size_t i = 0; i < inputs->nr; i++) {
		struct step *step = &inputs->steps[i];

		if (step->cpu != cpu) {
			cpu = step->cpu;
			variant_start(variant, cpu, inputs);
			nr_past = 0;
			held = false;
		}
		if (step->state >= variant->driver.state_count)
			die("the recording has state %d, but the table has %d states", step->state,
			    variant->driver.state_count);
		explain_step(inputs, step, variant, out, agreement);
	}
	if (out)
		outfile_close(out);
}
