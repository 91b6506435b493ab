// SPDX-License-Identifier: GPL-2.0
/*
 * busmaster - make ACPI see bus master activity, or stop seeing it
 *
 *	busmaster ADDRESS	the address of acpi_gbl_xpm1a_status in the kernel's symbol table (hexadecimal)
 *
 * Nothing in the testbed sets BM_STS, bit 4 of ACPI's PM1 status register. So this changes the register's address in the
 * running kernel to an unused I/O port, where all bits read as set. The next call restores the address. Needs /dev/mem
 * without CONFIG_STRICT_DEVMEM, and a kernel at the address that it is linked to.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Offset in struct acpi_generic_address */
#define OFFSET_PORT 4

#define KERNEL_MAP 0xffffffff80000000
#define PM1_STATUS_PORT 0x600
#define EMPTY_PORT 0x2f0

int main(int argc, char **argv)
{
	off_t at = (argc == 2 ? strtoull(argv[1], NULL, 16) : 0) - KERNEL_MAP + OFFSET_PORT;
	int mem = open("/dev/mem", O_RDWR);
	uint64_t port;

	if (argc != 2 || pread(mem, &port, sizeof(port), at) != sizeof(port) ||
	    (port != PM1_STATUS_PORT && port != EMPTY_PORT)) {
		fprintf(stderr, "busmaster: ADDRESS does not hold the port of ACPI's PM1 status register\n");
		return 1;
	}
	port = port == PM1_STATUS_PORT ? EMPTY_PORT : PM1_STATUS_PORT;
	if (pwrite(mem, &port, sizeof(port), at) != sizeof(port)) {
		perror("busmaster: /dev/mem");
		return 1;
	}

	return 0;
}
