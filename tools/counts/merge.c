// SPDX-License-Identifier: GPL-2.0
/*
 * merge [-w KEY=VALUE]... OUTPUT INPUT...: write the recordings of files of counts (Documentation/formats.md) to OUTPUT, each
 * identity once. -w: only recordings that have this line in their run.tsv.
 *
 * All inputs are read twice, one recording at a time: first to check them, then to copy the good ones. Between the two passes
 * only the position of each recording is kept. Prints the number of recordings written, of repeated ones, and of those left out.
 * Exit status: 0; 3 something was left out; 1 nothing was written.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cksum.h"
#include "counts.h"
#include "message.h"
#include "number.h"
#include "outfile.h"

#define STATUS_LEFT_OUT 3
#define CHUNK 65536

struct place {
	char id[COUNTS_ID + 1];
	uint32_t crc;
	uint32_t input;
	uint64_t offset, len;
};

static struct place *places;
static size_t nr_places, room;
static uint64_t left_out, repeated;

static char **wanted;
static size_t nr_wanted;

static void take(const struct counts_block *block, uint32_t input)
{
	places = xgrow(places, nr_places, &room, sizeof(*places));
	places[nr_places] = (struct place) {
		.crc = block->crc, .input = input, .offset = block->offset, .len = block->len,
	};
	memcpy(places[nr_places++].id, block->id, sizeof(block->id));
}

static void leave_out(const char *name, const char *what)
{
	message("%s: left out: %s", name, what);
	left_out++;
}

static bool is_wanted(const struct counts_block *block)
{
	for (size_t i = 0; i < nr_wanted; i++) {
		char *equals = strchr(wanted[i], '=');
		struct tsv_cell cell;

		*equals = '\0';
		cell = counts_run(block, wanted[i]);
		*equals = '=';
		if (!cell_is(&cell, equals + 1))
			return false;
	}
	return true;
}

static void take_block(const struct counts_file *file, const struct counts_block *block, uint32_t input)
{
	char *why = counts_check(block, true);

	if (why) {
		char *what = xprintf("recording %s: %s", block->id, why);

		leave_out(file->name, what);
		free(what);
		free(why);
		return;
	}
	if (is_wanted(block))
		take(block, input);
}

static void read_input(const char *name, uint32_t input)
{
	struct counts_block block;
	struct counts_file file;
	enum counts_status status;
	struct stat st;

	if (!stat(name, &st) && !S_ISREG(st.st_mode)) {
		leave_out(name, "not a regular file");
		return;
	}
	if (!counts_open(&file, name)) {
		leave_out(name, file.why);
		return;
	}
	while ((status = counts_next(&file, &block)) != COUNTS_END) {
		if (status == COUNTS_BLOCK)
			take_block(&file, &block, input);
		else
			leave_out(name, file.why);
	}
	counts_close(&file);
}

static int compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int order = strcmp(x->id, y->id);

	if (!order)
		order = (x->crc > y->crc) - (x->crc < y->crc);
	if (!order)
		order = (x->len > y->len) - (x->len < y->len);
	/* Equal recordings: keep the order of the inputs. */
	if (!order)
		order = (x->input > y->input) - (x->input < y->input);
	return order ? order : (x->offset > y->offset) - (x->offset < y->offset);
}

static bool same_content(const struct place *x, const struct place *y)
{
	return x->crc == y->crc && x->len == y->len;
}

/* Leave out different recordings with one identity, with a message for each: the right one is not known. */
static void leave_out_claims(char *const *names, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const struct place *other = &places[i == from ? to - 1 : from];
		char *what;

		if (i > from && same_content(&places[i], &places[i - 1]))
			continue;
		what = xprintf("recording %s has different content in %s: both are left out", places[i].id, names[other->input]);
		leave_out(names[places[i].input], what);
		free(what);
	}
}

/* Keep one recording of each identity. */
static void drop_repeated(char *const *names)
{
	size_t kept = 0, next;

	if (nr_places)
		qsort(places, nr_places, sizeof(*places), compare);
	for (size_t i = 0; i < nr_places; i = next) {
		for (next = i + 1; next < nr_places && !strcmp(places[i].id, places[next].id); )
			next++;
		if (same_content(&places[i], &places[next - 1])) {
			repeated += next - i - 1;
			places[kept++] = places[i];
		} else {
			leave_out_claims(names, i, next);
		}
	}
	nr_places = kept;
}

/* Copy a recording. die() if it has changed since the first pass. */
static void copy(struct outfile *out, int fd, const char *name, const struct place *place)
{
	off_t at = place->offset, end = place->offset + place->len;
	uint32_t crc = 0;
	char *p;

	while (at < end) {
		size_t len = end - at < CHUNK ? end - at : CHUNK;
		ssize_t got;

		p = outfile_reserve(out, len);
		got = pread(fd, p, len, at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			die("%s changed while it was read: run merge again", name);
		crc = cksum_add(crc, p, got);
		outfile_commit(out, p + got);
		at += got;
	}
	if (cksum_end(crc, place->len) != place->crc)
		die("%s changed while it was read: run merge again", name);
	p = outfile_reserve(out, 64);
	outfile_commit(out, p + sprintf(p, "end\t%" PRIu32 "\t%" PRIu64 "\n", place->crc, place->len));
}

static void write_output(const char *output, char *const *names)
{
	static struct outfile out;
	uint32_t input = UINT32_MAX;
	int fd = -1;

	outfile_begin(&out, output);
	outfile_commit(&out, put_text(outfile_reserve(&out, CHUNK), COUNTS_FIRST_LINE));
	for (size_t i = 0; i < nr_places; i++) {
		const struct place *place = &places[i];

		if (place->input != input) {
			if (fd >= 0)
				close(fd);
			input = place->input;
			fd = open(names[input], O_RDONLY | O_CLOEXEC);
			if (fd < 0)
				die("%s: %s", names[input], strerror(errno));
		}
		copy(&out, fd, names[input], place);
	}
	if (fd >= 0)
		close(fd);
	outfile_close(&out);
	if (outfile_place(output))
		exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
	int opt;

	message_init("merge");
	outfile_drop_at_signals();
	while ((opt = getopt(argc, argv, "w:")) == 'w' && strchr(optarg, '=')) {
		wanted = xrealloc(wanted, nr_wanted + 1, sizeof(*wanted));
		wanted[nr_wanted++] = optarg;
	}
	argv += optind;
	argc -= optind;
	if (opt != -1 || argc < 2)
		die("usage: merge [-w KEY=VALUE]... OUTPUT INPUT...");
	for (int i = 1; i < argc; i++)
		read_input(argv[i], i - 1);
	drop_repeated(argv + 1);
	if (!nr_places)
		die("nothing to merge: no recording of %d file%s is left", argc - 1, argc == 2 ? "" : "s");
	write_output(argv[0], argv + 1);
	printf("%zu %" PRIu64 " %" PRIu64 "\n", nr_places, repeated, left_out);
	outfile_end_stdout();
	return left_out ? STATUS_LEFT_OUT : 0;
}
