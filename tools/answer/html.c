// SPDX-License-Identifier: GPL-2.0
/* Convert text and tables to HTML. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "html.h"
#include "line.h"
#include "message.h"
#include "schema.h"
#include "tsv.h"

/* What stands for a character that has no place in a page. */
#define REPLACED "&#65533;"

/* Return the number of bytes at AT that change the direction of text or separate lines, 0 if they do not. */
static int changes_direction(const unsigned char *at)
{
	if (at[0] != 0xe2 || (at[1] != 0x80 && at[1] != 0x81))
		return 0;
	if (at[1] == 0x80)
		return at[2] == 0x8e || at[2] == 0x8f || (at[2] >= 0xaa && at[2] <= 0xae) ? 3 : 0;
	return at[2] >= 0xa6 && at[2] <= 0xa9 ? 3 : 0;
}

char *html(const char *text)
{
	struct text out = { 0 };

	for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
		int len = changes_direction(at);

		if (len || (*at < ' ' && *at != '\t' && *at != '\n') || *at == 0x7f)
			text_add(&out, REPLACED);
		else if (strchr("&<>\"'", *at))
			text_add(&out, *at == '&' ? "&amp;" : *at == '<' ? "&lt;" : *at == '>' ? "&gt;" : *at == '"' ? "&quot;" : "&#39;");
		else
			text_add(&out, "%c", *at);
		at += len ? len - 1 : 0;
	}
	return xstrdup(text_str(&out));
}

/* Open a file of the command's own; NULL if it does not exist. */
static FILE *open_part(const char *name)
{
	FILE *f = fopen(name, "re");

	if (!f && errno != ENOENT)
		die("%s: %s", name, strerror(errno));
	return f;
}

/* Read a line without its end. Return false at the end of the file. */
static bool next_line(FILE *f, char line[TSV_MAX_LINE + 1])
{
	size_t len = line_read(f, line);

	if (len == LINE_TOO_LONG)
		die("a line of more than %d bytes", TSV_MAX_LINE);
	if (len && line[len - 1] == '\n')
		line[len - 1] = '\0';
	return len;
}

bool html_part(const char *name, bool list, FILE *out)
{
	static char line[TSV_MAX_LINE + 1];
	FILE *f = strcmp(name, "-") ? open_part(name) : stdin;
	bool any = false;

	if (!f)
		return false;
	fputs(list ? "<ul>\n" : "", out);
	for (; next_line(f, line); any = true) {
		char *text = html(line);
		size_t indent = strspn(text, " ");

		if (!list)
			fprintf(out, "%s\n", text);
		else if (indent >= 2)
			fprintf(out, " %s", text + indent);
		else
			fprintf(out, "%s<li>%s", any ? "</li>\n" : "", text);
		free(text);
	}
	if (list)
		fprintf(out, "%s\n</ul>\n", any ? "</li>" : "");
	if (f != stdin)
		fclose(f);
	return true;
}

char *first_line(const char *name)
{
	static char line[TSV_MAX_LINE + 1];
	FILE *f = open_part(name);

	if (!f || !next_line(f, line))
		*line = '\0';
	if (f)
		fclose(f);
	return xstrdup(line);
}

static void copy_stream(FILE *from, FILE *to)
{
	static char buf[1 << 16];
	size_t len;

	while ((len = fread(buf, 1, sizeof(buf), from)))
		fwrite(buf, 1, len, to);
}

bool copy_part(const char *name, FILE *out)
{
	FILE *f = open_part(name);

	if (!f)
		return false;
	copy_stream(f, out);
	fclose(f);
	return true;
}

/* A column of an HTML table. */
struct shown_column {
	char *name, *heading;
	size_t at;
	const char *show;	/* see schema.h */
};

static const char *class_of(const char *show)
{
	return !strcmp(show, "prose") ? " class=\"prose\"" : !strcmp(show, "text") ? " class=\"text\"" :
		!strcmp(show, "choice") ? " class=\"text choice\"" : "";
}

/* Return TEXT with MARK behind each C. */
static char *with_breaks(const char *text, char c)
{
	struct text out = { 0 };

	for (; *text; text++)
		text_add(&out, *text == c ? "%c<wbr>" : "%c", *text);
	return xstrdup(text_str(&out));
}

/*
 * Print a cell. On a narrow screen, each cell is below the one before it, with its heading beside it. A known word may break after an
 * underscore, a list after a comma.
 */
static void put_cell(const struct shown_column *column, const char *value, FILE *out)
{
	bool choice = !strcmp(column->show, "choice"), text = !strcmp(column->show, "text");
	char *shown = html(!strcmp(column->show, "us") ? us(value) : value);

	if (choice && verdict_from(value) != NO_VERDICT)
		fprintf(out, "<td class=\"text choice %s\"", value);
	else
		fprintf(out, "<td%s", class_of(column->show));
	if (choice || text)
		shown = with_breaks(shown, choice ? '_' : ',');
	fprintf(out, " data-head=\"%s\">%s</td>", html(column->heading), shown);
}

/* Return the part of the schema for a table of the command's own: that of verdict for 1-verdict.tsv. */
static void find_schema(struct schema *schema, const char *file)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	size_t digits = strspn(name, "0123456789");

	schema_find(schema, digits && name[digits] == '-' ? name + digits + 1 : name);
}

/* Split COLUMNS, NAME=HEADING;... Return the number of columns that the table has. */
static size_t find_shown(struct shown_column **shown, const struct table *table, const char *file, const char *columns)
{
	struct schema schema = { 0 };
	char *list = xstrdup(columns), *part;
	size_t nr = 0;

	find_schema(&schema, file);
	while ((part = strsep(&list, ";"))) {
		char *heading = strchr(part, '=');
		const struct schema_column *known;
		struct shown_column column;

		if (heading)
			*heading++ = '\0';
		else
			heading = !strcmp(part, "metric") ? "latency" : !strcmp(part, "n") ? "N" : part;
		known = schema_column(&schema, part, part + strlen(part));
		column = (struct shown_column) { part, heading, table_find(table, part), known ? known->show : "number" };
		if (column.at == TABLE_NONE)
			continue;
		*shown = xrealloc(*shown, nr + 1, sizeof(**shown));
		(*shown)[nr++] = column;
	}
	return nr;
}

void html_rows(const struct table *table, const char *file, const char *caption, const char *columns, const char *needs,
	       const char *where, FILE *out)
{
	struct shown_column *shown = NULL;
	size_t nr = find_shown(&shown, table, file, columns), equals = strcspn(where, "=");
	char *column = xprintf("%.*s", (int)equals, where);
	bool any = false;
	char *rows = NULL;
	size_t len;
	FILE *text = open_memstream(&rows, &len);

	for (size_t row = 0; row < table_rows(table); row++) {
		const char *of = *where ? table_get(table, row, column) : NULL, *needed = *needs ? table_get(table, row, needs) : "";

		if (*where && (!of || strcmp(of, where + equals + !!where[equals])))
			continue;
		fputs("<tr>", text);
		for (size_t i = 0; i < nr; i++)
			put_cell(&shown[i], table_cell(table, row, shown[i].at), text);
		fputs("</tr>\n", text);
		any |= needed && strcmp(needed, "-");
	}
	fclose(text);
	if (any) {
		fprintf(out, "<div class=\"wide\"><table>\n<caption>%s</caption>\n<tr class=\"head\">", html(caption));
		for (size_t i = 0; i < nr; i++)
			fprintf(out, "<th%s>%s</th>", class_of(shown[i].show), html(shown[i].heading));
		fprintf(out, "</tr>\n%s</table></div>\n", rows);
	}
	free(rows);
	free(shown);
}

void html_table(const char *file, const char *caption, const char *columns, const char *needs, const char *where, FILE *out)
{
	struct table table = { 0 };
	FILE *f = open_part(file);

	if (!f)
		return;
	fclose(f);
	table_read(&table, file);
	html_rows(&table, file, caption, columns, needs, where, out);
	table_free(&table);
}

/* Print a file in base64. */
static void put_base64(const char *name, FILE *f, FILE *out)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned char in[3];
	size_t got;

	while ((got = fread(in, 1, 3, f))) {
		uint32_t bits = in[0] << 16 | (got > 1 ? in[1] << 8 : 0) | (got > 2 ? in[2] : 0);

		fputc(digits[bits >> 18], out);
		fputc(digits[bits >> 12 & 63], out);
		fputc(got > 1 ? digits[bits >> 6 & 63] : '=', out);
		fputc(got > 2 ? digits[bits & 63] : '=', out);
	}
	if (ferror(f))
		die("cannot read %s: %s", name, strerror(errno));
}

/* Print an svg file as the rest of a URL. This is shorter than base64. */
static void put_svg(const char *name, FILE *f, FILE *out)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	copy_stream(f, to);
	fclose(to);
	if (ferror(f))
		die("cannot read %s: %s", name, strerror(errno));
	for (const char *at = svg_shortened(text); *at; at++)
		fprintf(out, strchr("%#\"<>&\t\n", *at) ? "%%%02X" : "%c", *at);
	free(text);
}

void html_figure(const char *file, const char *caption, FILE *out)
{
	size_t len = strlen(file);
	bool png = len > 4 && !strcmp(file + len - 4, ".png");
	FILE *f = open_part(file);

	if (!f)
		return;
	fprintf(out, "<figure><img alt=\"%s\" src=\"data:image/%s,", caption, png ? "png;base64" : "svg+xml");
	(png ? put_base64 : put_svg)(file, f, out);
	fprintf(out, "\">\n<figcaption>%s</figcaption></figure>\n", caption);
	fclose(f);
}

/* The style of all pages, and the hash of the text between <style> and </style>, as a browser computes it. */
static const char style[] =
#include "style.inc"
;

void html_head(const char *title, FILE *out)
{
	fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"
		"<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n<h1>%s</h1>\n", STYLE_HASH, html(title), style, html(title));
}

void html_end(const char *program, const char *revision, FILE *out)
{
	fprintf(out, "<footer>Written by %s, revision %s.</footer>\n</body>\n</html>\n", program, html(revision));
}

char *brief(const char *ns)
{
	const char *dots = strstr(ns, "..");
	double x;

	if (dots && !strcmp(dots + 2, "-"))
		return xprintf("more than %s", brief(xprintf("%.*s", (int)(dots - ns), ns)));
	if (dots)
		return xprintf("%s to %s", brief(xprintf("%.*s", (int)(dots - ns), ns)), brief(dots + 2));
	if (!*ns || ns[*ns == '-' ? 1 + strspn(ns + 1, "0123456789.") : strspn(ns, "0123456789.")])
		return "?";
	x = number_in_text(ns) / 1000;
	return xprintf("%.*f", x >= 1000 || x <= -1000 ? 0 : x >= 100 || x <= -100 ? 1 : x >= 1 || x <= -1 ? 2 : 3, x);
}

char *exact(double ns)
{
	return xprintf("%.10g", ns / 1000);
}

void add_name(struct names *names, const char *name)
{
	names->list = xrealloc(names->list, names->nr + 1, sizeof(*names->list));
	names->list[names->nr++] = name;
}

char *listed(const struct names *names)
{
	struct text out = { 0 };

	for (size_t i = 0; i < names->nr; i++)
		text_join(&out, i + 1 == names->nr ? " and " : ", ", "%s", names->list[i]);
	return xstrdup(text_str(&out));
}

void paragraph(const char *class, const char *text, FILE *out)
{
	text += strspn(text, " ");
	if (*text)
		fprintf(out, "<p class=\"%s\">%s</p>\n", class, html(text));
}
