/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Run a parser that cannot be trusted with damaged input in a child process.
 *
 * libtracecmd and libtraceevent map the file and believe its offsets: a truncated
 * recording can end in SIGBUS, SIGSEGV or an endless loop, and they print to stdout
 * and stderr on the way. In the child both go to /dev/null; only message() still prints. The
 * child's CPU time and memory (bytes of address space) are limited.
 */
#ifndef WAKELAT_GUARD_H
#define WAKELAT_GUARD_H

#include <stdint.h>

#define GUARD_CRASHED (-1)

/*
 * Return the result of work(arg) (0..125), the exit status of its die(), or GUARD_CRASHED
 * if the child ended in any other way. SIGINT, SIGTERM and SIGHUP kill the child. Then
 * *signal is the signal, and the caller must clean up and raise it again.
 */
int guard_run(int (*work)(void *arg), void *arg, unsigned int cpu_seconds, uint64_t memory,
	      int *signal);

#endif
