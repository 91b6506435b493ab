// SPDX-License-Identifier: GPL-2.0
#include <ftw.h>
#include <math.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "hist.h"
#include "message.h"
#include "metrics.h"
#include "options.h"
#include "outfile.h"
#include "plain.h"
#include "who-output.h"

const char *const who_by_names[] = { "program", "thread", "cgroup" };

#define OTHERS "(others)"
#define REMOVED "(removed)"
#define MAX_DEPTH 32	/* open directories while cgroups are searched */

/* Copy a thread's name, which another user can choose. */
static void plain_comm(char to[PROBE_COMM], const char *comm)
{
	snprintf(to, PROBE_COMM, "%.*s", PROBE_COMM - 1, comm);
	make_plain(to);
}

/* The names of cgroups by group. The id of a cgroup is its directory's inode number. */
static struct cgroup_name {
	__u64 id;
	char *path;	/* NULL: not searched yet */
} cgroups[WHO_MAX_GROUPS];
static __u32 unnamed[WHO_MAX_GROUPS];	/* groups that are searched, sorted by id */
static unsigned int nr_unnamed;
static size_t root_length;

static int by_id(const void *a, const void *b)
{
	__u64 x = cgroups[*(const __u32 *)a].id, y = cgroups[*(const __u32 *)b].id;

	return x < y ? -1 : x > y;
}

static int name_cgroup(const char *path, const struct stat *stat, int type, struct FTW *ftw)
{
	unsigned int low = 0, high = nr_unnamed, middle;

	(void)ftw;
	while (low < high) {
		middle = (low + high) / 2;
		if (cgroups[unnamed[middle]].id < stat->st_ino)
			low = middle + 1;
		else
			high = middle;
	}
	if (type == FTW_D && low < nr_unnamed && cgroups[unnamed[low]].id == stat->st_ino && !cgroups[unnamed[low]].path)
		cgroups[unnamed[low]].path = make_plain(xstrdup(path[root_length] ? path + root_length : "/"));
	return 0;
}

static void search_cgroups(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount;

	while (mounts && (mount = getmntent(mounts))) {
		if (strcmp(mount->mnt_type, "cgroup2"))
			continue;
		root_length = strlen(mount->mnt_dir);
		nftw(mount->mnt_dir, name_cgroup, MAX_DEPTH, FTW_PHYS | FTW_MOUNT);
		break;
	}
	if (mounts)
		endmntent(mounts);
}

void who_name_groups(const struct who_view *view)
{
	if (view->by != WHO_CGROUP)
		return;
	nr_unnamed = 0;
	for (__u32 i = WHO_OTHERS + 1; i < WHO_MAX_GROUPS; i++) {
		__u64 id = view->groups[i].last ? view->groups[i].id : 0;

		if (cgroups[i].id != id) {
			free(cgroups[i].path);
			cgroups[i] = (struct cgroup_name){ .id = id };
		}
		if (id && !cgroups[i].path)
			unnamed[nr_unnamed++] = i;
	}
	if (!nr_unnamed)
		return;
	qsort(unnamed, nr_unnamed, sizeof(*unnamed), by_id);
	search_cgroups();
	for (unsigned int i = 0; i < nr_unnamed; i++)
		if (!cgroups[unnamed[i]].path)
			cgroups[unnamed[i]].path = xstrdup(REMOVED);
}

/* Return the group's name. It is plain text, and no thread's name is one of the words in parentheses that wakelat uses. */
static const char *group_name(const struct who_view *view, __u32 nr)
{
	static char name[PROBE_COMM];

	if (nr == WHO_OTHERS)
		return OTHERS;
	if (view->by == WHO_CGROUP)
		return cgroups[nr].path ? cgroups[nr].path : REMOVED;
	plain_comm(name, view->groups[nr].comm);
	if (!strcmp(name, OTHERS) || !strcmp(name, REMOVED))
		*name = '?';
	return *name ? name : "-";
}

static const char *class_name(unsigned int class)
{
	switch (class) {
	case WHO_AWAKE: return "awake";
	case WHO_BUSY: return "busy";
	case WHO_MOVED: return "moved";
	default: return state_name(class);
	}
}

static const struct who_cell *cell_of(const struct who_view *view, __u32 group, unsigned int class)
{
	__u32 nr = view->groups[group].cell[class];

	return nr ? &view->cells[nr] : NULL;
}

/* Return the standard deviation, as if each sample were in the middle of its bucket. */
static double deviation(const struct probe_hist *hist, __u64 n)
{
	double low, high, mean = (double)hist->sum / n, sum = 0;

	for (unsigned int i = 0; i <= PROBE_BUCKETS; i++) {
		if (!hist->bucket[i])
			continue;
		hist_bucket(i, &low, &high);
		sum += hist->bucket[i] * pow((low + high) / 2 - mean, 2);
	}
	return n > 1 ? sqrt(sum / (n - 1)) : 0;
}

static void quantile(FILE *out, const struct probe_hist *hist, unsigned int per_mille)
{
	double ns = hist_quantile(hist, per_mille);

	if (ns >= 0)
		fprintf(out, "\t%.0f", ns);
	else
		fputs("\t-", out);
}

static void put_group(FILE *out, const struct who_view *view, __u32 group)
{
	fputs(group_name(view, group), out);
	if (view->by == WHO_PROGRAM || group == WHO_OTHERS)
		fputs("\t-", out);
	else
		fprintf(out, "\t%llu", view->groups[group].id);
}

static void write_cell(FILE *out, const struct who_view *view, __u32 group, unsigned int class)
{
	const struct who_cell *cell = cell_of(view, group, class);
	__u64 n = cell ? hist_n(&cell->hist) : 0;

	if (!n)
		return;
	put_group(out, view, group);
	fprintf(out, "\t%s\t%llu\t%llu\t%llu\t%llu", class_name(class), n,
		cell->timers, cell->hist.sum, cell->run_sum);
	quantile(out, &cell->hist, 500);
	quantile(out, &cell->hist, 990);
	fprintf(out, "\t%llu\t%.0f", cell->hist.max, deviation(&cell->hist, n));
	if (view->has_steal && class < PROBE_MAX_STATES)
		fprintf(out, "\t%llu\t%llu\n", cell->stolen_sum, cell->stolen_more);
	else
		fputs("\t-\t-\n", out);
}

void who_write(const struct who_view *view, const char *file)
{
	FILE *out = outfile_stream(file);

	fputs("group\tid\twhere\tn\ttimers\twait\tto_run\twait_p50\twait_p99\twait_max\twait_sd\tsteal\tsteal_clipped\n", out);
	for (__u32 g = 0; g < WHO_MAX_GROUPS; g++)
		for (unsigned int class = 0; class < WHO_NR_CLASSES; class++)
			write_cell(out, view, g, class);
	outfile_close_stream(out, file);
}

/* Write what began the wait. A thread is written with the name that it has now. */
static void put_cause(FILE *out, const struct who_worst *worst)
{
	char path[64], comm[64] = "";
	FILE *file;

	if (worst->timer) {
		fputs("timer", out);
		return;
	}
	if (!worst->waker_pid) {
		fprintf(out, "interrupt on CPU %u", worst->waker_cpu);
		return;
	}
	snprintf(path, sizeof(path), "/proc/%u/comm", worst->waker_pid);
	file = fopen(path, "re");
	if (!file || !fgets(comm, sizeof(comm), file))
		strcpy(comm, "ended");
	if (file)
		fclose(file);
	comm[strcspn(comm, "\n")] = '\0';
	fprintf(out, "thread %u (%s) on CPU %u", worst->waker_pid, make_plain(comm), worst->waker_cpu);
}

void who_write_worst(const struct who_view *view, const char *file)
{
	FILE *out = outfile_stream(file);
	char comm[PROBE_COMM];

	fputs("group\tid\tthread\tcomm\tcpu\tstate\tevent\tasleep\twait\tto_run\tsteal\tcause\n", out);
	for (__u32 g = 0; g < WHO_MAX_GROUPS; g++) {
		const struct who_worst *worst = &view->worsts[g];

		if (!worst->event)
			continue;
		put_group(out, view, g);
		plain_comm(comm, worst->comm);
		fprintf(out, "\t%u\t%s\t%u\t%s\t%llu", worst->pid, comm, worst->cpu,
			class_name(worst->state), worst->event);
		fprintf(out, "\t%llu\t%llu\t%llu", worst->event - worst->enter,
			worst->exit - worst->event, worst->run - worst->event);
		if (view->has_steal)
			fprintf(out, "\t%llu\t", worst->stolen);
		else
			fputs("\t-\t", out);
		put_cause(out, worst);
		putc('\n', out);
	}
	outfile_close_stream(out, file);
}

static double sleeping_ns(const struct who_view *view, __u32 group)
{
	const struct who_cell *cell;
	double sum = 0;

	for (unsigned int class = 0; class < PROBE_MAX_STATES; class++)
		if ((cell = cell_of(view, group, class)))
			sum += cell->hist.sum;
	return sum;
}

static void metric(const struct who_view *view, const char *name, const char *help,
		   double (*value)(const struct who_cell *cell), bool sleeping_only)
{
	unsigned int classes = sleeping_only ? PROBE_MAX_STATES : WHO_NR_CLASSES;
	char id[32];

	metrics_family(name, METRIC_COUNTER, help);
	for (__u32 g = 0; g < WHO_MAX_GROUPS; g++) {
		snprintf(id, sizeof(id), g == WHO_OTHERS ? "-" : "%llu", view->groups[g].id);
		for (unsigned int class = 0; class < classes; class++) {
			const struct who_cell *cell = cell_of(view, g, class);

			if (cell && hist_n(&cell->hist))
				metrics_add(value(cell), "", who_by_names[view->by], group_name(view, g), "where", class_name(class),
					    view->by == WHO_THREAD ? "id" : NULL, id, NULL);
		}
	}
}

static double cell_n(const struct who_cell *cell) { return hist_n(&cell->hist); }
static double cell_wait(const struct who_cell *cell) { return cell->hist.sum / 1e9; }
static double cell_run(const struct who_cell *cell) { return cell->run_sum / 1e9; }
static double cell_stolen(const struct who_cell *cell) { return cell->stolen_sum / 1e9; }

void who_export(const struct who_view *view, const char *file)
{
	metrics_begin(file);
	metrics_family("wakelat_who_info", METRIC_GAUGE, "What is measured; machine guest: contains the hypervisor's latency.");
	metrics_add(1, "", "machine", options.machine, NULL);
	metric(view, "wakelat_who_wakeups", "Wake-ups, by what the CPU was doing: an idle state, awake or busy; moved: the scheduler moved the thread.", cell_n, false);
	metric(view, "wakelat_who_to_run_seconds", "Time from the event until the thread ran.", cell_run, false);
	metric(view, "wakelat_who_wait_seconds", "Time from the event to the end of the CPU's idle state.", cell_wait, true);
	if (view->has_steal)
		metric(view, "wakelat_who_steal_seconds", "Part of wakelat_who_wait_seconds that the CPU spent in the host's run queue (steal time).", cell_stolen, true);
	metrics_lost("who", view->lost);
	metrics_family("wakelat_groups_dropped", METRIC_COUNTER, "Groups that were added to (others), because there was no room for a row each.");
	metrics_add(view->dropped, "", "source", "who", NULL);
	metrics_family("wakelat_who_elapsed_seconds", METRIC_GAUGE, "Time since the start.");
	metrics_add(view->elapsed_s, "", NULL);
	metrics_end();
}

static const struct who_view *sorted_view;

static int by_wait(const void *a, const void *b)
{
	double x = sleeping_ns(sorted_view, *(const __u32 *)a), y = sleeping_ns(sorted_view, *(const __u32 *)b);

	return x < y ? 1 : x > y ? -1 : 0;
}

static void draw_group(FILE *out, const struct who_view *view, __u32 group, int width)
{
	__u64 n = 0, asleep = 0;
	double wait = sleeping_ns(view, group), run = 0;
	char line[512];

	for (unsigned int class = 0; class < WHO_NR_CLASSES; class++) {
		const struct who_cell *cell = cell_of(view, group, class);
		__u64 here = cell ? hist_n(&cell->hist) : 0;

		n += here;
		asleep += class < PROBE_MAX_STATES ? here : 0;
		run += cell ? cell->run_sum : 0;
	}
	snprintf(line, sizeof(line), "%-24.24s %9llu %9llu %9.1f %8.3f %8.1f",
		 group_name(view, group), n, asleep, asleep ? wait / asleep / 1000 : 0,
		 wait / view->elapsed_s / 1e7, run ? wait / run * 100 : 0);
	line[width < (int)sizeof(line) ? width : (int)sizeof(line) - 1] = '\0';
	fprintf(out, "%s\033[K\n", make_plain(line));
}

void who_draw(const struct who_view *view, const char *head, int fd)
{
	static __u32 order[WHO_MAX_GROUPS];
	struct winsize size;
	FILE *out = fdopen(dup(fd), "w");

	if (!out)
		return;
	if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
	for (__u32 i = 0; i < WHO_MAX_GROUPS; i++)
		order[i] = i;
	sorted_view = view;
	qsort(order, WHO_MAX_GROUPS, sizeof(*order), by_wait);
	fprintf(out, "\033[H%.*s\033[K\n%-24s %9s %9s %9s %8s %8s\033[K\n", size.ws_col - 1, head, "waits for sleeping CPUs",
		"wake-ups", "asleep", "mean us", "% time", "% wait");
	for (__u32 i = 0; i < WHO_MAX_GROUPS && i + 4 < size.ws_row; i++)
		if (sleeping_ns(view, order[i]) > 0)
			draw_group(out, view, order[i], size.ws_col - 1);
	fputs("\033[J", out);
	fclose(out);
}
