# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# examples.sh - make what the examples of the manual page read (tests/long/examples.t).

. "${top:?}/extras/fleet/tests/lib/fleet.sh"
# A fleet of 44 machines, 4 of them odd.
mkdir counts
build_mkfleet "${tmp:?}/mkfleet" && ./mkfleet -n 400 -w 1 -m 40 -p 4 counts >/dev/null || bail "no fleet"
