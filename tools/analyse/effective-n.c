// SPDX-License-Identifier: GPL-2.0
/*
 * effective-n (-l LIMIT | -p PERCENT) [FILE]: print how many independent samples the integers in FILE are worth.
 *
 * FILE (default: standard input) has one integer a line, in recorded order. The integers above LIMIT, or above the percentile,
 * are tested for dependence (dependence.h). Prints n, effective_n (rounded down), p, drift_p and unknown (yes, no), with a
 * header. "-": too few samples for a test.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dependence.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "percentile.h"

static int64_t *values;
static size_t nr;

static void read_values(const char *name)
{
	FILE *f = name ? fopen(name, "re") : stdin;
	size_t room = 0, size = 0;
	char *line = NULL;
	ssize_t len;

	if (!f)
		die("%s: %s", name, strerror(errno));
	while ((len = getline(&line, &size, f)) > 0) {
		if (line[len - 1] == '\n')
			len--;
		if (nr == room) {
			room = room ? 2 * room : 1024;
			values = xrealloc(values, room, sizeof(*values));
		}
		if (!parse_s64(line, line + len, &values[nr++]))
			die("%s:%zu: not an integer", name ? name : "standard input", nr);
	}
	if (ferror(f))
		die("cannot read %s: %s", name ? name : "standard input", strerror(errno));
	free(line);
}

static void put_p(double p)
{
	if (p < 0)
		fputs("\t-", stdout);
	else
		printf("\t%.3g", p);
}

int main(int argc, char **argv)
{
	struct percentile *percentile = NULL;
	const char *limit = NULL;
	struct dependence d;
	int64_t threshold;
	int opt;

	message_init("effective-n");
	while ((opt = getopt(argc, argv, "l:p:")) != -1) {
		if (opt == 'l')
			limit = optarg;
		else if (opt != 'p' || parse_percentiles(optarg, &percentile) != 1)
			optind = argc + 1;
	}
	if (optind + 1 < argc || optind > argc || !limit == !percentile)
		die("usage: effective-n (-l LIMIT | -p PERCENT) [FILE]");
	read_values(optind < argc ? argv[optind] : NULL);
	if (limit) {
		if (!parse_s64(limit, limit + strlen(limit), &threshold))
			die("-l: '%s' is not an integer", limit);
		d = dependence_above(values, nr, threshold);
	} else {
		int64_t *copy = xrealloc(NULL, nr + 1, sizeof(*copy));
		struct distribution sorted;

		memcpy(copy, values, nr * sizeof(*copy));
		sorted = distribution_of(copy, NULL, nr);
		d = dependence_at(values, &sorted, percentile->part, percentile->whole);
		distribution_free(&sorted);
	}
	printf("n\teffective_n\tp\tdrift_p\tunknown\n%zu\t%" PRIu64, nr, dependence_effective(nr, &d));
	put_p(d.p);
	put_p(d.drift_p);
	printf("\t%s\n", d.unknown ? "yes" : "no");
	outfile_end_stdout();
	return 0;
}
