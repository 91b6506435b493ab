// SPDX-License-Identifier: GPL-2.0
/*
 * busmaster - let ACPI see a device that masters the bus, every other time that it looks
 *
 *	busmaster ADDRESS	of acpi_gbl_xpm1a_status in the running kernel, as its symbol table has it (hexadecimal)
 *
 * Nothing in the testbed sets BM_STS, bit 4 of ACPI's PM1 status register. Bit 4 of I/O port 0x61 is another each time
 * that it is read: it tells of refreshes of memory. So the running kernel is told that the register is there. Needs
 * /dev/mem without CONFIG_STRICT_DEVMEM, and a kernel at the address that it is linked to.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* In struct acpi_generic_address */
#define OFFSET_PORT 4

#define KERNEL_MAP 0xffffffff80000000
#define PM1_STATUS_PORT 0x600
#define REFRESH_PORT 0x61

int main(int argc, char **argv)
{
	off_t at = (argc == 2 ? strtoull(argv[1], NULL, 16) : 0) - KERNEL_MAP + OFFSET_PORT;
	int mem = open("/dev/mem", O_RDWR);
	uint64_t port;

	if (argc != 2 || pread(mem, &port, sizeof(port), at) != sizeof(port) || port != PM1_STATUS_PORT) {
		fprintf(stderr, "busmaster: the address of ACPI's PM1 status register is not there\n");
		return 1;
	}
	port = REFRESH_PORT;
	if (pwrite(mem, &port, sizeof(port), at) != sizeof(port)) {
		perror("busmaster: /dev/mem");
		return 1;
	}

	return 0;
}
