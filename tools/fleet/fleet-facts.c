// SPDX-License-Identifier: GPL-2.0
/*
 * Collect the facts about a recording's machine from run.tsv, doctor.tsv and the kernel's command
 * line. A fact is a pair of a key and a value. Some facts also make the machine's kind and key
 * (fleet-peers.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "fleet.h"
#include "intern.h"
#include "kind.h"
#include "message.h"

#define NR(list) (sizeof(list) / sizeof(*(list)))

/* For each key: where its pair may be. This can be from an earlier recording, so check it. */
static struct marks place;

/* Return the pair of KEY, or NULL. This takes constant time, whatever the number of keys. */
static struct pair *find_pair(const struct recording *r, uint32_t key)
{
	size_t at = *mark_of(&place, key);

	return at < r->nr_pairs && r->pairs[at].key == key ? &r->pairs[at] : NULL;
}

static void add_pair(struct recording *r, uint32_t key, uint32_t value)
{
	struct pair *pair = find_pair(r, key);
	const char *old, *added;

	if (!pair) {
		*mark_of(&place, key) = r->nr_pairs;
		r->pairs = xgrow(r->pairs, r->nr_pairs, &r->room, sizeof(*r->pairs));
		r->pairs[r->nr_pairs++] = (struct pair) { key, value };
		return;
	}
	/* A key can occur several times, such as once per CPU: join the values in their order. */
	old = text_of(pair->value);
	added = text_of(value);
	if (!strstr(old, added) && strlen(old) < 200)
		pair->value = intern_printf("%s, %s", old, added);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Return true if KEY is a fact about the recording, not about its machine. */
static bool passes_by(const char *key)
{
	static const char *const of_recording[] = {
		"format", "seed", "run.", "lost_", "characterisation.", "stated_mean.", "elapsed_ns", "reader_cpu_ns", "bpf_",
		"load_average", "imported_sha256", "cut_periods", "outliers", "cpus", "recorder_cpus", "trace_cmd", "waker", "resumed",
	};

	for (size_t i = 0; i < NR(of_recording); i++)
		if (begins(key, of_recording[i]))
			return true;
	/* Results of probe. */
	return begins(key, "state.") && (strstr(key, "_ns") ? !strstr(key, ".latency_ns") && !strstr(key, ".residency_ns") :
		strstr(key, ".samples") || strstr(key, ".tainted"));
}

/* Add each word of the kernel's command line as a pair, so that single words can be compared. */
static void add_cmdline(struct recording *r, const char *line)
{
	while (*line) {
		size_t len = strcspn(line, " "), name = strcspn(line, "= ");

		if (len)
			add_pair(r, intern_printf("cmdline %.*s", (int)name, line), name < len ?
				 intern(line + name + 1, len - name - 1) : intern_text("given"));
		line += len + (line[len] == ' ');
	}
}

static void add_state(struct state *states, const char *key, const char *value)
{
	unsigned int state;
	int end = 0;

	if (sscanf(key, "state.%u.%n", &state, &end) != 1 || !end || state >= MAX_STATES)
		return;
	if (!strcmp(key + end, "name"))
		states[state].name = intern_text(value);
	if (!strcmp(key + end, "latency_ns"))
		states[state].polls = !strcmp(value, "0");
}

/* Add a fact of run.tsv. Omit the last digits of tsc_khz, which differ from boot to boot. */
static void add_run(struct recording *r, struct state *states, const char *key, const char *value)
{
	/* clock_khz is the same number as tsc_khz. */
	if (!strcmp(key, "key") || !strcmp(key, "clock_khz"))
		return;
	add_state(states, key, value);
	if (!strcmp(key, "hostname"))
		r->machine = intern_text(value);
	else if (!strcmp(key, "date"))
		r->date = intern_text(value);
	else if (!strcmp(key, "cmdline"))
		add_cmdline(r, value);
	else if (!strcmp(key, "tsc_khz"))
		add_pair(r, intern_text("TSC, MHz"),
			 intern_printf("%.0f", strtod(value, NULL) / 1000));
	else if (!passes_by(key))
		add_pair(r, intern_text(key), intern_text(value));
}

void facts_run(struct recording *r, struct state *states, const struct counts_line *line)
{
	char *key = cell_copy(&line->cells[0]), *value = cell_copy(&line->cells[1]);

	add_run(r, states, key, value);
	free(key);
	free(value);
}

/* Take the value from a line: check, subject, severity, value, ... */
void facts_doctor(struct recording *r, const struct counts_line *line)
{
	char *text = cell_copy(&line->cells[0]), *rest = text, *cell[4] = { 0 };

	for (int i = 0; i < 4; i++)
		cell[i] = strsep(&rest, "\t");
	if (rest && strcmp(cell[0], "check") && strcmp(cell[2], "unknown"))
		add_pair(r, intern_printf("doctor %s", cell[0]), intern_text(cell[3]));
	free(text);
}

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

uint32_t pair_value(const struct recording *r, uint32_t key)
{
	const struct pair want = { .key = key }, *found = NULL;

	if (r->nr_pairs)
		found = bsearch(&want, r->pairs, r->nr_pairs, sizeof(want), compare_pairs);
	return found ? found->value : 0;
}

/* Write the value of KEY and a TAB. */
static void put_value(FILE *to, const struct recording *r, uint32_t key)
{
	fprintf(to, "%s\t", text_of(pair_value(r, key)));
}

/* Join the values of KEYS, and of the table of STATES unless it is NULL, into one text. */
static uint32_t join(const struct recording *r, const char *const *keys, size_t nr,
		     const struct state *states)
{
	static const char *const what[] = { "name", "latency_ns", "residency_ns", "disabled" };
	size_t len;
	char *text;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		die("out of memory");
	for (size_t i = 0; i < nr; i++)
		put_value(to, r, intern_text(keys[i]));
	for (int s = 0; states && s < MAX_STATES; s++)
		for (int w = 0; states[s].name && w < (int)NR(what); w++)
			put_value(to, r, intern_printf("state.%d.%s", s, what[w]));
	return intern_stream(to, &text, &len);
}

/* Add source_settings to a recording that is older than this key. Its only setting is the value of nic_method. */
static void add_old_setting(struct recording *r)
{
	const struct pair *method = find_pair(r, intern_text("nic_method"));
	uint32_t key = intern_text("source_settings");

	if (method && method->value && !find_pair(r, key))
		add_pair(r, key, intern_printf("method=%s", text_of(method->value)));
}

void facts_end(struct recording *r, const struct state *states)
{
	static const char *const kind[] = { KIND_KEYS }, *const key[] = { PEER_KEYS };

	add_old_setting(r);
	if (r->nr_pairs)
		qsort(r->pairs, r->nr_pairs, sizeof(*r->pairs), compare_pairs);
	r->pairs = xrealloc(r->pairs, r->nr_pairs, sizeof(*r->pairs));
	r->kind = join(r, kind, NR(kind), NULL);
	r->key = join(r, key, NR(key), states);
}
