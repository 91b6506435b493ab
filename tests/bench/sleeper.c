// SPDX-License-Identifier: GPL-2.0
/* Idle periods and nothing else: sleeps ARGV[1] times for 1 ms, to absolute times. */
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	long i, n = argc > 1 ? atol(argv[1]) : 0;
	struct timespec t;

	if (clock_gettime(CLOCK_MONOTONIC, &t))
		return 1;
	for (i = 0; i < n; i++) {
		t.tv_nsec += 1000000;
		if (t.tv_nsec >= 1000000000) {
			t.tv_nsec -= 1000000000;
			t.tv_sec++;
		}
		if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
			return 1;
	}

	return 0;
}
