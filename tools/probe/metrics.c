// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "metrics.h"
#include "outfile.h"
#include "plain.h"

/* A series of the current family. */
struct series {
	char *text;	/* its name and labels */
	double value;
	size_t order;
};

static FILE *out;
static const char *out_name;
static const char *family, *total;
static struct series *list;
static size_t nr, room;

void metrics_begin(const char *file)
{
	out_name = file;
	/* The collector reads only *.prom, so it does not see the temporary file. */
	out = outfile_begin_stream(file);
}

static int by_text(const void *a, const void *b)
{
	const struct series *x = a, *y = b;
	int sign = strcmp(x->text, y->text);

	return sign ? sign : x->order < y->order ? -1 : 1;
}

static int by_order(const void *a, const void *b)
{
	return ((const struct series *)a)->order < ((const struct series *)b)->order ? -1 : 1;
}

/* Write the series of the family that ends. Add up those with the same text. */
static void end_family(void)
{
	size_t kept = 0;

	if (nr)
		qsort(list, nr, sizeof(*list), by_text);
	for (size_t i = 0; i < nr; i++) {
		if (!kept || strcmp(list[kept - 1].text, list[i].text)) {
			list[kept++] = list[i];
			continue;
		}
		list[kept - 1].value += list[i].value;
		free(list[i].text);
	}
	if (kept)
		qsort(list, kept, sizeof(*list), by_order);
	for (size_t i = 0; i < kept; i++) {
		fprintf(out, "%s %.15g\n", list[i].text, list[i].value);
		free(list[i].text);
	}
	nr = 0;
}

void metrics_family(const char *name, enum metric_type type, const char *help)
{
	end_family();
	family = name;
	total = type == METRIC_COUNTER ? "_total" : "";
	fprintf(out, "# HELP %s%s %s\n", name, total, help);
	/* The two formats disagree on the name in a counter's line TYPE. Without this line, both are valid. */
	if (type != METRIC_COUNTER)
		fprintf(out, "# TYPE %s %s\n", name, type == METRIC_GAUGE ? "gauge" : "histogram");
}

static void put_label(FILE *to, const char *name, const char *value)
{
	char *plain = make_plain(xstrdup(value));

	fprintf(to, "%s=\"", name);
	for (const char *p = plain; *p; p++)
		fprintf(to, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
	putc('"', to);
	free(plain);
}

void metrics_add(double value, const char *suffix, ...)
{
	const char *name, *before = "{";
	size_t size;
	FILE *to;
	va_list ap;

	list = xgrow(list, nr, &room, sizeof(*list));
	list[nr].value = value;
	list[nr].order = nr;
	to = open_memstream(&list[nr].text, &size);
	if (!to)
		die("out of memory");
	fprintf(to, "%s%s%s", family, total, suffix);
	va_start(ap, suffix);
	while ((name = va_arg(ap, const char *))) {
		fputs(before, to);
		put_label(to, name, va_arg(ap, const char *));
		before = ",";
	}
	va_end(ap);
	if (*before == ',')
		putc('}', to);
	if (fclose(to))
		die("out of memory");
	nr++;
}

void metrics_lost(const char *source, double n)
{
	metrics_family("wakelat_lost", METRIC_COUNTER, "Wake-ups that were not counted.");
	metrics_add(n, "", "source", source, NULL);
}

void metrics_end(void)
{
	end_family();
	fprintf(out, "# EOF\n");
	outfile_close_stream(out, out_name);
	if (outfile_place(out_name))
		exit(EXIT_FAILURE);
}
