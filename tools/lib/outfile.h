/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output files: the one way out of these programs. No symbolic link is followed, no pipe is waited for, and every write
 * error is noticed.
 *
 * A file that others may see is made in a directory that only the caller can enter, beside its place, and gets its name when
 * it is whole: outfile_begin(), outfile_close(), outfile_place(). All of that is relative to descriptors of the two
 * directories: whoever can rename in one of them changes nothing but names of his own. Its mode is the umask's.
 * One in a directory of the caller's own is just made.
 */
#ifndef WAKELAT_OUTFILE_H
#define WAKELAT_OUTFILE_H

#include <stdbool.h>
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

/*
 * Make the directory for NAME now; for a parent whose child writes NAME. Up to outfile_place() or outfile_drop(), which also
 * happens when the program exits.
 */
void outfile_reserve_name(const char *name);
void outfile_drop(const char *name);

/* Drop what is not placed also at SIGINT, SIGTERM and SIGHUP. */
void outfile_drop_at_signals(void);

/* Open NAME's directory; *BASE becomes NAME's last part. */
int outfile_parent(const char *name, char **base);

/* Make and open a directory in DIR, for FOR_NAME, that only we can enter. */
int outfile_own_directory(int dir, const char *for_name, char **own_name);

/* Is there nothing in the place of BASE, or a regular file? Otherwise a message about NAME. */
bool outfile_replaceable(int dir, const char *base, const char *name);

/* Make NAME without its name; die() if that cannot be. */
void outfile_begin(struct outfile *out, const char *name);
FILE *outfile_begin_stream(const char *name);

/* Give what is whole its name. A message and -1 if that cannot be. */
int outfile_place(const char *name);

/* Room for SIZE more bytes at the returned place; outfile_commit() says where they end. */
char *outfile_reserve(struct outfile *out, size_t size);
void outfile_commit(struct outfile *out, const char *end);

/* Write what is left and close; die() on any error. */
void outfile_close(struct outfile *out);
void outfile_close_stream(FILE *f, const char *name);

/* Write what is left of standard output; die() on any error. */
void outfile_end_stdout(void);

#endif
