/* SPDX-License-Identifier: GPL-2.0 */
/* Print error messages of one line each: "wakelat dump: what is wrong". */
#ifndef WAKELAT_MESSAGE_H
#define WAKELAT_MESSAGE_H

#include <stddef.h>

/* Set the prefix of all messages to NAME. WAKELAT_PROGRAM in the environment overrides NAME. */
void message_init(const char *name);

/* Send messages to FD instead of stderr (the child of guard.c does). */
void message_to(int fd);

/* Let die() call HOOK just before it exits. */
void message_at_death(void (*hook)(void));

void message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* malloc and friends that die() instead of returning NULL. */
void *xrealloc(void *old, unsigned long nr, unsigned long size);
char *xstrdup(const char *s);
char *xprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Return LIST, which has NR items of SIZE bytes and room for *ROOM of them, with room for at least
 * one more item. The list grows to twice its room, so that adding many items takes linear time.
 */
void *xgrow(void *list, size_t nr, size_t *room, size_t size);

#endif
