// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "message.h"

/* Results of measurements are flat; a file that is not must not use up the stack. */
#define MAX_DEPTH 32

/* More than these are values by number, whose reader sees whether they ascend. */
#define MAX_NAMES 64

struct parser {
	const char *name;
	const char *at;
	unsigned long line;
	int depth;
};

static struct json *parse_value(struct parser *p);

static void skip_space(struct parser *p)
{
	for (; *p->at && strchr(" \t\r\n", *p->at); p->at++)
		p->line += *p->at == '\n';
}

static void wrong(const struct parser *p, const char *wanted)
{
	if (!*p->at)
		die("%s:%lu: the file is cut off: %s expected", p->name, p->line, wanted);
	die("%s:%lu: not JSON: %s expected at '%.10s'", p->name, p->line, wanted, p->at);
}

static void expect(struct parser *p, char c, const char *wanted)
{
	skip_space(p);
	if (*p->at != c)
		wrong(p, wanted);
	p->at++;
}

/* Escapes stay as they are: nothing that is looked at has any. */
static char *parse_string(struct parser *p)
{
	const char *start;

	expect(p, '"', "a string");
	for (start = p->at; *p->at != '"'; p->at++) {
		if (*p->at == '\\' && p->at[1])
			p->at++;
		if ((unsigned char)*p->at < ' ')
			wrong(p, "the end of a string");
	}
	return xprintf("%.*s", (int)(p->at++ - start), start);
}

static void add_member(struct parser *p, struct json *json, struct json ***end, char *key,
		       unsigned int nr)
{
	struct json *member;

	if (key && nr < MAX_NAMES && json_member(json, key))
		die("%s:%lu: \"%s\" is there twice", p->name, p->line, key);
	member = parse_value(p);
	member->key = key;
	**end = member;
	*end = &member->next;
}

static void parse_members(struct parser *p, struct json *json, char close)
{
	struct json **end = &json->members;
	unsigned int nr = 0;

	if (++p->depth > MAX_DEPTH)
		die("%s:%lu: nested too deep", p->name, p->line);
	p->at++;
	skip_space(p);
	while (*p->at != close) {
		char *key = NULL;

		if (json->kind == JSON_OBJECT) {
			key = parse_string(p);
			expect(p, ':', "':'");
		}
		add_member(p, json, &end, key, nr++);
		skip_space(p);
		if (*p->at == ',')
			p->at++;
		else if (*p->at != close)
			wrong(p, "',' or the end");
		skip_space(p);
	}
	p->at++;
	p->depth--;
}

static struct json *parse_value(struct parser *p)
{
	struct json *json = xrealloc(NULL, 1, sizeof(*json));
	const char *start;

	skip_space(p);
	*json = (struct json) { .line = p->line };
	if (*p->at == '{' || *p->at == '[') {
		json->kind = *p->at == '{' ? JSON_OBJECT : JSON_ARRAY;
		parse_members(p, json, *p->at == '{' ? '}' : ']');
		return json;
	}
	if (*p->at == '"') {
		json->kind = JSON_STRING;
		json->text = parse_string(p);
		return json;
	}
	json->kind = *p->at == '-' || isdigit((unsigned char)*p->at) ? JSON_NUMBER : JSON_WORD;
	start = p->at;
	while (*p->at && (isalnum((unsigned char)*p->at) || strchr("+-.", *p->at)))
		p->at++;
	if (p->at == start)
		wrong(p, "a value");
	json->text = xprintf("%.*s", (int)(p->at - start), start);
	return json;
}

struct json *json_parse(const char *name, const char *text)
{
	struct parser p = { .name = name, .at = text, .line = 1 };
	struct json *json = parse_value(&p);

	skip_space(&p);
	if (*p.at)
		wrong(&p, "the end of the file");
	return json;
}

const struct json *json_member(const struct json *json, const char *key)
{
	if (json->kind != JSON_OBJECT)
		return NULL;
	for (const struct json *member = json->members; member; member = member->next)
		if (!strcmp(member->key, key))
			return member;
	return NULL;
}

void json_free(struct json *json)
{
	while (json) {
		struct json *next = json->next;

		json_free(json->members);
		free(json->key);
		free(json->text);
		free(json);
		json = next;
	}
}
