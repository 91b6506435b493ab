# SPDX-License-Identifier: GPL-2.0
# made-run.sh - a run.tsv of a recording that wakelat record did not make: what is known of it, and by whom.
# shellcheck shell=sh
# shellcheck disable=SC2154  # $work, $here, from the caller
#
# Needs message.sh, units.sh, revision.sh, $work.

newline='
'
settings=

# take_setting KEY=VALUE: a line of run.tsv, which counts whatever else is known.
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

# state_lines N NAME[:LATENCY[:RESIDENCY]], the times in us
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
)

# state_table LIST: NAME[:LATENCY[:RESIDENCY]],... as lines of run.tsv
state_table() (
	n=0
	IFS=,
	set -f
	for state in $1; do
		state_lines "$n" "$state" || exit
		n=$((n + 1))
	done
)

# The date of the file: when it was converted says nothing.
file_date() {
	case ${SOURCE_DATE_EPOCH-} in
	'' | *[!0-9]*) date -u -r "$1" +%Y-%m-%dT%H:%M:%SZ ;;
	*) date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ ;;
	esac
}

# made_facts FILE SOURCE: what is known of anything that was made from FILE, as lines of run.tsv
made_facts() {
	printf '%s\t%s\n' format 1 date "$(file_date "$1")" emulated unknown cpu_model - kernel - \
		revision "$(revision "$here")" source "$2" cpus - imported_from "$(basename "$1")" \
		imported_sha256 "$(sha256sum <"$1" | cut -d ' ' -f 1)"
}

# run_tsv: from lines key TAB value on stdin, of which the first of a key counts; what --set says is before them.
run_tsv() {
	{
		printf 'key\tvalue\n%s' "$settings"
		cat
	} | awk -F '\t' '!seen[$1]++'
}

# with_slash FILE: with a slash in front, a file called -x is no option.
with_slash() {
	case $1 in
	/* | ./*) printf '%s\n' "$1" ;;
	*) printf './%s\n' "$1" ;;
	esac
}

# publish_run DIR FILE...: these, from the work directory, become the directory DIR.
publish_run() {
	publish_dir=$1
	shift
	# That of another process is not ours to take away.
	mkdir "$publish_dir.partial" 2>/dev/null || die "${publish_dir#./}.partial: cannot be made, or another process is at it"
	partial=$publish_dir.partial
	for publish_file; do
		cp "$work/$publish_file" "$partial" 2>/dev/null || die "${partial#./}/$publish_file: cannot be written"
	done
	finish "$publish_dir"
}
