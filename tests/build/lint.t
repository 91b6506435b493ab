#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# scripts/dev/lint finds no fault in the series, and lint-objects none in its objects for arm64 and riscv. `make lint` also
# checks other kernels, compilers and configurations, and takes longer.
# needs: lint
. "$(dirname "$0")/../lib/tap.sh"
plan 2

ok "lint finds no fault in the patches" "$top/scripts/dev/lint"
ok "lint-objects finds no fault in the objects for arm64 and riscv, built in and as modules" \
	"$top/scripts/dev/lint-objects" --kernel first arm64 riscv arm64-modules riscv-modules
