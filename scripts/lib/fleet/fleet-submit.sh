# SPDX-License-Identifier: GPL-2.0
# fleet-submit.sh - fleet submit: a job for each node, and nowhere else; behind them a tree of jobs that merge.
# shellcheck shell=sh
#
# All that is remembered is in the directory: fleet.tsv, command, nodes.tsv (which job is whose).
#
# Needs message.sh, trust.sh, units.sh, place.sh, state.sh, slurm.sh.

# Read here, set there:
: "${here?the command}" "${fleet_dir?fleet-options.sh}" "${fleet_again?fleet-options.sh}" "${fleet_tries?fleet-options.sh}" "${fleet_partition?fleet-options.sh}" \
	"${fleet_nodes?fleet-options.sh}" "${fleet_time_s?fleet-options.sh}" "${fleet_wait_s?fleet-options.sh}" "${fleet_slurm?fleet-options.sh}" \
	"${fleet_wakelat?fleet-options.sh}" "${slurm_error?slurm.sh}"

# Inputs of one merge.
submit_fan=16
submit_jobs=
submit_done=no
submit_made=no

submit_leave() {
	leave_status=$?
	trap - EXIT
	trap '' HUP INT TERM
	if [ "$submit_done" = no ]; then
		for submit_job in $submit_jobs; do
			scancel "$submit_job" 2>/dev/null
		done
		[ -z "$submit_jobs" ] || warn "the jobs that were submitted already are cancelled"
		[ "$submit_made" = no ] || rm -rf "$fleet_dir"
	fi
	exit "$leave_status"
}

# submit_job OPTION... SCRIPT ARGUMENT...: sets $submit_id
submit_job() {
	# More options, one a line.
	while IFS= read -r submit_option; do
		[ -z "$submit_option" ] || set -- "$submit_option" "$@"
	done <<END_OPTIONS
$fleet_slurm
END_OPTIONS
	[ -z "$fleet_partition" ] || set -- "--partition=$fleet_partition" "$@"
	submit_file=$fleet_dir/.submitted
	slurm sbatch --parsable "$@" >"$submit_file" || die "sbatch: $slurm_error"
	submit_id=$(sed 's/;.*//' "$submit_file")
	rm -f "$submit_file"
	is_number "$submit_id" || die "sbatch said '$submit_id' where the number of a job was to be"
	submit_jobs="$submit_jobs $submit_id"
}

# submit_minutes SECONDS: as sbatch counts
submit_minutes() {
	printf '%s\n' $((($1 + 59) / 60))
}

# submit_nodes FILE: a job for each node in FILE, bound to it. Not one array of them: Slurm holds all tasks of an array back while
# one of them has to wait for its node.
submit_nodes() {
	: >"$fleet_dir/.jobs" || die "$fleet_dir: cannot be written: is the disk full?"
	while IFS= read -r submit_node; do
		set -- --nodelist="$submit_node" --job-name=wakelat --nodes=1 --ntasks=1 --exclusive --requeue \
			--time="$(submit_minutes "$fleet_time_s")" --output="$fleet_dir/slurm/%j.out" --chdir=/
		[ "$fleet_wait_s" -eq 0 ] || set -- "$@" --deadline="now+$(submit_minutes $((fleet_wait_s + fleet_time_s)))minutes"
		submit_job "$@" "$here/lib/fleet/node.sh" "$fleet_dir" "$fleet_wakelat" "$fleet_tries"
		printf '%s\t%s\n' "$submit_node" "$submit_id" >>"$fleet_dir/.jobs" ||
			die "$fleet_dir: cannot be written: is the disk full?"
	done <"$1"
	cat "$fleet_dir/.jobs" >>"$fleet_dir/nodes.tsv" || die "$fleet_dir/nodes.tsv: cannot be written: is the disk full?"
}

# submit_groups LEVEL FILE: of FILE, lines NAME JOB of which JOB may be -, each group of names becomes a job that merges them as
# soon as their jobs are over, however they ended; prints such lines for the next level. A group without a new job stays.
submit_groups() {
	submit_group=0
	awk -F '\t' -v fan="$submit_fan" '
		{ if ($2 != "-") after = after ":" $2; n++ }
		n == fan { print after; after = ""; n = 0 }
		END { if (n) print after }' "$2" >"$fleet_dir/.groups"
	: >"$fleet_dir/.level"
	while IFS= read -r submit_after; do
		submit_id=-
		[ -z "$submit_after" ] ||
			submit_job --job-name=wakelat-merge --nodes=1 --ntasks=1 --time="$(submit_minutes "$fleet_time_s")" \
				--dependency="afterany$submit_after" --output="$fleet_dir/slurm/%j.out" --chdir=/ \
				"$here/lib/fleet/merge.sh" "$fleet_dir" "$fleet_wakelat" "$1" "$submit_group" "$submit_fan"
		printf '%s\t%s\n' "$1-$submit_group" "$submit_id" >>"$fleet_dir/.level"
		submit_group=$((submit_group + 1))
	done <"$fleet_dir/.groups"
}

# submit_merges: level by level, until one file is left
submit_merges() {
	submit_level=0
	find "$fleet_dir/nodes" -mindepth 1 -maxdepth 1 -type d | sed 's|.*/||' | sort |
		awk -F '\t' -v OFS='\t' 'FILENAME != "-" { job[$1] = $2; next } { print $1, $1 in job ? job[$1] : "-" }' \
			"$fleet_dir/.jobs" - >"$fleet_dir/.inputs"
	while :; do
		submit_groups "$submit_level" "$fleet_dir/.inputs"
		mv "$fleet_dir/.level" "$fleet_dir/.inputs"
		[ "$(wc -l <"$fleet_dir/.inputs")" -gt 1 ] || break
		submit_level=$((submit_level + 1))
	done
	rm -f "$fleet_dir/.inputs" "$fleet_dir/.groups" "$fleet_dir/.jobs"
}

# submit_look_at_epilog: who puts back what a job leaves that is killed outright? A site's own may call wakelat's.
submit_look_at_epilog() {
	submit_epilogs=$(slurm_config Epilog)
	while IFS= read -r submit_epilog; do
		case $submit_epilog in
		*fleet/epilog*) return ;;
		esac
		! grep -q fleet/epilog "$submit_epilog" 2>/dev/null || return 0
	done <<END
$submit_epilogs
END
	say "the Epilog of this cluster ($(printf '%s\n' "${submit_epilogs:-none}" | paste -sd , -)) does not seem to call wakelat's: a node whose job is killed outright stays changed until wakelat restore, or the next fleet submit (Documentation/fleet.md)"
}

# submit_new WORD...: the directory of a new fleet
submit_new() {
	[ ! -e "$fleet_dir" ] || [ -z "$(ls -A "$fleet_dir" 2>&1)" ] ||
		die "$fleet_dir: exists and is not empty: choose another, or submit again what it lacks: wakelat fleet submit --again -o $fleet_dir"
	[ -d "$fleet_dir" ] || submit_made=yes
	own_place "$fleet_dir"
	fleet_dir=$(cd "$fleet_dir" && pwd -P) || die "$fleet_dir: cannot be entered"
	slurm_nodes "$fleet_partition" "$fleet_nodes" >"$fleet_dir/.nodes"
	! grep -q '^sinfo: ' "$fleet_dir/.nodes" || die "$(grep -m 1 '^sinfo: ' "$fleet_dir/.nodes")"
	[ -s "$fleet_dir/.nodes" ] || die "Slurm has no such nodes${fleet_nodes:+ ($fleet_nodes)}${fleet_partition:+ in partition $fleet_partition}: sinfo -N lists them"
	! grep -qv '^[A-Za-z0-9][A-Za-z0-9._-]*$' "$fleet_dir/.nodes" ||
		die "a node is called '$(grep -m 1 -v '^[A-Za-z0-9][A-Za-z0-9._-]*$' "$fleet_dir/.nodes")': that names no file; leave it out with --nodes"
	mkdir "$fleet_dir/nodes" "$fleet_dir/slurm" "$fleet_dir/merge" &&
		(cd "$fleet_dir/nodes" && tr '\n' '\0' <../.nodes | xargs -0 mkdir --) &&
		printf '%s\n' "$@" >"$fleet_dir/command" &&
		printf 'key\tvalue\nby\tslurm\nwakelat\t%s\npartition\t%s\n' "$fleet_wakelat" "${fleet_partition:--}" >"$fleet_dir/fleet.tsv" &&
		printf 'node\tjob\n' >"$fleet_dir/nodes.tsv" || die "$fleet_dir: cannot be written: is the disk full?"
	cat "$fleet_dir/.nodes" >"$fleet_dir/.todo"
}

# submit_again: those that have given nothing, with what is in the directory
submit_again() {
	take_fleet "$fleet_dir"
	[ "$(fleet_fact by)" = slurm ] || die "$fleet_dir: was not made by fleet submit; Ansible: ansible-playbook --limit"
	machine_rows >"$fleet_dir/.rows"
	! awk -F '\t' '$2 == "waits" || $2 == "measures" { found = 1 } END { exit !found }' "$fleet_dir/.rows" ||
		die "$fleet_dir: some nodes still wait or measure (wakelat fleet status $fleet_dir): wait for them, or end them: scancel"
	awk -F '\t' '$2 != "gave" { print $1 }' "$fleet_dir/.rows" >"$fleet_dir/.todo"
	rm -f "$fleet_dir/.rows"
	[ -s "$fleet_dir/.todo" ] || die "$fleet_dir: all nodes have given their counts: there is nothing to submit again"
	fleet_wakelat=$(fleet_fact wakelat)
	fleet_partition=$(fleet_fact partition)
	[ "$fleet_partition" != - ] || fleet_partition=
}

# fleet_submit WORD...
fleet_submit() {
	[ -n "$fleet_dir" ] || bad_usage "a directory that all nodes share is missing: -o DIR"
	if [ "$fleet_again" = yes ]; then
		[ $# -eq 0 ] || bad_usage "--again measures as before: without '$1'"
	else
		check_words "$@"
	fi
	need_slurm sbatch scontrol sinfo squeue scancel
	[ -n "$fleet_wakelat" ] || fleet_wakelat=$here/wakelat
	trap submit_leave EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	if [ "$fleet_again" = yes ]; then
		submit_again
	else
		submit_new "$@"
	fi
	submit_nodes "$fleet_dir/.todo"
	submit_merges
	submit_done=yes
	submit_look_at_epilog
	submit_count=$(wc -l <"$fleet_dir/.todo")
	[ "$submit_count" -eq 1 ] && submit_count="1 node" || submit_count="$submit_count nodes"
	say "$submit_count, a job for each, and $(($(printf '%s\n' "$submit_jobs" | wc -w) - ${submit_count% *})) that merge: wakelat fleet status $fleet_dir"
	rm -f "$fleet_dir/.todo" "$fleet_dir/.nodes"
}
