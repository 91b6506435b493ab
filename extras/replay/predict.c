// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "explain.h"
#include "message.h"
#include "number.h"
#include "predict.h"

#define LONGEST_LATENCY 10000000

static int64_t median(const int64_t *list, size_t nr)
{
	int64_t *sorted = xrealloc(NULL, nr + 1, sizeof(*sorted)), *scratch = xrealloc(NULL, nr + 1, sizeof(*scratch)), middle;

	memcpy(sorted, list, nr * sizeof(*sorted));
	sort_s64(sorted, scratch, nr);
	middle = sorted[nr / 2];
	free(sorted);
	free(scratch);
	return middle;
}

void latencies_read(struct latencies *latencies, const struct inputs *inputs)
{
	size_t nr = 0, room = 0;
	int64_t *gaps = NULL;

	*latencies = (struct latencies) { 0 };
	for (size_t i = 0; i < inputs->nr; i++) {
		const struct step *step = &inputs->steps[i];
		int64_t latency = step->exit - step->due;
		int state = step->state;

		if (state < 0 || state >= CPUIDLE_STATE_MAX || step->due == NEVER || step->with_tick || step->due <= step->enter ||
		    latency < 0 || latency > LONGEST_LATENCY)
			continue;
		latencies->list[state] = xgrow(latencies->list[state], latencies->nr[state], &latencies->room[state],
					       sizeof(int64_t));
		latencies->list[state][latencies->nr[state]++] = latency;
	}
	for (int i = 0; i < CPUIDLE_STATE_MAX; i++)
		latencies->median[i] = median(latencies->list[i], latencies->nr[i]);
	for (size_t i = 0; i + 1 < inputs->nr; i++)
		if (inputs->steps[i].ended == BY_TICK && inputs->steps[i + 1].cpu == inputs->steps[i].cpu &&
		    !inputs->steps[i + 1].after_task && inputs->steps[i + 1].entry > inputs->steps[i].exit) {
			gaps = xgrow(gaps, nr, &room, sizeof(*gaps));
			gaps[nr++] = inputs->steps[i + 1].entry - inputs->steps[i].exit;
		}
	latencies->after_tick = nr ? median(gaps, nr) : inputs->usual_gap / 3;
	free(gaps);
}

/* A state that no timer ended is taken to have its advertised latency. */
static int64_t usual_latency(const struct latencies *latencies, const struct variant *variant, int state)
{
	return latencies->nr[state] ? latencies->median[state] : variant->driver.states[state].exit_latency_ns;
}

static void count(struct shares *shares, const struct variant *variant, int state, int64_t length, int64_t latency)
{
	const struct cpuidle_state *states = variant->driver.states;

	shares->all++;
	shares->n[state]++;
	shares->latency[state] += latency;
	if (length < states[state].target_residency_ns) {
		for (int i = state - 1; i >= 0; i--)
			if (!variant->device.states_usage[i].disable) {
				shares->too_deep[state]++;
				break;
			}
	} else if (length > states[state].exit_latency_ns) {
		for (int i = state + 1; i < variant->driver.state_count; i++)
			if (!variant->device.states_usage[i].disable) {
				shares->too_shallow[state] += length - states[state].exit_latency_ns >=
					states[i].target_residency_ns;
				break;
			}
	}
}

void recorded_shares(const struct inputs *inputs, const struct variant *variant, struct shares *shares)
{
	*shares = (struct shares) { 0 };
	for (size_t i = 0; i < inputs->nr; i++) {
		const struct step *step = &inputs->steps[i];

		if (step->state != REFUSED)
			count(shares, variant, step->state, step->exit - step->enter - inputs->event_cost,
			      !step->with_tick && step->due > step->enter && step->due < step->exit ? step->exit - step->due : 0);
	}
}

/* The last step of the spell that begins with step FIRST. Pure ticks do not end a spell: the prediction makes its own. */
static size_t end_of_spell(const struct inputs *inputs, size_t first)
{
	size_t last = first;

	while (last + 1 < inputs->nr && inputs->steps[last].ended == BY_TICK && !inputs->steps[last + 1].after_task &&
	       inputs->steps[last + 1].cpu == inputs->steps[first].cpu && inputs->steps[last + 1].state != REFUSED)
		last++;
	return last;
}

void ends_count(struct ends *ends, const struct inputs *inputs)
{
	*ends = (struct ends) { 0 };
	for (size_t i = 0; i < inputs->nr; i++) {
		i = end_of_spell(inputs, i);
		if (inputs->steps[i].state == REFUSED)
			continue;
		ends->n[inputs->steps[i].ended]++;
		ends->all++;
	}
}

struct cpu_now {
	int64_t shift;		/* how much later this CPU is than in the recording */
	bool stopped;
	size_t drawn[CPUIDLE_STATE_MAX];
};

static int64_t draw(const struct latencies *latencies, const struct variant *variant, struct cpu_now *cpu, int state)
{
	if (!latencies->nr[state])
		return variant->driver.states[state].exit_latency_ns;
	return latencies->list[state][cpu->drawn[state]++ % latencies->nr[state]];
}

static int ask(const struct inputs *inputs, const struct step *step, int64_t entry, struct variant *variant,
	       const struct cpu_now *cpu, bool *stop)
{
	struct replay_now *now = variant->governor->now;

	question(inputs, step, entry, now);
	if (step->held && !cpu->stopped)
		now->sleep_length = now->delta_next;
	if (variant->limit >= 0)
		now->latency_req = variant->limit;
	return variant_choose(variant, stop);
}

/* Predict the periods of one spell: until its event, at WAKE. */
static void spell(const struct inputs *inputs, const struct latencies *latencies, struct variant *variant,
		  struct cpu_now *cpu, size_t first, size_t last, int64_t wake, struct shares *shares)
{
	int64_t tick_ns = inputs->tick_ns, entry = inputs->steps[first].entry + cpu->shift, begin = entry, exit = entry;
	int64_t first_begin = begin;
	struct saved saved;
	size_t at = first;

	for (;;) {
		struct step step;
		int64_t tick, base = entry - (entry - inputs->tick_phase) % tick_ns, end = wake, latency = 0;
		bool stop, polls, by_tick = false;
		int state, other[2];

		while (at < last && inputs->steps[at + 1].entry + cpu->shift <= begin)
			at++;
		step = inputs->steps[at];
		tick = base + tick_ns;
		if (step.relative && step.hrtimer != NEVER)
			step.hrtimer += cpu->shift;
		step.stopped = cpu->stopped;
		step.device = least(step.hrtimer, cpu->stopped ? step.wheel : tick);
		step.enter = begin + inputs->usual_gap * 2 / 3;
		if (begin > first_begin) {
			/* When this period begins is estimated. */
			variant_save(variant, &saved);
			for (int i = -1; i <= 1; i += 2) {
				other[i > 0] = ask(inputs, &step, entry + i * latencies->after_tick / 2, variant, cpu, &stop);
				variant_return(variant, &saved);
			}
		}
		state = ask(inputs, &step, entry, variant, cpu, &stop);
		shares->uncertain += begin > first_begin && (other[0] != state || other[1] != state);
		if (stop && !cpu->stopped && !step.held && step.wheel - base > tick_ns)
			cpu->stopped = true;
		if (!cpu->stopped && tick < wake) {
			end = tick;
			by_tick = true;
		}
		polls = (variant->driver.states[state].flags & CPUIDLE_FLAG_POLLING) &&
			end - step.enter > variant->poll_limit;
		if (polls)
			end = step.enter + variant->poll_limit;
		else
			latency = draw(latencies, variant, cpu, state);
		if (end < step.enter)
			end = step.enter;
		exit = end + latency;
		count(shares, variant, state, exit - step.enter - inputs->event_cost, latency);
		variant_reflect(variant, state, exit - step.enter - inputs->event_cost,
				polls ? false : by_tick || inputs->steps[last].got_tick, exit + inputs->usual_gap / 2);
		if (exit >= wake)
			break;
		begin = exit + (by_tick ? latencies->after_tick : inputs->usual_gap / 3);
		if (!polls)
			entry = begin;
		/* Whether there is another period is a matter of how long this interrupt takes. */
		if (by_tick && begin - wake < latencies->after_tick && wake - begin < latencies->after_tick)
			shares->uncertain++;
		if (begin >= wake)
			break;
	}
	cpu->shift = exit - inputs->steps[last].exit;
}

void predict(const struct inputs *inputs, const struct latencies *latencies, struct variant *variant,
	     struct shares *shares)
{
	struct cpu_now cpu = { 0 };
	int nr = -1;

	*shares = (struct shares) { 0 };
	for (size_t i = 0; i < inputs->nr; i++) {
		const struct step *first = &inputs->steps[i], *last;
		int64_t wake;

		if (first->cpu != nr) {
			nr = first->cpu;
			cpu = (struct cpu_now) { 0 };
			variant_start(variant, nr, inputs);
		}
		if (first->state == REFUSED)
			continue;
		if (first->after_task)
			cpu.stopped = false;
		i = end_of_spell(inputs, i);
		last = &inputs->steps[i];
		if (last->due != NEVER)
			wake = last->due + (last->due_relative ? cpu.shift : 0);
		else
			wake = last->exit - usual_latency(latencies, variant, last->state);
		/* A timer that is due earlier now comes before the tick or the other CPU that came before it in the recording. */
		if (last->hrtimer != NEVER)
			wake = least(wake, last->hrtimer + (last->relative ? cpu.shift : 0));
		if (wake <= first->entry + cpu.shift)
			cpu.shift = first->entry + cpu.shift - last->exit;	/* not idle yet */
		else
			spell(inputs, latencies, variant, &cpu, first - inputs->steps, i, wake, shares);
	}
}
