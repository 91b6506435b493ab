// SPDX-License-Identifier: GPL-2.0
/*
 * Wake-up latency measurement: the rate of a source's own clock against the clock of the stamps.
 *
 * Two clocks that are read together twice tell the ratio of their rates, the better
 * the farther apart and the narrower the brackets of the two readings. So the first
 * reading is kept, and the last one, of those whose bracket is about as narrow as
 * any.
 */

#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/wakelat.h>
#include <linux/wakelat_arith.h>

#include "rate.h"

/* A bracket counts if it is wider than the narrowest by this fraction at most. */
#define WIDER_BY		4
/* Clocks whose rates differ by more than 1 / this are not what one can measure with. */
#define RATES_DIFFER_BY		1000
/* The steps in which clocks are told. */
#define STEP_NS			16

/* The distance of @x from 0, which is 2^63 for the most negative number. */
static u64 distance(s64 x)
{
	return x < 0 ? 0 - (u64)x : x;
}

static u64 width_of(const struct wakelat_reading *reading)
{
	return reading->to_cyc - reading->from_cyc;
}

/* The clock is taken to have been latched in the middle of the bracket. */
static u64 middle_of(const struct wakelat_reading *reading)
{
	return reading->from_cyc + width_of(reading) / 2;
}

static u64 to_ns(u64 cyc)
{
	return wakelat_cyc_to_ns(cyc, wakelat_clock_khz());
}

static void set_previous(struct wakelat_rate *rate, const struct wakelat_reading *reading)
{
	rate->previous_ns = reading->ns;
	rate->previous_cyc = middle_of(reading);
	rate->previous_width_cyc = width_of(reading);
}

/**
 * wakelat_rate_start - begin to determine the rate
 * @rate: the rate, nominal for now
 * @reading: the first reading; it had better have a narrow bracket
 */
void wakelat_rate_start(struct wakelat_rate *rate, const struct wakelat_reading *reading)
{
	rate->first_ns = reading->ns;
	rate->first_cyc = middle_of(reading);
	rate->first_width_cyc = width_of(reading);
	rate->last_ns = rate->first_ns;
	rate->last_cyc = rate->first_cyc;
	rate->last_width_cyc = rate->first_width_cyc;
	rate->narrowest_cyc = rate->first_width_cyc;
	set_previous(rate, reading);
}
EXPORT_SYMBOL_GPL(wakelat_rate_start);

/* Has the clock gone as far as that of the stamps since the previous reading? */
static bool goes_on(const struct wakelat_rate *rate, const struct wakelat_reading *reading)
{
	u64 elapsed_ns = to_ns(middle_of(reading) - rate->previous_cyc);
	s64 off_ns = reading->ns - rate->previous_ns - elapsed_ns;
	u64 widths_ns = to_ns(width_of(reading) + rate->previous_width_cyc);

	return distance(off_ns) <= widths_ns / 2 + elapsed_ns / RATES_DIFFER_BY + STEP_NS;
}

/**
 * wakelat_rate_add - take one more reading into account
 * @rate: the rate
 * @reading: the reading, later than all others
 *
 * Return: false if the clock has jumped since the previous reading.
 */
bool wakelat_rate_add(struct wakelat_rate *rate, const struct wakelat_reading *reading)
{
	u64 width_cyc = width_of(reading);
	bool sound = goes_on(rate, reading);

	set_previous(rate, reading);
	if (!sound)
		return false;
	if (width_cyc < rate->narrowest_cyc)
		rate->narrowest_cyc = width_cyc;
	if (width_cyc <= rate->narrowest_cyc + rate->narrowest_cyc / WIDER_BY) {
		rate->last_ns = reading->ns;
		rate->last_cyc = middle_of(reading);
		rate->last_width_cyc = width_cyc;
	}

	return true;
}
EXPORT_SYMBOL_GPL(wakelat_rate_add);

/**
 * wakelat_rate_to_cyc - convert an instant to cycles of the clock of the stamps
 * @rate: the rate of the clock
 * @ns: what the clock says at that instant
 * @reading: a reading of the clock, not far from it
 *
 * Return: the clock of the stamps at that instant.
 */
u64 wakelat_rate_to_cyc(const struct wakelat_rate *rate, u64 ns,
			const struct wakelat_reading *reading)
{
	s64 later_ns = ns - reading->ns;
	u64 span_ns = rate->last_ns - rate->first_ns;
	u64 span_cyc = rate->last_cyc - rate->first_cyc;
	u64 cyc;

	if (!span_ns) {
		span_ns = USEC_PER_SEC;
		span_cyc = wakelat_clock_khz();
	}
	cyc = wakelat_mul_div(distance(later_ns), span_cyc, span_ns);

	return later_ns < 0 ? middle_of(reading) - cyc : middle_of(reading) + cyc;
}
EXPORT_SYMBOL_GPL(wakelat_rate_to_cyc);

/**
 * wakelat_rate_span_ns - how long the rate has been observed
 * @rate: the rate
 *
 * Return: the time between the two readings that it is derived from, ns.
 */
u64 wakelat_rate_span_ns(const struct wakelat_rate *rate)
{
	return to_ns(rate->last_cyc - rate->first_cyc);
}
EXPORT_SYMBOL_GPL(wakelat_rate_span_ns);

/**
 * wakelat_rate_ppb - how much faster the rate is than that of the stamps' clock
 * @rate: the rate
 *
 * The latter's is what the kernel takes it to be.
 *
 * Return: the difference in parts per billion; 0 if there is only one reading.
 */
s64 wakelat_rate_ppb(const struct wakelat_rate *rate)
{
	u64 span_ns = wakelat_rate_span_ns(rate);
	s64 more_ns = rate->last_ns - rate->first_ns - span_ns;
	s64 ppb;

	if (!span_ns)
		return 0;
	ppb = min(wakelat_mul_div(distance(more_ns), NSEC_PER_SEC, span_ns), S64_MAX);

	return more_ns < 0 ? -ppb : ppb;
}
EXPORT_SYMBOL_GPL(wakelat_rate_ppb);

/**
 * wakelat_rate_error_ppb - how far wakelat_rate_ppb() may be off
 * @rate: the rate
 *
 * Return: the largest possible error due to the two brackets, parts per billion;
 * U64_MAX if there is only one reading.
 */
u64 wakelat_rate_error_ppb(const struct wakelat_rate *rate)
{
	u64 span_cyc = rate->last_cyc - rate->first_cyc;

	if (!span_cyc)
		return U64_MAX;

	return wakelat_mul_div(rate->first_width_cyc / 2 + rate->last_width_cyc / 2,
			       NSEC_PER_SEC, span_cyc);
}
EXPORT_SYMBOL_GPL(wakelat_rate_error_ppb);
