// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guard.h"
#include "message.h"
#include "recording.h"

char *recording_partial(const char *name)
{
	return xprintf("%s.partial", name);
}

/* What can be said without the library; returns the file's size. */
static off_t check_input(const char *name)
{
	static const char magic[] = "\x17\x08\x44tracing";
	char start[sizeof(magic) - 1];
	struct stat st;
	ssize_t got;
	int fd;

	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		die("%s: %s", name, strerror(errno));
	if (!S_ISREG(st.st_mode))
		die("%s: not a regular file", name);
	if (!st.st_size)
		die("%s: empty file", name);
	got = read(fd, start, sizeof(start));
	if (got < 0)
		die("%s: cannot read: %s", name, strerror(errno));
	if (got != sizeof(start) || memcmp(start, magic, sizeof(start)))
		die("%s: not a trace.dat (trace-cmd writes those)", name);
	close(fd);
	return st.st_size;
}

static int publish(const char *const *outputs, int status)
{
	for (; *outputs; outputs++) {
		if (!rename(recording_partial(*outputs), *outputs))
			continue;
		message("%s: %s", *outputs, strerror(errno));
		return 1;
	}
	return status;
}

int recording_convert(const char *input, const char *const *outputs, int (*work)(void *arg),
		      void *arg)
{
	off_t size;
	int status, sig;

	/* Then a file size limit is a write error, which is reported. */
	signal(SIGXFSZ, SIG_IGN);

	size = check_input(input);
	/* A thousand times what a sound file takes: only an endless loop gets there. */
	status = guard_run(work, arg, 30 + size / (1 << 18), &sig);
	if (status == 0 || status == STATUS_INCOMPLETE) {
		status = publish(outputs, status);
		if (status != 1)
			return status;
	}
	for (; *outputs; outputs++)
		unlink(recording_partial(*outputs));
	if (sig) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
	if (status == GUARD_CRASHED)
		die("%s: truncated or damaged recording (the trace library fails on it)", input);
	return status;
}
