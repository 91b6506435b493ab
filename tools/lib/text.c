// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "text.h"

static void add(struct text *text, const char *fmt, va_list ap)
{
	char *more;
	int len = vasprintf(&more, fmt, ap);

	if (len < 0)
		die("out of memory");
	if (text->len + len >= text->room) {
		text->room = 2 * (text->room + len) + 32;
		text->s = xrealloc(text->s, text->room, 1);
	}
	memcpy(text->s + text->len, more, len + 1);
	text->len += len;
	free(more);
}

void text_add(struct text *text, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(text, fmt, ap);
	va_end(ap);
}

void text_join(struct text *text, const char *separator, const char *fmt, ...)
{
	va_list ap;

	if (text->len)
		text_add(text, "%s", separator);
	va_start(ap, fmt);
	add(text, fmt, ap);
	va_end(ap);
}

const char *text_str(const struct text *text)
{
	return text->s ? text->s : "";
}

bool text_empty(const struct text *text)
{
	return !text->len;
}

void text_free(struct text *text)
{
	free(text->s);
	*text = (struct text) { 0 };
}

/* True if a shell takes TEXT as one word without quotes, and no command takes it for an option. */
static bool is_word(const char *text)
{
	return *text && *text != '-' && !text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.,:=+%@/-")];
}

char *shell_quoted(const char *text)
{
	struct text out = { 0 };

	if (is_word(text))
		return xstrdup(text);
	text_add(&out, "'");
	for (; *text; text++)
		text_add(&out, "%s%c", *text == '\'' ? "'\\'" : "", *text);
	text_add(&out, "'");
	return out.s;
}

char *path_quoted(const char *text)
{
	char *path, *quoted;

	if (!strncmp(text, "./", 2))
		text += 2;
	path = xprintf("%s%s", *text == '-' ? "./" : "", text);
	quoted = shell_quoted(path);
	free(path);
	return quoted;
}

char *comment_text(const char *text)
{
	char *out = xstrdup(text);

	for (char *at = out; *at; at++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.,:+() /-", *at))
			*at = '?';
	return out;
}
