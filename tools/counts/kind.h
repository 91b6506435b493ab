/* SPDX-License-Identifier: GPL-2.0 */
/* The keys of run.tsv that decide which recordings are pooled, and which machines are compared. */
#ifndef WAKELAT_KIND_H
#define WAKELAT_KIND_H

/* Machines of one kind have the same values. */
#define KIND_KEYS \
	"emulated", "cpu_model", "cpu_stepping", "source", "source_clock", "source_settings", \
	"nic_method", "intr_offset_ns", "ldist_mode", "ldist_min_ns", "ldist_max_ns", "prepare", \
	"latency_limit_us", "waker_placement", "systematic_error"

/* Peers have the same values where possible. */
#define PEER_KEYS "microcode", "bios", "kernel", "driver", "governor"

#endif
