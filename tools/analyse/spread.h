/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WAKELAT_SPREAD_H
#define WAKELAT_SPREAD_H

#include <stddef.h>
#include <stdint.h>

#include "tsv.h"

/* Greater numbers of CPUs, and cells that are not a number, share this one. */
#define SPREAD_MOST_CPUS 65536

/* Return the number of the CPU in CELL. */
uint32_t spread_cpu(const struct tsv_cell *cell);

/*
 * Sort N samples of several CPUs, each of which is in recorded order, by their rank among the samples of their CPU relative
 * to the number of its samples. record measures CPUs at the same time or one after the other. In the second case a CPU that
 * differs from the others would be one long cluster in recorded order. Something that delays all CPUs at the same time remains
 * a cluster.
 */
void spread_cpus(int64_t *recorded, const uint32_t *cpu, size_t n);

#endif
