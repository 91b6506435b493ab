// SPDX-License-Identifier: GPL-2.0
#include <endian.h>
#include <string.h>

#include "number.h"

/*
 * Return the eight digits of V, one in each byte. The first digit is the lowest byte. V must be
 * less than 10^8.
 */
static uint64_t eight_digits(uint64_t v)
{
	/*
	 * Split into 2 numbers of 4 digits, then 4 of 2, then 8 of 1.
	 * n * 10486 >> 20 is n / 100, n * 103 >> 10 is n / 10.
	 */
	uint64_t fours = v / 10000 | v % 10000 << 32;
	uint64_t hundreds = fours * 10486 >> 20 & 0x0000007f0000007f;
	uint64_t twos = hundreds | (fours - 100 * hundreds) << 16;
	uint64_t tens = twos * 103 >> 10 & 0x000f000f000f000f;

	return tens | (twos - 10 * tens) << 8;
}

/* Write DIGITS, one in each byte. */
static void put_digits(char *p, uint64_t digits)
{
	digits = htole64(digits | 0x3030303030303030);
	memcpy(p, &digits, sizeof(digits));
}

/*
 * Write V, up to eight digits, without leading zeros. Bytes behind the number are overwritten, too.
 */
static char *put_short(char *p, uint32_t v)
{
	uint64_t digits = eight_digits(v);
	int zeros = __builtin_ctzll(digits | 1ULL << 56) / 8;

	put_digits(p, digits >> 8 * zeros);
	return p + 8 - zeros;
}

/* Write eight digits at a time, because dump spends most of its time here. */
char *put_u64(char *p, uint64_t v)
{
	const uint32_t eight = 100000000;

	if (v < eight)
		return put_short(p, v);
	if (v / eight < eight) {
		p = put_short(p, v / eight);
	} else {
		p = put_short(p, v / eight / eight);
		put_digits(p, eight_digits(v / eight % eight));
		p += 8;
	}
	put_digits(p, eight_digits(v % eight));
	return p + 8;
}

char *put_s64(char *p, int64_t v)
{
	if (v >= 0)
		return put_u64(p, v);
	*p++ = '-';
	/* In unsigned arithmetic, because -INT64_MIN does not exist. */
	return put_u64(p, 0 - (uint64_t)v);
}

char *put_text(char *p, const char *text)
{
	size_t len = strlen(text);

	memcpy(p, text, len);
	return p + len;
}

bool take_digits(const char **p, uint64_t *value)
{
	const char *s = *p;

	*value = 0;
	while (*s >= '0' && *s <= '9') {
		if (*value > (UINT64_MAX - 9) / 10)
			return false;
		*value = *value * 10 + (*s++ - '0');
	}
	if (s == *p)
		return false;
	*p = s;
	return true;
}

bool parse_s64(const char *s, const char *end, int64_t *v)
{
	uint64_t limit = INT64_MAX, value = 0;
	bool negative = s < end && *s == '-';

	if (negative) {
		limit++;
		s++;
	}
	if (s == end)
		return false;
	/* 18 digits fit into 64 bits. */
	for (const char *fits = end - s > 18 ? s + 18 : end; s < fits; s++) {
		unsigned int digit = (unsigned char)*s - '0';

		if (digit > 9)
			return false;
		value = value * 10 + digit;
	}
	for (; s < end; s++) {
		unsigned int digit = (unsigned char)*s - '0';

		if (digit > 9 || value > (limit - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*v = negative ? (int64_t)(0 - value) : (int64_t)value;
	return true;
}

#define RADIX_BITS 11
#define BUCKETS (1 << RADIX_BITS)
#define PASSES ((64 + RADIX_BITS - 1) / RADIX_BITS)

/* Insert each value into the sorted values before it. */
static void sort_few(int64_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		int64_t value = v[i];
		size_t at = i;

		for (; at && v[at - 1] > value; at--)
			v[at] = v[at - 1];
		v[at] = value;
	}
}

/*
 * Radix sort, least significant digit first. The digits are those of the distance from the minimum, so
 * latencies need two passes as a rule.
 */
void sort_s64(int64_t *v, int64_t *scratch, size_t n)
{
	static size_t count[PASSES][BUCKETS];
	int64_t *from = v, *to = scratch, least = n ? v[0] : 0, most = least;
	int passes = 0;

	if (n < 64) {
		sort_few(v, n);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		least = v[i] < least ? v[i] : least;
		most = v[i] > most ? v[i] : most;
	}
	for (uint64_t range = (uint64_t)most - least; range; range >>= RADIX_BITS)
		passes++;
	memset(count, 0, passes * sizeof(count[0]));
	for (size_t i = 0; i < n; i++) {
		uint64_t key = (uint64_t)v[i] - least;

		for (int pass = 0; pass < passes; pass++, key >>= RADIX_BITS)
			count[pass][key % BUCKETS]++;
	}
	for (int pass = 0; pass < passes; pass++) {
		int64_t *swap = from;
		size_t at = 0;

		for (size_t b = 0; b < BUCKETS; b++) {
			size_t size = count[pass][b];

			count[pass][b] = at;
			at += size;
		}
		for (size_t i = 0; i < n; i++) {
			uint64_t key = (uint64_t)from[i] - least;

			to[count[pass][(key >> pass * RADIX_BITS) % BUCKETS]++] = from[i];
		}
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}
