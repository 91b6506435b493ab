/* SPDX-License-Identifier: GPL-2.0 */
/* What a program needs that measures until it is told to stop. */
#ifndef WAKELAT_MEASURING_H
#define WAKELAT_MEASURING_H

#include <signal.h>
#include <stdint.h>
#include <time.h>

/* The signal that asks to stop; 0: none did. */
extern volatile sig_atomic_t stopped;

/* Let SIGINT, SIGTERM and SIGHUP set stopped, and so does the end of the process that started this one. */
void catch_signals(void);

uint64_t clock_ns(clockid_t clock);

/* Hold a limit of US in /dev/cpu_dma_latency until this process ends; below 0 none. die() if that cannot be. */
void hold_latency(int32_t us);

#endif
