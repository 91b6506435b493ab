/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output files: the one way out of these programs. No symbolic link is followed, no pipe is waited for, and every write
 * error is noticed.
 *
 * A file that others may see is made under a name that nobody can foresee and nothing has, and gets its own when it is
 * whole: outfile_begin(), outfile_close(), outfile_place(). One in a directory of the caller's own is just made.
 */
#ifndef WAKELAT_OUTFILE_H
#define WAKELAT_OUTFILE_H

#include <stddef.h>
#include <stdio.h>

struct outfile {
	const char *name;
	int fd;
	size_t used;
	char buf[1 << 18];
};

/* In a directory of the caller's own; die() if it cannot be made. The first two without a buffer, or with stdio's. */
int outfile_create(const char *name);
FILE *outfile_stream(const char *name);
void outfile_open(struct outfile *out, const char *name);

/* What NAME is called until outfile_place(); the same each time. */
const char *outfile_partial(const char *name);

/* Make NAME under its partial name; die() if that cannot be. */
void outfile_begin(struct outfile *out, const char *name);
FILE *outfile_begin_stream(const char *name);

/* Give what is whole its name. A message and -1 if that cannot be. */
int outfile_place(const char *name);

/* Room for SIZE more bytes at the returned place; outfile_commit() says where they end. */
char *outfile_reserve(struct outfile *out, size_t size);
void outfile_commit(struct outfile *out, const char *end);

/* Write what is left and close; die() on any error. */
void outfile_close(struct outfile *out);

#endif
