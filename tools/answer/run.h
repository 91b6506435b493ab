/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WAKELAT_RUN_H
#define WAKELAT_RUN_H

#include <stddef.h>
#include <stdio.h>

/*
 * Run WORK, which reads samples and prints to TEXT, then print this text. If the samples are in NR TRACES, WORK runs in a child
 * process (guard.h). WORK may write OUTPUT by outfile_begin(), NULL: it does not. Return the status of WORK.
 */
int run_reader(const char *const *traces, size_t nr, const char *output, int (*work)(FILE *text, void *arg), void *arg);

#endif
