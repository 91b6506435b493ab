// SPDX-License-Identifier: GPL-2.0
#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>

#include "choose.h"
#include "message.h"
#include "number.h"
#include "tsv.h"

/* As in drivers/cpuidle/cpuidle.c. */
#define POLL_LEAST 10000

static int64_t part_of(char **at, const char *table, bool last)
{
	char *end = *at + strcspn(*at, ":");
	int64_t value;

	if (!parse_s64(*at, end, &value) || value < 0 || !*end != last)
		die("'%s' is not INDEX:NAME:RESIDENCY_NS:LATENCY_NS:DISABLED,...", table);
	*at = end + !last;
	return value;
}

static void parse_table(struct variant *variant, const char *table)
{
	struct cpuidle_driver *driver = &variant->driver;
	char **entries;
	size_t nr = split_list(table, &entries);

	if (!nr || nr > CPUIDLE_STATE_MAX)
		die("%zu states: a kernel has 1 to %d", nr, CPUIDLE_STATE_MAX);
	driver->name = "replay";
	driver->state_count = nr;
	for (size_t i = 0; i < nr; i++) {
		struct cpuidle_state *state = &driver->states[i];
		char *at = entries[i], *name;

		if (part_of(&at, table, false) != (int64_t)i)
			die("state %zu is missing in '%s'", i, table);
		name = at;
		at += strcspn(at, ":");
		if (!*at || (size_t)(at - name) >= sizeof(state->name))
			die("'%s' is no name of a state", name);
		*at++ = 0;
		strcpy(state->name, name);
		state->target_residency_ns = part_of(&at, table, false);
		state->exit_latency_ns = part_of(&at, table, false);
		variant->device.states_usage[i].disable = part_of(&at, table, true);
		state->target_residency = state->target_residency_ns / 1000;
		state->exit_latency = state->exit_latency_ns / 1000;
		if (!i && !strcmp(name, "POLL"))
			state->flags = CPUIDLE_FLAG_POLLING;
		/* These are the rules of intel_idle.table=. */
		if (i && state->target_residency_ns < state->exit_latency_ns)
			die("%s: the residency of %s is shorter than its exit latency, which a kernel refuses", variant->name,
			    state->name);
		if (i && (state->exit_latency_ns <= state[-1].exit_latency_ns ||
			  state->target_residency_ns <= state[-1].target_residency_ns))
			if (!(i == 1 && !state->exit_latency_ns))
				die("%s: latency or residency of %s is not greater than that of %s, which a kernel refuses",
				    variant->name, state->name, state[-1].name);
		free(entries[i]);
	}
	free(entries);
}

void variant_load(struct variant *variant, const char *name, const char *file, const char *table, int64_t limit)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	memset(variant, 0, sizeof(*variant));
	variant->name = name;
	variant->limit = limit;
	if (!library)
		die("%s", dlerror());
	variant->governor = dlsym(library, "replay_governor");
	if (!variant->governor || variant->governor->init() || !variant->governor->governor)
		die("%s registers no governor", file);
	if (variant->governor->state_size > MAX_STATE_SIZE)
		die("%s: the governor keeps %zu bytes per CPU, more than %d", file, variant->governor->state_size,
		    MAX_STATE_SIZE);
	if (variant->governor->state_size)
		memcpy(variant->pristine, variant->governor->state, variant->governor->state_size);
	parse_table(variant, table);
}

/* The time after which the kernel ends polling. */
static int64_t poll_limit(const struct variant *variant, int64_t tick_ns)
{
	for (int i = 1; i < variant->driver.state_count; i++) {
		int64_t residency = variant->driver.states[i].target_residency_ns;

		if (!variant->device.states_usage[i].disable && residency >= POLL_LEAST)
			return residency < tick_ns / 16 ? residency : tick_ns / 16;
	}
	return tick_ns / 16;
}

void variant_start(struct variant *variant, int cpu, const struct inputs *inputs)
{
	const struct step *before = &inputs->before[cpu];
	struct cpuidle_device *device = &variant->device;
	struct replay_governor *governor = variant->governor;

	if (governor->state_size)
		memcpy(governor->state, variant->pristine, governor->state_size);
	*governor->now = (struct replay_now) { .cpu = cpu, .tick_ns = inputs->tick_ns };
	device->cpu = cpu;
	device->last_state_idx = 0;
	/* Not 0: the state before was entered. */
	device->last_residency_ns = 1;
	if (before->state != REFUSED && before->state < variant->driver.state_count) {
		device->last_state_idx = before->state;
		device->last_residency_ns = before->exit - before->enter - inputs->event_cost;
	}
	device->poll_limit_ns = 0;
	device->poll_time_limit = 0;
	variant->poll_limit = poll_limit(variant, inputs->tick_ns);
	if (governor->governor->enable)
		governor->governor->enable(&variant->driver, device);
}

int variant_choose(struct variant *variant, bool *stop)
{
	int state;

	*stop = true;
	state = variant->governor->governor->select(&variant->driver, &variant->device, stop);
	if (state < 0 || state >= variant->driver.state_count)
		die("the governor %s chose state %d of %d", variant->governor->governor->name, state, variant->driver.state_count);
	return state;
}

void variant_reflect(struct variant *variant, int state, int64_t residency, bool got_tick, int64_t now)
{
	struct cpuidle_device *device = &variant->device;

	device->last_residency_ns = residency > 1 ? residency : 1;
	if (variant->driver.states[state].flags & CPUIDLE_FLAG_POLLING)
		device->poll_time_limit = residency > variant->poll_limit;
	variant->governor->now->got_tick = got_tick;
	variant->governor->now->clock = now;
	if (variant->governor->governor->reflect)
		variant->governor->governor->reflect(device, state);
}

void variant_save(const struct variant *variant, struct saved *saved)
{
	saved->device = variant->device;
	if (variant->governor->state_size)
		memcpy(saved->state, variant->governor->state, variant->governor->state_size);
}

void variant_return(struct variant *variant, const struct saved *saved)
{
	variant->device = saved->device;
	if (variant->governor->state_size)
		memcpy(variant->governor->state, saved->state, variant->governor->state_size);
}
