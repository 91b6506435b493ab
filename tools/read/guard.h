/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Run a parser that cannot be trusted with damaged input in a process of its own.
 *
 * libtracecmd and libtraceevent map the file and believe its offsets: a truncated
 * recording can end in SIGBUS, SIGSEGV or an endless loop, and they print to stdout
 * and stderr on the way. In the child both are closed off; only message() gets out. It has so much time, and so
 * much memory (bytes of address space), and no more.
 */
#ifndef WAKELAT_GUARD_H
#define WAKELAT_GUARD_H

#include <stdint.h>

#define GUARD_CRASHED (-1)

/*
 * Returns what work(arg) returned (0..125) or died with, or GUARD_CRASHED when it
 * ended in any other way. SIGINT, SIGTERM and SIGHUP are passed to the child;
 * *signal is then the signal and the caller cleans up and re-raises it.
 */
int guard_run(int (*work)(void *arg), void *arg, unsigned int cpu_seconds, uint64_t memory,
	      int *signal);

#endif
