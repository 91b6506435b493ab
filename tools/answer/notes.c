// SPDX-License-Identifier: GPL-2.0
/* What a reader of the statistics must know. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "message.h"
#include "percentile.h"
#include "stats.h"
#include "unknown.h"

static double cell_number(const struct table *table, size_t row, const char *column)
{
	return number_in_text(named_cell(table, row, column));
}

/* Add ", 3 smi" to a list, unless the count is 0. */
static void add_count(struct text *list, double count, const char *kind)
{
	if (count)
		text_join(list, ", ", "%.0f %s", count, kind);
}

/* The samples of a state by what its residency counter says. */
struct halves {
	double yes, no, unclear;
};

/*
 * Print which samples the table leaves out because their counter did not advance, and which states
 * no sample reached. Return how many samples were left out.
 */
static double note_reached(const struct stats *stats, FILE *out)
{
	const struct table *table = &stats->tables[REACHED];
	struct groups states = { .nr_keys = 1 };
	struct text some = { 0 }, none = { 0 };
	double left_out = 0;

	for (size_t row = 0; row < table_rows(table); row++) {
		struct tsv_cell state = cell_from(table_cell(table, row, 0));
		struct halves *halves = group_data(&states, &state, sizeof(*halves));
		const char *reached = table_get(table, row, "reached");

		*(!strcmp(reached, "yes") ? &halves->yes : !strcmp(reached, "no") ? &halves->no :
		  &halves->unclear) += cell_number(table, row, "n");
	}
	for (size_t i = 0; i < states.nr; i++) {
		const struct halves *halves = states.list[i].data;

		if (halves->yes > 0) {
			left_out += halves->no + halves->unclear;
			add_count(&some, halves->no + halves->unclear,
				  xprintf("of %s", states.list[i].key[0]));
		} else if (halves->no > 0) {
			text_join(&none, ", ", "%s", states.list[i].key[0]);
		}
	}
	if (!text_empty(&some))
		fprintf(out, "Left out, because it is not known whether they reached the requested state: %s%s.\n",
			text_str(&some), stats->brief ? " (stats-reached.tsv)" :
			"; stats-reached.tsv has their statistics");
	if (!text_empty(&none))
		fprintf(out, "%s: the residency counter moved in no sample. It may be the wrong counter.\n",
			text_str(&none));
	return left_out;
}

static void note_interrupts(const struct stats *stats, FILE *out)
{
	const struct table *table = &stats->tables[STATS];
	struct text states = { 0 };

	for (size_t row = 0; row < table_rows(table); row++)
		if (cell_number(table, row, "n") > 0 &&
		    !strcmp(named_cell(table, row, "wake_latency_min"), "-"))
			text_join(&states, ", ", "%s", table_cell(table, row, 0));
	if (!text_empty(&states))
		fprintf(out, stats->brief ?
			"No wake latency of %s: entered with interrupts on; see its interrupt latency.\n" :
			"No wake latency of %s: entered with interrupts on, so the handler runs before\n  the clock can be read after the idle state. See its interrupt latency.\n",
			text_str(&states));
}

static void note_caveats(const struct stats *stats, FILE *out)
{
	for (size_t i = 0; i < stats->facts.nr; i++) {
		const struct fact *fact = &stats->facts.list[i];
		const char *before = !strcmp(fact->key, "caveat") ? "Caveat: " :
			!strcmp(fact->key, "systematic_error") ? "Systematic error, " :
			!strcmp(fact->key, "taints_unknown") ? "Taints: " : NULL;

		if (before)
			fprintf(out, "%s%s.\n", before, fact->value);
	}
}

/*
 * Return how many samples the percentiles of the table need. Set *MOST to the number for the highest
 * one.
 */
static const char *needs_text(const struct stats *stats, uint64_t *most)
{
	static const char *const percentiles[] = { "99", "99.9", "99.99", "99.999" };
	struct text text = { 0 };

	for (size_t i = 0; i < (stats->brief && !stats->chosen ? 2 : 4); i++) {
		*most = percentile_needs(percentiles[i]);
		text_join(&text, ", ", i ? "p%s %" PRIu64 : "p%s needs %" PRIu64, percentiles[i], *most);
	}
	return text_str(&text);
}

/* Explain what is in the cells of the table: intervals, and percentiles with too few samples. */
static void note_cells(const struct stats *stats, FILE *out)
{
	const struct table *table = &stats->tables[STATS];
	uint64_t needed = 0;
	const char *resolution = fact(&stats->facts, "resolution_ns"),
		*needs = needs_text(stats, &needed);
	bool few = false, between = false, open = false, unsupported = false;

	for (size_t row = 0; row < table_rows(table); row++) {
		few |= cell_number(table, row, "n") < needed;
		for (size_t i = 0; i < table->nr_columns; i++) {
			const char *cell = table_cell(table, row, i), *dots = strstr(cell, ".."),
				*star = strchr(cell, '*');

			between |= dots && dots > cell && isdigit((unsigned char)dots[-1]);
			open |= dots && dots[2] == '-';
			unsupported |= star && star > cell && isdigit((unsigned char)star[-1]);
		}
	}
	if (between)
		fprintf(out, "A..B: the value is between A and B, because the samples are known only in bins%s.%s\n",
			*resolution ? xprintf(" of %g us or wider", number_in_text(resolution) / 1000) :
			"", open ? " A..-: above the last bin; the tool states no maximum." : "");
	if (unsupported || few)
		fprintf(out, "%s too few samples for it (%s).\n",
			unsupported ? "*: NOT SUPPORTED:" : "- for a percentile:", needs);
}

/* Name the states that run.tsv does not have. */
static void note_unknown(const struct stats *stats, FILE *out)
{
	const struct table *table = &stats->tables[STATS];
	struct groups said = { .nr_keys = 1 };

	for (size_t row = 0; row < table_rows(table); row++) {
		const char *state = table_cell(table, row, 0);
		struct tsv_cell cell = cell_from(state);

		if (strcmp(table_get(table, row, "advertised_ns"), "-") ||
		    state_named(&stats->facts, state) >= 0 || groups_find(&said, &cell))
			continue;
		groups_get(&said, &cell);
		fprintf(out, "%s is not in the state table of run.tsv. Is the recording of another CPU?\n",
			state);
	}
}

/* Say how many samples were left out as tainted. FURTHER samples are in no row of the table. */
static void note_tainted(const struct stats *stats, double further, FILE *out)
{
	const struct table *table = &stats->tables[STATS];
	size_t at = table_find(table, "tainted");
	double samples = further, tainted = 0;
	struct text list = { 0 };

	for (size_t row = 0; row < table_rows(table); row++) {
		tainted += cell_number(table, row, "tainted");
		samples += cell_number(table, row, "n") + cell_number(table, row, "tainted");
	}
	if (!tainted) {
		if (strncmp(fact(&stats->facts, "taints_unknown"), "not known: ", 11))
			fputs("Tainted: none.\n", out);
		return;
	}
	/* The columns of the taints are the last ones. */
	for (size_t i = at + 1; i < table->nr_columns; i++) {
		double n = 0;

		for (size_t row = 0; row < table_rows(table); row++)
			n += number_in_text(table_cell(table, row, i));
		add_count(&list, n, strcmp(table->columns[i], "other_taint") ? table->columns[i] :
			  "other");
	}
	fprintf(out, "Left out as tainted: %.0f of %.0f samples%s\n", tainted, samples,
		text_empty(&list) ? "." : xprintf(" (%s).", text_str(&list)));
}

/* Return the sum of run.R.cpuC.KIND; -1 if there is none. */
static double sum_of_runs(const struct facts *facts, const char *kind)
{
	double sum = -1;

	for (size_t i = 0; i < facts->nr; i++) {
		char *part[4];

		if (key_parts(facts->list[i].key, part, 4) == 4 && !strcmp(part[0], "run") &&
		    is_digits(part[1]) && !strncmp(part[2], "cpu", 3) && is_digits(part[2] + 3) &&
		    !strcmp(part[3], kind))
			sum = (sum < 0 ? 0 : sum) + number_in_text(facts->list[i].value);
	}
	return sum;
}

static void note_armed(const struct stats *stats, FILE *out)
{
	static const char *const misses[][2] = { { "not_idle", "not idle" },
		{ "late", "armed too late" }, { "order", "out of order" },
		{ "limited", "too soon after the last" } };
	double armed = sum_of_runs(&stats->facts, "armed");
	struct text list = { 0 };

	if (armed < 0 || stats->brief)
		return;
	for (size_t i = 0; i < 4; i++)
		add_count(&list, sum_of_runs(&stats->facts, misses[i][0]) < 0 ? 0 :
			  sum_of_runs(&stats->facts, misses[i][0]), misses[i][1]);
	fprintf(out, "Armed %.0f events; no sample from: %s.\n", armed,
		text_empty(&list) ? "none" : text_str(&list));
}

/* Return whether a run that ended for this reason is complete. */
static bool is_whole(const char *reason)
{
	static const char *const whole[] = {
#include "reasons.inc"
	};

	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		if (!strcmp(reason, whole[i]))
			return true;
	return false;
}

static void note_runs(const struct stats *stats, FILE *out)
{
	const struct facts *facts = &stats->facts;
	struct text ended = { 0 };
	bool known = false;
	double lost = 0;

	for (size_t i = 0; i < facts->nr; i++) {
		const char *value = facts->list[i].value;
		char *part[3];

		if (!strncmp(facts->list[i].key, "lost_", 5)) {
			lost += number_in_text(value);
			known = true;
		}
		if (key_parts(facts->list[i].key, part, 3) == 3 && !strcmp(part[0], "run") &&
		    is_digits(part[1]) && !strcmp(part[2], "reason") && !is_whole(value))
			text_join(&ended, ", ", "run %s %s", part[1], value);
	}
	if (!text_empty(&ended))
		fprintf(out, "Ended early: %s.\n", text_str(&ended));
	fprintf(out, "Events lost while recording: %s\n", lost ? xprintf("%.0f.", lost) :
		known ? "none." : "not known.");
}

static void note_uncertainty(const struct stats *stats, FILE *out)
{
	const struct table *table = &stats->tables[UNCERTAINTY];

	for (size_t row = 0; row < table_rows(table); row++) {
		const char *median = table_get(table, row, "p50");

		if (cell_number(table, row, "max") > 0)
			fprintf(out, "Launch times of source %s are wrong by at most %s%.3f us (column uncertainty of samples.tsv).\n",
				table_get(table, row, "source"), strcmp(median, "-") ?
				xprintf("%.3f us (median), ", number_in_text(median) / 1000) : "",
				cell_number(table, row, "max") / 1000);
	}
}

void show_stats_notes(const struct stats *stats, FILE *out)
{
	double left_out = note_reached(stats, out);

	note_interrupts(stats, out);
	note_caveats(stats, out);
	note_cells(stats, out);
	note_unknown(stats, out);
	note_tainted(stats, left_out, out);
	show_unknowns(&stats->tables[UNKNOWNS], "", out);
	note_armed(stats, out);
	note_runs(stats, out);
	note_uncertainty(stats, out);
}

/* What is doubtful in the samples of a state and metric. */
struct doubt {
	const char *state, *n, *least;
	struct text clusters, drift;
};

static const char *metric_of(const struct table *ci, size_t row)
{
	const char *metric = table_get(ci, row, "metric");

	return !strcmp(metric, "wake_latency") ? "wake latency" :
		!strcmp(metric, "intr_latency") ? "interrupt latency" : metric;
}

bool is_small(const char *p)
{
	return !is_dash(p) && number_in_text(p) < 0.001;
}

/* Return the doubts in the intervals, by state and metric. */
static struct groups find_doubts(const struct table *ci)
{
	struct groups doubts = { .nr_keys = 1 };

	for (size_t row = 0; row < table_rows(ci); row++) {
		const char *state = table_cell(ci, row, 0), *n = table_get(ci, row, "n"),
			*effective = table_get(ci, row, "effective_n"),
			*percentile = table_get(ci, row, "percentile");
		struct tsv_cell key = cell_from(xprintf("%s, %s", state, metric_of(ci, row)));
		struct doubt *doubt = group_data(&doubts, &key, sizeof(*doubt));

		doubt->state = state;
		if (number_in_text(effective) < number_in_text(n) &&
		    (!doubt->least || number_in_text(effective) < number_in_text(doubt->least))) {
			doubt->least = effective;
			doubt->n = n;
		}
		if (is_small(table_get(ci, row, "clusters_p")) &&
		    strcmp(table_get(ci, row, "unknown"), "no"))
			text_join(&doubt->clusters, ", ", "p%s", percentile);
		if (is_small(table_get(ci, row, "drift_p")))
			text_join(&doubt->drift, ", ", "p%s", percentile);
	}
	return doubts;
}

/* Print one line that names the states in doubt, or nothing. */
static void show_states_in_doubt(const struct groups *doubts, FILE *out)
{
	struct groups said = { .nr_keys = 1 };
	struct text list = { 0 };

	for (size_t i = 0; i < doubts->nr; i++) {
		const struct doubt *doubt = doubts->list[i].data;
		struct tsv_cell state = cell_from(doubt->state);

		if ((text_empty(&doubt->clusters) && text_empty(&doubt->drift)) ||
		    groups_find(&said, &state))
			continue;
		groups_get(&said, &state);
		text_join(&list, ", ", "%s", doubt->state);
	}
	if (!text_empty(&list))
		fprintf(out, "DOUBT: %s: samples depend on each other\n",
			list.len > 40 ? "several states" : text_str(&list));
}

void show_doubts(const struct stats *stats, bool brief, FILE *out)
{
	struct groups doubts = find_doubts(&stats->tables[CI]);

	if (brief) {
		show_states_in_doubt(&doubts, out);
		return;
	}
	for (size_t i = 0; i < doubts.nr; i++) {
		const struct doubt *doubt = doubts.list[i].data;
		const char *key = doubts.list[i].key[0];

		if (doubt->least)
			fprintf(out, "%s: samples may depend on each other: the intervals count them as at least %s samples instead of %s.\n",
				key, doubt->least, doubt->n);
		if (!text_empty(&doubt->clusters))
			fprintf(out, "DOUBT: %s: samples come in clusters, so the intervals contain the true value less often than stated (%s).\n",
				key, text_str(&doubt->clusters));
		if (!text_empty(&doubt->drift))
			fprintf(out, "DOUBT: %s: latencies changed during the recording (%s).\n", key,
				text_str(&doubt->drift));
	}
}
