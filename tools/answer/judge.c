// SPDX-License-Identifier: GPL-2.0
/* Read the samples, compute their statistics, and judge each state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "complete.h"
#include "decide.h"
#include "message.h"
#include "number.h"
#include "quantiles.h"
#include "source.h"
#include "taint.h"
#include "unknown.h"

/* How often each bound of a percentile may err, in millionths. A verdict errs no more often. */
#define TAIL 50000

enum { STATE, REACHED, LASTED, ROWS, UNKNOWNS, NR_JOBS };

static struct columns columns_of(const char *list)
{
	struct columns columns = { 0 };

	columns.nr = split_list(list, &columns.names);
	return columns;
}

void print_counters(struct answer *answer)
{
	static struct source source;
	struct tsv tsv;

	find_source(&source, &answer->question, &answer->facts, &tsv);
	puts(source.counters ? source.counters : "");
}

/* Return a list of numbers by state that has room for all states. */
static struct by_state new_by_state(size_t room)
{
	return (struct by_state) {
		.column = "state", .states = xrealloc(NULL, room, sizeof(char *)),
			.numbers = xrealloc(NULL, room, sizeof(int64_t)),
	};
}

static void add_number(struct by_state *list, char *state, int64_t number)
{
	list->states[list->nr] = state;
	list->numbers[list->nr++] = number;
}

/* Return the advertised latency of each state. */
static struct by_state advertised(const struct facts *facts)
{
	struct by_state list = new_by_state(MAX_STATES);

	for (size_t i = 0; i < MAX_STATES; i++) {
		const char *ns = facts->states[i].latency_ns;
		int64_t v;

		if (ns && is_digits(ns) && parse_s64(ns, ns + strlen(ns), &v))
			add_number(&list, xprintf("%zu", i), v);
	}
	if (!list.nr)
		list.column = NULL;
	return list;
}

/*
 * Return how often each bound of a state may err, for the states whose samples record --for-verdict
 * tested repeatedly. The k-th test gets 1 / (k (k + 1)) of the probability of error, so all tests
 * together err no more often than a single one.
 */
static struct by_state tails_of(const struct facts *facts)
{
	struct by_state list = new_by_state(MAX_STATES);
	double most[MAX_STATES] = { 0 };

	for (size_t i = 0; i < facts->nr; i++) {
		double looks = number_in_text(facts->list[i].value);
		char *part[3], key[64];
		int state;

		if (key_parts(facts->list[i].key, part, 3) < 3 || strcmp(part[0], "run") ||
		    !is_digits(part[1]) || strcmp(part[2], "looks"))
			continue;
		snprintf(key, sizeof(key), "run.%s.state", part[1]);
		state = state_named(facts, fact(facts, key));
		if (state >= 0 && looks > most[state])
			most[state] = looks;
	}
	for (size_t i = 0; i < MAX_STATES; i++)
		if (most[i] >= 1)
			add_number(&list, xprintf("%zu", i),
				   fmax(1, floor(TAIL / (most[i] * (most[i] + 1)))));
	if (!list.nr)
		list.column = NULL;
	return list;
}

/* Return a job that judges the samples of each state. */
static struct job judging(const struct answer *answer, const struct source *source)
{
	const struct question *q = &answer->question;
	struct job job = {
		.by = columns_of("source,state"), .metrics =
			columns_of(answer->counts ? "wake_latency,intr_latency,latency" :
				   "wake_latency,intr_latency"),
		.taint_column = "taint", .tail = TAIL, .tails = tails_of(&answer->facts),
			.above = advertised(&answer->facts),
		.use_uncertainty = source->uncertain, .part_column = answer->by_cpu ? "cpu" : NULL,
			.want_intervals = true,
	};
	char *list = xprintf(",50,99,99.9,99.99,max,"), *asked = xprintf(",%s,", q->percentile),
		*all;

	all = strstr(list, asked) ? xstrdup("50,99,99.9,99.99") :
		xprintf("50,99,99.9,99.99,%s", q->percentile);
	job.nr_percentiles = parse_percentiles(all, &job.percentiles);
	job.count_over = q->budget;
	if (q->budget && !parse_s64(q->budget, q->budget + strlen(q->budget), &job.limit_of_all))
		die("the budget '%s' is not a number of ns", q->budget);
	free(list);
	free(asked);
	free(all);
	return job;
}

/* Return a job that only computes means; METRICS NULL: that only counts rows. */
static struct job means(const char *by, const char *metrics)
{
	struct job job = { .by = columns_of(by), .taint_column = "taint", .tail = TAIL, .only_means = true };

	if (metrics)
		job.metrics = columns_of(metrics);
	return job;
}

/*
 * Make the tables of STATE and, with counters, of REACHED: the samples that reached their state,
 * and those that did not.
 */
static void fill_pair(struct job jobs[], const struct source *source)
{
	fill_tables(&jobs[STATE]);
	if (source->counters)
		fill_tables(&jobs[REACHED]);
}

/* Read the samples: once for the state's own answer, and for the numbers of samples of each run. */
static void read_states(struct answer *answer, const struct source *source, struct tsv *tsv,
			struct job jobs[NR_JOBS])
{
	size_t nr = 0;
	struct job list[NR_JOBS];
	const size_t wanted[NR_JOBS] = { 1, !!source->counters, !!source->nr_lasted,
		!answer->counts, has_column(source, "unknown") };

	jobs[STATE] = jobs[REACHED] = judging(answer, source);
	jobs[STATE].want_taints = true;
	if (source->counters)
		reached_parse(&jobs[REACHED].reached, source->counters);
	if (source->nr_lasted) {
		char *lasted = xprintf("%s%s%s", source->lasted[0],
				       source->nr_lasted > 1 ? "," : "",
			source->nr_lasted > 1 ? source->lasted[1] : "");

		jobs[LASTED] = means("state,cpu", lasted);
		free(lasted);
	}
	jobs[ROWS] = means("run,cpu", NULL);
	jobs[UNKNOWNS] = means(unknowns_by(answer->counts), NULL);
	jobs[UNKNOWNS].count_sums = true;
	for (size_t i = 0; i < NR_JOBS; i++)
		if (wanted[i])
			list[nr++] = jobs[i];
	read_table(list, nr, tsv);
	for (size_t i = 0, k = 0; i < NR_JOBS; i++)
		if (wanted[i])
			jobs[i] = list[k++];
	fill_pair(jobs, source);
	for (size_t i = LASTED; i < NR_JOBS; i++)
		if (wanted[i])
			fill_tables(&jobs[i]);
}

/*
 * Read the samples once more, for the answer of the machine as it is. LONGER: see make_balance().
 */
static void read_machine(struct answer *answer, struct source *source, const char *longer,
			 struct job jobs[2])
{
	struct job job = judging(answer, source);
	struct tsv_cell unit, number;
	const char *name;
	struct tsv tsv;

	for (; (name = taint_of_class(job.nr_kept_taints, "measured")); job.nr_kept_taints++) {
		job.kept_taints = xrealloc(job.kept_taints, job.nr_kept_taints + 1, sizeof(char *));
		job.kept_taints[job.nr_kept_taints] = (char *)name;
	}
	for (const char *at = strcmp(longer, "none") ? longer :
	     ""; next_pair(&at, &unit, &number); ) {
		int64_t n;

		if (!job.endless.column)
			job.endless = new_by_state(strlen(longer));
		if (!cell_s64(&number, &n))
			die("run.tsv: too many wake-ups");
		add_number(&job.endless, cell_copy(&unit), n);
	}
	jobs[STATE] = jobs[REACHED] = job;
	if (source->counters)
		reached_parse(&jobs[REACHED].reached, source->counters);
	open_samples(&answer->question, source, &tsv);
	read_table(jobs, source->counters ? 2 : 1, &tsv);
	fill_pair(jobs, source);
}

/* die() if the samples are from several sources. */
static void check_source(const struct answer *answer, const struct table *states)
{
	const char *first = table_get(states, 0, "source");
	struct groups sources = { .nr_keys = 1 };
	struct text list = { 0 };

	for (size_t i = 0; i < table_rows(states); i++) {
		struct tsv_cell cell = cell_from(table_get(states, i, "source"));

		groups_get(&sources, &cell);
	}
	groups_sort(&sources);
	for (size_t i = 0; i < sources.nr; i++)
		text_join(&list, " ", "%s", sources.list[i].key[0]);
	if (sources.nr > 1 && first)
		die("%s: several sources (%s): their latencies mean different things and are never averaged together",
		    answer->question.samples_name, text_str(&list));
	text_free(&list);
}

/*
 * Set answer->lasted_s of each state: for how long it was measured, on the CPU where that is the
 * shortest.
 */
static void take_lasted(struct answer *answer, const struct source *source,
			const struct table *means)
{
	double least[MAX_STATES];
	bool any = false;

	for (size_t i = 0; i < MAX_STATES; i++)
		least[i] = -1;
	for (size_t column = 0; column < source->nr_lasted && !any; column++) {
		char *name = xprintf("%s_mean", source->lasted[column]);

		for (size_t i = 0; i < table_rows(means); i++) {
			const char *mean = table_get(means, i, name),
				*state = table_get(means, i, "state");
			double s, index = number_in_text(state);

			/* A source that arms nothing has launch distances of 0. */
			if (number_in_text(mean) <= 0 || !is_digits(state) || index >= MAX_STATES)
				continue;
			s = number_in_text(mean) * (number_in_text(table_get(means, i, "n")) +
						    number_in_text(table_get(means, i,
				"tainted"))) / 1e9;
			any = true;
			if (least[(size_t)index] < 0 || s < least[(size_t)index])
				least[(size_t)index] = s;
		}
		free(name);
	}
	for (size_t i = 0; i < MAX_STATES; i++)
		if (least[i] >= 0)
			answer->lasted_s[i] = xprintf("%.3g", least[i]);
}

/* Return the number of events that were lost while recording. */
static double lost_events(const struct facts *facts)
{
	double lost = 0;

	for (size_t i = 0; i < facts->nr; i++)
		if (!strncmp(facts->list[i].key, "lost_", 5))
			lost += number_in_text(facts->list[i].value);
	return lost;
}

void judge(struct answer *answer)
{
	struct job states[NR_JOBS] = { 0 }, machine[2] = { 0 };
	struct text longer = { 0 };
	static struct source source;
	struct tsv tsv;

	answer->lost = lost_events(&answer->facts);
	/*
	 * Pooled counts of several machines do not tell CPU 3 of one machine from CPU 3 of another.
	 */
	answer->by_cpu = !answer->question.pooled && (!*fact(&answer->facts, "recordings") ||
						      *fact(&answer->facts, "machine_id"));
	find_source(&source, &answer->question, &answer->facts, &tsv);
	answer->counts = source.counts;
	read_states(answer, &source, &tsv, states);
	check_source(answer, &states[STATE].table);
	check_complete(&answer->question, &answer->facts, &source, &states[ROWS].table, "judged");
	make_balance(answer, &(struct balance_tables) {
		.rows = &states[ROWS].table, .taints = &states[STATE].taints,
			.reached = &states[REACHED].table,
		.intervals = &states[STATE].intervals, .states = &states[STATE].table,
	}, &longer);
	make_unknowns(&answer->unknowns, &states[UNKNOWNS].table);
	take_lasted(answer, &source, &states[LASTED].table);
	if (!text_empty(&longer))
		read_machine(answer, &source, text_str(&longer), machine);
	make_rows(answer, &(struct verdict_tables) {
		.summary = { &states[STATE].table, &states[REACHED].table, &machine[STATE].table,
			&machine[REACHED].table },
		.intervals = { &states[STATE].intervals, &states[REACHED].intervals,
			&machine[STATE].intervals, &machine[REACHED].intervals },
		.tail = TAIL, .tails = &states[STATE].tails,
	});
	text_free(&longer);
}
