/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Drop pages of a mapped file from memory after they were read. A recording may be larger than the memory. The kernel reads a page
 * again if it is needed after all.
 */
#ifndef WAKELAT_DROP_H
#define WAKELAT_DROP_H

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* How many bytes are dropped at a time. */
#define DROP_BYTES (8 << 20)

/* Drop the pages from DROPPED, the beginning of a page, to AT if they are enough. Return the new value of DROPPED. */
static inline uintptr_t drop_pages(uintptr_t dropped, uintptr_t at)
{
	if (at < dropped || at - dropped < DROP_BYTES)
		return dropped;
	at -= at % sysconf(_SC_PAGESIZE);
	madvise((void *)dropped, at - dropped, MADV_DONTNEED);
	return at;
}

#endif
