# SPDX-License-Identifier: GPL-2.0
# results.sh - what make makes of the recordings besides tables: how each came about, and the figures.
# shellcheck shell=sh
#
# Needs scripts/dev/common.sh, and sha256_of, value and combinations of make.

# Variables that other files set:
: "${top?make}" "${work?make}" "${results?make}" "${wanted?make}"

# How each recording came about: with the same, the same samples come out to the last byte.
provenance() {
	printf 'key\tvalue\n'
	for name in $wanted; do
		printf '%s.model\tthesis-%s\n' "$name" "${name%%-*}"
		printf '%s.seed\t%s\n' "$name" "$(combinations | grep -nxF "$name" | cut -d : -f 1)"
		for key in qemu_sha256 kernel_sha256; do
			printf '%s.%s\t%s\n' "$name" "$key" "$(value "$work/$name/made-with.tsv" "$key")"
		done
		for key in emulated cpu_model revision kernel cmdline trace_cmd driver governor source nic_method intr_offset_ns \
			ldist_mode ldist_min_ns ldist_max_ns sweep_factor_permille sweep_step_samples counters run.1.reason \
			run.1.cpu0.armed run.1.cpu0.samples run.1.cpu0.tainted lost_overrun lost_dropped; do
			printf '%s.%s\t%s\n' "$name" "$key" "$(value "$work/$name/run.tsv" "$key")"
		done
		printf '%s.samples_sha256\t%s\n' "$name" "$(sha256_of "$work/$name/samples.tsv")"
	done
}

# figure NAME FILE PLOT-ARGUMENT...: draws FILE with wakelat plot, and calls it NAME.
figure() {
	figure_name=$1
	figure_file=$2
	shift 2
	logged "drawing $figure_name" "$work/plot.log" \
		"$top/scripts/wakelat" plot -q -f "$figure_file" -o "$work/figures" "$@" || exit 1
	for drawn in "$work/figures/$figure_file".*; do
		mv "$drawn" "$results/figures/$figure_name.${drawn##*.}" || die "cannot write to $results"
	done
	rm -r "$work/figures"
}

# recorded NAME...: are they all among what was recorded?
recorded() {
	for name; do
		[ -d "$work/$name" ] || return
	done
}

# The thesis's appendix 5 has a part for each state, and in it a figure for each CPU.
appendix_part() {
	case $1 in
	C6) printf '5.1\n' ;;
	C3) printf '5.2\n' ;;
	C1E) printf '5.3\n' ;;
	C1) printf '5.4\n' ;;
	esac
}
