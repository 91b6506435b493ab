/* SPDX-License-Identifier: GPL-2.0 */
/* Limit what the code of a stranger's governor can do in this process. */
#ifndef REPLAY_SEAL_H
#define REPLAY_SEAL_H

/*
 * From here on this process can open only the files below the directory of FILE, for reading. It cannot execute a program,
 * has no network, and only root can fork. Open descriptors stay as they are. die() if the governor crashes or does not end.
 */
void seal(const char *file);

#endif
