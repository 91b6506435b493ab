// SPDX-License-Identifier: GPL-2.0
#include "line.h"

size_t line_read(FILE *from, char line[TSV_MAX_LINE + 1])
{
	size_t len = 0;
	int c;

	while ((c = getc_unlocked(from)) != EOF) {
		if (len == TSV_MAX_LINE)
			return LINE_TOO_LONG;
		line[len++] = c;
		if (c == '\n')
			break;
	}
	line[len] = '\0';
	return len;
}
