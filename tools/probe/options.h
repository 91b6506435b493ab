/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options that the programs of this folder have in common.
 *
 * all:
 *	-N NAME		name of the next idle state, in the order of states; a state named POLL is a loop
 *
 * all but top:
 *	-T SECONDS	0: no limit
 *	-L US		hold /dev/cpu_dma_latency at this limit
 *	-V FD		live view on this terminal
 *	-t TEXT		first line of the live view
 *	-E FILE		write OpenMetrics to this file every -e SECONDS
 *	-M NAME		kind of machine, for -E: bare, guest, emulated
 *	-C		let the kernel measure what the BPF programs cost
 *	-K		only check whether the kernel accepts the BPF programs; the output files may be /dev/null
 */
#ifndef WAKELAT_OPTIONS_H
#define WAKELAT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "probe.h"

#define COMMON_OPTIONS "N:T:L:V:t:E:e:M:CK"

struct options {
	uint64_t seconds, every_s;
	int latency_limit;	/* us, -1: none */
	int view;		/* -1: none */
	const char *note;
	const char *export;	/* NULL: none */
	const char *machine;
	bool cost, check;
};

extern struct options options;

/* Take OPTION, one of COMMON_OPTIONS, with its value TEXT. Any other option: exit with status 2. */
void take_common_option(int option, char *text);

/* Return the number TEXT; die() if TEXT is not a number. */
uint64_t take_number(const char *text);

/* The names of the idle states. Names beyond PROBE_MAX_STATES are left out. */
extern char *state_names[PROBE_MAX_STATES];
extern unsigned int nr_state_names;
extern __u32 polling_states;	/* bit N: state N is a loop */

void take_state_name(char *name);

/* Return the name of STATE, or "stateN" if it has none. The next call may overwrite the text. */
const char *state_name(unsigned int state);

#endif
