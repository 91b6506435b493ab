// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "truth-states.h"

static char *names[MAX_STATES];
static long hints[MAX_STATES];

/*
 * Parse a state's description. The kernel has "MWAIT 0x20", "ACPI FFH MWAIT 0x20", "ACPI IOPORT 0x814",
 * "ACPI HLT" and "ARM WFI". The testbed's device trees have "PSCI 0x00010000".
 */
static long hint_of_desc(const char *desc)
{
	static const struct { const char *name; long base; } numbered[] = {
		{ "MWAIT ", 0 }, { "IOPORT ", IO_PORT }, { "PSCI ", PSCI },
	};

	for (size_t i = 0; i < sizeof(numbered) / sizeof(numbered[0]); i++) {
		const char *at = strstr(desc, numbered[i].name);

		if (at)
			return numbered[i].base + strtol(at + strlen(numbered[i].name), NULL, 0);
	}
	if (strstr(desc, "WFI"))
		return WFI;

	/* cpuidle-haltpoll enters the kernel's default idle, which is HLT or MWAIT with hint 0. */
	return strcmp(desc, "default architecture idle") ? HLT : DEFAULT_IDLE;
}

long hint_of_log(const struct tsv_cell *cell)
{
	if (cell_is(cell, "hlt"))
		return HLT;
	if (cell_is(cell, "wfi"))
		return WFI;
	if (cell->end - cell->start == strlen("0x00010000"))
		return PSCI + strtol(cell->start, NULL, 16);
	if (!strncmp(cell->start, "io:", 3))
		return IO_PORT + strtol(cell->start + 3, NULL, 16);

	return strtol(cell->start, NULL, 16);
}

bool is_entered(int64_t state, long hint)
{
	if (state < 0 || state >= MAX_STATES)
		return false;
	if (hints[state] == DEFAULT_IDLE)
		return hint == HLT || hint == 0x00;

	return hint == hints[state];
}

/* The bit of power_state is from Arm DEN 0022, CPU_SUSPEND. */
bool loses_context(long hint)
{
	return hint >= PSCI && (hint - PSCI) & 0x10000;
}

/* Take a state's name, or its hint: key "state.3.desc", value "MWAIT 0x20". */
static void learn_state(const char *key, char *value)
{
	char field[8];
	int state;

	if (sscanf(key, "state.%d.%7s", &state, field) != 2 || state < 0 || state >= MAX_STATES)
		return;
	if (!strcmp(field, "name"))
		names[state] = value;
	else if (!strcmp(field, "desc"))
		hints[state] = hint_of_desc(value);
}

static char *cell_text(const struct tsv *tsv, size_t column)
{
	const struct tsv_cell *cell = &tsv->cells[column];

	return xprintf("%.*s", (int)(cell->end - cell->start), cell->start);
}

void states_read(const char *dir)
{
	struct tsv tsv;
	size_t key, value;

	for (int i = 0; i < MAX_STATES; i++)
		hints[i] = HLT;

	tsv_open(&tsv, xprintf("%s/run.tsv", dir));
	key = tsv_column(&tsv, "key");
	value = tsv_column(&tsv, "value");
	while (tsv_next_row(&tsv))
		learn_state(cell_text(&tsv, key), cell_text(&tsv, value));
	tsv_close(&tsv);
}

const char *state_name(int64_t state)
{
	return names[state] ? names[state] : xprintf("%" PRId64, state);
}
