/* SPDX-License-Identifier: GPL-2.0 */
/* The live view of `wakelat probe` and `wakelat top`: one histogram per state, refreshed in place on a terminal. */
#ifndef WAKELAT_LIVE_H
#define WAKELAT_LIVE_H

#include <stdbool.h>

#include "probe.h"

/*
 * Set up the view. FD: the terminal. PLAIN: write plain text, 80 columns wide; FD need not be a
 * terminal. NOTE: the first line, or NULL. HISTS: of all states.
 */
void live_begin(int fd, bool plain, const char *note, const struct probe_hist *hists);

/* Add RECORD to the view, which shows the longest recent one. */
void live_record(const struct probe_record *record);

/* Show this text below the states. */
void live_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Draw the view. HEAD: what is measured, and the progress. */
void live_draw(const char *head);
void live_end(void);

#endif
