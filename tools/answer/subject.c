// SPDX-License-Identifier: GPL-2.0
/* Look up the numbers of a state in the tables. */
#include <stdlib.h>

#include "message.h"
#include "subject.h"

/* A state without facts in run.tsv. */
static const struct state no_state;

const char *or_dash(const char *text)
{
	return text && *text ? text : "-";
}

bool is_max(const struct subject *s)
{
	return is(s->percentile, "max");
}

/* Return the row of the current state and UNIT in a summary, plus 1; 0 if there is none. */
static size_t row_of(const struct subject *s, int table, const char *unit)
{
	struct tsv_cell key[] = { cell_from(s->state), cell_from(unit) };
	const struct group *group = groups_find(&s->units[table], key);

	return group ? *(size_t *)group->data : 0;
}

/*
 * Return the table with an answer: that of the samples that reached the state, if there are any on
 * any CPU. If all wake-ups were clean, the state's table answers for the machine.
 */
static int table_of(const struct subject *s, bool machine)
{
	if (machine && !row_of(s, OF_MACHINE, "all") && !row_of(s, OF_MACHINE_REACHED, "all"))
		machine = false;
	if (row_of(s, machine ? OF_MACHINE_REACHED : OF_STATE_REACHED, "all"))
		return machine ? OF_MACHINE_REACHED : OF_STATE_REACHED;
	return machine ? OF_MACHINE : OF_STATE;
}

const char *field_of(const struct subject *s, bool machine, const char *what)
{
	int table = table_of(s, machine);
	size_t row = row_of(s, table, s->unit);
	char name[128];

	if (!row)
		return "-";
	snprintf(name, sizeof(name), "%s_%s", s->metric, what);
	return or_dash(table_get(s->tables->summary[table], row - 1, name));
}

const char *bound_of(const struct subject *s, bool machine, const char *percentile,
			 const char *what)
{
	int table = table_of(s, machine);
	struct tsv_cell key[] = { cell_from(s->state), cell_from(s->unit), cell_from(s->metric),
		cell_from(percentile) };
	const struct group *group = groups_find(&s->bounds[table], key);
	const char *cell = group ? table_get(s->tables->intervals[table],
					     *(size_t *)group->data - 1, what) : NULL;

	return cell ? cell : "-";
}

const char *low_of(const struct subject *s, bool machine)
{
	return is_max(s) ? low_end(field_of(s, machine, "max")) :
		bound_of(s, machine, s->percentile, "low");
}

const char *high_of(const struct subject *s, bool machine)
{
	return is_max(s) ? "-" : bound_of(s, machine, s->percentile, "high");
}

const char *n_text(const struct subject *s, bool machine)
{
	return bound_of(s, machine, s->listed, "n");
}

double n_of(const struct subject *s, bool machine)
{
	return number_in_text(n_text(s, machine));
}

bool is_limit(const char *limit)
{
	return limit && *limit && !absent(limit) && number_in_text(limit) != 0;
}

const char *not_reached(const struct subject *s)
{
	struct tsv_cell key[] = { cell_from(s->state), cell_from(s->unit) };
	const struct group *group = groups_find(&s->missed, key);

	return or_dash(group ? group->data : NULL);
}

/*
 * Choose the metric. A state that is entered with interrupts on has no wake latency. If interrupts
 * were on in only some of the entries, only the interrupt latency covers all samples. Without clean
 * samples, the state has neither latency.
 */
static void choose_metric(struct subject *s)
{
	double wake, intr;

	s->mixed = false;
	s->metric = "latency";
	if (n_of(s, false) > 0)
		return;
	s->metric = "wake_latency";
	wake = n_of(s, false);
	s->metric = "intr_latency";
	intr = n_of(s, false);
	if (absent(n_text(s, false)) || intr <= wake)
		s->metric = "wake_latency";
	s->mixed = is(s->metric, "intr_latency") && wake > 0;
}

/*
 * Index the rows of the tables by state and unit, and the intervals by metric and percentile as
 * well.
 */
void index_tables(struct subject *s)
{
	s->missed.nr_keys = 2;
	for (int i = 0; i < NR_TABLES; i++) {
		const struct table *summary = s->tables->summary[i],
			*intervals = s->tables->intervals[i];

		s->units[i].nr_keys = 2;
		s->bounds[i].nr_keys = 4;
		for (size_t k = 0; k < table_rows(summary); k++) {
			const char *reached = table_get(summary, k, "reached"),
				*cpu = table_get(summary, k, "cpu");
			struct tsv_cell key[] = { cell_from(table_get(summary, k, "state")),
				cell_from(cpu ? cpu : "all") };

			if (reached && is(reached, "no") && i == OF_STATE_REACHED)
				groups_get(&s->missed, key)->data =
					(char *)table_get(summary, k, "n");
			/* If no sample reached the state, the counter may not belong to it. */
			if (!reached || (is(reached, "yes") &&
					 number_in_text(table_get(summary, k, "n")) > 0))
				*(size_t *)group_data(&s->units[i], key, sizeof(size_t)) = k + 1;
		}
		for (size_t k = 0; k < table_rows(intervals); k++) {
			const char *reached = table_get(intervals, k, "reached"),
				*cpu = table_get(intervals, k, "cpu");
			struct tsv_cell key[] = {
				cell_from(table_get(intervals, k, "state")),
					cell_from(cpu ? cpu : "all"),
				cell_from(table_get(intervals, k, "metric")),
					cell_from(table_get(intervals, k, "percentile")),
			};

			if (!reached || is(reached, "yes"))
				*(size_t *)group_data(&s->bounds[i], key, sizeof(size_t)) = k + 1;
			if (is(table_get(intervals, k, "percentile"), s->percentile))
				s->needed = number_in_text(table_get(intervals, k, "needed"));
		}
	}
}

void begin_state(struct subject *s, size_t i, size_t first_cpu)
{
	const struct table *summary = s->tables->summary[OF_STATE];
	double index;

	s->state = table_get(summary, i, "state");
	index = number_in_text(s->state);
	s->facts = is_digits(s->state) && index < MAX_STATES ?
		&s->answer->facts.states[(size_t)index] : &no_state;
	s->unit = "all";
	s->nr_cpus = i - first_cpu;
	s->cpus = xrealloc(s->cpus, s->nr_cpus + 1, sizeof(*s->cpus));
	s->said = xrealloc(s->said, s->nr_cpus + 1, sizeof(*s->said));
	for (size_t k = 0; k < s->nr_cpus; k++)
		s->cpus[k] = table_get(summary, first_cpu + k, "cpu");
	choose_metric(s);
}

int state_index(const struct subject *s)
{
	return s->facts == &no_state ? -1 : s->facts - s->answer->facts.states;
}
