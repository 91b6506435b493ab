// SPDX-License-Identifier: GPL-2.0
/*
 * Collect the facts about a recording's machine from run.tsv, doctor.tsv and the kernel's command
 * line. A fact is a pair of a key and a value. Some facts make the machine's kind. Find the facts in
 * which a machine differs from most machines of its kind.
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

/* Add source_settings to a recording that is older than this key. Its only setting is the value of nic_method. */
static void add_old_setting(struct recording *r)
{
	const struct pair *method = find_pair(r, intern_text("nic_method"));
	uint32_t key = intern_text("source_settings");

	if (method && method->value && !find_pair(r, key))
		add_pair(r, key, intern_printf("method=%s", text_of(method->value)));
}

void facts_end(struct recording *r)
{
	static const char *const keys[] = { KIND_KEYS };
	size_t len;
	char *text;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		die("out of memory");
	add_old_setting(r);
	if (r->nr_pairs)
		qsort(r->pairs, r->nr_pairs, sizeof(*r->pairs), compare_pairs);
	r->pairs = xrealloc(r->pairs, r->nr_pairs, sizeof(*r->pairs));
	for (size_t i = 0; i < NR(keys); i++)
		fprintf(to, "%s\t", text_of(pair_value(r, intern_text(keys[i]))));
	r->kind = intern_stream(to, &text, &len);
}

/* --- how the facts of a machine differ */

static int compare_all(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int order = compare_pairs(a, b);

	return order ? order : (x->value > y->value) - (x->value < y->value);
}

/*
 * Set *USUAL to the keys that more than half of the machines of K have, sorted, each with the value that more than half of them
 * have, or 0. Return their number.
 */
static size_t usual_pairs(const struct kind *k, struct pair **usual)
{
	struct pair *all = NULL;
	size_t nr = 0, room = 0, found = 0;

	for (size_t i = 0; i < k->nr_ranked; i++) {
		const struct recording *r = k->machines[i]->recordings[0];

		for (size_t p = 0; p < r->nr_pairs; p++) {
			all = xgrow(all, nr, &room, sizeof(*all));
			all[nr++] = r->pairs[p];
		}
	}
	if (nr)
		qsort(all, nr, sizeof(*all), compare_all);
	for (size_t i = 0, end, key_end; i < nr; i = key_end) {
		struct pair pair = { .key = all[i].key };

		for (key_end = i; key_end < nr && all[key_end].key == pair.key; key_end = end) {
			for (end = key_end + 1; end < nr && !compare_all(&all[key_end], &all[end]); )
				end++;
			if ((end - key_end) * 2 > k->nr_ranked)
				pair.value = all[key_end].value;
		}
		if ((key_end - i) * 2 > k->nr_ranked)
			all[found++] = pair;
	}
	*usual = all;
	return found;
}

/* Write how the pairs of R differ from the NR pairs USUAL. WHO: whose they are. */
static uint32_t differences(const struct recording *r, const struct pair *usual, size_t nr, const char *who)
{
	size_t u = 0, p = 0, len;
	char *text;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		die("out of memory");
	while (p < r->nr_pairs || u < nr) {
		bool has = p < r->nr_pairs && (u == nr || r->pairs[p].key <= usual[u].key);
		bool common = u < nr && (p == r->nr_pairs || usual[u].key <= r->pairs[p].key);
		uint32_t key = has ? r->pairs[p].key : usual[u].key, own = has ? r->pairs[p].value : 0;
		uint32_t other = common ? usual[u].value : 0;
		const char *and = ftell(to) ? "; " : "";

		p += has;
		u += common;
		if (!common)
			fprintf(to, "%s%s %s, %s without", and, text_of(key), text_of(own), who);
		else if (other && own != other)
			fprintf(to, "%s%s %s, %s %s", and, text_of(key), own ? text_of(own) : "missing", who, text_of(other));
	}
	return intern_stream(to, &text, &len);
}

/* Between two machines, nobody can say which facts are unusual: compare the keys that decide most. */
static uint32_t differ_of_two(const struct recording *r, const struct recording *other)
{
	static const char *const keys[] = { PEER_KEYS };
	uint32_t said = 0;

	for (size_t i = 0; i < NR(keys); i++) {
		uint32_t key = intern_text(keys[i]), own = pair_value(r, key), its = pair_value(other, key);

		if (own != its)
			said = intern_printf("%s%s%s %s, the other %s", said ? text_of(said) : "", said ? "; " : "", keys[i],
					     own ? text_of(own) : "missing", its ? text_of(its) : "missing");
	}
	return said;
}

uint32_t facts_differ(const struct kind *k, const struct machine *m)
{
	static const struct kind *known;
	static struct pair *usual;
	static size_t nr;

	if (k->nr_ranked == 2)
		return differ_of_two(m->recordings[0], k->machines[k->machines[0] == m]->recordings[0]);
	if (known != k) {
		free(usual);
		nr = usual_pairs(k, &usual);
		known = k;
	}
	return differences(m->recordings[0], usual, nr, "the others");
}
