// SPDX-License-Identifier: GPL-2.0
/*
 * run-file FILE: what a shell cannot do with the file `run`: write zero bytes, read without waiting (O_NONBLOCK), and poll().
 * The exit status is the number of the first step that fails.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static int fd;

static int put(const char *text)
{
	return write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

static int readable(int timeout_ms)
{
	struct pollfd file = { .fd = fd, .events = POLLIN };

	return poll(&file, 1, timeout_ms) == 1 && file.revents == POLLIN;
}

static int says(const char *text)
{
	char buffer[32];
	ssize_t n = read(fd, buffer, sizeof(buffer));

	return n == (ssize_t)strlen(text) && !memcmp(buffer, text, n);
}

int main(int argc, char **argv)
{
	char byte;

	fd = argc == 2 ? open(argv[1], O_RDWR | O_NONBLOCK) : -1;
	if (fd < 0 || write(fd, "", 0) != 0)
		return 1;
	if (!put("source hrtimer\ncpus 1\nldist_min_ns 300000000\nldist_max_ns 300000000\nmax_samples 1\n") || !put("start\n"))
		return 2;
	/* The run is active: nothing to read. */
	if (readable(0))
		return 3;
	if (read(fd, &byte, 1) != -1 || errno != EAGAIN)
		return 4;
	/* It ends while poll() waits. */
	if (!readable(20000) || !says("samples\n"))
		return 5;
	if (!put("max_samples 0\n") || !put("start\n") || readable(0))
		return 6;
	if (!put("stop\n") || !readable(0) || !says("stopped\n"))
		return 7;

	return 0;
}
