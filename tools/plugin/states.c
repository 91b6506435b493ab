// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "number.h"
#include "states.h"

#define MAGIC "\x17\x08\x44tracing"
#define MAGIC_SIZE (sizeof(MAGIC) - 1)

void states_init(struct states *states)
{
	memset(states, 0, sizeof(*states));
	for (int i = 0; i < MAX_STATES; i++)
		states->list[i].latency_ns = -1;
}

/* Return true if NAME can be shown on terminals and in windows. */
static bool is_usable(const char *name)
{
	size_t len = strlen(name);

	if (!len || len >= MAX_STATE_NAME || !strcmp(name, "-"))
		return false;
	for (size_t i = 0; i < len; i++)
		if (name[i] <= ' ' || name[i] > '~')
			return false;
	return true;
}

static void take_name(struct state *state, const char *name)
{
	if (state->differs || !is_usable(name))
		return;
	if (*state->name && strcmp(state->name, name)) {
		*state->name = '\0';
		state->latency_ns = -1;
		state->differs = true;
		return;
	}
	strcpy(state->name, name);
}

static void take_latency(struct state *state, const char *text)
{
	int64_t ns;

	if (!parse_s64(text, text + strlen(text), &ns) || ns < 0 || state->differs)
		return;
	/* Two recordings can have the same names and different latencies. Then use INT64_MAX, which no sample exceeds. */
	if (state->latency_ns >= 0 && state->latency_ns != ns)
		state->latency_ns = INT64_MAX;
	else
		state->latency_ns = ns;
}

static void take_line(struct states *states, char *line)
{
	char *value = strchr(line, '\t');
	unsigned int index;
	int used = 0;

	if (!value)
		return;
	*value++ = '\0';
	if (sscanf(line, "state.%2u.%n", &index, &used) != 1 || !used || index >= MAX_STATES)
		return;
	if (!strcmp(line + used, "name"))
		take_name(&states->list[index], value);
	else if (!strcmp(line + used, "latency_ns"))
		take_latency(&states->list[index], value);
}

/* Take a line like "/sys/devices/system/cpu/cpu0/cpuidle/state3/name:C6", which dump --from-events reads, too. */
static void take_sysfs_line(struct states *states, const char *line)
{
	const char *at = strstr(line, "/cpuidle/state");
	unsigned int index;
	int used = 0;

	if (!at || sscanf(at, "/cpuidle/state%2u/%n", &index, &used) != 1 || !used || index >= MAX_STATES)
		return;
	at += used;
	if (!strncmp(at, "name:", 5)) {
		take_name(&states->list[index], at + 5);
	} else if (!strncmp(at, "latency:", 8)) {
		char ns[64];

		if (snprintf(ns, sizeof(ns), "%s000", at + 8) < (int)sizeof(ns))
			take_latency(&states->list[index], ns);
	}
}

static void read_table(struct states *states, int fd)
{
	static const int max_lines = 100000;
	char *line = NULL;
	size_t room = 0;
	FILE *f = fdopen(fd, "r");

	if (!f) {
		close(fd);
		return;
	}
	for (int i = 0; i < max_lines && getline(&line, &room, f) > 0; i++) {
		line[strcspn(line, "\n")] = '\0';
		if (*line == '/')
			take_sysfs_line(states, line);
		else
			take_line(states, line);
	}
	free(line);
	fclose(f);
}

static void read_beside(struct states *states, const char *recording, const char *name)
{
	const char *slash = strrchr(recording, '/');
	int len = slash ? (int)(slash + 1 - recording) : 0, fd;
	char path[PATH_MAX];
	struct stat st;

	if (snprintf(path, sizeof(path), "%.*s%s", len, recording, name) >= (int)sizeof(path))
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return;
	/* Read only a regular file of a plausible size. */
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > 1 << 24) {
		close(fd);
		return;
	}
	read_table(states, fd);
}

void states_read(struct states *states, const char *recording)
{
	read_beside(states, recording, "run.tsv");
	read_beside(states, recording, "cpuidle.txt");
}

static void read_if_recording(struct states *states, int fd)
{
	char name[32], path[PATH_MAX], start[MAGIC_SIZE];
	struct stat st;
	ssize_t len;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) ||
	    pread(fd, start, MAGIC_SIZE, 0) != MAGIC_SIZE || memcmp(start, MAGIC, MAGIC_SIZE))
		return;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	len = readlink(name, path, sizeof(path) - 1);
	if (len <= 0)
		return;
	path[len] = '\0';
	states_read(states, path);
}

void states_read_open(struct states *states)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir)))
		if (*entry->d_name != '.' && atoi(entry->d_name) != dirfd(dir))
			read_if_recording(states, atoi(entry->d_name));
	closedir(dir);
}

const char *states_name(const struct states *states, uint64_t state)
{
	return state < MAX_STATES && *states->list[state].name ? states->list[state].name : NULL;
}
