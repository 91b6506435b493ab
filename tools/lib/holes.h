/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Detect a large file that consists almost only of holes. A user can make such a file so large that
 * reading its zeros never ends. scripts/lib/common/trust.sh checks the files that commands name in
 * the same way.
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
