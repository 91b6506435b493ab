/* SPDX-License-Identifier: GPL-2.0 */
/* Has libtraceevent print wakelat_sample by describe(). */
#ifndef WAKELAT_PLUGIN_PRINTER_H
#define WAKELAT_PLUGIN_PRINTER_H

#include <traceevent/event-parse.h>

struct printer;

/* RECORDING: which one TEP is of, or NULL: whatever this process has open. NULL if there is no memory for it. */
struct printer *printer_begin(struct tep_handle *tep, const char *recording);
void printer_end(struct printer *printer, struct tep_handle *tep);

#endif
