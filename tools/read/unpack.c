// SPDX-License-Identifier: GPL-2.0
/*
 * Format: trace-cmd.dat.v7(5). The copy begins with all bytes of the recording. The unpacked data of each compressed section
 * follow as a new section at its end. The options, which are not compressed, refer to sections and to the data of each CPU by
 * offsets. The copy's options refer to the new sections.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "drop.h"
#include "guard.h"
#include "message.h"
#include "unpack.h"

#define MAGIC "\x17\x08\x44tracing7"
#define PAGE_SIZE_AT 14
#define MAX_PAGE (1 << 20)
#define ALGORITHM_AT 18
#define ALGORITHM "zstd"
#define SECTION_HEADER 16	/* id 2, flags 2, description 4, size 8 */
#define SECTION_COMPRESSED 1
#define OPTION_HEADER 6		/* id 2, size 4 */

enum option { OPTION_DONE, OPTION_BUFFER = 3, OPTION_FIRST_SECTION = 16, OPTION_LAST_SECTION = 21 };

struct packed {
	const char *name;
	const unsigned char *data;
	uint64_t size;
	bool big_endian;
	uint64_t page;		/* size of a page of the ring buffer */
	uint64_t options;	/* offset of the first options' offset */
	ZSTD_DCtx *zstd;
	unsigned char *chunk;	/* room for CHUNK_SIZE bytes */
	uint64_t chunk_size;
	int out;
	uint64_t end;		/* of the copy */
	uintptr_t dropped;	/* the pages of DATA before this address are not in memory */
};

static void damaged(const struct packed *in) __attribute__((noreturn));
static void damaged(const struct packed *in)
{
	die("%s: not a complete trace.dat: truncated, or damaged", in->name);
}

/* Return the LEN bytes at AT. */
static const unsigned char *bytes(const struct packed *in, uint64_t at, uint64_t len)
{
	if (at > in->size || len > in->size - at)
		damaged(in);
	return in->data + at;
}

static uint64_t number(const struct packed *in, uint64_t at, unsigned int len)
{
	const unsigned char *p = bytes(in, at, len);
	uint64_t v = 0;

	for (unsigned int i = 0; i < len; i++)
		v = v << 8 | p[in->big_endian ? i : len - 1 - i];
	return v;
}

/* Return the offset behind the string at AT. */
static uint64_t string_end(const struct packed *in, uint64_t at)
{
	const unsigned char *start = bytes(in, at, 1), *nul = memchr(start, 0, in->size - at);

	if (!nul)
		damaged(in);
	return at + (nul - start) + 1;
}

static void write_at(const struct packed *in, uint64_t at, const void *data, uint64_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = pwrite(in->out, p, len, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			die("cannot unpack %s into a temporary file: %s: set TMPDIR to a directory with more room",
			    in->name, n ? strerror(errno) : "no room");
		p += n;
		at += n;
		len -= n;
	}
}

static void write_number(const struct packed *in, uint64_t at, uint64_t v, unsigned int len)
{
	unsigned char p[8];

	for (unsigned int i = 0; i < len; i++)
		p[in->big_endian ? len - 1 - i : i] = v >> 8 * i;
	write_at(in, at, p, len);
}

/* Append the FROM bytes at AT, which unpack to TO bytes. */
static void append(struct packed *in, uint64_t at, uint64_t from, uint64_t to)
{
	const unsigned char *packed = bytes(in, at, from);
	size_t got;

	if (to > guard_memory(in->size) || in->end > guard_memory(in->size) - to)
		die("%s: its data are too large when unpacked, for a file of this size: damaged", in->name);
	if (to > in->chunk_size) {
		in->chunk = xrealloc(in->chunk, to, 1);
		in->chunk_size = to;
	}
	got = ZSTD_decompressDCtx(in->zstd, in->chunk, to, packed, from);
	if (ZSTD_isError(got) || got != to)
		damaged(in);
	write_at(in, in->end, in->chunk, to);
	in->end += to;
	in->dropped = drop_pages(in->dropped, (uintptr_t)packed);
}

/* Begin a section at the end of the copy that is like the one at AT, but not compressed. Return its offset. */
static uint64_t begin_section(struct packed *in, uint64_t at)
{
	uint64_t start = in->end;

	write_at(in, start, bytes(in, at, SECTION_HEADER), SECTION_HEADER);
	write_number(in, start + 2, number(in, at + 2, 2) & ~SECTION_COMPRESSED, 2);
	in->end += SECTION_HEADER;
	return start;
}

/* The section's size lets the library skip the section. */
static void end_section(const struct packed *in, uint64_t start)
{
	write_number(in, start + 8, in->end - start - SECTION_HEADER, 8);
}

static bool is_compressed(const struct packed *in, uint64_t section)
{
	return number(in, section + 2, 2) & SECTION_COMPRESSED;
}

/* Unpack the section that the option at AT refers to. */
static void unpack_section(struct packed *in, uint64_t at)
{
	uint64_t section = number(in, at, 8), data = section + SECTION_HEADER, start;

	if (!is_compressed(in, section))
		return;
	start = begin_section(in, section);
	append(in, data + 8, number(in, data, 4), number(in, data + 4, 4));
	end_section(in, start);
	write_number(in, at, start, 8);
}

/* Unpack the data of one CPU. CPU is the offset of the data's offset and size. */
static void unpack_cpu(struct packed *in, uint64_t cpu)
{
	uint64_t at = number(in, cpu, 8), start, chunks;

	if (!number(in, cpu + 8, 8))
		return;
	/* The library maps these data, which must begin at a page. */
	in->end = (in->end + in->page - 1) / in->page * in->page;
	start = in->end;
	chunks = number(in, at, 4);
	at += 4;
	for (uint64_t i = 0; i < chunks; i++) {
		uint64_t from = number(in, at, 4);

		append(in, at + 8, from, number(in, at + 4, 4));
		at += 8 + from;
	}
	write_number(in, cpu, start, 8);
	write_number(in, cpu + 8, in->end - start, 8);
}

/* Unpack a buffer instance. AT is the offset of its option's data. */
static void unpack_buffer(struct packed *in, uint64_t at)
{
	uint64_t section = number(in, at, 8), start, cpus;

	if (!is_compressed(in, section))
		return;
	start = begin_section(in, section);
	write_number(in, at, start, 8);
	at = string_end(in, string_end(in, at + 8)) + 4;	/* name, clock, page size */
	cpus = number(in, at, 4);
	at += 4;
	for (uint64_t i = 0; i < cpus; i++, at += 20)
		unpack_cpu(in, at + 4);
	end_section(in, start);
}

/* Unpack what the options at AT refer to. Return the offset of the next options, or 0. */
static uint64_t unpack_options(struct packed *in, uint64_t at)
{
	if (number(in, at, 2) != OPTION_DONE || is_compressed(in, at))
		damaged(in);
	at += SECTION_HEADER;
	for (;;) {
		unsigned int id = number(in, at, 2);
		uint64_t size = number(in, at + 2, 4);

		at += OPTION_HEADER;
		if (id == OPTION_DONE)
			return number(in, at, 8);
		if (id == OPTION_BUFFER)
			unpack_buffer(in, at);
		if (id >= OPTION_FIRST_SECTION && id <= OPTION_LAST_SECTION)
			unpack_section(in, at);
		at += size;
	}
}

/* Return the descriptor of a new temporary file that has no name. */
static int open_temporary(const char *name)
{
	const char *dir = getenv("TMPDIR");
	char *path = xprintf("%s/wakelat.XXXXXX", dir && *dir ? dir : "/tmp");
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd < 0)
		die("cannot unpack %s: cannot create a temporary file in %s: %s", name, dir && *dir ? dir : "/tmp", strerror(errno));
	unlink(path);
	free(path);
	return fd;
}

static void unpack_all(struct packed *in)
{
	uint64_t options = number(in, in->options, 8);

	in->page = number(in, PAGE_SIZE_AT, 4);
	if (!in->page || in->page > MAX_PAGE)
		damaged(in);
	in->zstd = ZSTD_createDCtx();
	if (!in->zstd)
		die("out of memory");
	for (uint64_t at = 0; at < in->size; at += DROP_BYTES) {
		write_at(in, at, in->data + at, in->size - at < DROP_BYTES ? in->size - at : DROP_BYTES);
		in->dropped = drop_pages(in->dropped, (uintptr_t)in->data + at);
	}
	in->dropped = (uintptr_t)in->data;
	/* "none" is as long as "zstd". */
	write_at(in, ALGORITHM_AT, "none", 4);
	in->end = in->size;
	while (options) {
		uint64_t next = unpack_options(in, options);

		/* trace-cmd appends options. Do not run in circles. */
		if (next && next <= options)
			damaged(in);
		options = next;
	}
	ZSTD_freeDCtx(in->zstd);
	free(in->chunk);
}

int unpack(const char *name)
{
	struct packed in = { .name = name };
	struct stat st;
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	void *data;

	if (fd < 0 || fstat(fd, &st))
		die("%s: %s", name, strerror(errno));
	in.size = st.st_size;
	in.out = -1;
	data = mmap(NULL, in.size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (data == MAP_FAILED)
		die("cannot read %s: %s", name, strerror(errno));
	in.data = data;
	in.dropped = (uintptr_t)data;
	if (in.size > ALGORITHM_AT + sizeof(ALGORITHM) && !memcmp(in.data, MAGIC, sizeof(MAGIC)) &&
	    !memcmp(in.data + ALGORITHM_AT, ALGORITHM, sizeof(ALGORITHM))) {
		in.big_endian = in.data[sizeof(MAGIC)];
		in.options = string_end(&in, ALGORITHM_AT + sizeof(ALGORITHM));
		in.out = open_temporary(name);
		unpack_all(&in);
	}
	munmap(data, in.size);
	return in.out;
}
