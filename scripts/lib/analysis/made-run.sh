# SPDX-License-Identifier: GPL-2.0
# made-run.sh - makes run.tsv for a recording that wakelat record did not make.
# shellcheck shell=sh
#
# Needs message.sh, units.sh, revision.sh, results.sh, $work.

# Variables that other files set:
: "${here?the command}" "${work?analysis.sh}"

newline='
'
settings=

# take_setting KEY=VALUE: adds a line of run.tsv that replaces any other value of the key
take_setting() {
	case $1 in
	*"$newline"* | *"$(printf '\t')"*) bad_usage "--set: a TAB or a new line in '$1'" ;;
	[!=]*=*) ;;
	*) bad_usage "--set: '$1' is not KEY=VALUE" ;;
	esac
	case ${1%%=*} in
	*[!a-z0-9_]*) bad_usage "--set: '${1%%=*}' is not a key: lower-case letters, digits and _" ;;
	esac
	settings=$settings$(printf '%s\t%s' "${1%%=*}" "${1#*=}")$newline
}

# state_lines N NAME[:LATENCY[:RESIDENCY]]: prints the lines of run.tsv for a state; the times are
# in us
state_lines() (
	rest=$2
	name=${rest%%:*}
	printf 'state.%s.name\t%s\n' "$1" "$name"
	for key in latency residency; do
		case $rest in
		*:*) rest=${rest#*:} ;;
		*) exit 0 ;;
		esac
		value=${rest%%:*}
		[ -n "$value" ] || continue
		ns=$(scaled "$value" 3) || bad_usage "--states: '$value' in '$2' is not a time in us"
		printf 'state.%s.%s_ns\t%s\n' "$1" "$key" "$ns"
	done
	case $rest in
	*:*) bad_usage "--states: '$2' has more than NAME:LATENCY:RESIDENCY" ;;
	esac
)

# state_table LIST: prints NAME[:LATENCY[:RESIDENCY]],... as lines of run.tsv. Blanks around a comma
# are ignored.
state_table() (
	[ "$(printf '%s' "$1" | tr -d '\001-\037\177')" = "$1" ] ||
		bad_usage "--states: a TAB, a line break or another control character: names are joined by commas, e.g. C1:2:2,C6:133:600"
	n=0
	seen=,
	IFS=,
	set -f
	for state in $1; do
		state=${state#"${state%%[! ]*}"}
		state=${state%"${state##*[! ]}"}
		name=${state%%:*}
		[ -n "$name" ] || bad_usage "--states: a state without a name in '$1'"
		case $seen in
		*,"$name",*) bad_usage "--states: '$name' occurs twice" ;;
		esac
		seen=$seen$name,
		state_lines "$n" "$state" || exit
		n=$((n + 1))
	done
)

# stated_date TEXT: prints the line of run.tsv for a date that the input states, without a time if TEXT has none. Prints nothing
# for another text: `date` would also take "yesterday".
stated_date() {
	case $1 in
	*[12][0-9][0-9][0-9]*:*) date -u -d "$1" +'date%t%Y-%m-%dT%H:%M:%SZ' 2>/dev/null || : ;;
	*[12][0-9][0-9][0-9]*) date -u -d "$1" +'date%t%Y-%m-%d' 2>/dev/null || : ;;
	esac
}

# made_facts FILE SOURCE: prints the lines of run.tsv that every import from FILE has. The date is unknown, because
# FILE's own is that of a copy. A pipe has no hash, because it has been read.
made_facts() {
	printf '%s\t%s\n' format 1 date - emulated unknown cpu_model - kernel - \
		revision "$(revision "$here")" source "$2" cpus - imported_from "$(basename "$1")" \
		imported_sha256 "$(if [ -f "$1" ]; then sha256sum <"$1" | cut -d ' ' -f 1; else printf '%s' -; fi)"
}

# run_tsv: prints run.tsv from lines key TAB value on stdin. Values of --set come first; the first
# value of a key counts.
run_tsv() {
	{
		printf 'key\tvalue\n%s' "$settings"
		cat
	} | awk -F '\t' '!seen[$1]++'
}

# with_slash FILE: prints the name with / or ./ in front, so that a file called -x is not an option
with_slash() {
	case $1 in
	/* | ./*) printf '%s\n' "$1" ;;
	*) printf './%s\n' "$1" ;;
	esac
}

# publish_run DIR FILE...: creates the directory DIR from these files of the work directory
publish_run() {
	publish_dir=$1
	shift
	mkdir "$work/published" || cannot_write_temporary
	for publish_file; do
		mv "$work/$publish_file" "$work/published/" || cannot_write_temporary
	done
	new_directory "$publish_dir" "$work/published"/*
}
