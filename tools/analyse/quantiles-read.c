// SPDX-License-Identifier: GPL-2.0
/* Read the rows of a table of samples or counts, and add them to the groups of each job. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "counts-table.h"
#include "message.h"
#include "number.h"
#include "quantiles.h"
#include "spread.h"

static void find_columns(const struct tsv *tsv, struct columns *columns, size_t (*find)(const struct tsv *, const char *))
{
	columns->at = xrealloc(NULL, columns->nr, sizeof(*columns->at));
	for (size_t i = 0; i < columns->nr; i++)
		columns->at[i] = find(tsv, columns->names[i]);
}

/* Store the key of the row. PART: of the row's value of -w, else of all its values together. */
static void take_key(struct job *job, const struct tsv *tsv, bool part)
{
	size_t nr = job->by.nr;

	for (size_t i = 0; i < nr; i++)
		job->key[i] = tsv->cells[job->by.at[i]];
	if (job->part_column)
		job->key[nr++] = part ? tsv->cells[job->part_at] : cell_from(ALL_PARTS);
	if (!job->reached.nr)
		return;
	job->key[nr] = job->counts ? tsv->cells[job->counts->reached] :
		cell_from(reached_word(&job->reached, tsv));
}

static struct summary *new_summary(const struct job *job)
{
	struct summary *summary = xrealloc(NULL, 1, sizeof(*summary));

	*summary = (struct summary) {
		.taints = calloc(job->nr_taint_names + 1, sizeof(*summary->taints)),
		.metrics = calloc(job->metrics.nr + 1, sizeof(*summary->metrics)),
	};
	if (!summary->taints || !summary->metrics)
		die("out of memory");
	return summary;
}

static struct summary *summary_of(struct job *job, const struct tsv *tsv, bool part)
{
	struct group *group;

	take_key(job, tsv, part);
	group = groups_get(&job->groups, job->key);
	if (!group->data)
		group->data = new_summary(job);
	return group->data;
}

static void make_room(const struct job *job, struct values *values)
{
	if (values->nr < values->room)
		return;
	values->room = values->room ? values->room * 2 : 1024;
	if (job->counts || values->list)
		values->list = xrealloc(values->list, values->room, sizeof(*values->list));
	else
		values->small = xrealloc(values->small, values->room, sizeof(*values->small));
	if (job->counts) {
		values->counts = xrealloc(values->counts, values->room, sizeof(*values->counts));
		if (job->counts->intervals)
			values->high = xrealloc(values->high, values->room, sizeof(*values->high));
	} else if (job->use_uncertainty) {
		values->uncertain = xrealloc(values->uncertain, values->room,
					     sizeof(*values->uncertain));
	}
}

/* True if the order of a metric's values is needed (sort_values()). */
static bool needs_order(const struct job *job)
{
	return job->want_intervals || job->above.column || job->count_over;
}

/* CPU: NULL if all values of the group are of the same CPU. */
static void add_value(const struct job *job, struct values *values, int64_t v, int64_t uncertainty, const uint32_t *cpu)
{
	if (job->only_means) {
		values->sum += v;
		values->nr_sum++;
		return;
	}
	make_room(job, values);
	if (cpu && values->nr == values->nr_cpu)
		values->cpu = xrealloc(values->cpu, values->nr_cpu = values->room, sizeof(*values->cpu));
	if (job->use_uncertainty)
		values->uncertain[values->nr] = uncertainty;
	if (cpu)
		values->cpu[values->nr] = *cpu;
	if (v != (int32_t)v)
		widen_values(values);
	if (values->list)
		values->list[values->nr++] = v;
	else
		values->small[values->nr++] = v;
}

/* Return the index of WORD in a list of NR texts; NR if it is not there. */
static size_t index_in(char *const *list, size_t nr, const struct tsv_cell *word)
{
	size_t i = 0;

	while (i < nr && !cell_is(word, list[i]))
		i++;
	return i;
}

/* Set WORD to the next word of the list in CELL. Return false after the last one. */
static bool next_word(const struct tsv_cell *cell, struct tsv_cell *word)
{
	if (word->end == cell->end)
		return false;
	word->start = word->end ? word->end + 1 : cell->start;
	word->end = memchr(word->start, ',', cell->end - word->start);
	if (!word->end)
		word->end = cell->end;
	return true;
}

/*
 * Return the counts of the rows of the current key that have exactly the taints of CELL: of all
 * rows, then of those with a value of each metric.
 */
static uint64_t *combination(struct job *job, const struct tsv_cell *cell)
{
	struct tsv_cell key[nr_taint_keys(job) + 1];

	memcpy(key, job->key, nr_taint_keys(job) * sizeof(*key));
	key[nr_taint_keys(job)] = *cell;
	return group_data(&job->taint_groups, key, (1 + job->metrics.nr) * sizeof(uint64_t));
}

static bool is_tainted(const struct job *job, const struct tsv *tsv)
{
	return job->taint_column && !tsv_absent(tsv, job->taint_at);
}

/* Count N values of a metric in the current row, if it is tainted. */
static void count_tainted_values(struct job *job, const struct tsv *tsv, size_t metric, uint64_t n)
{
	if (job->want_taints && is_tainted(job, tsv))
		combination(job, &tsv->cells[job->taint_at])[1 + metric] += n;
}

/* Add N samples to the count of each taint of CELL. */
static void count_taints(const struct job *job, struct summary *summary,
			 const struct tsv_cell *cell, uint64_t n)
{
	uint64_t *other = &summary->taints[job->nr_taint_names];
	uint64_t other_before = *other;
	struct tsv_cell word = { 0 };

	summary->tainted += n;
	while (next_word(cell, &word))
		summary->taints[index_in(job->taint_names, job->nr_taint_names, &word)] += n;
	/* Count a sample once, even if several of its taints have no column. */
	if (*other > other_before)
		*other = other_before + n;
}

/* True if -k names all taints of CELL. */
static bool is_kept(const struct job *job, const struct tsv_cell *cell)
{
	struct tsv_cell word = { 0 };

	while (next_word(cell, &word))
		if (index_in(job->kept_taints, job->nr_kept_taints, &word) == job->nr_kept_taints)
			return false;
	return true;
}

static bool is_left_out(const struct job *job, const struct tsv *tsv)
{
	return is_tainted(job, tsv) && !is_kept(job, &tsv->cells[job->taint_at]);
}

/* Count N samples of the current row. Return false if their taints leave them out. */
static bool count_samples(struct job *job, struct summary *summary, const struct tsv *tsv,
			  uint64_t n)
{
	if (job->want_taints && is_tainted(job, tsv))
		*combination(job, &tsv->cells[job->taint_at]) += n;
	if (is_left_out(job, tsv)) {
		count_taints(job, summary, &tsv->cells[job->taint_at], n);
		return false;
	}
	summary->n += n;
	return true;
}

/* Set *CPU to the row's CPU, and return it; NULL if all rows of its group are of the same CPU. */
static const uint32_t *cpu_of(const struct job *job, const struct tsv *tsv, bool part, uint32_t *cpu)
{
	if (job->cpu_at == TSV_ABSENT || !needs_order(job) || (part && job->part_at == job->cpu_at))
		return NULL;
	*cpu = spread_cpu(&tsv->cells[job->cpu_at]);
	return cpu;
}

/* Count the values of a tainted row for the current key. */
static void count_values(struct job *job, const struct tsv *tsv)
{
	int64_t v;

	for (size_t i = 0; i < job->metrics.nr; i++)
		if (tsv_s64(tsv, job->metrics.at[i], &v))
			count_tainted_values(job, tsv, i, 1);
}

/* Add a row of samples.tsv to SUMMARY, that of the current key. */
static void add_sample(struct job *job, const struct tsv *tsv, struct summary *summary, bool part)
{
	int64_t v, uncertainty = 0;
	const uint32_t *cpu;
	uint32_t number;

	if (is_tainted(job, tsv))
		count_values(job, tsv);
	if (!count_samples(job, summary, tsv, 1))
		return;
	if (job->use_uncertainty &&
	    (!tsv_s64(tsv, job->uncertainty_at, &uncertainty) || uncertainty < 0))
		uncertainty = 0;
	cpu = cpu_of(job, tsv, part, &number);
	for (size_t i = 0; i < job->metrics.nr; i++)
		if (tsv_s64(tsv, job->metrics.at[i], &v))
			add_value(job, &summary->metrics[i], v, uncertainty, cpu);
}

/* Add an untainted row whose groups are known. This is the fast path for the rows of a trace. */
static void add_known(const struct job *job, const struct tsv *tsv, const struct kind *kind)
{
	int64_t v, uncertainty = 0;

	if (job->use_uncertainty &&
	    (!tsv_s64(tsv, job->uncertainty_at, &uncertainty) || uncertainty < 0))
		uncertainty = 0;
	kind->all->n++;
	if (kind->part)
		kind->part->n++;
	for (size_t i = 0; i < job->metrics.nr; i++) {
		if (!tsv_s64(tsv, job->metrics.at[i], &v))
			continue;
		add_value(job, &kind->all->metrics[i], v, uncertainty, kind->all_has_cpu ? &kind->cpu : NULL);
		if (kind->part)
			add_value(job, &kind->part->metrics[i], v, uncertainty, kind->part_has_cpu ? &kind->cpu : NULL);
	}
}

/* Store the groups of the current row, which is of the kind NUMBER, unless it is tainted. */
static void learn_kind(struct job *job, const struct tsv *tsv, uint32_t number)
{
	struct kind *kind;

	if (!number || is_tainted(job, tsv))
		return;
	if (number >= job->nr_kinds) {
		job->kinds = xrealloc(job->kinds, number + 1, sizeof(*job->kinds));
		memset(job->kinds + job->nr_kinds, 0, (number + 1 - job->nr_kinds) * sizeof(*job->kinds));
		job->nr_kinds = number + 1;
	}
	kind = &job->kinds[number];
	kind->all = summary_of(job, tsv, false);
	kind->all_has_cpu = cpu_of(job, tsv, false, &kind->cpu);
	if (!job->part_column || kind->all->only_part)
		return;
	kind->part = summary_of(job, tsv, true);
	kind->part_has_cpu = cpu_of(job, tsv, true, &kind->cpu);
}

static void *copied(const void *list, size_t nr, size_t size)
{
	return list ? memcpy(xrealloc(NULL, nr, size), list, nr * size) : NULL;
}

/* Copy the values of all parts for the only part so far. */
static struct values copy_values(const struct job *job, const struct values *from)
{
	struct values to = *from;

	to.list = copied(from->list, from->room, sizeof(*from->list));
	to.small = copied(from->small, from->room, sizeof(*from->small));
	to.uncertain = copied(from->uncertain, from->room, sizeof(*from->uncertain));
	to.cpu = job->part_at == job->cpu_at ? NULL : copied(from->cpu, from->nr_cpu, sizeof(*from->cpu));
	to.nr_cpu = to.cpu ? from->nr_cpu : 0;
	return to;
}

/* Make the group of the only part so far, because the current row has another one. */
static void make_first_part(struct job *job, const struct tsv *tsv, struct summary *all)
{
	struct summary *first = new_summary(job);

	take_key(job, tsv, true);
	job->key[job->by.nr] = cell_from(all->only_part);
	first->n = all->n;
	first->tainted = all->tainted;
	memcpy(first->taints, all->taints, (job->nr_taint_names + 1) * sizeof(*all->taints));
	for (size_t i = 0; i < job->metrics.nr; i++)
		first->metrics[i] = copy_values(job, &all->metrics[i]);
	groups_get(&job->groups, job->key)->data = first;
	free(all->only_part);
	all->only_part = NULL;
	job->nr_kinds = 0;
}

/* Add a row of samples.tsv to the group of all parts and to that of its part. */
static void add_sample_and_part(struct job *job, const struct tsv *tsv)
{
	struct summary *all = summary_of(job, tsv, false);
	const struct tsv_cell *part = &tsv->cells[job->part_at];

	if (!all->n && !all->tainted)
		all->only_part = cell_copy(part);
	if (all->only_part && !cell_is(part, all->only_part)) {
		make_first_part(job, tsv, all);
		take_key(job, tsv, false);
	}
	add_sample(job, tsv, all, false);
	if (!all->only_part) {
		add_sample(job, tsv, summary_of(job, tsv, true), true);
		return;
	}
	if (!job->want_taints || !is_tainted(job, tsv))
		return;
	take_key(job, tsv, true);
	count_values(job, tsv);
	*combination(job, &tsv->cells[job->taint_at]) += 1;
}

static int64_t number_in(const struct tsv *tsv, size_t column)
{
	int64_t v;

	if (!tsv_s64(tsv, column, &v))
		die("%s:%" PRIu64 ": no %s", tsv->name, tsv->line, tsv->header[column]);
	return v;
}

static uint64_t count_in(const struct job *job, const struct tsv *tsv)
{
	int64_t n = number_in(tsv, job->counts->count);

	if (n < 1)
		die("%s:%" PRIu64 ": count: %" PRId64 " is not above 0", tsv->name, tsv->line, n);
	return n;
}

/* Return the values of the row's metric; NULL if -m does not name it. */
static struct values *metric_of(const struct job *job, struct summary *summary,
				const struct tsv *tsv)
{
	size_t i = index_in(job->metrics.names, job->metrics.nr, &tsv->cells[job->counts->metric]);

	return i < job->metrics.nr ? &summary->metrics[i] : NULL;
}

static char *cell_text(const struct tsv_cell *cell)
{
	return xprintf("%.*s", (int)(cell->end - cell->start), cell->start);
}

/*
 * Store the p-value of a row. counts.tsv has one row for all samples of a state (reached is "all"),
 * and one row for each value of reached. The first is used without -r, the others with -r.
 */
static void take_order(struct job *job, const struct tsv *tsv, bool clusters, bool part)
{
	struct values *values;

	if (!job->want_intervals ||
	    cell_is(&tsv->cells[job->counts->reached], "all") != !job->reached.nr)
		return;
	values = metric_of(job, summary_of(job, tsv, part), tsv);
	if (values)
		*(clusters ? &values->clusters_p : &values->drift_p) =
			cell_text(&tsv->cells[job->counts->value]);
}

/* Return the upper end of the interval that begins at LOW; LOW if the row has an exact value. */
static int64_t end_in(const struct job *job, const struct tsv *tsv, int64_t low)
{
	int64_t high;

	if (cell_is(&tsv->cells[job->counts->high], "inf"))
		return INT64_MAX;
	if (!tsv_s64(tsv, job->counts->high, &high))
		return low;
	if (high <= low)
		die("%s:%" PRIu64 ": high: %" PRId64 " is not above the value", tsv->name,
		    tsv->line, high);
	return high;
}

/* Add a row of counts.tsv. */
static void add_counts(struct job *job, const struct tsv *tsv, bool part)
{
	const struct tsv_cell *kind = &tsv->cells[job->counts->kind];
	struct summary *summary;
	struct values *values;

	/* The p-values of the order of samples apply to all CPUs. */
	if (cell_is(kind, "column") || (part && tsv_absent(tsv, job->part_at)))
		return;
	if (cell_is(kind, "clusters_p") || cell_is(kind, "drift_p")) {
		take_order(job, tsv, cell_is(kind, "clusters_p"), part);
		return;
	}
	summary = summary_of(job, tsv, part);
	if (cell_is(kind, "samples")) {
		count_samples(job, summary, tsv, count_in(job, tsv));
		return;
	}
	values = metric_of(job, summary, tsv);
	if (values && cell_is(kind, "value"))
		count_tainted_values(job, tsv, values - summary->metrics, count_in(job, tsv));
	if (is_left_out(job, tsv))
		return;
	if (job->use_uncertainty && cell_is(&tsv->cells[job->counts->metric], "uncertainty") &&
	    number_in(tsv, job->counts->value) > summary->uncertainty)
		summary->uncertainty = number_in(tsv, job->counts->value);
	if (job->count_sums && cell_is(kind, "sum"))
		summary->n += count_in(job, tsv);
	if (!values)
		return;
	if (cell_is(kind, "sum")) {
		values->sum += number_in(tsv, job->counts->value);
		if (values->sum != (int64_t)values->sum)
			die("%s:%" PRIu64 ": sums beyond 64 bits", tsv->name, tsv->line);
		values->nr_sum += count_in(job, tsv);
		return;
	}
	make_room(job, values);
	values->counts[values->nr] = count_in(job, tsv);
	values->list[values->nr] = number_in(tsv, job->counts->value);
	if (job->counts->intervals)
		values->high[values->nr] = end_in(job, tsv, values->list[values->nr]);
	values->nr++;
}

void only_reached(struct job *job, struct job *twin)
{
	size_t nr = job->by.nr;
	struct groups states = { 0 };
	struct tsv_cell key[nr + 1];

	while (states.nr_keys < nr && strcmp(job->by.names[states.nr_keys++], twin->reached.state_column))
		;
	for (size_t i = 0; i < twin->groups.nr; i++) {
		group_cells(&twin->groups.list[i], nr + 1, key);
		if (cell_is(&key[nr], "yes"))
			*(uint64_t *)group_data(&states, key, sizeof(uint64_t)) += ((struct summary *)twin->groups.list[i].data)->n;
	}
	key[nr] = cell_from("yes");
	for (size_t i = 0; i < job->groups.nr; i++) {
		struct summary *all = job->groups.list[i].data, *reached;

		group_cells(&job->groups.list[i], nr, key);
		if (!*(uint64_t *)group_data(&states, key, sizeof(uint64_t)))
			continue;
		reached = groups_get(&twin->groups, key)->data;
		if (!reached)
			reached = new_summary(job);
		reached->tainted = all->tainted;
		reached->taints = all->taints;
		job->groups.list[i].data = reached;
	}
}

/* Find the columns of a counts.tsv. */
static void find_counts_columns(struct counts_columns *counts, const struct tsv *tsv)
{
	counts->reached = tsv_column(tsv, "reached");
	counts->metric = tsv_column(tsv, "metric");
	counts->kind = tsv_column(tsv, "kind");
	counts->value = tsv_column(tsv, "value");
	counts->count = tsv_column(tsv, "count");
	counts->high = tsv_optional_column(tsv, "high");
	counts->intervals = counts->high != TSV_ABSENT;
}

/* die() if counts do not have a metric of -m. */
static void check_counted(const struct job *job, const struct tsv *tsv)
{
	static const char *const counted[] = {
		"wake_latency", "intr_latency", "latency", "uncertainty", "aperf_cyc", "mperf_cyc",
	};

	for (size_t i = 0; i < job->metrics.nr; i++) {
		size_t k = 0;

		while (k < sizeof(counted) / sizeof(*counted) && strcmp(job->metrics.names[i], counted[k]))
			k++;
		if (k == sizeof(counted) / sizeof(*counted))
			die("%s: counts do not have %s, only samples do", tsv->name, job->metrics.names[i]);
	}
}

/* Find the columns of samples.tsv that a job reads. */
static void find_samples_columns(struct job *job, const struct tsv *tsv)
{
	find_columns(tsv, &job->metrics, tsv_number_column);
	if (job->use_uncertainty)
		job->uncertainty_at = tsv_number_column(tsv, "uncertainty");
	if (job->reached.nr)
		reached_find_columns(&job->reached, tsv);
	job->cpu_at = tsv_optional_column(tsv, "cpu");
	for (size_t i = 0; i < job->by.nr; i++)
		if (job->by.at[i] == job->cpu_at)
			job->cpu_at = TSV_ABSENT;
}

/* Prepare the groups of a job. */
static void begin_groups(struct job *job)
{
	by_state_find_column(&job->above, 'x', job->by.names, job->by.nr);
	by_state_find_column(&job->tails, 'C', job->by.names, job->by.nr);
	by_state_find_column(&job->endless, 'e', job->by.names, job->by.nr);
	job->groups.nr_keys = job->by.nr + !!job->part_column + !!job->reached.nr;
	job->taint_groups.nr_keys = nr_taint_keys(job) + 1;
	job->key = xrealloc(NULL, job->by.nr + 2, sizeof(*job->key));
}

/* Add a row of samples.tsv. KIND: see tsv_rows.kind() */
static void add_row(struct job *job, const struct tsv *tsv, uint32_t kind)
{
	if (kind && kind < job->nr_kinds && job->kinds[kind].all) {
		add_known(job, tsv, &job->kinds[kind]);
		return;
	}
	if (job->part_column)
		add_sample_and_part(job, tsv);
	else
		add_sample(job, tsv, summary_of(job, tsv, false), false);
	learn_kind(job, tsv, kind);
}

static void read_samples(struct job *jobs, size_t nr, struct tsv *tsv)
{
	for (size_t i = 0; i < nr; i++) {
		find_samples_columns(&jobs[i], tsv);
		begin_groups(&jobs[i]);
	}
	while (tsv_next_row(tsv)) {
		uint32_t kind = tsv->rows ? tsv->rows->kind(tsv) : 0;

		for (size_t i = 0; i < nr; i++)
			add_row(&jobs[i], tsv, kind);
	}
}

static void read_counts(struct job *jobs, size_t nr, struct tsv *tsv)
{
	static struct counts_columns columns;
	struct counts_table table;

	find_counts_columns(&columns, tsv);
	for (size_t i = 0; i < nr; i++)
		check_counted(&jobs[i], tsv);
	counts_table_begin(&table, tsv);
	for (size_t i = 0; i < nr; i++) {
		jobs[i].counts = &columns;
		begin_groups(&jobs[i]);
	}
	while (tsv_next_row(tsv)) {
		counts_table_row(&table, tsv);
		for (size_t i = 0; i < nr; i++) {
			add_counts(&jobs[i], tsv, false);
			if (jobs[i].part_column)
				add_counts(&jobs[i], tsv, true);
		}
	}
	counts_table_end(&table, tsv);
}

void read_table(struct job *jobs, size_t nr, struct tsv *tsv)
{
	for (size_t i = 0; i < nr; i++) {
		find_columns(tsv, &jobs[i].by, tsv_column);
		if (jobs[i].taint_column)
			jobs[i].taint_at = tsv_column(tsv, jobs[i].taint_column);
		if (jobs[i].part_column)
			jobs[i].part_at = tsv_column(tsv, jobs[i].part_column);
	}
	if (tsv_is_counts(tsv))
		read_counts(jobs, nr, tsv);
	else
		read_samples(jobs, nr, tsv);
	for (size_t i = 0; i < nr; i++)
		if (!jobs[i].groups.nr)
			die("%s: no rows", tsv->name);
	tsv_close(tsv);
}
