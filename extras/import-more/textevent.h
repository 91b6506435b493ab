/* SPDX-License-Identifier: GPL-2.0 */
/* Lines of events, as perf script, trace-cmd report and the kernel's trace file print them. */
#ifndef WAKELAT_TEXTEVENT_H
#define WAKELAT_TEXTEVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_CPUS 8192

/* An event, or, if there is no name, a report that events of this CPU are lost since the CPU's last event. */
struct text_event {
	int cpu;
	bool coarse;		/* the time has less than nine decimals */
	bool vector;		/* of system irq_vectors */
	bool timed;		/* false: the report has no time and precedes the next event of this CPU */
	uint64_t ns, line_nr;
	uint64_t lost;		/* how many; 0: not stated */
	const char *name;	/* without its system */
	size_t name_len;
	const char *fields;
};

/* Parse LINE, into which EVENT then points. Return false if it is neither an event nor a report of lost events. */
bool text_event_parse(const char *line, struct text_event *event);

#endif
