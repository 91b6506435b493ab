// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "figures.h"
#include "message.h"
#include "outfile.h"

const char *figures_directory;

FILE *create(const char *name)
{
	char *path = xprintf("%s/%s", figures_directory, name);
	FILE *f = outfile_stream(path);

	free(path);
	return f;
}

FILE *create_for(const char *name, size_t position)
{
	char *full = xprintf("%s-%zu.dat", name, position + 1);
	FILE *f = create(full);

	free(full);
	return f;
}

void finish(FILE *f)
{
	outfile_close_stream(f, figures_directory);
}

void print_us(FILE *f, int64_t ns)
{
	uint64_t size = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	fprintf(f, "%s%" PRIu64 ".%03u", ns < 0 ? "-" : "", size / 1000, (unsigned int)(size % 1000));
}

void print_point(FILE *f, int64_t x_ns, int64_t y_ns)
{
	print_us(f, x_ns);
	fputc('\t', f);
	print_us(f, y_ns);
	fputc('\n', f);
}

void print_us_or_dash(FILE *f, bool known, int64_t ns)
{
	if (known)
		print_us(f, ns);
	else
		fputc('-', f);
}
