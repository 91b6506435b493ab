/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unpack trace.dat files of version 7 that are compressed with zstd. libtracecmd reads them, too, but before version 1.5 (of
 * trace-cmd 3.3) it keeps all chunks that it has unpacked in a list, and searches the list for each page. So its time grows with
 * the square of the number of samples. LIBRARY_KEEPS_CHUNKS is 1 if the library is one of these.
 */
#ifndef WAKELAT_UNPACK_H
#define WAKELAT_UNPACK_H

/*
 * Return a descriptor of an unnamed temporary file in TMPDIR with the recording NAME without compression. Return -1 if NAME is
 * not compressed with zstd. die() if NAME is damaged, or if the temporary file cannot be written.
 */
int unpack(const char *name);

#endif
