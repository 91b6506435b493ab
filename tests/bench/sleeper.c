// SPDX-License-Identifier: GPL-2.0
/*
 * sleeper COUNT [PERIOD_US [PHASE_US [first]]]: sleep COUNT times until absolute times that are PERIOD_US (1 ms) apart. With
 * PHASE_US, each time is PHASE_US after a multiple of the period. With "first", print the first of these times (ns).
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	long i, n = argc > 1 ? atol(argv[1]) : 0;
	long period_ns = 1000 * (argc > 2 ? atol(argv[2]) : 1000);
	long phase_ns = argc > 3 ? 1000 * atol(argv[3]) : -1;
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t))
		return 1;
	if (phase_ns >= 0)
		t.tv_nsec += phase_ns - t.tv_nsec % period_ns;
	if (argc > 4) {
		printf("%lld\n", t.tv_sec * 1000000000LL + t.tv_nsec + period_ns);
		fflush(stdout);
	}
	for (i = 0; i < n; i++) {
		t.tv_nsec += period_ns;
		while (t.tv_nsec >= 1000000000) {
			t.tv_nsec -= 1000000000;
			t.tv_sec++;
		}
		if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
			return 1;
	}

	return 0;
}
