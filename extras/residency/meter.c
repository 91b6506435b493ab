// SPDX-License-Identifier: GPL-2.0
/* A meter of energy: files of powercap and hwmon, perf's PMU `power`, or a command. */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "meter.h"

#define PMU "/sys/bus/event_source/devices/power/"
#define MAX_PARTS 64

static enum { FILES, POWER, PERF, COMMAND } kind;
static struct {
	int fd;
	double last, sum, range;
} parts[MAX_PARTS];
static int nr_parts;
static const char *meter_name;
static double scale = 1e-6;

int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

bool meter_is_power(void)
{
	return kind == POWER;
}

/* Set *VALUE to the number in a file. */
static bool number_in(const char *file, double *value)
{
	FILE *f = fopen(file, "re");
	bool ok = f && fscanf(f, "%lf", value) == 1;

	if (f)
		fclose(f);
	return ok;
}

static void add_part(int fd, double range)
{
	if (nr_parts == MAX_PARTS)
		die("the meter %s has more than %d parts", meter_name, MAX_PARTS);
	parts[nr_parts].fd = fd;
	parts[nr_parts].range = range;
	nr_parts++;
}

static void open_files(char *list)
{
	for (char *file = strtok(list, ","); file; file = strtok(NULL, ",")) {
		char *range = xprintf("%.*smax_energy_range_uj", (int)(strrchr(file, '/') ? strrchr(file, '/') + 1 - file : 0), file);
		double max = 0;
		int fd = open(file, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			die("cannot read the meter %s: %s", file, strerror(errno));
		number_in(range, &max);
		free(range);
		add_part(fd, max);
	}
}

/* The PMU counts in one CPU of each package: those of its cpumask. */
static void open_perf(const char *event)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	char *file = xprintf(PMU "events/%s", event), *text = NULL;
	FILE *f = fopen(file, "re"), *mask = fopen(PMU "cpumask", "re");
	size_t room = 0;
	unsigned long long config;
	double type;
	int first, last;

	if (!f || !mask || fscanf(f, "event=%llx", &config) != 1 || !number_in(PMU "type", &type) || getline(&text, &room, mask) < 0)
		die("perf has no event power/%s/: is the module rapl loaded?", event);
	fclose(f);
	fclose(mask);
	free(file);
	attr.config = config;
	attr.type = type;
	file = xprintf(PMU "events/%s.scale", event);
	if (!number_in(file, &scale))
		die("cannot read %s", file);
	free(file);
	for (char *word = strtok(text, ",\n"); word; word = strtok(NULL, ",\n")) {
		int n = sscanf(word, "%d-%d", &first, &last);

		for (int cpu = first; n > 0 && cpu <= (n == 2 ? last : first); cpu++) {
			int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

			if (fd < 0)
				die("perf event power/%s/ on CPU %d: %s", event, cpu, strerror(errno));
			add_part(fd, 0);
		}
	}
	free(text);
}

void meter_open(const char *name)
{
	char *copy = xstrdup(name), *rest = strchr(copy, ':');

	meter_name = name;
	if (!rest)
		die("'%s' is no meter", name);
	*rest++ = 0;
	if (!strcmp(copy, "run")) {
		kind = COMMAND;
		meter_name = strchr(name, ':') + 1;
	} else if (!strcmp(copy, "perf")) {
		kind = PERF;
		open_perf(rest);
	} else {
		kind = strcmp(copy, "uw") ? FILES : POWER;
		open_files(rest);
	}
	free(copy);
	meter_read();
}

static double read_command(void)
{
	FILE *f = popen(meter_name, "re");
	double value;
	bool ok = f && fscanf(f, "%lf", &value) == 1;

	if (!f || pclose(f) || !ok)
		die("the meter's command fails, or prints no number of joules: %s", meter_name);
	return value;
}

/* Read the part: its sum so far, in the meter's unit. */
static double read_part(int i)
{
	char text[64];
	uint64_t count;
	double value;

	if (kind == PERF) {
		if (read(parts[i].fd, &count, sizeof(count)) != sizeof(count))
			die("cannot read the meter %s: %s", meter_name, strerror(errno));
		return count;
	} else {
		ssize_t n = pread(parts[i].fd, text, sizeof(text) - 1, 0);
		char *end;

		text[n > 0 ? n : 0] = 0;
		value = strtod(text, &end);
		if (n <= 0 || end == text)
			die("cannot read the meter %s: %s", meter_name, n < 0 ? strerror(errno) : "no number");
	}
	if (kind == POWER)
		return value;
	if (value < parts[i].last)
		parts[i].sum += parts[i].range;
	parts[i].last = value;
	return parts[i].sum + value;
}

double meter_read(void)
{
	static double joules;
	static int64_t last;
	double sum = 0;
	int64_t now;

	if (kind == COMMAND)
		return read_command();
	for (int i = 0; i < nr_parts; i++)
		sum += read_part(i);
	if (kind != POWER)
		return sum * scale;
	now = now_ns();
	if (last)
		joules += sum * scale * (now - last) / 1e9;
	last = now;
	return joules;
}

double meter_edge(int64_t limit_ns, int64_t *ns)
{
	int64_t end = now_ns() + limit_ns;
	double first = meter_read(), value = first;

	*ns = now_ns();
	while (kind != COMMAND && kind != POWER && value == first && *ns < end) {
		value = meter_read();
		*ns = now_ns();
	}
	return value;
}
