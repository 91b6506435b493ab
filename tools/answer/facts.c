// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "facts.h"
#include "line.h"
#include "message.h"

bool is_digits(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

double number_in_text(const char *text)
{
	const char *digits = text + (*text == '-' || *text == '+');

	/* strtod() would also take "inf" and hexadecimal numbers. */
	if (!isdigit((unsigned char)digits[*digits == '.']) ||
	    (*digits == '0' && (digits[1] | ' ') == 'x'))
		return 0;
	return strtod(text, NULL);
}

size_t key_parts(const char *key, char *part[], size_t nr)
{
	static char copy[TSV_MAX_LINE + 1];
	size_t n = 0;
	char *at = copy;

	snprintf(copy, sizeof(copy), "%s", key);
	while (at && n < nr) {
		part[n++] = at;
		at = n < nr ? strchr(at, '.') : NULL;
		if (at)
			*at++ = '\0';
	}
	return n;
}

/* Store what a key says of an idle state. */
static void take_state(struct facts *facts, const char *key, const char *value)
{
	struct state *state;
	char *part[3];
	long index;

	if (key_parts(key, part, 3) < 3 || strcmp(part[0], "state") || !is_digits(part[1]))
		return;
	index = strtol(part[1], NULL, 10);
	if (strlen(part[1]) > 3 || index >= MAX_STATES)
		die("run.tsv: %s: idle states have indexes below %d", key, MAX_STATES);
	state = &facts->states[index];
	if (!strcmp(part[2], "name")) {
		state->name = value;
		if ((size_t)index >= facts->nr_states)
			facts->nr_states = index + 1;
	} else if (!strcmp(part[2], "latency_ns")) {
		state->latency_ns = value;
	} else if (!strcmp(part[2], "residency_ns")) {
		state->residency_ns = value;
	} else if (!strcmp(part[2], "desc")) {
		state->desc = value;
	} else if (!strcmp(part[2], "disabled")) {
		state->disabled = number_in_text(value) != 0;
	}
}

static void take_line(struct facts *facts, const char *line, const char *end)
{
	struct tsv_cell key = cell_next(&line, end), value = { "", "" };
	const struct fact *before;
	struct group *group;
	struct fact *fact;

	if (line)
		value = cell_next(&line, end);
	facts->list = xgrow(facts->list, facts->nr, &facts->room, sizeof(*facts->list));
	group = groups_get(&facts->keys, &key);
	before = group->data ? &facts->list[(size_t)group->data - 1] : NULL;
	fact = &facts->list[facts->nr++];
	*fact = (struct fact) { .key = cell_copy(&key), .value = cell_copy(&value) };
	fact->first = before ? before->first : fact->value;
	group->data = (void *)facts->nr;
	take_state(facts, fact->key, fact->value);
}

void facts_read(struct facts *facts, const char *name)
{
	static char line[TSV_MAX_LINE + 1];
	FILE *f = fopen(name, "re");
	size_t len;

	*facts = (struct facts) { .keys.nr_keys = 1 };
	if (!f)
		die("%s: %s", name, strerror(errno));
	while ((len = line_read(f, line))) {
		if (len == LINE_TOO_LONG)
			die("%s: a line of more than %d bytes", name, TSV_MAX_LINE);
		if (line[len - 1] != '\n')
			die("%s:%zu: the last line is cut off: copy the recording again",
			    name, facts->nr + 1);
		take_line(facts, line, line + len - 1);
	}
	if (ferror(f))
		die("cannot read %s: %s", name, strerror(errno));
	fclose(f);
}

/* Return the last fact with this key; NULL if there is none. */
static const struct fact *find_fact(const struct facts *facts, const char *key)
{
	struct tsv_cell cell = cell_from(key);
	const struct group *group = groups_find(&facts->keys, &cell);

	return group ? &facts->list[(size_t)group->data - 1] : NULL;
}

const char *fact(const struct facts *facts, const char *key)
{
	const struct fact *found = find_fact(facts, key);

	return found ? found->value : "";
}

const char *fact_first(const struct facts *facts, const char *key)
{
	const struct fact *found = find_fact(facts, key);

	return found ? found->first : "";
}

bool fact_is(const struct facts *facts, const char *key, const char *value)
{
	return !strcmp(fact(facts, key), value);
}

bool fact_known(const struct facts *facts, const char *key)
{
	return find_fact(facts, key);
}

int state_named(const struct facts *facts, const char *name)
{
	for (size_t i = facts->nr_states; i-- > 0; )
		if (facts->states[i].name && !strcmp(facts->states[i].name, name))
			return i;
	return -1;
}
