// SPDX-License-Identifier: GPL-2.0
/*
 * timings CPU - measure how long it takes to read clocks on this CPU; each is read 5000 times
 *
 * Prints a line "NUMBER NAME CYCLES TIMES" for each duration: reading the clock NAME took CYCLES TSC cycles, TIMES times. The
 * lines of a name are together and sorted (for scripts/lib/common/characterisation.awk). Each duration contains one reading of
 * the TSC. The first NAME, tsc, is this reading alone. Interrupts are enabled, so the longest durations can contain interrupts.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "message.h"
#include "number.h"

#define TIMES 5000

#ifdef __x86_64__
static inline uint64_t tsc(void)
{
	uint32_t low, high;

	/* Wait until all earlier instructions have finished, like the kernel's rdtsc_ordered(). */
	__asm__ __volatile__("lfence; rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}
#else
static inline uint64_t tsc(void)
{
	die("no TSC on this architecture");
}
#endif

static void do_nothing(void)
{
}

static void do_time_of_day(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
}

static const struct {
	const char *name;
	void (*doing)(void);
} things[] = {
	{ "tsc", do_nothing },
	{ "time_of_day", do_time_of_day },
};

static void print_times(size_t number, const char *name, int64_t *cycles)
{
	static int64_t scratch[TIMES];

	sort_s64(cycles, scratch, TIMES);
	for (size_t i = 0, next; i < TIMES; i = next) {
		for (next = i; next < TIMES && cycles[next] == cycles[i]; next++)
			;
		printf("%zu %s %" PRId64 " %zu\n", number, name, cycles[i], next - i);
	}
}

int main(int argc, char **argv)
{
	static int64_t cycles[TIMES];
	cpu_set_t set;
	int64_t cpu;

	message_init("timings");
	if (argc != 2 || !parse_s64(argv[1], argv[1] + strlen(argv[1]), &cpu) || cpu < 0 || cpu >= CPU_SETSIZE)
		die("usage: timings CPU");
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("cannot run on CPU %" PRId64 ": %s", cpu, strerror(errno));
	for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++) {
		/* Do not count the first 100: the caches are cold. */
		for (int k = -100; k < TIMES; k++) {
			uint64_t before = tsc();

			things[i].doing();
			cycles[k < 0 ? 0 : k] = tsc() - before;
		}
		print_times(i + 1, things[i].name, cycles);
	}
	return 0;
}
