// SPDX-License-Identifier: GPL-2.0
/*
 * who [OPTION]... WHO.TSV WORST.TSV FACTS.TSV: count by BPF how long threads waited for sleeping
 * CPUs.
 *
 *	-b BY		program, thread or cgroup
 *	-p PID		count only this process; up to 16 times
 *	-S		the hypervisor reports steal time
 *	-Q		only check whether the hypervisor reports steal time: status 0, or 1 if not
 *
 * options.h has the other options. FACTS.TSV has lines of run.tsv. The measurement ends early, with
 * complete files, on SIGINT, SIGTERM or SIGHUP, and when all processes of -p have ended.
 */
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf-load.h"
#include "measuring.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "who-output.h"
#include "who-room.h"
#include "who.skel.h"

static __u32 pids[WHO_MAX_PIDS];
static unsigned int nr_pids;

static struct who *who;
static struct ring_buffer *ring;
static struct who_worst worsts[WHO_MAX_GROUPS];
static struct who_view view = { .worsts = worsts };
static struct who_room room = { .worsts = worsts };

/* Return the kernel's address of the function NAME, or 0 if it is not known. */
static uint64_t address_of(const char *name)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	unsigned long long address, found = 0;
	char line[512], symbol[256], type;

	while (symbols && !found && fgets(line, sizeof(line), symbols))
		if (sscanf(line, "%llx %c %255s", &address, &type, symbol) == 3 && strchr("tT", type) && !strcmp(symbol, name))
			found = address;
	if (symbols)
		fclose(symbols);
	return found;
}

static int take_worst(void *unused, void *data, size_t size)
{
	const struct who_worst *worst = data;

	(void)unused;
	if (size >= sizeof(*worst) && worst->group < WHO_MAX_GROUPS)
		worsts[worst->group] = *worst;
	return 0;
}

static void drain(void)
{
	if (ring_buffer__consume(ring) < 0)
		die("the buffer of the BPF program cannot be read");
}

static void unlink_group(const struct who_group *group, __u32 nr)
{
	/* As struct group_key in who.bpf.c */
	struct { __u64 id; char comm[PROBE_COMM]; } key = { .id = group->id };
	__u32 known;

	memcpy(key.comm, group->comm, sizeof(key.comm));
	if (!bpf_map_lookup_elem(bpf_map__fd(who->maps.group_numbers), &key, &known) && known == nr)
		bpf_map_delete_elem(bpf_map__fd(who->maps.group_numbers), &key);
}

static void load(void)
{
	size_t size = sizeof(struct who_cell) * (WHO_MAX_CELLS + 1);
	void *cells;
	int error;

	bpf_load_quietly();
	who = who__open();
	if (!who)
		bpf_load_failed(errno);
	who->rodata->by = view.by;
	who->rodata->polling_states = polling_states;
	who->rodata->has_steal = view.has_steal;
	who->rodata->nr_pids = nr_pids;
	memcpy((void *)who->rodata->pids, pids, sizeof(pids));
	who->rodata->wakeup_function = address_of("hrtimer_wakeup");
	bpf_program__set_autoload(who->progs.attached,
				  view.by == WHO_CGROUP && bpf_has_tracepoint("cgroup_attach_task"));
	bpf_program__set_autoload(who->progs.renamed, view.by != WHO_CGROUP);
	error = who__load(who);
	if (error)
		bpf_load_failed(-error);
	cells = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(who->maps.cells), 0);
	ring = ring_buffer__new(bpf_map__fd(who->maps.worsts), take_worst, NULL, NULL);
	if (cells == MAP_FAILED || !ring)
		die("the buffers of the BPF program cannot be mapped: %s", strerror(errno));
	view.groups = room.groups = who->bss->groups;
	view.cells = room.cells = cells;
	room.free_groups = &who->bss->free_groups;
	room.free_cells = &who->bss->free_cells;
	room.generation = &who->data->generation;
	room.unlink = unlink_group;
	room.drain = drain;
	who_room_begin(&room);
	if (options.cost)
		bpf_cost_begin(who->obj);
}

/* Print a line for each process of -p that has ended. Return true if none is left. */
static bool all_ended(uint64_t elapsed)
{
	static bool ended[WHO_MAX_PIDS];
	unsigned int left = 0;

	for (unsigned int i = 0; i < nr_pids; i++) {
		if (!ended[i] && kill(pids[i], 0) && errno == ESRCH) {
			ended[i] = true;
			message("process %u ended after %.1f s; its wake-ups are counted", pids[i],
				elapsed / 1e9);
		}
		left += !ended[i];
	}
	return nr_pids && !left;
}

static void update_view(uint64_t elapsed)
{
	static bool said;

	view.elapsed_s = elapsed / 1e9;
	view.lost = who->bss->counts.lost;
	view.dropped = room.dropped;
	if (room.dropped && options.export && !said)
		message("too many %ss for a row each: those without recent wake-ups are counted as (others)", who_by_names[view.by]);
	said = room.dropped;
	who_name_groups(&view);
}

static void show(uint64_t elapsed)
{
	static uint64_t drawn, exported;
	char *head;

	update_view(elapsed);
	if (options.export && is_due(&exported, elapsed, options.every_s * 1000000000))
		who_export(&view, options.export);
	if (options.view < 0 || !is_due(&drawn, elapsed, DRAW_NS))
		return;
	head = xprintf("%s%s%d s, by %s. Ctrl-C ends it.", options.note ? options.note : "",
		       options.note && *options.note ? ": " : "", (int)(elapsed / 1000000000),
		       who_by_names[view.by]);
	who_draw(&view, head, options.view);
	free(head);
}

/* Return why the measurement ended. */
static const char *measure(uint64_t start)
{
	for (;;) {
		uint64_t elapsed;

		sleep_ns(LOOK_NS);
		drain();
		elapsed = clock_ns(CLOCK_MONOTONIC) - start;
		show(elapsed);
		who_room_keep(&room, clock_ns(CLOCK_MONOTONIC));
		if (options.seconds && elapsed >= options.seconds * 1000000000)
			return "duration";
		if (stopped)
			return "stopped";
		if (all_ended(elapsed))
			return "ended";
	}
}

static void write_facts(const char *name, const char *reason, uint64_t elapsed)
{
	const struct who_counts *counts = &who->bss->counts;
	FILE *out = outfile_stream(name);
	__u64 periods = 0;

	for (int cpu = 0; cpu < PROBE_MAX_CPUS; cpu++)
		periods += who->bss->cpus[cpu].periods;
	fprintf(out, "run.1.reason\t%s\nelapsed_ns\t%" PRIu64 "\n", reason, elapsed);
	fprintf(out, "idle_periods\t%llu\nlost_overrun\t%llu\n", periods, counts->lost);
	fprintf(out, "groups_dropped\t%llu\nworst_unseen\t%llu\n", room.dropped, counts->unseen);
	fprintf(out, "reader_cpu_ns\t%" PRIu64 "\n", clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	bpf_cost_facts(out, periods);
	outfile_close_stream(out, name);
}

/* Return true if the hypervisor reports steal time. KVM says so in CPUID; others do if /proc/stat shows steal time. */
static bool reports_steal(void)
{
#ifdef __cpuid
	unsigned int eax = 0, ebx = 0, ecx = 0, edx = 0;
#endif
	unsigned long long steal = 0;
	FILE *stat;

#ifdef __cpuid
	__cpuid(0x40000000, eax, ebx, ecx, edx);
	if (ebx == 0x4b4d564b && ecx == 0x564b4d56 && edx == 0x4d) {
		__cpuid(0x40000001, eax, ebx, ecx, edx);
		return eax & 1 << 5;
	}
#endif
	stat = fopen("/proc/stat", "re");
	if (stat && fscanf(stat, "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &steal) != 1)
		steal = 0;
	if (stat)
		fclose(stat);
	return steal;
}

static void take_by(const char *name)
{
	for (int i = WHO_PROGRAM; i <= WHO_CGROUP; i++)
		if (!strcmp(name, who_by_names[i])) {
			view.by = i;
			return;
		}
	die("'%s' is none of program, thread, cgroup", name);
}

static void take_pid(const char *text)
{
	if (nr_pids == WHO_MAX_PIDS)
		die("more than %d processes", WHO_MAX_PIDS);
	pids[nr_pids++] = take_number(text);
}

static void take_options(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "b:p:SQ" COMMON_OPTIONS)) != -1) {
		switch (opt) {
		case 'b': take_by(optarg); break;
		case 'p': take_pid(optarg); break;
		case 'S': view.has_steal = true; break;
		case 'Q': exit(!reports_steal());
		default: take_common_option(opt, optarg);
		}
	}
	if (optind + 3 != argc)
		die("usage: who [OPTION]... WHO.TSV WORST.TSV FACTS.TSV");
}

int main(int argc, char **argv)
{
	uint64_t start, elapsed;
	const char *reason;
	int error;

	message_init("wakelat who");
	take_options(argc, argv);
	if (!options.check) {
		catch_signals();
		prctl(PR_SET_PDEATHSIG, SIGTERM);
	}
	load();
	if (options.check)
		return 0;
	hold_latency(options.latency_limit);
	error = who__attach(who);
	if (error)
		bpf_load_failed(-error);
	start = clock_ns(CLOCK_MONOTONIC);
	reason = measure(start);
	who__detach(who);
	elapsed = clock_ns(CLOCK_MONOTONIC) - start;
	drain();
	update_view(elapsed);
	who_write(&view, argv[optind]);
	who_write_worst(&view, argv[optind + 1]);
	if (options.export)
		who_export(&view, options.export);
	write_facts(argv[optind + 2], reason, elapsed);
	return 0;
}
