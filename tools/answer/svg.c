// SPDX-License-Identifier: GPL-2.0
/* Make the text of gnuplot's svg files shorter for a page. What is drawn stays the same to within a fraction of a pixel. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "message.h"
#include "text.h"

/*
 * A point of a line is left out if it is as close as this to the line without it. The unit is that of the file, of which 333 or 680
 * are the width of a figure: a page shows a figure at most twice as large.
 */
#define TOLERANCE 0.05

struct point {
	double x, y;
	const char *text;	/* x,y as it is in the file */
	int len;
	bool kept;
};

struct points {
	struct point *list;
	size_t nr, room;
};

/* Return the distance of P from the line between A and B. */
static double distance(const struct point *p, const struct point *a, const struct point *b)
{
	double dx = b->x - a->x, dy = b->y - a->y, length = hypot(dx, dy), along;

	if (length > 0) {
		along = ((p->x - a->x) * dx + (p->y - a->y) * dy) / (length * length);
		if (along >= 0 && along <= 1)
			return fabs((p->x - a->x) * dy - (p->y - a->y) * dx) / length;
	}
	return fmin(hypot(p->x - a->x, p->y - a->y), hypot(p->x - b->x, p->y - b->y));
}

/* Keep those of the points between FIRST and LAST without which the line would change (Douglas and Peucker). */
static void keep_between(struct point *list, size_t first, size_t last)
{
	while (last > first + 1) {
		size_t farthest = first;
		double most = TOLERANCE;

		for (size_t i = first + 1; i < last; i++) {
			double d = distance(&list[i], &list[first], &list[last]);

			if (d > most) {
				most = d;
				farthest = i;
			}
		}
		if (farthest == first)
			return;
		list[farthest].kept = true;
		keep_between(list, first, farthest);
		first = farthest;
	}
}

/* Print the points of a line, each but the first after SEPARATOR, and forget them. */
static void put_line(struct text *out, struct points *points, const char *separator)
{
	if (points->nr) {
		points->list[0].kept = points->list[points->nr - 1].kept = true;
		keep_between(points->list, 0, points->nr - 1);
	}
	for (size_t i = 0; i < points->nr; i++)
		if (points->list[i].kept)
			text_add(out, "%s%.*s", i ? separator : "", points->list[i].len, points->list[i].text);
	points->nr = 0;
}

/* Read x,y at *AT, and move *AT behind it. */
static bool take_point(const char **at, struct points *points)
{
	struct point point = { .text = *at };
	char *end;

	point.x = strtod(*at, &end);
	if (end == *at || *end != ',')
		return false;
	*at = end + 1;
	point.y = strtod(*at, &end);
	if (end == *at)
		return false;
	*at = end;
	point.len = end - point.text;
	points->list = xgrow(points->list, points->nr, &points->room, sizeof(*points->list));
	points->list[points->nr++] = point;
	return true;
}

/*
 * Print the lines of a path (COMMANDS: Mx,y Lx,y...) or of a polygon (x,y x,y...) from AT to END. Return false if there is
 * anything else in it.
 */
static bool put_lines(struct text *out, const char *at, const char *end, bool commands)
{
	static struct points points;
	struct text lines = { 0 };
	bool good = true;

	points.nr = 0;
	while (good && at < end) {
		if (strchr(" \t\n", *at)) {
			at++;
			continue;
		}
		if (commands && *at == 'M') {
			put_line(&lines, &points, "L");
			text_add(&lines, "M");
		}
		at += commands && (*at == 'M' || (*at == 'L' && points.nr));
		good = take_point(&at, &points);
	}
	put_line(&lines, &points, commands ? "L" : " ");
	if (good)
		text_add(out, "%s", text_str(&lines));
	text_free(&lines);
	return good;
}

/* Print a colour rgb(R, G, B) as #rrggbb. Return its length, 0 if there is none at AT. */
static int put_colour(struct text *out, const char *at)
{
	unsigned int r, g, b;
	int len = 0;

	if (strncmp(at, "rgb(", 4) || sscanf(at, "rgb(%u,%u,%u)%n", &r, &g, &b, &len) != 3 || !len || r > 255 || g > 255 || b > 255)
		return 0;
	text_add(out, "#%02x%02x%02x", r, g, b);
	return len;
}

/* Print the attribute at AT if it is a line, as gnuplot writes lines. Return its end, NULL if it is none. */
static const char *put_line_attribute(struct text *out, const char *at)
{
	bool commands = !strncmp(at, "d='", 3);
	size_t len = commands ? 3 : !strncmp(at, "points = '", 10) ? 10 : 0;
	const char *end = len ? strchr(at + len, '\'') : NULL;

	if (!end)
		return NULL;
	text_add(out, "%s", commands ? "d='" : "points='");
	if (!put_lines(out, at + len, end, commands))
		text_add(out, "%.*s", (int)(end - at - len), at + len);
	return end;
}

/* Print the tag at AT, and return its end. */
static const char *put_tag(struct text *out, const char *at)
{
	while (*at && *at != '>') {
		int len = put_colour(out, at);
		const char *end;

		if (len) {
			at += len;
			continue;
		}
		if (!strchr(" \t\n", *at)) {
			text_add(out, "%c", *at++);
			continue;
		}
		at += strspn(at, " \t\n");
		if (*at == '>' || *at == '/')
			continue;
		text_add(out, " ");
		end = put_line_attribute(out, at);
		at = end ? end : at;
	}
	text_add(out, "%s", *at ? ">" : "");
	return at + !!*at;
}

/* Return the end of an empty group that begins at AT, NULL if there is none. */
static const char *end_of_empty_group(const char *at)
{
	const char *end = strncmp(at, "<g ", 3) ? NULL : strchr(at, '>');

	if (!end)
		return NULL;
	end += 1 + strspn(end + 1, " \t\n");
	return strncmp(end, "</g>", 4) ? NULL : end + 4;
}

char *svg_shortened(const char *text)
{
	struct text out = { 0 };

	while (*text) {
		const char *end = end_of_empty_group(text);
		size_t len = strcspn(text, "<");

		if (end) {
			text = end;
		} else if (!len) {
			text = put_tag(&out, text);
		} else {
			/* Blanks between tags are left out, but not those in a text. */
			if (strspn(text, " \t\n") < len || !memchr(text, '\n', len))
				text_add(&out, "%.*s", (int)len, text);
			text += len;
		}
	}
	return xstrdup(text_str(&out));
}
