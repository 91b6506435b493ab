# SPDX-License-Identifier: GPL-2.0
# points.sh - the points of a sweep: a directory with one recording for each value of a knob, and a table.
# shellcheck shell=sh
#
#	DIR/setup.tsv		what all points have in common; a directory with other contents is not touched
#	DIR/KNOB-VALUEUNIT/	a recording of wakelat record, and point.tsv once it is whole
#	DIR/sweep.tsv		a row for each point
#
# $record_options are more options of wakelat record, words; the command may set $percentile.
#
# Needs experiment.sh, knobs.sh, readings.sh, and message.sh, sysfs.sh, runtsv.sh, revision.sh, cpuidle.sh.

# Read here, set there:
: "${here?the command}" "${quiet?message.sh}" "${cpu_sysfs?cpuidle.sh}" "${journal_tab?journal.sh}" \
	"${work_dir?journal.sh}" "${distrust?trust.sh}" "${tools?analysis.sh}" "${cpu_name?runtsv.sh}"

percentile=99.99
# See points_open, all_points.
points=
rows=
point_number=0
: "$point_number"

# points_need: what has to be known when a point is measured
points_need() {
	: "${knob?the command}" "${cpu?the command}" "${samples?the command}" "${record_options?the command}"
}

# point_name VALUE
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
	read_cpu_name "$cpu"
	printf 'cpu_model\t%s\n' "$cpu_name"
	printf 'driver\t%s\n' "$(read_value "$cpu_sysfs/cpuidle/current_driver")"
	printf 'governor\t%s\n' "$(read_value "$cpu_sysfs/cpuidle/current_governor" ||
		read_value "$cpu_sysfs/cpuidle/current_governor_ro")"
	printf 'states\t%s\n' "$(states_enabled "$cpu")"
}

# points_open DIR: sets $points, the directory, new or one of the same sweep
points_open() {
	points_need
	points=$1
	points_parent=$(dirname "$points")
	must_trust place "$points_parent" "choose a directory of your own with -o"
	if [ ! -e "$points" ]; then
		mkdir "$points" 2>/dev/null || die "cannot create ${points#./}: does its parent directory exist, and may you write there?"
	fi
	[ -d "$points" ] || die "$points exists and is not a directory"
	must_trust directory "$points" "its recordings and tables would be used; choose another with -o"
	points=$(cd "$points" && pwd -P) || die "$points cannot be entered"
	rows=$work_dir/rows-${points##*/}
	mkdir -p "$rows" || die "cannot create $rows"
	setup_lines >"$work_dir/setup"
	if [ -e "$points/setup.tsv" ]; then
		check_points
		differs=$(awk -F '\t' 'FNR == NR { old[$1] = $2; next } old[$1] != $2 { print $1; exit }' \
			"$points/setup.tsv" "$work_dir/setup")
		[ -z "$differs" ] ||
			die "$points is of a sweep with another $differs ($(tsv_value "$points/setup.tsv" "$differs")): give another directory with -o"
		return
	fi
	[ -z "$(ls -A "$points")" ] || die "$points exists and is not of a sweep: give another directory with -o"
	publish_in "$work_dir/setup" "$points/setup.tsv"
}

# check_points: what is there is used as what this command has written: it has to be that.
check_points() {
	set -- "$points/setup.tsv"
	for check_file in "$points/sweep.tsv" "$points"/*/*.tsv "$points"/*/trace*.dat; do
		[ ! -e "$check_file" ] && [ ! -L "$check_file" ] || set -- "$@" "$check_file"
	done
	for check_file in "$points"/*/; do
		[ ! -d "$check_file" ] || must_trust directory "${check_file%/}" "its recordings and tables would be used; choose another with -o"
	done
	trusted_files "$@" || die "not trusted: $distrust: look at it, and remove it"
	for check_file; do
		case $check_file in
		*.tsv) "$tools/bounds" "$check_file" || exit ;;
		esac
	done
}

# is_point VALUE: is it a value that the knob can have? It names directories, and is calculated with.
is_point() {
	case $knob:$1 in
	qos:none | qos-cpu:none | sibling:on | sibling:off | neighbour:on | neighbour:off) ;;
	qos:* | qos-cpu:* | interval:* | frequency:*) is_number "$1" && [ "$1" = "$(without_zeros "$1")" ] ;;
	*) return 1 ;;
	esac
}

# check_point NAME: does the point.tsv in this directory say what its name says?
check_point() {
	point_value=$(tsv_value "$points/$1/point.tsv" value)
	[ "$(tsv_value "$points/$1/point.tsv" knob)" = "$knob" ] && is_point "$point_value" &&
		[ "$(point_name "$point_value")" = "$1" ] ||
		die "$points/$1/point.tsv: not a point of this sweep: its value is '$point_value': remove $points/$1"
}

# publish_in FROM TO: whole or not at all
publish_in() {
	put_file "$1" "$2" || die "$2 cannot be written: is the disk full?"
}

# tsv_value FILE KEY: of a file with columns key and value
tsv_value() {
	awk -F '\t' -v key="$2" '$1 == key { print $2; exit }' "$1"
}

# point_is_there VALUE
point_is_there() {
	[ -e "$points/$(point_name "$1")/point.tsv" ]
}

# record_arguments VALUE: options of wakelat record, one line. An interval is not quite constant, or events
# could keep step with the tick and be spoilt by it for ever. One that the CPU does not idle for at all has
# to end some time: four times what it should take, and 10 s.
record_arguments() (
	arguments="-n $samples $record_options"
	if [ "$knob" = interval ]; then
		interval_us=$(($1 / 1000))
		arguments="$arguments --ldist $(($1 - $1 / 20))ns:$1ns -T $((interval_us * samples / 250000 + 10))s"
	fi
	printf '%s\n' "$arguments"
)

# point_record VALUE TEXT: the recording, and the readings around it. A point that is not whole is begun anew.
point_record() {
	is_point "$1" || die "'$1' is not a value of $knob"
	point_dir=$points/$(point_name "$1")
	rm -rf "$point_dir"
	knob_apply "$1"
	readings_begin
	point_told=$2
	point_value=$1
	set -- -q -o "$point_dir" --cpu "$cpu"
	# Words, and no patterns.
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
	} >"$work_dir/point" || die "$work_dir/point cannot be written"
}

# point VALUE TEXT: records it unless it is there, and makes its row.
point() {
	point_dir=$points/$(point_name "$1")
	if ! point_is_there "$1"; then
		point_record "$1" "$2"
		publish_in "$work_dir/point" "$point_dir/point.tsv"
	fi
	row "$(point_name "$1")"
	write_table
}

# statistics NAME: two tables for its row
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

# row NAME: in $rows, of the point in that directory
row() {
	[ ! -e "$rows/$1" ] || return 0
	check_point "$1"
	statistics "$1"
	awk -F '\t' -v directory="$1" -v percentile="$percentile" -f "$here/lib/experiment/point-row.awk" "$points/$1/point.tsv" \
		"$points/$1/run.tsv" "$work_dir/by-source,state" "$work_dir/by-source" >"$work_dir/row" || exit
	mv "$work_dir/row" "$rows/$1"
}

# write_table: sweep.tsv, of all points that there are, also those of an earlier call
write_table() {
	for point_file in "$points"/*/point.tsv; do
		[ -e "$point_file" ] || continue
		name=${point_file%/point.tsv}
		row "${name##*/}"
	done
	# A value that is no number ("none", "on") comes last, "off" first.
	awk -F '\t' -v OFS='\t' 'FNR == 1 && NR > 1 { next }
		FNR == 1 { print "0", $0; next }
		{ print ($2 == "off" ? 1 : $2 ~ /^[0-9]+$/ ? 2 : 3), $0 }' "$rows"/* |
		sort -t "$journal_tab" -k 1,1n -k 3,3n | cut -f 2- >"$work_dir/table" || die "$work_dir/table cannot be written"
	publish_in "$work_dir/table" "$points/sweep.tsv"
}

# say_begin TEXT: what is being measured, where the line can be rewritten
say_begin() {
	log "$1"
	[ "$quiet" = yes ] || [ ! -t 2 ] || progress "$1"
}

# point_text VALUE: what it has found
point_text() {
	awk -F '\t' -f "$here/lib/common/us.awk" -f "$here/lib/experiment/point-line.awk" "$rows/$(point_name "$1")"
}

# all_points NUMBER VALUES: those that are not there; NUMBER is how many there are in all
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

# draw_points DIR: its figure, where it can be drawn
draw_points() {
	command -v gnuplot >/dev/null || return 0
	run_child "the figure" "$here/commands/plot" -q "$1" || warn "no figure: $(child_message)"
}

# run_note DIR: how a title says what the numbers come from, by any of its points
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

# print_points DIR [BUDGET_NS]: its table for people, and for what it means nothing
print_points() {
	awk -F '\t' -v budget="${2-}" -f "$here/lib/common/us.awk" -f "$here/lib/experiment/sweep-table.awk" "$1/sweep.tsv"
	points_limits "$1"
}

# points_limits DIR: for what its points mean nothing. All are of one machine, CPU and source.
points_limits() {
	for points_run in "$1"/*/run.tsv; do
		awk -F '\t' -f "$here/lib/analysis/limits.awk" "$points_run" "$1/sweep.tsv"
		return
	done
}
