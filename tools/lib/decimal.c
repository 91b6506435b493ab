// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdlib.h>

#include "decimal.h"

/* Any 36 digits fit into 128 bits. */
#define MAX_DIGITS 36
#define MAX_EXPONENT 40

static bool scale(__int128 *v, int digits, bool *rounded)
{
	__int128 half = 0;

	for (; digits > 0 && *v; digits--) {
		if (*v > (__int128)INT64_MAX + 1)
			return false;
		*v *= 10;
	}
	/* The last digit removed decides: 5 or more rounds up. */
	for (; digits < 0; digits++) {
		half = *v % 10;
		*rounded |= half != 0;
		*v /= 10;
	}
	*v += half >= 5;
	return true;
}

static bool parse_exponent(const char *s, long *exponent)
{
	char *end;

	*exponent = 0;
	if (!*s)
		return true;
	if (*s != 'e' && *s != 'E')
		return false;
	s++;
	if (!isdigit((unsigned char)*s) && !((*s == '-' || *s == '+') && isdigit((unsigned char)s[1])))
		return false;
	*exponent = strtol(s, &end, 10);
	return !*end && labs(*exponent) <= MAX_EXPONENT;
}

bool parse_decimal(const char *text, int digits, int64_t *value, bool *rounded)
{
	bool negative = *text == '-', point = false;
	int seen = 0, decimals = 0;
	__int128 v = 0;
	long exponent;

	for (text += negative; isdigit((unsigned char)*text) || (*text == '.' && !point); text++) {
		if (*text == '.') {
			point = true;
			continue;
		}
		if (++seen > MAX_DIGITS)
			return false;
		decimals += point;
		v = v * 10 + (*text - '0');
	}
	if (!seen || !parse_exponent(text, &exponent) || !scale(&v, digits - decimals + exponent, rounded))
		return false;
	if (negative)
		v = -v;
	if (v > INT64_MAX || v < INT64_MIN)
		return false;
	*value = v;
	return true;
}
