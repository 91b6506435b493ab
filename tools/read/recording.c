// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drop.h"
#include "guard.h"
#include "holes.h"
#include "message.h"
#include "outfile.h"
#include "recording.h"

#define MAGIC "\x17\x08\x44tracing"
#define MAGIC_SIZE (sizeof(MAGIC) - 1)

/*
 * Return the offset at which a second recording begins, or 0. After a recording of version 6 it can begin only at a
 * page boundary, because version 6 ends at one. After version 7 it can begin anywhere.
 */
static size_t find_second(const unsigned char *data, size_t size)
{
	const bool by_page = data[MAGIC_SIZE] == '6';
	const size_t step = by_page ? 4096 : DROP_BYTES;
	uintptr_t dropped = (uintptr_t)data;

	for (size_t at = by_page ? step : 1; at + MAGIC_SIZE <= size; at += step) {
		size_t len = size - at < step + MAGIC_SIZE - 1 ? size - at : step + MAGIC_SIZE - 1;
		const unsigned char *found = by_page ? NULL : memmem(data + at, len, MAGIC, MAGIC_SIZE);

		if (by_page && !memcmp(data + at, MAGIC, MAGIC_SIZE))
			return at;
		if (found)
			return found - data;
		dropped = drop_pages(dropped, (uintptr_t)data + at);
	}
	return 0;
}

/* Refuse a file of several recordings: the library would read only the first one, without a message. */
static void refuse_several(const char *name, int fd, size_t size)
{
	void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	size_t second;

	if (data == MAP_FAILED)
		die("cannot read %s: %s", name, strerror(errno));
	second = size > MAGIC_SIZE ? find_second(data, size) : 0;
	munmap(data, size);
	if (second)
		die("%s: another recording begins at byte %zu: "
		    "give each recording a file of its own", name, second);
}

/* Check what can be checked without the library. Return the file's size. */
static off_t check_input(const char *name)
{
	static const char magic[] = MAGIC;
	char start[MAGIC_SIZE];
	struct stat st;
	ssize_t got;
	int fd;

	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st))
		die("%s: %s", name, strerror(errno));
	if (!S_ISREG(st.st_mode))
		die("%s: not a regular file", name);
	if (!st.st_size)
		die("%s: empty file", name);
	if (is_hollow(&st))
		die("%s: %lld bytes, nearly all of them holes: not a trace.dat", name, (long long)st.st_size);
	got = read(fd, start, sizeof(start));
	if (got < 0)
		die("cannot read %s: %s", name, strerror(errno));
	if (got != sizeof(start) || memcmp(start, magic, sizeof(start)))
		die("%s: not a trace.dat (trace-cmd writes those)", name);
	refuse_several(name, fd, st.st_size);
	close(fd);
	return st.st_size;
}

static int publish(const char *const *outputs, int status)
{
	for (; *outputs; outputs++) {
		if (outfile_place(*outputs))
			return 1;
	}
	return status;
}

/* Which input is being read. The child that reads it shares this number. */
static size_t *reading, first_input;

void recording_begins(size_t first)
{
	first_input = first;
}

void recording_reads(size_t input)
{
	*reading = first_input + input;
}

int recording_convert_all(const char *const *inputs, size_t nr, const char *const *outputs, int (*work)(void *arg), void *arg)
{
	off_t size = 0;
	int status, sig;

	outfile_drop_at_signals();
	for (size_t i = 0; i < nr; i++)
		size += check_input(inputs[i]);
	reading = mmap(NULL, sizeof(*reading), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (reading == MAP_FAILED)
		die("out of memory");
	/* Choose the names here: the child that writes the files cannot tell us. */
	for (const char *const *output = outputs; *output; output++)
		outfile_reserve_name(*output);
	/* A valid file takes a thousandth of this time, so only an endless loop exceeds it. */
	status = guard_run(work, arg, 30 + size / (1 << 18), guard_memory(size), &sig);
	if (status >= 0 && status != 1) {
		status = publish(outputs, status);
		if (status != 1)
			return status;
	}
	for (; *outputs; outputs++)
		outfile_drop(*outputs);
	if (sig) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
	if (status == GUARD_CRASHED)
		die("%s: truncated or damaged recording (the trace library fails on it)", inputs[*reading < nr ? *reading : 0]);
	return status;
}

int recording_convert(const char *input, const char *const *outputs, int (*work)(void *arg), void *arg)
{
	return recording_convert_all(&input, 1, outputs, work, arg);
}
