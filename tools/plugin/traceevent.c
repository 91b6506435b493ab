// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of libtraceevent. With it, trace-cmd report and other programs that use this library print a readable line
 * for each wakelat_sample. libtraceevent loads the plugins of its plugin directory for every recording. If a recording
 * has no such event, this plugin prints nothing.
 */
#include <stdlib.h>

#include "printer.h"

/* A process can have several recordings open, each with its own handle. */
struct loaded {
	struct loaded *next;
	struct tep_handle *tep;
	struct printer *printer;
};

static struct loaded *all;

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int TEP_PLUGIN_LOADER(struct tep_handle *tep);
EXPORTED void TEP_PLUGIN_UNLOADER(struct tep_handle *tep);

int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	struct loaded *loaded = calloc(1, sizeof(*loaded));

	if (!loaded)
		return -1;
	loaded->tep = tep;
	loaded->printer = printer_begin(tep, NULL);
	if (!loaded->printer) {
		free(loaded);
		return -1;
	}
	loaded->next = all;
	all = loaded;
	return 0;
}

void TEP_PLUGIN_UNLOADER(struct tep_handle *tep)
{
	for (struct loaded **at = &all; *at; at = &(*at)->next) {
		struct loaded *loaded = *at;

		if (loaded->tep != tep)
			continue;
		printer_end(loaded->printer, tep);
		*at = loaded->next;
		free(loaded);
		return;
	}
}
