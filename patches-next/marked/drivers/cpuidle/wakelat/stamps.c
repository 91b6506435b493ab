// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement: the stamps around the idle state's ->enter().
 */

#include <linux/percpu.h>
#include <linux/wakelat.h>

DEFINE_STATIC_KEY_FALSE(wakelat_key);
DEFINE_PER_CPU(struct wakelat_stamps, wakelat_stamps);
