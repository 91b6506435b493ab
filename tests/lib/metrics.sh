# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# metrics.sh - check files of metrics by Prometheus's own programs. Needs tap.sh.

: "${top:?}" "${tmp:?}" "${out=}"

# build PROGRAM SOURCE...: compile SOURCE... with the files of tools/ that write metrics. The paths are from tools/.
build() (
	program=$1
	shift
	cd "$top/tools" && gcc -O1 -g -std=gnu11 -D_GNU_SOURCE -Wall -Wno-attributes -Wno-unused-function -Wno-address \
		-Iprobe -Ilib -o "$tmp/$program" "$@" probe/metrics.c probe/hist.c probe/options.c lib/message.c lib/plain.c lib/outfile.c -lm
)

# Debian's Python, not another one that is first in the PATH, has Debian's modules.
python=
for candidate in /usr/bin/python3 python3; do
	[ -n "$python" ] || ! "$candidate" -c 'import prometheus_client' 2>/dev/null || python=$candidate
done

# accepted NAME FILE...: Prometheus's programs accept each file. Set the file sums.
accepted() {
	accepted_name=$1
	shift
	ok "$accepted_name: all are UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null "$@"
	is "$(for file; do sed -n 's/} [^ ]*$/}/p' "$file" | sort | uniq -d; done)" "" "$accepted_name: no series occurs twice"
	if [ -n "$python" ]; then
		ok "$accepted_name: prometheus_client's strict parser accepts all" "$python" "$top/tests/fixtures/openmetrics.py" "$@"
		printf '%s\n' "$out" >sums
	else
		skip 1 "no prometheus_client: apt-get install python3-prometheus-client"
		awk '/^#/ { next } { sub(/[{ ].*/, "", $1); sum[FILENAME " " $1] += $NF } END { for (s in sum) printf "%s %.15g\n", s, sum[s] }' "$@" >sums
	fi
	if command -v promtool >/dev/null; then
		is "$(for file; do promtool check metrics <"$file" 2>&1; done)" "" "$accepted_name: promtool has no complaint"
	else
		skip 1 "no promtool: apt-get install prometheus"
	fi
}
