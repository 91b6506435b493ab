/* SPDX-License-Identifier: GPL-2.0 */
/* Read the idle states of a testbed run from run.tsv, and compare them with the truth log. */
#ifndef WAKELAT_TRUTH_STATES_H
#define WAKELAT_TRUTH_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "tsv.h"

#define MAX_STATES 16

/*
 * A hint says how a state is entered: MWAIT's hint, IO_PORT plus a port number, or HLT; on arm64
 * WFI, or PSCI plus the power_state of CPU_SUSPEND.
 */
#define IO_PORT 0x10000
#define PSCI 0x100000000
#define HLT -1
#define DEFAULT_IDLE -2
#define WFI -3

void states_read(const char *dir);

/* Return the name of STATE (below MAX_STATES), or its number if run.tsv has no name. */
const char *state_name(int64_t state);

/* Return true if HINT, which is from the log, enters STATE. False for a STATE that cannot exist. */
bool is_entered(int64_t state, long hint);

/* Parse a hint of the log: "0x20", "io:0x0814", "hlt"; on arm64 "wfi", "0x00010000". */
long hint_of_log(const struct tsv_cell *cell);

/* Return true if the core loses its context in the state that HINT enters. */
bool loses_context(long hint);

#endif
