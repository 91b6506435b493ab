// SPDX-License-Identifier: GPL-2.0
#include <unistd.h>

#include "message.h"
#include "outfile.h"
#include "unknown.h"
#include "words.h"

/* Make a table with the rows of the verdict, and behind each its words. */
static void make_words(struct table *words, const struct answer *answer)
{
	const struct table *rows = &answer->rows;
	const char *if_so = table_rows(rows) ? condition(rows) : "";

	for (struct row row = { rows, 0 }; row.at < table_rows(rows); row.at++) {
		enum verdict verdict = verdict_of(&row);

		for (size_t i = 0; i < rows->nr_columns; i++)
			table_set(words, rows->columns[i], "%s", table_cell(rows, row.at, i));
		table_set(words, "verdict", "%s", verdict_word(verdict));
		table_set(words, "on_cpu", "%s", state_on_cpu(&row));
		table_set(words, "member", "%s", member_of(&row, verdict));
		table_set(words, "cause", "%s", cause(&row, verdict));
		table_set(words, "clock", "%s", clock_text(&row));
		table_set(words, "balance", "%s", balance_text(&row));
		table_set(words, "limit", "%s", answer->question.budget ? limit_line(answer) : "");
		table_set(words, "condition", "%s", if_so);
		table_set(words, "unknown", "%s", unknowns_text(&answer->unknowns));
		table_end_row(words);
	}
}

static FILE *begin_part(const char *prefix, const char *part, char **name)
{
	*name = xprintf("%s-%s", prefix, part);
	return outfile_stream(*name);
}

static void write_part(const struct table *table, const char *prefix, const char *part)
{
	char *name;
	FILE *out = begin_part(prefix, part, &name);

	table_tsv(table, out);
	outfile_close_stream(out, name);
}

void write_parts(const struct answer *answer, const char *prefix)
{
	static const char *const targets[] = { "sysfs", "qos", "wakeup", "cpupower", "tuned",
		"systemd", "udev", "crio", NULL };
	struct table words = { 0 };
	char *name;
	FILE *out;

	make_words(&words, answer);
	write_part(&answer->rows, prefix, "verdict.tsv");
	write_part(&words, prefix, "words.tsv");
	out = begin_part(prefix, "limits", &name);
	fprintf(out, "%s\n", limits_line(&answer->facts, &answer->rows, false));
	outfile_close_stream(out, name);
	out = begin_part(prefix, "notes", &name);
	show_notes(answer, out);
	outfile_close_stream(out, name);
	out = begin_part(prefix, "advice", &name);
	show_advice(answer, true, NULL, out);
	outfile_close_stream(out, name);
	for (const char *const *target = targets; *target && answer->question.budget; target++) {
		out = begin_part(prefix, xprintf("paste-%s", *target), &name);
		if (!paste(answer, *target, "wakelat verdict", out))
			unlink(name);
		outfile_close_stream(out, name);
	}
	table_free(&words);
}
