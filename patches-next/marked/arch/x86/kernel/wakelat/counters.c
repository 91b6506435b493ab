// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement on x86: counters of the CPU across an idle period.
 *
 * They are read before the CPU commits itself to going idle and after it has
 * come back, outside the stretch between the two stamps.
 */

#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/wakelat_source.h>

#include <asm/msr.h>

#include "wakelat.h"

/* Sets that are switched on and off together. */
#define COUNTERS_FREQ		BIT(0)	/* TSC, MPERF, APERF */
#define COUNTERS_CORE		BIT(1)	/* residencies of the core */
#define COUNTERS_PACKAGE	BIT(2)	/* residencies of the package */

static const char * const set_names[] = { "freq", "core", "package" };

/* Intel SDM vol. 4; all count TSC cycles but for MPERF and APERF. */
static const struct {
	u32 msr;
	u32 set;
} counters[WAKELAT_NR_COUNTERS] = {
	[WAKELAT_TSC]	= { MSR_IA32_TSC, COUNTERS_FREQ },
	[WAKELAT_MPERF]	= { MSR_IA32_MPERF, COUNTERS_FREQ },
	[WAKELAT_APERF]	= { MSR_IA32_APERF, COUNTERS_FREQ },
	[WAKELAT_CC1]	= { MSR_CORE_C1_RES, COUNTERS_CORE },
	[WAKELAT_CC3]	= { MSR_CORE_C3_RESIDENCY, COUNTERS_CORE },
	[WAKELAT_CC6]	= { MSR_CORE_C6_RESIDENCY, COUNTERS_CORE },
	[WAKELAT_CC7]	= { MSR_CORE_C7_RESIDENCY, COUNTERS_CORE },
	[WAKELAT_PC2]	= { MSR_PKG_C2_RESIDENCY, COUNTERS_PACKAGE },
	[WAKELAT_PC3]	= { MSR_PKG_C3_RESIDENCY, COUNTERS_PACKAGE },
	[WAKELAT_PC6]	= { MSR_PKG_C6_RESIDENCY, COUNTERS_PACKAGE },
	[WAKELAT_PC7]	= { MSR_PKG_C7_RESIDENCY, COUNTERS_PACKAGE },
	[WAKELAT_PC8]	= { MSR_PKG_C8_RESIDENCY, COUNTERS_PACKAGE },
	[WAKELAT_PC9]	= { MSR_PKG_C9_RESIDENCY, COUNTERS_PACKAGE },
	[WAKELAT_PC10]	= { MSR_PKG_C10_RESIDENCY, COUNTERS_PACKAGE },
};

/**
 * struct wakelat_chosen - the counters that a CPU reads
 * @nr: how many
 * @list: which
 * @values: what they read last, before the idle period and after it
 * @diff: the difference; WAKELAT_ABSENT if not chosen
 *
 * The CPUs of a machine need not have the same ones.
 */
struct wakelat_chosen {
	unsigned int nr;
	u8 list[WAKELAT_NR_COUNTERS];
	u64 values[WAKELAT_NR_COUNTERS_WHEN][WAKELAT_NR_COUNTERS];
	u64 diff[WAKELAT_NR_COUNTERS];
};

static DEFINE_PER_CPU(struct wakelat_chosen, wakelat_chosen);

/* The sets that the user wants. */
static u32 chosen_sets;

/**
 * wakelat_counters_watch - which counters this CPU reads from now on
 *
 * Of those that are chosen the ones that it can read without a fault.
 *
 * Context: on the CPU meant, interrupts disabled.
 */
void wakelat_counters_watch(void)
{
	struct wakelat_chosen *chosen = this_cpu_ptr(&wakelat_chosen);
	unsigned int i;
	u64 value;

	chosen->nr = 0;
	memset(chosen->diff, 0xff, sizeof(chosen->diff));	/* WAKELAT_ABSENT */
	for (i = 0; i < WAKELAT_NR_COUNTERS; i++)
		if ((counters[i].set & chosen_sets) && !rdmsrq_safe(counters[i].msr, &value))
			chosen->list[chosen->nr++] = i;
}

void wakelat_arch_read_counters(enum wakelat_counters_when when)
{
	struct wakelat_chosen *chosen = this_cpu_ptr(&wakelat_chosen);
	const u8 *i, *end = chosen->list + chosen->nr;

	for (i = chosen->list; i < end; i++)
		rdmsrq(counters[*i].msr, chosen->values[when][*i]);
}

/**
 * wakelat_counters_diff - what the chosen counters have counted
 *
 * Context: on a CPU that is watched, interrupts disabled.
 * Return: the differences, one for each counter there may be; NULL if none is chosen.
 */
const u64 *wakelat_counters_diff(void)
{
	struct wakelat_chosen *chosen = this_cpu_ptr(&wakelat_chosen);
	const u64 *before = chosen->values[WAKELAT_COUNTERS_BEFORE];
	const u64 *after = chosen->values[WAKELAT_COUNTERS_AFTER];
	const u8 *i, *end = chosen->list + chosen->nr;

	if (!chosen_sets)
		return NULL;
	for (i = chosen->list; i < end; i++)
		chosen->diff[*i] = after[*i] - before[*i];

	return chosen->diff;
}

void wakelat_arch_show_counters(struct seq_file *m)
{
	const char *comma = "";
	int i;

	for (i = 0; i < ARRAY_SIZE(set_names); i++) {
		if (chosen_sets & BIT(i)) {
			seq_printf(m, "%s%s", comma, set_names[i]);
			comma = ",";
		}
	}
	seq_puts(m, *comma ? "\n" : "none\n");
}

int wakelat_arch_choose_counters(char *names)
{
	u32 sets = 0;
	char *name;

	if (strcmp(names, "none")) {
		while ((name = strsep(&names, ","))) {
			int i = match_string(set_names, ARRAY_SIZE(set_names), name);

			if (i < 0)
				return i;
			sets |= BIT(i);
		}
	}
	chosen_sets = sets;

	return 0;
}
