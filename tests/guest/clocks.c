// SPDX-License-Identifier: GPL-2.0
/*
 * clocks: print "CYC NS", the TSC (on arm64 the system counter) and CLOCK_MONOTONIC at one instant. Read CLOCK_MONOTONIC 100
 * times between two reads of the counter, and print the reading for which these are closest.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#ifdef __aarch64__
static uint64_t counter(void)
{
	uint64_t count;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(count) : : "memory");
	return count;
}
#else
#include <x86intrin.h>
#define counter __rdtsc
#endif

int main(void)
{
	uint64_t best = UINT64_MAX, cyc = 0, ns = 0;

	for (int i = 0; i < 100; i++) {
		struct timespec t;
		uint64_t before = counter(), after;

		clock_gettime(CLOCK_MONOTONIC, &t);
		after = counter();
		if (after - before >= best)
			continue;
		best = after - before;
		cyc = before + best / 2;
		ns = t.tv_sec * 1000000000ULL + t.tv_nsec;
	}
	printf("%llu\t%llu\n", (unsigned long long)cyc, (unsigned long long)ns);
	return 0;
}
