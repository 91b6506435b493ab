/* SPDX-License-Identifier: GPL-2.0 */
/* Make text of other users harmless for terminals, logs, tables and metrics. `shown` in message.sh does the same. */
#ifndef WAKELAT_PLAIN_H
#define WAKELAT_PLAIN_H

/*
 * Replace in TEXT, by one ? each: control characters (also those of U+0080 to U+009F), characters that change the
 * direction of text or separate lines, and runs of bytes that are not UTF-8. Return TEXT.
 */
char *make_plain(char *text);

#endif
