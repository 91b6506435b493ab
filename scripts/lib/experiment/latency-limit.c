/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hold a limit on the wake-up latency of idle CPUs while something critical goes on.
 *
 *	int fd = latency_limit_hold(LATENCY_LIMIT_US);
 *	if (fd < 0)
 *		...			no limit is in force: errno says why
 *	critical();
 *	latency_limit_release(fd);
 *
 * The limit of all CPUs is in force while the file is open, and ends with the process.
 * For one CPU: latency_limit_cpu(3, LATENCY_LIMIT_US), later latency_limit_cpu(3, -1); that
 * one stays when the process ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LATENCY_LIMIT_US 0

/* The kernel takes four bytes as a number; text of any other length it reads as hexadecimal. */
int latency_limit_hold(int32_t us)
{
	int fd = open("/dev/cpu_dma_latency", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -1;
	errno = EIO;
	if (write(fd, &us, sizeof(us)) != (ssize_t)sizeof(us)) {
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

void latency_limit_release(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* us below 0: no limit. In this file 0 stands for no limit, and n/a for a limit of 0. */
int latency_limit_cpu(unsigned int cpu, int32_t us)
{
	char path[80], text[16];
	int fd, length, error = 0;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/power/pm_qos_resume_latency_us", cpu);
	if (us == 0)
		snprintf(text, sizeof(text), "n/a");
	else
		snprintf(text, sizeof(text), "%d", us < 0 ? 0 : (int)us);
	length = (int)strlen(text);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	errno = EIO;
	if (write(fd, text, (size_t)length) != length)
		error = errno;
	close(fd);
	errno = error;
	return error ? -1 : 0;
}
