// SPDX-License-Identifier: GPL-2.0
/* Wake-ups and nothing else: sleeper COUNT [PERIOD_US] sleeps so often, until absolute times 1 ms or that apart. */
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	long i, n = argc > 1 ? atol(argv[1]) : 0;
	long period_ns = 1000 * (argc > 2 ? atol(argv[2]) : 1000);
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t))
		return 1;
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
