// SPDX-License-Identifier: GPL-2.0
/* The data of the figures (tools/figures) of one or more recordings. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "complete.h"
#include "draw.h"
#include "figures.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "recording.h"
#include "run.h"
#include "sets.h"

static int64_t number(const char *text)
{
	int64_t value;

	if (!parse_s64(text, text + strlen(text), &value) || value <= 0)
		die("'%s' is not a number above 0", text);
	return value;
}

/* Bins end at advertised latencies. Leave out values that cannot be a latency. */
static void advertise(struct figures *figures, const struct facts *facts)
{
	for (size_t i = 0; i < facts->nr_states; i++) {
		const char *ns = facts->states[i].latency_ns;

		if (ns && is_digits(ns) && *ns != '0' && strlen(ns) <= 15)
			figures_advertise(figures, number(ns));
	}
}

static void take_row(const struct tsv *tsv, void *arg)
{
	figures_row(arg, tsv);
}

void draw_begin(struct figures *figures, const struct facts *facts, const struct source *source, struct tsv *tsv)
{
	/* The TSC frequency is unknown if the kernel's log no longer had it. */
	const char *khz = fact_first(facts, "tsc_khz");

	advertise(figures, facts);
	figures->swept |= !strcmp(fact_first(facts, "ldist_mode"), "sweep");
	figures_begin(figures, &(struct source_of_samples) {
		.tsc_khz = *khz && strcmp(khz, "-") ? number(khz) : 0, .reached = source->counters,
	}, tsv);
	tsv->tap = take_row;
	tsv->tap_arg = figures;
}

/* Return what the figure says nothing about. This depends on the number of samples that it shows. */
static char *limits_of_figure(const struct figures *figures, const struct facts *const facts[], const char *const names[])
{
	size_t nr = figures->nr_sets;
	const struct table **tables = xrealloc(NULL, nr, sizeof(*tables));

	for (size_t i = 0; i < nr; i++) {
		struct table *table = xrealloc(NULL, 1, sizeof(*table));

		*table = (struct table) { 0 };
		table_columns(table, "n");
		for (size_t p = 0; p < figures->nr_series; p++)
			if (figures->series[p].set == i)
				table_put(table, "%zu", figures->series[p].nr);
		tables[i] = table;
	}
	return limits_of(facts, tables, names, nr, true);
}

/* Return the date of a recording, or of SOURCE_DATE_EPOCH, in seconds since 1970; 0 if it is not known. */
static long long date_of(const struct facts *facts)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH"), *end;
	struct tm tm = { 0 };

	if (epoch && is_digits(epoch))
		return atoll(epoch);
	end = strptime(fact(facts, "date"), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return end && !*end ? timegm(&tm) : 0;
}

/* Write what the figures say of the recordings; FACTS and NAMES are theirs. */
static void write_words(const struct figures *figures, const struct source *last, const struct facts *const facts[],
			const char *const names[])
{
	FILE *f = create("words");
	const char *machine = "";

	/* If one machine is emulated, the figure says so. */
	for (size_t i = 0; i < figures->nr_sets && !*machine; i++)
		machine = machine_word(facts[i]);
	fprintf(f, "%s\n%s\n%s\n%s\n%lld\n", last->counters ? last->counters : "", limits_of_figure(figures, facts, names), machine,
		figures->swept ? "yes" : "", date_of(facts[0]));
	finish(f);
}

const char *draw_end(struct figures *figures, const struct source *last, const struct facts *const facts[], const char *const names[])
{
	const char *why_not = figures_write(figures);

	if (!why_not)
		write_words(figures, last, facts, names);
	return why_not;
}

void draw_note(const char *why_not)
{
	FILE *f;

	if (!why_not)
		return;
	f = create("nothing");
	fprintf(f, "%s\n", why_not);
	finish(f);
}

struct drawing {
	struct figures figures;
	struct sets sets;
	const struct facts **facts;
	bool note;		/* see draw_note() */
};

/* Read a recording. Return whether samples are missing. */
static bool draw_set(struct drawing *drawing, struct set *set, struct source *source)
{
	static struct row_counts rows;
	struct facts *facts = xrealloc(NULL, 1, sizeof(*facts));
	struct table counted = { 0 };
	struct tsv tsv;

	recording_begins(set->first_trace);
	facts_read(facts, set->q.run_tsv);
	drawing->facts[drawing->figures.nr_sets] = facts;
	find_source(source, &set->q, facts, &tsv);
	draw_begin(&drawing->figures, facts, source, &tsv);
	rows_begin(&rows, &tsv);
	while (tsv_next_row(&tsv))
		rows_count(&rows, &tsv);
	figures_end(&drawing->figures, &tsv);
	tsv_close(&tsv);
	rows_table(&rows, &counted);
	if (set->q.check)
		check_complete(&set->q, facts, source, &counted, "drawn");
	return set->q.incomplete;
}

static int draw_sets(FILE *text, void *arg)
{
	struct drawing *drawing = arg;
	static struct source source;
	const char *why_not;
	int status = 0;

	(void)text;
	for (size_t i = 0; i < drawing->sets.nr; i++)
		if (draw_set(drawing, &drawing->sets.list[i], &source))
			status = STATUS_INCOMPLETE;
	why_not = draw_end(&drawing->figures, &source, drawing->facts, drawing->sets.names.list);
	if (why_not && !drawing->note)
		die("%s", why_not);
	draw_note(why_not);
	return status;
}

int draw_alone(const struct figures *figures, const struct question *q, const char *name)
{
	static struct drawing drawing;
	struct set set = { .q = *q };
	const struct facts *facts;

	set.q.check = NULL;
	drawing = (struct drawing) { .figures = *figures, .sets = { .list = &set, .nr = 1 }, .facts = &facts, .note = true };
	add_name(&drawing.sets.names, name);
	return run_reader(q->tables, q->traces ? q->nr_tables : 0, NULL, draw_sets, &drawing);
}

int figures_command(int argc, char **argv)
{
	static struct drawing drawing;
	struct sets *sets = &drawing.sets;
	bool linear = false;
	int opt;

	drawing.figures = figures_new(88);
	sets_begin(sets, argc);
	while ((opt = getopt(argc, argv, SETS_OPTIONS "lo:w:x:X:y:Y:")) != -1) {
		struct figures *figures = &drawing.figures;

		if (opt == 'l')
			linear = true;
		else if (opt == 'w')
			*figures = figures_new(number(optarg));
		else if (opt == 'o')
			figures_directory = optarg;
		else if (opt == 'x' || opt == 'X')
			figures->x = (struct chosen) { optarg, opt == 'X' };
		else if (opt == 'y' || opt == 'Y')
			figures->y = (struct chosen) { optarg, opt == 'Y' };
		else if (!sets_option(sets, opt, optarg))
			return -1;
	}
	if (!sets->nr || !figures_directory || optind != argc)
		return -1;
	sets_end(sets);
	drawing.facts = xrealloc(NULL, sets->nr, sizeof(*drawing.facts));
	drawing.figures.latency.log = !linear;
	return run_reader(sets->traces, sets->nr_traces, NULL, draw_sets, &drawing);
}
