/* SPDX-License-Identifier: GPL-2.0 */
/* Predict what a variant would have chosen, if the events outside it had been the same. */
#ifndef REPLAY_PREDICT_H
#define REPLAY_PREDICT_H

#include "choose.h"

struct shares {
	uint64_t n[CPUIDLE_STATE_MAX], too_deep[CPUIDLE_STATE_MAX], too_shallow[CPUIDLE_STATE_MAX];
	uint64_t all;
	uint64_t uncertain;		/* periods that may be one or two */
	double latency[CPUIDLE_STATE_MAX];	/* sums, ns */
};

/* Lists of the latencies that the recording has, for each state. */
struct latencies {
	int64_t *list[CPUIDLE_STATE_MAX];
	size_t nr[CPUIDLE_STATE_MAX], room[CPUIDLE_STATE_MAX];
	int64_t median[CPUIDLE_STATE_MAX];
	int64_t after_tick;		/* from the exit after a tick until the kernel chooses again, median */
};

/* How the recorded periods ended, pure ticks left out. */
struct ends {
	uint64_t n[NR_ENDED], all;
};

void latencies_read(struct latencies *latencies, const struct inputs *inputs);
void ends_count(struct ends *ends, const struct inputs *inputs);

/* Count the recorded choices of the states in VARIANT's table. */
void recorded_shares(const struct inputs *inputs, const struct variant *variant, struct shares *shares);

void predict(const struct inputs *inputs, const struct latencies *latencies, struct variant *variant,
	     struct shares *shares);

#endif
