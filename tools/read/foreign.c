// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "foreign.h"
#include "message.h"

static const struct {
	const char *magic;
	size_t len;
	const char *what;
} binaries[] = {
	{ "\x1f\x8b", 2, "compressed: unpack it first (gzip -d)" },
	{ "\xfd" "7zXZ", 5, "compressed: unpack it first (xz -d)" },
	{ "\x28\xb5\x2f\xfd", 4, "compressed: unpack it first (zstd -d)" },
	{ "BZh", 3, "compressed: unpack it first (bzip2 -d)" },
	{ "PK\x03\x04", 4, "a zip archive: unpack it first; save a spreadsheet as CSV" },
	{ "\x17\x08\x44tracing", 10, "a trace.dat: name it to wakelat dump --from-events" },
	{ "PERFILE2", 8, "a perf.data: name the text of perf script --ns instead" },
	{ "\xff\xfe", 2, "UTF-16: save it as UTF-8" },
	{ "\xfe\xff", 2, "UTF-16: save it as UTF-8" },
};

size_t byte_order_mark(const char *head)
{
	return strncmp(head, "\xef\xbb\xbf", 3) ? 0 : 3;
}

void refuse_binary(const char *input, const char *head, size_t len)
{
	for (size_t i = 0; i < sizeof(binaries) / sizeof(*binaries); i++)
		if (len >= binaries[i].len && !memcmp(head, binaries[i].magic, binaries[i].len))
			die("%s: %s", input, binaries[i].what);
}
