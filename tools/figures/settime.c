// SPDX-License-Identifier: GPL-2.0
/*
 * settime.so - set the time that another program reads as now: LD_PRELOAD=./settime.so SOURCE_DATE_EPOCH=SECONDS
 *
 * cairo writes the current time to each PDF, and no option changes that. Since cairo 1.18 the time is in a compressed
 * part of the file, where it cannot be replaced later.
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
