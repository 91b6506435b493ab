// SPDX-License-Identifier: GPL-2.0
/*
 * Make one run.tsv of those of several recordings. Numbers of events are added. Values that must be
 * the same are compared. Other values are kept if all recordings have the same.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "intern.h"
#include "kind.h"
#include "message.h"
#include "number.h"
#include "outfile.h"
#include "pool-counts.h"

/* Recordings are only pooled if these values, and the state table, are the same. */
static const char *const keys[] = { KIND_KEYS, PEER_KEYS, "states" };
#define NR_KEYS (sizeof(keys) / sizeof(*keys))

/* Values run.R.cpuC.NAME that are numbers of events, and so can be added for several recordings. */
static const char *const added[] = {
	"armed", "samples", "tainted", "not_idle", "late", "order", "limited", "lost", "idle_periods", "unknown_timer", "other_clock",
	"other_wakeups", "surplus",
};
#define NR_ADDED (sizeof(added) / sizeof(*added))

struct fact {
	const char *key;
	char *value;
	size_t last;	/* the last recording that has this key */
	bool differs;
};

const char *input;

static struct fact *facts;
static size_t nr_facts, room_facts;
/* For each key: the number of its first fact, from 1. */
static struct marks first_fact;
static size_t nr_recordings, incomplete;
static char *first_incomplete;

void add(int64_t *sum, int64_t v)
{
	if (__builtin_add_overflow(*sum, v, sum))
		die("%s: sums beyond 64 bits", input);
}

static bool is_added(const char *key)
{
	const char *cpu, *name;

	if (!strncmp(key, "lost_", 5) || !strcmp(key, "cut_periods"))
		return true;
	cpu = !strncmp(key, "run.", 4) ? strstr(key, ".cpu") : NULL;
	name = cpu ? strchr(cpu + 1, '.') : NULL;
	for (size_t i = 0; name && i < NR_ADDED; i++)
		if (!strcmp(name + 1, added[i]))
			return true;
	return false;
}

static bool is_greatest(const char *key)
{
	const char *last = strrchr(key, '.');

	return !strncmp(key, "run.", 4) && last && !strcmp(last, ".looks");
}

/* Return true if KEY warns of the recording. Warnings of some recordings hold for their sum. */
static bool is_warning(const char *key)
{
	return !strcmp(key, "caveat") || !strcmp(key, "taints_unknown");
}

/* Append the warning in CELL, unless the fact has it. */
static void append_warning(struct fact *fact, const struct tsv_cell *cell)
{
	char *other = cell_copy(cell), *old = fact->value;

	if (strstr(old, other)) {
		free(other);
		return;
	}
	fact->value = xprintf("%s; %s", old, other);
	fact->differs = true;
	free(other);
	free(old);
}

static void combine(struct fact *fact, const struct tsv_cell *cell)
{
	const struct tsv_cell old = cell_from(fact->value);
	int64_t a, b;
	bool numbers = cell_s64(&old, &a) && cell_s64(cell, &b);

	if (numbers && is_added(fact->key)) {
		add(&a, b);
		free(fact->value);
		fact->value = xprintf("%" PRId64, a);
	} else if (cell_is(cell, fact->value)) {
		return;
	} else if (is_warning(fact->key)) {
		append_warning(fact, cell);
	} else if ((numbers && is_greatest(fact->key)) || !strcmp(fact->key, "date")) {
		if (numbers ? b <= a : counts_compare(cell, &old, 1, false) <= 0)
			return;
		free(fact->value);
		fact->value = cell_copy(cell);
	} else {
		fact->differs = true;
	}
}

static struct fact *fact_of(uint32_t key)
{
	uint32_t number = *mark_of(&first_fact, key);

	return number ? &facts[number - 1] : NULL;
}

/*
 * Return true if FACT is source_settings with the value of nic_method. Recordings that are older than source_settings
 * have this value only as nic_method, so the two do not differ.
 */
static bool is_old_setting(const struct fact *fact)
{
	const struct fact *method = fact_of(intern_text("nic_method"));

	return method && !strcmp(fact->key, "source_settings") &&
	       !strncmp(fact->value, "method=", 7) && !strcmp(fact->value + 7, method->value);
}

/*
 * Return true if FACT does not differ from a recording without this key. If a recording has no
 * count, it did not measure this CPU, so the sum is that of the others.
 */
static bool may_be_absent(const struct fact *fact)
{
	return is_added(fact->key) || is_old_setting(fact);
}

static void add_fact(uint32_t key, const struct tsv_cell *value)
{
	struct fact *fact;

	facts = xgrow(facts, nr_facts, &room_facts, sizeof(*facts));
	fact = &facts[nr_facts++];
	*fact = (struct fact) { text_of(key), cell_copy(value), .last = nr_recordings };
	if (!fact_of(key))
		*mark_of(&first_fact, key) = nr_facts;
	fact->differs = nr_recordings > 1 && !may_be_absent(fact);
}

static bool is_key(const char *name)
{
	for (size_t i = 0; i < NR_KEYS; i++)
		if (!strcmp(name, keys[i]))
			return true;
	return !strncmp(name, "state.", 6);
}

/* Return true if KEY needs no quotes in a shell. The file may come from somebody else. */
static bool is_word(const char *key)
{
	return !key[strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_.")];
}

/* die() if a value that must be the same in all recordings differs. */
static void check_keys(const char *id)
{
	for (size_t i = 0; i < nr_facts; i++)
		if (facts[i].differs && is_key(facts[i].key))
			die("%s: cannot pool different recordings: %s has another %s ('%s' elsewhere): "
			    "select recordings with one value by wakelat merge --only %s=...",
			    input, id, facts[i].key, facts[i].value, is_word(facts[i].key) ? facts[i].key : "KEY");
}

void run_add(const struct counts_block *block)
{
	struct counts_line line = { 0 };

	nr_recordings++;
	while (counts_line(block, &line) && line.kind == COUNTS_RUN) {
		uint32_t key = intern_cell(&line.cells[0]);
		struct fact *fact = nr_recordings == 1 ? NULL : fact_of(key);

		if (!fact) {
			add_fact(key, &line.cells[1]);
			continue;
		}
		combine(fact, &line.cells[1]);
		fact->last = nr_recordings;
	}
	for (size_t i = 0; i < nr_facts; i++)
		if (facts[i].last != nr_recordings && !may_be_absent(&facts[i]))
			facts[i].differs = true;
	check_keys(block->id);
}

void run_incomplete(const struct tsv_cell *why)
{
	if (!incomplete++)
		first_incomplete = cell_copy(why);
}

void run_write(const char *name)
{
	FILE *f = outfile_stream(name);

	fputs("key\tvalue\n", f);
	for (size_t i = 0; i < nr_facts; i++)
		if (!facts[i].differs || is_warning(facts[i].key))
			fprintf(f, "%s\t%s%s\n", facts[i].key, facts[i].differs ? "in some of the recordings: " : "", facts[i].value);
	if (nr_recordings > 1)
		fprintf(f, "recordings\t%zu\n", nr_recordings);
	if (incomplete && nr_recordings == 1)
		fprintf(f, "incomplete\t%s\n", first_incomplete);
	else if (incomplete)
		fprintf(f, "incomplete\t%zu of %zu recordings, one of them: %s\n", incomplete, nr_recordings, first_incomplete);
	outfile_close_stream(f, name);
}
