/* SPDX-License-Identifier: GPL-2.0 */
/*
 * With --threshold, the BPF program of `wakelat probe` keeps the last events of each CPU in a
 * history. It emits a sample that took longer than the threshold together with its CPU's history.
 */
#ifndef WAKELAT_BPF_OUTLIERS_H
#define WAKELAT_BPF_OUTLIERS_H

#include "bpf-kernel.h"
#include "probe.h"

/* ns; 0: none. Set before the program is loaded. */
const volatile __u64 threshold;

/* Used only with a threshold. Otherwise the map keeps these minimal sizes: one CPU and one page. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct probe_history);
} histories SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} outliers SEC(".maps");

static __always_inline struct probe_history *history_of(__u32 nr)
{
	return threshold ? bpf_map_lookup_elem(&histories, &nr) : NULL;
}

/* Add an event to this CPU's history and return it. This runs on the CPU itself; only an NMI can interrupt it. */
static __always_inline struct probe_event *keep(__u32 nr, __u64 now, enum probe_kind kind, __u32 number)
{
	struct probe_history *history = history_of(nr);
	struct probe_event *event;

	if (!history)
		return NULL;
	event = &history->events[history->nr++ % PROBE_EVENTS];
	*event = (struct probe_event) { .time = now, .kind = kind, .number = number };
	return event;
}

static __always_inline void keep_timer(__u32 nr, const struct hrtimer *timer)
{
	struct probe_event *event;

	if (!threshold)
		return;
	event = keep(nr, bpf_ktime_get_ns(), PROBE_EXPIRED, 0);
	if (event)
		event->value = (__u64)timer->function;
}

/*
 * Note in the history of CPU NR that CPU HERE wakes it. Only CPU NR may write to its events[], so this event has a
 * field of its own, sent. Two CPUs may write to it at the same time and mix their data. Then the task's name is wrong.
 */
static __always_inline void keep_sent(__u32 nr, __u64 now, __u32 here, __u32 how)
{
	struct probe_history *history = history_of(nr);

	if (!history)
		return;
	history->sent = (struct probe_event) {
		.time = now, .kind = PROBE_SENT, .number = here, .how = how,
	};
	bpf_get_current_comm(history->sent.comm, sizeof(history->sent.comm));
}

/* Emit RECORD with its CPU's history if it took longer than the threshold. */
static __always_inline void emit_outlier(const struct probe_record *record,
					 struct probe_counts *count)
{
	struct probe_history *history = history_of(record->cpu);
	struct probe_outlier *o;

	if (!history || probe_latency(record) <= (__s64)threshold)
		return;
	count->beyond += !record->taint;
	o = bpf_ringbuf_reserve(&outliers, sizeof(*o), 0);
	if (!o) {
		count->lost++;
		return;
	}
	__builtin_memcpy(&o->record, record, sizeof(*record));
	bpf_probe_read_kernel(&o->history, sizeof(o->history), history);
	bpf_ringbuf_submit(o, BPF_RB_NO_WAKEUP);
}

#endif
