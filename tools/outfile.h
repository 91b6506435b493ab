/* SPDX-License-Identifier: GPL-2.0 */
/* A buffered output file whose every write error is noticed. */
#ifndef WAKELAT_OUTFILE_H
#define WAKELAT_OUTFILE_H

#include <stddef.h>

struct outfile {
	const char *name;
	int fd;
	size_t used;
	char buf[1 << 18];
};

/* die() if it cannot be made. */
void outfile_open(struct outfile *out, const char *name);

/* Room for SIZE more bytes at the returned place; outfile_commit() says where they end. */
char *outfile_reserve(struct outfile *out, size_t size);
void outfile_commit(struct outfile *out, const char *end);

/* Write what is left and close; die() on any error. */
void outfile_close(struct outfile *out);

#endif
