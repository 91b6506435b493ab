/* SPDX-License-Identifier: GPL-2.0 */
/* Reads texts line by line. getline() would take all memory for a line without an end. */
#ifndef WAKELAT_LINE_H
#define WAKELAT_LINE_H

#include <stddef.h>
#include <stdio.h>

#include "tsv.h"

#define LINE_TOO_LONG ((size_t)-1)

/* Reads a line with its line break. Returns its length, 0 at the end, or LINE_TOO_LONG if it has more than TSV_MAX_LINE bytes. */
size_t line_read(FILE *from, char line[TSV_MAX_LINE + 1]);

#endif
