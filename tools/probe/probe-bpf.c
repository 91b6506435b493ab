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
#include "options.h"
#include "probe-bpf.h"
#include "probe.skel.h"

/* Vectors that not every machine has. If a tracepoint is missing, the interrupt is, too. */
static const char *const other_vectors[] = {
	"call_function_entry", "irq_work_entry", "x86_platform_ipi_entry", "error_apic_entry",
	"spurious_apic_entry", "thermal_apic_entry", "threshold_apic_entry",
	"deferred_error_apic_entry",
};

#define NR_OTHER (sizeof(other_vectors) / sizeof(other_vectors[0]))

/* Used if firmware enters the state. How long firmware takes is not known, so this is larger. */
#define ASLEEP_AFTER_FIRMWARE_NS 20000

static struct probe *probe;
static struct ring_buffer *ring;
static char missing[256];

/* Return the tracepoint that the section name of PROGRAM has. */
static const char *tracepoint_of(const struct bpf_program *program)
{
	return strchr(bpf_program__section_name(program), '/') + 1;
}

/*
 * Return whether LINK, to TRACEPOINT, could be made. It exists until this process ends. die()
 * unless only the tracepoint is missing.
 */
static bool is_attached(const struct bpf_link *link, const char *tracepoint)
{
	if (!link && errno != ENOENT)
		die("cannot attach to tracepoint %s: %s", tracepoint, strerror(errno));
	return link;
}

static void need(struct bpf_program *program)
{
	const char *tracepoint = tracepoint_of(program);

	if (!is_attached(bpf_program__attach(program), tracepoint))
		die("this kernel has no tracepoint %s, which wakelat probe needs; "
		    "wakelat dump --from-events reads what trace-cmd can record here", tracepoint);
}

static void want(struct bpf_program *program)
{
	const char *tracepoint = tracepoint_of(program);
	size_t len = strlen(missing);

	if (!is_attached(bpf_program__attach(program), tracepoint))
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
	need(probe->progs.timer_irq);
	want(probe->progs.resched_irq);
	want(probe->progs.single_irq);
	want(probe->progs.device_irq);
	want(probe->progs.nmi);
	for (size_t i = 0; i < NR_OTHER; i++)
		is_attached(bpf_program__attach_raw_tracepoint(probe->progs.other_irq,
							       other_vectors[i]), other_vectors[i]);
}

static void attach_all(enum probe_source source, bool threshold)
{
	need(probe->progs.idle);
	need(probe->progs.expired);
	if (source == PROBE_WAKE) {
		need(probe->progs.task_waking);
		need(probe->progs.flag_set);
		/* This tracepoint exists since Linux 6.4. */
		need(probe->progs.ipi_sent);
	} else {
		want(probe->progs.flag_set);
		if (threshold)
			want(probe->progs.ipi_sent);
	}
	if (threshold)
		want(probe->progs.switched);
	if (probe->rodata->timer_number)
		need(probe->progs.device_irq);
	else
		attach_vectors();
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

void probe_open(const struct probe_setup *setup, probe_take *record, probe_take *outlier)
{
	int error;

	bpf_load_quietly();
	if (setup->source == PROBE_WAKE && !bpf_has_tracepoint("ipi_send_cpu"))
		die("source wake needs the tracepoint ipi_send_cpu (Linux 6.4 or later); "
		    "use source timer or passive");
	probe = probe__open();
	if (!probe)
		bpf_load_failed(errno);
	probe->rodata->source = setup->source;
	probe->rodata->polling_states = polling_states;
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
	ring = ring_buffer__new(bpf_map__fd(probe->maps.records), record, NULL, NULL);
	if (!ring || ring_buffer__add(ring, bpf_map__fd(probe->maps.outliers), outlier, NULL))
		die("the buffers of the BPF program cannot be mapped: %s", strerror(errno));
	attach_all(setup->source, setup->threshold);
	for (int i = 0; i < setup->nr_cpus; i++)
		probe_cpu(setup->cpus[i])->measured = 1;
	if (options.cost)
		bpf_cost_begin(probe->obj);
}

void probe_read(void)
{
	int error = ring_buffer__consume(ring);

	if (error < 0)
		die("the buffer of the BPF program cannot be read: %s", strerror(-error));
}

struct probe_cpu *probe_cpu(int cpu)
{
	return &probe->bss->cpus[cpu];
}

const struct probe_hist *probe_hist(unsigned int state)
{
	return &probe->bss->hists[state];
}
