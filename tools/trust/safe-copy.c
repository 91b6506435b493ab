// SPDX-License-Identifier: GPL-2.0
/*
 * safe-copy - copy files from directories that others may change, and into directories that the caller trusts (trust.sh).
 *
 * Each file is opened once, relative to a descriptor of its directory, without following a link. A file
 * that is not a regular one is refused.
 *
 *	safe-copy file FROM TO		copy the file FROM to TO
 *	safe-copy new TO FROM...		copy files and directories into the new directory TO
 *	safe-copy into TO FROM...		copy files into the directory TO, all of them or none
 *	safe-copy take FROM TO PATTERN...	create directory TO and copy into it the files of FROM
 *					that match a PATTERN; a match that is not a regular file
 *					is an error
 *
 * The umask sets the modes of new files, except that take makes files for their owner only.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "holes.h"
#include "message.h"
#include "outfile.h"

/* How deep directories of results are nested. */
#define MAX_DEPTH 2

/* Limit for files that are later read into memory as a whole: the same as in tools/trust/check-tables.c. */
#define MAX_TABLE (32 << 20)

static const char *what;
static volatile sig_atomic_t stopped;

/* Ask the copy to end after the current chunk. exit() then removes incomplete files. */
static void stop(int sig)
{
	stopped = sig;
}

static void look_for_stop(void)
{
	if (stopped)
		exit(128 + stopped);
}

static void stop_at_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction stopping = { .sa_handler = stop };
	struct sigaction was;

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &was) && was.sa_handler != SIG_IGN)
			sigaction(signals[i], &stopping, NULL);
	/* Without this signal, exceeding a file size limit is a write error, which is reported. */
	signal(SIGXFSZ, SIG_IGN);
}

static void cannot_write(void)
{
	outfile_failed(what, strerror(errno));
}

static void write_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		look_for_stop();
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			cannot_write();
		data += n;
		len -= n;
	}
}

/* Copy the rest of FD to OUT, and close FD. NAME is for messages. */
static void copy_data(int fd, const char *name, int out)
{
	static char buf[1 << 18];
	ssize_t n;

	/* Copy within the kernel if the file systems support it. */
	while ((n = copy_file_range(fd, NULL, out, NULL, 1 << 24, 0)) > 0)
		look_for_stop();
	while ((n = read(fd, buf, sizeof(buf)))) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die("cannot read %s: %s", name, strerror(errno));
		write_all(out, buf, n);
	}
	close(fd);
}

static const char *kind_of(mode_t mode)
{
	return S_ISLNK(mode) ? "a symbolic link" : S_ISDIR(mode) ? "a directory" : S_ISFIFO(mode) ? "a named pipe" :
		"a device or a socket";
}

/* Open the regular file BASE of DIR; NAME is for messages. With O_NONBLOCK, opening a pipe does not wait. */
static int open_regular(int dir, const char *base, const char *name)
{
	int fd = openat(dir, base, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && errno == ELOOP)
		die("%s: not trusted: it is a symbolic link: check it, and remove it or replace it with a copy of its target", name);
	if (fd < 0 || fstat(fd, &st))
		die("cannot read %s: %s", name, strerror(errno));
	if (!S_ISREG(st.st_mode))
		die("%s: not trusted: it is %s: check it, and remove it", name, kind_of(st.st_mode));
	return fd;
}

static void copy_file(int from_dir, const char *from, int to_dir, const char *to)
{
	int fd = open_regular(from_dir, from, from);
	int out = openat(to_dir, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);

	if (out < 0)
		cannot_write();
	copy_data(fd, from, out);
	if (close(out))
		cannot_write();
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int make_directory(int dir, const char *name)
{
	int fd;

	if (mkdirat(dir, name, 0777))
		cannot_write();
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		cannot_write();
	return fd;
}

/* Copy FROM, a file or a directory that belongs to the caller, into TO_DIR. */
static void copy_any(int from_dir, const char *from, int to_dir, int depth)
{
	const struct dirent *entry;
	struct stat st;
	DIR *list;
	int fd;

	if (fstatat(from_dir, from, &st, AT_SYMLINK_NOFOLLOW))
		die("cannot read %s: %s", from, strerror(errno));
	if (!S_ISDIR(st.st_mode)) {
		copy_file(from_dir, from, to_dir, last_part(from));
		return;
	}
	fd = openat(from_dir, from, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	list = fd < 0 ? NULL : fdopendir(fd);
	if (!list || depth == MAX_DEPTH)
		die("cannot read %s: %s", from, list ? "directories too deep" : strerror(errno));
	to_dir = make_directory(to_dir, last_part(from));
	while ((entry = readdir(list)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			copy_any(fd, entry->d_name, to_dir, depth + 1);
	close(to_dir);
	closedir(list);
}

/* The directory OWN that holds incomplete files, to be removed at exit. Its name in DIR is TEMPORARY. */
static struct {
	int dir;
	int own;
	char *temporary;
} making = { .dir = -1 };

/* Remove the content of DIR, which only we can change, but not DIR itself. */
static void empty(int dir, int depth)
{
	const struct dirent *entry;
	DIR *list;
	int fd;

	list = (fd = dup(dir)) < 0 ? NULL : fdopendir(fd);
	if (!list)
		return;
	rewinddir(list);
	while ((entry = readdir(list))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (!unlinkat(dir, entry->d_name, 0) || depth > MAX_DEPTH)
			continue;
		fd = openat(dir, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			continue;
		empty(fd, depth + 1);
		close(fd);
		unlinkat(dir, entry->d_name, AT_REMOVEDIR);
	}
	closedir(list);
}

static void drop_making(void)
{
	if (!making.temporary)
		return;
	empty(making.own, 0);
	unlinkat(making.dir, making.temporary, AT_REMOVEDIR);
	making.temporary = NULL;
}

static void begin_making(int dir, const char *for_name)
{
	making.dir = dir;
	making.own = outfile_temporary_directory(dir, for_name, &making.temporary);
	atexit(drop_making);
}

static void place_file(const char *from, const char *to)
{
	int fd = open_regular(AT_FDCWD, from, from);
	static struct outfile out;

	outfile_begin(&out, to);
	copy_data(fd, from, out.fd);
	outfile_close(&out);
	if (outfile_place(to))
		exit(EXIT_FAILURE);
}

static void place_new(const char *to, char **from)
{
	char *base;
	int dir = outfile_parent(to, &base);

	begin_making(dir, to);
	for (; *from; from++)
		copy_any(AT_FDCWD, *from, making.own, 0);
	if (renameat2(dir, making.temporary, dir, base, RENAME_NOREPLACE) &&
	    /* Not every file system supports RENAME_NOREPLACE. A plain rename may replace an empty directory. */
	    (errno != EINVAL || !faccessat(dir, base, F_OK, AT_SYMLINK_NOFOLLOW) || renameat(dir, making.temporary, dir, base)))
		die("cannot create %s: %s", strncmp(to, "./", 2) ? to : to + 2, strerror(errno));
	making.temporary = NULL;
}

static void place_into(const char *to, char **from)
{
	char *base;
	int dir = outfile_parent(to, &base);
	int in;

	if (mkdirat(dir, base, 0777) && errno != EEXIST)
		cannot_write();
	in = openat(dir, base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (in < 0)
		cannot_write();
	begin_making(in, to);
	for (char **each = from; *each; each++)
		copy_file(AT_FDCWD, *each, making.own, last_part(*each));
	for (char **each = from; *each; each++) {
		char *name = xprintf("%s/%s", to, last_part(*each));

		if (!outfile_replaceable(in, last_part(*each), name))
			exit(EXIT_FAILURE);
		free(name);
	}
	/* Renaming needs no space, so a full disk cannot leave only some of the files. */
	for (char **each = from; *each; each++)
		if (renameat(making.own, last_part(*each), in, last_part(*each)))
			cannot_write();
}

static bool matches(const char *name, char **patterns)
{
	for (; *patterns; patterns++)
		if (!fnmatch(*patterns, name, 0))
			return true;
	return false;
}

/* Check that a file may be copied to the directory OUT. Samples and recordings may be large if there is room. */
static void check_size(const char *name, int fd, int out)
{
	const char *base = last_part(name);
	struct statvfs fs;
	struct stat st;

	if (fstat(fd, &st) || fstatvfs(out, &fs))
		die("cannot read %s: %s", name, strerror(errno));
	/* As in trust.sh: a sparse file takes little space on disk but a long time to read. */
	if (is_hollow(&st))
		die("%s: %lld bytes, nearly all of them holes", name, (long long)st.st_size);
	if (!strncmp(base, "trace", 5) || !strcmp(base, "samples.tsv") || !strcmp(base, "datapoints.csv")) {
		if ((unsigned long long)st.st_size / fs.f_frsize >= fs.f_bavail)
			die("%s: %lld bytes do not fit into %s: set TMPDIR to a directory with more room", name,
			    (long long)st.st_size, what);
	} else if (st.st_size > MAX_TABLE) {
		die("%s: %lld bytes: no table of this kind is that large", name, (long long)st.st_size);
	}
}

static void take(const char *from, const char *to, char **patterns)
{
	int in = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = in < 0 ? NULL : fdopendir(in);
	const struct dirent *entry;
	struct stat st;
	int out;

	if (!list)
		die("cannot read %s: %s", from, strerror(errno));
	out = make_directory(AT_FDCWD, to);
	while ((entry = readdir(list))) {
		char *name;
		int fd, copy;

		if (!matches(entry->d_name, patterns))
			continue;
		name = xprintf("%s/%s", from, entry->d_name);
		fd = open_regular(in, entry->d_name, name);
		check_size(name, fd, out);
		if (fstat(fd, &st))
			die("cannot read %s: %s", name, strerror(errno));
		copy = openat(out, entry->d_name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (copy < 0)
			cannot_write();
		copy_data(fd, name, copy);
		/* Keep the timestamps, so that an outdated table stays older than its source. */
		if (futimens(copy, (struct timespec[]){ st.st_atim, st.st_mtim }) || close(copy))
			cannot_write();
		free(name);
	}
}

static void usage(void)
{
	die("usage: safe-copy file FROM TO | new TO FROM... | into TO FROM... | take FROM TO PATTERN...");
}

int main(int argc, char **argv)
{
	const char *verb = argc > 3 ? argv[1] : "";

	message_init("safe-copy");
	stop_at_signals();
	if (!strcmp(verb, "file") && argc == 4)
		place_file(argv[2], what = argv[3]);
	else if (!strcmp(verb, "new"))
		place_new(what = argv[2], argv + 3);
	else if (!strcmp(verb, "into"))
		place_into(what = argv[2], argv + 3);
	else if (!strcmp(verb, "take") && argc > 4)
		take(argv[2], what = argv[3], argv + 4);
	else
		usage();
	return 0;
}
