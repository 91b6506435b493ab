// SPDX-License-Identifier: GPL-2.0
/* The cell `taint` of samples.tsv. */
#include <stddef.h>

#include "number.h"
#include "taint.h"

static const struct {
	unsigned int bit;
	const char *name;
} taints[] = {
#define TAINT(bit, constant, name, class) { 1U << (bit), name },
#include "taints.inc"
};

const char *taint_name(size_t i)
{
	return i < sizeof(taints) / sizeof(taints[0]) ? taints[i].name : NULL;
}

char *put_taint(char *p, unsigned int taint)
{
	if (!taint)
		*p++ = '-';
	for (size_t i = 0; taint && i < sizeof(taints) / sizeof(taints[0]); i++) {
		if (!(taint & taints[i].bit))
			continue;
		p = put_text(p, taints[i].name);
		taint &= ~taints[i].bit;
		if (taint)
			*p++ = ',';
	}
	return p;
}
