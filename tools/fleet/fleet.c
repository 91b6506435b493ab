// SPDX-License-Identifier: GPL-2.0
/*
 * fleet [-b KEY] LIST DIRECTORY: compare the machines of a fleet.
 *
 * Each line of LIST names a file of counts. Writes these tables into DIRECTORY: fleet.tsv,
 * fleet-machines.tsv, fleet-keys.tsv, fleet-states.tsv, fleet-left-out.tsv and, with -b,
 * fleet-history.tsv. KEY is a key of run.tsv. If a line begins with =, the file was fetched from the
 * machine that has the file's name.
 */
#include <errno.h>
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
		die("cannot read %s: %s", list, strerror(errno));
	while ((len = getline(&line, &size, from)) > 0) {
		line[len - 1] = '\0';
		fleet_read(fleet, intern_text(line + (*line == '=')), *line == '=');
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
		message("%zu recordings occurred more than once, and were counted once", fleet.duplicates);
	return 0;
}
