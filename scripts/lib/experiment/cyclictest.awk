# SPDX-License-Identifier: GPL-2.0
# cyclictest.awk - what cyclictest -q -h prints: N, by which statistic, and its greatest value in ns.
#	-v percentile=P|max
# It prints whole us, rounded down: each stands for the next us. As in quantiles, N supports P if 95 times in
# 100 one of N samples is beyond it.

function supports(n, p,  none) {
	none = 1
	while (n-- > 0 && none > 0.05)
		none *= p / 100
	return none <= 0.05
}

/^# Max Latencies:/ { max = $4 + 0 }
/^# Histogram Overflows:/ { overflows = $4 + 0 }

/^[0-9]+[ \t]/ {
	values++
	us[values] = $1 + 0
	count[values] = $2 + 0
	n += $2
}

END {
	n += overflows
	if (!n)
		exit 1
	if (percentile == "max" || !supports(n, percentile)) {
		printf "%.0f max %.0f\n", n, (max + 1) * 1000
		exit
	}
	for (i = 1; i <= values; i++) {
		sum += count[i]
		if (sum >= n * percentile / 100)
			break
	}
	printf "%.0f p%s %.0f\n", n, percentile, ((i > values ? max : us[i]) + 1) * 1000
}
