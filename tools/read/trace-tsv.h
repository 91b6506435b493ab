/* SPDX-License-Identifier: GPL-2.0 */
/* Read the samples of a recording's traces as a table: that of samples.tsv, without the file. */
#ifndef WAKELAT_TRACE_TSV_H
#define WAKELAT_TRACE_TSV_H

#include "reader.h"
#include "tsv.h"

/* Open the traces of a directory as a table; see reader_open(). READER must exist until tsv_close(). */
void trace_tsv_open(struct tsv *tsv, struct reader *reader, const char *run_tsv, const char *const *inputs, size_t nr);

#endif
