/* SPDX-License-Identifier: GPL-2.0 */
/* Read text files line by line. Unlike getline(), limit the length of a line. */
#ifndef WAKELAT_LINE_H
#define WAKELAT_LINE_H

#include <stddef.h>
#include <stdio.h>

#include "tsv.h"

#define LINE_TOO_LONG ((size_t)-1)

/*
 * Read a line and its line break. Return its length, 0 at the end, LINE_TOO_LONG above TSV_MAX_LINE
 * bytes.
 */
size_t line_read(FILE *from, char line[TSV_MAX_LINE + 1]);

#endif
