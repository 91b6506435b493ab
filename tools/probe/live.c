// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "hist.h"
#include "live.h"
#include "options.h"
#include "plain.h"

#define MAX_WIDTH 200
#define MIN_WIDTH 20

static int terminal = -1;
static int width;
static const char *note;
static int lines_drawn;
static FILE *view;

/* The longest record of the last LAST_NS. */
#define LAST_NS 10000000000ULL
static struct probe_record longest;
static __u64 longest_ns;
static char said[512];
static const struct probe_hist *hists;	/* of the states */
static bool plain;

void live_begin(int fd, bool is_plain, const char *first, const struct probe_hist *state_hists)
{
	hists = state_hists;
	terminal = fd;
	plain = is_plain;
	note = first;
}

void live_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(said, sizeof(said), fmt, ap);
	va_end(ap);
}

void live_record(const struct probe_record *record)
{
	__u64 ns = probe_latency(record);

	if (ns <= longest_ns && record->exit < longest.exit + LAST_NS)
		return;
	longest = *record;
	longest_ns = ns;
}

/* Add a line, cut to the terminal's width. It replaces the old line. */
static void line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void line(const char *fmt, ...)
{
	char whole[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(whole, sizeof(whole), fmt, ap);
	va_end(ap);
	whole[width] = '\0';
	fprintf(view, plain ? "%s\n" : "%s\033[K\n", make_plain(whole));
	lines_drawn++;
}

/* Add a text, broken between words into as many lines as needed. */
static void paragraph(const char *p)
{
	while (*p) {
		size_t len = strlen(p), cut;

		if (len > (size_t)width) {
			for (cut = width; cut && p[cut] != ' '; cut--)
				;
			len = cut ? cut : (size_t)width;
		}
		line("%.*s", (int)len, p);
		p += len;
		while (*p == ' ')
			p++;
	}
}

/* Format NS in us, at least seven columns wide. */
static const char *us(double ns, char *buf, size_t size)
{
	double v = ns / 1000;

	if (ns < 0)
		snprintf(buf, size, "%7s", "-");
	else
		snprintf(buf, size, "%7.*f", v < 100 ? 2 : v < 10000 ? 1 : 0, v);
	return buf;
}

static const char *count(__u64 n, char *buf, size_t size)
{
	if (n < 1000000)
		snprintf(buf, size, "%llu", (unsigned long long)n);
	else
		snprintf(buf, size, "%.1fM", n / 1e6);
	return buf;
}

/* Draw a histogram. The axis is logarithmic, from 2^FIRST to 2^LAST ns, and the same for all states. */
static void bars(const struct probe_hist *hist, int first, int last)
{
	static const char levels[] = " .:-=+*#@";
	double columns[MAX_WIDTH] = { 0 }, most = 0;
	char row[MAX_WIDTH + 1];
	int cells = width - 2;

	for (unsigned int i = 0; i <= PROBE_BUCKETS; i++) {
		double low, high;
		int at;

		if (!hist->bucket[i])
			continue;
		hist_bucket(i, &low, &high);
		at = (log2((low + high) / 2) - first) / (last - first) * cells;
		at = at < 0 ? 0 : at >= cells ? cells - 1 : at;
		columns[at] += hist->bucket[i];
	}
	for (int i = 0; i < cells; i++)
		most = columns[i] > most ? columns[i] : most;
	/* The level is logarithmic, so that a single sample is visible. */
	for (int i = 0; i < cells; i++)
		row[i] = !columns[i] ? ' ' : most <= 1 ? '@' :
			 levels[1 + (int)(7 * log(columns[i]) / log(most) + 0.5)];
	row[cells] = '\0';
	line("|%s|", row);
}

static void axis(int first, int last)
{
	char row[MAX_WIDTH + 16];
	int cells = width - 2;

	memset(row, ' ', sizeof(row));
	for (double ns = 1000; ns <= 1e9; ns *= 10) {
		int at = (log2(ns) - first) / (last - first) * cells + 1;
		char label[16];
		int len;

		if (at < 1 || at > cells)
			continue;
		len = snprintf(label, sizeof(label), "|%g us", ns / 1000);
		if (at + len <= cells + 2)
			memcpy(row + at, label, len);
	}
	row[cells + 2] = '\0';
	line("%s", row);
}

static void span(int *first, int *last)
{
	double low = 1e18, high = 0, a, b;

	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++) {
		const struct probe_hist *hist = &hists[s];

		for (unsigned int i = 0; i <= PROBE_BUCKETS; i++) {
			if (!hist->bucket[i])
				continue;
			hist_bucket(i, &a, &b);
			low = a < low ? a : low;
			high = b > high ? b : high;
		}
	}
	*first = high ? floor(log2(low > 1 ? low : 1)) : 10;
	*last = high ? ceil(log2(high)) : 17;
	if (*last <= *first)
		*last = *first + 1;
}

static void state(unsigned int s, int first, int last)
{
	const struct probe_hist *hist = &hists[s];
	char n[16], p50[16], p99[16], max[16];
	int name_width = width < 60 ? 10 : 20;
	__u64 samples = hist_n(hist);

	if (!samples && !hist->tainted)
		return;
	line("%-*.*s %6s %s%s%s", name_width, name_width, state_name(s), count(samples, n, 16),
	     us(hist_quantile(hist, 500), p50, 16), us(hist_quantile(hist, 990), p99, 16),
	     us(samples ? (double)hist->max : -1, max, 16));
	bars(hist, first, last);
}

static void outlier(void)
{
	char whole[256], by[64] = "";

	if (*said)
		paragraph(said);
	if (!longest_ns)
		return;
	if (longest.vector >= PROBE_DEVICE_VECTOR)
		snprintf(by, sizeof(by), ", with device interrupt %u",
			 longest.vector - PROBE_DEVICE_VECTOR);
	else if (longest.vector)
		snprintf(by, sizeof(by), ", with vector 0x%x", longest.vector);
	else if (longest.how)
		snprintf(by, sizeof(by), ", woken by CPU %u (%s)", longest.waker,
			 longest.how == PROBE_SENT_IPI ? "interrupt" : "flag");
	snprintf(whole, sizeof(whole), "longest of the last 10 s: %.1f us, CPU %u, %s%s%s", longest_ns / 1000.0,
		 longest.cpu, state_name(longest.state), by, longest.taint ? ", tainted" : "");
	paragraph(whole);
}

static void compose(const char *head)
{
	int first, last;

	if (note)
		paragraph(note);
	paragraph(head);
	span(&first, &last);
	line("%-*s %6s %7s%7s%7s", width < 60 ? 10 : 20, "state (us)", "N", "p50", "p99", "max");
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++)
		state(s, first, last);
	axis(first, last);
	outlier();
}

/* Return the width of a line. Leave the last column free: some terminals wrap there. */
static int find_width(void)
{
	struct winsize size;

	if (plain || ioctl(terminal, TIOCGWINSZ, &size) || !size.ws_col)
		return 79;
	if (size.ws_col > MAX_WIDTH)
		return MAX_WIDTH;
	return size.ws_col < MIN_WIDTH ? MIN_WIDTH : size.ws_col - 1;
}

void live_draw(const char *head)
{
	char *text = NULL;
	size_t size;

	width = find_width();
	view = open_memstream(&text, &size);
	if (!view)
		return;
	if (lines_drawn)
		fprintf(view, "\033[%dA", lines_drawn);
	if (!plain)
		fputs("\r", view);
	lines_drawn = 0;
	compose(head);
	/* Clear the rest of the old view if the new one is shorter. */
	if (!plain)
		fputs("\033[J", view);
	fclose(view);
	if (write(terminal, text, size) < 0)
		terminal = -1;
	free(text);
}

/* Erase the view. The table is printed in its place. */
void live_end(void)
{
	if (plain || terminal < 0 || !lines_drawn)
		return;
	dprintf(terminal, "\033[%dA\r\033[J", lines_drawn);
	lines_drawn = 0;
}
