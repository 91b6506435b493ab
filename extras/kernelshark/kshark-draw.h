/* SPDX-License-Identifier: GPL-2.0 */
/* The C++ part of KernelShark's plugin: KernelShark draws in C++. */
#ifndef WAKELAT_PLUGIN_KSHARK_DRAW_H
#define WAKELAT_PLUGIN_KSHARK_DRAW_H

#include <libkshark-plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Draw the bars of CPU. */
void draw_bars(struct kshark_cpp_argv *argv, int stream, int cpu, int action);

/* Add the menu to the window GUI. */
void draw_menu(void *gui);

#ifdef __cplusplus
}
#endif

#endif
