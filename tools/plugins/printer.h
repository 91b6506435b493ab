/* SPDX-License-Identifier: GPL-2.0 */
/* Let libtraceevent print wakelat_sample by describe(). */
#ifndef WAKELAT_PLUGIN_PRINTER_H
#define WAKELAT_PLUGIN_PRINTER_H

#include <traceevent/event-parse.h>

struct printer;

/* Begin. RECORDING: the recording of TEP, or NULL for all that this process has open. Return NULL if there is no memory. */
struct printer *printer_begin(struct tep_handle *tep, const char *recording);
void printer_end(struct printer *printer, struct tep_handle *tep);

#endif
