/* SPDX-License-Identifier: GPL-2.0 */
/* A sample as a person reads it, in one line. */
#ifndef WAKELAT_PLUGIN_DESCRIBE_H
#define WAKELAT_PLUGIN_DESCRIBE_H

#include "sample.h"
#include "states.h"

/* What one line takes at most, with its NUL. */
size_t describe_size(const struct sample_event *sample);

/* "CPU 0 C6: wake_latency 133.070 us, ..."; returns its length. RECORD is as long as its event says. */
size_t describe(char *line, const struct sample_event *sample, const struct states *states,
		const struct tep_record *record);

/* The same of a sample that was computed: no event has it. */
#define MAX_COMPUTED 512
struct computed {
	uint64_t state;
	bool has_wake;		/* interrupts were off */
	int64_t wake_latency, intr_latency, silent_time;
	unsigned int taint;
};
void describe_computed(char *line, const struct computed *computed, const struct states *states);

#endif
