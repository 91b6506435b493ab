// SPDX-License-Identifier: GPL-2.0
/* clocks: "CYC NS", the TSC and CLOCK_MONOTONIC at one instant, of many readings the one with the least between. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

int main(void)
{
	uint64_t best = UINT64_MAX, cyc = 0, ns = 0;

	for (int i = 0; i < 100; i++) {
		struct timespec t;
		uint64_t before = __rdtsc(), after;

		clock_gettime(CLOCK_MONOTONIC, &t);
		after = __rdtsc();
		if (after - before >= best)
			continue;
		best = after - before;
		cyc = before + best / 2;
		ns = t.tv_sec * 1000000000ULL + t.tv_nsec;
	}
	printf("%llu\t%llu\n", (unsigned long long)cyc, (unsigned long long)ns);
	return 0;
}
