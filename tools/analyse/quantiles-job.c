// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "message.h"
#include "quantiles.h"

struct job *add_job(struct job **jobs, size_t *nr, const char *name)
{
	struct job *job;

	*jobs = xrealloc(*jobs, *nr + 1, sizeof(**jobs));
	job = &(*jobs)[(*nr)++];
	*job = (struct job) { .name = name, .tail = 25000 };
	return job;
}

/* Add a job that reads the rows of job I with -r. */
static void add_twin(struct job **jobs, size_t *nr, size_t i)
{
	struct job *twin = add_job(jobs, nr, NULL);

	*twin = (*jobs)[i];
	reached_parse(&twin->reached, twin->only_reached);
	(*jobs)[i].twin = *nr - 1;
}

void check_lists(const struct job *job)
{
	for (size_t i = 0; i < job->metrics.nr; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(job->metrics.names[i], job->metrics.names[k]))
				die("-m: %s occurs twice", job->metrics.names[i]);
	for (size_t i = 0; i < job->nr_percentiles; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(job->percentiles[i].text, job->percentiles[k].text))
				die("-p: %s occurs twice", job->percentiles[i].text);
}

void make_tables(struct job **jobs, size_t nr, struct tsv *tsv)
{
	size_t all = nr;

	for (size_t i = 0; i < nr; i++)
		if ((*jobs)[i].only_reached)
			add_twin(jobs, &all, i);
	read_table(*jobs, all, tsv);
	for (size_t i = 0; i < nr; i++) {
		struct job *job = &(*jobs)[i];

		if (job->twin)
			only_reached(job, &(*jobs)[job->twin]);
		fill_tables(job);
	}
}
