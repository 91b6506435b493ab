# SPDX-License-Identifier: GPL-2.0
# fleet-collect.sh - fleet collect: one file of counts of all that is there, and the list of who gave nothing.
# shellcheck shell=sh
#
# Needs message.sh, trust.sh, place.sh, slurm.sh, fleet-status.sh.

# Read here, set there:
: "${here?the command}" "${fleet_dir?fleet-options.sh}" "${slurm_tab?slurm.sh}"

# collect_top: the last merge of the tree, if it got so far; prints its name without -0.merged
collect_top() {
	for top_file in "$fleet_dir"/merge/*-0.merged; do
		[ -L "$top_file" ] || [ -L "${top_file%.merged}.nodes" ] || [ -L "$fleet_dir/merge" ] ||
			[ ! -f "$top_file" ] || [ ! -f "${top_file%.merged}.nodes" ] || printf '%s\n' "${top_file%-0.merged}"
	done | sed 's|.*/||' | sort -n | tail -n 1
}

# collect_inputs: the tree's file, unless it has what is disputed, and the counts of the machines that are not in it
collect_inputs() {
	inputs_top=$(collect_top)
	inputs_list=/dev/null
	if [ -n "$inputs_top" ] && ! cut -f 1 "$collect_work/disputed" | grep -qxFf "$fleet_dir/merge/$inputs_top-0.nodes"; then
		inputs_list=$fleet_dir/merge/$inputs_top-0.nodes
		printf '%s\n' "$fleet_dir/merge/$inputs_top-0.merged"
	fi
	awk -F '\t' 'FILENAME != "-" { there[$1]; next } $2 == "gave" && !($1 in there) { print $1 }' \
		"$inputs_list" "$collect_work/disputed" - <"$1" |
		while IFS= read -r inputs_node; do
			printf '%s/nodes/%s/counts\n' "$fleet_dir" "$inputs_node"
		done
}

# collect_ids: NODE ID HOSTNAME, the recording that each machine says to have given, and whose it says that it is
collect_ids() {
	while IFS=$slurm_tab read -r ids_node ids_state ids_reason; do
		: "$ids_reason"
		[ "$ids_state" = gave ] || continue
		ids_id=$(sed -n "2{s/^recording$slurm_tab//p;}; s/^run${slurm_tab}hostname$slurm_tab/$slurm_tab/p; /^samples$slurm_tab/q" \
			"$fleet_dir/nodes/$ids_node/counts" 2>/dev/null | head -n 2 | tr -d '\n')
		printf '%s\t%s\n' "$ids_node" "$ids_id"
	done
}

# collect_disputed: of lines NODE ID HOSTNAME those that do not count: NODE REASON. A machine is the one that its counts were
# fetched from: who says that he is another is found out by that. Of two that claim one recording, neither counts.
collect_disputed() {
	awk -F '\t' -v OFS='\t' '
		function host(name) { sub(/[.].*/, "", name); return name }
		{ node[NR] = $1; id[$1] = $2; said[$1] = host($3); of[host($1)] = $1 }
		END {
			for (i = 1; i <= NR; i++) {
				n = node[i]
				if (said[n] == "" || said[n] == host(n))
					continue
				if (said[n] in of)
					bad[n] = (id[of[said[n]]] == id[n] ? "its counts are those of " : "its counts say that they are of ") of[said[n]]
				else if (said[n] in claimed)
					bad[n] = bad[claimed[said[n]]] = "its counts say that they are of " said[n] ": those of " claimed[said[n]] " and " n " do"
				else
					claimed[said[n]] = n
			}
			for (i = 1; i <= NR; i++) {
				n = node[i]
				if (n in bad || id[n] == "")
					continue
				if (id[n] in has)
					twice[n] = twice[has[id[n]]] = has[id[n]] " and " n
				else
					has[id[n]] = n
			}
			for (n in twice)
				bad[n] = "its recording is claimed by " twice[n]
			for (i = 1; i <= NR; i++)
				if (node[i] in bad)
					print node[i], bad[node[i]]
		}'
}

# collect_check ROWS COUNTS: the rows again; of a machine whose recording is not in COUNTS, or is another's, that it failed
collect_check() {
	grep "^recording$slurm_tab" "$2" >"$collect_work/there"
	awk -F '\t' -v OFS='\t' '
		FILENAME == ARGV[1] { there[$2]; next }
		FILENAME == ARGV[2] { id[$1] = $2; next }
		FILENAME == ARGV[3] { bad[$1] = $2; next }
		$2 != "gave" { print; next }
		$1 in bad { print $1, "failed", bad[$1]; next }
		!(id[$1] in there) { print $1, "failed", "its counts are damaged, or say too little of it"; next }
		{ print }' "$collect_work/there" "$collect_work/ids" "$collect_work/disputed" "$1"
}

# fleet_collect DIR: writes fleet.counts and status.tsv there
fleet_collect() {
	take_fleet "$1"
	collect_work=$(mktemp -d) || die "no temporary directory can be made: is the disk full?"
	trap 'rm -rf "$collect_work"' EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	machine_rows >"$collect_work/rows"
	collect_ids <"$collect_work/rows" >"$collect_work/ids"
	collect_disputed <"$collect_work/ids" >"$collect_work/disputed"
	# A line is a word, quoted. All at once: one by one, the time goes with the square of their number.
	eval "set -- $(collect_inputs "$collect_work/rows" | sed "s/'/'\\\\''/g; s/.*/'&'/" | tr '\n' ' ')"
	[ $# -gt 0 ] || die "$fleet_dir: no machine has given anything yet: wakelat fleet status $fleet_dir"
	"$here/commands/merge" -q -o "$collect_work/counts" "$@"
	collect_status=$?
	[ "$collect_status" -eq 0 ] || [ "$collect_status" -eq 3 ] || die "$fleet_dir: the counts could not be merged (above); nothing was written"
	{
		printf 'node\tstate\treason\n'
		collect_check "$collect_work/rows" "$collect_work/counts"
	} >"$collect_work/status.tsv" || die "$collect_work: cannot be written: is the disk full?"
	put_file "$collect_work/counts" "$fleet_dir/fleet.counts" && put_file "$collect_work/status.tsv" "$fleet_dir/status.tsv" ||
		die "$fleet_dir/fleet.counts: cannot be written: is the disk full?"
	say "$fleet_dir has fleet.counts and status.tsv"
	sed 1d "$collect_work/status.tsv" >"$collect_work/rows"
	awk -F '\t' -f "$here/lib/fleet/status-table.awk" "$collect_work/rows" >&2
	! grep -qv "^[^$slurm_tab]*${slurm_tab}gave$slurm_tab" "$collect_work/rows" || collect_status=3
	exit "$collect_status"
}
