/* SPDX-License-Identifier: GPL-2.0 */
/* What all pages are made of. All text of recordings goes through html(), in elements and in quoted attributes. */
#ifndef WAKELAT_HTML_H
#define WAKELAT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "table.h"

/* Return text as HTML, allocated. Control characters and those that change the direction of text are replaced. */
char *html(const char *text);

/*
 * Print a file as HTML, line by line. LIST: as a list; an indented line continues the line before. NAME "-" is standard input. Return
 * false if there is no such file.
 */
bool html_part(const char *name, bool list, FILE *out);
/* Copy a file, which is HTML. Return false if there is no such file. */
bool copy_part(const char *name, FILE *out);
/* Return the first line of a file, "" if there is none. */
char *first_line(const char *name);

/*
 * Print a table; nothing if FILE does not exist. COLUMNS is NAME=HEADING;...; columns that the table does not have are left out.
 * NEEDS: print nothing if no row has a value in this column. WHERE, NAME=VALUE: only the rows with this value. Both are "" for none.
 */
void html_table(const char *file, const char *caption, const char *columns, const char *needs, const char *where, FILE *out);
/* The same for a table that was read from FILE. */
void html_rows(const struct table *table, const char *file, const char *caption, const char *columns, const char *needs,
	       const char *where, FILE *out);

/* svg.c: return the text of an svg file of gnuplot's, shortened and allocated. */
char *svg_shortened(const char *text);
/* Print a figure as an img element. Inline svg would not do: the ids of several figures would clash. CAPTION is HTML. */
void html_figure(const char *file, const char *caption, FILE *out);

/*
 * Print the head of a page. Its policy forbids scripts, fetches and forms, so nothing in a recording can make the page do that.
 */
void html_head(const char *title, FILE *out);
void html_end(const char *program, const char *revision, FILE *out);
void paragraph(const char *class, const char *text, FILE *out);

/* Return ns as us for a sentence, with only as many digits as a reader needs. */
char *brief(const char *ns);
/* Return a given limit in us, without rounding. */
char *exact(double ns);

/* A list of names; "a", "a and b" or "a, b and c" as text. */
struct names {
	const char **list;
	size_t nr;
};

void add_name(struct names *names, const char *name);
char *listed(const struct names *names);

/* page-picture.c: print a picture of the latency of each state. NAMES are those of the recordings, if there are several. */
void html_picture(char **files, const struct names *names, size_t nr, FILE *out);
/* page-compare.c: print how each recording differs from the first, from compare.tsv. */
void html_differences(const char *file, FILE *out);
/*
 * Print one answer if all recordings are of one machine, each with another source of wake-ups, because a machine can have only one
 * latency limit. Return the number of the recording that decides; 0 if each recording has its own answer.
 */
size_t html_joint(char **run_tsvs, char **verdicts, const struct names *names, FILE *out);
/* page-answer.c: print the verdict in words. JOINT: the page has one latency limit for several recordings. */
void html_answer(const char *words_file, bool joint, FILE *out);
/* Print the statistics of each latency, a row for each state. Below each percentile is its interval of 95 % confidence. */
void html_stats(const char *intervals_file, const char *stats_file, FILE *out);

/* page.c: see there. Return the exit status; -1: a wrong command line. */
int page_command(int argc, char **argv);
int html_command(int argc, char **argv);

#endif
