// SPDX-License-Identifier: GPL-2.0
/*
 * strata [-r COLUMN:STATE=COUNTER,...] SAMPLES.TSV DIRECTORY
 *
 * Sort latencies into strata, each of which may be fitted as a whole. A stratum has one source,
 * one state and one metric, and with -r one value of reached. Writes the latencies of stratum N
 * into DIRECTORY/N, one a line in recorded order, and prints a table of the strata. The metric is
 * wake_latency, or intr_latency if a sample has no wake_latency. Tainted samples are left out. The
 * table has the largest uncertainty of each stratum; "-" if SAMPLES.TSV has no column uncertainty.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "groups.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "reached.h"
#include "tsv.h"

struct stratum {
	char *name;
	FILE *out;
	int64_t uncertainty;
};

enum { SOURCE, STATE, REACHED, METRIC, NR_KEYS };
static const char *const key_names[NR_KEYS] = { "source", "state", "reached", "metric" };

static struct groups groups = { .nr_keys = NR_KEYS };
static struct reached reached;
static const char *directory;
static bool has_uncertainty;

static struct tsv_cell word(const char *text)
{
	return (struct tsv_cell) { .start = text, .end = text + strlen(text) };
}

static struct stratum *new_stratum(void)
{
	struct stratum *stratum = xrealloc(NULL, 1, sizeof(*stratum));

	stratum->name = xprintf("%s/%zu", directory, groups.nr);
	stratum->out = outfile_stream(stratum->name);
	stratum->uncertainty = 0;
	return stratum;
}

static void put_value(const struct tsv_cell *key, int64_t v, int64_t uncertainty)
{
	struct group *group = groups_get(&groups, key);
	char digits[NUMBER_DIGITS + 1], *end;
	struct stratum *stratum;

	if (!group->data)
		group->data = new_stratum();
	stratum = group->data;
	end = put_s64(digits, v);
	*end++ = '\n';
	fwrite(digits, 1, end - digits, stratum->out);
	if (uncertainty > stratum->uncertainty)
		stratum->uncertainty = uncertainty;
}

static void read_samples(const char *name)
{
	size_t source, state, wake, intr, taint, uncertain;
	struct tsv_cell key[NR_KEYS];
	struct tsv tsv;
	int64_t v, uncertainty;

	tsv_open(&tsv, name);
	source = tsv_column(&tsv, "source");
	state = tsv_column(&tsv, "state");
	wake = tsv_column(&tsv, "wake_latency");
	intr = tsv_column(&tsv, "intr_latency");
	taint = tsv_column(&tsv, "taint");
	uncertain = tsv_optional_column(&tsv, "uncertainty");
	has_uncertainty = uncertain != TSV_ABSENT;
	if (reached.nr)
		reached_find_columns(&reached, &tsv);
	while (tsv_next_row(&tsv)) {
		bool has_wake = tsv_s64(&tsv, wake, &v);

		if (!tsv_absent(&tsv, taint) || (!has_wake && !tsv_s64(&tsv, intr, &v)))
			continue;
		key[SOURCE] = tsv.cells[source];
		key[STATE] = tsv.cells[state];
		key[REACHED] = word(reached.nr ? reached_word(&reached, &tsv) : "-");
		key[METRIC] = word(has_wake ? "wake_latency" : "intr_latency");
		if (!has_uncertainty || !tsv_s64(&tsv, uncertain, &uncertainty))
			uncertainty = 0;
		put_value(key, v, uncertainty);
	}
	if (!groups.nr)
		die("%s: no sample without a taint", name);
	tsv_close(&tsv);
}

static void print_table(void)
{
	printf("file");
	for (size_t i = 0; i < NR_KEYS; i++)
		printf("\t%s", key_names[i]);
	printf("\tuncertainty\n");
	groups_sort(&groups);
	for (size_t i = 0; i < groups.nr; i++) {
		const struct group *group = &groups.list[i];
		const struct stratum *stratum = group->data;

		outfile_close_stream(stratum->out, stratum->name);
		printf("%s", strrchr(stratum->name, '/') + 1);
		for (size_t k = 0; k < NR_KEYS; k++)
			printf("\t%s", group->key[k]);
		if (has_uncertainty)
			printf("\t%" PRId64 "\n", stratum->uncertainty);
		else
			printf("\t-\n");
	}
	outfile_end_stdout();
}

int main(int argc, char **argv)
{
	int opt;

	message_init("strata");
	while ((opt = getopt(argc, argv, "r:")) != -1) {
		if (opt != 'r')
			die("usage: strata [-r COLUMN:STATE=COUNTER,...] SAMPLES.TSV DIRECTORY");
		reached_parse(&reached, optarg);
	}
	if (optind + 2 != argc)
		die("usage: strata [-r COLUMN:STATE=COUNTER,...] SAMPLES.TSV DIRECTORY");
	directory = argv[optind + 1];
	read_samples(argv[optind]);
	print_table();
	return 0;
}
