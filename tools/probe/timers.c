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

/* A stub for the function of probe-bpf.c. The threads write to next_own, and nothing counts. */
struct probe_cpu *probe_cpu(int cpu)
{
	static struct probe_cpu cpus[PROBE_MAX_CPUS];

	return &cpus[cpu];
}

/*
 * Block the signals that end this program in all threads, which inherit the mask. Store these
 * signals in SET.
 */
static void block_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigprocmask(SIG_BLOCK, set, NULL);
}

int main(int argc, char **argv)
{
	struct distances distances;
	struct timespec limit = { 0 };
	sigset_t signals;
	char *p;

	message_init("timers");
	if (argc != 5 || sscanf(argv[2], "%" SCNu64 ":%" SCNu64, &distances.min, &distances.max) != 2)
		die("usage: timers CPU,... MIN:MAX SEED SECONDS");
	distances.seed = strtoull(argv[3], NULL, 10);
	block_signals(&signals);
	/* End this process if the process that started it ends. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	for (p = argv[1]; *p; p += *p == ',') {
		char *end;
		long cpu = strtol(p, &end, 10);

		if (end == p || cpu < 0 || cpu >= PROBE_MAX_CPUS)
			die("'%s' is not a list of CPUs", argv[1]);
		events_timer(cpu, &distances, 0);
		p = end;
	}
	limit.tv_sec = (unsigned int)strtoul(argv[4], NULL, 10);
	sigtimedwait(&signals, NULL, &limit);
	events_end();
	return 0;
}
