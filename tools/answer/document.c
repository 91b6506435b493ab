// SPDX-License-Identifier: GPL-2.0
/* Print tables as one JSON document. Digits are copied. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "plain.h"
#include "schema.h"
#include "words.h"

/*
 * Print TEXT in quotes. A blank replaces a control character. Characters that a terminal may take
 * for a command are escaped, bytes that are not UTF-8 are left out.
 */
static void print_text(const char *text, FILE *out)
{
	const unsigned char *at = (const unsigned char *)text;

	fputc('"', out);
	while (*at) {
		uint32_t code;
		int length = utf8_length(at, &code);

		if (length > 1 && !is_harmless(code))
			fprintf(out, "\\u%04x", code);
		else if (length > 1)
			fwrite(at, 1, length, out);
		else if (length)
			fprintf(out, "%s%c", *at == '"' || *at == '\\' ? "\\" : "", *at < ' ' ||
				*at == 0x7f ? ' ' : *at);
		at += length ? length : 1;
	}
	fputc('"', out);
}

static const char *skip_digits(const char *at)
{
	while (isdigit((unsigned char)*at))
		at++;
	return at;
}

/* Return whether JSON takes the cell for a number. */
static bool is_json_number(const char *cell)
{
	const char *at = cell + (*cell == '-'), *end = skip_digits(at);

	if (end == at || (*at == '0' && end > at + 1))
		return false;
	if (*end == '.') {
		at = end + 1;
		end = skip_digits(at);
		if (end == at)
			return false;
	}
	if (*end == 'e' && (end[1] == '+' || end[1] == '-')) {
		at = end + 2;
		end = skip_digits(at);
		if (end == at)
			return false;
	}
	return !*end;
}

static void print_value(const char *cell, bool text, FILE *out)
{
	if (!strcmp(cell, "-"))
		fputs("null", out);
	else if (!text && is_json_number(cell))
		fputs(cell, out);
	else
		print_text(cell, out);
}

/* The schema says which columns are text, not the cells: a state may be called 6. */
void print_rows(const char *name, const char *schema_name, const struct table *table, FILE *out)
{
	struct schema schema = { 0 };
	bool *text = xrealloc(NULL, table->nr_columns + 1, sizeof(*text));

	schema_find(&schema, schema_name);
	for (size_t i = 0; i < table->nr_columns; i++) {
		const char *column = table->columns[i];
		const struct schema_column *known = schema_column(&schema, column,
			column + strlen(column));

		text[i] = known && known->text;
	}
	fputs(",\n  ", out);
	print_text(name, out);
	fputs(": [", out);
	for (size_t row = 0; row < table_rows(table); row++) {
		fputs(row ? ",\n    {" : "\n    {", out);
		for (size_t i = 0; i < table->nr_columns; i++) {
			fputs(i ? ", " : "", out);
			print_text(table->columns[i], out);
			fputs(": ", out);
			print_value(table_cell(table, row, i), text[i], out);
		}
		fputc('}', out);
	}
	fputs(table_rows(table) ? "\n  ]" : "  ]", out);
	free(text);
	free(schema.list);
}

/*
 * Print run.tsv as an object. Each key comes once: readers of JSON differ in which of two equal
 * keys counts.
 */
static void print_run(const struct facts *facts, FILE *out)
{
	struct groups seen = { .nr_keys = 1 };
	size_t nr = 0;

	fputs(",\n  \"run\": {", out);
	/* The first line is the header. */
	for (size_t i = 1; i < facts->nr; i++) {
		struct tsv_cell key = cell_from(facts->list[i].key);
		struct group *group = groups_get(&seen, &key);

		if (group->data)
			continue;
		group->data = (void *)facts->list[i].value;
		fputs(nr++ ? ",\n    " : "\n    ", out);
		print_text(facts->list[i].key, out);
		fputs(": ", out);
		print_value(facts->list[i].value, true, out);
	}
	fputs("\n  }", out);
}

void begin_document(const char *command, bool whole, const char *selected, char *limits,
		    const struct facts *facts, FILE *out)
{
	fprintf(out, "{\n  \"format\": 1,\n  \"command\": \"%s\",\n  \"complete\": %s", command,
		whole ? "true" : "false");
	fputs(",\n  \"selected\": ", out);
	print_value(*selected ? selected : "-", true, out);
	fputs(",\n  \"means_nothing\": ", out);
	limits[strlen(limits) - 1] = '\0';
	print_text(limits + strlen("Not measured: "), out);
	if (facts)
		print_run(facts, out);
}

void print_document(const struct answer *answer, FILE *out)
{
	struct table summary = { 0 };

	table_columns(&summary, "verdict percentile budget_ns limit_us");
	table_put(&summary, "%s", verdict_word(overall_verdict(answer)));
	table_put(&summary, "%s", answer->question.percentile);
	table_put(&summary, "%s", answer->question.budget ? answer->question.budget : "-");
	table_put(&summary, "%s", table_get(&answer->rows, 0, "limit_us"));
	begin_document("verdict", !answer->question.incomplete && answer->lost <= 0, "",
		       limits_line(&answer->facts, &answer->rows, false), &answer->facts, out);
	print_rows("answer", "verdict-answer", &summary, out);
	print_rows("states", "verdict", &answer->rows, out);
	print_rows("balance", "verdict-balance", &answer->balance, out);
	if (table_rows(&answer->unknowns))
		print_rows("unknown", "stats-unknown", &answer->unknowns, out);
	fputs("\n}\n", out);
	table_free(&summary);
}
