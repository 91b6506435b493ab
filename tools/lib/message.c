// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "plain.h"

static const char *program = "wakelat";
static int message_fd = STDERR_FILENO;
static void (*death_hook)(void);

void message_init(const char *name)
{
	const char *from_wrapper = getenv("WAKELAT_PROGRAM");

	program = from_wrapper && *from_wrapper ? from_wrapper : name;
}

void message_to(int fd)
{
	message_fd = fd;
}

void message_at_death(void (*hook)(void))
{
	death_hook = hook;
}

static void say(const char *fmt, va_list ap)
{
	char line[4096];
	int used, len;

	used = snprintf(line, sizeof(line), "%s: ", program);
	len = vsnprintf(line + used, sizeof(line) - used - 1, fmt, ap);
	if (len < 0)
		return;
	make_plain(line);	/* LINE may quote input */
	used = strlen(line);
	if (used > (int)sizeof(line) - 2)
		used = sizeof(line) - 2;
	line[used++] = '\n';
	/* One write, so that lines of several processes do not mix. */
	if (write(message_fd, line, used) != used)
		return;
}

void message(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	if (death_hook)
		death_hook();
	exit(1);
}

void *xrealloc(void *old, unsigned long nr, unsigned long size)
{
	void *new = reallocarray(old, nr, size);

	if (!new && nr && size)
		die("out of memory (%lu x %lu bytes)", nr, size);
	return new;
}

void *xgrow(void *list, size_t nr, size_t *room, size_t size)
{
	if (nr < *room)
		return list;
	*room = *room ? 2 * *room : 64;
	return xrealloc(list, *room, size);
}

char *xstrdup(const char *s)
{
	return xprintf("%s", s);
}

char *xprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		die("out of memory");
	va_end(ap);
	return s;
}
