/* SPDX-License-Identifier: GPL-2.0 */
/* What the run.tsv beside a recording, or its cpuidle.txt, says of its idle states. */
#ifndef WAKELAT_PLUGIN_STATES_H
#define WAKELAT_PLUGIN_STATES_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_STATES 16	/* the kernel has room for 10 */
#define MAX_STATE_NAME 24

struct state {
	char name[MAX_STATE_NAME];	/* "": not known, or two recordings differ */
	int64_t latency_ns;		/* advertised; -1: not known */
	bool differs;
};

struct states {
	struct state list[MAX_STATES];
};

void states_init(struct states *states);

/* Of the recording RECORDING, a trace.dat. What others have said already must be the same. Never fails: it is not there. */
void states_read(struct states *states, const char *recording);

/* Of all recordings that this process has open: who calls libtraceevent's plugins does not say which it is. */
void states_read_open(struct states *states);

/* NULL if it is not known. */
const char *states_name(const struct states *states, uint64_t state);

#endif
