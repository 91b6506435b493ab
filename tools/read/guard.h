/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Run a parser in a child process, because damaged input can crash it.
 *
 * libtracecmd and libtraceevent map the file and trust its offsets. On a truncated recording
 * they can cause SIGBUS, SIGSEGV or an endless loop, and they print to stdout and stderr. In the
 * child, stdout and stderr go to /dev/null; only message() still prints. The child's CPU time and
 * memory (bytes of address space) are limited.
 */
#ifndef WAKELAT_GUARD_H
#define WAKELAT_GUARD_H

#include <stdint.h>

/*
 * Return the limit of memory for the library that reads a recording of SIZE bytes, in bytes, which is also the limit of the
 * unpacked data: a compressed file states how large its data are, and may state any number. The library maps the file.
 */
static inline uint64_t guard_memory(uint64_t size)
{
	return (UINT64_C(512) << 20) + size * 16;
}

#define GUARD_CRASHED (-1)

/*
 * Call work(arg) in a child process. Return its result (0..125), the exit status of its die(), or
 * GUARD_CRASHED if the child ended in any other way. SIGINT, SIGTERM and SIGHUP kill the child. Then
 * *signal is this signal, otherwise 0. The caller must clean up and raise the signal again.
 */
int guard_run(int (*work)(void *arg), void *arg, unsigned int cpu_seconds, uint64_t memory,
	      int *signal);

#endif
