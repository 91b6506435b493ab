/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wake-up latency measurement: the rate of a source's own clock against the clock of the stamps.
 */
#ifndef _WAKELAT_RATE_H
#define _WAKELAT_RATE_H

#include <linux/types.h>

/**
 * struct wakelat_reading - one reading of a clock that only a slow read can tell
 * @ns: what the clock said, ns; WAKELAT_ABSENT if it could not be read
 * @from_cyc: the clock of the stamps before the access that latched the clock
 * @to_cyc: the same after it
 *
 * The two enclose the instant at which the clock had the value @ns.
 */
struct wakelat_reading {
	u64 ns;
	u64 from_cyc;
	u64 to_cyc;
};

/**
 * struct wakelat_rate - how a clock runs, by its readings
 * @first_ns: the first reading that counts
 * @first_cyc: when that was
 * @last_ns: the last reading that counts
 * @last_cyc: when that was
 * @previous_ns: the last reading, whether it counts or not
 * @previous_cyc: when that was
 * @first_width_cyc: width of the first one's bracket
 * @last_width_cyc: width of the last one's
 * @previous_width_cyc: width of the previous one's
 * @narrowest_cyc: width of the narrowest bracket so far
 */
struct wakelat_rate {
	u64 first_ns;
	u64 first_cyc;
	u64 last_ns;
	u64 last_cyc;
	u64 previous_ns;
	u64 previous_cyc;
	u64 first_width_cyc;
	u64 last_width_cyc;
	u64 previous_width_cyc;
	u64 narrowest_cyc;
};

void wakelat_rate_start(struct wakelat_rate *rate, const struct wakelat_reading *reading);
bool wakelat_rate_add(struct wakelat_rate *rate, const struct wakelat_reading *reading);
u64 wakelat_rate_to_cyc(const struct wakelat_rate *rate, u64 ns,
			const struct wakelat_reading *reading);
s64 wakelat_rate_ppb(const struct wakelat_rate *rate);
u64 wakelat_rate_error_ppb(const struct wakelat_rate *rate);
u64 wakelat_rate_span_ns(const struct wakelat_rate *rate);

#endif /* _WAKELAT_RATE_H */
