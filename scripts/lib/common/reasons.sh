# SPDX-License-Identifier: GPL-2.0
# reasons.sh - why a run ends, as run.tsv has it; reasons.tsv is the list.
# shellcheck shell=sh

# Those of an end that was asked for.
: "${here?the command}"
reasons_whole=
while read -r reason reason_end reason_more; do
	[ "$reason_end" != whole ] || reasons_whole="$reasons_whole$reason "
done <"$here/lib/common/reasons.tsv"
: "$reasons_whole" "$reason_more"

# run_is_whole REASON: has it come to the end that was asked for?
run_is_whole() {
	case " $reasons_whole " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}
