// SPDX-License-Identifier: GPL-2.0
/*
 * kind INPUT: print what `wakelat import` takes INPUT for, from its first 64 KB: counts (of wakelat), histogram (cyclictest, rtla
 * timerlat hist), wult (datapoints.csv) or other: a text that only an extra may know. Refuse what is no text or of no use, and say
 * what it is if it is known.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "foreign.h"
#include "holes.h"
#include "message.h"
#include "outfile.h"
#include "samples.h"

static const char *input;

/* Text that a line of INPUT has, and the kind, or, if that is NULL, the reason why INPUT is refused. */
static const struct {
	const char *text, *kind, *reason;
} signs[] = {
	{ "RTLA osnoise histogram", NULL, "output of rtla osnoise hist: noise, not wake-ups (rtla timerlat hist measures wake-ups)" },
	{ "Operating System Noise", NULL, "output of rtla osnoise top: noise, not wake-ups (rtla timerlat hist measures wake-ups)" },
	{ "Hardware-related Noise", NULL, "output of rtla hwnoise: noise, not wake-ups (rtla timerlat hist measures wake-ups)" },
	{ "IRQ Timer Latency (", NULL, "rtla timerlat top has no histogram: use rtla timerlat hist" },
	{ "RTLA timerlat histogram", "histogram", NULL },
	{ "Index   IRQ-", "histogram", NULL },
	{ "Index   Thr-", "histogram", NULL },
	{ "# Histogram", "histogram", NULL },
	{ "# Min Latencies:", "histogram", NULL },
};

/* True if LINE is cyclictest's summary of a thread: "T: 0 ( 1234) P:80 I:1000 C:  10000 Min: ..." */
static bool is_summary(const char *line)
{
	return !strncmp(line, "T:", 2) && strstr(line, " C:") && strstr(line, " Min:");
}

static const char *kind_of_line(const char *line)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		if (!strstr(line, signs[i].text))
			continue;
		if (!signs[i].kind)
			die("%s: %s", input, signs[i].reason);
		return signs[i].kind;
	}
	return is_summary(line) ? "histogram" : NULL;
}

/* Return the kind; NULL if it is unknown. HEAD is changed. */
static const char *kind_of(char *head)
{
	char *next;

	head += byte_order_mark(head);
	if (!strncmp(head, "wakelat-counts\t", 15))
		return "counts";
	if (!strncmp(head, SAMPLES_HEADER, strcspn(SAMPLES_HEADER, "\n")))
		die("%s: wakelat's own samples: name their directory to wakelat stats, compare or verdict", input);
	if (head[strspn(head, " \t\r\n")] == '{')
		return "histogram";
	for (bool first = true; *head; head = next, first = false) {
		const char *kind;
		size_t len = strcspn(head, "\r\n");

		next = head + len + (head[len] != '\0');
		head[len] = '\0';
		if (first && (strcasestr(head, "WakeLatency") || strcasestr(head, "IntrLatency")))
			return "wult";
		kind = kind_of_line(head);
		if (kind)
			return kind;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	static char head[(1 << 16) + 1];
	const char *kind;
	struct stat st;
	bool is_text;
	size_t len;
	FILE *in;

	message_init("wakelat import");
	if (argc != 2)
		die("usage: kind INPUT");
	input = argv[1];
	in = fopen(input, "re");
	if (!in || fstat(fileno(in), &st))
		die("%s: %s", input, strerror(errno));
	if (is_hollow(&st))
		die("%s: %lld bytes, nearly all of them holes", input, (long long)st.st_size);
	len = fread(head, 1, sizeof(head) - 1, in);
	if (ferror(in))
		die("cannot read %s: %s", input, strerror(errno));
	fclose(in);
	if (!len)
		die("%s: no data", input);
	refuse_binary(input, head, len);
	is_text = strlen(head) == len;
	kind = kind_of(head);
	if (!kind && !is_text)
		die("%s: has NUL bytes: not a text file", input);
	puts(kind ? kind : "other");
	outfile_end_stdout();
	return 0;
}
