// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "measuring.h"
#include "message.h"

volatile sig_atomic_t stopped;

static void take_signal(int number)
{
	stopped = number;
}

void catch_signals(void)
{
	struct sigaction action = { .sa_handler = take_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

void sleep_ns(uint64_t ns)
{
	struct timespec pause = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	nanosleep(&pause, NULL);
}

bool is_due(uint64_t *last, uint64_t now, uint64_t interval)
{
	if (now - *last < interval)
		return false;
	*last = now;
	return true;
}

void hold_latency(int32_t us)
{
	int fd;

	if (us < 0)
		return;
	fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, &us, sizeof(us)) != sizeof(us))
		die("/dev/cpu_dma_latency cannot be set: %s", strerror(errno));
}
