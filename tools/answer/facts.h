/* SPDX-License-Identifier: GPL-2.0 */
/* run.tsv: what is known of a recording. */
#ifndef WAKELAT_FACTS_H
#define WAKELAT_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "groups.h"

/* Linux has at most 10 idle states (CPUIDLE_STATE_MAX). */
#define MAX_STATES 256

/* An idle state. Texts are NULL if run.tsv does not have them. */
struct state {
	const char *name, *latency_ns, *residency_ns, *desc;
	bool disabled;
};

struct fact {
	const char *key, *value;
	const char *first;		/* the value of the first fact with this key */
};

struct facts {
	struct fact *list;		/* in the order of the file */
	size_t nr, room;
	struct groups keys;		/* data: the number of the last fact with the key */
	struct state states[MAX_STATES];
	size_t nr_states;		/* the largest index of a state with a name, plus 1 */
};

void facts_read(struct facts *facts, const char *name);

/* Return the value of KEY, the last if there are several; "" if there is none. */
const char *fact(const struct facts *facts, const char *key);
/* Return the first value of KEY, for a title; "" if there is none. */
const char *fact_first(const struct facts *facts, const char *key);
bool fact_is(const struct facts *facts, const char *key, const char *value);
/* Return true if run.tsv has KEY. */
bool fact_known(const struct facts *facts, const char *key);

/* Return the index of the state with this name, or -1. */
int state_named(const struct facts *facts, const char *name);

/*
 * Split a key at its dots. Return the number of parts, at most NR; a further dot belongs to the
 * last part. PART has copies, valid until the next call.
 */
size_t key_parts(const char *key, char *part[], size_t nr);

/* Return true if TEXT has only digits, and at least one. */
bool is_digits(const char *text);

/* Return the number at the beginning of TEXT, 0 if there is none. */
double number_in_text(const char *text);

#endif
