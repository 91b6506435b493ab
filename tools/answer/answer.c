// SPDX-License-Identifier: GPL-2.0
/*
 * answer verdict [-b NS] [-p PERCENTILE] [-a] [-i] [-F] [-f FORM] [-o VERDICT.TSV] [-n NAME]
 *                [-d DIR] [-s SAMPLES] [-t] [-c NAME] [-g WAKELAT -G OPTIONS -D DIR]
 *                [-S PREFIX -P PERCENTILES [-T DIRECTORY]] RUN.TSV TABLE...
 *
 * Judge the samples of TABLE (samples.tsv or counts.tsv) against the budget and the advertised
 * latencies.
 *
 *	-b	budget in ns
 *	-p	the percentile that decides, or max
 *	-a	judge all CPUs together
 *	-i	samples are missing from the recording
 *	-F	judge a recording that lost events by its remaining samples
 *	-f	what to print: text, json, none, parts, or paste:TARGET
 *	-o	write the table to this file, or with -f parts what a page says to PREFIX-*, see answer.h
 *	-n	the recording's name
 *	-d	its directory, in messages
 *	-s	the name of TABLE in messages
 *	-t	the TABLEs are the traces of a recording's directory, trace.dat last
 *	-c	compare the numbers of samples with those of RUN.TSV; NAME is the table in messages
 *	-g	wakelat as the user calls it, for the command that prints the texts to paste
 *	-G	the options of that command
 *	-D	its directory
 *	-S	also make the tables of answer stats -o PREFIX -p PERCENTILES [-F DIRECTORY], see stats.h
 *
 * answer counters RUN.TSV TABLE
 *
 * Print the residency counter of each state that TABLE has, as state:3=cc6_cyc.
 *
 * answer limits [-b] [-i] [-n NAMES] {RUN.TSV [TABLE]}... | MACHINES.TSV
 *
 * Print what the recordings say nothing about (see print_limits_of()): -b: brief, -i: they are of idle
 * periods.
 *
 * answer paste COMMAND TARGET RUN.TSV LIMIT_US BUDGET_NS PERCENTILE
 *
 * Print a text to paste that sets this limit. It names COMMAND.
 *
 * answer idle-table RUN.TSV RESIDENCIES.TSV
 *
 * Print intel_idle.table= with measured residencies (columns state, residency_ns), or why there is
 * none (exit status 1).
 *
 * answer stats: see stats.h; answer compare: see compare.h; answer figures: see draw.h; answer page, answer html: see page.c
 *
 * Exit status of verdict and paste: 0 if all states keep the limit, 4 if one exceeds it, 5 if that
 * is undecided, or nothing can be pasted, 3 if samples are missing.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "compare.h"
#include "draw.h"
#include "html.h"
#include "message.h"
#include "outfile.h"
#include "plain.h"
#include "recording.h"
#include "run.h"
#include "stats.h"

static void usage(void)
{
	die("usage: answer stats [OPTION]... RUN.TSV TABLE... | compare OPTION... {-r RUN.TSV [-t] TABLE...}... | figures OPTION... {-r RUN.TSV [-t] TABLE...}... | page OPTION... DIR... | html PART [ARGUMENT]... | counters RUN.TSV TABLE | limits [-b] [-i] [-n NAMES] {RUN.TSV [TABLE]}... | MACHINES.TSV | "
	    "paste COMMAND TARGET RUN.TSV LIMIT_US BUDGET_NS PERCENTILE | "
	    "idle-table RUN.TSV RESIDENCIES.TSV | "
	    "verdict [-b NS] [-p PERCENTILE] [-a] [-i] [-F] "
	    "[-f text|json|none|parts|paste:TARGET] [-o FILE] [-n NAME] [-d DIR] [-s SAMPLES] [-t] "
	    "[-c NAME] [-g WAKELAT -G OPTIONS -D DIR] [-S PREFIX -P PERCENTILES [-T DIRECTORY]] RUN.TSV TABLE...");
}

enum verdict overall_verdict(const struct answer *answer)
{
	const char *column = answer->question.budget ? "budget_verdict" : "advertised_verdict";
	bool any[UNDECIDED + 1] = { false };

	for (size_t i = 0; i < table_rows(&answer->rows); i++)
		any[verdict_from(table_get(&answer->rows, i, column))] = true;
	return any[EXCEEDED] ? EXCEEDED : any[UNDECIDED] || !any[KEPT] ? UNDECIDED : KEPT;
}

/*
 * Return the exit status that tells the verdict. If events were lost while recording, no verdict is
 * certain.
 */
static int status_of(const struct answer *answer)
{
	enum verdict verdict = overall_verdict(answer);

	if ((answer->lost > 0 && !answer->question.force) || verdict == UNDECIDED)
		return STATUS_UNDECIDED;
	return verdict == EXCEEDED ? STATUS_EXCEEDED : 0;
}

void print_plain(char *text, FILE *to)
{
	while (text && *text) {
		char *end = strchr(text, '\n');

		if (end)
			*end++ = '\0';
		fprintf(to, "%s\n", make_plain(text));
		text = end;
	}
}

/* Print a text to paste. Return the exit status. */
static int print_paste(const struct answer *answer, const char *target, FILE *to)
{
	const char *emulated = fact(&answer->facts, "emulated");
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	bool there = paste(answer, target, "wakelat verdict", out);
	int status = status_of(answer);

	fclose(out);
	if (!there) {
		text[strcspn(text, "\n")] = '\0';
		message("%s: there is nothing to paste: %s", answer->question.directory, text);
		return status ? status : STATUS_UNDECIDED;
	}
	if (!strcmp(target, "cmdline") && strcmp(emulated, "no"))
		message("emulated or under a hypervisor: this is an example; its numbers are not those of any real CPU");
	fputs(text, to);
	free(text);
	return answer->question.incomplete ? STATUS_INCOMPLETE : 0;
}

static int print_answer(const struct answer *answer, const char *form, const char *again, FILE *to)
{
	char *text = NULL;
	size_t len;
	FILE *out;

	if (!strncmp(form, "paste:", 6))
		return print_paste(answer, form + 6, to);
	if (!strcmp(form, "json")) {
		print_document(answer, to);
	} else if (!strcmp(form, "text")) {
		out = open_memstream(&text, &len);
		show_verdict(answer, again, out);
		fclose(out);
		print_plain(text, to);
		free(text);
	} else if (strcmp(form, "none") && strcmp(form, "parts")) {
		usage();
	}
	return answer->question.incomplete && !answer->question.force ? STATUS_INCOMPLETE :
		status_of(answer);
}

/* Store an option. */
static void take_option(struct question *q, int opt, char *value)
{
	if (opt == 'a')
		q->pooled = true;
	else if (opt == 'b')
		q->budget = value;
	else if (opt == 'c')
		q->check = value;
	else if (opt == 'F')
		q->force = true;
	else if (opt == 'i')
		q->incomplete = true;
	else if (opt == 'n')
		q->name = value;
	else if (opt == 'd')
		q->directory = value;
	else if (opt == 's')
		q->samples_name = value;
	else if (opt == 't')
		q->traces = true;
	else if (opt == 'p')
		q->percentile_given = (q->percentile = value);
	else
		usage();
}

/* What is asked, and where the answer goes. */
struct task {
	struct answer answer;
	const char *form, *again, *output, *parts;
	struct stats stats;	/* -S */
};

/* Judge, write the table, and print the answer to TEXT. Return the exit status. */
static int answer_task(FILE *text, void *arg)
{
	struct task *task = arg;
	FILE *table;

	judge(&task->answer);
	if (task->parts)
		write_parts(&task->answer, task->parts);
	if (task->output) {
		table = outfile_begin_stream(task->output);
		table_tsv(&task->answer.rows, table);
		outfile_close_stream(table, task->output);
	}
	if (task->stats.prefix)
		make_files(&task->stats);
	return print_answer(&task->answer, task->form, task->again, text);
}

/* Prepare the tables of -S, of the same samples. */
static void prepare_stats(struct task *task)
{
	const struct question *q = &task->answer.question;
	struct stats *stats = &task->stats;

	stats->question = (struct question) { .run_tsv = q->run_tsv, .tables = q->tables, .nr_tables = q->nr_tables, .traces = q->traces,
		.samples_name = q->tables[q->nr_tables - 1] };
	stats->facts = task->answer.facts;
	stats->name = q->name;
	stats->figures = figures_new(88);
	choose_draws(stats);
}

static int verdict(int argc, char **argv)
{
	static struct task task = { .answer.question = { .percentile = "99.9", .name = "recording", .directory = "recording" },
		.stats = { .selected = "", .again = "" } };
	struct question *q = &task.answer.question;
	const char *wakelat = NULL, *options = "", *directory = "";
	int opt, status;

	task.form = "text";
	while ((opt = getopt(argc, argv, "ab:c:d:D:Ff:g:G:in:o:p:P:s:S:tT:")) != -1) {
		if (opt == 'f')
			task.form = optarg;
		else if (opt == 'g')
			wakelat = optarg;
		else if (opt == 'G')
			options = optarg;
		else if (opt == 'D')
			directory = optarg;
		else if (opt == 'o')
			task.output = optarg;
		else if (opt == 'P')
			task.stats.percentiles = optarg;
		else if (opt == 'S')
			task.stats.prefix = optarg;
		else if (opt == 'T')
			figures_directory = optarg;
		else
			take_option(q, opt, optarg);
	}
	if (optind + 2 > argc || !task.stats.prefix != !task.stats.percentiles)
		usage();
	q->run_tsv = argv[optind];
	q->tables = (const char *const *)argv + optind + 1;
	q->nr_tables = argc - optind - 1;
	if (!q->samples_name)
		q->samples_name = argv[argc - 1];
	if (wakelat)
		task.again = xprintf("%s verdict%s %s", shell_quoted(wakelat), options, path_quoted(directory));
	if (!strcmp(task.form, "parts")) {
		task.parts = task.output;
		task.output = NULL;
	}
	facts_read(&task.answer.facts, q->run_tsv);
	if (task.stats.prefix)
		prepare_stats(&task);
	status = run_reader(q->tables, q->traces ? q->nr_tables : 0, task.output, answer_task, &task);
	return status == 1 || draw_rest(&task.stats) ? status : 1;
}

static int counters(int argc, char **argv)
{
	static struct answer answer;

	if (argc != 3)
		usage();
	facts_read(&answer.facts, argv[1]);
	answer.question.tables = (const char *const *)argv + 2;
	answer.question.nr_tables = 1;
	print_counters(&answer);
	return 0;
}

static int limits(int argc, char **argv)
{
	bool brief = false, latency = true;
	char *names = NULL;
	int opt;

	while ((opt = getopt(argc, argv, "bin:")) != -1) {
		if (opt == '?')
			usage();
		brief |= opt == 'b';
		latency &= opt != 'i';
		names = opt == 'n' ? optarg : names;
	}
	if (!print_limits_of(argv + optind, names, brief, latency))
		usage();
	return 0;
}

/* Print a text to paste for a limit. */
static int paste_command(int argc, char **argv)
{
	static struct answer answer;

	if (argc != 7)
		usage();
	facts_read(&answer.facts, argv[3]);
	answer.limit.us = number_in_text(argv[4]);
	answer.question.budget = argv[5];
	answer.question.percentile = argv[6];
	return paste(&answer, argv[2], argv[1], stdout) ? 0 : STATUS_UNDECIDED;
}

/* Print intel_idle.table= with measured residencies, or why there is none. */
static int idle_table(int argc, char **argv)
{
	const char *upper[MAX_STATES] = { 0 }, *residency[MAX_STATES] = { 0 };
	struct table measured;
	static struct facts facts;
	struct idle_table table;

	if (argc != 3)
		usage();
	facts_read(&facts, argv[1]);
	table_read(&measured, argv[2]);
	for (size_t i = 0; i < table_rows(&measured); i++) {
		int state = state_named(&facts, table_get(&measured, i, "state"));

		if (state >= 0)
			residency[state] = table_get(&measured, i, "residency_ns");
	}
	make_idle_table(&table, &facts, upper, residency);
	if (text_empty(&table.table)) {
		printf("%s\n", text_str(&table.why_none));
		return 1;
	}
	printf("intel_idle.table=%s\n", text_str(&table.table));
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} commands[] = { { "verdict", verdict }, { "stats", stats_command }, { "figures", figures_command }, { "page", page_command },
		{ "html", html_command }, { "compare", compare_command }, { "counters", counters },
		{ "limits", limits }, { "paste", paste_command },
		{ "idle-table", idle_table } };

	message_init("answer");
	for (size_t i = 0; argc > 1 && i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i].name)) {
			int status = commands[i].run(argc - 1, argv + 1);

			if (status < 0)
				usage();
			outfile_end_stdout();
			return status;
		}
	usage();
}
