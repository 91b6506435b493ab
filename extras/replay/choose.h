/* SPDX-License-Identifier: GPL-2.0 */
/* Load compiled governors and ask them. */
#ifndef REPLAY_CHOOSE_H
#define REPLAY_CHOOSE_H

#include "inputs.h"
#include "standin.inc"

#define MAX_STATE_SIZE 2048

/* A governor with a table of states and a latency limit. */
struct variant {
	const char *name;
	struct replay_governor *governor;
	struct cpuidle_driver driver;
	struct cpuidle_device device;	/* of the CPU at hand */
	int64_t limit;			/* ns; -1: that of the recording */
	int64_t poll_limit;
	char pristine[MAX_STATE_SIZE];
};

/* What a governor learns about one choice, and its device, to try other answers and return. */
struct saved {
	struct cpuidle_device device;
	char state[MAX_STATE_SIZE];
};

/*
 * Load the governor FILE. TABLE has its idle states: INDEX:NAME:RESIDENCY_NS:LATENCY_NS:DISABLED,... die() if the kernel
 * would refuse the table.
 */
void variant_load(struct variant *variant, const char *name, const char *file, const char *table, int64_t limit);

/* Start the governor on CPU of INPUTS. */
void variant_start(struct variant *variant, int cpu, const struct inputs *inputs);

/* Ask for a state. STOP: whether the governor lets the tick be stopped. */
int variant_choose(struct variant *variant, bool *stop);

/* Tell the governor how long the CPU was in STATE, at the time NOW. */
void variant_reflect(struct variant *variant, int state, int64_t residency, bool got_tick, int64_t now);

void variant_save(const struct variant *variant, struct saved *saved);
void variant_return(struct variant *variant, const struct saved *saved);

#endif
