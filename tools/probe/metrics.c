// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdlib.h>

#include "message.h"
#include "metrics.h"
#include "outfile.h"

const char *metrics_label(const char *text)
{
	static char quoted[512];
	char *p = quoted;

	for (; *text && p < quoted + sizeof(quoted) - 2; text++) {
		if (*text == '"' || *text == '\\')
			*p++ = '\\';
		if ((unsigned char)*text >= ' ')
			*p++ = *text;
	}
	*p = '\0';
	return quoted;
}

void metrics_head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

void metrics_end(FILE *out, const char *file)
{
	fprintf(out, "# EOF\n");
	outfile_close_stream(out, file);
	if (outfile_place(file))
		exit(EXIT_FAILURE);
}
