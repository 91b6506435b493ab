// SPDX-License-Identifier: GPL-2.0
/*
 * fleet [-b KEY] LIST DIRECTORY: files of counts, whose names are the lines of LIST, as tables in DIRECTORY: fleet.tsv, -machines,
 * -keys, -states, -left-out and, with -b, -history. KEY: of run.tsv. A line of LIST that begins with =
 * names a file that was fetched from the machine whose name the file has.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fleet.h"
#include "intern.h"
#include "message.h"

static void read_all(struct fleet *fleet, const char *list)
{
	FILE *from = fopen(list, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	if (!from)
		die("%s cannot be read", list);
	while ((len = getline(&line, &size, from)) > 0) {
		line[len - 1] = '\0';
		fleet_read(fleet, text_of(intern_text(line + (*line == '='))), *line == '=');
	}
	free(line);
	fclose(from);
}

int main(int argc, char **argv)
{
	struct fleet fleet = { 0 };
	int c;

	message_init("fleet");
	while ((c = getopt(argc, argv, "b:")) == 'b')
		fleet.by = intern_text(optarg);
	if (c != -1 || argc - optind != 2)
		die("usage: fleet [-b KEY] LIST DIRECTORY");
	read_all(&fleet, argv[optind]);
	fleet_bind(&fleet);
	fleet_machines(&fleet);
	fleet_peers(&fleet);
	fleet_test(&fleet);
	causes_prepare(&fleet);
	write_tables(&fleet, argv[optind + 1]);
	if (fleet.by)
		write_history(&fleet, argv[optind + 1]);
	if (fleet.duplicates)
		message("%zu recordings were there more than once, and count once", fleet.duplicates);
	return 0;
}
