// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "distribution.h"
#include "message.h"
#include "number.h"

struct pair {
	int64_t value;
	uint64_t count;
};

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

void distribution_sort(int64_t *values, uint64_t *counts, size_t nr)
{
	struct pair *pairs;
	size_t sorted = 1;

	while (sorted < nr && values[sorted] >= values[sorted - 1])
		sorted++;
	if (sorted >= nr)
		return;
	pairs = xrealloc(NULL, nr, sizeof(*pairs));
	for (size_t i = 0; i < nr; i++)
		pairs[i] = (struct pair) { values[i], counts[i] };
	qsort(pairs, nr, sizeof(*pairs), compare_pairs);
	for (size_t i = 0; i < nr; i++) {
		values[i] = pairs[i].value;
		counts[i] = pairs[i].count;
	}
	free(pairs);
}

static void sort_values(int64_t *values, size_t nr)
{
	int64_t *scratch = xrealloc(NULL, nr, sizeof(*scratch));

	sort_s64(values, scratch, nr);
	free(scratch);
}

struct distribution distribution_of(int64_t *values, uint64_t *counts, size_t nr)
{
	struct distribution d = { .value = values };
	size_t different = 0;

	if (counts)
		distribution_sort(values, counts, nr);
	else
		sort_values(values, nr);
	for (size_t i = 0; i < nr; i++)
		different += !i || values[i] != values[i - 1];
	d.upto = xrealloc(NULL, different, sizeof(*d.upto));
	for (size_t i = 0; i < nr; i++) {
		if (!d.nr || d.value[d.nr - 1] != values[i])
			d.value[d.nr++] = values[i];
		if (__builtin_add_overflow(d.n, counts ? counts[i] : 1, &d.n) || d.n > INT64_MAX)
			die("more samples than 64 bits can count");
		d.upto[d.nr - 1] = d.n;
	}
	free(counts);
	return d;
}

void distribution_free(struct distribution *d)
{
	free(d->value);
	free(d->upto);
	*d = (struct distribution) { 0 };
}

/* Return the lowest value V for which more than RANK samples are V or less. */
int64_t distribution_at(const struct distribution *d, uint64_t rank)
{
	size_t low = 0, high = d->nr - 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (d->upto[middle] > rank)
			high = middle;
		else
			low = middle + 1;
	}
	return d->value[low];
}

uint64_t distribution_above(const struct distribution *d, int64_t limit)
{
	size_t low = 0, high = d->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (d->value[middle] > limit)
			high = middle;
		else
			low = middle + 1;
	}
	return d->n - (low ? d->upto[low - 1] : 0);
}
