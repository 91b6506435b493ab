#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Bounds on the input of wakelat fleet, and on where its files may go: endless lists of machines, sparse counts, reasons that cannot be
# read, options that redirect the measurement, directories of other users.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/hostile.sh"
build_tools
chmod 755 "$tmp"
victim
cd "$tmp" || exit 1

mkdir fleet
truncate -s 10G fleet/nodes
printf 'wakelat-counts\t1\n' >fleet/a.counts
refused 'fleet/nodes has 10737418240 bytes, nearly all of them holes' \
	"fleet report: a sparse list of machines is refused" limited fleet report fleet
head -c 70000 /dev/zero | tr '\0' x >fleet/nodes
refused 'fleet/nodes:1: a line of more than 65536 bytes' \
	"fleet report: a list with an endless line is refused" limited fleet report fleet
recording holes
"$wakelat" stats -q --counts fleet/b.counts holes && cp fleet/b.counts fleet/a.counts && rm fleet/nodes && truncate -s 1T fleet/a.counts
run limited fleet report fleet
is "$status" 3 "fleet report: leaves out a sparse file of counts, and reads the others"
like "$out" 'left out: ./fleet/a.counts.*: 1099511627776 bytes, nearly all of them holes' \
	"fleet report: names the file that is left out"
printf 'b\nc\nd\n' >fleet/nodes
printf 'failed: c\n' >fleet/c.reason
printf 'failed: d\n' >fleet/d.reason
rm fleet/a.counts
chmod a+rx . && chmod -R a+rX fleet
chmod 0 fleet/c.reason
run as_other fleet report fleet
like "$out$err" 'c: failed: its reason cannot be read' "fleet report: says that a reason cannot be read"
like "$out$err" 'd: failed: d' "fleet report: reads the reasons after one that it cannot read"
unlike "$err" 'awk: ' "fleet report: awk prints no error"

# --- options that would redirect the measurement of a fleet
for word in -oDIR -qoDIR -qo -qqoDIR; do
	run "$wakelat" fleet measure -o "$tmp/m" -- record "$word" "$tmp/x"
	is "$status" 2 "fleet measure: $word, which tells record where to write, is refused"
done

# --- root's fleet in other users' directories
if [ "$(id -u)" -eq 0 ]; then
	for mode in 1777 1775; do
		rm -rf sticky
		mkdir -m "$mode" sticky
		ln -s "$tmp/victim/.profile" sticky/n1.log
		refused 'sticky: not trusted: others can write' "fleet measure into a directory of mode $mode is refused" \
			"$wakelat" fleet measure -o sticky --name n1 -- probe -T 1s
		unharmed "fleet measure, $mode: the target of the link n1.log is unchanged"
	done
else
	skip 4 "needs root"
fi
done_testing
