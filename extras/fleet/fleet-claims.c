// SPDX-License-Identifier: GPL-2.0
/*
 * Decide whose recording a file gives. The same recording may occur twice, two recordings may have
 * one identity, and a machine may use the name of another machine. A recording whose machine is in
 * doubt is left out.
 */
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "intern.h"
#include "message.h"

/* Return NAME without its domain. */
static uint32_t host_of(uint32_t name)
{
	return intern(text_of(name), strcspn(text_of(name), "."));
}

/* Return the machine that FILE was fetched from. FILE's name is NODE.counts or NODE/counts. */
static uint32_t node_of(uint32_t file)
{
	const char *name = text_of(file), *end = name + strlen(name), *start;

	if (end - name > 7 && (!strcmp(end - 7, "/counts") || !strcmp(end - 7, ".counts")))
		end -= 7;
	for (start = end; start > name && start[-1] != '/'; )
		start--;
	return host_of(intern(start, end - start));
}

void fleet_leave_out(struct fleet *fleet, const struct recording *r, uint32_t reason)
{
	uint32_t machine = r->bound ? node_of(r->file) : r->machine;

	fleet->left_out = xrealloc(fleet->left_out, fleet->nr_left_out + 1, sizeof(*fleet->left_out));
	fleet->left_out[fleet->nr_left_out++] =
		(struct left_out) { r->file, machine, reason, r->id };
	message("%s%s%s: %s: left out", text_of(r->file), r->id ? ": recording " : "",
		text_of(r->id), text_of(reason));
}

/* Leave out R, which the fleet has. If R is bound, its machine becomes that of its file. */
static void reject(struct fleet *fleet, struct recording *r, uint32_t reason)
{
	fleet_leave_out(fleet, r, reason);
	if (r->bound)
		r->machine = node_of(r->file);
	r->reason = reason;
	r->nr_cells = 0;
}

static uint32_t also_from(uint32_t node)
{
	return intern_printf("the same recording was also fetched from %s", text_of(node));
}

/*
 * Handle a second copy of the recording OLD that was fetched from another machine. Keep the copy that was fetched from
 * the machine which the recording names, and leave out the other. If there is no such copy, leave out both.
 */
static void claim_again(struct fleet *fleet, struct recording *old, const struct recording *copy)
{
	uint32_t host = host_of(copy->machine);
	uint32_t first = node_of(old->file), second = node_of(copy->file);

	if (second == host) {
		fleet_leave_out(fleet, old, also_from(second));
		old->file = copy->file;
		return;
	}
	fleet_leave_out(fleet, copy, also_from(first));
	if (first != host && old->nr_cells)
		reject(fleet, old, also_from(second));
}

static uint32_t same_identity(uint32_t file)
{
	return intern_printf("another recording, in %s, has the same identity", text_of(file));
}

void fleet_dispute(struct fleet *fleet, struct recording *old, const struct recording *new)
{
	if (old->crc == new->crc && new->bound && old->bound && new->file != old->file) {
		claim_again(fleet, old, new);
		return;
	}
	fleet->duplicates++;
	if (old->crc == new->crc)
		return;
	fleet_leave_out(fleet, new, same_identity(old->file));
	if (old->nr_cells)
		reject(fleet, old, same_identity(new->file));
}

/* A file's recordings; whether a machine has a file of its own; bound files that name a machine. */
static struct marks in_file, own_file, claims;

/* Count the claims of each bound file once for all recordings in the file. */
static void count_claims(const struct fleet *fleet)
{
	struct marks pairs = { 0 };

	for (size_t i = 0; i < fleet->nr_recordings; i++)
		++*mark_of(&in_file, fleet->recordings[i]->file);
	for (size_t i = 0; i < fleet->nr_recordings; i++) {
		const struct recording *r = fleet->recordings[i];
		uint32_t host = host_of(r->machine), node = node_of(r->file), pair;

		if (r->bound || *mark_of(&in_file, r->file) == 1)
			*mark_of(&own_file, node) = 1;
		if (!r->bound || host == node)
			continue;
		pair = intern_printf("%s\t%s", text_of(node), text_of(host));
		if (!(*mark_of(&pairs, pair))++)
			++*mark_of(&claims, host);
	}
	free(pairs.list);
}

void fleet_bind(struct fleet *fleet)
{
	count_claims(fleet);
	for (size_t i = 0; i < fleet->nr_recordings; i++) {
		struct recording *r = fleet->recordings[i];
		uint32_t host = host_of(r->machine);
		const char *claim;

		if ((!r->bound && *mark_of(&in_file, r->file) != 1) || host == node_of(r->file))
			continue;
		if (*mark_of(&own_file, host))
			claim = "which has a file of its own";
		else if (r->bound && *mark_of(&claims, host) > 1)
			claim = "as does the file of another machine";
		else
			continue;
		r->bound = true;
		reject(fleet, r,
		       intern_printf("it names the machine %s, %s", text_of(r->machine), claim));
	}
}
