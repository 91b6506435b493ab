// SPDX-License-Identifier: GPL-2.0
/*
 * cage - run a program that reads a stranger's files, without rights and with limits.
 *
 *	cage -c			print yes if this kernel has Landlock, or no
 *	cage [-t SECONDS] -l LIST DIR PROGRAM [ARG]...
 *
 * Runs PROGRAM in the directory DIR, with an empty environment. PROGRAM inherits stdin, stdout and
 * stderr, and no other file. It can open the files below DIR, and the files that LIST names, one a
 * line (the program itself and its libraries). It can open them for reading only. Everything else is
 * denied by Landlock, also behind a symbolic link. It has no network, if the kernel allows namespaces of users,
 * or has Landlock for TCP. If root runs cage, and DIR belongs to another user, PROGRAM runs as that
 * user.
 *
 * Limits: SECONDS of time and of CPU time (10), 256 MiB of memory, 16 MiB for each written file, 64 open
 * files. After SECONDS, cage kills PROGRAM and all processes of its group.
 *
 * Exit status: that of PROGRAM; 128 + N if signal N ended it; 124 if a limit of time or of output
 * ended it; 125 if cage failed. For the last two, stderr has a line "cage: REASON".
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STATUS_LIMIT 124
#define STATUS_FAILED 125
#define MIB (1024 * 1024UL)

/* The kernel's interface (linux/landlock.h), of which Debian 12's headers lack the newer parts. */
#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_ADD_RULE 445
#define LANDLOCK_RESTRICT_SELF 446
#define LANDLOCK_VERSION 1
#define LANDLOCK_PATH_BENEATH 1
#define FS_EXECUTE 1ULL
#define FS_READ_FILE 4ULL
#define FS_READ_DIR 8ULL

struct ruleset {
	uint64_t fs, net, scoped;
};

struct path_beneath {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

static void fail(const char *what)
{
	fprintf(stderr, "cage: %s: %s\n", what, strerror(errno));
	_exit(STATUS_FAILED);
}

/* Return Landlock's version of the interface, or a negative number without Landlock. */
static long landlock_version(void)
{
	return syscall(LANDLOCK_CREATE_RULESET, NULL, 0, LANDLOCK_VERSION);
}

/* Create a ruleset that denies all that this VERSION knows. */
static int create_ruleset(long version)
{
	/* How many rights to files each version has: see Documentation/userspace-api/landlock.rst. */
	static const int rights[] = { 13, 14, 15, 15, 16 };
	struct ruleset ruleset = {
		.fs = (1ULL << rights[version > 5 ? 4 : version - 1]) - 1,
		.net = version >= 4 ? 3 : 0,		/* bind and connect by TCP */
		.scoped = version >= 6 ? 3 : 0,		/* abstract sockets, signals */
	};
	size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
	int fd = syscall(LANDLOCK_CREATE_RULESET, &ruleset, size, 0);

	if (fd < 0)
		fail("Landlock");
	return fd;
}

/* Allow to read below PATH. A PATH that does not exist needs no rule. */
static void allow(int ruleset, const char *path, uint64_t rights)
{
	struct path_beneath rule = { .allowed = rights };
	struct stat status;

	rule.fd = open(path, O_PATH | O_CLOEXEC);
	if (rule.fd < 0)
		return;
	if (!fstat(rule.fd, &status) && !S_ISDIR(status.st_mode))
		rule.allowed &= ~FS_READ_DIR;
	if (syscall(LANDLOCK_ADD_RULE, ruleset, LANDLOCK_PATH_BENEATH, &rule, 0))
		fail(path);
	close(rule.fd);
}

static int ruleset_of(const char *list)
{
	char line[4096];
	int ruleset;
	FILE *file;

	ruleset = create_ruleset(landlock_version());
	allow(ruleset, ".", FS_READ_FILE | FS_READ_DIR);
	file = fopen(list, "re");
	if (!file)
		fail(list);
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		allow(ruleset, line, FS_READ_FILE | FS_EXECUTE);
	}
	fclose(file);
	return ruleset;
}

static void limit(int resource, rlim_t value)
{
	struct rlimit rl = { .rlim_cur = value, .rlim_max = value };

	if (setrlimit(resource, &rl))
		fail("setrlimit");
}

/* Give up root's rights for those of the directory's owner. */
static void become_owner(void)
{
	struct stat status;

	if (geteuid() || stat(".", &status) || !status.st_uid)
		return;
	if (setgroups(0, NULL) || setgid(status.st_gid) || setuid(status.st_uid))
		fail("setuid");
}

static void enter(unsigned int seconds, int ruleset)
{
	static const int defaults[] = { SIGXFSZ, SIGXCPU, SIGPIPE, SIGINT, SIGHUP, SIGTERM };
	struct rlimit files;
	sigset_t none;

	become_owner();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		signal(defaults[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Containers may forbid this. Landlock still denies TCP. */
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC))
		errno = 0;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		fail("no_new_privs");
	if (ruleset >= 0 && syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0))
		fail("Landlock");
	if (getrlimit(RLIMIT_NOFILE, &files))
		fail("getrlimit");
	for (rlim_t fd = 3; fd < files.rlim_cur && fd < 65536; fd++)
		close(fd);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, seconds);
	limit(RLIMIT_AS, 256 * MIB);
	limit(RLIMIT_FSIZE, 16 * MIB);
	limit(RLIMIT_NOFILE, 64);
}

static pid_t start(unsigned int seconds, int ruleset, char **argv)
{
	static char locale[] = "LC_ALL=C", path[] = "PATH=/usr/bin:/bin";
	char *environment[] = { locale, path, NULL };
	pid_t pid = fork();

	if (pid < 0)
		fail("fork");
	if (pid) {
		setpgid(pid, pid);
		return pid;
	}
	setpgid(0, 0);
	enter(seconds, ruleset);
	execve(argv[0], argv, environment);
	fail(argv[0]);
	return 0;
}

static int said(const char *text, unsigned int number, const char *unit)
{
	fprintf(stderr, "cage: %s %u %s\n", text, number, unit);
	return STATUS_LIMIT;
}

/* Wait until PID ends, a signal of SIGNALS other than SIGCHLD arrives, or the time is over. Kill its group. */
static int wait_for(pid_t pid, unsigned int seconds, const sigset_t *signals)
{
	struct timespec now, end, left;
	int status, sig = 0;
	pid_t ended;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += seconds;
	while (!(ended = waitpid(pid, &status, WNOHANG))) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		left.tv_sec = end.tv_sec - now.tv_sec;
		left.tv_nsec = end.tv_nsec - now.tv_nsec;
		if (left.tv_nsec < 0) {
			left.tv_sec--;
			left.tv_nsec += 1000000000;
		}
		if (left.tv_sec < 0)
			break;
		sig = sigtimedwait(signals, NULL, &left);
		if (sig > 0 && sig != SIGCHLD)
			break;
	}
	kill(-pid, SIGKILL);
	if (!ended)
		waitpid(pid, &status, 0);
	if (sig > 0 && sig != SIGCHLD)
		return 128 + sig;
	if (!ended)
		return said("stopped after", seconds, "s");
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (WTERMSIG(status) == SIGXFSZ)
		return said("output of more than", 16, "MiB");
	if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)
		return said("stopped after", seconds, "s");
	return 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	static const int waited[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP };
	unsigned int seconds = 10;
	const char *list = NULL;
	int option, ruleset = -1;
	sigset_t signals;

	while ((option = getopt(argc, argv, "+ct:l:")) != -1) {
		switch (option) {
		case 'c':
			puts(landlock_version() > 0 ? "yes" : "no");
			return 0;
		case 't':
			seconds = strtoul(optarg, NULL, 10);
			break;
		case 'l':
			list = optarg;
			break;
		default:
			return STATUS_FAILED;
		}
	}
	argv += optind;
	if (!list || argc - optind < 2) {
		fputs("cage: usage: cage [-t SECONDS] -l LIST DIR PROGRAM [ARG]...\n", stderr);
		return STATUS_FAILED;
	}
	sigemptyset(&signals);
	for (size_t i = 0; i < sizeof(waited) / sizeof(waited[0]); i++)
		sigaddset(&signals, waited[i]);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	/* An ignored SIGCHLD would lose the status. */
	signal(SIGCHLD, SIG_DFL);
	if (chdir(argv[0]))
		fail(argv[0]);
	if (landlock_version() > 0)
		ruleset = ruleset_of(list);
	return wait_for(start(seconds, ruleset, argv + 1), seconds, &signals);
}
