// SPDX-License-Identifier: GPL-2.0
/*
 * stress - one of several actors that use and abuse wakelat and its machine at the same time, for a stated time
 *
 *	stress SEED SECONDS write		writes random values to control files, and settings to the file `run`, which it
 *						keeps open
 *	stress SEED SECONDS read		reads control files, and interrupts reads that take long
 *	stress SEED SECONDS run			makes runs with each source, and stops them or waits for their end
 *	stress SEED SECONDS hotplug		takes CPUs offline and online, except the first
 *	stress SEED SECONDS suspend		suspends to idle, as far as the kernel's test levels go
 *	stress SEED SECONDS module FILE...	loads and removes modules
 *	stress SEED SECONDS card ADDRESS DRIVER...	binds the card to one driver or the other
 *	stress SEED SECONDS trace		uses readers, recorders, filters and histograms of the events
 *
 * Time is CLOCK_BOOTTIME. At its end it prints what it did: ACTOR, WHAT, tried, refused, done, separated by tabs.
 * It looks up the control files in their directory, and makes values from their content.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing"
#define CONTROL TRACING "/wakelat"
#define EVENTS TRACING "/events/wakelat"
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const char *actor;
static double until;

/* --- tallies of what was done */

static struct {
	char what[80];
	unsigned long tried, done;
} tallies[400];
static size_t n_tallies;

static void tally(const char *what, bool done)
{
	size_t i = 0;

	while (i < n_tallies && strcmp(tallies[i].what, what))
		i++;
	if (i == n_tallies) {
		if (i == ARRAY_SIZE(tallies))
			return;
		snprintf(tallies[i].what, sizeof(tallies[i].what), "%s", what);
		n_tallies++;
	}
	tallies[i].tried++;
	tallies[i].done += done;
}

static void print_tallies(void)
{
	for (size_t i = 0; i < n_tallies; i++)
		printf("%s\t%s\t%lu\t%lu\t%lu\n", actor, tallies[i].what, tallies[i].tried,
		       tallies[i].tried - tallies[i].done, tallies[i].done);
}

/* --- chance: xorshift64*, the same for the same seed */

static uint64_t random_state;

static uint64_t random64(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 0x2545F4914F6CDD1DULL;
}

static unsigned int below(unsigned int n)
{
	return (random64() >> 32) % n;
}

static bool one_in(unsigned int n)
{
	return !below(n);
}

/* --- time, files */

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Sleep for up to MS milliseconds. Return false if it is time to end. */
static bool pause_ms(unsigned int ms)
{
	if (ms)
		usleep(1 + below(ms * 1000));
	return now() < until;
}

static void on_alarm(int signal)
{
	(void)signal;
}

static ssize_t read_fd(int fd, char *buffer, size_t size, unsigned int patience_ms)
{
	struct itimerval patience = { .it_value.tv_sec = patience_ms / 1000,
				      .it_value.tv_usec = patience_ms % 1000 * 1000 };
	ssize_t have = 0, n;

	buffer[0] = '\0';
	/* Repeat the alarm, because the first one may come before the read. */
	patience.it_interval = patience.it_value;
	setitimer(ITIMER_REAL, &patience, NULL);
	while ((n = read(fd, buffer + have, size - 1 - have)) > 0)
		have += n;
	patience = (struct itimerval){ 0 };
	setitimer(ITIMER_REAL, &patience, NULL);
	buffer[have] = '\0';
	return n < 0 ? n : have;
}

static ssize_t read_file(const char *path, char *buffer, size_t size, unsigned int patience_ms)
{
	int fd = open(path, O_RDONLY);
	ssize_t n;

	buffer[0] = '\0';
	if (fd < 0)
		return -1;
	n = read_fd(fd, buffer, size, patience_ms);
	close(fd);
	return n;
}

static bool write_file(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY);
	bool good;

	if (fd < 0)
		return false;
	good = write(fd, bytes, size) == (ssize_t)size;
	close(fd);
	return good;
}

__attribute__((format(printf, 2, 3)))
static bool put(const char *path, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return write_file(path, text, strlen(text));
}

/* Write lines to the open file run. */
__attribute__((format(printf, 2, 3)))
static bool put_run(int fd, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

static int open_run(void)
{
	return open(CONTROL "/run", O_RDWR | O_CLOEXEC);
}

/* --- the control files, as listed in their directory */

static struct {
	char name[64];
	bool writable;
} files[64];
static size_t n_files, n_writable;

static void find_files(void)
{
	DIR *dir = opendir(CONTROL);
	struct dirent *entry;
	struct stat st;

	while (dir && (entry = readdir(dir)) && n_files < ARRAY_SIZE(files)) {
		if (entry->d_name[0] == '.' || fstatat(dirfd(dir), entry->d_name, &st, 0) || !S_ISREG(st.st_mode))
			continue;
		snprintf(files[n_files].name, sizeof(files[n_files].name), "%.63s", entry->d_name);
		files[n_files].writable = st.st_mode & 0222;
		n_writable += files[n_files++].writable;
	}
	if (dir)
		closedir(dir);
	if (!n_writable) {
		fprintf(stderr, "stress: nothing to write to in " CONTROL "\n");
		exit(2);
	}
}

static const char *control_path(size_t i)
{
	static char path[128];

	snprintf(path, sizeof(path), CONTROL "/%.63s", files[i].name);
	return path;
}

/* --- values: words from the files' content, extreme numbers, and garbage */

static char words[512][32];
static size_t n_words, n_known;

static void learn_words(void)
{
	static const char *const known[] = { "none", "start", "stop", "hrtimer", "tsc_deadline", "passive", "ipi", "i210" };
	static char text[65536];

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		snprintf(words[n_words++], sizeof(words[0]), "%s", known[i]);
	n_known = n_words;
	for (size_t i = 0; i < n_files; i++) {
		if (read_file(control_path(i), text, sizeof(text), 20) <= 0)
			continue;
		for (char *word = strtok(text, " \t\n:;,"); word && n_words < ARRAY_SIZE(words); word = strtok(NULL, " \t\n:;,"))
			snprintf(words[n_words++], sizeof(words[0]), "%.31s", word);
	}
}

/* Return a random word, mostly one that some file accepts. */
static const char *word(void)
{
	return words[below(one_in(3) ? n_words : n_known)];
}

static int make_number(char *text, size_t size)
{
	static const char *const edges[] = { "0", "1", "-1", "2147483647", "2147483648", "4294967295", "4294967296",
		"9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
		"1000000000000000000000", "0x10", "1e6", "50us", "+5", " 7", "8 " };

	if (one_in(3))
		return snprintf(text, size, "%s", edges[below(ARRAY_SIZE(edges))]);
	/* Numbers of all lengths are equally likely. */
	return snprintf(text, size, "%llu", (unsigned long long)(random64() >> below(64)));
}

static int make_garbage(char *text, size_t size)
{
	int n = one_in(20) ? below(size) : below(40);

	for (int i = 0; i < n; i++)
		text[i] = one_in(2) ? (char)random64() : "0123456789,- \n\t-~:;a"[below(20)];
	return n;
}

static int make_value(char *text, size_t size)
{
	char number[40];

	make_number(number, sizeof(number));
	switch (below(12)) {
	case 0: return make_garbage(text, size);
	case 1:
	case 8:
	case 9:
	case 10: return snprintf(text, size, "%s%s", word(), one_in(2) ? "\n" : "");
	case 2: return snprintf(text, size, "%s,%s", word(), word());
	case 3: return snprintf(text, size, "%s %s", word(), word());
	case 4: return snprintf(text, size, "%s %s", word(), number);
	case 5: return snprintf(text, size, "%u", below(5));
	case 6: return snprintf(text, size, "%u-%u", below(4), below(5));
	case 7: return snprintf(text, size, "%u\n", 1000 * (1 + below(1 << below(11))));
	}
	return snprintf(text, size, "%s", number);
}

/* --- the actors */

static void writer(void)
{
	static const char *const keys[] = { "source", "cpus", "ldist_min_ns", "ldist_max_ns", "seed", "max_samples", "interval_us",
					    "sender", "launch", "counters", "start", "stop" };
	static char text[9000], value[9000];
	int fd = open_run();

	find_files();
	learn_words();
	while (pause_ms(3)) {
		const char *key = keys[below(ARRAY_SIZE(keys))];
		int n = make_value(value, sizeof(value) - 100);
		size_t i = below(n_files);

		/* Read-only files refuse this. */
		if (one_in(20)) {
			tally(files[i].name, write_file(control_path(i), value, n));
			continue;
		}
		/* Closing the file ends its run. */
		if (one_in(10)) {
			close(fd);
			fd = open_run();
		}
		if (*key == 's' && key[1] == 't')
			n = snprintf(text, sizeof(text), "%s", key);
		else
			n = snprintf(text, sizeof(text), "%s %.*s%s", key, n, value, one_in(5) ? "\nseed 7" : "");
		tally(key, write(fd, text, n) == n);
		/* Occasionally leave a run alone. */
		if (one_in(50))
			pause_ms(1000);
		if (one_in(10))
			put_run(fd, "stop");
	}
	close(fd);
}

static void reader(void)
{
	static char text[1 << 17];

	find_files();
	while (pause_ms(10)) {
		size_t i = below(n_files);

		tally(files[i].name, read_file(control_path(i), text, sizeof(text), 1 + below(200)) >= 0);
	}
}

/* Write settings with which a run is likely to get samples. */
static void settle(int fd, const char *source)
{
	put_run(fd, "source %s\ncpus %s\nldist_min_ns 100000\nldist_max_ns 1000000\nmax_samples %u", source,
		one_in(2) ? "0-3" : one_in(2) ? "0" : "1,3", one_in(3) ? 0 : 1 + below(200));
	put_run(fd, "counters %u", below(8));
}

static bool sources(char names[8][32], size_t *n)
{
	static char text[4096];
	char *line, *rest = text;

	*n = 0;
	if (read_file(CONTROL "/available_sources", text, sizeof(text), 100) <= 0)
		return false;
	while ((line = strsep(&rest, "\n")) && *n < 8)
		if (sscanf(line, "%31s", names[*n]) == 1)
			++*n;
	return *n > 0;
}

static void runner(void)
{
	char names[8][32], text[4096], what[80];
	size_t n;

	while (pause_ms(20)) {
		const char *name;
		bool started;
		int fd;

		if (!sources(names, &n))
			continue;
		fd = open_run();
		if (fd < 0)
			continue;
		name = names[below(n)];
		settle(fd, name);
		put(EVENTS "/enable", "%d", !one_in(4));
		started = put_run(fd, "start");
		snprintf(what, sizeof(what), "start %s", name);
		tally(what, started);
		if (started && one_in(2)) {
			pause_ms(50);
			tally("stop", put_run(fd, "stop"));
		}
		if (started && read_fd(fd, text, sizeof(text), 1500) > 0) {
			snprintf(what, sizeof(what), "end %.40s", strtok(text, "\n") ?: "-");
			tally(what, true);
		} else if (started) {
			tally("closed", true);
		}
		close(fd);
	}
}

static void hotplugger(void)
{
	while (pause_ms(300)) {
		int cpu = 1 + below(3), online = below(2);
		char path[80];

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
		tally(online ? "online" : "offline", put(path, "%d", online));
	}
}

/* Nothing reliably wakes the virtual Xeon from a suspend, so use test levels, which do everything except the sleep itself. */
static void suspender(void)
{
	static const char *const levels[] = { "freezer", "devices", "platform" };

	put("/sys/module/suspend/parameters/pm_test_delay", "0");
	while (pause_ms(2000)) {
		const char *level = levels[below(ARRAY_SIZE(levels))];

		put("/sys/power/pm_test", "%s", level);
		tally(level, put("/sys/power/state", "freeze"));
		put("/sys/power/pm_test", "none");
	}
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void loader(int n, char **modules)
{
	while (n && pause_ms(200)) {
		const char *path = modules[below(n)];
		char name[64], what[80];
		int fd;

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(base_of(path), "."), base_of(path));
		if (!one_in(3)) {
			fd = open(path, O_RDONLY | O_CLOEXEC);
			snprintf(what, sizeof(what), "load %s", name);
			tally(what, fd >= 0 && !syscall(SYS_finit_module, fd, strstr(name, "haltpoll") ? "force=1" : "", 0));
			if (fd >= 0)
				close(fd);
		} else {
			for (char *c = name; *c; c++)
				if (*c == '-')
					*c = '_';
			snprintf(what, sizeof(what), "remove %s", name);
			tally(what, !syscall(SYS_delete_module, name, O_NONBLOCK));
		}
	}
}

static void dealer(const char *card, int n, char **drivers)
{
	char path[128], what[80];

	while (n && pause_ms(400)) {
		const char *driver = drivers[below(n)];

		snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/driver/unbind", card);
		tally("unbind", put(path, "%s", card));
		if (one_in(2))
			pause_ms(50);
		snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/driver_override", card);
		put(path, "%s\n", driver);
		snprintf(what, sizeof(what), "bind %s", driver);
		snprintf(path, sizeof(path), "/sys/bus/pci/drivers/%s/bind", driver);
		tally(what, put(path, "%s", card));
		/* Wait long enough for a run. */
		if (one_in(2))
			pause_ms(1500);
	}
}

/* Run a command without output, and end it after MS milliseconds. Return whether it succeeded, or a signal ended it. */
static bool spawn(unsigned int ms, const char *command)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		setpgid(0, 0);
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(127);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	for (unsigned int waited = 0; waited < ms && waitpid(pid, &status, WNOHANG) != pid; waited += 10)
		usleep(10000);
	if (status == -1) {
		kill(-pid, SIGTERM);
		waitpid(pid, &status, 0);
		/* Ended by the signal as intended, or successful. */
		return WIFSIGNALED(status) || !WEXITSTATUS(status);
	}
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static void tracer(void)
{
	static const char sample[] = EVENTS "/wakelat_sample";
	static const char *const filters[] = { "0", "taint == 0", "wake_latency > 1000 && state == 1", "seq < 10", "nonsense (" };
	static const char hist[] = "hist:keys=state,wake_latency.buckets=1000:sort=state if taint == 0";
	static char text[1 << 16];
	char path[128];

	while (pause_ms(100)) {
		switch (below(7)) {
		case 0:
			tally("trace_pipe", spawn(20 + below(300), "exec cat " TRACING "/trace_pipe"));
			break;
		case 1:
			tally("trace-cmd record", spawn(60000,
				"trace-cmd record -q -e wakelat -o /tmp/stress.dat sleep 0.2 && rm -f /tmp/stress.dat*"));
			break;
		case 2:
			tally("trace", read_file(TRACING "/trace", text, sizeof(text), 500) >= 0);
			break;
		case 3:
			snprintf(path, sizeof(path), "%s/filter", sample);
			tally("filter", put(path, "%s", filters[below(ARRAY_SIZE(filters))]));
			break;
		case 4:
			snprintf(path, sizeof(path), "%s/trigger", sample);
			tally("histogram", put(path, "%s%s", one_in(2) ? "!" : "", hist));
			break;
		case 5:
			snprintf(path, sizeof(path), "%s/hist", sample);
			tally("read histogram", read_file(path, text, sizeof(text), 500) >= 0);
			break;
		case 6:
			tally("enable", put(EVENTS "/enable", "%d", below(2)));
			break;
		}
	}
}

int main(int argc, char **argv)
{
	struct sigaction alarm_action = { .sa_handler = on_alarm };

	if (argc < 4) {
		fprintf(stderr, "usage: stress SEED SECONDS ACTOR [ARGUMENT]...\n");
		return 2;
	}
	actor = argv[3];
	random_state = strtoull(argv[1], NULL, 10) * 0x9E3779B97F4A7C15ULL + 1;
	for (const char *c = actor; *c; c++)
		random_state = random_state * 31 + *c;
	for (int i = 0; i < 8; i++)
		random64();
	until = now() + strtod(argv[2], NULL);
	sigaction(SIGALRM, &alarm_action, NULL);
	if (!strcmp(actor, "write"))
		writer();
	else if (!strcmp(actor, "read"))
		reader();
	else if (!strcmp(actor, "run"))
		runner();
	else if (!strcmp(actor, "hotplug"))
		hotplugger();
	else if (!strcmp(actor, "suspend"))
		suspender();
	else if (!strcmp(actor, "module"))
		loader(argc - 4, argv + 4);
	else if (!strcmp(actor, "card") && argc > 4)
		dealer(argv[4], argc - 5, argv + 5);
	else if (!strcmp(actor, "trace"))
		tracer();
	else
		return 2;
	print_tallies();
	return 0;
}
