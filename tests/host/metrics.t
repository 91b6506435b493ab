#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The file of probe --export, of states whose names are equal, or become equal. Prometheus's own programs read it.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/metrics.sh"
cd "$tmp" || exit 1
build probe-metrics "$top/tests/fixtures/probe-metrics.c" probe/probe-export.c || bail "the fixture does not build"

ok "probe's file is written" ./probe-metrics
accepted probe x.prom
series() { grep -F "wakelat_$1{" x.prom | sed 's/.*} //' | paste -sd ' ' -; }
is "$(series 'latency_seconds_count')" "600 600" "states with one name are one histogram"
is "$(series 'latency_max_seconds')" "2e-06 8e-06" "its maximum is the greater one"
is "$(grep -F 'quantile_seconds{' x.prom | grep -F '"99"' | sed 's/.*} //' | awk '{ printf "%.1f ", $1 * 1e6 }')" "2.0 8.0 " "its quantile is of both"
is "$(series 'idle_periods_total')" 10000000011 "large counts are exact"
is "$(series 'lost_total')" 7 "lost samples are a metric"
done_testing
