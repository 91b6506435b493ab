/* SPDX-License-Identifier: GPL-2.0 */
/* Text that grows, and text of recordings for commands and files that somebody pastes as root. */
#ifndef WAKELAT_TEXT_H
#define WAKELAT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *s;	/* NULL: empty */
	size_t len, room;
};

void text_add(struct text *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Add an item to a list: SEPARATOR goes before it, unless it is the first one. */
void text_join(struct text *text, const char *separator, const char *fmt,
	       ...) __attribute__((format(printf, 3, 4)));

/* Return the text, "" if it is empty. */
const char *text_str(const struct text *text);
bool text_empty(const struct text *text);
void text_free(struct text *text);

/* Return TEXT as one word of a shell, allocated. */
char *shell_quoted(const char *text);

/* Return the path TEXT as one word of a shell, which no command takes for an option. */
char *path_quoted(const char *text);

/*
 * Return TEXT for a comment in any file: printable, without characters that have a meaning in such
 * files.
 */
char *comment_text(const char *text);

#endif
