// SPDX-License-Identifier: GPL-2.0
/* Name what a recording says nothing about. */
#include <string.h>

#include "message.h"
#include "words.h"

/* Return whether a text is one of the words of a list, which are separated by blanks. */
static bool is_among(const char *text, const char *list)
{
	size_t len = strlen(text);

	for (const char *at = list; len && (at = strstr(at, text)); at += len)
		if ((at == list || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			return true;
	return false;
}

static const char *machine_limit(const struct facts *facts)
{
	if (fact_is(facts, "emulated", "yes"))
		return "real CPUs (this one is emulated)";
	if (fact_is(facts, "driver", "artificial"))
		return "real idle states (these are artificial)";
	if (fact_is(facts, "emulated", "hypervisor"))
		return "the CPU's own idle states (contains the hypervisor)";
	return fact_is(facts, "emulated", "no") ? "" :
		"real CPUs, perhaps (whether this one is real is not known)";
}

static const char *source_limit(const struct facts *facts)
{
	const char *source = fact(facts, "source");

	if (strstr(fact(facts, "woken_by"), "flag"))
		return "wake-ups by devices (when these begin is not known)";
	if (is_among(source, "timer hrtimer tsc_deadline passive wult_tdt"))
		return "wake-ups by devices or other CPUs (a CPU can foresee its timer)";
	if (is_among(source, "i210 ipi wake wult_nic"))
		return "wake-ups by timers (a CPU can foresee those)";
	return is_among(source, "who") ? "other programs and other load" : "";
}

static char *cpu_limit(const struct facts *facts)
{
	const char *cpus = fact(facts, "cpus");
	size_t len = strlen(cpus);

	if (len && !cpus[strspn(cpus, "0123456789,-")] && strchr("0123456789", cpus[len - 1]))
		return xprintf("other CPUs and packages (measured: CPU %s)", cpus);
	return "other machines";
}

char *limits_line(const struct answer *answer)
{
	struct text line = { 0 };
	double fewest = -1;

	for (struct row row = { &answer->rows, 0 }; row.at < table_rows(&answer->rows); row.at++)
		if (is_digits(cell_in(&row, "n")) && (fewest < 0 || number_of(&row, "n") < fewest))
			fewest = number_of(&row, "n");
	if (*machine_limit(&answer->facts))
		text_join(&line, "; ", "%s", machine_limit(&answer->facts));
	if (fewest >= 0 && fewest < 2995)
		text_join(&line, "; ", "p99.9 (%.0f of the 2995 samples that it needs)", fewest);
	if (*source_limit(&answer->facts))
		text_join(&line, "; ", "%s", source_limit(&answer->facts));
	text_join(&line, "; ", "%s", cpu_limit(&answer->facts));
	return xprintf("Not measured: %s.", text_str(&line));
}

const char *machine_note(const struct facts *facts)
{
	const char *emulated = fact_first(facts, "emulated"), *what = "unknown machine";
	bool artificial = !strcmp(fact_first(facts, "driver"), "artificial");

	if (!strcmp(emulated, "no"))
		return artificial ? " (artificial states)" : "";
	if (!strcmp(emulated, "yes"))
		what = "emulated";
	else if (!strcmp(emulated, "hypervisor"))
		what = "guest: contains the hypervisor's latency";
	return xprintf(" (%s%s)", what, artificial ? ", artificial states" : "");
}
