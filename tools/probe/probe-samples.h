/* SPDX-License-Identifier: GPL-2.0 */
/* Write samples.tsv of `wakelat probe`: a row for each sample. Times are in ns. */
#ifndef WAKELAT_PROBE_SAMPLES_H
#define WAKELAT_PROBE_SAMPLES_H

#include "outfile.h"
#include "probe.h"

extern const char *const source_names[PROBE_NR_SOURCES];

/* Source wake has more columns than the others. */
void samples_header(struct outfile *out, enum probe_source source);
void samples_write(struct outfile *out, enum probe_source source, const struct probe_record *r);

#endif
