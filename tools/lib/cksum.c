// SPDX-License-Identifier: GPL-2.0
/* CRC-32 with the upper bit first, computed eight bytes at a time. */
#include "cksum.h"

static uint32_t crc_table[8][256];

static void make_crc_table(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i << 24;

		for (int bit = 0; bit < 8; bit++)
			crc = crc & 0x80000000 ? crc << 1 ^ 0x04c11db7 : crc << 1;
		crc_table[0][i] = crc;
	}
	for (int k = 1; k < 8; k++)
		for (int i = 0; i < 256; i++)
			crc_table[k][i] = crc_table[k - 1][i] << 8 ^ crc_table[0][crc_table[k - 1][i] >> 24];
}

static uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

uint32_t cksum_add(uint32_t crc, const char *text, size_t len)
{
	const unsigned char *p = (const unsigned char *)text;

	if (!crc_table[0][1])
		make_crc_table();
	for (; len >= 8; len -= 8, p += 8) {
		uint32_t a = crc ^ big_endian(p), b = big_endian(p + 4);

		crc = crc_table[7][a >> 24] ^ crc_table[6][a >> 16 & 255] ^ crc_table[5][a >> 8 & 255] ^
		      crc_table[4][a & 255] ^ crc_table[3][b >> 24] ^ crc_table[2][b >> 16 & 255] ^
		      crc_table[1][b >> 8 & 255] ^ crc_table[0][b & 255];
	}
	for (; len; len--)
		crc = crc << 8 ^ crc_table[0][crc >> 24 ^ *p++];
	return crc;
}

uint32_t cksum_end(uint32_t crc, uint64_t len)
{
	for (; len; len >>= 8) {
		char byte = len & 255;

		crc = cksum_add(crc, &byte, 1);
	}
	return ~crc;
}
