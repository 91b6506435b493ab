/* SPDX-License-Identifier: GPL-2.0 */
/* Keep each different text once, under a number. */
#ifndef WAKELAT_INTERN_H
#define WAKELAT_INTERN_H

#include <stddef.h>
#include <stdint.h>

/* Return the number of TEXT, from 1; 0 for the empty text. */
uint32_t intern(const char *text, size_t len);
uint32_t intern_text(const char *text);

/* Return the text of NUMBER. It is valid until the program ends. */
const char *text_of(uint32_t number);

uint64_t hash_of(const void *bytes, size_t len);

#endif
