/* SPDX-License-Identifier: GPL-2.0 */
/* What programs that make tables of a recording have in common: all of the output, or none. */
#ifndef WAKELAT_RECORDING_H
#define WAKELAT_RECORDING_H

/* The output is written, but the recording lost events. */
#define STATUS_INCOMPLETE 3

/*
 * Run WORK, which reads INPUT through the trace library, in a process of its own, and give
 * the OUTPUTS (up to a NULL), which it wrote with outfile_begin(), their own ones if it
 * returned 0 or STATUS_INCOMPLETE. Returns an exit status; die()s if there is no output.
 */
int recording_convert(const char *input, const char *const *outputs, int (*work)(void *arg),
		      void *arg);

#endif
