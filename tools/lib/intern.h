/* SPDX-License-Identifier: GPL-2.0 */
/* Texts that occur again and again, kept once: a number stands for each. */
#ifndef WAKELAT_INTERN_H
#define WAKELAT_INTERN_H

#include <stddef.h>
#include <stdint.h>

/* The same number for the same text, from 1; 0 is the empty one. */
uint32_t intern(const char *text, size_t len);
uint32_t intern_text(const char *text);

/* Valid until the end. */
const char *text_of(uint32_t number);

uint64_t hash_of(const void *bytes, size_t len);

#endif
