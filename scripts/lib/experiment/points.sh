# SPDX-License-Identifier: GPL-2.0
# points.sh - the points of a sweep: a directory with one recording for each value of a knob, and a table.
# shellcheck shell=sh
#
#	DIR/setup.tsv		what all points have in common; a directory with another setup is not changed
#	DIR/KNOB-VALUEUNIT/	a recording of wakelat record, and point.tsv once the recording is complete
#	DIR/sweep.tsv		a row for each point
#
# $record_options has more options of wakelat record, separated by blanks. The command may set $percentile.
#
# Needs experiment.sh, knobs.sh, readings.sh, and message.sh, sysfs.sh, runtsv.sh, revision.sh, cpuidle.sh.

# Variables that other files set:
: "${here?the command}" "${quiet?message.sh}" "${cpu_sysfs?cpuidle.sh}" "${journal_tab?journal.sh}" \
	"${work_dir?journal.sh}" "${distrust?trust.sh}" "${tools?analysis.sh}" "${cpu_name?runtsv.sh}"

percentile=99.99
# See points_open, all_points.
points=
rows=
point_number=0
: "$point_number"

# points_need: check that the variables are set that the functions below read
points_need() {
	: "${knob?the command}" "${cpu?the command}" "${samples?the command}" "${record_options?the command}"
}

# point_name VALUE: print the name of the directory of the point that has this value
point_name() (
	unit=$(knob_unit)
	case $1 in
	*[!0-9]*) unit= ;;
	esac
	printf '%s-%s%s\n' "$knob" "$1" "${unit#-}"
)

setup_lines() {
	printf 'key\tvalue\n'
	printf 'knob\t%s\n' "$knob"
	printf 'cpu\t%s\n' "$cpu"
	printf 'load_cpu\t%s\n' "${load_cpu:--}"
	printf 'samples\t%s\n' "$samples"
	printf 'record_options\t%s\n' "${record_options:--}"
	printf 'hostname\t%s\n' "$(read_value /proc/sys/kernel/hostname)"
	printf 'kernel\t%s\n' "$(uname -r) $(uname -v)"
	read_cpu "$cpu"
	printf 'cpu_model\t%s\n' "$cpu_name"
	printf 'driver\t%s\n' "$(read_value "$cpu_sysfs/cpuidle/current_driver")"
	printf 'governor\t%s\n' "$(read_value "$cpu_sysfs/cpuidle/current_governor" ||
		read_value "$cpu_sysfs/cpuidle/current_governor_ro")"
	printf 'states\t%s\n' "$(states_enabled "$cpu")"
}

# points_open DIR: create or continue DIR, and set $points to its path; die if it is of another sweep
points_open() {
	points_need
	points=$1
	points_parent=$(dirname "$points")
	must_trust place "$points_parent" "choose a directory of your own with -o"
	if [ ! -e "$points" ]; then
		create_directory "$points"
	fi
	[ -d "$points" ] || die "$points exists and is not a directory"
	must_trust directory "$points" "its recordings and tables would be used; choose another with -o"
	points=$(cd "$points" && pwd -P) || die "cannot enter $points"
	rows=$work_dir/rows-${points##*/}
	create_directory -p "$rows"
	setup_lines >"$work_dir/setup"
	if [ -e "$points/setup.tsv" ]; then
		check_points
		differs=$(awk -F '\t' 'FNR == NR { old[$1] = $2; next } old[$1] != $2 { print $1; exit }' \
			"$points/setup.tsv" "$work_dir/setup")
		[ -z "$differs" ] ||
			die "$points belongs to a sweep with another $differs ($(tsv_value "$points/setup.tsv" "$differs")): give another directory with -o"
		return
	fi
	[ -z "$(ls -A "$points")" ] || die "$points exists and is not a directory of a sweep: name another one with -o"
	publish_in "$work_dir/setup" "$points/setup.tsv"
}

# check_points: die if a file in $points is not trusted or not valid, because the files are used as our own.
check_points() {
	set -- "$points/setup.tsv"
	for check_file in "$points/sweep.tsv" "$points"/*/*.tsv "$points"/*/trace*.dat; do
		[ ! -e "$check_file" ] && [ ! -L "$check_file" ] || set -- "$@" "$check_file"
	done
	for check_file in "$points"/*/; do
		[ ! -d "$check_file" ] || must_trust directory "${check_file%/}" "its recordings and tables would be used; choose another with -o"
	done
	trusted_files "$@" || die "not trusted: $distrust: check it, and remove it"
	for check_file; do
		case $check_file in
		*.tsv) "$tools/check-tables" "$check_file" || exit ;;
		esac
	done
}

# is_point VALUE: succeed if the knob can have VALUE. VALUE is a part of paths, and is used in arithmetic.
is_point() {
	case $knob:$1 in
	qos:none | qos-cpu:none | sibling:on | sibling:off | neighbour:on | neighbour:off) ;;
	qos:* | qos-cpu:* | interval:* | frequency:*) is_number "$1" && [ "$1" = "$(without_zeros "$1")" ] ;;
	*) return 1 ;;
	esac
}

# check_point NAME: die if point.tsv in the directory has another knob or value than the name
check_point() {
	point_value=$(tsv_value "$points/$1/point.tsv" value)
	[ "$(tsv_value "$points/$1/point.tsv" knob)" = "$knob" ] && is_point "$point_value" &&
		[ "$(point_name "$point_value")" = "$1" ] ||
		die "$points/$1/point.tsv: not a point of this sweep: its value is '$point_value': remove $points/$1"
}

# publish_in FROM TO: copy FROM to TO, completely or not at all, or die
publish_in() {
	put_file "$1" "$2" || cannot_write "$2"
}

# tsv_value FILE KEY: print the value of KEY in a file with columns key and value
tsv_value() {
	awk -F '\t' -v key="$2" '$1 == key { print $2; exit }' "$1"
}

# point_is_there VALUE
point_is_there() {
	[ -e "$points/$(point_name "$1")/point.tsv" ]
}

# record_arguments VALUE: print the options of wakelat record, in one line. The launch distance
# varies by 5 %, so that events do not keep step with the tick, which would taint all of them. If the
# CPU never idles for the interval, the run ends after four times the expected duration, plus 10 s.
record_arguments() (
	arguments="-n $samples $record_options"
	if [ "$knob" = interval ]; then
		interval_us=$(($1 / 1000))
		arguments="$arguments --ldist $(($1 - $1 / 20))ns:$1ns -T $((interval_us * samples / 250000 + 10))s"
	fi
	printf '%s\n' "$arguments"
)

# point_record VALUE TEXT: make the recording and the readings during it. An incomplete point is removed first.
point_record() {
	is_point "$1" || die "'$1' is not a value of $knob"
	point_dir=$points/$(point_name "$1")
	rm -rf "$point_dir"
	knob_apply "$1"
	readings_begin
	point_told=$2
	point_value=$1
	set -- -q -o "$point_dir" --cpu "$cpu"
	# Split into words, without file name patterns.
	set -f
	for point_option in $(record_arguments "$point_value"); do
		set -- "$@" "$point_option"
	done
	set +f
	run_child "$point_told" "$here/commands/record" "$@"
	point_status=$?
	readings_end
	knob_release
	[ "$point_status" -eq 0 ] || die "$point_told: $(child_message)"
	child_warnings
	{
		printf 'key\tvalue\n'
		printf 'knob\t%s\nvalue\t%s\nunit\t%s\n' "$knob" "$point_value" "$(knob_unit)"
		printf 'load_cpu\t%s\n' "${load_cpu:--}"
		awk -F '\t' -f "$here/lib/experiment/readings.awk" "$work_dir/readings"
	} >"$work_dir/point" || cannot_write "$work_dir/point"
}

# point VALUE TEXT: record the point unless it is there, and add its row to the table.
point() {
	point_dir=$points/$(point_name "$1")
	if ! point_is_there "$1"; then
		point_record "$1" "$2"
		publish_in "$work_dir/point" "$point_dir/point.tsv"
	fi
	row "$(point_name "$1")"
	write_table
}

# statistics NAME: make the two tables of quantiles for the row of the point
statistics() {
	[ -e "$points/$1/samples.tsv" ] || run_child "$1" "$here/commands/dump" "$points/$1" ||
		die "$1: $(child_message)"
	for by in source,state source; do
		"$tools/quantiles" -g "$by" -m intr_latency -p "$(percentile_list)" -t taint "$points/$1/samples.tsv" \
			>"$work_dir/by-$by" || exit
	done
}

percentile_list() {
	list=50,99,99.9,99.99
	case ,$list,max, in
	*,"$percentile",*) ;;
	*) list=$list,$percentile ;;
	esac
	printf '%s\n' "$list"
}

# row NAME: make the row of the point in that directory, in $rows
row() {
	[ ! -e "$rows/$1" ] || return 0
	check_point "$1"
	statistics "$1"
	awk -F '\t' -v directory="$1" -v percentile="$percentile" -f "$here/lib/experiment/point-row.awk" "$points/$1/point.tsv" \
		"$points/$1/run.tsv" "$work_dir/by-source,state" "$work_dir/by-source" >"$work_dir/row" || exit
	mv "$work_dir/row" "$rows/$1"
}

# write_table: write sweep.tsv with all points in the directory, also those of an earlier command
write_table() {
	for point_file in "$points"/*/point.tsv; do
		[ -e "$point_file" ] || continue
		name=${point_file%/point.tsv}
		row "${name##*/}"
	done
	# Sort "off" first, then numbers, then "none" and "on".
	awk -F '\t' -v OFS='\t' 'FNR == 1 && NR > 1 { next }
		FNR == 1 { print "0", $0; next }
		{ print ($2 == "off" ? 1 : $2 ~ /^[0-9]+$/ ? 2 : 3), $0 }' "$rows"/* |
		sort -t "$journal_tab" -k 1,1n -k 3,3n | cut -f 2- >"$work_dir/table" || cannot_write "$work_dir/table"
	publish_in "$work_dir/table" "$points/sweep.tsv"
}

# say_begin TEXT: log what is being measured, and show it on a terminal
say_begin() {
	log "$1"
	[ "$quiet" = yes ] || [ ! -t 2 ] || progress "$1"
}

# point_text VALUE: print the result of the point in one line
point_text() {
	awk -F '\t' -f "$here/lib/common/us.awk" -f "$here/lib/experiment/point-line.awk" "$rows/$(point_name "$1")"
}

# all_points NUMBER VALUES: measure the points that are not there yet. NUMBER is the number of VALUES.
all_points() {
	point_number=0
	measured=0
	began=$(date +%s)
	for value in $2; do
		point_number=$((point_number + 1))
		text="point $point_number of $1, $(knob_text "$value")"
		left=
		if point_is_there "$value"; then
			text="$text (from before)"
		elif [ "$measured" -gt 0 ]; then
			left=", about $((($(date +%s) - began) * ($1 - point_number + 1) / measured)) s left"
			measured=$((measured + 1))
		else
			measured=1
		fi
		say_begin "$text$left"
		point "$value" "$text"
		say "$text: $(point_text "$value")"
	done
}

# draw_points DIR: draw its figure, if gnuplot is installed
draw_points() {
	command -v gnuplot >/dev/null || return 0
	run_child "the figure" "$here/commands/plot" -q "$1" || warn "no figure: $(child_message)"
}

# run_note DIR: print the note for titles about the kind of machine, which is the same for all points.
run_note() {
	for run_file in "$1"/*/run.tsv; do
		case $(tsv_value "$run_file" emulated)-$(tsv_value "$run_file" driver) in
		yes-artificial) printf ' (emulated, artificial states)\n' ;;
		*-artificial) printf ' (artificial states)\n' ;;
		no-*) ;;
		yes-*) printf ' (emulated)\n' ;;
		hypervisor-*) printf " (guest: contains the hypervisor's latency)\n" ;;
		*) printf ' (unknown machine)\n' ;;
		esac
		return
	done
}

# print_points DIR [BUDGET_NS [VALUES]]: print its table, and the uses for which the numbers mean nothing. VALUES,
# separated by commas, exceeded the budget in a second recording or with cyclictest.
print_points() {
	awk -F '\t' -v budget="${2-}" -v refuted="${3-}" -f "$here/lib/common/us.awk" -f "$here/lib/experiment/sweep-table.awk" "$1/sweep.tsv"
	points_limits "$1"
}

# points_limits DIR: print the uses for which the numbers mean nothing. They are the same for all points.
points_limits() {
	for points_run in "$1"/*/run.tsv; do
		"$tools/answer" limits "$points_run" "$1/sweep.tsv"
		return
	done
}
