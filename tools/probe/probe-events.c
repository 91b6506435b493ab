// SPDX-License-Identifier: GPL-2.0
/*
 * A thread on the measured CPU arms a timer and sleeps until it expires, so none of our code runs while the CPU sleeps.
 * The timer is the thread's sleep timer, with CLOCK_MONOTONIC and a slack of 1 ns. Before the CPU idles, the thread
 * writes the event's data where the BPF program reads it.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "measuring.h"
#include "message.h"
#include "probe-bpf.h"
#include "probe-events.h"

#define MAX_THREADS (PROBE_MAX_CPUS + 1)

struct maker {
	struct distances distances;
	uint64_t limit;
	bool wakes;	/* wake the sleeping threads after each distance */
	int nr;
	int cpus[];
};

static pthread_t threads[MAX_THREADS];
static int nr_threads;
static bool stop;

/* The futex that the sleeping threads wait for, and the number of threads that have started. */
static uint32_t wake_word;
static int nr_asleep;

static void sleep_until(uint64_t ns)
{
	struct timespec t = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

/* splitmix64. */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

static uint64_t distance(struct distances *d)
{
	return d->min + random_next(&d->seed) % (d->max - d->min + 1);
}

static void start(void *(*function)(void *), void *arg, int cpu)
{
	pthread_attr_t attr;
	cpu_set_t set;
	int error;

	if (nr_threads == MAX_THREADS)
		die("too many threads");
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	error = pthread_create(&threads[nr_threads], &attr, function, arg);
	if (error)
		die("cannot start a thread on CPU %d: %s; check that this process's cpuset contains the CPU", cpu,
		    strerror(error));
	nr_threads++;
	pthread_attr_destroy(&attr);
}

static bool goes_on(const struct maker *maker)
{
	if (__atomic_load_n(&stop, __ATOMIC_RELAXED))
		return false;
	for (int i = 0; i < maker->nr; i++) {
		const struct probe_counts *counts = &probe_cpu(maker->cpus[i])->counts;

		if (counts->samples - counts->tainted < maker->limit)
			return true;
	}
	return !maker->limit;
}

static void wake_sleepers(void)
{
	__atomic_add_fetch(&wake_word, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &wake_word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void *make_events(void *arg)
{
	struct maker *maker = arg;

	prctl(PR_SET_NAME, maker->wakes ? "wakelat-waker" : "wakelat-timer");
	prctl(PR_SET_TIMERSLACK, 1);
	while (goes_on(maker)) {
		uint64_t armed = clock_ns(CLOCK_MONOTONIC);
		uint64_t target = armed + distance(&maker->distances);

		for (int i = 0; i < maker->nr; i++) {
			struct probe_own *own = &probe_cpu(maker->cpus[i])->next_own;

			own->seq++;
			own->armed = armed;
			own->target = target;
		}
		sleep_until(target);
		if (maker->wakes)
			wake_sleepers();
	}
	free(maker);
	return NULL;
}

static void *sleep_again(void *arg)
{
	const int *cpu = arg;
	uint32_t word = 0;

	prctl(PR_SET_NAME, "wakelat-sleeper");
	probe_cpu(*cpu)->own_task = syscall(SYS_gettid);
	__atomic_add_fetch(&nr_asleep, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		syscall(SYS_futex, &wake_word, FUTEX_WAIT_PRIVATE, word, NULL, NULL, 0);
		word = __atomic_load_n(&wake_word, __ATOMIC_ACQUIRE);
	}
	return NULL;
}

static struct maker *maker_of(const int *cpus, int nr, bool wakes,
			      const struct distances *distances, uint64_t limit)
{
	struct maker *maker = xrealloc(NULL, 1, sizeof(*maker) + nr * sizeof(*cpus));

	*maker = (struct maker) {
		.distances = *distances, .limit = limit, .wakes = wakes, .nr = nr,
	};
	memcpy(maker->cpus, cpus, nr * sizeof(*cpus));
	/* Give each CPU its own random distances. */
	maker->distances.seed += cpus[0] * 0xd1342543de82ef95ULL;
	return maker;
}

void events_timer(int cpu, const struct distances *distances, uint64_t limit)
{
	start(make_events, maker_of(&cpu, 1, false, distances, limit), cpu);
}

void events_wake(const int *cpus, int nr, int waker, const struct distances *distances, uint64_t limit)
{
	struct maker *maker = maker_of(cpus, nr, true, distances, limit);

	for (int i = 0; i < nr; i++)
		start(sleep_again, &maker->cpus[i], cpus[i]);
	while (__atomic_load_n(&nr_asleep, __ATOMIC_ACQUIRE) < nr)
		usleep(1000);
	start(make_events, maker, waker);
}

void events_end(void)
{
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	wake_sleepers();
	while (nr_threads)
		pthread_join(threads[--nr_threads], NULL);
}
