// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "outfile.h"

/* As many files as a program makes at a time. */
#define MAX_PARTIAL 4

int outfile_create(const char *name)
{
	/* O_NONBLOCK: a pipe without a reader is an error, not waited for. */
	int fd = open(name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || (S_ISREG(st.st_mode) && ftruncate(fd, 0)))
		die("%s: cannot be written: %s", name,
		    errno == ELOOP ? "it is a symbolic link" : strerror(errno));
	return fd;
}

FILE *outfile_stream(const char *name)
{
	FILE *f = fdopen(outfile_create(name), "w");

	if (!f)
		die("%s: cannot be written: %s", name, strerror(errno));
	return f;
}

void outfile_open(struct outfile *out, const char *name)
{
	out->name = name;
	out->used = 0;
	out->fd = outfile_create(name);
}

static char *new_partial(const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	unsigned char random[10];
	char text[sizeof(random) + 1] = "";

	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		die("%s: no random numbers: %s", name, strerror(errno));
	for (size_t i = 0; i < sizeof(random); i++)
		text[i] = letters[random[i] % (sizeof(letters) - 1)];
	return xprintf("%s.partial.%s", name, text);
}

const char *outfile_partial(const char *name)
{
	static struct { const char *name; char *partial; } known[MAX_PARTIAL];

	for (size_t i = 0; i < MAX_PARTIAL; i++) {
		if (known[i].name && strcmp(known[i].name, name))
			continue;
		if (!known[i].name) {
			known[i].name = name;
			known[i].partial = new_partial(name);
		}
		return known[i].partial;
	}
	die("%s: too many files at a time", name);
}

static int begin(const char *name)
{
	int fd = open(outfile_partial(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);

	if (fd < 0)
		die("%s: cannot be written: %s", name, strerror(errno));
	return fd;
}

void outfile_begin(struct outfile *out, const char *name)
{
	out->name = name;
	out->used = 0;
	out->fd = begin(name);
}

FILE *outfile_begin_stream(const char *name)
{
	FILE *f = fdopen(begin(name), "w");

	if (!f)
		die("%s: cannot be written: %s", name, strerror(errno));
	return f;
}

int outfile_place(const char *name)
{
	struct stat st;

	/* rename() follows no link and opens nothing: this is for the user, who would lose what is there. */
	if (!lstat(name, &st) && !S_ISREG(st.st_mode)) {
		message("%s: what is there is not a regular file: look at it, and remove it", name);
		return -1;
	}
	if (rename(outfile_partial(name), name)) {
		message("%s: cannot be written: %s", name, strerror(errno));
		return -1;
	}
	return 0;
}

static void flush(struct outfile *out)
{
	size_t done = 0;

	while (done < out->used) {
		ssize_t n = write(out->fd, out->buf + done, out->used - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die("%s: cannot write: %s", out->name, strerror(errno));
		done += n;
	}
	out->used = 0;
}

char *outfile_reserve(struct outfile *out, size_t size)
{
	if (size > sizeof(out->buf))
		die("%s: a line of %zu bytes is too long", out->name, size);
	if (out->used + size > sizeof(out->buf))
		flush(out);
	return out->buf + out->used;
}

void outfile_commit(struct outfile *out, const char *end)
{
	out->used = end - out->buf;
}

void outfile_close(struct outfile *out)
{
	flush(out);
	/* Network file systems report a full disk only here. */
	if (close(out->fd))
		die("%s: cannot write: %s", out->name, strerror(errno));
}
