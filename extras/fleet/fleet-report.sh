# SPDX-License-Identifier: GPL-2.0
# fleet-report.sh - wakelat fleet report: make tables from files of counts, print them, and write the page.
# shellcheck shell=sh
#
# Needs message.sh, analysis.sh, trust.sh.

# Variables that other files set:
: "${error_status?message.sh}" "${extra?the command}" "${here?the command}" "${work?analysis.sh}" "${tools?analysis.sh}" "${place?results.sh}" "${newline?directory.sh}" "${quiet?message.sh}" \
	"${status_incomplete?analysis.sh}" "${distrust?trust.sh}" "${tab?directory.sh}"

# shellcheck source=scripts/lib/common/json.sh
. "$here/lib/common/json.sh"

status_different=4
status_alone=5

fleet_tables="fleet fleet-machines fleet-kinds fleet-states fleet-left-out"

# take_counts COUNTS: add the file, or the files of the directory, to $work/files
take_counts() {
	take_place "$1"
	[ -e "$place" ] || die "$1: no such file or directory"
	if [ -d "$place" ]; then
		case $place in
		*"$newline"*) die "$1: a directory with a line break in its name: rename it" ;;
		esac
		trusted_directory "$place" || distrusted "$place"
		find "$place" -name '*.counts' -type f >"$work/found" 2>/dev/null || die "$1 cannot be read"
		[ ! -e "$place/nodes" ] && [ ! -L "$place/nodes" ] || take_nodes "$1"
		[ -s "$work/found" ] || {
			[ ! -s "$work/silent" ] || die "$1: no machine has counts: see $1/*.reason"
			die "$1: no file NAME.counts is in it"
		}
		sort -t / -k 2 "$work/found"
	else
		trusted_files "$place" || die "not trusted: $distrust: check the file, and copy it to a directory of your own"
		printf '%s\n' "$place"
	fi >>"$work/files"
}

# take_nodes DIR: read DIR/nodes, the list of a fleet's machines. Put a = before their files of counts in
# $work/found. Add a line for each machine to $work/silent: NODE, the reason why it gave no counts (- if
# it gave counts), DIR, its file of counts.
take_nodes() {
	trusted_files "$place/nodes" || die "not trusted: $distrust: check the file, and copy it to a directory of your own"
	check_lines "$place/nodes"
	! nodes_wrong=$(grep -a -m 1 -v '^[A-Za-z0-9][A-Za-z0-9._-]*$' "$place/nodes") ||
		die "$1/nodes: '$nodes_wrong' is not the name of a machine: write one name a line"
	{
		# Read with getline: awk would end at an argument that it may not read.
		find "$place/" -maxdepth 1 -name '*.reason' -type f -size -9 -exec awk '
			BEGIN {
				for (i = 1; i < ARGC; i++) {
					if ((got = (getline line <ARGV[i])) < 0)
						line = "failed: its reason cannot be read"
					close(ARGV[i])
					name = ARGV[i]
					gsub(/.*\/|[.]reason$/, "", name)
					gsub(/\t/, " ", line)
					if (got != 0)
						print name "\t" line
				}
			}' {} + 2>/dev/null
		find "$place/" -maxdepth 1 -name '*.counts' ! -type f 2>/dev/null |
			sed "s|.*/||; s|[.]counts\$|${tab}failed: its counts are not trusted: not a regular file|"
	} | shown >"$work/reasons"
	mv "$work/found" "$work/all-found" || cannot_write_temporary
	given=$1 tree=$place silent=$work/silent found=$work/found awk -F '\t' -v OFS='\t' '
		FILENAME == ARGV[1] { has[$0]; next }
		FILENAME == ARGV[2] { reason[$1] = $2; next }
		$1 in node { next }
		{
			file = ENVIRON["tree"] "/" $1 ".counts"
			node[$1]
			of[file]
			why = $1 in reason && reason[$1] != "" ? reason[$1] : "neither counts nor a reason file"
			why = file in has ? "-" : why
			print $1, why, ENVIRON["given"], file >>ENVIRON["silent"]
		}
		END { for (file in has) print (file in of ? "=" : "") file >ENVIRON["found"] }' \
		"$work/all-found" "$work/reasons" "$place/nodes" &&
		: >>"$work/found" || cannot_write_temporary
}

# add_silent: add the machines that gave no counts to the table of machines. If a machine has counts in
# another directory, its reason goes to fleet-left-out.tsv instead.
add_silent() {
	[ -s "$work/silent" ] || return 0
	awk -F '\t' -v OFS='\t' -v left_out="$work/fleet-left-out.tsv" '
		function host(name) { sub(/[.].*/, "", name); return name }
		FILENAME == ARGV[1] { why[$1] = $4; next }
		FILENAME == ARGV[2] { there[host($1)]; print; next }
		$2 == "-" && !($4 in why) { next }
		host($1) in there { if ($2 != "-") print $3, "-", $1, $2 >>left_out; next }
		{
			there[host($1)]
			reason = $2 == "-" ? "its counts are left out: " why[$4] : $2
			print $1, "-", 0, 0, 0, 0, "nothing", "-", "-", reason, "-"
		}' "$work/fleet-left-out.tsv" "$work/fleet-machines.tsv" "$work/silent" \
		>"$work/all-machines.tsv" &&
		mv "$work/all-machines.tsv" "$work/fleet-machines.tsv" || cannot_write_temporary
}

# fleet_answer: print one row with the answer and the number of machines of each answer
fleet_answer() {
	awk -F '\t' '
		NR > 1 { nr[$7]++ }
		END {
			print "answer\tmachines\tlike\tdifferent\talone\tnothing"
			printf "%s\t%d\t%d\t%d\t%d\t%d\n", nr["different"] ? "different" : nr["like"] ? "like" : "alone", NR - 1, nr["like"],
				nr["different"], nr["alone"], nr["nothing"]
		}' "$work/fleet-machines.tsv"
}

# fleet_status: print the exit status. Different machines come before missing ones, because some machine
# of many always gives nothing.
fleet_status() {
	case $(cells_of answer "$work/fleet-answer.tsv")$(cells_of nothing "$work/fleet-answer.tsv")$(wc -l <"$work/fleet-left-out.tsv") in
	different*) printf '%s\n' "$status_different" ;;
	like01) printf '0\n' ;;
	alone01) printf '%s\n' "$status_alone" ;;
	*) printf '%s\n' "$status_incomplete" ;;
	esac
}

# fleet_note: print the note for titles about the kind of machines. One emulated machine marks the
# whole fleet as emulated.
fleet_note() {
	case $(cells_of emulated "$work/fleet-kinds.tsv" | sort -u | paste -sd ' ' -) in
	no) ;;
	*yes*) printf ' (emulated)\n' ;;
	*hypervisor*) printf " (guests: contains the hypervisor's latency)\n" ;;
	*) printf ' (unknown machines)\n' ;;
	esac
}

# fleet_limits: print the uses for which the result means nothing. Machines that gave nothing do not count.
fleet_limits() {
	"$tools/answer" limits "$work/fleet-kinds.tsv"
}

# fleet_says ARGUMENT...: print the answer, the rule or the uncertainty (fleet-says.awk)
fleet_says() {
	awk -F '\t' -f "$here/lib/common/us.awk" -f "$extra/fleet-text.awk" -f "$extra/fleet-says.awk" "$@"
}

print_fleet() {
	printf 'Machines%s, ranked by the distance from the median of their kind\n' "$(fleet_note)"
	awk -F '\t' -v most=3 -f "$here/lib/common/us.awk" -f "$extra/fleet-text.awk" -f "$extra/fleet-table.awk" \
		"$work/fleet-answer.tsv" "$work/fleet-kinds.tsv" "$work/fleet-states.tsv" "$work/fleet-machines.tsv" "$work/fleet-left-out.tsv" &&
		{ printf '\n' && fleet_says -v what=rule /dev/null && printf '\n' && fleet_limits; } | fold -s -w 80 | sed 's/ *$//'
}

# print_fleet_json: print one document. OUTPUT/fleet.tsv also has each state of each machine.
print_fleet_json() {
	[ "$(cells_of nothing "$work/fleet-answer.tsv")$(wc -l <"$work/fleet-left-out.tsv")" = 01 ] || incomplete=yes
	: "$incomplete"
	export json_limits
	json_limits=$(fleet_limits)
	json_document fleet '' answer "$work/fleet-answer.tsv" kinds "$work/fleet-kinds.tsv" states "$work/fleet-states.tsv" \
		machines "$work/fleet-machines.tsv" left_out "$work/fleet-left-out.tsv"
}

fleet_report() {
	: "${json?fleet}" "${output?fleet}"
	[ $# -gt 0 ] || bad_usage "report: name files of counts, or a directory that has some"
	[ "$json" = no ] || need_json
	[ "$quiet" = no ] || [ -n "$output" ] || bad_usage "nothing to do: --quiet without --output"
	make_work
	need_tools answer fleet
	for counts; do
		take_counts "$counts"
	done
	"$tools/fleet" "$work/files" "$work" || exit
	[ "$(wc -l <"$work/fleet-machines.tsv")" -gt 1 ] || die "no recording is left to compare"
	add_silent
	fleet_answer >"$work/fleet-answer.tsv" || cannot_write_temporary
	[ -z "$output" ] || write_fleet
	case $quiet$json in
	nono)
		print_fleet >"$work/table" || cannot_write_temporary
		shown <"$work/table" | cat || exit 1
		;;
	noyes)
		print_fleet_json >"$work/table" || exit
		cat "$work/table" || exit 1
		;;
	esac
	# Not in one line: a signal leaves no number.
	fleet_ended=$(fleet_status) || exit
	exit "${fleet_ended:-$error_status}"
}

# write_fleet: write tables, figures and the page
write_fleet() {
	# shellcheck source=extras/fleet/fleet-page.sh
	. "$extra/fleet-page.sh"
	need_tools safe-copy
	make_place "$output"
	draw_fleet
	set --
	for name in $fleet_tables; do
		check_kind "$output/$name.tsv"
		set -- "$@" "$work/$name.tsv"
	done
	"$tools/safe-copy" into "$(readlink -f "$output")" "$@" || exit "$error_status"
	[ -n "$no_gnuplot" ] || install_figures "$output/figures"
	write_fleet_page "$output/report.html"
	if [ -n "$no_gnuplot" ]; then
		say "${output#./} has report.html and tables; $no_gnuplot"
	else
		say "${output#./} has report.html, tables and figures"
	fi
}
