#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The series as a reviewer would want it (scripts/dev/lint).
# needs: lint
. "$(dirname "$0")/../lib/tap.sh"
plan 1

ok "lint has nothing to say about the patches" "$top/scripts/dev/lint"
