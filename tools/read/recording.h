/* SPDX-License-Identifier: GPL-2.0 */
/* Convert a recording to tables. Write all of the output, or none. */
#ifndef WAKELAT_RECORDING_H
#define WAKELAT_RECORDING_H

#include <stddef.h>

/* The output is written, but the recording lost events. */
#define STATUS_INCOMPLETE 3

/*
 * Run WORK, which reads INPUT with the trace library, in a child process (guard.h). WORK writes
 * OUTPUTS, a list that ends with NULL, by outfile_begin(). If WORK returns a status other than 1,
 * give the outputs their final names. Return an exit status; die() if INPUT cannot be read as a
 * recording.
 */
int recording_convert(const char *input, const char *const *outputs, int (*work)(void *arg),
		      void *arg);

/*
 * The same for NR inputs. Before WORK opens one of them, it calls recording_reads() with its index, so that the message about a
 * damaged file names it.
 */
int recording_convert_all(const char *const *inputs, size_t nr, const char *const *outputs, int (*work)(void *arg), void *arg);
void recording_reads(size_t input);
/* If the inputs are those of several recordings: set the index of the first input of the recording that WORK reads next. */
void recording_begins(size_t first);

#endif
