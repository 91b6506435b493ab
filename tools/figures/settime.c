// SPDX-License-Identifier: GPL-2.0
/*
 * settime.so - the time that a program which is not ours takes for now: LD_PRELOAD=./settime.so SOURCE_DATE_EPOCH=SECONDS
 *
 * cairo writes the time of day into each PDF and has no option for it. Since cairo 1.18 it lies in a compressed part,
 * where it cannot be replaced later.
 */
#include <stdlib.h>
#include <time.h>

time_t time(time_t *result)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = epoch ? strtoll(epoch, NULL, 10) : 0;

	if (result)
		*result = now;
	return now;
}
