// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "hist.h"
#include "metrics.h"
#include "options.h"
#include "outfile.h"
#include "probe-bpf.h"
#include "probe-export.h"

/*
 * Bounds of the exported buckets. They are powers of two, which are also bounds of probe_hist's buckets. So the counts
 * are exact, and counts of several machines can be added.
 */
#define FIRST_BOUND 8	/* 2^8 ns */
#define LAST_BOUND 30

static bool is_used(unsigned int state)
{
	return hist_n(probe_hist(state)) || probe_hist(state)->tainted;
}

/* Return the number of samples below NS, which is a power of two. */
static __u64 below(const struct probe_hist *hist, double ns)
{
	double low, high;
	__u64 n = 0;

	for (unsigned int i = 0; i <= PROBE_BUCKETS; i++) {
		hist_bucket(i, &low, &high);
		if (high > ns)
			break;
		n += hist->bucket[i];
	}
	return n;
}

static void histogram(FILE *out, const struct export *export, unsigned int state)
{
	/* The BPF programs may change the counts concurrently: copy them once. */
	const struct probe_hist hist = *probe_hist(state);
	const char *name = metrics_label(state_name(state));
	__u64 all = hist_n(&hist);

	for (int bits = FIRST_BOUND; bits <= LAST_BOUND; bits++)
		fprintf(out, "wakelat_latency_seconds_bucket{source=\"%s\",state=\"%s\",le=\"%.9g\"} %llu\n",
			export->source, name, ldexp(1e-9, bits), below(&hist, ldexp(1, bits)));
	fprintf(out, "wakelat_latency_seconds_bucket{source=\"%s\",state=\"%s\",le=\"+Inf\"} %llu\n", export->source, name, all);
	fprintf(out, "wakelat_latency_seconds_sum{source=\"%s\",state=\"%s\"} %.9f\n", export->source, name, hist.sum / 1e9);
	fprintf(out, "wakelat_latency_seconds_count{source=\"%s\",state=\"%s\"} %llu\n", export->source, name, all);
}

static void quantiles(FILE *out, const struct export *export, unsigned int state)
{
	static const unsigned int per_mille[] = { 500, 900, 990, 999 };

	for (size_t i = 0; i < sizeof(per_mille) / sizeof(per_mille[0]); i++) {
		double ns = hist_quantile(probe_hist(state), per_mille[i]);

		if (ns >= 0)
			fprintf(out, "wakelat_latency_quantile_seconds{source=\"%s\",state=\"%s\",quantile=\"%g\"} %.9f\n",
				export->source, metrics_label(state_name(state)), per_mille[i] / 1000.0, ns / 1e9);
	}
}

static __u64 above_alarm(const struct export *export)
{
	__u64 n = 0;
	double low, high;

	for (unsigned int s = 0; export->alarm_ns && s < PROBE_MAX_STATES; s++)
		for (unsigned int i = 0; i <= PROBE_BUCKETS; i++) {
			hist_bucket(i, &low, &high);
			if (low >= export->alarm_ns)
				n += probe_hist(s)->bucket[i];
		}
	return n;
}

static double longest_s(const struct probe_hist *hist) { return hist->max / 1e9; }
static double tainted(const struct probe_hist *hist) { return hist->tainted; }
static double waking_ns(const struct probe_hist *hist) { return (double)hist->sum + hist->tainted_sum; }
static double waking_s(const struct probe_hist *hist) { return waking_ns(hist) / 1e9; }

/* Write METRIC, which has a VALUE for each state. */
static void by_state(FILE *out, const struct export *export, const char *metric, const char *type, const char *help,
		     double (*value)(const struct probe_hist *hist))
{
	const char *suffix = strcmp(type, "counter") ? "" : "_total";

	metrics_head(out, metric, type, help);
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++)
		if (is_used(s))
			fprintf(out, "%s%s{source=\"%s\",state=\"%s\"} %.9g\n", metric, suffix, export->source,
				metrics_label(state_name(s)), value(probe_hist(s)));
}

static void states(FILE *out, const struct export *export, double elapsed)
{
	double lost = 0;

	metrics_head(out, "wakelat_latency_seconds", "histogram", "Latency of wake-ups from idle states, without tainted ones.");
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++)
		if (is_used(s))
			histogram(out, export, s);
	metrics_head(out, "wakelat_latency_quantile_seconds", "gauge", "Quantiles of all latencies since the start, if there are enough samples.");
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++)
		if (is_used(s))
			quantiles(out, export, s);
	by_state(out, export, "wakelat_latency_max_seconds", "gauge", "Longest latency since the start.", longest_s);
	by_state(out, export, "wakelat_tainted", "counter", "Wake-ups that something other than the source's event may have caused.", tainted);
	by_state(out, export, "wakelat_waking_seconds", "counter", "Time that CPUs spent waking up, including tainted wake-ups.", waking_s);
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++)
		lost += waking_ns(probe_hist(s));
	metrics_head(out, "wakelat_waking_ratio", "gauge", "Share of the measured CPUs' time that they spent waking up, since the start.");
	fprintf(out, "wakelat_waking_ratio{source=\"%s\"} %.9g\n", export->source,
		lost / elapsed / export->nr_cpus);
}

static void cpus(FILE *out, const struct export *export)
{
	metrics_head(out, "wakelat_idle_periods", "counter", "Idle periods, whatever ended them.");
	for (int i = 0; i < export->nr_cpus; i++)
		fprintf(out, "wakelat_idle_periods_total{cpu=\"%d\"} %llu\n", export->cpus[i],
			probe_cpu(export->cpus[i])->counts.periods);
	metrics_head(out, "wakelat_samples", "counter", "Idle periods that an event of the source ended.");
	for (int i = 0; i < export->nr_cpus; i++)
		fprintf(out, "wakelat_samples_total{cpu=\"%d\"} %llu\n", export->cpus[i],
			probe_cpu(export->cpus[i])->counts.samples);
}

uint64_t export_write(const struct export *export, uint64_t elapsed_ns)
{
	/* The collector reads only *.prom, so it does not see the temporary file. */
	FILE *out = outfile_begin_stream(options.export);
	__u64 alarms = above_alarm(export);

	metrics_head(out, "wakelat_info", "gauge", "What is measured; machine guest: contains the hypervisor's latency.");
	fprintf(out, "wakelat_info{source=\"%s\",machine=\"%s\"} 1\n", export->source, options.machine);
	states(out, export, elapsed_ns);
	cpus(out, export);
	if (export->alarm_ns) {
		metrics_head(out, "wakelat_alarms", "counter", "Samples that exceeded the limit.");
		fprintf(out, "wakelat_alarms_total{limit_seconds=\"%.9g\"} %llu\n", export->alarm_ns / 1e9, alarms);
	}
	metrics_end(out, options.export);
	return alarms;
}
