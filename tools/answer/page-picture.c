// SPDX-License-Identifier: GPL-2.0
/*
 * The picture of the latency of each state. Each state has a strip of svg. Its coordinates are shares of its width, so it fits any
 * page.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "html.h"
#include "message.h"

#define MOST_TICS 64

struct bar {
	const char *state, *label, *set;
	const char *p50, *low, *high, *max, *advertised, *budget, *budget_verdict, *advertised_verdict;
	size_t place;		/* of the state, in the order of appearance */
};

struct picture {
	struct bar *bars;
	size_t nr;
	struct names states;
	double low, high;	/* the ends of the axis, ns; high 0: nothing is known */
	double tics[MOST_TICS];
	size_t nr_tics;
	const char *budget, *percentile;
	char *label;		/* of the percentile that decides */
	bool any_open, any_max, any_advertised, any_as_it_is, shown_class[4];
	FILE *out;
};

static const char *const classes[] = { "kept", "exceeded", "undecided", "open" };

/* Return a number, or the middle of an interval; 0 if it is not known or has no upper end. */
static double known(const char *x)
{
	const char *dots = strstr(x, "..");

	if (dots)
		return strcmp(dots + 2, "-") ? (number_in_text(x) + number_in_text(dots + 2)) / 2 : 0;
	return x[strspn(x, "0123456789.")] ? 0 : number_in_text(x);
}

static void take(struct picture *p, const char *text)
{
	double x = known(text);

	if (x <= 0)
		return;
	if (!p->high || x < p->low)
		p->low = x;
	if (x > p->high)
		p->high = x;
}

/* Return the position of a latency, in % of the strip's width. */
static double place(const struct picture *p, double x)
{
	double at = x > 0 ? 100 * log(x / p->low) / log(p->high / p->low) : 0;

	return at < 0 ? 0 : at > 100 ? 100 : at;
}

static void line_at(const struct picture *p, const char *class, double x)
{
	if (x > 0)
		fprintf(p->out, "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"100%%\"/>", class, place(p, x), place(p, x));
}

/* Make the tics between the ends of the axis that begin with one of the digits. Return their number. */
static size_t tics_of(struct picture *p, const double *digits, size_t nr)
{
	p->nr_tics = 0;
	for (double decade = 0.1; decade <= p->high; decade *= 10)
		for (size_t k = 0; k < nr; k++) {
			double x = decade * digits[k];

			if (x > p->low * 1.02 && x < p->high / 1.02 && p->nr_tics < MOST_TICS)
				p->tics[p->nr_tics++] = x;
		}
	return p->nr_tics;
}

/*
 * Choose the tics of the logarithmic axis by the range that it covers. If the range is too small for round values of a logarithmic
 * axis, use even steps.
 */
static void make_tics(struct picture *p)
{
	static const double three[] = { 10, 20, 50 }, seven[] = { 10, 15, 20, 30, 40, 50, 70 };
	double step, range = p->high - p->low;

	if (tics_of(p, three, 1) > 7 || tics_of(p, three, 3) > 7) {
		tics_of(p, three, 1);
		return;
	}
	if (tics_of(p, three, 3) >= 4)
		return;
	if (tics_of(p, seven, 7) >= 3 && p->nr_tics <= 7)
		return;
	for (step = 0.1; range / (5 * step) > 5; step *= 10)
		;
	step *= range / step <= 5 ? 1 : range / (2 * step) <= 5 ? 2 : 5;
	p->nr_tics = 0;
	for (double x = step * floor(p->low / step + 1); x < p->high && p->nr_tics < MOST_TICS; x += step)
		p->tics[p->nr_tics++] = x;
}

static bool is_dash(const char *cell)
{
	return !strcmp(cell, "-");
}

/* Return what a reader who cannot see the picture hears. */
static char *in_words(const struct picture *p, const struct bar *bar)
{
	struct text out = { 0 };

	if (is_dash(bar->p50))
		text_add(&out, "median not known");
	else
		text_add(&out, "half of them %s µs", brief(bar->p50));
	if (!is_dash(bar->low) && !is_dash(bar->high))
		text_add(&out, ", %s %s to %s µs", p->label, brief(bar->low), brief(bar->high));
	else if (!is_dash(bar->low) || !is_dash(bar->high))
		text_add(&out, ", %s %s %s µs", p->label, is_dash(bar->high) ? "more than" : "at most",
			 brief(is_dash(bar->high) ? bar->low : bar->high));
	if (!is_dash(bar->max))
		text_add(&out, ", longest %s µs", brief(bar->max));
	return xstrdup(text_str(&out));
}

/*
 * Return the number that matters most to a reader: the upper bound of the percentile that decides, else its lower bound.
 */
static char *cost(const struct bar *bar)
{
	if (!is_dash(bar->high))
		return xprintf("≤ %s µs", brief(bar->high));
	return is_dash(bar->low) ? "not known" : xprintf("> %s µs", brief(bar->low));
}

static void horizontal(const struct picture *p, const char *class, double from, double to)
{
	if (from > 0 && to > 0)
		fprintf(p->out, "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"50%%\" y2=\"50%%\"/>", class, place(p, from), place(p, to));
}

/* Draw a line from the median to the longest sample, then the bounds of the percentile that decides. */
static void put_strip(const struct picture *p, const struct bar *bar)
{
	double p50 = known(bar->p50), max = known(bar->max);
	bool open = is_dash(bar->high);

	for (size_t i = 0; i < p->nr_tics; i++)
		line_at(p, "grid", p->tics[i]);
	horizontal(p, "all", p50, max);
	horizontal(p, open ? "bounds open" : "bounds", known(bar->low), open ? p->high : known(bar->high));
	if (p50 > 0)
		fprintf(p->out, "<circle class=\"half\" cx=\"%.2f%%\" cy=\"50%%\" r=\"4\"/>", place(p, p50));
	if (max > 0)
		fprintf(p->out, "<line class=\"longest\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"28%%\" y2=\"72%%\"/>", place(p, max), place(p, max));
	line_at(p, "advertised", known(bar->advertised));
	line_at(p, "budget", known(bar->budget));
}

static char *name_of(const struct bar *bar)
{
	return xprintf("%s%s%s%s", bar->state, bar->label, bar->set ? " · " : "", bar->set ? bar->set : "");
}

/* Return which of classes[] a bar has. */
static size_t class_of(const struct picture *p, const struct bar *bar)
{
	const char *verdict = is_dash(p->budget) ? bar->advertised_verdict : bar->budget_verdict;
	size_t class = 0;

	while (class < 3 && strcmp(verdict, classes[class]))
		class++;
	return class;
}

static void put_bar(struct picture *p, const struct bar *bar)
{
	static const char *const texts[] = { "✓ kept", "✗ exceeded", "? undecided", "" };
	size_t class = class_of(p, bar);
	char *name = name_of(bar);

	if (!is_dash(bar->high) && !is_dash(bar->low))
		p->shown_class[class] = true;
	fprintf(p->out, "<div class=\"row %s\"><span class=\"name\">%s</span><svg class=\"strip\" role=\"img\" aria-label=\"%s\">", classes[class],
		html(name), html(xprintf("%s: %s", name, in_words(p, bar))));
	put_strip(p, bar);
	fprintf(p->out, "</svg><span class=\"cost\">%s</span><span class=\"verdict\">%s</span></div>\n", html(cost(bar)), texts[class]);
}

static void put_axis(const struct picture *p)
{
	fputs("<div class=\"row axis\"><span class=\"name\">µs</span><svg class=\"strip\" aria-hidden=\"true\">", p->out);
	for (size_t i = 0; i < p->nr_tics; i++)
		fprintf(p->out, "<text x=\"%.2f%%\" y=\"14\">%s</text>", place(p, p->tics[i]), exact(p->tics[i]));
	fprintf(p->out, "</svg><span class=\"cost\">%s</span><span class=\"verdict\"></span></div>\n",
		html(strcmp(p->percentile, "max") ? xprintf("p%s", p->percentile) : "longest"));
}

static void put_key(const struct picture *p, const char *shape, const char *text)
{
	fprintf(p->out, "<span><svg class=\"sample\" aria-hidden=\"true\">%s</svg>%s</span>\n", shape, html(text));
}

/* Return a bar with a part in the colour of each verdict that the picture has. */
static char *bar_sample(const struct picture *p)
{
	struct text out = { 0 };
	int n = 0, k = 0;

	for (size_t i = 0; i < 4; i++)
		n += p->shown_class[i];
	for (size_t i = 0; i < 4; i++)
		if (p->shown_class[i]) {
			text_add(&out, "<g class=\"%s\"><line class=\"bounds\" x1=\"%d%%\" x2=\"%d%%\" y1=\"50%%\" y2=\"50%%\"/></g>", classes[i],
				 (int)(15 + 70.0 * k / n), (int)(15 + 70.0 * (k + 1) / n));
			k++;
		}
	return xstrdup(text_str(&out));
}

static void put_keys(const struct picture *p)
{
	bool max = !strcmp(p->percentile, "max");

	fputs("<p class=\"key\">\n", p->out);
	put_key(p, "<circle class=\"half\" cx=\"50%\" cy=\"50%\" r=\"4\"/>", "median");
	if (!max)
		put_key(p, bar_sample(p), xprintf("from the lower to the upper bound of %s", p->label));
	if (p->any_open)
		put_key(p, "<line class=\"bounds open\" x1=\"15%\" x2=\"100%\" y1=\"50%\" y2=\"50%\"/>", xprintf("lower bound of %s",
			max ? "the longest possible latency" : xprintf("%s, too few samples for an upper bound", p->label)));
	if (p->any_max)
		put_key(p, "<line class=\"longest\" x1=\"50%\" x2=\"50%\" y1=\"28%\" y2=\"72%\"/>", "longest measured");
	if (p->any_advertised)
		put_key(p, "<line class=\"advertised\" x1=\"50%\" x2=\"50%\" y1=\"0\" y2=\"100%\"/>", "advertised");
	if (p->any_as_it_is)
		fputs("<span>as it is: with disturbed and lost wake-ups; this row gives the verdict</span>\n", p->out);
	if (!is_dash(p->budget))
		put_key(p, "<line class=\"budget\" x1=\"50%\" x2=\"50%\" y1=\"0\" y2=\"100%\"/>",
			xprintf("budget, %s µs", exact(number_in_text(p->budget))));
	fputs("</p>\n", p->out);
}

static struct bar *add_bar(struct picture *p, struct bar bar)
{
	p->bars = xrealloc(p->bars, p->nr + 1, sizeof(*p->bars));
	p->bars[p->nr] = bar;
	take(p, bar.p50);
	take(p, bar.low);
	take(p, bar.high);
	take(p, bar.max);
	return &p->bars[p->nr++];
}

/* Return the place of a state, adding it if it is new. */
static size_t place_of(struct names *states, const char *state)
{
	size_t i = 0;

	while (i < states->nr && strcmp(states->list[i], state))
		i++;
	if (i == states->nr)
		add_name(states, state);
	return i;
}

/* Add a row of verdict.tsv, and a second one for the machine as it is, if it differs: it gives the verdict. */
static void take_row(struct picture *p, const struct table *table, size_t row, const char *set)
{
	const char *cpu = table_get(table, row, "cpu"), *state = table_get(table, row, "state");
	struct bar bar = {
		state, is_dash(cpu) ? "" : xprintf(" (CPU %s)", cpu), set,
		table_get(table, row, "p50"), table_get(table, row, "low"), table_get(table, row, "high"), table_get(table, row, "max"),
		table_get(table, row, "advertised_ns"), table_get(table, row, "budget_ns"), table_get(table, row, "budget_verdict"),
		table_get(table, row, "advertised_verdict"), place_of(&p->states, state),
	}, machine = bar;

	p->budget = bar.budget;
	p->percentile = table_get(table, row, "percentile");
	p->any_open |= is_dash(bar.high);
	p->any_max |= known(bar.max) > 0;
	p->any_advertised |= known(bar.advertised) > 0;
	take(p, bar.advertised);
	take(p, bar.budget);
	if (is_dash(bar.budget) || (is_dash(table_get(table, row, "measured_by")) && is_dash(table_get(table, row, "unknown_by")) &&
				    is_dash(table_get(table, row, "all_unknown_by")))) {
		add_bar(p, bar);
		return;
	}
	bar.budget_verdict = table_get(table, row, "state_budget_verdict");
	add_bar(p, bar);
	machine.label = xprintf("%s, as it is", bar.label);
	machine.p50 = "-";
	machine.low = table_get(table, row, "machine_low");
	machine.high = table_get(table, row, "machine_high");
	machine.max = table_get(table, row, "machine_max");
	p->any_open |= is_dash(machine.high);
	p->any_as_it_is = true;
	add_bar(p, machine);
}

void html_picture(char **files, const struct names *names, size_t nr, FILE *out)
{
	struct picture p = { .out = out };
	size_t longest = 0;

	for (size_t i = 0; i < nr; i++) {
		struct table *table = xrealloc(NULL, 1, sizeof(*table));

		*table = (struct table) { 0 };
		table_read(table, files[i]);
		for (size_t row = 0; row < table_rows(table); row++)
			take_row(&p, table, row, names ? names->list[i] : NULL);
	}
	if (!p.high)
		return;
	p.label = strcmp(p.percentile, "max") ? xprintf("p%s", p.percentile) : "longest possible";
	/* Leave room for the marks. */
	p.low /= 1.15;
	p.high *= 1.15;
	make_tics(&p);
	for (size_t i = 0; i < p.nr; i++)
		longest = strlen(name_of(&p.bars[i])) > longest ? strlen(name_of(&p.bars[i])) : longest;
	fprintf(out, "<div class=\"picture%s\">\n", longest <= 12 ? "" : longest <= 18 ? " long" : " longer");
	for (size_t s = 0; s < p.states.nr; s++)
		for (size_t i = 0; i < p.nr; i++)
			if (p.bars[i].place == s)
				put_bar(&p, &p.bars[i]);
	put_axis(&p);
	fputs("</div>\n", out);
	put_keys(&p);
}
