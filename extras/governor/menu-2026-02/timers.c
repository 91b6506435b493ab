/* SPDX-License-Identifier: GPL-2.0 */
/*
 * timers N: arm timers on CPU 1 for which nobody waits, so that no task starts its tick again. They end N idle periods: eight of
 * 300 to 500 us, then one of 6 ms, and so on. Returns after the last one.
 */
#define _GNU_SOURCE
#include <err.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>

#define MS 1000000LL

static void use_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "CPU %d", cpu);
}

static struct timespec at(int64_t ns)
{
	return (struct timespec) { .tv_sec = ns / (1000 * MS), .tv_nsec = ns % (1000 * MS) };
}

static void arm(int64_t when)
{
	struct itimerspec timer = { .it_value = at(when) };
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);

	if (fd < 0 || timerfd_settime(fd, TFD_TIMER_ABSTIME, &timer, NULL))
		err(1, "timerfd");
}

int main(int argc, char **argv)
{
	int n = argc == 2 ? atoi(argv[1]) : 0;
	struct timespec time;
	int64_t start, when;

	if (setrlimit(RLIMIT_NOFILE, &(struct rlimit) { n + 100, n + 100 }))
		err(1, "setrlimit");
	use_cpu(1);
	clock_gettime(CLOCK_MONOTONIC, &time);
	start = time.tv_sec * 1000 * MS + time.tv_nsec + 100 * MS;
	/* Long periods first, so that the governor stops the tick. */
	for (when = start - 88 * MS; when < start; when += 6 * MS)
		arm(when);
	srandom(1);
	for (int i = 0; i < n; i++) {
		when += i % 9 == 8 ? 6 * MS : 300000 + random() % 200000;
		arm(when);
	}
	use_cpu(0);
	time = at(when + MS);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
	return 0;
}
