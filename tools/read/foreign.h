/* SPDX-License-Identifier: GPL-2.0 */
/* What `wakelat import` cannot read, recognized by its first bytes. */
#ifndef WAKELAT_FOREIGN_H
#define WAKELAT_FOREIGN_H

#include <stddef.h>

/* Return the length of the UTF-8 byte order mark at the start of HEAD, or 0. HEAD ends with a NUL byte. */
size_t byte_order_mark(const char *head);

/* die() if the first LEN bytes of INPUT are those of a compressed or binary file, or of UTF-16. */
void refuse_binary(const char *input, const char *head, size_t len);

#endif
