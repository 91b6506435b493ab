/* SPDX-License-Identifier: GPL-2.0 */
/* Keep each different text once, under a number. */
#ifndef WAKELAT_INTERN_H
#define WAKELAT_INTERN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tsv.h"

/* Return the number of TEXT, from 1; 0 for the empty text. */
uint32_t intern(const char *text, size_t len);
uint32_t intern_text(const char *text);
uint32_t intern_cell(const struct tsv_cell *cell);
uint32_t intern_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Close TO, which open_memstream() made. Return the number of its text, and free the text. */
uint32_t intern_stream(FILE *to, char **text, const size_t *len);

/* Return the text of NUMBER. It is valid until the program ends. */
const char *text_of(uint32_t number);

/* A mark for each text. All marks are 0 at first. */
struct marks {
	uint32_t *list;
	size_t room;
};

/* Return the mark of NUMBER's text. The pointer is valid until the next call for the same MARKS. */
uint32_t *mark_of(struct marks *marks, uint32_t number);

#endif
