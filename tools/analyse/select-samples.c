// SPDX-License-Identifier: GPL-2.0
/*
 * select-samples [-w CONDITION] [-f N | -l N] RUN.TSV SAMPLES.TSV OUTPUT
 *
 * Writes the rows of SAMPLES.TSV for which CONDITION holds (expression.h). With -f or -l, writes only the
 * first or last N of them for each state. Each CPU gets its share of N, because the rows of a CPU may all come before those of another
 * one. Prints how many rows it wrote, and how many there are.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expression.h"
#include "groups.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "tsv.h"

/* The rows of a state on a CPU that meet the condition. */
struct tally {
	uint64_t rows, all, wanted;
};

static struct state_name *states;
static size_t nr_states;
static struct groups tallies = { .nr_keys = 2 };
static uint64_t rows, selected;

/* Read the keys state.N.name of run.tsv. */
static void read_state_names(const char *name)
{
	struct tsv run;
	size_t key, value;

	tsv_open(&run, name);
	key = tsv_column(&run, "key");
	value = tsv_column(&run, "value");
	while (tsv_next_row(&run)) {
		const struct tsv_cell *k = &run.cells[key], *v = &run.cells[value];
		const char *start = k->start + strlen("state.");
		const char *end = k->end - strlen(".name");

		if (end <= start || memcmp(k->start, "state.", strlen("state.")) ||
		    memcmp(end, ".name", strlen(".name")))
			continue;
		states = xrealloc(states, nr_states + 1, sizeof(*states));
		states[nr_states++] = (struct state_name) {
			.index = xprintf("%.*s", (int)(end - start), start),
			.name = xprintf("%.*s", (int)(v->end - v->start), v->start),
		};
	}
	tsv_close(&run);
}

static struct tally *tally_of(const struct tsv *tsv, size_t state, size_t cpu)
{
	const struct tsv_cell key[] = { tsv->cells[state], cpu == TSV_ABSENT ? cell_from("-") : tsv->cells[cpu] };

	return group_data(&tallies, key, sizeof(struct tally));
}

/* Count the rows of each state that meet the condition. */
static void count_rows(const char *name, const char *condition)
{
	struct expression *where = NULL;
	size_t state, cpu;
	struct tsv tsv;

	tsv_open(&tsv, name);
	state = tsv_column(&tsv, "state");
	cpu = tsv_optional_column(&tsv, "cpu");
	if (condition)
		where = expression_parse(condition, &tsv, states, nr_states);
	while (tsv_next_row(&tsv))
		if (!where || expression_holds(where, &tsv))
			tally_of(&tsv, state, cpu)->all++;
	tsv_close(&tsv);
}

/* Divide N rows of each state among its CPUs in proportion to their rows. */
static void share(uint64_t n)
{
	static struct groups by_state = { .nr_keys = 1 };
	struct of_state {
		uint64_t all, upto;
	} *of_state;

	for (size_t i = 0; i < tallies.nr; i++) {
		const struct tsv_cell state = cell_from(tallies.list[i].key[0]);

		of_state = group_data(&by_state, &state, sizeof(*of_state));
		of_state->all += ((struct tally *)tallies.list[i].data)->all;
	}
	for (size_t i = 0; i < tallies.nr; i++) {
		const struct tsv_cell state = cell_from(tallies.list[i].key[0]);
		struct tally *tally = tallies.list[i].data;
		uint64_t most, before;

		of_state = group_data(&by_state, &state, sizeof(*of_state));
		most = n < of_state->all ? n : of_state->all;
		before = (unsigned __int128)of_state->upto * most / of_state->all;
		of_state->upto += tally->all;
		tally->wanted = (unsigned __int128)of_state->upto * most / of_state->all - before;
	}
}

static void put_line(struct outfile *out, const char *start, size_t len)
{
	char *p = outfile_reserve(out, len + 1);

	memcpy(p, start, len);
	p[len] = '\n';
	outfile_commit(out, p + len + 1);
}

static void put_header(struct outfile *out, const struct tsv *tsv)
{
	char *line = xstrdup(tsv->header[0]);

	for (size_t i = 1; i < tsv->nr_columns; i++) {
		char *longer = xprintf("%s\t%s", line, tsv->header[i]);

		free(line);
		line = longer;
	}
	put_line(out, line, strlen(line));
	free(line);
}

static void select_rows(struct outfile *out, const char *name, const char *condition, bool first, bool last)
{
	struct expression *where = NULL;
	size_t state, cpu;
	struct tsv tsv;

	tsv_open(&tsv, name);
	state = tsv_column(&tsv, "state");
	cpu = tsv_optional_column(&tsv, "cpu");
	if (condition)
		where = expression_parse(condition, &tsv, states, nr_states);
	put_header(out, &tsv);
	while (tsv_next_row(&tsv)) {
		const char *start = tsv.cells[0].start;
		const char *end = tsv.cells[tsv.nr_columns - 1].end;
		struct tally *tally = NULL;

		rows++;
		if (where && !expression_holds(where, &tsv))
			continue;
		if (first || last) {
			tally = tally_of(&tsv, state, cpu);
			tally->rows++;
		}
		if ((first && tally->rows > tally->wanted) || (last && tally->rows + tally->wanted <= tally->all))
			continue;
		put_line(out, start, end - start);
		selected++;
	}
	tsv_close(&tsv);
}

static uint64_t parse_count(const char *option, const char *text)
{
	int64_t n;

	if (!parse_s64(text, text + strlen(text), &n) || n < 1)
		die("%s: '%s' is not a number above 0", option, text);
	return n;
}

static void usage(void)
{
	die("usage: select-samples [-w CONDITION] [-f N | -l N] RUN.TSV SAMPLES.TSV OUTPUT");
}

int main(int argc, char **argv)
{
	static struct outfile out;
	uint64_t first = 0, last = 0;
	const char *condition = NULL;
	int opt;

	message_init("select-samples");
	while ((opt = getopt(argc, argv, "f:l:w:")) != -1) {
		if (opt == 'f')
			first = parse_count("--first", optarg);
		else if (opt == 'l')
			last = parse_count("--last", optarg);
		else if (opt == 'w')
			condition = optarg;
		else
			usage();
	}
	if (optind + 3 != argc)
		usage();

	read_state_names(argv[optind]);
	if (first || last)
		count_rows(argv[optind + 1], condition);
	share(first ? first : last);
	outfile_open(&out, argv[optind + 2]);
	select_rows(&out, argv[optind + 1], condition, first, last);
	outfile_close(&out);
	printf("%" PRIu64 " of %" PRIu64 "\n", selected, rows);
	outfile_end_stdout();
	return 0;
}
