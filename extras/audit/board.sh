# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# board.sh - compile one device tree source in a cage: compile_boards runs `board.sh FILE NUMBER`. FILE
# is relative to the top of its tree. Writes the rows to $audit_work/boards/NUMBER.tsv; if the source
# cannot be compiled, one row with the reason.

set -u
me="wakelat audit"
# Variables that other files set:
: "${here?the command}" "${audit_lib?states.sh}" "${audit_work?cage.sh}" "${audit_top?states.sh}" "${audit_prefix?states.sh}" \
	"${audit_sealed?cage.sh}" "${audit_end?states.sh}"
# shellcheck source=scripts/lib/common/message.sh
. "$here/lib/common/message.sh"
# shellcheck source=extras/audit/cage.sh
. "$audit_lib/cage.sh"
# shellcheck source=extras/audit/states.sh
. "$audit_lib/states.sh"

board=$audit_work/boards/$2

# leave REASON: writes the row of a source that is not read
leave() {
	unread_row cpu "$audit_prefix$1" "$2" >"$board.tsv"
	rm -f "$board.i" "$board.dts" "$board.said"
	exit 0
}

# board_inside: succeeds if all files that cpp has read are regular files below the tree. Only needed
# without Landlock. dtc's own includes would escape the check, so they are refused.
board_inside() {
	! grep -qaE '/(include|incbin)/' "$board.i" || return
	board_root=$(cd "$audit_top" && pwd -P)
	awk '/^# [0-9]+ "/ { sub(/^# [0-9]+ "/, ""); sub(/"[ 0-9]*$/, ""); if ($0 !~ /^<.*>$/) print }' "$board.i" | sort -u |
		while IFS= read -r board_file; do
			board_real=$(cd "$audit_top" && realpath -e -- "$board_file" 2>/dev/null) && [ -f "$board_real" ] || exit
			case $board_real in
			"$board_root"/*) ;;
			*) exit 1 ;;
			esac
		done
}

[ "$(date +%s)" -lt "$audit_end" ] || leave "$1" "ten minutes are over"
board_dir=$(dirname -- "$1")
caged "$audit_top" "$audit_cpp" -nostdinc -I include -I "./$board_dir" -I scripts/dtc/include-prefixes -undef -D__DTS__ \
	-x assembler-with-cpp "./$1" </dev/null >"$board.i" 2>"$board.said" ||
	leave "$1" "$(said_in "$board.said" | sed 's|^\./||; s/: fatal error: \(.*\): \(No such file or directory\|Permission denied\)$/: \1: no such file below the tree/')"
[ "$audit_sealed" = yes ] || board_inside || leave "$1" "it includes a file that is not below the tree"
caged "$audit_top" "$audit_dtc" -q -T -T -I dts -O dts -i "./$board_dir" - <"$board.i" >"$board.dts" 2>"$board.said" ||
	leave "$1" "$(said_in "$board.said" | sed "s/: \(No such file or directory\|Permission denied\)\$/: no such file below the tree/")"
caged_awk "$audit_work/empty" devicetree.awk "origin=$audit_prefix$1" "prefix=$audit_prefix" <"$board.dts" >"$board.rows" 2>"$board.said" ||
	leave "$1" "$(said_in "$board.said")"
mv "$board.rows" "$board.tsv"
rm -f "$board.i" "$board.dts" "$board.said"
