// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "message.h"
#include "probe-bpf.h"
#include "probe.skel.h"

/* Vectors and device interrupts that do not come on every machine: no tracepoint, no such interrupt. */
static const char *const other_vectors[] = {
	"call_function_entry", "irq_work_entry", "x86_platform_ipi_entry", "error_apic_entry",
	"spurious_apic_entry", "thermal_apic_entry", "threshold_apic_entry",
	"deferred_error_apic_entry",
};

#define NR_OTHER (sizeof(other_vectors) / sizeof(other_vectors[0]))
#define MAX_LINKS (NR_OTHER + 16)

static struct probe *probe;
static struct ring_buffer *ring;
static struct bpf_link *links[MAX_LINKS];
static size_t nr_links;
static void (*on_record)(const struct probe_record *record);
static void (*on_outlier)(const struct probe_outlier *outlier);
static char missing[256];
static char complaint[512];
static int stats_fd = -1;

/* libbpf says many lines; the first one is kept for ours. */
static int keep_complaint(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (level == LIBBPF_WARN && !*complaint)
		vsnprintf(complaint, sizeof(complaint), fmt, ap);
	complaint[strcspn(complaint, "\n")] = '\0';
	return 0;
}

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
	link = bpf_program__attach_raw_tracepoint(program, tracepoint);
	if (!link) {
		if (errno != ENOENT)
			die("the tracepoint %s cannot be attached to: %s", tracepoint, strerror(errno));
		return false;
	}
	links[nr_links++] = link;
	return true;
}

static void need(struct bpf_program *program, const char *tracepoint)
{
	if (!attach(program, tracepoint))
		die("this kernel has no tracepoint %s, without which there is no sample; "
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

static void attach_all(enum probe_source source, bool threshold)
{
	need(probe->progs.idle, "cpu_idle");
	need(probe->progs.timer_irq, "local_timer_entry");
	need(probe->progs.expired, "hrtimer_expire_entry");
	if (source == PROBE_WAKE) {
		need(probe->progs.task_waking, "sched_waking");
		need(probe->progs.flag_set, "sched_wake_idle_without_ipi");
		/* Since 6.4. */
		need(probe->progs.ipi_sent, "ipi_send_cpu");
	} else {
		want(probe->progs.flag_set, "sched_wake_idle_without_ipi");
		if (threshold)
			want(probe->progs.ipi_sent, "ipi_send_cpu");
	}
	if (threshold)
		want(probe->progs.switched, "sched_switch");
	want(probe->progs.resched_irq, "reschedule_entry");
	want(probe->progs.single_irq, "call_function_single_entry");
	want(probe->progs.device_irq, "irq_handler_entry");
	want(probe->progs.nmi, "nmi_handler");
	for (size_t i = 0; i < NR_OTHER; i++)
		attach(probe->progs.other_irq, other_vectors[i]);
}

static void load_failed(int error)
{
	if (error == EACCES)
		die("this kernel's verifier refuses the BPF program: please report it with the kernel's version (%s)",
		    *complaint ? complaint : "no more is known");
	if (error == EPERM)
		die("the kernel does not let BPF trace: is it locked down "
		    "(/sys/kernel/security/lockdown), or CAP_BPF or CAP_PERFMON missing?");
	if (error == ENOSYS)
		die("this kernel has no BPF (CONFIG_BPF_SYSCALL); "
		    "wakelat dump --from-events reads what trace-cmd records");
	if (error == EINVAL)
		die("this kernel has no BPF for tracepoints (CONFIG_BPF_EVENTS), or it is older than 5.10 (%s); "
		    "wakelat dump --from-events reads what trace-cmd records",
		    *complaint ? complaint : "no more is known");
	die("the BPF program cannot be loaded: %s (%s)", strerror(error),
	    *complaint ? complaint : "no more is known");
}

/* Whether a tracepoint is there, asked before a program for it is loaded. */
static void need_tracepoint(const char *name, const char *since)
{
	struct btf *btf = btf__load_vmlinux_btf();
	char *type = xprintf("btf_trace_%s", name);

	if (btf && btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF) < 0)
		die("source wake: this kernel has no tracepoint %s (since Linux %s); sources timer and passive need none",
		    name, since);
	btf__free(btf);
	free(type);
}

/* Each measured CPU has a history, if there is a threshold. */
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
	libbpf_set_print(keep_complaint);
	if (setup->source == PROBE_WAKE)
		need_tracepoint("ipi_send_cpu", "6.4");
	probe = probe__open();
	if (!probe)
		load_failed(errno);
	probe->rodata->source = setup->source;
	probe->rodata->polling_states = setup->polling_states;
	probe->rodata->emit = setup->emit;
	probe->rodata->own_task = setup->own_task;
	probe->rodata->threshold = setup->threshold;
	bpf_program__set_autoload(probe->progs.task_waking, setup->source == PROBE_WAKE);
	bpf_program__set_autoload(probe->progs.ipi_sent, setup->source == PROBE_WAKE || setup->threshold);
	bpf_program__set_autoload(probe->progs.switched, setup->threshold);
	size_maps(setup);
	error = probe__load(probe);
	if (error)
		load_failed(-error);
	open_buffers();
	attach_all(setup->source, setup->threshold);
	for (int i = 0; i < setup->nr_cpus; i++)
		probe->bss->measured[setup->cpus[i]] = 1;
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
	if (stats_fd >= 0)
		close(stats_fd);
}

struct probe_own *probe_own(int cpu)
{
	return &probe->bss->own[cpu];
}

const struct probe_counts *probe_counts(int cpu)
{
	return &probe->bss->counts[cpu];
}

const struct probe_hist *probe_hist(unsigned int state)
{
	return &probe->bss->hists[state];
}

bool probe_cost_begin(void)
{
	stats_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	return stats_fd >= 0;
}

void probe_cost(__u64 *runs, __u64 *ns)
{
	struct bpf_program *program;

	*runs = *ns = 0;
	bpf_object__for_each_program(program, probe->obj) {
		struct bpf_prog_info info = { 0 };
		__u32 size = sizeof(info);
		int fd = bpf_program__fd(program);

		if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size))
			continue;
		*runs += info.run_cnt;
		*ns += info.run_time_ns;
	}
}
