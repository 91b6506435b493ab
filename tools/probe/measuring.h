/* SPDX-License-Identifier: GPL-2.0 */
/* Functions for programs that measure until they are told to stop. */
#ifndef WAKELAT_MEASURING_H
#define WAKELAT_MEASURING_H

#include <signal.h>
#include <stdint.h>
#include <time.h>

/* The signal that asked this program to stop; 0: no signal yet. */
extern volatile sig_atomic_t stopped;

/* Set stopped on SIGINT, SIGTERM and SIGHUP, and when the parent process ends. */
void catch_signals(void);

uint64_t clock_ns(clockid_t clock);

/* Hold a limit of US in /dev/cpu_dma_latency until this process ends. If US is below 0, do nothing. die() on failure. */
void hold_latency(int32_t us);

#endif
