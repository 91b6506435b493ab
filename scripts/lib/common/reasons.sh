# SPDX-License-Identifier: GPL-2.0
# reasons.sh - why a run ends, as run.tsv has it; reasons.tsv is the list.
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154  # for the caller's awk as well; $here: from the caller

# Those of an end that was asked for.
reasons_whole=$(awk -F '\t' '$2 == "whole" { printf "%s ", $1 }' "$here/lib/common/reasons.tsv")

# run_is_whole REASON: has it come to the end that was asked for?
run_is_whole() {
	case " $reasons_whole " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}
