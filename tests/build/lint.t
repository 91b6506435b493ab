#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The series as a reviewer would want it (scripts/dev/lint), and for other architectures. The other kernels, compilers and
# configurations take longer: make lint.
# needs: lint
. "$(dirname "$0")/../lib/tap.sh"
plan 2

ok "lint has nothing to say about the patches" "$top/scripts/dev/lint"
ok "nor about its objects for arm64 and riscv, built in and as modules" \
	"$top/scripts/dev/lint-objects" --kernel first arm64 riscv arm64-modules riscv-modules
