// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "message.h"

static const char *const words[] = { "-", "kept", "exceeded", "undecided" };

const char *verdict_word(enum verdict verdict)
{
	return words[verdict];
}

enum verdict verdict_from(const char *word)
{
	for (size_t i = KEPT; i <= UNDECIDED; i++)
		if (!strcmp(word, words[i]))
			return i;
	return NO_VERDICT;
}

const char *low_end(const char *value)
{
	const char *dots = strstr(value, "..");

	return dots ? xprintf("%.*s", (int)(dots - value), value) : value;
}

const char *high_end(const char *value)
{
	const char *dots = strstr(value, "..");

	return dots ? dots + 2 : value;
}

/* Return the whole number of ns in [NS, END) as us: only the decimal point moves. */
static char *shifted(const char *ns, const char *end)
{
	const char *sign = *ns == '-' ? "-" : "";
	int len;

	ns += *ns == '-';
	len = end - ns;
	if (len > 3)
		return xprintf("%s%.*s.%s", sign, len - 3, ns, xprintf("%.*s", 3, end - 3));
	return xprintf("%s0.%.*s%.*s", sign, 3 - len, "000", len, ns);
}

char *us(const char *ns)
{
	const char *dots = strstr(ns, ".."), *end = ns + strlen(ns);

	if (!*ns || !strcmp(ns, "-"))
		return xstrdup(ns);
	if (dots)
		return xprintf("%s..%s", us(xprintf("%.*s", (int)(dots - ns), ns)), us(dots + 2));
	if (end[-1] == '*')
		return xprintf("%s*", us(xprintf("%.*s", (int)(end - 1 - ns), ns)));
	if (strchr(ns, '.'))
		return xprintf("%.3f", number_in_text(ns) / 1000);
	return shifted(ns, end);
}

char *plain_number(double v, int digits)
{
	return v == floor(v) && fabs(v) < 1e16 ? xprintf("%.0f", v) : xprintf("%.*g", digits, v);
}

double enough_for_bursts(const char *percentile)
{
	return strcmp(percentile, "max") && number_in_text(percentile) < 99 ? 5000 : 3000;
}

bool next_pair(const char **at, struct tsv_cell *name, struct tsv_cell *value)
{
	size_t len = strcspn(*at, ",");
	const char *equals = memchr(*at, '=', len);

	if (!len)
		return false;
	*name = (struct tsv_cell) { *at, equals ? equals : *at + len };
	*value = (struct tsv_cell) { equals ? equals + 1 : *at + len, *at + len };
	*at += len + ((*at)[len] == ',');
	return true;
}
