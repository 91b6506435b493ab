/* SPDX-License-Identifier: GPL-2.0 */
/* Compute the checksum that POSIX cksum prints. */
#ifndef WAKELAT_CKSUM_H
#define WAKELAT_CKSUM_H

#include <stddef.h>
#include <stdint.h>

/*
 * Add a piece of text to CRC, which is 0 for the first piece. After the last one, call cksum_end()
 * with the total length.
 */
uint32_t cksum_add(uint32_t crc, const char *text, size_t len);
uint32_t cksum_end(uint32_t crc, uint64_t len);

#endif
