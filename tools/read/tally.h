/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compare the number of recorded samples of each run and CPU with the number that the kernel
 * emitted.
 */
#ifndef WAKELAT_TALLY_H
#define WAKELAT_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tally_row {
	uint64_t run;
	uint64_t cpu;
	uint64_t seen;		/* samples in the recording */
	uint64_t counted;	/* samples according to wakelat_end */
	bool ended;		/* wakelat_end is in the recording */
};

struct tally {
	struct tally_row *rows;
	size_t nr;
	size_t last;
	uint64_t seen;
};

void tally_sample(struct tally *tally, uint64_t run, uint64_t cpu);
void tally_end(struct tally *tally, uint64_t run, uint64_t cpu, uint64_t samples);

/* Return NULL if no sample is missing, else what is missing, as a phrase. The caller frees it. */
char *tally_complaint(const struct tally *tally);

#endif
