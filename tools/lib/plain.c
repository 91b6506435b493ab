// SPDX-License-Identifier: GPL-2.0
#include "plain.h"

int utf8_length(const unsigned char *p, uint32_t *code)
{
	static const uint32_t lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	int length = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;

	if (length < 2) {
		*code = *p;
		return length;
	}
	*code = *p & (0x7f >> length);
	for (int i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (p[i] & 0x3f);
	}
	return *code < lowest[length] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000) ? 0 : length;
}

bool is_harmless(uint32_t code)
{
	return code >= ' ' && (code < 0x7f || code >= 0xa0) && code != 0x061c && code != 0x200e && code != 0x200f &&
		!(code >= 0x2028 && code <= 0x202e) && !(code >= 0x2066 && code <= 0x2069);
}

char *make_plain(char *text)
{
	const unsigned char *from = (const unsigned char *)text;
	char *to = text;
	uint32_t code;

	while (*from) {
		int length = utf8_length(from, &code);

		if (length && is_harmless(code)) {
			while (length--)
				*to++ = *from++;
			continue;
		}
		if (length)
			from += length;
		else
			while (*from && !utf8_length(from, &code))
				from++;
		*to++ = '?';
	}
	*to = '\0';
	return text;
}
