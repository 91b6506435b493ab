#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The table of files in Documentation/security.md agrees with the files that commands write: each file has a row, the mode of that
# row, and the user who ran the command as its owner. testbed/safe-record.t checks the files that record writes as root.
# needs: tools
# tier: rest

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
umask 022
export HOME="$tmp/home"
mkdir home

# Make lines PATTERN MODE from the table.
awk -F '|' '/^\| file \| mode \|/ { here = 1; next } here && !/^\|/ { exit } here && $2 ~ /`/ {
	n = split($2, names, "`")
	for (i = 2; i <= n; i += 2)
		printf "%s\t%d\n", names[i], $3
}' "$top/Documentation/security.md" >rows
ok "the table is found" [ "$(wc -l <rows)" -gt 20 ]

# row_of FILE [ROWS]: print the mode in the file's row, or nothing if there is no row
row_of() {
	while IFS="$(printf '\t')" read -r pattern mode; do
		case $pattern in
		[~]/*) pattern=$HOME/${pattern#??} ;;
		/*) ;;
		*NAME*) pattern="*/${pattern%%NAME*}*${pattern#*NAME}" ;;
		*-N.*) pattern="*/${pattern%%-N.*}-*.${pattern#*-N.}" ;;
		*) pattern="*/$pattern" ;;
		esac
		printf '%s\n' "$1" | grep -qxE -e "$(printf '%s\n' "$pattern" | sed 's/[.]/[.]/g; s/\*/.*/g')" || continue
		printf '%s\n' "$mode"
		return
	done <"${2-rows}"
}

# --- all files that commands write without measuring
mkdir one
run_tsv one/run.tsv hostname box machine_id 0123
awk 'BEGIN {
	for (i = 1; i <= 400; i++)
		printf "sample 0 %d run=1 source=1 state=3 wake_latency=%d intr_latency=%d\n", i, i * 7 % 401, i * 7 % 401 + 500
	print "end 0 401 run=1 cpu=0 samples=400"
}' | trace one/trace.dat
chmod 600 one/trace.dat
cp -R one two
chmod 600 two/trace.dat
printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\n' >one/doctor.tsv
"$wakelat" dump one
"$wakelat" stats -q one
"$wakelat" stats -q --hgrm hgrm one
"$wakelat" stats -q --counts box.counts one
"$wakelat" verdict -q -b 50us one
"$wakelat" compare -q -o compare.tsv one two
if command -v gnuplot >/dev/null; then
	"$wakelat" plot -q -k svg -f ccdf one
	"$wakelat" report -q one
fi
"$wakelat" scrub -q -o public one
"$wakelat" merge -q -o all.counts box.counts
"$wakelat" import -q -o counted all.counts
printf '# Histogram\n000001 1\n# Total: 000000001\n# Min Latencies: 00001\n# Avg Latencies: 00001\n# Max Latencies: 00001\n# Histogram Overflows: 00000\n# Histogram Overflow at cycle number:\n# Thread 0:\n' >cyclic.txt
"$wakelat" import -q -o buckets cyclic.txt
mkdir site
cp box.counts site
printf 'box\nold\n' >site/nodes
printf 'refused: no\n' >site/old.reason
: >site/old.log

# Write the files of a measurement with a fake tool that does not measure.
mkdir -p bin outliers
printf '#!/bin/sh\nwhile [ $# -gt 2 ]; do shift; done\n: >"$1"; : >"$2"\n' >bin/probe
chmod +x bin/probe
cat >probing <<END
set -u
me=probe here=$top/scripts tools=$tmp/bin work_dir=$tmp source=timer cpu_list=0 first_cpu=0 ldist_min=1 ldist_max=2 seed=1 samples= duration= \
recorder_cpus= waker= latency_limit= cost=no stop=no live= export_file= output=$tmp/outliers every= alarm= by_trace=no at_once=no cpu_count=1 waker_place= journal_tab=x
threshold=\$1
. "\$here/lib/common/message.sh"
. "\$here/lib/probe/probe-run.sh"
rows_file=\$2
state_names() { :; }
await_measurement() { wait "\$1"; }
run_probe
END
sh probing 0 samples.tsv && mv outliers/samples.tsv.partial outliers/samples.tsv
sh probing 1000 outliers.tsv && mv outliers/outliers.tsv.partial outliers/outliers.tsv
rm -f facts.tsv names

# --- each file is in the table
rm -rf bin
find one two hgrm box.counts compare.tsv public all.counts counted buckets site outliers home -type f 2>/dev/null |
	sort >files
ok "commands have written $(wc -l <files) files" [ "$(wc -l <files)" -gt 30 ]
while IFS= read -r file; do
	case $file in
	home/*) path=$tmp/$file ;;
	*) path=/x/$file ;;
	esac
	wanted=$(row_of "$path")
	mode=$(stat -c %a "$file")
	if [ -z "$wanted" ]; then
		printf '%s has no row\n' "$file"
	elif [ "$mode" != "$wanted" ]; then
		printf '%s: mode %s, and the table says %s\n' "$file" "$mode" "$wanted"
	fi
	[ "$(stat -c %u "$file")" = "$(id -u)" ] || printf '%s belongs to somebody else\n' "$file"
done <files >wrong
is "$(cat wrong)" "" "each file has its row in security.md, with its mode"
is "$(find home -mindepth 3 -type d ! -perm 700)" "" "the user's notes are in directories of mode 700"

# --- each row is of a file that a command writes; the files listed here need root and a machine to measure
cat >elsewhere <<'END'
probe --export
trace-N.dat
record.log
measure.log
resume
audit.txt
block.txt
sweep.tsv
setup.tsv
point.tsv
command
/run/wakelat/state
/run/wakelat/experiment
/run/wakelat/nic
/var/lib/wakelat/unfinished
END
# is_written PATTERN: true if a command has written a file that matches PATTERN
is_written() {
	printf '%s\t0\n' "$1" >one-row
	while IFS= read -r file; do
		case $file in
		home/*) path=$tmp/$file ;;
		*) path=/x/$file ;;
		esac
		[ -z "$(row_of "$path" one-row)" ] || return 0
	done <files
	return 1
}
if command -v gnuplot >/dev/null && Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1; then
	cut -f 1 rows | while IFS= read -r pattern; do
		grep -qxF -e "$pattern" elsewhere || is_written "$pattern" || printf '%s\n' "$pattern"
	done >unwritten
	is "$(cat unwritten)" "" "each row is of a file that a command has written here, or that needs a machine to be measured"
else
	skip 1 "no gnuplot, or no R with evd"
fi

# The journal.
if [ "$(id -u)" -eq 0 ] && unshare -m sh -c 'mount -t tmpfs none /run' 2>/dev/null; then
	. "$top/tests/lib/journal.sh"
	journal_owner_script
	settings s 1
	run in_run size=512k '"$1" "$2" & touch "$2/../wait"; while [ ! -e /run/wakelat/state ]; do sleep 0.02; done; sleep 0.2
		stat -c "%a %n" /run/wakelat /run/wakelat/*; rm "$2/../wait"; wait' "$tmp/owner" "$tmp/s"
	is "$(printf '%s' "$out" | tr '\n' ';')" "700 /run/wakelat;600 /run/wakelat/state;700 /run/wakelat/work" "only root can read the journal"
else
	skip 1 "no mount namespaces here"
fi
done_testing
