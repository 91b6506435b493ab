// SPDX-License-Identifier: GPL-2.0
/*
 * Read files of counts in one pass. Keep a few numbers for each state of each recording, and the facts about its machine.
 * A block is used only after the checksum at its end has been checked.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "fleet.h"
#include "intern.h"
#include "message.h"
#include "number.h"
#include "percentile.h"

#define MAX_STATES 64

const char *const statistic_name[NR_STATISTICS] = { "p50", "p99", "p99.9", "max", "reached", "tainted" };
const double grid_share[NR_GRID] = {
	0.5, 0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.9925, 0.995, 0.9965, 0.998, 0.999, 0.9995,
};

struct value {
	int64_t ns;
	uint64_t count;
};

struct values {
	struct value *list;
	size_t nr, size;
	uint64_t n;
	bool unsorted;
};

/* A state of the recording that is being read. */
struct part {
	uint32_t source;
	unsigned int state;
	uint64_t n, tainted, reached, not_reached;
	struct values wake, intr;
};

static struct {
	struct recording r;
	size_t size_pairs;
	uint32_t cmdline;
	uint32_t state_name[MAX_STATES];
	bool polls[MAX_STATES];
	struct part *parts;
	size_t nr_parts, size_parts;
	bool intervals;
} now;

static void take_rows(struct counts_line *line, struct values *v)
{
	int64_t ns, count;

	while (counts_row(line, &ns, &count)) {
		if (v->nr == v->size) {
			v->size = v->size ? v->size * 2 : 1 << 10;
			v->list = xrealloc(v->list, v->size, sizeof(*v->list));
		}
		if (v->nr && ns < v->list[v->nr - 1].ns)
			v->unsorted = true;
		v->list[v->nr++] = (struct value) { ns, count };
		v->n += count;
	}
}

static int compare_values(const void *a, const void *b)
{
	const struct value *x = a, *y = b;

	return (x->ns > y->ns) - (x->ns < y->ns);
}

/* Sort the values and add up the counts: list[i].count becomes the number of values that are not longer. */
static void add_up(struct values *v)
{
	if (v->unsorted)
		qsort(v->list, v->nr, sizeof(*v->list), compare_values);
	for (size_t i = 1; i < v->nr; i++)
		v->list[i].count += v->list[i - 1].count;
}

/* Return the value at RANK, from 1. */
static int64_t of_rank(const struct values *v, uint64_t rank)
{
	size_t low = 0, high = v->nr - 1;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (v->list[middle].count < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return v->list[low].ns;
}

/* Return a quantile of type 7, the type that wakelat stats prints. */
static double quantile(const struct values *v, double share)
{
	double h = (v->n - 1) * share;
	uint64_t below = floor(h);
	double low = of_rank(v, below + 1);

	return below + 1 < v->n ? low + (h - below) * (of_rank(v, below + 2) - low) : low;
}

double y_of(enum statistic s, double value)
{
	return is_share(s) ? asin(sqrt(value < 0 ? 0 : value > 1 ? 1 : value)) : log(value > 1 ? value : 1);
}

double value_of(enum statistic s, double y)
{
	if (!is_share(s))
		return exp(y);
	y = y < 0 ? 0 : y > M_PI_2 ? M_PI_2 : y;
	return sin(y) * sin(y);
}

static struct ranks ranks_of(size_t which, uint64_t n)
{
	static struct percentile *percentiles;
	static struct {
		uint64_t n;
		struct ranks ranks[3];
	} known[4096];
	size_t at = n % 4096;

	if (!percentiles)
		parse_percentiles("50,99,99.9", &percentiles);
	if (known[at].n != n) {
		known[at].n = n;
		for (int i = 0; i < 3; i++)
			known[at].ranks[i] = percentile_ranks(&percentiles[i], n, 0.025L);
	}
	return known[at].ranks[which];
}

static void measure_latency(struct cell *cell, struct values *v)
{
	static const double share[] = { 0.5, 0.99, 0.999 };

	add_up(v);
	for (enum statistic s = P50; s <= P999; s++) {
		struct ranks ranks = ranks_of(s, v->n);

		if (!ranks.low || !ranks.high)
			continue;
		cell->has[s] = true;
		cell->value[s] = quantile(v, share[s]);
		cell->y[s] = y_of(s, cell->value[s]);
		cell->error[s] = (y_of(s, of_rank(v, ranks.high)) - y_of(s, of_rank(v, ranks.low))) / (2 * 1.96);
	}
	cell->has[MAX] = true;
	cell->value[MAX] = v->list[v->nr - 1].ns;
	cell->y[MAX] = y_of(MAX, cell->value[MAX]);
	for (int i = 0; i < NR_GRID; i++)
		cell->grid[i] = quantile(v, grid_share[i]);
}

static void measure_share(struct cell *cell, enum statistic s, uint64_t part, uint64_t all)
{
	if (!all)
		return;
	cell->has[s] = true;
	cell->value[s] = (double)part / all;
	/* Anscombe's transform: 0 of 100 is less certain than 0 of 1,000,000. */
	cell->y[s] = y_of(s, (part + 0.375) / (all + 0.75));
	cell->error[s] = 0.5 / sqrt(all + 0.5);
}

static void measure(struct cell *cell, struct part *part)
{
	struct values *v = part->wake.n ? &part->wake : &part->intr;

	*cell = (struct cell) {
		.state = now.state_name[part->state], .source = part->source, .intr = !part->wake.n, .polls = now.polls[part->state],
		.n = v->n, .tainted = part->tainted, .reached = part->reached, .not_reached = part->not_reached,
	};
	if (v->n)
		measure_latency(cell, v);
	measure_share(cell, REACHED, part->reached, part->reached + part->not_reached);
	measure_share(cell, TAINTED, part->tainted, part->n + part->tainted);
}

/* --- facts about the machine */

/*
 * Return a pointer to the index that KEY's pair may have in the current recording. The index can be from an earlier
 * recording, so the caller has to check it. The lookup takes constant time, whatever the number of keys.
 */
static size_t *pair_hint(uint32_t key)
{
	static size_t *hints, nr_hints;

	if (key >= nr_hints) {
		size_t size = 2 * (size_t)key + 64;

		hints = xrealloc(hints, size, sizeof(*hints));
		memset(hints + nr_hints, 0, (size - nr_hints) * sizeof(*hints));
		nr_hints = size;
	}
	return &hints[key];
}

static void add_pair(uint32_t key, uint32_t value)
{
	struct recording *r = &now.r;
	size_t *hint = pair_hint(key);

	if (*hint < r->nr_pairs && r->pairs[*hint].key == key) {
		struct pair *pair = &r->pairs[*hint];
		/* A key can occur several times, such as once per CPU: join the values, in the order of the table. */
		const char *old = text_of(pair->value), *added = text_of(value);

		if (pair->value != value && !strstr(old, added) && strlen(old) < 200) {
			char *both = xprintf("%s, %s", old, added);

			pair->value = intern_text(both);
			free(both);
		}
		return;
	}
	*hint = r->nr_pairs;
	if (r->nr_pairs == now.size_pairs) {
		now.size_pairs = now.size_pairs ? now.size_pairs * 2 : 64;
		r->pairs = xrealloc(r->pairs, now.size_pairs, sizeof(*r->pairs));
	}
	r->pairs[r->nr_pairs++] = (struct pair) { key, value };
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

	for (size_t i = 0; i < sizeof(of_recording) / sizeof(*of_recording); i++)
		if (begins(key, of_recording[i]))
			return true;
	/* Results of probe. */
	return begins(key, "state.") && (strstr(key, "_ns") ? !strstr(key, ".latency_ns") && !strstr(key, ".residency_ns") :
		strstr(key, ".samples") || strstr(key, ".tainted"));
}

/* Add each word of the kernel's command line as a pair, so that single words can be compared. */
static void add_cmdline(const char *line)
{
	while (*line) {
		size_t len = strcspn(line, " "), name = strcspn(line, "= ");

		if (len) {
			char *key = xprintf("cmdline %.*s", (int)name, line);

			add_pair(intern_text(key), intern(name < len ? line + name + 1 : "given", name < len ? len - name - 1 : 5));
			free(key);
		}
		line += len + (line[len] == ' ');
	}
}

static void take_run(const char *key, const char *value)
{
	unsigned int state;
	int end = 0;

	if (!strcmp(key, "key"))
		return;
	if (sscanf(key, "state.%u.%n", &state, &end) == 1 && end && state < MAX_STATES) {
		if (!strcmp(key + end, "name"))
			now.state_name[state] = intern_text(value);
		if (!strcmp(key + end, "latency_ns"))
			now.polls[state] = !strcmp(value, "0");
	}
	if (!strcmp(key, "hostname") || !strcmp(key, "date")) {
		*(*key == 'h' ? &now.r.machine : &now.r.date) = intern_text(value);
	} else if (!strcmp(key, "cmdline")) {
		add_cmdline(value);
	} else if (!strcmp(key, "clock_khz")) {
		/* The same number as tsc_khz. */
		return;
	} else if (!strcmp(key, "tsc_khz")) {
		/* Each boot calibrates the TSC again, so the last digits differ. */
		char *mhz = xprintf("%.0f", strtod(value, NULL) / 1000);

		add_pair(intern_text("TSC, MHz"), intern_text(mhz));
		free(mhz);
	} else if (!passes_by(key)) {
		add_pair(intern_text(key), intern_text(value));
	}
}

/* LINE: check, subject, severity, value, ... */
static void take_doctor(char *line)
{
	char *cell[4], *key;

	for (int i = 0; i < 4; i++) {
		cell[i] = strsep(&line, "\t");
		if (!cell[i])
			return;
	}
	if (!line || !strcmp(cell[0], "check") || !strcmp(cell[2], "unknown"))
		return;
	key = xprintf("doctor %s", cell[0]);
	add_pair(intern_text(key), intern_text(cell[3]));
	free(key);
}

uint32_t pair_value(const struct recording *r, uint32_t key)
{
	size_t low = 0, high = r->nr_pairs;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->pairs[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->nr_pairs && r->pairs[low].key == key ? r->pairs[low].value : 0;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* The values of several keys, each with a TAB after it. */
static struct {
	char *text;
	size_t used, size;
} joined;

static void join(const char *key)
{
	const char *value = text_of(pair_value(&now.r, intern_text(key)));
	size_t len = strlen(value);

	if (joined.used + len + 1 > joined.size) {
		joined.size = 2 * (joined.used + len + 1);
		joined.text = xrealloc(joined.text, joined.size, 1);
	}
	memcpy(joined.text + joined.used, value, len);
	joined.text[joined.used + len] = '\t';
	joined.used += len + 1;
}

/* Join the values of these keys into one text. */
static uint32_t together(const char *const *keys, size_t nr, bool states)
{
	joined.used = 0;
	for (size_t i = 0; i < nr; i++)
		join(keys[i]);
	for (unsigned int s = 0; states && s < MAX_STATES; s++) {
		static const char *const what[] = { "name", "latency_ns", "residency_ns", "disabled" };

		if (!now.state_name[s])
			continue;
		for (int w = 0; w < 4; w++) {
			char key[64];

			snprintf(key, sizeof(key), "state.%u.%s", s, what[w]);
			join(key);
		}
	}
	return intern(joined.text, joined.used);
}

#define NR(list) (sizeof(list) / sizeof(*(list)))

static void make_keys(void)
{
	static const char *const kind[] = {
		"emulated", "cpu_model", "cpu_stepping", "source", "source_clock", "source_settings", "nic_method", "intr_offset_ns",
		"ldist_mode", "ldist_min_ns", "ldist_max_ns", "prepare", "latency_limit_us", "waker_placement", "systematic_error",
	};
	static const char *const key[] = { "microcode", "bios", "kernel", "driver", "governor" };

	now.r.kind = together(kind, NR(kind), false);
	now.r.key = together(key, NR(key), true);
}

/* --- blocks */

static struct part *part_of(uint32_t source, unsigned int state)
{
	for (size_t i = 0; i < now.nr_parts; i++)
		if (now.parts[i].source == source && now.parts[i].state == state)
			return &now.parts[i];
	if (now.nr_parts == now.size_parts) {
		now.size_parts = now.size_parts ? now.size_parts * 2 : 8;
		now.parts = xrealloc(now.parts, now.size_parts, sizeof(*now.parts));
		memset(now.parts + now.nr_parts, 0, (now.size_parts - now.nr_parts) * sizeof(*now.parts));
	}
	/* Keep the memory for values that an earlier recording allocated. */
	struct part *part = &now.parts[now.nr_parts++];

	part->source = source;
	part->state = state;
	part->n = part->tainted = part->reached = part->not_reached = 0;
	part->wake.nr = part->wake.n = part->intr.nr = part->intr.n = 0;
	part->wake.unsorted = part->intr.unsorted = false;
	return part;
}

/* Take a line samples or values, whose cells are SOURCE STATE REACHED CPU TAINT ... COUNT. */
static void take_counts(struct counts_line *line)
{
	const struct tsv_cell *cell = line->cells;
	int64_t state = MAX_STATES, count = 0;
	struct part *part;
	bool tainted;

	parse_s64(cell[1].start, cell[1].end, &state);
	parse_s64(cell[line->nr_cells - 1].start, cell[line->nr_cells - 1].end, &count);
	if (state < 0 || state >= MAX_STATES)
		return;
	part = part_of(intern(cell[0].start, cell[0].end - cell[0].start), state);
	tainted = !cell_is(&cell[4], "-");
	if (line->kind == COUNTS_SAMPLES) {
		*(tainted ? &part->tainted : &part->n) += count;
		if (!tainted && !cell_is(&cell[2], "-"))
			*(cell_is(&cell[2], "yes") ? &part->reached : &part->not_reached) += count;
	} else if (!tainted && !cell_is(&cell[5], "uncertainty")) {
		take_rows(line, cell_is(&cell[5], "wake_latency") ? &part->wake : &part->intr);
	}
}

static char *copy_of(const struct tsv_cell *cell)
{
	return xprintf("%.*s", (int)(cell->end - cell->start), cell->start);
}

static void take_line(struct counts_line *line)
{
	char *first, *second;

	switch (line->kind) {
	case COUNTS_RUN:
		first = copy_of(&line->cells[0]);
		second = copy_of(&line->cells[1]);
		take_run(first, second);
		free(first);
		free(second);
		break;
	case COUNTS_DOCTOR:
		first = copy_of(&line->cells[0]);
		take_doctor(first);
		free(first);
		break;
	case COUNTS_SAMPLES:
	case COUNTS_VALUES:
		take_counts(line);
		break;
	case COUNTS_INTERVALS:
		now.intervals = true;
		break;
	default:
		break;
	}
}

static void begin_block(const struct counts_block *block)
{
	struct pair *pairs = now.r.pairs;

	now.intervals = false;
	now.r = (struct recording) { .pairs = pairs, .crc = block->crc };
	for (int i = 0; i < COUNTS_ID; i++) {
		int digit = block->id[i] <= '9' ? block->id[i] - '0' : block->id[i] - 'a' + 10;

		now.r.id[i / 2] = now.r.id[i / 2] << 4 | digit;
	}
	memset(now.state_name, 0, sizeof(now.state_name));
	memset(now.polls, 0, sizeof(now.polls));
	now.nr_parts = 0;
}

static struct recording *known(struct fleet *fleet, const unsigned char *id)
{
	static uint32_t *slots;
	static size_t nr_slots, used;
	size_t at;

	if (used * 2 >= nr_slots) {
		nr_slots = nr_slots ? nr_slots * 2 : 1 << 10;
		slots = xrealloc(slots, nr_slots, sizeof(*slots));
		memset(slots, 0, nr_slots * sizeof(*slots));
		used = 0;
		for (size_t i = 0; i < fleet->nr_recordings; i++, used++) {
			for (at = hash_of(fleet->recordings[i]->id, 16); slots[at & (nr_slots - 1)]; )
				at++;
			slots[at & (nr_slots - 1)] = i + 1;
		}
	}
	for (at = hash_of(id, 16); slots[at & (nr_slots - 1)]; at++)
		if (!memcmp(fleet->recordings[slots[at & (nr_slots - 1)] - 1]->id, id, 16))
			return fleet->recordings[slots[at & (nr_slots - 1)] - 1];
	slots[at & (nr_slots - 1)] = fleet->nr_recordings + 1;
	used++;
	return NULL;
}

static const char *id_text(const struct recording *r)
{
	static char text[33];

	for (int i = 0; i < 16; i++)
		snprintf(text + 2 * i, 3, "%02x", r->id[i]);
	return text;
}

void fleet_leave_out(struct fleet *fleet, const char *file, uint32_t machine, const char *id, const char *reason)
{
	fleet->left_out = xrealloc(fleet->left_out, fleet->nr_left_out + 1, sizeof(*fleet->left_out));
	fleet->left_out[fleet->nr_left_out++] = (struct left_out) {
		intern_text(file), machine, intern_text(reason), id ? text_of(intern_text(id)) : "-" };
	message("%s%s%s: %s: left out", file, id ? ": recording " : "", id ? id : "", reason);
}

/* Add source_settings to a recording that is older than this key. Its only setting is the value of nic_method. */
static void add_old_setting(void)
{
	uint32_t method = pair_value(&now.r, intern_text("nic_method")), key = intern_text("source_settings");
	char *setting;

	if (!method || pair_value(&now.r, key))
		return;
	setting = xprintf("method=%s", text_of(method));
	add_pair(key, intern_text(setting));
	free(setting);
	qsort(now.r.pairs, now.r.nr_pairs, sizeof(*now.r.pairs), compare_pairs);
}

/* Return NAME without its domain. */
static uint32_t host_of(const char *name, size_t len)
{
	const char *dot = memchr(name, '.', len);

	return intern(name, dot ? (size_t)(dot - name) : len);
}

static uint32_t host_of_text(uint32_t name)
{
	return host_of(text_of(name), strlen(text_of(name)));
}

/* Return the machine that FILE was fetched from. FILE's name is NODE.counts or NODE/counts. */
static uint32_t node_of(const char *file)
{
	const char *end = file + strlen(file), *start;

	if (end - file > 7 && !strcmp(end - 7, "/counts"))
		end -= 7;
	else if (end - file > 7 && !strcmp(end - 7, ".counts"))
		end -= 7;
	for (start = end; start > file && start[-1] != '/'; )
		start--;
	return host_of(start, end - start);
}

/* Leave R out. If R is bound, its machine becomes the one that the file was fetched from. */
static void reject(struct fleet *fleet, struct recording *r, const char *reason)
{
	if (r->bound)
		r->machine = node_of(text_of(r->file));
	fleet_leave_out(fleet, text_of(r->file), r->machine, id_text(r), reason);
	r->reason = intern_text(reason);
	r->nr_cells = 0;
}

/*
 * Handle a second copy of the recording OLD that was fetched from another machine. Keep the copy that was fetched from
 * the machine which the recording names, and leave out the other. If there is no such copy, leave out both.
 */
static void claim_again(struct fleet *fleet, struct recording *old, const char *file)
{
	uint32_t host = host_of_text(now.r.machine);
	uint32_t first = node_of(text_of(old->file)), second = node_of(file);
	char *text = xprintf("the same recording was also fetched from %s", text_of(second == host ? second : first));

	if (second == host) {
		fleet_leave_out(fleet, text_of(old->file), first, id_text(old), text);
		old->file = intern_text(file);
	} else {
		fleet_leave_out(fleet, file, second, id_text(old), text);
		if (first != host && old->nr_cells) {
			free(text);
			text = xprintf("the same recording was also fetched from %s", text_of(second));
			reject(fleet, old, text);
		}
	}
	free(text);
}

/*
 * Handle a second recording with the identity of OLD. If the two differ, the owner of the identity is unknown,
 * and both are left out.
 */
static void dispute(struct fleet *fleet, struct recording *old, const char *file, bool bound)
{
	char *text;

	if (old->crc == now.r.crc && bound && old->bound && strcmp(file, text_of(old->file))) {
		claim_again(fleet, old, file);
		return;
	}
	fleet->duplicates++;
	if (old->crc == now.r.crc)
		return;
	text = xprintf("another recording, in %s, has the same identity", text_of(old->file));
	fleet_leave_out(fleet, file, bound ? node_of(file) : now.r.machine, id_text(&now.r), text);
	free(text);
	if (!old->nr_cells)
		return;
	text = xprintf("another recording, in %s, has the same identity", file);
	reject(fleet, old, text);
	free(text);
}

/* A set of interned texts. */
struct set {
	unsigned char *has;
	size_t nr;
};

static unsigned char *member(struct set *set, uint32_t number)
{
	if (number >= set->nr) {
		size_t size = 2 * (size_t)number + 64;

		set->has = xrealloc(set->has, size, 1);
		memset(set->has + set->nr, 0, size - set->nr);
		set->nr = size;
	}
	return &set->has[number];
}

/* Count how often NUMBER occurs, up to 2. */
static void count_member(struct set *set, uint32_t number)
{
	if (*member(set, number) < 2)
		++*member(set, number);
}

/* Count that NODE's file names HOST as its machine, once for all recordings in the file. */
static void count_claim(struct set *claims, struct set *pairs, uint32_t node, uint32_t host)
{
	char *text = xprintf("%s\t%s", text_of(node), text_of(host));
	unsigned char *claimed = member(pairs, intern_text(text));

	if (!*claimed)
		count_member(claims, host);
	*claimed = 1;
	free(text);
}

/*
 * Check each recording against the machine that its file was fetched from. This machine is known if the
 * recording is bound, or is the only one in its file. If the recording names another machine, it is left out
 * in two cases: the other machine has such a file of its own, or bound recordings from two or more machines
 * name it. A recording that is left out gets the machine of its file.
 */
void fleet_bind(struct fleet *fleet)
{
	struct set seen = { 0 }, nodes = { 0 }, claims = { 0 }, pairs = { 0 };

	for (size_t i = 0; i < fleet->nr_recordings; i++)
		count_member(&seen, fleet->recordings[i]->file);
	for (size_t i = 0; i < fleet->nr_recordings; i++) {
		struct recording *r = fleet->recordings[i];
		uint32_t node = node_of(text_of(r->file));

		if (r->bound || *member(&seen, r->file) == 1)
			*member(&nodes, node) = 1;
		if (r->bound && host_of_text(r->machine) != node)
			count_claim(&claims, &pairs, node, host_of_text(r->machine));
	}
	for (size_t i = 0; i < fleet->nr_recordings; i++) {
		struct recording *r = fleet->recordings[i];
		uint32_t host = host_of_text(r->machine), node = node_of(text_of(r->file));
		char *text;

		if ((!r->bound && *member(&seen, r->file) != 1) || host == node)
			continue;
		if (*member(&nodes, host))
			text = xprintf("it names the machine %s, which has a file of its own",
				text_of(r->machine));
		else if (r->bound && *member(&claims, host) > 1)
			text = xprintf("it names the machine %s, as does the file of another machine",
				text_of(r->machine));
		else
			continue;
		r->bound = true;
		reject(fleet, r, text);
		free(text);
	}
	free(seen.has);
	free(nodes.has);
	free(claims.has);
	free(pairs.has);
}

static void end_block(struct fleet *fleet, const char *file, bool bound)
{
	struct recording *r, *old;
	uint64_t n = 0, tainted = 0;

	qsort(now.r.pairs, now.r.nr_pairs, sizeof(*now.r.pairs), compare_pairs);
	add_old_setting();
	old = known(fleet, now.r.id);
	if (old) {
		dispute(fleet, old, file, bound);
		return;
	}
	make_keys();
	r = xrealloc(NULL, 1, sizeof(*r));
	*r = now.r;
	r->pairs = xrealloc(NULL, r->nr_pairs, sizeof(*r->pairs));
	memcpy(r->pairs, now.r.pairs, r->nr_pairs * sizeof(*r->pairs));
	r->by = fleet->by ? pair_value(r, fleet->by) : 0;
	r->file = intern_text(file);
	r->bound = bound;
	/* Each recording without a host name counts as a machine of its own. */
	if (!r->machine || !strcmp(text_of(r->machine), "-"))
		r->machine = intern_text(id_text(r));
	r->cells = xrealloc(NULL, now.nr_parts, sizeof(*r->cells));
	r->nr_cells = now.nr_parts;
	for (size_t i = 0; i < now.nr_parts; i++) {
		measure(&r->cells[i], &now.parts[i]);
		n += r->cells[i].n;
		tainted += r->cells[i].tainted;
	}
	if (now.intervals) {
		r->reason = intern_text("its latencies are only known as intervals");
		r->nr_cells = 0;
	} else if (!n) {
		char *text = tainted ? xprintf("all of %" PRIu64 " samples are tainted", tainted) : xprintf("no sample");

		r->reason = intern_text(text);
		free(text);
	}
	fleet->recordings = xrealloc(fleet->recordings, fleet->nr_recordings + 1, sizeof(*fleet->recordings));
	fleet->recordings[fleet->nr_recordings++] = r;
}

static void read_block(struct fleet *fleet, const char *file, bool bound,
		       const struct counts_block *block)
{
	struct counts_line line = { .next = NULL };
	char *wrong = counts_check(block);

	if (!wrong)
		wrong = counts_unknown(block);
	if (wrong) {
		struct tsv_cell name = counts_run(block, "hostname");

		uint32_t machine = name.start ? intern(name.start, name.end - name.start) : 0;

		fleet_leave_out(fleet, file, bound ? node_of(file) : machine, block->id, wrong);
		free(wrong);
		return;
	}
	begin_block(block);
	while (counts_line(block, &line))
		take_line(&line);
	end_block(fleet, file, bound);
}

void fleet_read(struct fleet *fleet, const char *name, bool bound)
{
	struct counts_file file;
	struct counts_block block;
	enum counts_status status;

	if (!counts_open(&file, name)) {
		fleet_leave_out(fleet, name, bound ? node_of(name) : 0, NULL, file.why);
		return;
	}
	while ((status = counts_next(&file, &block)) != COUNTS_END) {
		if (status == COUNTS_BLOCK)
			read_block(fleet, name, bound, &block);
		else
			fleet_leave_out(fleet, name, bound ? node_of(name) : 0, NULL, file.why);
	}
	counts_close(&file);
}
