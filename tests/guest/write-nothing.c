// SPDX-License-Identifier: GPL-2.0
/* write-nothing FILE: open FILE and write zero bytes, which neither a shell nor dd does. */
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_WRONLY) : -1;

	return fd < 0 || write(fd, "", 0) != 0;
}
