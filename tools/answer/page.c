// SPDX-License-Identifier: GPL-2.0
/*
 * answer page [-b] -w WORK -o FILE -N NAMES [-t TITLE] -p PROGRAM -r REVISION DIR...
 *
 * Write the page of recordings to FILE. Their results are in WORK, for recording N: what answer verdict -f parts writes as N-*, what answer
 * stats -o N-stats writes, N-incomplete if samples are missing, and what extras say, as HTML: N-extras.html below the verdict,
 * N-details.html below the tables. For several recordings also compare.tsv and differences (a line for each doubt).
 *
 *	-b	the user has named a budget
 *	-N	the names of the recordings, separated by TABs
 *	-t	the title; without it, the names, and whether the machine is a real one
 *
 * WORK/figures has a line for each figure: its file, a TAB, its caption; WORK/left-out why others are missing.
 *
 * answer html head TITLE | table FILE CAPTION COLUMNS [NEEDS [WHERE]] | text | plain | list FILE | figure FILE CAPTION | end PROGRAM REVISION
 *
 * Print a part of a page; text: of standard input; plain: standard input as UTF-8 without control characters.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "html.h"
#include "message.h"
#include "outfile.h"
#include "percentile.h"
#include "plain.h"

struct page {
	const char *work, *title, *program, *revision;
	struct names names;
	char **dirs;
	bool budget;
	size_t joint;		/* the recording that decides for all; 0: each has its own answer */
	struct facts facts;	/* of the current recording */
	const char *dir;
	size_t number;		/* of the current recording, from 1 */
	FILE *out;
};

/* Return the path of a file of the current recording in WORK. */
static char *part(const struct page *page, const char *name)
{
	return xprintf("%s/%zu-%s", page->work, page->number, name);
}

static char *in_work(const struct page *page, const char *name)
{
	return xprintf("%s/%s", page->work, name);
}

static void begin_folded(const struct page *page, const char *title)
{
	fprintf(page->out, "<details>\n<summary>%s</summary>\n", title);
}

static void end_folded(const struct page *page)
{
	fputs("</details>\n", page->out);
}

/* Call PUT for each recording. If there are several, their names are headings of this level. */
static void each(struct page *page, int level, void (*put)(struct page *page))
{
	for (size_t i = 0; i < page->names.nr; i++) {
		page->number = i + 1;
		page->dir = page->dirs[i];
		facts_read(&page->facts, xprintf("%s/run.tsv", page->dir));
		if (page->names.nr > 1)
			fprintf(page->out, "<h%d>%s</h%d>\n", level, html(page->names.list[i]), level);
		put(page);
	}
}

/* Add a fact to a sentence. */
static void say(struct text *out, const struct page *page, const char *key, const char *before)
{
	const char *value = fact(&page->facts, key);

	if (*value && strcmp(value, "-"))
		text_join(out, ", ", "%s%s", before, html(value));
}

/* Print a sentence that says what was measured. */
static void put_lead(const struct page *page)
{
	struct text out = { 0 };

	say(&out, page, "cpu_model", "");
	say(&out, page, "driver", "idle driver ");
	say(&out, page, "source", "source ");
	say(&out, page, "cpus", "CPU ");
	say(&out, page, "kernel", "kernel ");
	fprintf(page->out, "<p class=\"lead\">%s.</p>\n", text_str(&out));
}

static bool has_file(const struct page *page, const char *name)
{
	return !access(xprintf("%s/%s", page->dir, name), F_OK);
}

/* Print the warnings that a reader of the numbers needs. */
static void put_warnings(const struct page *page)
{
	const char *emulated = fact_first(&page->facts, "emulated"), *caveat = fact_first(&page->facts, "caveat");
	FILE *out = page->out;

	if (!strcmp(fact_first(&page->facts, "driver"), "artificial"))
		fputs("<p class=\"warn\">Artificial: the idle states are those of cpuidle-artificial, whose exit latencies are set. They say nothing about any real CPU.</p>\n", out);
	else if (!strcmp(emulated, "yes"))
		fputs("<p class=\"warn\">Emulated: measured on a virtual CPU whose exit latencies are set by its model. It says nothing about any real CPU.</p>\n", out);
	else if (strcmp(emulated, "no"))
		fputs("<p class=\"warn\">Measured under a hypervisor, or on an unknown machine: the idle states may not be the real ones.</p>\n", out);
	if (*caveat)
		fprintf(out, "<p class=\"warn\">%s.</p>\n", html(caveat));
	fprintf(out, "<p class=\"sure\">%s</p>\n", html(first_line(part(page, "limits"))));
	if (!has_file(page, "samples.tsv") && !has_file(page, "trace.dat") && has_file(page, "counts.tsv"))
		fputs("<p class=\"sure\">Counts have no order, so the bounds assume independent samples.</p>\n", out);
	if (!access(part(page, "incomplete"), F_OK))
		fputs("<p class=\"warn\">Incomplete: samples are missing from this recording.</p>\n", out);
}

/* Print how sure the verdict is, and its doubts. */
static void put_notes(const struct page *page)
{
	char *text = NULL, *line, *rest;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	copy_part(part(page, "notes"), to);
	fclose(to);
	for (rest = text; (line = strsep(&rest, "\n")); )
		paragraph(strncmp(line, "DOUBT: ", 7) ? "sure" : "warn", line, page->out);
}

static void put_pre(const struct page *page, const char *file)
{
	fputs("<pre>", page->out);
	html_part(file, false, page->out);
	fputs("</pre>\n", page->out);
}

/* Print a text to paste under a title, if there is one. */
static void put_paste(const struct page *page, const char *target, const char *title)
{
	char *file = part(page, xprintf("paste-%s", target));

	if (access(file, F_OK))
		return;
	fprintf(page->out, "<p>%s:</p>\n", title);
	put_pre(page, file);
}

/* Print what to do, from the recording that decides. */
static void put_advice(const struct page *page)
{
	static const char *const others[][2] = {
		{ "qos", "For all CPUs, as long as a process holds it: /dev/cpu_dma_latency" },
		{ "wakeup", "For wake-ups in suspend-to-idle: /dev/cpu_wakeup_latency" },
		{ "cpupower", "With cpupower, until reboot" }, { "tuned", "As a profile of tuned" }, { "systemd", "As a service of systemd" },
		{ "udev", "As a rule of udev" }, { "crio", "For containers: CRI-O" },
	};

	fputs("<h3>What to do</h3>\n", page->out);
	put_pre(page, part(page, "advice"));
	if (access(part(page, "paste-sysfs"), F_OK))
		return;
	put_paste(page, "sysfs", "To set it for each CPU, until reboot");
	begin_folded(page, "Other ways to set it");
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		put_paste(page, others[i][0], others[i][1]);
	end_folded(page);
}

/* Print what was measured, and the answer. */
static void put_first(struct page *page)
{
	char *verdict = part(page, "verdict.tsv");

	put_lead(page);
	html_answer(part(page, "words.tsv"), page->joint, page->out);
	put_warnings(page);
	html_picture(&verdict, NULL, 1, page->out);
	put_notes(page);
	copy_part(part(page, "extras.html"), page->out);
	if (!page->joint)
		put_advice(page);
	if (!page->budget)
		fputs("<p>To see here which states keep a latency budget, run <code>wakelat report --budget 50us</code>.</p>\n", page->out);
}

/* Print what on the machine may have distorted the measurement. */
static void put_doctor(const struct page *page)
{
	static const char columns[] = "severity;subject=where;finding;change=what to do";
	struct table table = { 0 }, found = { 0 };
	char *file = xprintf("%s/doctor.tsv", page->dir);
	size_t severity;

	if (access(file, R_OK))
		return;
	table_read(&table, file);
	severity = table_find(&table, "severity");
	for (size_t i = 0; i < table.nr_columns; i++)
		table_column(&found, "%s", table.columns[i]);
	for (size_t row = 0; row < table_rows(&table); row++)
		for (size_t i = 0; i < table.nr_columns && (severity == TABLE_NONE || strcmp(table_cell(&table, row, severity), "ok")); i++)
			table_put(&found, "%s", table_cell(&table, row, i));
	html_rows(&found, file, "What on the machine may have distorted the measurement", columns, "severity", "", page->out);
}

/* Print the tables of verdict and stats, notes about them, and the findings of doctor. */
static void put_details(struct page *page)
{
	char *verdict = part(page, "verdict.tsv"), *stats = part(page, "stats");
	FILE *out = page->out;

	begin_folded(page, "Tables");
	html_table(verdict, "The budget against what was measured, µs",
		   "state;cpu=CPU;metric;n;p50;percentile;value=of samples;low=from;high=to;max;machine_n=n as it is;machine_low=from as it is;machine_high=to as it is;machine_max=max as it is;budget_ns=budget;budget_verdict=vs. budget",
		   "", "", out);
	html_table(verdict, "The advertised exit latency against what was measured, µs",
		   "state;cpu=CPU;metric;n;low=from;high=to;max;advertised_ns=advertised;advertised_verdict=vs. advertised;advertised_over=above advertised;advertised_over_pct=above, %;not_reached=not reached",
		   "", "", out);
	html_stats(xprintf("%s-ci.tsv", stats), xprintf("%s.tsv", stats), out);
	html_table(xprintf("%s-reached.tsv", stats), "Samples that reached the state asked for, and that did not, µs",
		   "state=asked for;source;reached;n;wake_latency_min=wake min;wake_latency_p50=wake p50;wake_latency_p99=wake p99;wake_latency_max=wake max;intr_latency_p50=interrupt p50;intr_latency_p99=interrupt p99;intr_latency_max=interrupt max;tainted",
		   "reached", "", out);
	html_table(xprintf("%s-cpu.tsv", stats), "CPU by CPU, µs",
		   "state;source;cpu=CPU;n;wake_latency_p50=wake p50;wake_latency_p99=wake p99;wake_latency_max=wake max;intr_latency_p50=interrupt p50;intr_latency_p99=interrupt p99;intr_latency_max=interrupt max;latency_p50=p50;latency_p99=p99;latency_max=max;tainted",
		   "", "", out);
	html_table(xprintf("%s-frequency.tsv", stats), "Frequency while awake around the idle period", "state;source;n;mhz=MHz", "mhz", "", out);
	fputs("<h3>Notes on the samples</h3>\n", out);
	html_part(xprintf("%s-notes", stats), true, out);
	put_doctor(page);
	end_folded(page);
	copy_part(part(page, "details.html"), out);
}

static void put_facts(struct page *page)
{
	fputs("<div class=\"wide\"><table class=\"facts\">\n", page->out);
	/* The first line is the header. */
	for (size_t i = 1; i < page->facts.nr; i++)
		fprintf(page->out, "<tr><th>%s</th><td>%s</td></tr>\n", html(page->facts.list[i].key), html(page->facts.list[i].value));
	fputs("</table></div>\n", page->out);
}

static void put_method(const struct page *page)
{
	fprintf(page->out, "<details>\n<summary>Method</summary>\n"
	      "<p>An event was armed at a launch distance, the CPU went idle, and the clock was stamped directly\n"
	      "before and after the idle state was entered and first in the event's interrupt handler. Wake latency is the\n"
	      "stamp after idle minus the time of the event; interrupt latency is the handler's stamp minus the time of the\n"
	      "event; silent time is the time of the event minus the stamp before idle. Only events that found the CPU idle\n"
	      "are samples. A state that is entered with interrupts on has an interrupt latency only. Samples imported from another\n"
	      "tool are what that tool measured.</p>\n"
	      "<p>Tainted samples, which something else than the armed event may have begun or disturbed, are counted and left out.\n"
	      "Percentiles are interpolated linearly between order statistics (type 7). A percentile is given only if the number of samples is\n"
	      "large enough that at least one sample exceeds the percentile with 95&nbsp;%% probability (p99 needs %" PRIu64 " samples, p99.9 %" PRIu64 ", p99.99 %" PRIu64 "). Below it is the\n"
	      "95&nbsp;%% confidence interval: two order statistics, for any distribution. If samples depend on each other, the interval is that\n"
	      "of the equivalent, smaller number of independent samples. The standard deviation is that of a sample (n&nbsp;&minus;&nbsp;1).\n"
	      "The longest latency seen is not the longest possible.</p>\n</details>\n",
		percentile_needs("99"), percentile_needs("99.9"), percentile_needs("99.99"));
}

static void put_figures(const struct page *page)
{
	char *list = NULL, *rest, *line;
	size_t len;
	FILE *to = open_memstream(&list, &len);
	bool drawn = copy_part(in_work(page, "figures"), to);

	fclose(to);
	begin_folded(page, "Figures");
	if (drawn)
		fputs("<div class=\"figures\">\n", page->out);
	for (rest = list; (line = strsep(&rest, "\n")); ) {
		char *caption = strchr(line, '\t');

		if (!caption)
			continue;
		*caption++ = '\0';
		html_figure(line, caption, page->out);
	}
	if (drawn)
		fputs("</div>\n", page->out);
	if (*first_line(in_work(page, "left-out")))
		html_part(in_work(page, "left-out"), true, page->out);
	end_folded(page);
}

/* Print how the recordings differ, in words and one picture, and one answer for all, if there is one. */
static void put_comparison(struct page *page)
{
	size_t nr = page->names.nr;
	char **verdicts = xrealloc(NULL, nr, sizeof(*verdicts)), **run_tsvs = xrealloc(NULL, nr, sizeof(*run_tsvs));

	for (size_t i = 0; i < nr; i++) {
		verdicts[i] = xprintf("%s/%zu-verdict.tsv", page->work, i + 1);
		run_tsvs[i] = xprintf("%s/run.tsv", page->dirs[i]);
	}
	html_differences(in_work(page, "compare.tsv"), page->out);
	html_picture(verdicts, &page->names, nr, page->out);
	if (*first_line(in_work(page, "differences")))
		html_part(in_work(page, "differences"), true, page->out);
	page->joint = html_joint(run_tsvs, verdicts, &page->names, page->out);
	page->number = page->joint;
	if (page->joint)
		put_advice(page);
}

static void put_all_differences(const struct page *page)
{
	const char *first = page->dirs[0] + (strncmp(page->dirs[0], "./", 2) ? 0 : 2), *file = in_work(page, "compare.tsv");
	struct names seen = { 0 };
	struct table table = { 0 };

	begin_folded(page, "All differences");
	table_read(&table, file);
	for (size_t row = 0; row < table_rows(&table); row++) {
		const char *b = table_get(&table, row, "run_b");
		size_t i = 0;

		while (i < seen.nr && strcmp(seen.list[i], b))
			i++;
		if (i < seen.nr)
			continue;
		add_name(&seen, b);
		html_rows(&table, file, xprintf("%s (A) and %s (B), µs", first, b),
			  "state;source;metric;statistic;n_a=N of A;n_b=N of B;a=A;b=B;difference=B − A;difference_pct=%;difference_low=95 %, from;difference_high=to;distinguishable",
			  "", xprintf("run_b=%s", b), page->out);
	}
	fputs("<p>Distinguishable: the 95&nbsp;% confidence interval of the difference does not contain 0. Minimum and maximum have no such interval.</p>\n", page->out);
	end_folded(page);
}

/* Return the title of a page without one. If one machine is emulated, the title says so. */
static char *usual_title(const struct page *page)
{
	struct text out = { 0 };
	static struct facts facts;
	const char *machine = "";

	for (size_t i = 0; i < page->names.nr && !*machine; i++) {
		facts_read(&facts, xprintf("%s/run.tsv", page->dirs[i]));
		machine = machine_word(&facts);
	}
	text_add(&out, "Wake latency%s: ", machine);
	for (size_t i = 0; i < page->names.nr; i++)
		for (const char *at = xprintf("%s%s", i ? "," : "", page->names.list[i]); *at; at++)
			text_add(&out, *at == ',' ? ", " : "%c", *at);
	return xstrdup(text_str(&out));
}

static void put_page(struct page *page)
{
	html_head(*page->title ? page->title : usual_title(page), page->out);
	if (page->names.nr > 1)
		put_comparison(page);
	each(page, 2, put_first);
	fputs("<h2>More</h2>\n", page->out);
	put_figures(page);
	if (page->names.nr > 1)
		put_all_differences(page);
	each(page, 3, put_details);
	put_method(page);
	begin_folded(page, "Circumstances");
	each(page, 3, put_facts);
	end_folded(page);
	html_end(page->program, page->revision, page->out);
}

/* Print text with make_plain(), so that the page is UTF-8 whatever a recording contains. */
static void print_plain_lines(char *text, FILE *out)
{
	while (*text) {
		size_t len = strcspn(text, "\t\n");
		char end = text[len];

		text[len] = '\0';
		fputs(make_plain(text), out);
		if (!end)
			return;
		fputc(end, out);
		text += len + 1;
	}
}

/* Return the whole text of a file, allocated. */
static char *read_all(FILE *f)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	for (int c; (c = getc(f)) != EOF && c; )
		fputc(c, to);
	fclose(to);
	return text;
}

int page_command(int argc, char **argv)
{
	static struct page page = { .title = "", .program = "", .revision = "-" };
	char *text = NULL, *names = NULL;
	const char *output = NULL;
	size_t len;
	FILE *out;
	int opt;

	while ((opt = getopt(argc, argv, "bN:o:p:r:t:w:")) != -1) {
		if (opt == 'b')
			page.budget = true;
		else if (opt == 'N')
			names = optarg;
		else if (opt == '?')
			return -1;
		else
			*(opt == 'o' ? &output : opt == 'p' ? &page.program : opt == 'r' ? &page.revision : opt == 't' ? &page.title :
			  &page.work) = optarg;
	}
	for (const char *name; names && (name = strsep(&names, "\t")); )
		add_name(&page.names, name);
	if (!page.work || !output || !page.names.nr || page.names.nr != (size_t)(argc - optind))
		return -1;
	page.dirs = argv + optind;
	page.out = open_memstream(&text, &len);
	put_page(&page);
	fclose(page.out);
	outfile_drop_at_signals();
	out = outfile_begin_stream(output);
	print_plain_lines(text, out);
	outfile_close_stream(out, output);
	return outfile_place(output) ? 1 : 0;
}

int html_command(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "head") && argc == 3)
		html_head(argv[2], stdout);
	else if (!strcmp(what, "end") && argc == 4)
		html_end(argv[2], argv[3], stdout);
	else if (!strcmp(what, "plain") && argc == 2)
		print_plain_lines(read_all(stdin), stdout);
	else if (!strcmp(what, "text") && argc == 2)
		html_part("-", false, stdout);
	else if (!strcmp(what, "list") && argc == 3)
		html_part(argv[2], true, stdout);
	else if (!strcmp(what, "figure") && argc == 4)
		html_figure(argv[2], argv[3], stdout);
	else if (!strcmp(what, "table") && argc >= 5 && argc <= 7)
		html_table(argv[2], argv[3], argv[4], argc > 5 ? argv[5] : "", argc > 6 ? argv[6] : "", stdout);
	else
		return -1;
	return 0;
}
