// SPDX-License-Identifier: GPL-2.0
/*
 * tail-strata [-r COLUMN:STATE=COUNTER,...] SAMPLES.TSV DIRECTORY
 *
 * Sort latencies into strata, each of which may be fitted as a whole. A stratum has one source,
 * one state and one metric, and with -r one value of reached. Writes the latencies of stratum N
 * into DIRECTORY/N, one a line in recorded order (of several CPUs: as in spread.h), and prints a table of the strata.
 * The metric is wake_latency, or intr_latency if a sample has no wake_latency. Tainted samples are left out. The
 * table has the number of CPUs and the largest uncertainty of each stratum; "-" if SAMPLES.TSV has no column uncertainty.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "groups.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "reached.h"
#include "spread.h"
#include "tsv.h"

struct stratum {
	int64_t *values;
	uint32_t *cpus;
	size_t nr, room;
	int64_t uncertainty;
};

enum { SOURCE, STATE, REACHED, METRIC, NR_KEYS };
static const char *const key_names[NR_KEYS] = { "source", "state", "reached", "metric" };

static struct groups groups = { .nr_keys = NR_KEYS };
static struct reached reached;
static const char *directory;
static bool has_uncertainty;

static void add_value(const struct tsv_cell *key, int64_t v, int64_t uncertainty, uint32_t cpu)
{
	struct stratum *stratum = group_data(&groups, key, sizeof(*stratum));

	if (stratum->nr == stratum->room) {
		stratum->room = stratum->room ? 2 * stratum->room : 1024;
		stratum->values = xrealloc(stratum->values, stratum->room, sizeof(*stratum->values));
		stratum->cpus = xrealloc(stratum->cpus, stratum->room, sizeof(*stratum->cpus));
	}
	stratum->values[stratum->nr] = v;
	stratum->cpus[stratum->nr++] = cpu;
	if (uncertainty > stratum->uncertainty)
		stratum->uncertainty = uncertainty;
}

static void read_samples(const char *name)
{
	size_t source, state, wake, intr, taint, uncertain, cpu;
	struct tsv_cell key[NR_KEYS];
	struct tsv tsv;
	int64_t v, uncertainty;

	tsv_open(&tsv, name);
	source = tsv_column(&tsv, "source");
	state = tsv_column(&tsv, "state");
	cpu = tsv_column(&tsv, "cpu");
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
		key[REACHED] = cell_from(reached.nr ? reached_word(&reached, &tsv) : "-");
		key[METRIC] = cell_from(has_wake ? "wake_latency" : "intr_latency");
		if (!has_uncertainty || !tsv_s64(&tsv, uncertain, &uncertainty))
			uncertainty = 0;
		add_value(key, v, uncertainty, spread_cpu(&tsv.cells[cpu]));
	}
	if (!groups.nr)
		die("%s: no sample without a taint", name);
	tsv_close(&tsv);
}

static void write_values(const char *name, const struct stratum *stratum)
{
	FILE *out = outfile_stream(name);
	char digits[NUMBER_DIGITS + 1];

	for (size_t i = 0; i < stratum->nr; i++) {
		char *end = put_s64(digits, stratum->values[i]);

		*end++ = '\n';
		fwrite(digits, 1, end - digits, out);
	}
	outfile_close_stream(out, name);
}

static size_t count_cpus(const struct stratum *stratum)
{
	static bool seen[SPREAD_MOST_CPUS + 1];
	size_t nr = 0;

	memset(seen, 0, sizeof(seen));
	for (size_t i = 0; i < stratum->nr; i++)
		if (!seen[stratum->cpus[i]]) {
			seen[stratum->cpus[i]] = true;
			nr++;
		}
	return nr;
}

static void write_all(void)
{
	printf("file");
	for (size_t i = 0; i < NR_KEYS; i++)
		printf("\t%s", key_names[i]);
	printf("\tcpus\tuncertainty\n");
	groups_sort(&groups);
	for (size_t i = 0; i < groups.nr; i++) {
		const struct group *group = &groups.list[i];
		const struct stratum *stratum = group->data;
		char *name = xprintf("%s/%zu", directory, i + 1);

		spread_cpus(stratum->values, stratum->cpus, stratum->nr);
		write_values(name, stratum);
		free(name);
		printf("%zu", i + 1);
		for (size_t k = 0; k < NR_KEYS; k++)
			printf("\t%s", group->key[k]);
		printf("\t%zu", count_cpus(stratum));
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

	message_init("tail-strata");
	while ((opt = getopt(argc, argv, "r:")) != -1) {
		if (opt != 'r')
			die("usage: tail-strata [-r COLUMN:STATE=COUNTER,...] SAMPLES.TSV DIRECTORY");
		reached_parse(&reached, optarg);
	}
	if (optind + 2 != argc)
		die("usage: tail-strata [-r COLUMN:STATE=COUNTER,...] SAMPLES.TSV DIRECTORY");
	directory = argv[optind + 1];
	read_samples(argv[optind]);
	write_all();
	return 0;
}
