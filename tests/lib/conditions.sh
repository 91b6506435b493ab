# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# conditions.sh - boot the testbed under different conditions, two machines at a time, and write a row of
# out/check/conditions.tsv for each condition, source and state (out/check/conditions-KERNEL.tsv if $KERNEL names a kernel).
#
#	condition source state n median_ns min_ns max_ns tainted refused slipped
#
# n: untainted samples; median_ns, min_ns, max_ns: their errors; slipped: how many err by more than the bound of their source
# (tools/truth); refused: why the source could not be used, or "-".
#
# A test of a machine other than the virtual Xeon sets guest_compiler, conditions_of (a part of the table's name) and
# least_conditions before it sources this file.
#
# BOOTS=ERE selects the machines whose names match. OTHER_BOOTS=ERE selects those whose names do not match, and adds their
# rows to the table. THOUSANDS=N takes N thousand samples for each source and state instead of one.

: "${top:?}" "${tmp:?}"

enough=$((1000 * ${THOUSANDS:=1}))
boots=
mkdir "$tmp/boots"
printf '%s %s\n' "$((1020 * THOUSANDS))" "$THOUSANDS" >"$tmp/samples"
"${guest_compiler:=gcc}" -O2 -Wall -Wextra -static -o "$tmp/steer" "$top/tests/guest/steer.c" || bail "no compiler"
printf 'condition\tsource\tstate\tn\tmedian_ns\tmin_ns\tmax_ns\ttainted\trefused\tslipped\n' >"$tmp/conditions.tsv"

# kernel FLAVOUR: use this flavour for the boots that follow, of the kernel version $KERNEL if it is set
kernel() {
	# Debian's configuration and other versions are used by make conditions only. A test that uses another flavour
	# declares it.
	[ "$1" = debian ] || [ -n "${KERNEL:-}" ] || declared "kernel:$1"
	flavour=$1${KERNEL:+@$KERNEL}
	bzimage=
}

# without: print the CPU features that the default model removes, so that a test can add to them in --set without=
without() {
	sed -n 's/^without = //p' "$top/testbed/models/skylake-sp.model"
}

# wanted NAME: succeed if BOOTS and OTHER_BOOTS select the machine
wanted() {
	printf '%s\n' "$1" | grep -xE "${BOOTS:-.*}" | grep -qvxE "${OTHER_BOOTS:-}"
}

# symbol NAME: print the symbol's address in the kernel
symbol() {
	symbol_image=$("$top/scripts/dev/build-kernel" --flavour "$flavour") || bail "no kernel $flavour"
	nm "${symbol_image%/*}/vmlinux" | sed -n "s/ [A-Za-z] $1\$//p"
}

# boot NAME [TESTBED-OPTION...]: add a machine to the list; stdin is its job (see guest/conditions.sh)
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
		--add "$tmp/samples=/samples" --add "$top/tests/guest/conditions.sh=/conditions.sh" >"$tmp/boots/$boot_name.options"
}

# one_boot NAME: run the machine and write its exit status to NAME.status
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

# Run two machines at a time, one of them in the background.
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

# row CELL...: append a row to conditions.tsv
row() {
	printf '%s' "$1"
	shift
	printf '\t%s' "$@"
	printf '\n'
} >>"$tmp/conditions.tsv"

# judge_recording DIR CONDITION SOURCE STATES KIND [BOUND]: compare the recording with the truth log, and add its rows
judge_recording() {
	judge_name="$2, $3"
	reason=
	[ ! -s "$1.refused" ] || reason=$(sed 's/^wakelat [a-z]*: //; s/	/ /g' "$1.refused")
	if [ -n "$reason" ] && [ ! -e "$1/trace.dat" ]; then
		row "$2" "$3" "$4" 0 - - - 0 "$reason" 0
		is "$5" refuses "$judge_name: record refuses it ($reason)"
		return
	fi
	# The truth log is linked after dump, because it may be longer than dump accepts for a table.
	"$top/scripts/wakelat" dump "$1" >"$1/dump.log" 2>&1 && ln -f "${1%/*}"/truth*.tsv "$1/" || {
		row "$2" "$3" "$4" 0 - - - - - -
		ok "$judge_name: its samples can be read: $(cat "$1/dump.log")" false
		return
	}
	"$top/tools/bin/truth" ${6:+--bound "$3=$6"} "$1" >"$1/errors.tsv" 2>"$1/errors.log"
	judge_status=$?
	awk -F '\t' -v OFS='\t' -v condition="$2" -v refused="${reason:--}" '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
	# A state may have only tainted samples: they left it on another code path, or the recording was cut short.
	# Source passive: wake-ups by another CPU have rows of their own, "passive:flag" and "passive:ipi".
	{
		source = $column["source"]
		if ($column["event"] == "flag" || $column["event"] == "ipi")
			source = source ":" $column["event"]
		print condition, source, $column["state"], $column["n"], $column["median_ns"],
			$column["min_ns"], $column["max_ns"], $column["tainted"], refused, $column["slipped"]
	}' "$1/errors.tsv" >"$1/rows.tsv"
	cat "$1/rows.tsv" >>"$tmp/conditions.tsv"
	[ -s "$1/rows.tsv" ] || row "$2" "$3" "$4" 0 - - - 0 "${reason:--}" 0
	if [ "$5" = refuses ]; then
		ok "$judge_name: it is refused" false
		return
	fi
	is "$reason" "" "$judge_name: record does not refuse it"
	is "$judge_status" 0 "$judge_name: untainted samples are right, and each has its idle period and state"
	ok "$judge_name: enough samples" awk -F '\t' -v enough="$enough" -v states="$(printf '%s\n' "$4" | tr ',' '\n' | wc -l)" '
		{ all[$3] += $4 } END { for (i in all) n += all[i] >= enough; print n + 0 " of " states; exit n < states }' "$1/rows.tsv"
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
	is "$(awk -F '\t' 'NR > 1 { n += $10 } END { print n + 0 }' "$tmp/conditions.tsv")" 0 "no untainted sample errs by more than its source's bound"
}
