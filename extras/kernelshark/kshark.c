// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of KernelShark. It draws samples as bars on the graphs of their CPUs (kshark-draw.cpp). The samples are those of
 * event wakelat_sample. In a recording of stock events, they are the samples that dump --from-events computes. The plugin
 * also writes the numbers of each sample to KernelShark's column and line "info".
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libkshark.h>
#include <libkshark-plugin.h>
#include <libkshark-tepdata.h>

#include "message.h"
#include "periods.h"
#include "sample.h"
#include "trace.h"
#include "bars.h"
#include "describe.h"
#include "kshark-draw.h"
#include "printer.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int KSHARK_PLOT_PLUGIN_INITIALIZER(struct kshark_data_stream *stream);
EXPORTED int KSHARK_PLOT_PLUGIN_DEINITIALIZER(struct kshark_data_stream *stream);
EXPORTED void *KSHARK_MENU_PLUGIN_INITIALIZER(void *gui);

struct reader {
	struct printer *printer;
	struct sample_event sample;	/* format of wakelat_sample, if the recording has this event */
	int64_t last_offset;
	int last_cpu;
	int idle_id;			/* id of power:cpu_idle; -1: no samples were computed */
	bool computed;			/* the bars are computed from stock events */
	stream_get_str_func get_info;	/* KernelShark's own function, which info_of() replaces */
};

/*
 * The code that reads recordings calls die(). In KernelShark this must end only the reading, so die() jumps here.
 * Memory that was allocated before the jump is lost.
 */
static __thread jmp_buf *escape;

static void do_escape(void)
{
	if (escape)
		longjmp(*escape, 1);
}

static bool value_of(const struct reader *reader, enum sample_known field,
		     const struct tep_record *record, bool irqs_on, int64_t *value)
{
	uint64_t bits;

	if (!sample_value(&reader->sample.fields[field], record, irqs_on, &bits))
		return false;
	*value = bits;
	return true;
}

static void set_bar(struct bar *bar, const struct reader *reader, const struct tep_record *record)
{
	bool irqs_on = sample_irqs_on(&reader->sample, record);
	int64_t intr, wake, silent, tbi, tintr, state = UINT32_MAX, taint = 0;

	value_of(reader, SAMPLE_STATE, record, false, &state);
	value_of(reader, SAMPLE_TAINT, record, false, &taint);
	bar->state = state;
	bar->taint = taint;
	bar->latency = -1;
	bar->event = bar->tintr = bar->tai = bar->ltime = bar->tbi = record->ts;
	if (value_of(reader, SAMPLE_INTR_LATENCY, record, irqs_on, &intr)) {
		bar->latency = intr;
		bar->tai = bar->ltime = bar->tintr - intr;
		if (value_of(reader, SAMPLE_SILENT_TIME, record, irqs_on, &silent))
			bar->tbi = bar->ltime - silent;
		if (value_of(reader, SAMPLE_WAKE_LATENCY, record, irqs_on, &wake)) {
			bar->latency = wake;
			bar->tai = bar->ltime + wake;
		}
	} else if (value_of(reader, SAMPLE_TBI, record, irqs_on, &tbi) &&
		   value_of(reader, SAMPLE_TINTR, record, irqs_on, &tintr)) {
		/* The CPU slept from tbi to tintr, but the launch time is not known. */
		bar->tbi = bar->tintr - (tintr - tbi);
	}
	if (bar->latency < 0)
		bar->latency = -1;
}

/*
 * If RECORD is the first record of its CPU, begin again with the CPU's first bar. KernelShark loads one CPU after the
 * other, each in the order of time, and may load a recording again.
 */
static void begin_again(struct reader *reader, struct bars *bars, const struct tep_record *record)
{
	bool first = record->cpu != reader->last_cpu || (int64_t)record->offset <= reader->last_offset;

	reader->last_cpu = record->cpu;
	reader->last_offset = record->offset;
	if (!first || record->cpu < 0 || record->cpu >= bars->nr_cpus)
		return;
	bars->cpus[record->cpu].at = 0;
	if (!reader->computed)
		bars->cpus[record->cpu].nr = 0;
}

/* Drop the computed bars if the recording has wakelat_sample, too: the kernel's samples are more exact. */
static void forget_computed(struct reader *reader, struct bars *bars)
{
	if (!reader->computed)
		return;
	reader->computed = false;
	for (int cpu = 0; cpu < bars->nr_cpus; cpu++)
		bars->cpus[cpu].nr = 0;
}

static void take_sample(struct kshark_data_stream *stream, void *rec, struct kshark_entry *entry)
{
	struct bars *bars = bars_of(stream->stream_id);
	const struct tep_record *record = rec;
	struct bar bar = { .entry = entry };
	struct reader *reader;

	if (!bars)
		return;
	reader = bars->reader;
	if (record->size < reader->sample.size)
		return;
	forget_computed(reader, bars);
	begin_again(reader, bars, record);
	set_bar(&bar, reader, record);
	bars_add(bars, record->cpu, &bar);
}

/* Set the entry of a computed bar to the event that ends its idle period. Bars and events are in the same order. */
static void take_idle(struct kshark_data_stream *stream, void *rec, struct kshark_entry *entry)
{
	struct bars *bars = bars_of(stream->stream_id);
	const struct tep_record *record = rec;
	struct cpu_bars *cpu;
	struct reader *reader;

	if (!bars || record->cpu < 0 || record->cpu >= bars->nr_cpus)
		return;
	reader = bars->reader;
	begin_again(reader, bars, record);
	if (!reader->computed)
		return;
	cpu = &bars->cpus[record->cpu];
	while (cpu->at < cpu->nr && cpu->list[cpu->at].event < (int64_t)record->ts)
		cpu->at++;
	if (cpu->at < cpu->nr && cpu->list[cpu->at].event == (int64_t)record->ts)
		cpu->list[cpu->at].entry = entry;
}

static void add_period(struct bars *bars, const struct period *period)
{
	struct bar bar = {
		.event = period->exit, .tbi = period->enter, .ltime = period->ltime,
		.tai = period->irqs_on ? period->ltime : (int64_t)period->exit,
		.tintr = period->tintr ? period->tintr : period->exit,
		.state = period->state, .taint = period->taint,
	};

	bar.latency = (period->irqs_on ? bar.tintr : bar.tai) - bar.ltime;
	if (bar.latency < 0)
		bar.latency = -1;
	if (!bars_add(bars, period->cpu, &bar))
		die("out of memory");
}

static void compute(struct bars *bars, const char *file, const char *buffer)
{
	static struct periods periods;
	static struct trace trace;
	struct period period;

	trace_open_buffer(&trace, file, buffer);
	periods_open(&periods, &trace, file, true, NULL);
	while (periods_next(&periods, &period))
		if (period.wakeup == WAKEUP_TIMER)
			add_period(bars, &period);
	periods_close(&periods);
	trace_close(&trace);
}

/* Compute the bars. Return false if this failed; a line on stderr says why. */
static bool compute_safely(struct bars *bars, const char *file, const char *buffer)
{
	jmp_buf here;

	escape = &here;
	if (setjmp(here)) {
		escape = NULL;
		return false;
	}
	compute(bars, file, buffer);
	escape = NULL;
	return true;
}

/* Return the text for column "info". For the event that ends an idle period, describe the sample instead of the event. */
static char *info_of(struct kshark_data_stream *stream, const struct kshark_entry *entry)
{
	struct bars *bars = bars_of(stream->stream_id);
	struct reader *reader = bars ? bars->reader : NULL;
	const struct bar *bar;
	char line[MAX_COMPUTED];

	if (!reader)
		return NULL;
	/* KernelShark may have shifted the times of the stream since it loaded the stream. */
	bar = reader->computed && entry->event_id == reader->idle_id ?
	      bars_find(bars, entry->cpu, entry->ts - bars_shift(bars, entry->cpu)) : NULL;
	if (!bar)
		return reader->get_info(stream, entry);
	describe_computed(line, &(struct computed) {
		.state = bar->state, .has_wake = bar->tai != bar->ltime,
		.wake_latency = bar->tai - bar->ltime, .intr_latency = bar->tintr - bar->ltime,
		.silent_time = bar->ltime - bar->tbi, .taint = bar->taint,
	}, &bars->states);
	return strdup(line);
}

static void free_bars(struct bars *bars)
{
	for (int cpu = 0; bars->cpus && cpu < bars->nr_cpus; cpu++) {
		free(bars->cpus[cpu].list);
		free(bars->cpus[cpu].blocks);
	}
	free(bars->cpus);
	free(bars->reader);
	free(bars);
}

static struct bars *new_bars(const struct kshark_data_stream *stream)
{
	struct bars *bars = calloc(1, sizeof(*bars));
	struct reader *reader;

	if (!bars)
		return NULL;
	bars->stream = stream->stream_id;
	bars->nr_cpus = stream->n_cpus;
	bars->cpus = calloc(stream->n_cpus > 0 ? stream->n_cpus : 1, sizeof(*bars->cpus));
	bars->reader = reader = calloc(1, sizeof(*reader));
	if (!bars->cpus || !reader) {
		free_bars(bars);
		return NULL;
	}
	reader->idle_id = -1;
	reader->last_cpu = -1;
	states_init(&bars->states);
	states_read(&bars->states, stream->file);
	return bars;
}

static bool begin_samples(struct kshark_data_stream *stream, struct bars *bars)
{
	struct tep_handle *tep = kshark_get_tep(stream);
	struct tep_event *event = tep_find_event_by_name(tep, "wakelat", "wakelat_sample");
	struct reader *reader = bars->reader;

	if (!event || !sample_event_is_readable(event))
		return false;
	sample_event_find(&reader->sample, event);
	reader->printer = printer_begin(tep, stream->file);
	kshark_register_event_handler(stream, event->id, take_sample);
	return true;
}

static bool begin_computed(struct kshark_data_stream *stream, struct bars *bars)
{
	struct kshark_generic_stream_interface *interface = stream->interface;
	struct tep_handle *tep = kshark_get_tep(stream);
	const char *buffer = stream->name && strcmp(stream->name, KS_UNNAMED) ? stream->name : NULL;
	struct tep_event *idle = tep_find_event_by_name(tep, "power", "cpu_idle");
	struct reader *reader = bars->reader;

	/* Print no message if these events are missing: the recording was made for something else. */
	if (!idle || !tep_find_event_by_name(tep, "timer", "hrtimer_start") ||
	    !tep_find_event_by_name(tep, "timer", "hrtimer_expire_entry"))
		return false;
	if (!compute_safely(bars, stream->file, buffer))
		return false;
	reader->idle_id = idle->id;
	reader->computed = true;
	reader->get_info = interface->get_info;
	interface->get_info = info_of;
	kshark_register_event_handler(stream, idle->id, take_idle);
	return true;
}

int KSHARK_PLOT_PLUGIN_INITIALIZER(struct kshark_data_stream *stream)
{
	bool samples, computed;
	struct bars *bars;

	if (!kshark_is_tep(stream))
		return 0;
	message_init("kernelshark: wakelat");
	message_at_death(do_escape);
	bars = new_bars(stream);
	if (!bars)
		return 0;
	/* A recording of something else has neither kind of samples. Draw nothing then. */
	samples = begin_samples(stream, bars);
	computed = begin_computed(stream, bars);
	if (samples || computed)
		kshark_register_draw_handler(stream, draw_bars);
	bars->next = all_bars;
	all_bars = bars;
	return 1;
}

static void end(struct kshark_data_stream *stream, struct bars *bars)
{
	struct kshark_generic_stream_interface *interface = stream->interface;
	struct reader *reader = bars->reader;

	kshark_unregister_draw_handler(stream, draw_bars);
	if (reader->idle_id >= 0) {
		kshark_unregister_event_handler(stream, reader->idle_id, take_idle);
		if (interface && interface->get_info == info_of)
			interface->get_info = reader->get_info;
	}
	if (reader->printer) {
		kshark_unregister_event_handler(stream, reader->sample.id, take_sample);
		printer_end(reader->printer, kshark_get_tep(stream));
		sample_event_free(&reader->sample);
	}
	free_bars(bars);
}

int KSHARK_PLOT_PLUGIN_DEINITIALIZER(struct kshark_data_stream *stream)
{
	for (struct bars **at = &all_bars; *at; at = &(*at)->next) {
		struct bars *bars = *at;

		if (bars->stream != stream->stream_id)
			continue;
		*at = bars->next;
		end(stream, bars);
		return 1;
	}
	return 0;
}

void *KSHARK_MENU_PLUGIN_INITIALIZER(void *gui)
{
	draw_menu(gui);
	return NULL;
}
