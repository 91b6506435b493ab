// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

FILE *metrics_begin(const char *file)
{
	return outfile_begin_stream(file);
}

void metrics_head(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

void metrics_end(FILE *out, const char *file)
{
	bool failed;

	fprintf(out, "# EOF\n");
	failed = ferror(out);
	if (fclose(out) || failed)
		die("%s: cannot be written: %s", file, strerror(errno));
	if (outfile_place(file))
		exit(EXIT_FAILURE);
}
