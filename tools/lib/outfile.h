/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Output files of all programs. No symbolic link is followed, opening a pipe never blocks, and every write error is
 * reported.
 *
 * A result is made under a temporary name beside its final name, and renamed when it is complete: outfile_begin(),
 * outfile_close(), outfile_place(). The file's mode follows the umask. The caller has checked the directory (trust.sh).
 * A file in a directory of the caller's own is made in place.
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

/*
 * die() because NAME could not be written, for the reason WHY. A command's temporary file is not named, because the user
 * does not know it, but the directory in which the command has made it (WAKELAT_WORK).
 */
void outfile_failed(const char *name, const char *why) __attribute__((noreturn));

/*
 * Make a file in a directory of the caller's own; die() on errors. Writes use no buffer, stdio's buffer,
 * or the buffer of struct outfile.
 */
int outfile_create(const char *name);
FILE *outfile_stream(const char *name);
void outfile_open(struct outfile *out, const char *name);

/*
 * Choose the temporary name for NAME now. A process whose child process writes NAME calls this before fork(), and then
 * outfile_place() or outfile_drop().
 */
void outfile_reserve_name(const char *name);
void outfile_drop(const char *name);

/* Make SIGINT, SIGTERM, SIGHUP and SIGPIPE drop the files that are not placed, before they end the program. */
void outfile_drop_at_signals(void);

/* Open NAME's directory and return its descriptor. *BASE becomes NAME's last part. */
int outfile_parent(const char *name, char **base);

/* In DIR, make and open a directory. *TEMPORARY becomes its name, made from FOR_NAME. */
int outfile_temporary_directory(int dir, const char *for_name, char **temporary);

/* True if BASE in DIR does not exist or is a regular file. Otherwise print a message about NAME. */
bool outfile_replaceable(int dir, const char *base, const char *name);

/* Make the file that outfile_place() will name NAME; die() on errors. */
void outfile_begin(struct outfile *out, const char *name);
FILE *outfile_begin_stream(const char *name);

/* Give a complete file its final NAME. On errors print a message and return -1. */
int outfile_place(const char *name);

/* Return room for SIZE more bytes. The caller passes their END to outfile_commit(). */
char *outfile_reserve(struct outfile *out, size_t size);
void outfile_commit(struct outfile *out, const char *end);

/* Write the rest of the buffer and close the file; die() on any error. */
void outfile_close(struct outfile *out);
void outfile_close_stream(FILE *f, const char *name);

/* Flush standard output; die() on any error. */
void outfile_end_stdout(void);

#endif
