// SPDX-License-Identifier: GPL-2.0
/*
 * who [OPTION]... WHO.TSV WORST.TSV FACTS.TSV: count by BPF how long threads waited for sleeping CPUs.
 *
 *	-b BY		program, thread or cgroup
 *	-p PID		count only this process; up to 16 times
 *	-T SECONDS	0: no limit
 *	-N NAME		name of the next idle state, in the order of states; a state named POLL is a loop
 *	-L US		hold /dev/cpu_dma_latency at this limit
 *	-S		the hypervisor reports steal time
 *	-V FD		live view on this terminal
 *	-t TEXT		first line of the live view
 *	-E FILE		write OpenMetrics to this file every -e SECONDS
 *	-M NAME		kind of machine, for -E: bare, guest, emulated
 *	-C		let the kernel measure what the BPF programs cost
 *	-Q		only check whether the hypervisor reports steal time: status 0, or 1 if not
 *	-K		only check whether the kernel accepts the BPF programs; the files may be /dev/null
 *
 * FACTS.TSV has lines of run.tsv. The measurement ends early, with complete files, on SIGINT, SIGTERM or SIGHUP, and when all
 * processes of -p have ended.
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
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf-load.h"
#include "measuring.h"
#include "message.h"
#include "outfile.h"
#include "who-output.h"
#include "who.skel.h"

#define LOOK_NS 250000000ULL
#define DRAW_NS 1000000000ULL
#define MAX_CELLS 4096

static const char *const by_names[] = { "program", "thread", "cgroup" };

static struct {
	enum who_by by;
	__u32 pids[WHO_MAX_PIDS];
	unsigned int nr_pids;
	uint64_t seconds, every_s;
	char *names[PROBE_MAX_STATES];
	unsigned int nr_names;
	__u32 polling;
	int latency_limit;	/* us, -1: none */
	int view;		/* -1: none */
	const char *note, *export, *machine;
	bool has_steal, cost, check;
} run = { .latency_limit = -1, .view = -1, .every_s = 15, .machine = "bare" };

static struct who *who;
static struct ring_buffer *ring;
static const struct who_cell *cells;
static struct who_worst worsts[WHO_MAX_GROUPS];

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

static void load(void)
{
	size_t size = sizeof(struct who_cell) * MAX_CELLS;
	int error;

	bpf_load_quietly();
	who = who__open();
	if (!who)
		bpf_load_failed(errno);
	who->rodata->by = run.by;
	who->rodata->polling_states = run.polling;
	who->rodata->has_steal = run.has_steal;
	who->rodata->nr_pids = run.nr_pids;
	memcpy((void *)who->rodata->pids, run.pids, sizeof(run.pids));
	who->rodata->wakeup_function = address_of("hrtimer_wakeup");
	who->rodata->max_cells = MAX_CELLS;
	bpf_map__set_max_entries(who->maps.cells, MAX_CELLS);
	bpf_program__set_autoload(who->progs.attached, run.by == WHO_CGROUP && bpf_has_tracepoint("cgroup_attach_task"));
	bpf_program__set_autoload(who->progs.renamed, run.by != WHO_CGROUP);
	error = who__load(who);
	if (error)
		bpf_load_failed(-error);
	cells = mmap(NULL, size, PROT_READ, MAP_SHARED, bpf_map__fd(who->maps.cells), 0);
	ring = ring_buffer__new(bpf_map__fd(who->maps.worsts), take_worst, NULL, NULL);
	if (cells == MAP_FAILED || !ring)
		die("the buffers of the BPF program cannot be mapped: %s", strerror(errno));
	if (run.cost && !bpf_cost_begin())
		die("the kernel cannot time BPF programs (BPF statistics): %s", strerror(errno));
}

static void attach(void)
{
	int error = who__attach(who);

	if (error)
		bpf_load_failed(-error);
}

/* Print a line for each process of -p that has ended. Return true if none is left. */
static bool all_ended(uint64_t elapsed)
{
	static bool ended[WHO_MAX_PIDS];
	unsigned int left = 0;

	for (unsigned int i = 0; i < run.nr_pids; i++) {
		if (!ended[i] && kill(run.pids[i], 0) && errno == ESRCH) {
			ended[i] = true;
			message("process %u ended after %.1f s; its wake-ups are counted", run.pids[i], elapsed / 1e9);
		}
		left += !ended[i];
	}
	return run.nr_pids && !left;
}

static struct who_view view_of(uint64_t elapsed)
{
	__u32 nr = who->data->nr_groups;

	return (struct who_view) {
		.by = run.by, .groups = who->bss->groups, .nr_groups = nr < WHO_MAX_GROUPS ? nr : WHO_MAX_GROUPS,
		.cells = cells, .worsts = worsts, .names = run.names, .nr_names = run.nr_names, .machine = run.machine,
		.has_steal = run.has_steal, .elapsed_s = elapsed / 1e9,
	};
}

static void show(uint64_t elapsed)
{
	static uint64_t drawn, exported;
	struct who_view view = view_of(elapsed);
	char *head;

	if (run.export && elapsed - exported >= run.every_s * 1000000000) {
		who_export(&view, run.export);
		exported = elapsed;
	}
	if (run.view < 0 || elapsed - drawn < DRAW_NS)
		return;
	drawn = elapsed;
	head = xprintf("%s%s%d s, by %s. Ctrl-C ends it.", run.note ? run.note : "", run.note && *run.note ? ": " : "",
		       (int)(elapsed / 1000000000), by_names[run.by]);
	who_draw(&view, head, run.view);
	free(head);
}

/* Return why the measurement ended. */
static const char *measure(uint64_t start)
{
	for (;;) {
		struct timespec pause = { .tv_nsec = LOOK_NS };
		uint64_t elapsed;

		nanosleep(&pause, NULL);
		if (ring_buffer__consume(ring) < 0)
			die("the buffer of the BPF program cannot be read");
		elapsed = clock_ns(CLOCK_MONOTONIC) - start;
		show(elapsed);
		if (run.seconds && elapsed >= run.seconds * 1000000000)
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
	uint64_t periods = 0;
	__u64 runs, ns;

	for (int cpu = 0; cpu < PROBE_MAX_CPUS; cpu++)
		periods += who->bss->cpus[cpu].periods;
	fprintf(out, "run.1.reason\t%s\nelapsed_ns\t%" PRIu64 "\nidle_periods\t%" PRIu64 "\n", reason, elapsed, periods);
	fprintf(out, "lost_overrun\t%" PRIu64 "\nwithout_room\t%" PRIu64 "\nworst_unseen\t%" PRIu64 "\n", (uint64_t)counts->lost,
		(uint64_t)counts->full, (uint64_t)counts->unseen);
	fprintf(out, "reader_cpu_ns\t%" PRIu64 "\n", clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	if (run.cost) {
		bpf_cost(who->obj, out, &runs, &ns);
		fprintf(out, "bpf_runs\t%" PRIu64 "\nbpf_ns\t%" PRIu64 "\nbpf_ns_per_period\t%" PRIu64 "\n", (uint64_t)runs,
			(uint64_t)ns, periods ? (uint64_t)ns / periods : 0);
	}
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

static uint64_t take_number(const char *text)
{
	uint64_t value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || end == text || *end)
		die("'%s' is not a number", text);
	return value;
}

static void take_by(const char *name)
{
	for (size_t i = 0; i < sizeof(by_names) / sizeof(by_names[0]); i++)
		if (!strcmp(name, by_names[i])) {
			run.by = i;
			return;
		}
	die("'%s' is none of program, thread, cgroup", name);
}

static void take_name(char *name)
{
	if (run.nr_names == PROBE_MAX_STATES)
		return;
	if (!strcmp(name, "POLL"))
		run.polling |= 1U << run.nr_names;
	run.names[run.nr_names++] = name;
}

static void take_pid(const char *text)
{
	if (run.nr_pids == WHO_MAX_PIDS)
		die("more than %d processes", WHO_MAX_PIDS);
	run.pids[run.nr_pids++] = take_number(text);
}

static void take_options(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "b:p:T:N:L:SV:t:E:e:M:CKQ")) != -1) {
		switch (opt) {
		case 'b': take_by(optarg); break;
		case 'p': take_pid(optarg); break;
		case 'T': run.seconds = take_number(optarg); break;
		case 'N': take_name(optarg); break;
		case 'L': run.latency_limit = take_number(optarg); break;
		case 'S': run.has_steal = true; break;
		case 'V': run.view = take_number(optarg); break;
		case 't': run.note = optarg; break;
		case 'E': run.export = optarg; break;
		case 'e': run.every_s = take_number(optarg); break;
		case 'M': run.machine = optarg; break;
		case 'C': run.cost = true; break;
		case 'K': run.check = true; break;
		case 'Q': exit(!reports_steal());
		default: exit(2);
		}
	}
	if (optind + 3 != argc)
		die("usage: who [OPTION]... WHO.TSV WORST.TSV FACTS.TSV");
}

int main(int argc, char **argv)
{
	struct who_view view;
	uint64_t start, elapsed;
	const char *reason;

	message_init("wakelat who");
	take_options(argc, argv);
	if (!run.check)
		catch_signals();
	load();
	if (run.check)
		return 0;
	hold_latency(run.latency_limit);
	attach();
	start = clock_ns(CLOCK_MONOTONIC);
	reason = measure(start);
	who__detach(who);
	elapsed = clock_ns(CLOCK_MONOTONIC) - start;
	ring_buffer__consume(ring);
	view = view_of(elapsed);
	who_write(&view, argv[optind]);
	who_write_worst(&view, argv[optind + 1]);
	if (run.export)
		who_export(&view, run.export);
	write_facts(argv[optind + 2], reason, elapsed);
	return 0;
}
