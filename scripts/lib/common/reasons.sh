# SPDX-License-Identifier: GPL-2.0
# reasons.sh - why a run ends, as run.tsv has it: the one list of what is an end that was asked for.
# shellcheck shell=sh

reasons_whole='samples sweep duration steady'
: "$reasons_whole"

# run_is_whole REASON: has it come to the end that was asked for?
run_is_whole() {
	case " $reasons_whole " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}
