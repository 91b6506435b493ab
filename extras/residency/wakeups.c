// SPDX-License-Identifier: GPL-2.0
/*
 * wakeups [-i INTERVAL_NS] [-p] -t MS -s STATE -c CPU,CPU... [-r MSR] METER: wake the CPUs by timers, and print one line of numbers
 * about MS ms of it:
 *
 *	seconds joules		by METER (meter.h), from one change of its value to another
 *	rate			how often a CPU became idle, per s (mean of the CPUs)
 *	other			the share of that in other states than STATE
 *	late			the share of the wake-ups that were skipped, because the CPU was still awake
 *	own			the share of the idle periods that our timers ended
 *	awake_ns		mean time that a CPU was awake between two idle periods
 *	reached			the counter MSR's share of the time asleep; -: no counter
 *	busiest busy		the CPU that was awake most, and its share
 *	update_ns		from one change of the meter's value to the next; 0: none was seen within 20 ms
 *
 * -p: the CPUs' timers are spread over the interval; otherwise all expire together. Without -i there are no timers. Needs root for
 * -r and for the scheduling class.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "meter.h"

#define MAX_STATES 16

struct cpu {
	int number, msr;
	int usage[MAX_STATES], time[MAX_STATES];	/* files */
	pthread_t thread;
	int64_t offset;
	volatile uint64_t woken, late;
};

struct reading {
	int64_t ns;
	uint64_t usage, other, time, woken, late, counter, tsc;
};

static struct cpu *cpus;
static int nr_cpus, nr_states, state = -1;
static int64_t interval, start;
static long msr_number;

static struct timespec spec_of(int64_t ns)
{
	return (struct timespec) { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
}

static void sleep_until(int64_t ns)
{
	struct timespec ts = spec_of(ns);

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

static void move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("cannot move to CPU %d: %s", cpu, strerror(errno));
}

static void *wake(void *arg)
{
	struct cpu *cpu = arg;
	struct sched_param param = { .sched_priority = 1 };
	int64_t next = start + cpu->offset, now;

	move_to(cpu->number);
	/* A task of a real-time class has no timer slack. */
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		prctl(PR_SET_TIMERSLACK, 1);
	for (;;) {
		sleep_until(next);
		cpu->woken++;
		next += interval;
		now = now_ns();
		if (now > next) {
			cpu->late += (now - next) / interval + 1;
			next += ((now - next) / interval + 1) * interval;
		}
	}
	return NULL;
}

static uint64_t number_at(int fd)
{
	char text[32];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = 0;
	return strtoull(text, NULL, 10);
}

static uint64_t msr_at(int fd, long number)
{
	uint64_t value = 0;

	return pread(fd, &value, sizeof(value), number) == sizeof(value) ? value : 0;
}

static void read_cpu(struct cpu *cpu, struct reading *r)
{
	*r = (struct reading) { .ns = now_ns(), .woken = cpu->woken, .late = cpu->late };
	for (int s = 0; s < nr_states; s++) {
		uint64_t usage = number_at(cpu->usage[s]);

		r->usage += usage;
		if (s != state)
			r->other += usage;
		r->time += number_at(cpu->time[s]);
	}
	if (cpu->msr >= 0) {
		r->counter = msr_at(cpu->msr, msr_number);
		r->tsc = msr_at(cpu->msr, 0x10);
	}
}

static int open_file(int cpu, int s, const char *name)
{
	char *file = xprintf("/sys/devices/system/cpu/cpu%d/cpuidle/state%d/%s", cpu, s, name);
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	free(file);
	return fd;
}

static void add_cpu(int number)
{
	struct cpu *cpu;

	cpus = xrealloc(cpus, nr_cpus + 1, sizeof(*cpus));
	cpu = &cpus[nr_cpus++];
	*cpu = (struct cpu) { .number = number, .msr = -1 };
	for (nr_states = 0; nr_states < MAX_STATES; nr_states++) {
		cpu->usage[nr_states] = open_file(number, nr_states, "usage");
		if (cpu->usage[nr_states] < 0)
			break;
		cpu->time[nr_states] = open_file(number, nr_states, "time");
	}
	if (!nr_states)
		die("CPU %d has no idle states", number);
	if (msr_number) {
		char *file = xprintf("/dev/cpu/%d/msr", number);

		cpu->msr = open(file, O_RDONLY | O_CLOEXEC);
		free(file);
	}
}

static void start_threads(bool spread)
{
	start = now_ns() + 2000000;
	for (int i = 0; i < nr_cpus; i++) {
		cpus[i].offset = spread ? interval * i / nr_cpus : 0;
		errno = pthread_create(&cpus[i].thread, NULL, wake, &cpus[i]);
		if (errno)
			die("cannot start a thread: %s", strerror(errno));
	}
	/* The first idle periods depend on what was there before. */
	sleep_until(start + (interval * 3 > 5000000 ? interval * 3 : 5000000));
}

static void read_all(struct reading *r)
{
	for (int i = 0; i < nr_cpus; i++)
		read_cpu(&cpus[i], &r[i]);
}

/*
 * Measure for DURATION ns; return the energy, and set *NS to the exact time. The meter is read where it changes. At the end this
 * process must wait awake for a change; what the machine takes meanwhile is known from the beginning, where it waited from one change to
 * the next, and is taken off. The first CPU, on which it runs, was not idle meanwhile.
 */
static double measure(int64_t duration, struct reading *before, struct reading *after, int64_t *ns, int64_t *update)
{
	const int64_t longest = 20000000;
	int64_t first, from, to;
	double joules, edge, waiting;

	edge = meter_edge(longest, &first);
	joules = meter_edge(longest, &from);
	*update = joules > edge ? from - first : 0;
	waiting = *update ? (joules - edge) / *update : 0;
	to = from + duration;
	read_all(before);
	if (meter_is_power())
		for (int64_t t = from + 20000000; t < to; t += 20000000) {
			sleep_until(t);
			meter_read();
		}
	sleep_until(to);
	to = now_ns();
	/* A command of the user's is work that does not belong to the measurement. */
	if (!*update)
		read_all(after);
	joules = meter_edge(*update ? longest : 0, ns) - joules;
	if (*update) {
		read_all(after);
		joules -= waiting * (*ns - to);
		after[0].ns -= *ns - to;
		*ns = to;
	}
	*ns -= from;
	return joules;
}

static void print(const struct reading *before, const struct reading *after, double seconds, double joules, int64_t update)
{
	double rate = 0, other = 0, usage = 0, late = 0, own = 0, awake = 0, counted = 0, asleep = 0, busy = -1;
	int busiest = 0;
	bool counts = true;

	for (int i = 0; i < nr_cpus; i++) {
		const struct reading *a = &after[i], *b = &before[i];
		double span = a->ns - b->ns, n = a->usage - b->usage, time = 1e3 * (a->time - b->time);

		rate += n / span * 1e9 / nr_cpus;
		usage += n;
		other += a->other - b->other;
		own += a->woken - b->woken;
		late += a->late - b->late;
		awake += span - time;
		if (1 - time / span > busy) {
			busy = 1 - time / span;
			busiest = cpus[i].number;
		}
		if (a->tsc == b->tsc || !a->counter)
			counts = false;
		else
			counted += (double)(a->counter - b->counter) / (a->tsc - b->tsc) * span;
		asleep += time;
	}
	printf("%.9f\t%.9f\t%.3f\t%.6f\t%.6f\t%.6f\t%.1f\t", seconds, joules, rate, usage ? other / usage : 0,
	       own + late ? late / (own + late) : 0, usage ? own / usage : 0, usage ? awake / usage : 0);
	if (counts && asleep > 0)
		printf("%.6f", counted / asleep);
	else
		printf("-");
	printf("\t%d\t%.4f\t%lld\n", busiest, busy < 0 ? 0 : busy, (long long)update);
}

int main(int argc, char **argv)
{
	int64_t duration = 0, ns, update;
	bool spread = false;
	struct reading *before, *after;
	const char *list = "";
	double joules;
	int option;

	message_init("wakeups");
	while ((option = getopt(argc, argv, "i:pt:s:c:r:")) != -1) {
		switch (option) {
		case 'i': interval = atoll(optarg); break;
		case 'p': spread = true; break;
		case 't': duration = atoll(optarg) * 1000000; break;
		case 's': state = atoi(optarg); break;
		case 'c': list = optarg; break;
		case 'r': msr_number = strtol(optarg, NULL, 16); break;
		default: return 1;
		}
	}
	if (optind + 1 != argc || duration <= 0 || interval < 0)
		die("wrong arguments");
	for (char *word = strtok(xstrdup(list), ","); word; word = strtok(NULL, ","))
		add_cpu(atoi(word));
	if (!nr_cpus)
		die("no CPU given");
	before = xrealloc(NULL, nr_cpus, sizeof(*before));
	after = xrealloc(NULL, nr_cpus, sizeof(*after));
	meter_open(argv[optind]);
	/* No timer outlives the command. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	mlockall(MCL_CURRENT | MCL_FUTURE);
	move_to(cpus[0].number);
	if (interval)
		start_threads(spread);
	joules = measure(duration, before, after, &ns, &update);
	print(before, after, ns / 1e9, joules, update);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write the result: %s", strerror(errno));
	return 0;
}
