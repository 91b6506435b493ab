// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "outfile.h"

/* Maximum number of files that one program makes at a time. */
#define MAX_PARTIAL 4

void outfile_failed(const char *name, const char *why)
{
	const char *work = getenv("WAKELAT_WORK");
	size_t len = work ? strlen(work) : 0;
	const char *slash = len ? strrchr(work, '/') : NULL;

	if (slash && !strncmp(name, work, len) && name[len] == '/')
		die("cannot write temporary files in %.*s: %s", (int)(slash - work), work, why);
	die("cannot write %s: %s", strncmp(name, "./", 2) ? name : name + 2, why);
}

int outfile_create(const char *name)
{
	/* O_NONBLOCK: opening a pipe without a reader fails instead of blocking. */
	int fd = open(name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || (S_ISREG(st.st_mode) && ftruncate(fd, 0)))
		outfile_failed(name, errno == ELOOP ? "it is a symbolic link" : strerror(errno));
	return fd;
}

static FILE *stream_of(int fd, const char *name)
{
	FILE *f = fdopen(fd, "w");

	if (!f)
		outfile_failed(name, strerror(errno));
	return f;
}

FILE *outfile_stream(const char *name)
{
	return stream_of(outfile_create(name), name);
}

void outfile_open(struct outfile *out, const char *name)
{
	out->name = name;
	out->used = 0;
	out->fd = outfile_create(name);
}

static char *random_name(const char *base)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	unsigned char random[10];
	char text[sizeof(random) + 1] = "";

	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		die("%s: no random numbers: %s", base, strerror(errno));
	for (size_t i = 0; i < sizeof(random); i++)
		text[i] = letters[random[i] % (sizeof(letters) - 1)];
	/* A name has 255 bytes at most. */
	return xprintf("%.200s.partial.%s", base, text);
}

/* A file that has the name TEMPORARY in the directory DIR, and not its final name BASE yet. */
static struct partial {
	const char *name;
	char *base;
	char *temporary;
	int dir;
} partials[MAX_PARTIAL];

static void drop(struct partial *p)
{
	if (!p->temporary)
		return;
	unlinkat(p->dir, p->temporary, 0);
	p->temporary = NULL;
}

static void drop_all(void)
{
	for (size_t i = 0; i < MAX_PARTIAL; i++)
		drop(&partials[i]);
}

static void drop_and_die(int sig)
{
	drop_all();
	signal(sig, SIG_DFL);
	raise(sig);
}

void outfile_drop_at_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (signal(signals[i], drop_and_die) == SIG_IGN)
			signal(signals[i], SIG_IGN);
	/* Without this signal, exceeding a file size limit is a write error, which is reported. */
	signal(SIGXFSZ, SIG_IGN);
}

int outfile_temporary_directory(int dir, const char *for_name, char **temporary)
{
	const char *slash = strrchr(for_name, '/');
	char *name = random_name(slash ? slash + 1 : for_name);
	int fd;

	if (mkdirat(dir, name, 0777))
		outfile_failed(for_name, strerror(errno));
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		outfile_failed(for_name, strerror(errno));
	*temporary = name;
	return fd;
}

int outfile_parent(const char *name, char **base)
{
	const char *slash = strrchr(name, '/');
	char *parent = slash == name ? xstrdup("/") : slash ? xprintf("%.*s", (int)(slash - name), name) : xstrdup(".");
	int dir = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		outfile_failed(name, strerror(errno));
	*base = xstrdup(slash ? slash + 1 : name);
	free(parent);
	return dir;
}

static struct partial *find_partial(const char *name)
{
	static bool known;
	struct partial *p = partials;

	while (p->name && strcmp(p->name, name))
		if (++p == partials + MAX_PARTIAL)
			die("%s: too many files at a time", name);
	if (p->temporary)
		return p;
	if (!known)
		atexit(drop_all);
	known = true;
	free(p->base);
	if (p->name)
		close(p->dir);
	p->name = name;
	p->dir = outfile_parent(name, &p->base);
	p->temporary = random_name(p->base);
	return p;
}

void outfile_reserve_name(const char *name)
{
	find_partial(name);
}

static int begin(const char *name)
{
	const struct partial *p = find_partial(name);
	int fd = openat(p->dir, p->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);

	if (fd < 0)
		outfile_failed(name, strerror(errno));
	return fd;
}

void outfile_begin(struct outfile *out, const char *name)
{
	out->name = name;
	out->used = 0;
	out->fd = begin(name);
}

FILE *outfile_begin_stream(const char *name)
{
	return stream_of(begin(name), name);
}

bool outfile_replaceable(int dir, const char *base, const char *name)
{
	struct stat st;

	/* rename() would be safe (it follows no link), but the user would lose the present file. */
	if (fstatat(dir, base, &st, AT_SYMLINK_NOFOLLOW) || S_ISREG(st.st_mode))
		return true;
	message("%s: exists and is not a regular file: check it, and remove it", name);
	return false;
}

int outfile_place(const char *name)
{
	struct partial *p = find_partial(name);

	if (!outfile_replaceable(p->dir, p->base, name))
		return -1;
	if (renameat(p->dir, p->temporary, p->dir, p->base)) {
		message("cannot write %s: %s", name, strerror(errno));
		return -1;
	}
	p->temporary = NULL;
	return 0;
}

void outfile_drop(const char *name)
{
	for (size_t i = 0; i < MAX_PARTIAL; i++)
		if (partials[i].name && !strcmp(partials[i].name, name))
			drop(&partials[i]);
}

static void flush(struct outfile *out)
{
	size_t done = 0;

	while (done < out->used) {
		ssize_t n = write(out->fd, out->buf + done, out->used - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			outfile_failed(out->name, strerror(errno));
		done += n;
	}
	out->used = 0;
}

char *outfile_reserve(struct outfile *out, size_t size)
{
	if (size > sizeof(out->buf))
		die("%s: a line of %zu bytes is too long", out->name, size);
	if (out->used + size > sizeof(out->buf))
		flush(out);
	return out->buf + out->used;
}

void outfile_commit(struct outfile *out, const char *end)
{
	out->used = end - out->buf;
}

void outfile_close(struct outfile *out)
{
	flush(out);
	/* Network file systems report a full disk only here. */
	if (close(out->fd))
		outfile_failed(out->name, strerror(errno));
}

void outfile_close_stream(FILE *f, const char *name)
{
	bool failed = ferror(f);

	if (fclose(f) || failed)
		outfile_failed(name, strerror(errno));
}

void outfile_end_stdout(void)
{
	static char name[4096];
	int error;

	if (!fflush(stdout) && !ferror(stdout))
		return;
	error = errno;
	/* Pipes and sockets have no name that starts with /. */
	if (readlink("/proc/self/fd/1", name, sizeof(name) - 1) < 0 || *name != '/')
		strcpy(name, "the output");
	outfile_failed(name, strerror(error));
}
