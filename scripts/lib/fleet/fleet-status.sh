# SPDX-License-Identifier: GPL-2.0
# fleet-status.sh - fleet status: which machines gave, failed, wait, and why. From the directory, and Slurm for those that are silent.
# shellcheck shell=sh
#
# Needs message.sh, trust.sh, analysis.sh, json.sh, slurm.sh.

# Read here, set there:
: "${here?the command}" "${slurm_tab?slurm.sh}" "${distrust?trust.sh}" "${status_tsv?fleet-options.sh}" "${work?analysis.sh}" \
	"${status_incomplete?analysis.sh}"

# is_fleet DIR: was it made for many machines?
is_fleet() {
	[ -f "$1/fleet.tsv" ] && [ -f "$1/nodes.tsv" ] && [ -d "$1/nodes" ]
}

# take_fleet DIR: sets $fleet_dir
take_fleet() {
	[ -n "$1" ] || bad_usage "which directory?"
	[ -d "$1" ] || die "$1: no such directory"
	fleet_dir=$(cd "$1" && pwd -P) || die "$1: cannot be entered"
	must_trust directory "$fleet_dir" "run this as its owner"
	is_fleet "$fleet_dir" ||
		die "$1: not the directory of a fleet: wakelat fleet submit, or the playbook, makes one"
}

# fleet_fact KEY: of fleet.tsv
fleet_fact() {
	sed -n "s/^$1$slurm_tab//p" "$fleet_dir/fleet.tsv" | tail -n 1
}

# states_read NODE-DIRECTORY...: each machine's own word: its name, then its lines
states_read() {
	for states_node; do
		set -- "$@" "$states_node/state.tsv"
		shift
	done
	awk -F '\t' -v OFS='\t' '
		FNR == 1 { node = FILENAME; sub(/\/state[.]tsv$/, "", node); sub(/.*\//, "", node); next }
		NF >= 2 { print node, $1, $2 }' "$@" | shown
}

# states_all NODE-DIRECTORY...: of those that are as they should be, all at once; fails, and prints nothing, if one is not
states_all() {
	for states_node; do
		set -- "$@" "$states_node/state.tsv" "$states_node/counts"
		[ -e "$states_node/counts" ] || return
	done
	shift $(($# / 3))
	trusted_files "$@" && [ -z "$(find "$@" -maxdepth 0 -name state.tsv -size +128)" ]
}

# states_one NODE-DIRECTORY: a link or a pipe is nobody's word
states_one() {
	states_node=$1
	if ! trusted_files "$1/state.tsv"; then
		printf '%s\tstate\tfailed\n%s\treason\tnot trusted: %s\n' "${1##*/}" "${1##*/}" "$distrust"
		return
	elif [ -n "$(find "$1/state.tsv" -size +128)" ]; then
		return
	fi
	states_read "$1"
	if [ ! -e "$1/counts" ]; then
		printf '%s\tno counts\tits counts are gone\n' "${1##*/}"
	elif ! trusted_files "$1/counts"; then
		printf '%s\tno counts\tnot trusted: %s\n' "${1##*/}" "$distrust"
	fi
}

# states_of NODE-DIRECTORY...
states_of() {
	if states_all "$@"; then
		states_read "$@"
		return
	fi
	for states_dir; do
		states_one "$states_dir"
	done
}

# machine_states: NODE KEY VALUE, of all machines that have said something. Some at once: processes for each would take minutes of
# ten thousand.
machine_states() {
	set --
	for states_place in "$fleet_dir"/nodes/*/; do
		states_place=${states_place%/}
		[ -e "$states_place/state.tsv" ] || [ -L "$states_place/state.tsv" ] || continue
		set -- "$@" "$states_place"
		[ $# -ge 50 ] || continue
		states_of "$@"
		set --
	done
	[ $# -eq 0 ] || states_of "$@"
}

# machine_rows: NODE STATE REASON for each, by name
machine_rows() {
	rows_work=$(mktemp -d) || die "no temporary directory can be made"
	machine_states >"$rows_work/states"
	: >"$rows_work/queue"
	: >"$rows_work/troubles"
	rows_slurm=-
	if [ "$(fleet_fact by)" = slurm ]; then
		rows_slurm=no
		if command -v squeue >/dev/null && slurm squeue -h -r -t all -o "%A${slurm_tab}%T${slurm_tab}%r" >"$rows_work/all"; then
			rows_slurm=yes
			awk -F '\t' 'FNR == NR { ours[$2]; next } $1 in ours' "$fleet_dir/nodes.tsv" "$rows_work/all" >"$rows_work/queue"
			slurm_troubles >"$rows_work/troubles"
		fi
	fi
	awk -F '\t' -v slurm="$rows_slurm" -f "$here/lib/fleet/status.awk" "$rows_work/states" "$rows_work/queue" \
		"$rows_work/troubles" "$fleet_dir/nodes.tsv" | shown | sort
	rm -rf "$rows_work"
}

# status_answer: of NODE STATE REASON, one row: how many did what
status_answer() {
	awk -F '\t' -v OFS='\t' '
		{ n[$2]++ }
		END {
			print "machines", "gave", "measures", "waits", "refused", "failed"
			print NR, n["gave"] + 0, n["measures"] + 0, n["waits"] + 0, n["refused"] + 0, n["failed"] + 0
		}'
}

# print_status_json: of the rows in $work/rows
print_status_json() {
	printf 'node\tstate\treason\n' | cat - "$work/rows" >"$work/machines.tsv" && status_answer <"$work/rows" >"$work/answer.tsv" ||
		die "$work cannot be written"
	[ "$status_gave" = yes ] || incomplete=yes
	: "$incomplete"
	json_document 'fleet status' '' answer "$work/answer.tsv" machines "$work/machines.tsv"
}

# fleet_show_status DIR: exit status 0 if all gave, 3 otherwise
fleet_show_status() {
	: "${json?fleet}"
	take_fleet "$1"
	[ "$json$status_tsv" != yesyes ] || bad_usage "--json and --tsv: one of them"
	[ "$json" = no ] || need_json
	make_work
	machine_rows >"$work/rows"
	[ -s "$work/rows" ] || die "$1/nodes.tsv: there is no machine in it"
	status_gave=yes
	awk -F '\t' '$2 != "gave" { found = 1 } END { exit found }' "$work/rows" || status_gave=no
	if [ "$json" = yes ]; then
		print_status_json
	elif [ "$status_tsv" = yes ]; then
		printf 'node\tstate\treason\n' && cat "$work/rows"
	else
		awk -F '\t' -f "$here/lib/fleet/status-table.awk" "$work/rows"
	fi || exit 1
	[ "$status_gave" = yes ] || exit "$status_incomplete"
}
