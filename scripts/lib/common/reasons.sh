# SPDX-License-Identifier: GPL-2.0
# reasons.sh - reads reasons.tsv, the list of the reasons why a run ends (run.R.reason in run.tsv).
# shellcheck shell=sh

# The reasons for which a complete run ends.
: "${here?the command}"
reasons_whole=
while read -r reason reason_end _; do
	[ "$reason_end" != whole ] || reasons_whole="$reasons_whole$reason "
done <"$here/lib/common/reasons.tsv"
: "$reasons_whole"

# run_is_whole REASON: succeed if a run that ended for this reason is complete
run_is_whole() {
	case " $reasons_whole " in
	*" $1 "*) ;;
	*) return 1 ;;
	esac
}
