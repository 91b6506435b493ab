// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>
#include <string.h>

#include "taint.h"

static const struct {
	const char *name, *class;
} classes[] = {
#define TAINT(bit, constant, name, class) { name, class },
#undef TAINT_WITHOUT_BIT
#define TAINT_WITHOUT_BIT(name, class) { name, class },
#include "taints.inc"
};

const char *taint_class(const char *name)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (!strcmp(name, classes[i].name))
			return classes[i].class;
	return "unknown";
}

const char *taint_of_class(size_t i, const char *class)
{
	for (size_t k = 0; k < sizeof(classes) / sizeof(classes[0]); k++)
		if (!strcmp(classes[k].class, class) && !i--)
			return classes[k].name;
	return NULL;
}
