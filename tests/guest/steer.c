// SPDX-License-Identifier: GPL-2.0
/*
 * steer - change the system's clock as time daemons do
 *
 *	steer ppm PPM		make the clock faster or slower by PPM, -500 to 500
 *	steer step SECONDS	set the clock forward, or back
 *	steer leap		set the clock to five seconds before midnight, with a leap second to come
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <time.h>

#define DAY_S 86400

static int set(time_t s)
{
	struct timespec ts = { .tv_sec = s };

	return clock_settime(CLOCK_REALTIME, &ts);
}

int main(int argc, char **argv)
{
	struct timex tx = { 0 };
	time_t now = time(NULL);
	int result = -1;

	if (argc == 3 && !strcmp(argv[1], "ppm")) {
		tx.modes = ADJ_FREQUENCY;
		tx.freq = atol(argv[2]) * 65536;
		result = adjtimex(&tx);
	} else if (argc == 3 && !strcmp(argv[1], "step")) {
		result = set(now + atol(argv[2]));
	} else if (argc == 2 && !strcmp(argv[1], "leap")) {
		tx.modes = ADJ_STATUS;
		tx.status = STA_INS;
		result = set(now - now % DAY_S + DAY_S - 5);
		if (result >= 0)
			result = adjtimex(&tx);
	} else {
		fprintf(stderr, "usage: steer ppm PPM | step SECONDS | leap\n");
		return 2;
	}
	if (result < 0) {
		perror("steer");
		return 1;
	}
	return 0;
}
