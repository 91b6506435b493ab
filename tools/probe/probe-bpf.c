// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bpf-load.h"
#include "message.h"
#include "probe-bpf.h"
#include "probe.skel.h"

/* Vectors that not every machine has. If a tracepoint is missing, the interrupt is, too. */
static const char *const other_vectors[] = {
	"call_function_entry", "irq_work_entry", "x86_platform_ipi_entry", "error_apic_entry",
	"spurious_apic_entry", "thermal_apic_entry", "threshold_apic_entry",
	"deferred_error_apic_entry",
};

#define NR_OTHER (sizeof(other_vectors) / sizeof(other_vectors[0]))
#define MAX_LINKS (NR_OTHER + 16)

/* ASLEEP_AFTER_NS for machines whose firmware enters the state. How long firmware takes is not known, so this is larger. */
#define ASLEEP_AFTER_FIRMWARE_NS 20000

static struct probe *probe;
static struct ring_buffer *ring;
static struct bpf_link *links[MAX_LINKS];
static size_t nr_links;
static void (*on_record)(const struct probe_record *record);
static void (*on_outlier)(const struct probe_outlier *outlier);
static char missing[256];

static int take_record(void *unused, void *data, size_t size)
{
	(void)unused;
	if (size >= sizeof(struct probe_record))
		on_record(data);
	return 0;
}

static int take_outlier(void *unused, void *data, size_t size)
{
	(void)unused;
	if (size >= sizeof(struct probe_outlier))
		on_outlier(data);
	return 0;
}

static bool attach(struct bpf_program *program, const char *tracepoint)
{
	struct bpf_link *link;

	if (nr_links == MAX_LINKS)
		die("too many tracepoints");
	/* A BTF program was bound to its tracepoint when it was loaded. */
	if (bpf_program__type(program) == BPF_PROG_TYPE_TRACING)
		link = bpf_program__attach_trace(program);
	else
		link = bpf_program__attach_raw_tracepoint(program, tracepoint);
	if (!link) {
		if (errno != ENOENT)
			die("cannot attach to tracepoint %s: %s", tracepoint, strerror(errno));
		return false;
	}
	links[nr_links++] = link;
	return true;
}

static void need(struct bpf_program *program, const char *tracepoint)
{
	if (!attach(program, tracepoint))
		die("this kernel has no tracepoint %s, which wakelat probe needs; "
		    "wakelat dump --from-events reads what trace-cmd can record here", tracepoint);
}

static void want(struct bpf_program *program, const char *tracepoint)
{
	size_t len = strlen(missing);

	if (!attach(program, tracepoint))
		snprintf(missing + len, sizeof(missing) - len, "%s%s", len ? " " : "", tracepoint);
}

const char *probe_missing(void)
{
	return *missing ? missing : NULL;
}

/* Return the number of the local timers' interrupt if it has no vector of its own, as on arm64; else 0. */
static __u32 timer_number(void)
{
	static const char *const names[] = { " arch_timer\n", " riscv-timer\n" };
	FILE *interrupts;
	char *line = NULL;
	size_t size = 0;
	__u32 number = 0;

	if (bpf_has_tracepoint("local_timer_entry"))
		return 0;
	interrupts = fopen("/proc/interrupts", "re");
	while (interrupts && !number && getline(&line, &size, interrupts) > 0)
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (strstr(line, names[i]))
				number = strtoul(line, NULL, 10);
	free(line);
	if (interrupts)
		fclose(interrupts);
	return number;
}

/* Attach the programs for interrupts that have a vector. */
static void attach_vectors(void)
{
	need(probe->progs.timer_irq, "local_timer_entry");
	want(probe->progs.resched_irq, "reschedule_entry");
	want(probe->progs.single_irq, "call_function_single_entry");
	want(probe->progs.device_irq, "irq_handler_entry");
	want(probe->progs.nmi, "nmi_handler");
	for (size_t i = 0; i < NR_OTHER; i++)
		attach(probe->progs.other_irq, other_vectors[i]);
}

static void attach_all(enum probe_source source, bool threshold)
{
	need(probe->progs.idle, "cpu_idle");
	need(probe->progs.expired, "hrtimer_expire_entry");
	if (source == PROBE_WAKE) {
		need(probe->progs.task_waking, "sched_waking");
		need(probe->progs.flag_set, "sched_wake_idle_without_ipi");
		/* This tracepoint exists since Linux 6.4. */
		need(probe->progs.ipi_sent, "ipi_send_cpu");
	} else {
		want(probe->progs.flag_set, "sched_wake_idle_without_ipi");
		if (threshold)
			want(probe->progs.ipi_sent, "ipi_send_cpu");
	}
	if (threshold)
		want(probe->progs.switched, "sched_switch");
	if (probe->rodata->timer_number)
		need(probe->progs.device_irq, "irq_handler_entry");
	else
		attach_vectors();
}

/* die() if the tracepoint is missing. Call this before a program for it is loaded. */
static void need_tracepoint(const char *name, const char *since)
{
	if (!bpf_has_tracepoint(name))
		die("source wake needs the tracepoint %s (Linux %s or later); use source timer or passive",
		    name, since);
}

/* Set the sizes of the maps. With a threshold, each measured CPU has a history. */
static void size_maps(const struct probe_setup *setup)
{
	int last = 0;

	bpf_map__set_max_entries(probe->maps.records, setup->buffer);
	if (!setup->threshold)
		return;
	for (int i = 0; i < setup->nr_cpus; i++)
		last = setup->cpus[i] > last ? setup->cpus[i] : last;
	bpf_map__set_max_entries(probe->maps.histories, last + 1);
	bpf_map__set_max_entries(probe->maps.outliers, setup->buffer);
}

static void open_buffers(void)
{
	ring = ring_buffer__new(bpf_map__fd(probe->maps.records), take_record, NULL, NULL);
	if (!ring || ring_buffer__add(ring, bpf_map__fd(probe->maps.outliers), take_outlier, NULL))
		die("the buffers of the BPF program cannot be mapped: %s", strerror(errno));
}

void probe_open(const struct probe_setup *setup, void (*record)(const struct probe_record *record),
		void (*outlier)(const struct probe_outlier *outlier))
{
	int error;

	on_record = record;
	on_outlier = outlier;
	bpf_load_quietly();
	if (setup->source == PROBE_WAKE)
		need_tracepoint("ipi_send_cpu", "6.4");
	probe = probe__open();
	if (!probe)
		bpf_load_failed(errno);
	probe->rodata->source = setup->source;
	probe->rodata->polling_states = setup->polling_states;
	probe->rodata->emit = setup->emit;
	probe->rodata->histograms = setup->histograms;
	probe->rodata->own_process = setup->own_wakeups ? getpid() : 0;
	probe->rodata->threshold = setup->threshold;
	probe->rodata->timer_number = timer_number();
	probe->rodata->asleep_after = probe->rodata->timer_number ? ASLEEP_AFTER_FIRMWARE_NS : ASLEEP_AFTER_NS;
	bpf_program__set_autoload(probe->progs.task_waking, setup->source == PROBE_WAKE);
	bpf_program__set_autoload(probe->progs.ipi_sent, setup->source == PROBE_WAKE || setup->threshold);
	bpf_program__set_autoload(probe->progs.switched, setup->threshold);
	size_maps(setup);
	error = probe__load(probe);
	if (error)
		bpf_load_failed(-error);
	open_buffers();
	attach_all(setup->source, setup->threshold);
	for (int i = 0; i < setup->nr_cpus; i++)
		probe->bss->cpus[setup->cpus[i]].measured = 1;
}

void probe_read(void)
{
	int error = ring_buffer__consume(ring);

	if (error < 0)
		die("the buffer of the BPF program cannot be read: %s", strerror(-error));
}

void probe_close(void)
{
	while (nr_links)
		bpf_link__destroy(links[--nr_links]);
	ring_buffer__free(ring);
	probe__destroy(probe);
}

void probe_sleeper(int cpu, int task)
{
	probe->bss->cpus[cpu].own_task = task;
}

struct probe_own *probe_own(int cpu)
{
	return &probe->bss->cpus[cpu].next_own;
}

const struct probe_counts *probe_counts(int cpu)
{
	return &probe->bss->cpus[cpu].counts;
}

const struct probe_hist *probe_hist(unsigned int state)
{
	return &probe->bss->hists[state];
}

void probe_cost(FILE *out, __u64 *runs, __u64 *ns)
{
	bpf_cost(probe->obj, out, runs, ns);
}
