// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "bpf-load.h"
#include "message.h"

static char complaint[512];
static struct bpf_object *timed;

/* libbpf prints several lines about one failure. Keep the first one for our error message. */
static int keep_complaint(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (level == LIBBPF_WARN && !*complaint)
		vsnprintf(complaint, sizeof(complaint), fmt, ap);
	complaint[strcspn(complaint, "\n")] = '\0';
	return 0;
}

void bpf_load_quietly(void)
{
	libbpf_set_print(keep_complaint);
}

void bpf_load_failed(int error)
{
	const char *what = *complaint ? complaint : "libbpf gave no reason";

	if (error == EACCES)
		die("this kernel's verifier refuses the BPF program: please report it with the kernel's version (%s)", what);
	if (error == EPERM)
		die("the kernel does not let BPF trace: is it locked down "
		    "(/sys/kernel/security/lockdown), or CAP_BPF or CAP_PERFMON missing?");
	if (error == ENOSYS)
		die("this kernel has no BPF (CONFIG_BPF_SYSCALL); "
		    "wakelat dump --from-events reads what trace-cmd records");
	if (error == EINVAL)
		die("this kernel has no BPF for tracepoints (CONFIG_BPF_EVENTS), or it is older than 5.10 (%s); "
		    "wakelat dump --from-events reads what trace-cmd records", what);
	die("the BPF program cannot be loaded: %s (%s)", strerror(error), what);
}

bool bpf_has_tracepoint(const char *name)
{
	static struct btf *btf;
	char *type = xprintf("btf_trace_%s", name);
	bool found;

	if (!btf)
		btf = btf__load_vmlinux_btf();
	found = btf && btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF) >= 0;
	free(type);
	return found;
}

void bpf_cost_begin(struct bpf_object *object)
{
	/* The kernel stops timing when this file descriptor is closed, so leave it open until the process ends. */
	if (bpf_enable_stats(BPF_STATS_RUN_TIME) < 0)
		die("the kernel cannot time BPF programs (BPF statistics): %s", strerror(errno));
	timed = object;
}

void bpf_cost_facts(FILE *out, __u64 periods)
{
	struct bpf_program *program;
	__u64 runs = 0, ns = 0;

	if (!timed)
		return;
	bpf_object__for_each_program(program, timed) {
		const char *name = bpf_program__name(program);
		struct bpf_prog_info info = { 0 };
		__u32 size = sizeof(info);
		int fd = bpf_program__fd(program);

		if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size) || !info.run_cnt)
			continue;
		runs += info.run_cnt;
		ns += info.run_time_ns;
		fprintf(out, "bpf.%s.runs\t%llu\n", name, info.run_cnt);
		fprintf(out, "bpf.%s.ns\t%llu\n", name, info.run_time_ns);
	}
	fprintf(out, "bpf_runs\t%llu\nbpf_ns\t%llu\n", runs, ns);
	fprintf(out, "bpf_ns_per_period\t%llu\n", periods ? ns / periods : 0);
}
