# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# conditions.sh - boots of the testbed that differ in their conditions, two at a time, and what came of them: a row of
# out/check/conditions.tsv for each condition, source and state; of another kernel ($KERNEL) out/check/conditions-KERNEL.tsv.
#
#	condition source state n median_ns min_ns max_ns tainted refused slipped
#
# n samples without a taint err by median_ns and so on; slipped of them by more than their source's bound (tools/truth).
# refused: why the source could not be used, or "-".
#
# A test of another machine than the virtual Xeon sets guest_compiler, conditions_of (a part of the table's name) and
# least_conditions before it includes this.
#
# BOOTS=ERE tries only the machines whose names match; OTHER_BOOTS=ERE only those whose names do not, and adds their rows to the
# table.

: "${top:?}" "${tmp:?}"

enough=1000
boots=
mkdir "$tmp/boots"
"${guest_compiler:=gcc}" -O2 -Wall -Wextra -static -o "$tmp/steer" "$top/tests/guest/steer.c" || bail "no compiler"
printf 'condition\tsource\tstate\tn\tmedian_ns\tmin_ns\tmax_ns\ttainted\trefused\tslipped\n' >"$tmp/conditions.tsv"

# kernel FLAVOUR: of the boots that follow; of another kernel than the first if $KERNEL names one
kernel() {
	# Debian's configuration and whole other kernels are for make conditions; a test that calls another says what that needs.
	[ "$1" = debian ] || [ -n "${KERNEL:-}" ] || declared "kernel:$1"
	flavour=$1${KERNEL:+@$KERNEL}
	bzimage=
}

# without: what the default model takes from its CPU, to which --set without= adds
without() {
	sed -n 's/^without = //p' "$top/testbed/models/skylake-sp.model"
}

# wanted NAME: is a machine of that name to be tried?
wanted() {
	printf '%s\n' "$1" | grep -xE "${BOOTS:-.*}" | grep -qvxE "${OTHER_BOOTS:-}"
}

# symbol NAME: its address in that kernel
symbol() {
	symbol_image=$("$top/scripts/dev/build-kernel" --flavour "$flavour") || bail "no kernel $flavour"
	nm "${symbol_image%/*}/vmlinux" | sed -n "s/ [A-Za-z] $1\$//p"
}

# boot NAME [TESTBED-OPTION...]: a machine; stdin is the job (see guest/conditions.sh)
boot() {
	boot_name=$1
	shift
	wanted "$boot_name" || return 0
	[ -n "$bzimage" ] || bzimage=$("$top/scripts/dev/build-kernel" --flavour "$flavour") || bail "no kernel $flavour"
	[ ! -e "$tmp/boots/$boot_name.job" ] || bail "two machines are called $boot_name"
	boots="$boots $boot_name"
	{
		printf '#!/bin/sh\n. /conditions.sh\n'
		cat
		printf 'exit 0\n'
	} >"$tmp/boots/$boot_name.job"
	printf '%s\n' --kernel "$bzimage" "$@" --add "$tmp/steer=/steer" \
		--add "$top/tests/guest/conditions.sh=/conditions.sh" >"$tmp/boots/$boot_name.options"
}

# one_boot NAME: its status is in NAME.status
one_boot() {
	set -- "$1"
	while IFS= read -r option; do
		set -- "$@" "$option"
	done <"$tmp/boots/$1.options"
	one_name=$1
	shift
	"$top/testbed/run" "$@" --out "$tmp/boots/$one_name" "$tmp/boots/$one_name.job" >"$tmp/boots/$one_name.log" 2>&1
	printf '%s\n' "$?" >"$tmp/boots/$one_name.status"
}

# Two at a time: each other one in the background.
start_boots() {
	set --
	for boot in $boots; do
		set -- "$@" "$boot"
	done
	while [ $# -gt 0 ]; do
		one_boot "$1" &
		[ $# -lt 2 ] || one_boot "$2"
		wait
		shift
		[ $# -eq 0 ] || shift
	done
}

# row CELL...
row() {
	printf '%s' "$1"
	shift
	printf '\t%s' "$@"
	printf '\n'
} >>"$tmp/conditions.tsv"

# judge_recording DIR CONDITION SOURCE STATES KIND [BOUND]
judge_recording() {
	judge_name="$2, $3"
	reason=
	[ ! -s "$1.refused" ] || reason=$(sed 's/^wakelat [a-z]*: //; s/	/ /g' "$1.refused")
	if [ -n "$reason" ] && [ ! -e "$1/trace.dat" ]; then
		row "$2" "$3" "$4" 0 - - - 0 "$reason" 0
		is "$5" refuses "$judge_name: it is refused ($reason)"
		return
	fi
	# A log of turns may be longer than a table of a recording's.
	"$top/scripts/wakelat" dump "$1" >"$1/dump.log" 2>&1 && ln -f "${1%/*}"/truth*.tsv "$1/" || {
		row "$2" "$3" "$4" 0 - - - - - -
		ok "$judge_name: its samples can be read: $(cat "$1/dump.log")" false
		return
	}
	"$top/tools/bin/truth" ${6:+--bound "$3=$6"} "$1" >"$1/errors.tsv" 2>"$1/errors.log"
	judge_status=$?
	awk -F '\t' -v OFS='\t' -v condition="$2" -v refused="${reason:--}" '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	# A state in which no sample was taken but tainted ones: another way out, or a recording that was cut short.
	{
		print condition, $column["source"], $column["state"], $column["n"], $column["median_ns"],
			$column["min_ns"], $column["max_ns"], $column["tainted"], refused, $column["slipped"]
	}' "$1/errors.tsv" >"$1/rows.tsv"
	cat "$1/rows.tsv" >>"$tmp/conditions.tsv"
	[ -s "$1/rows.tsv" ] || row "$2" "$3" "$4" 0 - - - 0 "${reason:--}" 0
	if [ "$5" = refuses ]; then
		ok "$judge_name: it is refused" false
		return
	fi
	is "$reason" "" "$judge_name: it is not refused"
	is "$judge_status" 0 "$judge_name: no sample without a taint is wrong, each has its idle period and state"
	ok "$judge_name: enough samples" awk -F '\t' -v enough="$enough" -v states="$(printf '%s\n' "$4" | tr ',' '\n' | wc -l)" '
		$4 >= enough { n++ } END { print n " of " states; exit n < states }' "$1/rows.tsv"
}

judge_boots() {
	for boot in $boots; do
		boot_dir=$tmp/boots/$boot
		is "$(cat "$boot_dir.status")" 0 "$boot: the machine ran" || {
			diag "$(tail -n 5 "$boot_dir.log")"
			row "$boot" - - 0 - - - 0 "$(grep -m 1 '^testbed/run: ' "$boot_dir.log")" -
			continue
		}
		while IFS='	' read -r number condition source states kind bound; do
			judge_recording "$boot_dir/$number" "$condition" "$source" "$states" "$kind" "$bound"
		done <"$boot_dir/list"
	done
}

publish_conditions() {
	mkdir -p "$top/out/check"
	table=$top/out/check/conditions${conditions_of:+-$conditions_of}${KERNEL:+-$KERNEL}.tsv
	if [ -n "${OTHER_BOOTS:-}" ] && [ -e "$table" ]; then
		sed 1d "$table" >>"$tmp/conditions.tsv"
	fi
	cp "$tmp/conditions.tsv" "$table.partial" && mv "$table.partial" "$table"
	note "emulated; error = measured - injected, ns:"
	note "$(cat "$tmp/conditions.tsv")"
	[ -n "${BOOTS:-}" ] || ok "at least ${least_conditions:=24} conditions" \
		test "$(sed 1d "$tmp/conditions.tsv" | cut -f 1 | sort -u | wc -l)" -ge "$least_conditions"
	is "$(awk -F '\t' 'NR > 1 { n += $10 } END { print n + 0 }' "$tmp/conditions.tsv")" 0 "no sample has slipped through"
}
