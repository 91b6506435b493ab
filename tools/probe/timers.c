// SPDX-License-Identifier: GPL-2.0
/*
 * timers CPU,... MIN:MAX SEED SECONDS: do what wakelat probe does on the measured CPUs, but without BPF. A thread on each CPU
 * sleeps for random launch distances from MIN to MAX ns, until SECONDS are over or until SIGINT, SIGTERM or SIGHUP. The main
 * thread sleeps meanwhile, on any CPU.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#include "message.h"
#include "probe-bpf.h"
#include "probe-events.h"

/* Stubs for functions of probe-bpf.c. The threads write to own[], and nothing reads it. */
static struct probe_own own[PROBE_MAX_CPUS];
static const struct probe_counts none;

struct probe_own *probe_own(int cpu)
{
	return &own[cpu];
}

const struct probe_counts *probe_counts(int cpu)
{
	(void)cpu;
	return &none;
}

void probe_sleeper(int cpu, int task)
{
	(void)cpu;
	(void)task;
}

static void wait_for_end(unsigned int seconds)
{
	struct timespec limit = { .tv_sec = seconds };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigtimedwait(&set, NULL, &limit);
}

/* Block the signals in all threads, which inherit the mask. */
static void block_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* End this process if the process that started it ends. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

int main(int argc, char **argv)
{
	struct distances distances;
	char *p;

	message_init("timers");
	if (argc != 5 || sscanf(argv[2], "%" SCNu64 ":%" SCNu64, &distances.min, &distances.max) != 2)
		die("usage: timers CPU,... MIN:MAX SEED SECONDS");
	distances.seed = strtoull(argv[3], NULL, 10);
	block_signals();
	for (p = argv[1]; *p; p += *p == ',') {
		char *end;
		long cpu = strtol(p, &end, 10);

		if (end == p || cpu < 0 || cpu >= PROBE_MAX_CPUS)
			die("'%s' is not a list of CPUs", argv[1]);
		events_timer(cpu, &distances, 0);
		p = end;
	}
	wait_for_end(strtoul(argv[4], NULL, 10));
	events_end();
	return 0;
}
