// SPDX-License-Identifier: GPL-2.0
/*
 * Count the wake-ups of a recording by state, class and reason. The classes:
 *
 *	judged		clean: judged by its latency
 *	measured	with an SMI, an NMI or an uncertain launch time: its latency counts for the machine only
 *	unknown		without a latency: counts as longer than any limit
 *	other		left out: the verdict is not about this kind of wake-up
 *
 * A unit is a state (its index, "-" if a wake-up is not of a single state), or a state on a CPU:
 * STATE/CPU.
 */
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "message.h"
#include "taint.h"

struct balance {
	const struct answer *answer;
	struct groups counts;		/* state, class, reason */
	struct groups endless;		/* unit: the wake-ups without a latency */
	struct groups clean, latencies, reached, missed;	/* unit */
	struct groups rows;		/* run, CPU: the samples of the table */
	double lost_anywhere;
	bool any_measured;
};

static double *count_of(struct groups *groups, const char *a, const char *b, const char *c)
{
	struct tsv_cell key[] = { cell_from(a), cell_from(b ? b : ""), cell_from(c ? c : "") };

	return group_data(groups, key, sizeof(double));
}

static void add(struct balance *b, const char *state, const char *class, const char *reason,
		double n)
{
	if (n <= 0)
		return;
	if (!strcmp(class, "unknown"))
		*count_of(&b->endless, state, NULL, NULL) += n;
	b->any_measured |= !strcmp(class, "measured");
	*count_of(&b->counts, state, class, reason) += n;
}

/* Count wake-ups of a unit. Of a state on one CPU, only count those without a latency. */
static void add_unit(struct balance *b, const char *unit, const char *class, const char *reason,
		     double n)
{
	if (!strchr(unit, '/'))
		add(b, unit, class, reason, n);
	else if (!strcmp(class, "unknown"))
		*count_of(&b->endless, unit, NULL, NULL) += n;
}

/*
 * Return how strongly a taint decides about a sample: one that leaves it out, then one that makes
 * its latency unknown.
 */
static int rank(const char *class)
{
	return !strcmp(class, "other") ? 3 : !strcmp(class, "unknown") ? 2 : 1;
}

/*
 * Count N samples with the taints of LIST, TIMED of which have a latency, under the taint that
 * decides.
 */
static void classify(struct balance *b, const char *unit, const char *list, double n, double timed)
{
	const char *best = NULL, *class;
	char **names;
	size_t nr = split_list(list, &names);

	for (size_t i = 0; i < nr; i++)
		if (!best || rank(taint_class(names[i])) > rank(taint_class(best)))
			best = names[i];
	class = taint_class(best);
	if (!strcmp(class, "measured")) {
		add_unit(b, unit, "unknown", "no_latency", n - timed);
		n = timed;
	}
	add_unit(b, unit, class, best, n);
	for (size_t i = 0; i < nr; i++)
		free(names[i]);
	free(names);
}

/* Return the unit of a row, allocated. */
static char *unit_of(const struct table *table, size_t row)
{
	const char *state = table_get(table, row, "state"), *cpu = table_get(table, row, "cpu");

	return cpu && strcmp(cpu, "all") ? xprintf("%s/%s", state, cpu) : xstrdup(state);
}

static double number_at(const struct table *table, size_t row, const char *column)
{
	const char *cell = table_get(table, row, column);

	return cell ? number_in_text(cell) : 0;
}

/* Take the numbers of the tables of statistics. */
static void take_tables(struct balance *b, const struct balance_tables *t)
{
	for (size_t i = 0; t->rows && i < table_rows(t->rows); i++)
		*count_of(&b->rows, table_get(t->rows, i, "run"), table_get(t->rows, i, "cpu"),
			  NULL) +=
			number_at(t->rows, i, "n") + number_at(t->rows, i, "tainted");
	for (size_t i = 0; i < table_rows(t->taints); i++)
		classify(b, unit_of(t->taints, i), table_get(t->taints, i, "taint"),
			 number_at(t->taints, i, "n"), number_at(t->taints, i, "values"));
	for (size_t i = 0; t->reached && i < table_rows(t->reached); i++) {
		const char *reached = table_get(t->reached, i, "reached");

		if (strcmp(reached, "-"))
			*count_of(strcmp(reached, "yes") ? &b->missed : &b->reached,
				  unit_of(t->reached, i), NULL, NULL) =
				number_at(t->reached, i, "n");
	}
	for (size_t i = 0; i < table_rows(t->intervals); i++) {
		double *most = count_of(&b->latencies, unit_of(t->intervals, i), NULL, NULL),
			n = number_at(t->intervals, i, "n");

		*most = n > *most ? n : *most;
	}
	for (size_t i = 0; i < table_rows(t->states); i++)
		*count_of(&b->clean, unit_of(t->states, i), NULL, NULL) += number_at(t->states, i,
			"n");
}

static void add_states(struct balance *b, const struct table *states)
{
	for (size_t i = 0; i < table_rows(states); i++) {
		char *unit = unit_of(states, i);
		double unreached = *count_of(&b->reached, unit, NULL, NULL) > 0 ?
			*count_of(&b->missed, unit, NULL, NULL) : 0;
		double latencies = *count_of(&b->latencies, unit, NULL, NULL);

		add_unit(b, unit, "other", "not_reached", unreached);
		add_unit(b, unit, "unknown", "no_latency",
			 *count_of(&b->clean, unit, NULL, NULL) - latencies);
		add_unit(b, unit, "judged", "clean", latencies - unreached);
		free(unit);
	}
}

/* Return the value of run.RUN.cpuCPU.NAME, 0 if there is none. */
static double event(const struct balance *b, const char *run, const char *cpu, const char *name,
		    bool *known)
{
	char key[256];

	snprintf(key, sizeof(key), "run.%s.%s.%s", run, cpu, name);
	if (known)
		*known = fact_known(&b->answer->facts, key);
	return number_in_text(fact(&b->answer->facts, key));
}

/*
 * Return the index of the state that a run measured, as text; "-" if the run is not of a single
 * state.
 */
static const char *state_of_run(const struct balance *b, const char *run)
{
	static char text[16];
	char key[256];
	int state;

	snprintf(key, sizeof(key), "run.%s.state", run);
	state = state_named(&b->answer->facts, fact(&b->answer->facts, key));
	snprintf(text, sizeof(text), state < 0 ? "-" : "%d", state);
	return text;
}

static bool is_warmup(const struct balance *b, const char *run)
{
	char key[256];

	snprintf(key, sizeof(key), "run.%s.warmup", run);
	return fact_is(&b->answer->facts, key, "yes");
}

/*
 * Count N wake-ups of a run on a CPU that are no samples and have no latency; those of a warm-up
 * are left out.
 */
static void add_missed(struct balance *b, const char *run, const char *cpu, const char *reason,
		       double n)
{
	const char *class = is_warmup(b, run) ? "other" : "unknown";
	char *unit;

	add(b, state_of_run(b, run), class, reason, n);
	if (strcmp(class, "unknown") || n <= 0)
		return;
	unit = xprintf("%s/%s", state_of_run(b, run), cpu + strlen("cpu"));
	*count_of(&b->endless, unit, NULL, NULL) += n;
	free(unit);
}

/*
 * Return the events of a run on a CPU that were armed and have no outcome: they were under way at
 * the end.
 */
static double under_way(const struct balance *b, const char *run, const char *cpu)
{
	static const char *const outcomes[] = { "samples", "not_idle", "late", "order", "limited",
		"lost" };
	double n = event(b, run, cpu, "armed", NULL);

	for (size_t i = 0; i < sizeof(outcomes) / sizeof(*outcomes); i++)
		n -= event(b, run, cpu, outcomes[i], NULL);
	return n;
}

static bool is_one_of(const char *word, const char *list)
{
	struct tsv_cell cell = { 0 };

	for (const char *at = list, *end = list + strlen(list); at; ) {
		const char *comma = strchr(at, ',');

		cell = (struct tsv_cell) { at, comma ? comma : end };
		if (cell_is(&cell, word))
			return true;
		at = comma ? comma + 1 : NULL;
	}
	return false;
}

/* Count the events of run.RUN.CPU.NAME. Return true if they say how many samples there must be. */
static bool add_events(struct balance *b, const char *run, const char *cpu, const char *name)
{
	double n = event(b, run, cpu, name, NULL), *rows;
	bool armed, known = false;
	struct tsv_cell key[] = { cell_from(run), cell_from(cpu + strlen("cpu")), cell_from("") };

	event(b, run, cpu, "armed", &armed);
	if (!strcmp(name, "samples") && !b->answer->counts &&
	    (groups_find(&b->rows, key) || n > 0)) {
		rows = count_of(&b->rows, run, cpu + strlen("cpu"), NULL);
		add_missed(b, run, cpu, "missing", n - *rows);
		known = true;
	}
	if (is_one_of(name, "order,lost"))
		add_missed(b, run, cpu, name, n);
	else if (is_one_of(name, "not_idle,late,limited,surplus") ||
		 (!armed && is_one_of(name, "other_wakeups,other_clock,unknown_timer")))
		add(b, state_of_run(b, run), "other", name, n);
	else if (!strcmp(name, "armed"))
		add(b, state_of_run(b, run), "other", "under_way", under_way(b, run, cpu));
	return known;
}

/* Return true if the parts of a key are those of a count of a run on a CPU: run.RUN.cpuCPU.NAME. */
static bool is_event(char *const part[], size_t nr)
{
	return nr == 4 && !strcmp(part[0], "run") && is_digits(part[1]) &&
		!strncmp(part[2], "cpu", 3) && is_digits(part[2] + 3) &&
		*part[3] && !part[3][strspn(part[3], "abcdefghijklmnopqrstuvwxyz_")];
}

static void add_run(struct balance *b)
{
	const struct facts *facts = &b->answer->facts;
	bool known = false;

	for (size_t i = 0; i < facts->nr; i++) {
		char *part[4], run[64], cpu[64], name[64];

		if (!is_event(part, key_parts(facts->list[i].key, part, 4)))
			continue;
		snprintf(run, sizeof(run), "%s", part[1]);
		snprintf(cpu, sizeof(cpu), "%s", part[2]);
		snprintf(name, sizeof(name), "%s", part[3]);
		known |= add_events(b, run, cpu, name);
	}
	add(b, "-", "other", "cut", number_in_text(fact(facts, "cut_periods")));
	if (known)
		return;
	add(b, "-", "unknown", "lost", b->answer->lost);
	b->lost_anywhere = b->answer->lost;
}

/*
 * Return the number of wake-ups without a latency of a unit. One of an unknown state counts in each
 * state.
 */
static double endless_of_unit(struct balance *b, const char *unit)
{
	const char *cpu = strchr(unit, '/');
	double n = *count_of(&b->endless, unit, NULL, NULL);
	char *anywhere = xprintf("-%s", cpu ? cpu : "");

	n += *count_of(&b->endless, anywhere, NULL, NULL) + (cpu ? b->lost_anywhere : 0);
	free(anywhere);
	return n;
}

void make_balance(struct answer *answer, const struct balance_tables *tables, struct text *longer)
{
	struct balance b = {
		.answer = answer, .counts.nr_keys = 3, .endless.nr_keys = 1, .clean.nr_keys = 1,
			.latencies.nr_keys = 1,
		.reached.nr_keys = 1, .missed.nr_keys = 1, .rows.nr_keys = 2,
	};

	take_tables(&b, tables);
	add_states(&b, tables->states);
	add_run(&b);
	table_columns(&answer->balance, "state class reason count");
	for (size_t i = 0; i < b.counts.nr; i++) {
		for (size_t k = 0; k < 3; k++)
			table_put(&answer->balance, "%s", b.counts.list[i].key[k]);
		table_put(&answer->balance, "%.0f", *(double *)b.counts.list[i].data);
	}
	for (size_t i = 0; i < table_rows(tables->states); i++) {
		char *unit = unit_of(tables->states, i);
		double n = endless_of_unit(&b, unit);

		if (n > 0)
			text_join(longer, ",", "%s=%.0f", unit, n);
		free(unit);
	}
	if (text_empty(longer) && b.any_measured)
		text_add(longer, "none");
}
