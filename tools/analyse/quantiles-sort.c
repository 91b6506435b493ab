// SPDX-License-Identifier: GPL-2.0
/* Sort the values of a metric, and compute the bounds of each value. */
#include <stdlib.h>
#include <string.h>

#include "dependence.h"
#include "message.h"
#include "quantiles.h"
#include "spread.h"

/*
 * Return the values FROM plus SIGN times their uncertainty (of counts: LARGEST). An open end stays
 * open.
 */
static struct distribution shifted(const struct values *v, const int64_t *from, int sign,
				   int64_t largest)
{
	int64_t *list = xrealloc(NULL, v->nr, sizeof(*list));
	uint64_t *how_often = NULL;

	for (size_t i = 0; i < v->nr; i++)
		if (__builtin_add_overflow(from[i], sign * (v->counts ? largest : v->uncertain[i]),
					   &list[i]))
			list[i] = sign < 0 ? INT64_MIN : INT64_MAX;
	if (v->counts) {
		how_often = xrealloc(NULL, v->nr, sizeof(*how_often));
		memcpy(how_often, v->counts, v->nr * sizeof(*how_often));
	}
	return distribution_of(list, how_often, v->nr);
}

void widen_values(struct values *v)
{
	if (!v->small)
		return;
	v->list = xrealloc(NULL, v->room, sizeof(*v->list));
	for (size_t i = 0; i < v->nr; i++)
		v->list[i] = v->small[i];
	free(v->small);
	v->small = NULL;
}

static bool any_interval(const struct values *v)
{
	for (size_t i = 0; v->high && i < v->nr; i++)
		if (v->high[i] != v->list[i])
			return true;
	return false;
}

struct sorted sort_values(const struct job *job, const struct group *group, struct values *v)
{
	struct sorted sorted = {
		.longer = endless_of(job, group),
		.uncertainty = v->nr ? ((const struct summary *)group->data)->uncertainty : 0,
	};

	widen_values(v);
	for (size_t i = 0; v->uncertain && i < v->nr; i++)
		if (v->uncertain[i] > sorted.uncertainty)
			sorted.uncertainty = v->uncertain[i];
	if (any_interval(v))
		sorted.ends = shifted(v, v->high, 1, 0);
	if (sorted.uncertainty) {
		sorted.least = shifted(v, v->list, -1, sorted.uncertainty);
		sorted.most = shifted(v, v->high ? v->high : v->list, 1, sorted.uncertainty);
	}
	if (v->nr && !job->counts && (job->want_intervals || job->above.column || job->count_over)) {
		sorted.recorded = xrealloc(NULL, v->nr, sizeof(*sorted.recorded));
		memcpy(sorted.recorded, v->list, v->nr * sizeof(*sorted.recorded));
		if (v->cpu)
			spread_cpus(sorted.recorded, v->cpu, v->nr);
	}
	dependence_remember(sorted.recorded);
	sorted.all = distribution_of(v->list, v->counts, v->nr);
	if (!sorted.uncertainty) {
		sorted.least = sorted.all;
		sorted.most = sorted.ends.n ? sorted.ends : sorted.all;
	}
	free(v->high);
	free(v->cpu);
	free(v->uncertain);
	return sorted;
}

void free_sorted(struct sorted *sorted)
{
	if (sorted->uncertainty) {
		distribution_free(&sorted->least);
		distribution_free(&sorted->most);
	}
	distribution_free(&sorted->all);
	distribution_free(&sorted->ends);
	dependence_remember(NULL);
	free(sorted->recorded);
}
