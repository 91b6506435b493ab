# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# figures.sh - write the tables of wakelat tail for this number of states (tests/long/figures.t).
: "${names:?}" "${states:?}"

printf 'state\thorizon\n' >"s$states/tail.tsv"
printf '%s\t%s\t%s\t%s\t' state source reached metric | tee "s$states/tail-qq.tsv" >"s$states/tail-stability.tsv"
printf 'threshold_ns\texceedances\tshape\tshape_low\tshape_high\texpected_low\texpected_high\tad_p\tchosen\n' >>"s$states/tail-stability.tsv"
printf 'rank\tmodel_ns\tsample_ns\tlow_ns\thigh_ns\n' >>"s$states/tail-qq.tsv"
for name in $(printf '%s\n' "$names" | cut -d ' ' -f "1-$states"); do
	for k in 31 44 63 88 125 177 250 354 500; do
		printf '%s\thrtimer\tyes\tintr_latency\t133090.5\t%d\t0.1\t-0.1\t0.3\t-0.2\t0.4\t0.5\t%d\n' "$name" $k $((k == 88))
	done >>"s$states/tail-stability.tsv"
	for k in 1 2 3 4 5; do
		printf '%s\thrtimer\tyes\tintr_latency\t%s\t1234%s00.5\t1234%s01\t123400\t123600\n' "$name" $k $k $k
	done >>"s$states/tail-qq.tsv"
done
