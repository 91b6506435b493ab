/* SPDX-License-Identifier: GPL-2.0 */
/* Describe a sample in one readable line. */
#ifndef WAKELAT_PLUGIN_DESCRIBE_H
#define WAKELAT_PLUGIN_DESCRIBE_H

#include "sample.h"
#include "states.h"

/* Return the maximum size of a line, with its NUL. */
size_t describe_size(const struct sample_event *sample);

/* Write "CPU 0 C6: wake_latency 133.070 us, ..." and return its length. RECORD must be as long as its event's format says. */
size_t describe(char *line, const struct sample_event *sample, const struct states *states,
		const struct tep_record *record);

/* Describe a sample that was computed from stock events. The line has at most MAX_COMPUTED characters. */
#define MAX_COMPUTED 512
struct computed {
	uint64_t state;
	bool has_wake;		/* interrupts were off */
	int64_t wake_latency, intr_latency, silent_time;
	unsigned int taint;
};
void describe_computed(char *line, const struct computed *computed, const struct states *states);

#endif
