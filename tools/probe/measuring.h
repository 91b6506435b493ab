/* SPDX-License-Identifier: GPL-2.0 */
/* Functions for programs that measure until they are told to stop. */
#ifndef WAKELAT_MEASURING_H
#define WAKELAT_MEASURING_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define LOOK_NS 250000000ULL	/* how often the programs look for new data */
#define DRAW_NS 1000000000ULL	/* how often they draw the live view */

/* The signal that asked this program to stop; 0: no signal yet. */
extern volatile sig_atomic_t stopped;

/* Set stopped on SIGINT, SIGTERM and SIGHUP. */
void catch_signals(void);

uint64_t clock_ns(clockid_t clock);

/* Sleep for NS, or until a signal arrives. */
void sleep_ns(uint64_t ns);

/* Return true if INTERVAL ns have passed from *LAST to NOW, and set *LAST to NOW then. */
bool is_due(uint64_t *last, uint64_t now, uint64_t interval);

/* Hold a limit of US in /dev/cpu_dma_latency until this process ends. If US is below 0, do nothing. die() on failure. */
void hold_latency(int32_t us);

#endif
