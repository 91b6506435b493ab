// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "options.h"
#include "plain.h"

struct options options = { .every_s = 15, .latency_limit = -1, .view = -1, .machine = "bare" };
char *state_names[PROBE_MAX_STATES];
unsigned int nr_state_names;
__u32 polling_states;

uint64_t take_number(const char *text)
{
	uint64_t value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || end == text || *end)
		die("'%s' is not a number", text);
	return value;
}

void take_state_name(char *name)
{
	if (nr_state_names == PROBE_MAX_STATES)
		return;
	if (!strcmp(name, "POLL"))
		polling_states |= 1U << nr_state_names;
	state_names[nr_state_names++] = name;
}

const char *state_name(unsigned int state)
{
	static char number[16];

	if (state < nr_state_names)
		return state_names[state];
	snprintf(number, sizeof(number), "state%u", state);
	return number;
}

void take_common_option(int option, char *text)
{
	switch (option) {
	case 'N': take_state_name(text); break;
	case 'T': options.seconds = take_number(text); break;
	case 'L': options.latency_limit = take_number(text); break;
	case 'V': options.view = take_number(text); break;
	case 't': options.note = make_plain(text); break;
	case 'E': options.export = text; break;
	case 'e': options.every_s = take_number(text); break;
	case 'M': options.machine = text; break;
	case 'C': options.cost = true; break;
	case 'K': options.check = true; break;
	default: exit(2);
	}
}
