// SPDX-License-Identifier: GPL-2.0
/*
 * waker COUNT MIN_US MAX_US: two processes, the reader on CPU 1, the writer on CPU 0. The writer wakes the reader COUNT times by a byte
 * in a pipe, at times that are MIN_US to MAX_US apart, at random (the same in each run). So the reader's CPU arms no timer.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

int main(int argc, char **argv)
{
	long i, n = argc > 3 ? atol(argv[1]) : 0;
	long min_ns = argc > 3 ? 1000 * atol(argv[2]) : 0;
	long max_ns = argc > 3 ? 1000 * atol(argv[3]) : 0;
	struct timespec t;
	int ends[2];
	char byte = 0;
	pid_t reader;

	if (n <= 0 || min_ns <= 0 || max_ns <= min_ns || pipe(ends))
		return 1;
	reader = fork();
	if (reader < 0)
		return 1;
	if (!reader) {
		close(ends[1]);
		if (pin(1))
			return 1;
		while (read(ends[0], &byte, 1) == 1)
			;
		return 0;
	}
	close(ends[0]);
	if (pin(0) || clock_gettime(CLOCK_MONOTONIC, &t))
		return 1;
	for (i = 0; i < n; i++) {
		t.tv_nsec += min_ns + random() % (max_ns - min_ns);
		while (t.tv_nsec >= 1000000000) {
			t.tv_nsec -= 1000000000;
			t.tv_sec++;
		}
		if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) || write(ends[1], &byte, 1) != 1)
			return 1;
	}
	close(ends[1]);

	return waitpid(reader, NULL, 0) != reader;
}
