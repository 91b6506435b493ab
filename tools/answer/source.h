/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WAKELAT_SOURCE_H
#define WAKELAT_SOURCE_H

#include "answer.h"
#include "reader.h"

/* What is known of the table of samples before it is read. */
struct source {
	bool counts, uncertain;
	/* columns whose sum says for how long a state was measured */
	const char *lasted[2];
	size_t nr_lasted;
	/* state:1=cc1_cyc,... for the states whose counter the table has; NULL: none */
	char *counters;
	struct groups columns;
	struct reader reader;
};

/* Open the samples as a table. */
void open_samples(const struct question *q, struct source *source, struct tsv *tsv);
/* Open them, and find their columns. In counts, the first rows name them. */
void find_source(struct source *source, const struct question *q, const struct facts *facts,
		 struct tsv *tsv);
bool has_column(const struct source *source, const char *name);

#endif
