// SPDX-License-Identifier: GPL-2.0
#include <stdint.h>

#include "number.h"
#include "probe-samples.h"
#include "samples.h"
#include "taint.h"

#define MAX_ROW 512

const char *const source_names[PROBE_NR_SOURCES] = { "timer", "passive", "wake" };

static char *put_time(char *p, uint64_t time)
{
	*p++ = '\t';
	if (time)
		return put_u64(p, time);
	*p++ = '-';
	return p;
}

/* Write LATER - EARLIER, or "-" if one of them was not seen. */
static char *put_difference(char *p, uint64_t later, uint64_t earlier)
{
	*p++ = '\t';
	if (later && earlier)
		return put_s64(p, (int64_t)(later - earlier));
	*p++ = '-';
	return p;
}

static char *put_number(char *p, uint64_t number)
{
	*p++ = '\t';
	return put_u64(p, number);
}

void samples_header(struct outfile *out, enum probe_source source)
{
	char *p = outfile_reserve(out, sizeof(SAMPLES_HEADER) + 64);

	p = put_text(p, SAMPLES_HEADER);
	if (source == PROBE_WAKE)
		p = put_text(p - 1, "\twaker_cpu\tipi\tsent_delay\tsent_latency\n");
	outfile_commit(out, p);
}

void samples_write(struct outfile *out, enum probe_source source, const struct probe_record *r)
{
	uint64_t tai = r->irqs_on ? 0 : r->exit;
	char *p = outfile_reserve(out, MAX_ROW);

	p = put_text(p, "1");
	p = put_number(p, r->cpu);
	*p++ = '\t';
	p = put_text(p, source_names[source]);
	p = put_number(p, r->state);
	p = put_number(p, r->seq);
	p = put_difference(p, r->ltime, r->armed);
	p = put_time(p, r->ltime);
	p = put_time(p, r->enter);
	p = put_time(p, tai);
	p = put_time(p, r->tintr);
	p = put_difference(p, r->ltime, r->enter);
	p = put_difference(p, tai, r->ltime);
	p = put_difference(p, r->tintr, r->ltime);
	p = put_number(p, r->irqs_on);
	*p++ = '\t';
	p = put_taint(p, r->taint);
	p = put_text(p, "\t-\t-\t-");
	if (source == PROBE_WAKE) {
		p = put_number(p, r->waker);
		p = put_number(p, r->how == PROBE_SENT_IPI);
		p = put_difference(p, r->sent, r->ltime);
		p = put_difference(p, r->irqs_on ? r->tintr : r->exit, r->sent);
	}
	*p++ = '\n';
	outfile_commit(out, p);
}
