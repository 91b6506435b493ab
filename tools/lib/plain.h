/* SPDX-License-Identifier: GPL-2.0 */
/* Make text of other users harmless for terminals, logs, tables and metrics. `shown` in message.sh does the same. */
#ifndef WAKELAT_PLAIN_H
#define WAKELAT_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

/* Return the number of bytes of the UTF-8 character at P, and set *CODE; return 0 if there is none. */
int utf8_length(const unsigned char *p, uint32_t *code);

/* Return false if a terminal takes the character for a command, a change of direction or a new line. */
bool is_harmless(uint32_t code);

/*
 * Replace in TEXT, by one ? each: control characters (also those of U+0080 to U+009F), characters that change the
 * direction of text or separate lines, and runs of bytes that are not UTF-8. Return TEXT.
 */
char *make_plain(char *text);

#endif
