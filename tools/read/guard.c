// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guard.h"
#include "message.h"

/*
 * Shared with the child. Our own code sets it before the child ends. A library that calls exit() does
 * not set it, so this counts as a crash.
 */
static bool *orderly;
static volatile sig_atomic_t child_pid;
static volatile sig_atomic_t caught;

static const int forwarded[] = { SIGINT, SIGTERM, SIGHUP };
#define NR_FORWARDED (sizeof(forwarded) / sizeof(forwarded[0]))

static void forward(int sig)
{
	caught = sig;
	if (child_pid > 0)
		kill(child_pid, SIGKILL);
}

static void mark_orderly(void)
{
	*orderly = true;
}

static void limit(int resource, rlim_t value)
{
	struct rlimit rl = { .rlim_cur = value, .rlim_max = value };

	if (setrlimit(resource, &rl))
		die("setrlimit: %s", strerror(errno));
}

/* Sanitizers reserve the whole address space, so it cannot be limited with them. */
#ifdef __has_feature
#define SANITIZED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static void enter_child(unsigned int cpu_seconds, uint64_t memory)
{
	int quiet, talk;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	talk = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	quiet = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (talk < 0 || quiet < 0)
		die("cannot set up the reader: %s", strerror(errno));
	message_to(talk);
	message_at_death(mark_orderly);
	if (dup2(quiet, STDOUT_FILENO) < 0 || dup2(quiet, STDERR_FILENO) < 0)
		die("cannot set up the reader: %s", strerror(errno));
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, cpu_seconds);
	if (!SANITIZED)
		limit(RLIMIT_AS, memory);
}

int guard_run(int (*work)(void *arg), void *arg, unsigned int cpu_seconds, uint64_t memory,
	      int *signal)
{
	struct sigaction forwarding = { .sa_handler = forward };
	struct sigaction before[NR_FORWARDED];
	sigset_t held, old;
	int status;
	pid_t pid;

	orderly = mmap(NULL, sizeof(*orderly), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (orderly == MAP_FAILED)
		die("out of memory");

	/* Block signals until child_pid is set. A signal before that would not reach the child. */
	sigemptyset(&held);
	for (size_t i = 0; i < NR_FORWARDED; i++)
		sigaddset(&held, forwarded[i]);
	sigprocmask(SIG_BLOCK, &held, &old);
	for (size_t i = 0; i < NR_FORWARDED; i++) {
		sigaction(forwarded[i], NULL, &before[i]);
		/* A signal that nohup ignores stays ignored. */
		if (before[i].sa_handler != SIG_IGN)
			sigaction(forwarded[i], &forwarding, NULL);
	}

	pid = fork();
	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (!pid) {
		for (size_t i = 0; i < NR_FORWARDED; i++)
			sigaction(forwarded[i], &before[i], NULL);
		sigprocmask(SIG_SETMASK, &old, NULL);
		enter_child(cpu_seconds, memory);
		status = work(arg);
		mark_orderly();
		_exit(status);
	}
	child_pid = pid;
	sigprocmask(SIG_SETMASK, &old, NULL);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die("waitpid: %s", strerror(errno));
	child_pid = 0;
	for (size_t i = 0; i < NR_FORWARDED; i++)
		sigaction(forwarded[i], &before[i], NULL);

	*signal = caught;
	if (!caught && WIFEXITED(status) && *orderly)
		return WEXITSTATUS(status);
	return GUARD_CRASHED;
}
