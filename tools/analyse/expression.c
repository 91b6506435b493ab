// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"
#include "message.h"

enum kind { AND, OR, NOT, COMPARE_NUMBER, COMPARE_WORD };
enum relation { EQ, NE, LE, GE, LT, GT, NR_RELATIONS };

/* Longer operators come first, because "<" is the beginning of "<=". */
static const char *const relations[NR_RELATIONS] = { "==", "!=", "<=", ">=", "<", ">" };

struct operand {
	enum { COLUMN, NUMBER, WORD } kind;
	const char *at;		/* in the text, for messages */
	char *text;
	size_t column;
	__int128 number;
};

struct expression {
	enum kind kind;
	struct expression *a, *b;
	enum relation relation;
	struct operand left, right;
};

struct parser {
	const char *text;
	const char *at;
	unsigned int depth;
	const struct tsv *tsv;
	const struct state_name *states;
	size_t nr_states;
};

#define MAX_DEPTH 200

static void __attribute__((format(printf, 3, 4), noreturn))
wrong(const struct parser *p, const char *at, const char *fmt, ...)
{
	char what[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	die("'%s': at character %td: %s", p->text, at - p->text + 1, what);
}

static void skip_space(struct parser *p)
{
	while (*p->at == ' ' || *p->at == '\t')
		p->at++;
}

static bool accept(struct parser *p, const char *token)
{
	skip_space(p);
	if (strncmp(p->at, token, strlen(token)))
		return false;
	p->at += strlen(token);
	return true;
}

/*
 * Names of states may have dots and dashes. These are no operators, because there is no arithmetic.
 */
static bool in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

/* The limit of digits in a number. 10^18 ns are more than 30 years. */
#define MAX_DIGITS 18

static unsigned int unit_digits(const struct parser *p, const char *unit)
{
	static const char *const units[] = { "", "ns", "us", "ms", "s" };
	static const unsigned int digits[] = { 0, 0, 3, 6, 9 };

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(unit, units[i]))
			return digits[i];
	wrong(p, p->at, "unknown unit; ns, us, ms and s are known");
}

/* Parse a number and its unit exactly, by moving digits: 1.5us is 1500. */
static void parse_number(struct parser *p, struct operand *o)
{
	const char *s = o->text;
	bool negative = *s == '-';
	unsigned int digits = 0, decimals = 0, wanted;
	bool point = false;

	for (s += negative; isdigit((unsigned char)*s) || (*s == '.' && !point); s++) {
		if (*s == '.') {
			point = true;
			continue;
		}
		if (++digits > MAX_DIGITS)
			wrong(p, o->at, "more than %d digits", MAX_DIGITS);
		decimals += point;
		o->number = o->number * 10 + (*s - '0');
	}
	p->at = o->at + (s - o->text);
	if (!digits)
		wrong(p, o->at, "expected a number");
	for (wanted = unit_digits(p, s); decimals < wanted; decimals++)
		o->number *= 10;
	for (; decimals > wanted; decimals--) {
		if (o->number % 10)
			wrong(p, o->at, "%s is not a whole number%s", o->text, *s ? " of ns" : "");
		o->number /= 10;
	}
	if (negative)
		o->number = -o->number;
	p->at = o->at + strlen(o->text);
	o->kind = NUMBER;
}

static bool find_column(const struct tsv *tsv, struct operand *o)
{
	for (size_t i = 0; i < tsv->nr_columns; i++) {
		if (strcmp(tsv->header[i], o->text))
			continue;
		o->column = tsv_column(tsv, o->text);
		return true;
	}
	return false;
}

static struct operand parse_operand(struct parser *p)
{
	struct operand o = { .kind = WORD };
	size_t len = 0;

	skip_space(p);
	o.at = p->at;
	/* A name in quotes may have spaces. It is never a column or a number. */
	if (*o.at == '"' || *o.at == '\'') {
		const char *end = strchr(o.at + 1, *o.at);

		if (!end || end == o.at + 1)
			wrong(p, o.at, end ? "the quotes are empty" : "the quote has no end");
		o.text = xprintf("%.*s", (int)(end - o.at - 1), o.at + 1);
		p->at = end + 1;
		return o;
	}
	while (in_word(o.at[len]))
		len++;
	if (!len)
		wrong(p, o.at, *o.at ? "expected a column, name or number" :
				       "the condition ends here: expected a column, name or number");
	o.text = xprintf("%.*s", (int)len, o.at);
	p->at += len;
	if (find_column(p->tsv, &o))
		o.kind = COLUMN;
	else if (isdigit((unsigned char)*o.text) || *o.text == '-' || *o.text == '.')
		parse_number(p, &o);
	return o;
}

/* Replace the name of a state by its index, which is the value in column state. */
static void resolve_state(struct parser *p, struct operand *word)
{
	for (size_t i = 0; i < p->nr_states; i++) {
		if (strcmp(p->states[i].name, word->text))
			continue;
		free(word->text);
		word->text = xstrdup(p->states[i].index);
		return;
	}
	wrong(p, word->at, "there is no state %s", word->text);
}

static bool has_words(const char *column)
{
	static const char *const columns[] = { "source", "taint", "event", "unknown" };

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (!strcmp(column, columns[i]))
			return true;

	return false;
}

/* Move the word to the right side. die() if the other side cannot be compared with it. */
static void check_word(struct parser *p, struct expression *e)
{
	struct operand swap = e->left;
	const char *column;

	if (e->left.kind == WORD) {
		e->left = e->right;
		e->right = swap;
	}
	if (e->left.kind != COLUMN)
		wrong(p, e->right.at, "there is no column %s", e->right.text);
	if (e->relation != EQ && e->relation != NE)
		wrong(p, e->right.at, "%s can only be compared with == and !=", e->right.text);
	e->kind = COMPARE_WORD;
	column = e->left.text;
	if (!strcmp(e->right.text, "none"))
		return;
	if (!strcmp(column, "state"))
		resolve_state(p, &e->right);
	else if (!has_words(column))
		wrong(p, e->right.at, "there is no column %s to compare with %s, which has numbers",
		      e->right.text, column);
}

static struct expression *new_expression(enum kind kind, struct expression *a, struct expression *b)
{
	struct expression *e = xrealloc(NULL, 1, sizeof(*e));

	*e = (struct expression) { .kind = kind, .a = a, .b = b };
	return e;
}

static struct expression *parse_comparison(struct parser *p)
{
	struct expression *e = new_expression(COMPARE_NUMBER, NULL, NULL);

	e->left = parse_operand(p);
	for (e->relation = 0; e->relation < NR_RELATIONS; e->relation++)
		if (accept(p, relations[e->relation]))
			break;
	if (e->relation == NR_RELATIONS)
		wrong(p, p->at, "expected == != < <= > or >=");
	e->right = parse_operand(p);
	if (e->left.kind == WORD || e->right.kind == WORD)
		check_word(p, e);
	else if (e->left.kind != COLUMN && e->right.kind != COLUMN)
		wrong(p, e->left.at, "no column in this comparison");
	return e;
}

static struct expression *parse_or(struct parser *p);

static struct expression *parse_term(struct parser *p)
{
	struct expression *e;

	/* The user's text must not use up the stack. */
	if (++p->depth > MAX_DEPTH)
		wrong(p, p->at, "more than %d levels", MAX_DEPTH);
	if (accept(p, "!")) {
		e = new_expression(NOT, parse_term(p), NULL);
	} else if (accept(p, "(")) {
		e = parse_or(p);
		if (!accept(p, ")"))
			wrong(p, p->at, "expected )");
	} else {
		e = parse_comparison(p);
	}
	p->depth--;
	return e;
}

static struct expression *parse_and(struct parser *p)
{
	struct expression *e = parse_term(p);

	while (accept(p, "&&"))
		e = new_expression(AND, e, parse_term(p));
	return e;
}

static struct expression *parse_or(struct parser *p)
{
	struct expression *e = parse_and(p);

	while (accept(p, "||"))
		e = new_expression(OR, e, parse_and(p));
	return e;
}

struct expression *expression_parse(const char *text, const struct tsv *tsv,
				    const struct state_name *states, size_t nr_states)
{
	struct parser p = {
		.text = text,
		.at = text,
		.tsv = tsv,
		.states = states,
		.nr_states = nr_states,
	};
	struct expression *e = parse_or(&p);

	skip_space(&p);
	if (*p.at)
		wrong(&p, p.at, "expected && or || or the end");
	return e;
}

/* Evaluation. */

/*
 * Return false if the value is absent. 128 bits hold both unsigned counters and signed latencies.
 */
static bool value_of(const struct operand *o, const struct tsv *tsv, __int128 *value)
{
	const struct tsv_cell *cell;
	const char *s;
	bool negative;

	*value = o->number;
	if (o->kind == NUMBER)
		return true;
	if (tsv_absent(tsv, o->column))
		return false;
	cell = &tsv->cells[o->column];
	negative = cell->start < cell->end && *cell->start == '-';
	s = cell->start + negative;
	*value = 0;
	if (s == cell->end || cell->end - s > 20)
		die("%s:%" PRIu64 ": %s: '%.*s' is not a number", tsv->name, tsv->line, o->text,
		    (int)(cell->end - cell->start), cell->start);
	for (; s < cell->end; s++) {
		if (!isdigit((unsigned char)*s))
			die("%s:%" PRIu64 ": %s: '%.*s' is not a number", tsv->name, tsv->line, o->text,
			    (int)(cell->end - cell->start), cell->start);
		*value = *value * 10 + (*s - '0');
	}
	if (negative)
		*value = -*value;
	return true;
}

static bool numbers_hold(const struct expression *e, const struct tsv *tsv)
{
	__int128 a, b;

	if (!value_of(&e->left, tsv, &a) || !value_of(&e->right, tsv, &b))
		return false;
	switch (e->relation) {
	case EQ: return a == b;
	case NE: return a != b;
	case LE: return a <= b;
	case GE: return a >= b;
	case LT: return a < b;
	default: return a > b;
	}
}

/* True if TEXT is one of the words of a list, such as the taints. */
static bool has_word(const struct tsv_cell *cell, const char *text)
{
	struct tsv_cell word = { .start = cell->start };

	for (;; word.start = word.end + 1) {
		word.end = memchr(word.start, ',', cell->end - word.start);
		if (!word.end)
			word.end = cell->end;
		if (cell_is(&word, text))
			return true;
		if (word.end == cell->end)
			return false;
	}
}

static bool words_hold(const struct expression *e, const struct tsv *tsv)
{
	const char *word = strcmp(e->right.text, "none") ? e->right.text : "-";

	return has_word(&tsv->cells[e->left.column], word) == (e->relation == EQ);
}

bool expression_holds(const struct expression *e, const struct tsv *tsv)
{
	switch (e->kind) {
	case AND: return expression_holds(e->a, tsv) && expression_holds(e->b, tsv);
	case OR: return expression_holds(e->a, tsv) || expression_holds(e->b, tsv);
	case NOT: return !expression_holds(e->a, tsv);
	case COMPARE_NUMBER: return numbers_hold(e, tsv);
	default: return words_hold(e, tsv);
	}
}
