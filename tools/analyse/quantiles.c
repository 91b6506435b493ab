// SPDX-License-Identifier: GPL-2.0
/*
 * quantiles -g COLUMN,... -m METRIC,... [-p PERCENT,...] [-t COLUMN[:NAME,...]]
 *           [-r COLUMN:STATE=COUNTER,...] [-R COLUMN:STATE=COUNTER,...] [-i INTERVALS.TSV]
 *           [-c PPM] [-C COLUMN:STATE=PPM,...] [-H DIRECTORY] [-u] [-x COLUMN:STATE=LIMIT,...] [-l LIMIT] [-k NAME,...]
 *           [-e COLUMN:STATE=COUNT,...] [-w COLUMN] [-U] [-T TAINTS.TSV] [-s]
 *           [-o FILE -g COLUMN,... -m METRIC,... [...]]... TABLE.TSV
 *
 * Print exact statistics of the integers in METRIC columns as a table on stdout, one row for
 * each combination of values in the -g columns. Its columns are the -g columns, n, then for
 * each metric min, the percentiles, max, mean, std. A row whose -t column is not "-" is left
 * out of the statistics and counted in the columns tainted, NAME... and other_taint. A cell is
 * "-" if there is no value, or if there are too few values for a percentile. With -u, such a
 * percentile is printed and ends in "*".
 *
 * -r splits the groups once more, by a column "reached": whether COUNTER advanced in a row
 * whose COLUMN is STATE.
 *
 * -R leaves rows in which COUNTER did not advance out of the statistics, but not out of the taints. It keeps them
 * if COUNTER advanced in no row with the same values in the -g columns up to COLUMN. -R excludes -w.
 *
 * -i writes confidence intervals, one row for each group, metric and percentile. low and high
 * are the order statistics that enclose the percentile with a probability of 95 %. low_joint
 * and high_joint are for comparing two independent tables: both intervals hold with a
 * probability of 95 %. With -c, a bound is wrong with a probability of at most PPM millionths.
 * The default is 25000 (2.5 %). -C sets PPM for groups whose -g COLUMN is STATE.
 *
 * -x adds two columns for groups whose -g COLUMN is STATE ("-" in other groups). METRIC_above
 * is the number of values above LIMIT. METRIC_above_most is the upper confidence bound on their
 * share. -l adds METRIC_over and METRIC_over_most, the same for one LIMIT in all groups.
 * -H writes DIRECTORY/KEY-KEY-METRIC.hgrm for each group and metric that has values.
 *
 * If samples depend on each other (dependence.h), the intervals and the shares of -x and -l are
 * wider: those of effective_n independent samples. Columns clusters_p, drift_p and unknown have
 * the results of the tests.
 *
 * -k: a row is not left out if all its taints are among NAME,...
 * -e: groups whose -g COLUMN is STATE have COUNT further values, which are known only to be
 * longer than all others. A bound among these values is "inf". With -w, STATE/VALUE=COUNT are those
 * of one VALUE of its COLUMN.
 * -w adds COLUMN (such as cpu) to the tables: a row for each of its values, and a row "all". If
 * COLUMN has only one value in a group, there is only the row "all". The lower bounds of -i for the
 * N values of a group and for "all" are wrong with a probability of at most PPM in total, so each
 * with PPM / (N + 1). The p-values of a row of one value are multiplied by N. Upper bounds and
 * shares have the probability of error PPM in each row.
 * -U: column uncertainty is how far a value may be off, in the same direction for all values.
 * Lower bounds are computed from the values minus their uncertainty, upper bounds from the values
 * plus their uncertainty. Column uncertainty of -i has the largest uncertainty; value_least and
 * value_most are the percentile of the values minus, and plus, their uncertainty.
 * -T writes how many rows have each combination of taints: the -g columns, taint, n, and in column
 * values the largest number of them that have a value of one METRIC.
 * -s: print only n and the means of samples, and "-" for the other statistics. This needs no memory
 * for the values.
 *
 * -o FILE begins one more table of statistics, which is written to FILE. The options after it are
 * those of that table. All tables are computed while TABLE.TSV is read once.
 *
 * TABLE.TSV may be a counts.tsv. Its rows say how often each value occurred, and how many samples
 * there were. If samples are only known as intervals, the statistics are intervals, too:
 * "LOW..HIGH", with "-" as HIGH if there is no end. std is "-" then. Lower bounds are computed from
 * the lower ends, upper bounds from the upper ends.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "number.h"
#include "outfile.h"
#include "quantiles.h"

static void parse_taint(struct job *job, char *text)
{
	char *colon = strchr(text, ':');

	job->taint_column = text;
	if (!colon)
		return;
	*colon = '\0';
	job->nr_taint_names = split_list(colon + 1, &job->taint_names);
}

static int64_t parse_number(char option, const char *text)
{
	int64_t v;

	if (!parse_s64(text, text + strlen(text), &v))
		die("-%c: '%s' is not an integer", option, text);
	return v;
}

static void check_tail(int64_t ppm)
{
	if (ppm < 1 || ppm >= 500000)
		die("a probability of %" PRId64 " millionths is not below one half", ppm);
}

static void usage(void)
{
	die("usage: quantiles -g COLUMN,... -m METRIC,... [-p PERCENT,...] [-t COLUMN[:NAME,...]] "
	    "[-r COLUMN:STATE=COUNTER,...] [-R COLUMN:STATE=COUNTER,...] [-i INTERVALS.TSV] [-c PPM] [-C COLUMN:STATE=PPM,...] "
	    "[-H DIRECTORY] [-u] [-x COLUMN:STATE=LIMIT,...] [-l LIMIT] [-k NAME,...] "
	    "[-e COLUMN:STATE=COUNT,...] [-w COLUMN] [-U] [-T TAINTS.TSV] [-s] [-o FILE -g ... -m ... [...]]... "
	    "TABLE.TSV");
}

/* Store an option of JOB, with its value. */
static void take_option(struct job *job, int opt, char *value)
{
	if (opt == 'c') {
		job->tail = parse_number('c', value);
		check_tail(job->tail);
	} else if (opt == 'C') {
		by_state_parse(&job->tails, 'C', value);
		for (size_t i = 0; i < job->tails.nr; i++)
			check_tail(job->tails.numbers[i]);
	} else if (opt == 'e')
		by_state_parse(&job->endless, 'e', value);
	else if (opt == 'g')
		job->by.nr = split_list(value, &job->by.names);
	else if (opt == 'H')
		job->hgrm_directory = value;
	else if (opt == 'i')
		job->want_intervals = (job->intervals_name = value);
	else if (opt == 'k')
		job->nr_kept_taints = split_list(value, &job->kept_taints);
	else if (opt == 'l') {
		job->limit_of_all = parse_number('l', value);
		job->count_over = true;
	} else if (opt == 'm')
		job->metrics.nr = split_list(value, &job->metrics.names);
	else if (opt == 'p')
		job->nr_percentiles = parse_percentiles(value, &job->percentiles);
	else if (opt == 'r')
		reached_parse(&job->reached, value);
	else if (opt == 'R')
		job->only_reached = value;
	else if (opt == 's')
		job->only_means = true;
	else if (opt == 't')
		parse_taint(job, value);
	else if (opt == 'T')
		job->want_taints = (job->taints_name = value);
	else if (opt == 'u')
		job->unsupported = true;
	else if (opt == 'U')
		job->use_uncertainty = true;
	else if (opt == 'w')
		job->part_column = value;
	else if (opt == 'x')
		by_state_parse(&job->above, 'x', value);
	else
		usage();
}

/* die() if the header of the job's table would be empty or have a name twice. */
static void check_header(const struct job *job)
{
	if (!job->by.nr || !job->metrics.nr)
		usage();
	if (job->only_reached && job->part_column)
		die("-R: not with -w");
	for (size_t i = 0; job->part_column && i < job->by.nr; i++)
		if (!strcmp(job->by.names[i], job->part_column))
			die("-w: %s is one of the -g columns", job->part_column);
	check_lists(job);
}

static void write_table(const struct table *table, const char *name)
{
	FILE *f = outfile_stream(name);

	table_tsv(table, f);
	outfile_close_stream(f, name);
}

/* Write all tables of a job. */
static void write_job(const struct job *job)
{
	if (job->intervals_name)
		write_table(&job->intervals, job->intervals_name);
	if (job->taints_name)
		write_table(&job->taints, job->taints_name);
	if (job->name) {
		write_table(&job->table, job->name);
		return;
	}
	table_tsv(&job->table, stdout);
	outfile_end_stdout();
}

int main(int argc, char **argv)
{
	struct job *jobs = NULL, *job;
	size_t nr = 0;
	struct tsv tsv;
	int opt;

	message_init("quantiles");
	job = add_job(&jobs, &nr, NULL);
	while ((opt = getopt(argc, argv, "c:C:e:g:H:i:k:l:m:o:p:r:R:st:T:uUw:x:")) != -1) {
		if (opt == 'o')
			job = add_job(&jobs, &nr, optarg);
		else
			take_option(job, opt, optarg);
	}
	if (optind + 1 != argc)
		usage();
	for (size_t i = 0; i < nr; i++)
		check_header(&jobs[i]);
	tsv_open(&tsv, argv[optind]);
	make_tables(&jobs, nr, &tsv);
	for (size_t i = 0; i < nr; i++)
		write_job(&jobs[i]);
	return 0;
}
