// SPDX-License-Identifier: GPL-2.0
/*
 * mmio - read and write registers of a PCI device's first BAR, and print how long each access took.
 *
 *	mmio DEVICE STEP...
 *
 * DEVICE is a PCI address, and a STEP one of (numbers as in C)
 *	rREGISTER	prints "REGISTER VALUE BEFORE AFTER": the TSC before and after the read
 *	wREGISTER=VALUE	the same for a write
 *	sNS		sleeps
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <x86intrin.h>

#define BAR_SIZE 0x20000

static unsigned long long tsc(void)
{
	_mm_lfence();
	return __rdtsc();
}

static void step(volatile unsigned int *bar, char *text)
{
	char *rest;
	unsigned long long before, after, n = strtoull(text + 1, &rest, 0);
	struct timespec t = { .tv_sec = n / 1000000000, .tv_nsec = n % 1000000000 };
	unsigned int value = 0;

	if (*text == 's') {
		nanosleep(&t, NULL);
		return;
	}
	if (*rest == '=')
		value = strtoull(rest + 1, NULL, 0);
	before = tsc();
	if (*text == 'r')
		value = bar[n / 4];
	else
		bar[n / 4] = value;
	after = tsc();
	printf("0x%05llx 0x%08x %llu %llu\n", n, value, before, after);
}

int main(int argc, char **argv)
{
	char path[128];
	void *bar;
	int i, fd;

	if (argc < 3)
		return 2;
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource0", argv[1]);
	fd = open(path, O_RDWR);
	if (fd < 0) {
		perror(path);
		return 1;
	}
	bar = mmap(NULL, BAR_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (bar == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	for (i = 2; i < argc; i++)
		step(bar, argv[i]);
	return 0;
}
