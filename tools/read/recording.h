/* SPDX-License-Identifier: GPL-2.0 */
/* Convert a recording to tables. Write all of the output, or none. */
#ifndef WAKELAT_RECORDING_H
#define WAKELAT_RECORDING_H

/* The output is written, but the recording lost events. */
#define STATUS_INCOMPLETE 3

/*
 * Run WORK, which reads INPUT with the trace library, in a child process (guard.h). WORK writes
 * OUTPUTS, a list that ends with NULL, by outfile_begin(). If WORK returns 0 or STATUS_INCOMPLETE,
 * give the outputs their final names. Return an exit status; die() if INPUT cannot be read as a
 * recording.
 */
int recording_convert(const char *input, const char *const *outputs, int (*work)(void *arg),
		      void *arg);

#endif
