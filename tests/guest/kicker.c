// SPDX-License-Identifier: GPL-2.0
/*
 * kicker PERIOD_US: every PERIOD_US, open and close a perf event that has a frequency. While there is such an event, the CPUs of
 * nohz_full= must keep their ticks. When the first one is opened, the kernel tells each of these CPUs, by irq_work. Closing waits for
 * RCU, about 15 ms.
 */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_event(unsigned int frequency)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_freq = frequency,
		.freq = frequency > 0,
	};

	return syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
}

int main(int argc, char **argv)
{
	long period_us = argc > 1 ? atol(argv[1]) : 0;

	/* While this event exists, opening another one does not change the kernel's code, for which all CPUs are interrupted. */
	if (period_us <= 0 || open_event(0) < 0)
		return 1;
	for (;;) {
		int event = open_event(1);

		if (event < 0 || close(event) || usleep(period_us))
			return 1;
	}
}
