# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# kinds.sh - wakelat who on CPUs with different idle states (tests/host/kinds.t).
: "${top:?}" "${wakelat:?}" "${out=}" "${err=}"

if [ "$(id -u)" -eq 0 ] && [ -x "$top/tools/bin/who" ] && "$top/tools/bin/who" -K /dev/null /dev/null /dev/null 2>/dev/null; then
	run "$wakelat" who -T 1s --no-live -o who
	caveat='CPU 0 and CPU 1 have different idle states \(state 3: none; C8, 200 us, 800 us\): names of states and effects of limits are those of CPU 0 everywhere'
	like "$err" "^wakelat who: $caveat" "who warns of CPUs with different states"
	like "$out" "^Caveat: $caveat\.$" "who prints a caveat below its table"
	like "$(sed -n 's/^caveat	//p' who/run.tsv)" "^$caveat$" "run.tsv of who has the caveat"
else
	skip 3 "who cannot use BPF here"
fi
