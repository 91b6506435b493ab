/* SPDX-License-Identifier: GPL-2.0 */
/* Let libtraceevent print wakelat_sample by describe(). */
#ifndef WAKELAT_PLUGIN_PRINTER_H
#define WAKELAT_PLUGIN_PRINTER_H

#include <traceevent/event-parse.h>

struct printer;

/*
 * Print the samples of TEP by describe() from now on. RECORDING is the file of TEP, for the names of its states. NULL: use
 * the states of all recordings that this process has open. Return NULL if there is no memory.
 */
struct printer *printer_begin(struct tep_handle *tep, const char *recording);
void printer_end(struct printer *printer, struct tep_handle *tep);

#endif
