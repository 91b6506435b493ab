// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "foreign.h"
#include "probe.h"

/* More different interrupts than a CPU gets in a recording. Others are not counted. */
#define MAX_KINDS 64
#define SHOWN 3

static struct kind {
	uint32_t vector;
	uint64_t n;
} kinds[MAX_KINDS];
static size_t nr_kinds;

/* The kernel's names of the vectors that have a tracepoint (x86: asm/irq_vectors.h). Where interrupts have numbers, as on arm64,
 * only NMIs have a vector. */
static const struct {
	uint32_t vector;
	const char *name;
} names[] = {
	{ 0x02, "nmi" }, { 0xec, "local_timer" }, { 0xf4, "deferred_error_apic" }, { 0xf6, "irq_work" },
	{ 0xf7, "x86_platform_ipi" }, { 0xf9, "threshold_apic" }, { 0xfa, "thermal_apic" },
	{ 0xfb, "call_function_single" }, { 0xfc, "call_function" }, { 0xfd, "reschedule" },
	{ 0xfe, "error_apic" }, { 0xff, "spurious_apic" },
};

void foreign_count(uint32_t vector)
{
	size_t i = 0;

	while (i < nr_kinds && kinds[i].vector != vector)
		i++;
	if (i == MAX_KINDS)
		return;
	if (i == nr_kinds)
		kinds[nr_kinds++].vector = vector;
	kinds[i].n++;
}

static int by_count(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	return x->n < y->n ? 1 : x->n > y->n ? -1 : x->vector < y->vector ? -1 : x->vector > y->vector;
}

/* Write the name of device interrupt NUMBER, the last word of its line in /proc/interrupts. Write nothing if it has no line. */
static void put_device_name(FILE *out, uint32_t number)
{
	FILE *in = fopen("/proc/interrupts", "re");
	char *line = NULL, *last;
	size_t size = 0;

	while (in && getline(&line, &size, in) >= 0) {
		char *end;

		if (strtoul(line, &end, 10) != number || *end != ':')
			continue;
		line[strcspn(line, "\n")] = 0;
		last = strrchr(line, ' ');
		if (last && last[1])
			fprintf(out, " %s", last + 1);
		break;
	}
	free(line);
	if (in)
		fclose(in);
}

static void put_kind(FILE *out, const struct kind *kind)
{
	if (kind->vector >= PROBE_DEVICE_VECTOR) {
		fprintf(out, "irq %" PRIu32, kind->vector - PROBE_DEVICE_VECTOR);
		put_device_name(out, kind->vector - PROBE_DEVICE_VECTOR);
	} else {
		fprintf(out, "vector 0x%" PRIx32, kind->vector);
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (names[i].vector == kind->vector)
				fprintf(out, " %s", names[i].name);
	}
	fprintf(out, ": %" PRIu64, kind->n);
}

void foreign_fact(FILE *out)
{
	if (!nr_kinds)
		return;
	qsort(kinds, nr_kinds, sizeof(kinds[0]), by_count);
	fprintf(out, "foreign_interrupts\t");
	for (size_t i = 0; i < nr_kinds && i < SHOWN; i++) {
		fprintf(out, "%s", i ? ", " : "");
		put_kind(out, &kinds[i]);
	}
	fprintf(out, "\n");
}
