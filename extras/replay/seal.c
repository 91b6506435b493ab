// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "message.h"
#include "seal.h"

/* The kernel's interface (linux/landlock.h), of which Debian 12's headers lack the newer parts. */
#define CREATE_RULESET 444
#define ADD_RULE 445
#define RESTRICT_SELF 446
#define READ_FILE 4ULL

static void blame(int sig)
{
	die("the governor of the tree %s (%s)", sig == SIGXCPU ? "does not end" : "crashed", strsignal(sig));
}

static void blame_governor(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU };
	struct rlimit time;

	/* SIGXCPU comes before the SIGKILL of the hard limit. */
	if (!getrlimit(RLIMIT_CPU, &time) && time.rlim_max != RLIM_INFINITY && time.rlim_max > 1) {
		time.rlim_cur = time.rlim_max - 1;
		setrlimit(RLIMIT_CPU, &time);
	}
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], blame);
}

/* Deny everything that this kernel's Landlock knows, but reading below DIRECTORY. Without Landlock, do nothing. */
static void deny_files(const char *directory)
{
	/* How many rights to files each version has: see Documentation/userspace-api/landlock.rst. */
	static const int rights[] = { 13, 14, 15, 15, 16 };
	long version = syscall(CREATE_RULESET, NULL, 0, 1);
	struct { uint64_t fs, net, scoped; } ruleset = { 0 };
	struct { uint64_t allowed; int32_t fd; } __attribute__((packed)) rule = { .allowed = READ_FILE };
	int fd;

	if (version < 1)
		return;
	ruleset.fs = (1ULL << rights[version > 5 ? 4 : version - 1]) - 1;
	ruleset.net = version >= 4 ? 3 : 0;		/* bind and connect by TCP */
	ruleset.scoped = version >= 6 ? 3 : 0;		/* abstract sockets, signals */
	fd = syscall(CREATE_RULESET, &ruleset, version >= 6 ? 24 : version >= 4 ? 16 : 8, 0);
	rule.fd = open(directory, O_PATH | O_CLOEXEC);
	if (fd < 0 || rule.fd < 0 || syscall(ADD_RULE, fd, 1, &rule, 0) || syscall(RESTRICT_SELF, fd, 0))
		die("cannot seal the governor off: Landlock: %s", strerror(errno));
	close(rule.fd);
	close(fd);
}

void seal(const char *file)
{
	struct rlimit none = { 0 };
	const char *slash = strrchr(file, '/');
	char *directory = slash ? xprintf("%.*s", (int)(slash - file) + 1, file) : xstrdup(".");

	blame_governor();
	/* Containers may forbid this. Landlock still denies TCP. */
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC))
		errno = 0;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || setrlimit(RLIMIT_NPROC, &none))
		die("cannot seal the governor off: %s", strerror(errno));
	deny_files(directory);
	free(directory);
}
