/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Is this file large, and next to nothing in it? Who reads it gets zeros for as long as somebody likes.
 * scripts/lib/common/trust.sh asks the same of what commands name.
 */
#ifndef WAKELAT_HOLES_H
#define WAKELAT_HOLES_H

#include <stdbool.h>
#include <sys/stat.h>

static inline bool is_hollow(const struct stat *st)
{
	return st->st_size > 1 << 30 && st->st_blocks * 512 < st->st_size / 64;
}

#endif
