// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "number.h"

static const char pairs[] =
	"0001020304050607080910111213141516171819"
	"2021222324252627282930313233343536373839"
	"4041424344454647484950515253545556575859"
	"6061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

/* Exactly eight digits, with zeros in front. */
static void put_eight(char *p, uint32_t v)
{
	uint32_t high = v / 10000, low = v % 10000;

	memcpy(p, pairs + 2 * (high / 100), 2);
	memcpy(p + 2, pairs + 2 * (high % 100), 2);
	memcpy(p + 4, pairs + 2 * (low / 100), 2);
	memcpy(p + 6, pairs + 2 * (low % 100), 2);
}

/* Up to eight, without. */
static char *put_short(char *p, uint32_t v)
{
	int n = 1 + (v >= 10) + (v >= 100) + (v >= 1000) + (v >= 10000) + (v >= 100000) +
		(v >= 1000000) + (v >= 10000000);
	char *end = p + n;

	for (p = end; n > 1; n -= 2) {
		p -= 2;
		memcpy(p, pairs + 2 * (v % 100), 2);
		v /= 100;
	}
	if (n)
		p[-1] = '0' + v;
	return end;
}

/*
 * Most of the time that dump takes is spent here: two digits a step, and divisions of 32
 * bits wherever they will do.
 */
char *put_u64(char *p, uint64_t v)
{
	const uint32_t eight = 100000000;

	if (v < eight)
		return put_short(p, v);
	if (v / eight < eight) {
		p = put_short(p, v / eight);
	} else {
		p = put_short(p, v / eight / eight);
		put_eight(p, v / eight % eight);
		p += 8;
	}
	put_eight(p, v % eight);
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
	for (; s < end; s++) {
		unsigned int digit = (unsigned char)*s - '0';

		if (digit > 9 || value > (limit - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*v = negative ? (int64_t)(0 - value) : (int64_t)value;
	return true;
}

#define RADIX_BITS 8
#define BUCKETS (1 << RADIX_BITS)
#define PASSES (64 / RADIX_BITS)

/* The top bit flipped, so that unsigned order is signed order. */
static unsigned int digit_of(int64_t v, int pass)
{
	uint64_t key = (uint64_t)v ^ (1ULL << 63);

	return key >> (pass * RADIX_BITS) & (BUCKETS - 1);
}

/*
 * Least significant digit first. Latencies differ in their low bytes only, so a
 * pass in which all values share the digit is skipped: usually three remain.
 */
void sort_s64(int64_t *v, int64_t *scratch, size_t n)
{
	size_t count[PASSES][BUCKETS] = { { 0 } };
	int64_t *from = v, *to = scratch;

	for (size_t i = 0; i < n; i++)
		for (int pass = 0; pass < PASSES; pass++)
			count[pass][digit_of(v[i], pass)]++;

	for (int pass = 0; pass < PASSES; pass++) {
		size_t at = 0;

		if (!n || count[pass][digit_of(from[0], pass)] == n)
			continue;
		for (int b = 0; b < BUCKETS; b++) {
			size_t size = count[pass][b];

			count[pass][b] = at;
			at += size;
		}
		for (size_t i = 0; i < n; i++)
			to[count[pass][digit_of(from[i], pass)]++] = from[i];
		int64_t *swap = from;

		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}
