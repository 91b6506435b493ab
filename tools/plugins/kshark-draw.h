/* SPDX-License-Identifier: GPL-2.0 */
/* What of the plugin of KernelShark is C++, as KernelShark's drawing is. */
#ifndef WAKELAT_PLUGIN_KSHARK_DRAW_H
#define WAKELAT_PLUGIN_KSHARK_DRAW_H

#include <libkshark-plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bars of CPU. */
void draw_bars(struct kshark_cpp_argv *argv, int stream, int cpu, int action);

/* The menu, in the window GUI. */
void draw_menu(void *gui);

#ifdef __cplusplus
}
#endif

#endif
