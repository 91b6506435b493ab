/* SPDX-License-Identifier: GPL-2.0 */
/* Read the idle states of a recording from the file run.tsv or cpuidle.txt beside it. */
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

/*
 * Add the states of RECORDING, a trace.dat. If its names or latencies differ from those of earlier recordings, they are
 * dropped. This never fails: without the file, the states are not known.
 */
void states_read(struct states *states, const char *recording);

/* Add the states of all recordings that this process has open: libtraceevent does not tell a plugin which one it reads. */
void states_read_open(struct states *states);

/* Return the name of STATE, or NULL if it is not known. */
const char *states_name(const struct states *states, uint64_t state);

#endif
