// SPDX-License-Identifier: GPL-2.0
/* Print for people what follows from the verdict. */
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "words.h"

/* The states that are not decided, and the samples that would decide them. */
struct undecided {
	struct text uncertain;		/* states that no number of samples decides */
	struct text near;		/* states for which the number cannot be estimated */
	struct text open;		/* states that more samples decide */
	const char *wanted;		/* the largest number of samples; NULL: not known */
	bool dependent;
};

static struct undecided find_undecided(const struct answer *answer)
{
	struct undecided u = { 0 };

	for (struct row row = { &answer->rows, 0 }; row.at < table_rows(&answer->rows); row.at++) {
		const char *state = cell_in(&row, "state"),
			*samples = cell_in(&row, "samples_to_decide");

		if (verdict_of(&row) != UNDECIDED)
			continue;
		if (is_cell(&row, "uncertain", "yes")) {
			text_join(&u.uncertain, ", ", "%s", state);
			continue;
		}
		text_join(&u.open, ",", "%s", state);
		/*
		 * record --for-verdict stops at a number of samples that suffices if they are
		 * independent. Dependent samples would be undecided again.
		 */
		u.dependent |= number_of(&row, "effective_n") < number_of(&row,
			budget_of(&row) ? "machine_n" : "n");
		if (!strcmp(samples, "-"))
			text_join(&u.near, ", ", "%s", state);
		else if (!u.wanted || number_in_text(u.wanted) < number_in_text(samples))
			u.wanted = samples;
	}
	return u;
}

/* Return the state's name, as in verdict.tsv. */
static const char *name_of(const struct answer *answer, size_t state)
{
	const char *name = answer->facts.states[state].name;

	return name ? name : xprintf("state%zu", state);
}

/* Add the options that make a new recording measure the same as this one. */
static void add_same(struct text *text, const struct facts *facts)
{
	const char *source = fact(facts, "source"), *settings = fact(facts, "source_settings"),
		*cpus = fact(facts, "cpus");
	const char *least = fact(facts, "ldist_min_ns"), *most = fact(facts, "ldist_max_ns");
	char **list;
	size_t nr;

	if (*source && strcmp(source, "hrtimer"))
		text_add(text, " --source %s", shell_quoted(source));
	nr = *settings ? split_list(settings, &list) : 0;
	for (size_t i = 0; i < nr; i++)
		text_add(text, " --setting %s", shell_quoted(list[i]));
	if (number_in_text(fact(facts, "intr_offset_ns")) > 0)
		text_add(text, " --intr-offset %sns", plain_number(number_in_text(fact(facts,
			"intr_offset_ns")), 6));
	if (*cpus && strcmp(cpus, "-"))
		text_add(text, " --cpu %s", shell_quoted(cpus));
	if (fact_is(facts, "ldist_mode", "uniform") && (number_in_text(least) != 50000 ||
							number_in_text(most) != 8000000))
		text_add(text, " --ldist %sns:%sns", plain_number(number_in_text(least), 6),
			 plain_number(number_in_text(most), 6));
}

enum recorder { OTHER_TOOL, RECORD, PROBE };

/* Return the command that made the recording. */
static enum recorder recorder_of(const struct facts *facts)
{
	const char *source = fact(facts, "source");
	char *key = xprintf("run.1.cpu%s.idle_periods", plain_number(number_in_text(fact(facts,
		"cpus")), 6));
	bool probed = fact_known(facts, key);

	free(key);
	if (fact_known(facts, "imported_from") || !strcmp(source, "imported") ||
	    !strcmp(source, "stock") || !strcmp(source, "-"))
		return OTHER_TOOL;
	return !strcmp(source, "timer") || !strcmp(source, "wake") || probed ? PROBE : RECORD;
}

/* Print the recording that would decide the open states. */
static void print_recording(const struct answer *answer, const struct undecided *u, FILE *out)
{
	const char *budget = answer->question.budget;
	enum recorder recorder = recorder_of(&answer->facts);
	struct text same = { 0 };
	char *states = shell_quoted(text_str(&u->open));

	if (recorder == OTHER_TOOL) {
		if (u->wanted)
			fprintf(out, "What would decide: more samples, measured with the same tool: about %s of %s.\n", u->wanted, text_str(&u->open));
		else
			fputs("What would decide: more samples, measured with the same tool.\n",
			      out);
		return;
	}
	add_same(&same, &answer->facts);
	fputs("What would decide (on the same machine; NEW is a new directory):\n", out);
	if (recorder == PROBE)
		fprintf(out, "  wakelat probe -o NEW%s%s%s\n", u->wanted ? " -n " : "",
			u->wanted ? u->wanted : "", text_str(&same));
	else if (!budget || (u->dependent && u->wanted))
		fprintf(out, "  wakelat record -o NEW --each-state --states %s -n %s%s\n", states,
			u->wanted, text_str(&same));
	else
		fprintf(out, "  wakelat record -o NEW --states %s --for-verdict %sns:%s%s%s\n",
			states, budget, answer->question.percentile,
			answer->by_cpu ? "" : " --pooled", text_str(&same));
	text_free(&same);
	free(states);
}

/* Print what would decide the undecided states. */
static void advise_more(const struct answer *answer, const struct undecided *u, FILE *out)
{
	if (!strcmp(answer->question.percentile, "max")) {
		fputs("No number of samples can show a maximum: decide by a percentile (-p 99.99).\n", out);
		return;
	}
	if (!text_empty(&u->uncertain))
		fprintf(out, "%s: launch times are too uncertain to decide, with any number of samples: use a source\n"
			"that knows them better (hrtimer, tsc_deadline), or another budget.\n",
				text_str(&u->uncertain));
	if (!text_empty(&u->near))
		fprintf(out, "%s: p%s is too near the limit to estimate how many samples would decide.\n", text_str(&u->near),
			answer->question.percentile);
	if (!text_empty(&u->open) && (u->wanted || answer->question.budget))
		print_recording(answer, u, out);
}

/* Return why a state rules out a greater limit. */
static char *why(const struct answer *answer, size_t i)
{
	const struct state *state = &answer->facts.states[i];
	const char *name = name_of(answer, i), *more = "";

	if (!fate(answer, i))
		return xprintf("%s was not measured", name);
	if (fate(answer, i) == UNDECIDED)
		return xprintf("%s is undecided%s", name,
			       answer->limit.us < 0 ? "" : ": more samples may allow it");
	if (!latency_known(state))
		more = ", and the limit that excludes it is not known";
	else if (!number_in_text(state->latency_ns))
		more = ", and no limit keeps the CPU out of it";
	return xprintf("%s takes longer than %s us%s", name,
		       plain_number(number_in_text(answer->question.budget) / 1000, 6), more);
}

/* Return a clause with the deepest state that the limit allows. */
static char *allowed(const struct answer *answer)
{
	const struct facts *facts = &answer->facts;
	int found = -1, polling = polling_state(facts);

	for (size_t i = 0; i < facts->nr_states; i++) {
		const struct state *state = &facts->states[i];

		if (latency_known(state) && number_in_text(state->latency_ns) > 0 &&
		    !state->disabled && limit_admits(state, answer->limit.us))
			found = i;
	}
	if (found < 0)
		return xprintf("it allows no state that sleeps, only %s",
			       polling < 0 ? "" : name_of(answer, polling));
	return xprintf("%s is the deepest state that it allows", name_of(answer, found));
}

/*
 * Return whether an import names several states, with the exit latencies of all. One state alone is not
 * all of a CPU's.
 */
static bool names_all_states(const struct answer *answer)
{
	size_t nr = 0;

	for (size_t i = 0; i < answer->facts.nr_states; i++) {
		const struct state *state = &answer->facts.states[i];

		if (state->name && !latency_known(state))
			return false;
		nr += !!state->name;
	}
	for (size_t i = 0; i < answer->limit.nr_blockers; i++)
		if (!latency_known(&answer->facts.states[answer->limit.blockers[i]]))
			return false;
	return nr > 1;
}

/* Return why a limit of 0 is not named. */
static char *why_not_0(const struct answer *answer)
{
	int polling = polling_state(&answer->facts);

	if (polling >= 0)
		return xprintf("a limit of 0 allows only %s, which was not measured",
			       name_of(answer, polling));
	if (fact_known(&answer->facts, "imported_from") && !names_all_states(answer))
		return "the data do not say which states wake faster (import --states)";
	return "no state advertises 0 us, so a limit of 0 may not exclude it";
}

/* Print which recording shows whether polling keeps the budget. */
static void advise_polling(const struct answer *answer, FILE *out)
{
	enum recorder recorder = recorder_of(&answer->facts);
	int polling = polling_state(&answer->facts);
	struct text list = { 0 }, same = { 0 };

	if (!strcmp(answer->question.percentile, "max") || polling < 0 || recorder == OTHER_TOOL)
		return;
	add_same(&same, &answer->facts);
	text_add(&list, "%s", name_of(answer, polling));
	for (size_t i = 0; i < answer->limit.nr_blockers; i++)
		text_add(&list, ",%s", name_of(answer, answer->limit.blockers[i]));
	fputs("To see whether polling keeps the budget (on the same machine; NEW is a new directory):\n", out);
	if (recorder == PROBE)
		fprintf(out, "  wakelat probe -o NEW --latency-limit 0us%s\n", text_str(&same));
	else
		fprintf(out, "  wakelat record -o NEW --states %s --for-verdict %sns:%s%s\n",
			shell_quoted(text_str(&list)), answer->question.budget,
			answer->question.percentile, text_str(&same));
	text_free(&list);
	text_free(&same);
}

char *limit_line(const struct answer *answer)
{
	struct text reasons = { 0 };

	for (size_t i = 0; i < answer->limit.nr_blockers; i++)
		text_join(&reasons, ", ", "%s", why(answer, answer->limit.blockers[i]));
	if (answer->limit.us >= 0)
		return xprintf("Latency limit: %.0f us; %s%s%s%s.", answer->limit.us,
			       allowed(answer), text_empty(&reasons) ? "" : " (",
			       text_str(&reasons), text_empty(&reasons) ? "" : ")");
	if (answer->limit.only_polling)
		text_add(&reasons, "; %s", why_not_0(answer));
	if (!any_latency_known(&answer->facts))
		return "No limit can be named: no exit latency is advertised, so a limit has no effect.";
	return xprintf("No limit can be named%s%s.", text_empty(&reasons) ? "" : ": ",
		       text_str(&reasons));
}

/* Return whether a state has a smaller upper bound than one before it. */
static bool is_disordered(const struct answer *answer)
{
	bool disordered = false;
	double last = 0;

	for (struct row row = { &answer->rows, 0 }; row.at < table_rows(&answer->rows); row.at++) {
		if (is_cell(&row, "high", "-"))
			continue;
		disordered |= number_of(&row, "high") < last;
		last = number_of(&row, "high");
	}
	return disordered;
}

static void advise_table(const struct answer *answer, FILE *out)
{
	const char *upper[MAX_STATES] = { 0 }, *residency[MAX_STATES] = { 0 };
	struct idle_table table;

	upper_bounds(answer, upper);
	make_idle_table(&table, &answer->facts, upper, residency);
	if (text_empty(&table.table)) {
		fprintf(out, "No intel_idle.table: %s.\n", text_str(&table.why_none));
		return;
	}
	fprintf(out, "Linux 7.0 and newer, kernel command line (name:latency:residency in us):\nintel_idle.table=%s\n", text_str(&table.table));
	if (!text_empty(&table.raised))
		fprintf(out, "Raised, because the kernel accepts no lower value: %s.\n",
			text_str(&table.raised));
	else if (is_disordered(answer))
		fputs("A deeper state wakes faster than a shallower one.\n", out);
}

void show_advice(const struct answer *answer, bool with_limit, const char *again, FILE *out)
{
	const struct facts *facts = &answer->facts;
	struct undecided u = find_undecided(answer);


	if (fact_is(facts, "emulated", "yes") || fact_is(facts, "emulated", "hypervisor"))
		fputs("Emulated or under a hypervisor: this is an example; its numbers are not\nthose of any real CPU.\n", out);
	if (!answer->question.budget)
		advise_table(answer, out);
	else if (with_limit)
		fprintf(out, "%s\n", limit_line(answer));
	for (size_t i = 0; answer->question.budget && i < facts->nr_states; i++)
		if (facts->states[i].disabled)
			fprintf(out, "%s was disabled before the recording and must stay so.\n",
				name_of(answer, i));
	if (!text_empty(&u.open) || !text_empty(&u.uncertain))
		advise_more(answer, &u, out);
	if (answer->limit.only_polling)
		advise_polling(answer, out);
	if (answer->limit.us < 0 || !again)
		return;
	fprintf(out, "To set it: %s --paste WHAT\n", again);
	fputs("  WHAT: sysfs, qos, wakeup, cpupower (until reboot); tuned, systemd, udev, crio\n",
	      out);
}
