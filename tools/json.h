/* SPDX-License-Identifier: GPL-2.0 */
/* JSON as a tree; numbers stay text, so that no digit is lost. */
#ifndef WAKELAT_JSON_H
#define WAKELAT_JSON_H

#include <stddef.h>

enum json_kind { JSON_OBJECT, JSON_ARRAY, JSON_STRING, JSON_NUMBER, JSON_WORD };

struct json {
	enum json_kind kind;
	char *key;		/* of a member of an object */
	char *text;		/* of a string, number or word */
	unsigned long line;
	struct json *members;	/* the first one */
	struct json *next;	/* its sibling */
};

/* TEXT ends in NUL; die()s with NAME and line at what is not JSON, or has a key twice. */
struct json *json_parse(const char *name, const char *text);

/* NULL if it is no object, or has none called so. */
const struct json *json_member(const struct json *json, const char *key);

void json_free(struct json *json);

#endif
