// SPDX-License-Identifier: GPL-2.0
/* What the page says of several recordings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "html.h"
#include "message.h"

static char *signed_us(const char *ns)
{
	double x = number_in_text(ns);

	return xprintf("%s%s", x > 0 ? "+" : x < 0 ? "−" : "", brief(*ns == '-' ? ns + 1 : ns));
}

/* Return a difference with its interval: p50 +1.20 µs (+1.10 to +1.30). */
static char *difference_text(const struct table *table, size_t row)
{
	const char *difference = table_get(table, row, "difference"), *low = table_get(table, row, "difference_low"),
		*high = table_get(table, row, "difference_high");
	size_t len = strlen(difference);
	bool no_value = strstr(difference, "..") || (len && difference[len - 1] == '-');

	return xprintf("%s %s(%s to %s)", table_get(table, row, "statistic"), no_value ? "" : xprintf("%s µs ", signed_us(difference)),
		       strcmp(low, "-") ? signed_us(low) : "?", strcmp(high, "-") ? signed_us(high) : "?");
}

/* Print how recording B differs from A. */
static void put_differences(const struct table *table, const char *b, FILE *out)
{
	struct names states = { 0 }, differ = { 0 }, alike = { 0 }, open = { 0 };
	struct text items = { 0 };
	const char *a = "";

	for (size_t row = 0; row < table_rows(table); row++) {
		const char *state = table_get(table, row, "state");
		size_t i = 0;

		if (strcmp(table_get(table, row, "run_b"), b))
			continue;
		a = table_get(table, row, "run_a");
		while (i < states.nr && strcmp(states.list[i], state))
			i++;
		if (i == states.nr)
			add_name(&states, state);
	}
	for (size_t i = 0; i < states.nr; i++) {
		struct text found = { 0 };
		bool told = false;

		for (size_t row = 0; row < table_rows(table); row++) {
			const char *is = table_get(table, row, "distinguishable");

			if (strcmp(table_get(table, row, "run_b"), b) || strcmp(table_get(table, row, "state"), states.list[i]))
				continue;
			if (!strcmp(is, "yes"))
				text_join(&found, ", ", "%s", difference_text(table, row));
			told |= !strcmp(is, "no");
		}
		add_name(!text_empty(&found) ? &differ : told ? &alike : &open, states.list[i]);
		if (!text_empty(&found))
			text_add(&items, "<li><strong>%s</strong>: %s</li>\n", html(states.list[i]), html(text_str(&found)));
	}
	fprintf(out, "<p class=\"answer open\">%s</p>\n<ul>\n%s", html(xprintf("%s against %s: %s", b, a,
		differ.nr ? xprintf("%s%s", listed(&differ), differ.nr == 1 ? " differs." : " differ.") : "no difference is found.")),
		text_str(&items));
	if (alike.nr)
		fprintf(out, "<li>%s: no difference is found</li>\n", html(listed(&alike)));
	if (open.nr)
		fprintf(out, "<li>%s: too few samples to say</li>\n", html(listed(&open)));
	fputs("</ul>\n", out);
}

void html_differences(const char *file, FILE *out)
{
	struct table table = { 0 };
	struct names runs = { 0 };

	table_read(&table, file);
	for (size_t row = 0; row < table_rows(&table); row++) {
		const char *b = table_get(&table, row, "run_b");
		size_t i = 0;

		while (i < runs.nr && strcmp(runs.list[i], b))
			i++;
		if (i < runs.nr)
			continue;
		add_name(&runs, b);
		put_differences(&table, b, out);
	}
	fputs("<p class=\"sure\">How sure: the interval in brackets contains the true difference with 95 % probability, and does not contain 0.</p>\n", out);
}

/* A state, and which recordings decide about it. */
struct joint_state {
	const char *name;
	struct text by;
	int order;
};

static int badness(enum verdict verdict)
{
	return verdict == EXCEEDED ? 3 : verdict == UNDECIDED ? 2 : 1;
}

struct joint {
	struct joint_state *states;
	size_t nr;
	const char *budget;
};

/* The worst source decides about a state. */
static void take_state(struct joint *joint, const char *state, enum verdict verdict, const char *recording)
{
	struct joint_state *at;
	size_t i = 0;

	while (i < joint->nr && strcmp(joint->states[i].name, state))
		i++;
	if (i == joint->nr) {
		joint->states = xrealloc(joint->states, joint->nr + 1, sizeof(*joint->states));
		joint->states[joint->nr++] = (struct joint_state) { .name = state };
	}
	at = &joint->states[i];
	if (badness(verdict) > at->order) {
		at->order = badness(verdict);
		text_free(&at->by);
	}
	if (badness(verdict) == at->order)
		text_join(&at->by, ", ", "%s", recording);
}

/* Return the states of this badness. From 2 on, each has the recordings that decide. */
static struct names of_badness(const struct joint *joint, int order)
{
	struct names names = { 0 };

	for (size_t i = 0; i < joint->nr; i++)
		if (joint->states[i].order == order)
			add_name(&names, order > 1 ? xprintf("%s (%s)", joint->states[i].name, text_str(&joint->states[i].by)) :
				 joint->states[i].name);
	return names;
}

/* Return whether a key of run.tsv is a fact of the machine, or of its table of states. */
static bool is_machines(const char *key)
{
	static const char *const keys[] = { "cpu_model", "driver", "hostname", "machine_id", "kernel", "emulated", "microcode" };
	char *part[3];

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(key, keys[i]))
			return true;
	return key_parts(key, part, 3) == 3 && !strcmp(part[0], "state") && is_digits(part[1]) &&
		(!strcmp(part[2], "name") || !strcmp(part[2], "latency_ns") || !strcmp(part[2], "disabled"));
}

/* Return whether the recordings differ in a fact of the machine, or two have the same source. Set *KNOWN if a name of the machine is. */
static bool differ(const struct facts *facts, size_t nr, bool *known)
{
	for (size_t i = 0; i < nr; i++) {
		for (size_t k = 0; k < facts[i].nr; k++) {
			const char *key = facts[i].list[k].key, *value = facts[i].list[k].value;

			if (!is_machines(key))
				continue;
			*known |= (!strcmp(key, "hostname") || !strcmp(key, "machine_id")) && strcmp(value, "-") && *value;
			for (size_t other = 0; other < nr; other++)
				if (!fact_is(&facts[other], key, fact(&facts[i], key)))
					return true;
		}
		for (size_t k = 0; k < i; k++)
			if (fact_known(&facts[i], "source") && fact_known(&facts[k], "source") &&
			    fact_is(&facts[k], "source", fact(&facts[i], "source")))
				return true;
	}
	return false;
}

static void put_joint(const struct joint *joint, bool known, FILE *out)
{
	struct names kept = of_badness(joint, 1), undecided = of_badness(joint, 2), exceeded = of_badness(joint, 3);
	char *budget = exact(number_in_text(joint->budget));
	struct text worst = { 0 };

	if (kept.nr)
		text_add(&worst, "%s%s%s µs.", listed(&kept), kept.nr > 1 ? " keep " : " keeps ", budget);
	if (undecided.nr)
		text_add(&worst, " Undecided for %s.", listed(&undecided));
	if (exceeded.nr)
		text_add(&worst, " Longer than %s µs: %s.", budget, listed(&exceeded));
	paragraph(exceeded.nr ? "answer exceeded" : undecided.nr ? "answer undecided" : "answer kept",
		  xprintf("%s, all sources: %s", known ? "One machine" : "If these recordings are of one machine",
			  text_str(&worst) + strspn(text_str(&worst), " ")), out);
}

size_t html_joint(char **run_tsvs, char **verdicts, const struct names *names, FILE *out)
{
	struct facts *facts = xrealloc(NULL, names->nr, sizeof(*facts));
	const char **limits = xrealloc(NULL, names->nr, sizeof(*limits));
	struct joint joint = { .budget = "-" };
	size_t decides = 0;
	bool known = false;

	for (size_t i = 0; i < names->nr; i++) {
		struct table *table = xrealloc(NULL, 1, sizeof(*table));

		*table = (struct table) { 0 };
		facts_read(&facts[i], run_tsvs[i]);
		table_read(table, verdicts[i]);
		limits[i] = "";
		for (size_t row = 0; row < table_rows(table); row++) {
			joint.budget = table_get(table, row, "budget_ns");
			limits[i] = table_get(table, row, "limit_us");
			take_state(&joint, table_get(table, row, "state"), verdict_from(table_get(table, row, "budget_verdict")), names->list[i]);
		}
	}
	if (names->nr < 2 || !strcmp(joint.budget, "-") || differ(facts, names->nr, &known))
		return 0;
	for (size_t i = 1; i < names->nr; i++)
		if (strcmp(limits[decides], "-") && (!strcmp(limits[i], "-") || number_in_text(limits[i]) < number_in_text(limits[decides])))
			decides = i;
	put_joint(&joint, known, out);
	paragraph("limit", strcmp(limits[decides], "-") ?
		  xprintf("A latency limit of %s µs keeps the budget for all sources; %s decides.", limits[decides], names->list[decides]) :
		  xprintf("No latency limit is known to keep the budget for all sources: %s has none.", names->list[decides]), out);
	return decides + 1;
}
