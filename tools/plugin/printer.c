// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "printer.h"

struct printer {
	char *recording;
	bool ready;
	struct sample_event sample;
	struct states states;
	char *line;
};

/*
 * Called when the first sample is printed. Before, the recordings are not open and their formats are not known. Return
 * false if the format is not ours.
 */
static bool prepare(struct printer *printer, struct tep_event *event)
{
	if (!sample_event_is_readable(event))
		return false;
	sample_event_find(&printer->sample, event);
	printer->line = malloc(describe_size(&printer->sample));
	if (!printer->line)
		return false;
	states_init(&printer->states);
	if (printer->recording)
		states_read(&printer->states, printer->recording);
	else
		states_read_open(&printer->states);
	printer->ready = true;
	return true;
}

static int print(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		 void *context)
{
	struct printer *printer = context;

	if (!printer->ready && !prepare(printer, event)) {
		/* The event cannot be read here: libtraceevent prints it as it does without the plugin. */
		event->flags |= TEP_EVENT_FL_NOHANDLE;
		tep_print_event(event->tep, s, record, "%s", TEP_PRINT_INFO);
		return 0;
	}
	if (record->size < printer->sample.size) {
		trace_seq_puts(s, "damaged: shorter than its format says");
		return 0;
	}
	describe(printer->line, &printer->sample, &printer->states, record);
	trace_seq_puts(s, printer->line);
	return 0;
}

struct printer *printer_begin(struct tep_handle *tep, const char *recording)
{
	struct printer *printer = calloc(1, sizeof(*printer));

	if (!printer)
		return NULL;
	if (recording)
		printer->recording = strdup(recording);
	tep_register_event_handler(tep, -1, "wakelat", "wakelat_sample", print, printer);
	return printer;
}

void printer_end(struct printer *printer, struct tep_handle *tep)
{
	tep_unregister_event_handler(tep, -1, "wakelat", "wakelat_sample", print, printer);
	sample_event_free(&printer->sample);
	free(printer->line);
	free(printer->recording);
	free(printer);
}
