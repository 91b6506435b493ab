// SPDX-License-Identifier: GPL-2.0
/* Name what recordings say nothing about. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "message.h"
#include "percentile.h"

enum { EMULATED, DRIVER, SOURCE, WOKEN_BY, CPUS, NR_FACTS };

/* A recording, or MACHINES machines of one kind. */
struct limited {
	const char *facts[NR_FACTS], *name;
	double fewest;			/* the number of samples of a state; -1: not known */
	double machines;
};

/* A part of the line: a limit, and which recordings it holds for. */
struct part {
	int kind;
	const char *text;
	double holders;
	struct text owners;
};

struct line {
	struct part *parts;
	size_t nr, room;
	bool brief;
};

/* Return whether a text is one of the words of a list, which are separated by blanks. */
static bool is_among(const char *text, const char *list)
{
	size_t len = strlen(text);

	for (const char *at = list; len && (at = strstr(at, text)); at += len)
		if ((at == list || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			return true;
	return false;
}

/* Add a part to the line for a recording: TEXT, or SHORT_TEXT in the brief line. */
static void add(struct line *line, const struct limited *of, int kind, const char *text,
		const char *short_text)
{
	size_t i = 0;

	if (line->brief)
		text = short_text;
	while (i < line->nr && (line->parts[i].kind != kind || strcmp(line->parts[i].text, text)))
		i++;
	if (i == line->nr) {
		line->parts = xgrow(line->parts, line->nr, &line->room, sizeof(*line->parts));
		line->parts[line->nr++] = (struct part) { .kind = kind, .text = text };
	}
	line->parts[i].holders += of->machines ? of->machines : 1;
	text_join(&line->parts[i].owners, ", ", "%s", of->name);
}

static void add_machine(struct line *line, const struct limited *of)
{
	const char *emulated = of->facts[EMULATED];

	if (!strcmp(emulated, "yes"))
		add(line, of, 1, "real CPUs (this one is emulated)", "real CPUs (emulated)");
	else if (!strcmp(of->facts[DRIVER], "artificial"))
		add(line, of, 1, "real idle states (these are artificial)",
		    "real states (artificial)");
	else if (!strcmp(emulated, "hypervisor"))
		add(line, of, 1, "the CPU's own idle states (contains the hypervisor)",
		    "the CPU itself (guest)");
	else if (strcmp(emulated, "no"))
		add(line, of, 1, "real CPUs, perhaps (whether this one is real is not known)",
		    "real CPUs (unknown machine)");
}

static void add_latency(struct line *line, const struct limited *of)
{
	const char *source = of->facts[SOURCE];
	uint64_t needed = percentile_needs("99.9");

	if (of->fewest >= 0 && of->fewest < needed)
		add(line, of, 2, xprintf("p99.9 (%.0f of the %" PRIu64 " samples that it needs)",
					 of->fewest, needed), "p99.9");
	if (strstr(of->facts[WOKEN_BY], "flag"))
		add(line, of, 3, "wake-ups by devices (when these begin is not known)",
		    "device wake-ups");
	else if (is_among(source, "timer hrtimer tsc_deadline passive wult_tdt"))
		add(line, of, 3, "wake-ups by devices or other CPUs (a CPU can foresee its timer)",
		    "device wake-ups");
	else if (is_among(source, "i210 ipi wake wult_nic"))
		add(line, of, 3, "wake-ups by timers (a CPU can foresee those)", "timer wake-ups");
	else if (is_among(source, "who"))
		add(line, of, 3, "other programs and other load", "other load");
}

static void add_cpus(struct line *line, const struct limited *of)
{
	const char *cpus = of->facts[CPUS];
	size_t len = strlen(cpus);

	if (len && !cpus[strspn(cpus, "0123456789,-")] && is_digits(&cpus[len - 1]))
		add(line, of, 4, xprintf("other CPUs and packages (measured: CPU %s)", cpus),
		    "other CPUs");
	else if (of->machines)
		add(line, of, 4, "other machines, and CPUs of these that were not measured",
		    "other machines and CPUs");
	else
		add(line, of, 4, "other machines", "other machines");
}

/*
 * Return the names of the recordings for which the part holds, or their number if the names are too
 * long; "" if it holds for all.
 */
static const char *whose(const struct part *part, double recordings, double machines)
{
	const char *owners = text_str(&part->owners);

	if (part->holders == (machines ? machines : recordings))
		return "";
	if (machines)
		return xprintf(" (%.0f of %.0f machines)", part->holders, machines);
	return strlen(owners) > 28 ? xprintf(" (%.0f of %.0f)", part->holders, recordings) :
		xprintf(" (%s)", owners);
}

/* Return the line; without LATENCY, about idle periods, whatever ends them. */
static char *line_of(const struct limited *list, size_t nr, bool brief, bool latency)
{
	struct line line = { .brief = brief };
	struct text text = { 0 };
	double machines = 0;

	for (size_t i = 0; i < nr; i++) {
		machines += list[i].machines;
		add_machine(&line, &list[i]);
		if (latency)
			add_latency(&line, &list[i]);
		add_cpus(&line, &list[i]);
	}
	/* Parts of the same kind stand together. */
	for (int kind = 1; kind <= 4; kind++)
		for (size_t i = 0; i < line.nr; i++)
			if (line.parts[i].kind == kind)
				text_join(&text, brief ? ", " : "; ", "%s%s", line.parts[i].text,
					  whose(&line.parts[i], nr, machines));
	return xprintf("Not measured: %s.", text_str(&text));
}

/* Return what limits a recording, or the machines in a row of a table (FACTS is NULL). */
static struct limited limited_by(const struct facts *facts, const struct table *table, size_t row)
{
	static const char *const keys[] = { "emulated", "driver", "source", "woken_by", "cpus" };
	struct limited of = { .name = "", .fewest = -1 };

	for (size_t i = 0; i < NR_FACTS; i++) {
		const char *value = facts ? fact(facts, keys[i]) : table_get(table, row, keys[i]);

		of.facts[i] = value ? value : "";
	}
	if (!facts)
		of.machines = number_in_text(table_get(table, row, "machines"));
	return of;
}

/* Take the smallest number of samples of a state. */
static void take_fewest(struct limited *of, const struct table *table)
{
	for (size_t i = 0; i < table_rows(table); i++) {
		const char *n = table_get(table, i, "n");

		if (n && is_digits(n) && (of->fewest < 0 || number_in_text(n) < of->fewest))
			of->fewest = number_in_text(n);
	}
}

char *limits_line(const struct facts *facts, const struct table *table, bool brief)
{
	struct limited of = limited_by(facts, NULL, 0);

	take_fewest(&of, table);
	return line_of(&of, 1, brief, true);
}

char *limits_of(const struct facts *const facts[], const struct table *const tables[],
		const char *const names[], size_t nr, bool brief)
{
	struct limited *list = xrealloc(NULL, nr, sizeof(*list));

	for (size_t i = 0; i < nr; i++) {
		list[i] = limited_by(facts[i], NULL, 0);
		list[i].name = names[i];
		take_fewest(&list[i], tables[i]);
	}
	return line_of(list, nr, brief, true);
}

static bool is_run_tsv(const char *name)
{
	size_t len = strlen(name);

	return len >= 7 && !strcmp(name + len - 7, "run.tsv");
}

bool print_limits_of(char **files, char *names, bool brief, bool latency)
{
	struct limited *list = NULL;
	size_t nr = 0, room = 0;

	for (; *files; files++) {
		struct table table = { 0 };

		if (is_run_tsv(*files)) {
			struct facts *facts = xrealloc(NULL, 1, sizeof(*facts));

			facts_read(facts, *files);
			list = xgrow(list, nr, &room, sizeof(*list));
			list[nr] = limited_by(facts, NULL, 0);
			if (names)
				list[nr].name = strsep(&names, "\t");
			nr++;
			continue;
		}
		table_read(&table, *files);
		if (nr && table_find(&table, "machines") == TABLE_NONE) {
			take_fewest(&list[nr - 1], &table);
			continue;
		}
		for (size_t i = 0; i < table_rows(&table); i++) {
			list = xgrow(list, nr, &room, sizeof(*list));
			list[nr++] = limited_by(NULL, &table, i);
		}
	}
	if (nr)
		puts(line_of(list, nr, brief, latency));
	return nr;
}

static const char *note_of_machine(const struct facts *facts, const char *guest)
{
	const char *emulated = fact_first(facts, "emulated"), *what = "unknown machine";
	bool artificial = !strcmp(fact_first(facts, "driver"), "artificial");

	if (!strcmp(emulated, "no"))
		return artificial ? " (artificial states)" : "";
	if (!strcmp(emulated, "yes"))
		what = "emulated";
	else if (!strcmp(emulated, "hypervisor"))
		what = guest;
	return xprintf(" (%s%s)", what, artificial ? ", artificial states" : "");
}

const char *machine_note(const struct facts *facts)
{
	return note_of_machine(facts, "guest: contains the hypervisor's latency");
}

const char *machine_word(const struct facts *facts)
{
	return note_of_machine(facts, "guest");
}
