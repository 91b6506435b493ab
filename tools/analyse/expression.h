/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conditions on the rows of samples.tsv: 'state == C6 && silent_time > 300us'.
 *
 *	condition: comparison, (condition), !condition, condition && condition, condition || condition
 *	comparison: COLUMN OP VALUE, VALUE OP COLUMN, COLUMN OP COLUMN; OP: == != < <= > >=
 *	VALUE: a whole number, a time with ns us ms s; with == and != also the name of a state
 *	or source, what woke the CPU (column event), a taint, or none (absent)
 *
 * A comparison with an absent value is false, except a comparison with none.
 */
#ifndef WAKELAT_EXPRESSION_H
#define WAKELAT_EXPRESSION_H

#include <stdbool.h>

#include "tsv.h"

struct expression;

struct state_name {
	char *index, *name;
};

/* Parse TEXT. die() at an error, with its position in TEXT. */
struct expression *expression_parse(const char *text, const struct tsv *tsv,
				    const struct state_name *states, size_t nr_states);

/* True if the condition holds for the current row. */
bool expression_holds(const struct expression *e, const struct tsv *tsv);

#endif
