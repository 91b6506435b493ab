# SPDX-License-Identifier: GPL-2.0
# scrub-run.awk - run.tsv without what tells whose machine it was. What is not known to be harmless is left out.
#	-v left=FILE	the keys of what was left out, one a line

BEGIN {
	OFS = FS
	n = split("format date emulated kernel cpu_model cpu_stepping microcode bios revision trace_cmd source source_clock cpus recorder_cpus states " \
		"each_state each_cpu ldist_mode ldist_min_ns ldist_max_ns sweep_factor_permille sweep_step_samples seed max_samples " \
		"max_duration_s max_barren_s max_uncertainty_ns for_verdict_ns for_verdict_percentile counters driver governor clocksource tsc_khz clock_khz buffer_percent buffer_kb lost_overrun lost_dropped " \
		"lost_commit_overrun prepare warmup_samples until_steady_samples governor_events resumed source_settings nic_method intr_offset_ns " \
		"imported_sha256 measured_with systematic_error taints_unknown irqs_recorded cut_periods wult_version wult_format caveat rt_tests " \
		"waker waker_placement latency_limit_us elapsed_ns reader_cpu_ns bpf_runs bpf_ns bpf_ns_per_period load_average recordings incomplete", key, " ")
	for (i = 1; i <= n; i++)
		kept[key[i]] = 1
}

# The kernel of a company has its name behind the version.
$1 == "kernel" && match($2, /^[0-9]+\.[0-9]+(\.[0-9]+)?(-rc[0-9]+)?/) {
	$2 = substr($2, 1, RLENGTH)
}

NR == 1 || $1 in kept || $1 ~ /^state\.[0-9]+\.(name|desc|latency_ns|residency_ns|disabled|usage|above|below)$/ ||
$1 ~ /^state\.[0-9]+\.(samples|tainted|p50_ns|p99_ns|p99\.9_ns|max_ns)$/ ||
$1 ~ /^run\.[0-9]+\.(plan|cpus|warmup|state|reason|looks|verdict|cpu[0-9]+\.[a-z_]+(\.[0-9]+)?)$/ ||
$1 ~ /^run\.[0-9]+\.nic\.(device|interrupt|link|clock_ppb|clock_error_ppb|clock_span_ns|dma_ns|dma_error_ns)$/ ||
$1 ~ /^characterisation\.[a-z_]+\.[a-z0-9_]+$/ || $1 ~ /^stated_mean\.[a-z_]+\.cpu[0-9]+$/ {
	print
	next
}

{ print $1 >left }
