// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "outfile.h"

void outfile_open(struct outfile *out, const char *name)
{
	out->name = name;
	out->used = 0;
	out->fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (out->fd < 0)
		die("%s: %s", name, strerror(errno));
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
