/* SPDX-License-Identifier: GPL-2.0 */
/* A meter of energy that wakelat residency can read. */
#ifndef WAKELAT_METER_H
#define WAKELAT_METER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Open the meter NAME or die: "uj:FILE,FILE..." (energy so far in uJ, a powercap zone or hwmon's energy_input), "perf:EVENT"
 * (of the PMU `power`), "uw:FILE" (power now, hwmon's power_input), "run:COMMAND" (prints the energy so far in J).
 */
void meter_open(const char *name);

/* Energy so far in J. A counter that begins again at 0 goes on. */
double meter_read(void);

/* Does the meter show power, so that meter_read() must be called every few ms? */
bool meter_is_power(void);

/*
 * Read until the meter's value changes; return the new one and set *NS to the time. If it does not change within LIMIT_NS (a
 * command: never), return what it shows then.
 */
double meter_edge(int64_t limit_ns, int64_t *ns);

int64_t now_ns(void);

#endif
