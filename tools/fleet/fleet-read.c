// SPDX-License-Identifier: GPL-2.0
/* Read files of counts in one pass. Use a block only after the checksum at its end was checked. */
#include <inttypes.h>
#include <stdlib.h>

#include "counts.h"
#include "fleet.h"
#include "intern.h"
#include "message.h"

/* For each identity: the number of its recording, from 1. */
static struct marks numbers;

static void take_line(struct recording *r, struct state *states, struct counts_line *line)
{
	switch (line->kind) {
	case COUNTS_RUN:
		facts_run(r, states, line);
		break;
	case COUNTS_DOCTOR:
		facts_doctor(r, line);
		break;
	case COUNTS_SAMPLES:
	case COUNTS_VALUES:
		values_take(line);
		break;
	case COUNTS_INTERVALS:
		r->reason = intern_text("its latencies are only known as intervals");
		break;
	default:
		break;
	}
}

/* Set why R cannot be used, if that is so. */
static void find_reason(struct recording *r)
{
	uint64_t n = 0, tainted = 0;

	for (size_t i = 0; i < r->nr_cells; i++) {
		n += r->cells[i].n;
		tainted += r->cells[i].tainted;
	}
	if (r->reason)
		r->nr_cells = 0;
	else if (!n)
		r->reason = !tainted ? intern_text("no sample") :
			intern_printf("all of %" PRIu64 " samples are tainted", tainted);
}

static void add_recording_to(struct fleet *fleet, const struct recording *new)
{
	struct recording *r = xrealloc(NULL, 1, sizeof(*r));

	*r = *new;
	r->by = fleet->by ? pair_value(r, fleet->by) : 0;
	/* Each recording without a host name counts as a machine of its own. */
	if (!r->machine || r->machine == intern_text("-"))
		r->machine = r->id;
	find_reason(r);
	fleet->recordings = xrealloc(fleet->recordings, fleet->nr_recordings + 1, sizeof(*fleet->recordings));
	fleet->recordings[fleet->nr_recordings++] = r;
	*mark_of(&numbers, r->id) = fleet->nr_recordings;
}

static void read_block(struct fleet *fleet, const struct counts_block *block, uint32_t file,
		       bool bound)
{
	struct recording r = {
		.id = intern_text(block->id), .crc = block->crc, .file = file, .bound = bound,
	};
	struct state states[MAX_STATES] = { 0 };
	struct counts_line line = { 0 };
	char *wrong = counts_check(block, true);
	uint32_t known;

	if (wrong) {
		struct tsv_cell name = counts_run(block, "hostname");

		r.machine = intern_cell(&name);
		fleet_leave_out(fleet, &r, intern_text(wrong));
		free(wrong);
		return;
	}
	while (counts_line(block, &line))
		take_line(&r, states, &line);
	facts_end(&r, states);
	values_end(&r, states);
	known = *mark_of(&numbers, r.id);
	if (!known) {
		add_recording_to(fleet, &r);
		return;
	}
	fleet_dispute(fleet, fleet->recordings[known - 1], &r);
	free(r.pairs);
	free(r.cells);
}

void fleet_read(struct fleet *fleet, uint32_t name, bool bound)
{
	const struct recording none = { .file = name, .bound = bound };
	struct counts_file file;
	struct counts_block block;
	enum counts_status status;

	if (!counts_open(&file, text_of(name))) {
		fleet_leave_out(fleet, &none, intern_text(file.why));
		return;
	}
	while ((status = counts_next(&file, &block)) != COUNTS_END) {
		if (status == COUNTS_BLOCK)
			read_block(fleet, &block, name, bound);
		else
			fleet_leave_out(fleet, &none, intern_text(file.why));
	}
	counts_close(&file);
}
