// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "answer.h"
#include "complete.h"
#include "draw.h"
#include "message.h"
#include "outfile.h"
#include "quantiles.h"
#include "recording.h"
#include "run.h"
#include "stats.h"
#include "taint.h"
#include "unknown.h"

static const char *const names[NR_STATS] = { "", "-ci", "-reached", "-cpu", "-frequency",
	"-unknown", "-uncertainty" };

bool is_there(const struct table *table)
{
	return table->nr_columns;
}

const char *named_cell(const struct table *table, size_t row, const char *column)
{
	const char *cell = table_get(table, row, column);

	return cell ? cell : "";
}

/* Imported histograms have only the metric `latency`. */
static const char *metrics_of(const struct stats *stats)
{
	if (stats->metrics)
		return stats->metrics;
	return stats->source.counts && has_column(&stats->source, "latency") ? "latency" :
		"wake_latency,intr_latency";
}

static struct columns columns_from(const char *list)
{
	struct columns columns = { 0 };

	columns.nr = split_list(xstrdup(list), &columns.names);
	return columns;
}

/*
 * Return whether all metrics are times from a launch time, and the samples say how uncertain that
 * is.
 */
static bool are_uncertain(const struct stats *stats, const struct columns *metrics)
{
	static const char *const times[] = { "wake_latency", "intr_latency", "latency",
		"silent_time" };

	for (size_t i = 0; i < metrics->nr; i++) {
		size_t k = 0;

		while (k < 4 && strcmp(metrics->names[i], times[k]))
			k++;
		if (k == 4)
			return false;
	}
	return has_column(&stats->source, "uncertainty");
}

/* Add a job: statistics of METRICS by columns, without the samples that did not reach their state. */
static struct job *begin_job(const struct stats *stats, struct job **jobs, size_t *nr,
			     const char *by, const char *metrics, const char *percentiles)
{
	struct job *job = add_job(jobs, nr, NULL);

	job->by = columns_from(by);
	job->metrics = columns_from(metrics);
	job->nr_percentiles = parse_percentiles(xstrdup(percentiles), &job->percentiles);
	job->taint_column = "taint";
	job->only_reached = stats->source.counters;
	job->unsupported = stats->unsupported;
	check_lists(job);
	return job;
}

/* Return whether several CPUs were measured. */
static bool several_cpus(const struct facts *facts)
{
	const char *cpus = fact_first(facts, "cpus"), *at = strpbrk(cpus, ",-");

	return at && at[1];
}

const char *state_name(const struct facts *facts, const char *index)
{
	const char *name = fact(facts, xprintf("state.%s.name", index));

	return *name ? name : xprintf("state%s", index);
}

static const char *or_dash(const char *text)
{
	return *text ? text : "-";
}

/*
 * Make a table from one by source and the index of a state: with the state's name, then the source.
 * If ADVERTISED, add the advertised latency.
 */
static void name_states(const struct stats *stats, struct table *out, const struct table *in,
			bool advertised)
{
	table_columns(out, advertised ? "state source advertised_ns" : "state source");
	for (size_t i = 2; i < in->nr_columns; i++)
		table_column(out, "%s", in->columns[i]);
	for (size_t row = 0; row < table_rows(in); row++) {
		const char *index = table_cell(in, row, 1);

		table_put(out, "%s", state_name(&stats->facts, index));
		table_put(out, "%s", table_cell(in, row, 0));
		if (advertised)
			table_put(out, "%s", or_dash(fact(&stats->facts,
							  xprintf("state.%s.latency_ns", index))));
		for (size_t i = 2; i < in->nr_columns; i++)
			table_put(out, "%s", table_cell(in, row, i));
	}
}

/* Make the table of the mean frequency of the CPU while it was awake. */
static void make_frequency(const struct stats *stats, struct table *out, const struct table *in)
{
	double khz = number_in_text(fact(&stats->facts, "tsc_khz"));

	for (size_t row = 0; row < table_rows(in); row++) {
		const char *aperf = table_get(in, row, "aperf_cyc_mean"),
			*mperf = table_get(in, row, "mperf_cyc_mean");
		double a = number_in_text(aperf), m = number_in_text(mperf);

		table_set(out, "state", "%s", state_name(&stats->facts, table_cell(in, row, 1)));
		table_set(out, "source", "%s", table_cell(in, row, 0));
		table_set(out, "n", "%s", table_get(in, row, "n"));
		table_set(out, "aperf_cyc_mean", "%s", aperf);
		table_set(out, "mperf_cyc_mean", "%s", mperf);
		table_set(out, "mhz", "%s", a > 0 && m > 0 && khz > 0 ?
			  xprintf("%.1f", a / m * khz / 1000) : "-");
		table_end_row(out);
	}
}

/* Make the table of how far launch times may be off. */
static void make_uncertainty(struct table *out, const struct table *in)
{
	for (size_t row = 0; row < table_rows(in); row++) {
		table_set(out, "source", "%s", table_cell(in, row, 0));
		table_set(out, "n", "%s", table_get(in, row, "n"));
		table_set(out, "p50", "%s", table_get(in, row, "uncertainty_p50"));
		table_set(out, "max", "%s", table_get(in, row, "uncertainty_max"));
		table_end_row(out);
	}
}

/* Return whether a table has rows of several CPUs. */
static bool has_several_cpus(const struct table *table)
{
	for (size_t row = 1; row < table_rows(table); row++)
		if (strcmp(table_get(table, row, "cpu"), table_get(table, row - 1, "cpu")))
			return true;
	return false;
}

/* Add a job that counts the samples with each value of these columns. */
static size_t begin_count(struct job **jobs, size_t *nr, const char *by)
{
	struct job *job = add_job(jobs, nr, NULL);

	job->by = columns_from(by);
	job->taint_column = "taint";
	job->only_means = true;
	return *nr - 1;
}

/* Name the taints that get a column of their own: those with a bit. */
static void name_taints(struct job *job)
{
	for (const char *name; (name = taint_name(job->nr_taint_names)); job->nr_taint_names++) {
		job->taint_names = xrealloc(job->taint_names, job->nr_taint_names + 1,
					    sizeof(*job->taint_names));
		job->taint_names[job->nr_taint_names] = xstrdup(name);
	}
}

void make_stats(struct stats *stats)
{
	const char *metrics, *percentiles = stats->percentiles;
	size_t at[NR_STATS] = { 0 }, kinds = 0, rows = 0, nr = 0;
	const struct source *source = &stats->source;
	struct job *jobs = NULL, *job;
	struct tsv tsv;

	find_source(&stats->source, &stats->question, &stats->facts, &tsv);
	if (stats->draws)
		draw_begin(&stats->figures, &stats->facts, source, &tsv);
	metrics = metrics_of(stats);
	job = begin_job(stats, &jobs, &nr, "source,state", metrics, percentiles);
	name_taints(job);
	job->want_intervals = true;
	job->use_uncertainty = are_uncertain(stats, &job->metrics);
	if (source->counters) {
		at[REACHED] = nr;
		job = begin_job(stats, &jobs, &nr, "source,state", metrics, percentiles);
		job->only_reached = NULL;
		reached_parse(&job->reached, source->counters);
	}
	if (several_cpus(&stats->facts)) {
		at[CPU] = nr;
		begin_job(stats, &jobs, &nr, "source,state,cpu", metrics, percentiles);
	}
	if (has_column(source, "aperf_cyc") && has_column(source, "mperf_cyc")) {
		at[FREQUENCY] = nr;
		job = begin_job(stats, &jobs, &nr, "source,state", "aperf_cyc,mperf_cyc", "50");
		job->only_means = true;
	}
	if (has_column(source, "uncertainty")) {
		at[UNCERTAINTY] = nr;
		job = begin_job(stats, &jobs, &nr, "source", "uncertainty", "50");
		job->only_reached = NULL;
	}
	if (*fact_first(&stats->facts, "woken_by") && !source->counts &&
	    has_column(source, "event")) {
		kinds = nr;
		begin_job(stats, &jobs, &nr, "event,state", "wake_latency,intr_latency", "50");
	}
	if (has_column(source, "unknown")) {
		at[UNKNOWNS] = begin_count(&jobs, &nr, unknowns_by(source->counts));
		jobs[at[UNKNOWNS]].count_sums = true;
	}
	if (stats->question.check && !source->counts)
		rows = begin_count(&jobs, &nr, "run,cpu");
	make_tables(&jobs, nr, &tsv);
	if (stats->draws)
		figures_end(&stats->figures, &tsv);
	if (stats->question.check)
		check_complete(&stats->question, &stats->facts, source, &jobs[rows].table, "used");
	name_states(stats, &stats->tables[STATS], &jobs[0].table, true);
	name_states(stats, &stats->tables[CI], &jobs[0].intervals, false);
	if (at[REACHED])
		name_states(stats, &stats->tables[REACHED], &jobs[at[REACHED]].table, false);
	if (at[CPU] && has_several_cpus(&jobs[at[CPU]].table))
		name_states(stats, &stats->tables[CPU], &jobs[at[CPU]].table, false);
	if (at[FREQUENCY])
		make_frequency(stats, &stats->tables[FREQUENCY], &jobs[at[FREQUENCY]].table);
	if (at[UNKNOWNS])
		make_unknowns(&stats->tables[UNKNOWNS], &jobs[at[UNKNOWNS]].table);
	if (at[UNCERTAINTY])
		make_uncertainty(&stats->tables[UNCERTAINTY], &jobs[at[UNCERTAINTY]].table);
	if (kinds)
		stats->kinds = jobs[kinds].table;
}

/* Write the tables as PREFIX-ci.tsv and so on, and the notes of show_stats_notes() as PREFIX-notes. */
static void write_stats(const struct stats *stats, const char *prefix)
{
	const char *name;
	FILE *out;

	for (size_t i = 0; i < NR_STATS; i++) {
		if (!is_there(&stats->tables[i]))
			continue;
		name = xprintf("%s%s.tsv", prefix, names[i]);
		out = outfile_stream(name);
		table_tsv(&stats->tables[i], out);
		outfile_close_stream(out, name);
	}
	name = xprintf("%s-notes", prefix);
	out = outfile_stream(name);
	show_stats_notes(stats, out);
	outfile_close_stream(out, name);
}

/* Print the tables as one JSON document. */
static void print_stats_document(const struct stats *stats, FILE *out)
{
	static const char *const keys[] = { "stats", "stats_ci", "stats_reached", "stats_cpu",
		"stats_frequency", "stats_unknown" };
	char *limits = limits_line(&stats->facts, &stats->tables[STATS], false);

	begin_document("stats", !stats->question.incomplete, stats->selected, limits, &stats->facts, out);
	for (size_t i = 0; i < UNCERTAINTY; i++)
		if (is_there(&stats->tables[i]))
			print_rows(keys[i], xprintf("stats%s", names[i]), &stats->tables[i], out);
	fputs("\n}\n", out);
}

void make_files(struct stats *stats)
{
	make_stats(stats);
	if (stats->prefix)
		write_stats(stats, stats->prefix);
	if (stats->draws)
		draw_note(draw_end(&stats->figures, &stats->source, (const struct facts *[]) { &stats->facts }, &stats->name));
}

/* Make the tables, and write or print what is asked for. */
static int stats_task(FILE *text, void *arg)
{
	struct stats *stats = arg;

	make_files(stats);
	if (!strcmp(stats->form, "json"))
		print_stats_document(stats, text);
	else if (strcmp(stats->form, "none"))
		show_stats(stats, text);
	return stats->question.incomplete ? STATUS_INCOMPLETE : 0;
}

/* Store an option that has a value. Return false if it is unknown. */
static bool take_value(struct stats *stats, int opt, const char *value)
{
	const struct {
		int opt;
		const char **value;
	} options[] = { { 'C', &stats->question.check }, { 'F', &figures_directory }, { 'f', &stats->form }, { 'g', &stats->again },
		{ 'm', &stats->metrics }, { 'n', &stats->name }, { 'o', &stats->prefix }, { 'p', &stats->percentiles },
		{ 's', &stats->selected } };

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].opt == opt) {
			*options[i].value = value;
			return true;
		}
	return false;
}

void choose_draws(struct stats *stats)
{
	const struct question *q = &stats->question;
	off_t size = 0;
	struct stat st;

	for (size_t i = 0; i < q->nr_tables; i++)
		size += stat(q->tables[i], &st) ? 0 : st.st_size;
	stats->draws = figures_directory && size <= 256 << 20;
}

bool draw_rest(const struct stats *stats)
{
	return !figures_directory || stats->draws || draw_alone(&stats->figures, &stats->question, stats->name) != 1;
}

int stats_command(int argc, char **argv)
{
	static struct stats stats = { .selected = "", .name = "recording", .again = "", .form = "none" };
	struct question *q = &stats.question;
	int opt, status;

	stats.figures = figures_new(88);
	while ((opt = getopt(argc, argv, "cC:f:F:g:im:n:o:p:s:tuS")) != -1) {
		if (!strchr("ciStu", opt) && !take_value(&stats, opt, optarg))
			return -1;
		stats.chosen |= opt == 'c' || opt == 'u';
		stats.unsupported |= opt == 'u';
		stats.special |= opt == 'S';
		q->incomplete |= opt == 'i';
		q->traces |= opt == 't';
	}
	if (optind + 2 > argc || !stats.percentiles)
		return -1;
	stats.brief = !strcmp(stats.form, "brief");
	q->run_tsv = argv[optind];
	q->tables = (const char *const *)argv + optind + 1;
	q->nr_tables = argc - optind - 1;
	q->samples_name = q->check ? q->check : argv[argc - 1];
	facts_read(&stats.facts, q->run_tsv);
	choose_draws(&stats);
	status = run_reader(q->tables, q->traces ? q->nr_tables : 0, NULL, stats_task, &stats);
	return status == 1 || draw_rest(&stats) ? status : 1;
}
