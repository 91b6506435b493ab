// SPDX-License-Identifier: GPL-2.0
/* Bring the samples of several CPUs into one order. */
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "spread.h"

uint32_t spread_cpu(const struct tsv_cell *cell)
{
	int64_t number;

	return cell_s64(cell, &number) && number >= 0 && number < SPREAD_MOST_CPUS ? number : SPREAD_MOST_CPUS;
}

/* Return where the sample with this RANK (from 0) among the NR samples of its CPU belongs among all N. */
static size_t place_of(size_t rank, size_t nr, size_t n)
{
	return (unsigned __int128)(2 * rank + 1) * n / (2 * (unsigned __int128)nr);
}

void spread_cpus(int64_t *recorded, const uint32_t *cpu, size_t n)
{
	size_t most = 0, *nr, *rank, *at;
	int64_t *before;

	for (size_t i = 0; i < n; i++)
		most = cpu[i] > most ? cpu[i] : most;
	nr = xrealloc(NULL, 2 * (most + 1), sizeof(*nr));
	memset(nr, 0, 2 * (most + 1) * sizeof(*nr));
	rank = nr + most + 1;
	for (size_t i = 0; i < n; i++)
		nr[cpu[i]]++;
	if (n && nr[cpu[0]] == n) {
		free(nr);
		return;
	}
	/* Count the samples of each place; then AT is where the first one of each place goes. */
	at = xrealloc(NULL, n + 1, sizeof(*at));
	memset(at, 0, (n + 1) * sizeof(*at));
	for (size_t i = 0; i < n; i++)
		at[place_of(rank[cpu[i]]++, nr[cpu[i]], n) + 1]++;
	for (size_t i = 0; i < n; i++)
		at[i + 1] += at[i];
	before = xrealloc(NULL, n, sizeof(*before));
	memcpy(before, recorded, n * sizeof(*before));
	memset(rank, 0, (most + 1) * sizeof(*rank));
	for (size_t i = 0; i < n; i++)
		recorded[at[place_of(rank[cpu[i]]++, nr[cpu[i]], n)]++] = before[i];
	free(before);
	free(at);
	free(nr);
}
