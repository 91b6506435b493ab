/* SPDX-License-Identifier: GPL-2.0 */
/* For programs that make tables of a recording: they write all of the output, or none. */
#ifndef WAKELAT_RECORDING_H
#define WAKELAT_RECORDING_H

/* The output is written, but the recording lost events. */
#define STATUS_INCOMPLETE 3

/*
 * Run WORK, which reads INPUT with the trace library, in a child process (guard.h). WORK writes
 * OUTPUTS, a list that ends with NULL, by outfile_begin(). If it returns 0 or STATUS_INCOMPLETE,
 * give them their final names. Return an exit status; die() if there is no output.
 */
int recording_convert(const char *input, const char *const *outputs, int (*work)(void *arg),
		      void *arg);

#endif
