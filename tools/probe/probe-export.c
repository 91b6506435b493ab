// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "live.h"
#include "metrics.h"
#include "probe-bpf.h"
#include "probe-export.h"

/*
 * Bounds of the exported buckets. They are powers of two, which are also bounds of probe_hist's buckets. So the counts
 * are exact, and counts of several machines can be added.
 */
#define FIRST_BOUND 8	/* 2^8 ns */
#define LAST_BOUND 30

static const char *name_of(const struct export *export, unsigned int state)
{
	static char number[16];

	if (state < export->nr_names)
		return metrics_label(export->names[state]);
	snprintf(number, sizeof(number), "state%u", state);
	return number;
}

static bool is_used(unsigned int state)
{
	return probe_hist_n(probe_hist(state)) || probe_hist(state)->tainted;
}

/* Return the number of samples below NS, which is a power of two. */
static __u64 below(const struct probe_hist *hist, double ns)
{
	double low, high;
	__u64 n = 0;

	for (unsigned int i = 0; i <= PROBE_BUCKETS; i++) {
		live_bucket(i, &low, &high);
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
	const char *name = name_of(export, state);
	__u64 all = probe_hist_n(&hist);

	for (int bits = FIRST_BOUND; bits <= LAST_BOUND; bits++)
		fprintf(out, "wakelat_latency_seconds_bucket{source=\"%s\",state=\"%s\",le=\"%.9g\"} %llu\n",
			export->source, name, ldexp(1e-9, bits), (unsigned long long)below(&hist, ldexp(1, bits)));
	fprintf(out, "wakelat_latency_seconds_bucket{source=\"%s\",state=\"%s\",le=\"+Inf\"} %llu\n",
		export->source, name, (unsigned long long)all);
	fprintf(out, "wakelat_latency_seconds_sum{source=\"%s\",state=\"%s\"} %.9f\n", export->source, name,
		hist.sum / 1e9);
	fprintf(out, "wakelat_latency_seconds_count{source=\"%s\",state=\"%s\"} %llu\n", export->source, name,
		(unsigned long long)all);
}

static void quantiles(FILE *out, const struct export *export, unsigned int state)
{
	static const unsigned int per_mille[] = { 500, 900, 990, 999 };

	for (size_t i = 0; i < sizeof(per_mille) / sizeof(per_mille[0]); i++) {
		double ns = live_quantile(probe_hist(state), per_mille[i]);

		if (ns >= 0)
			fprintf(out, "wakelat_latency_quantile_seconds{source=\"%s\",state=\"%s\",quantile=\"%g\"} %.9f\n",
				export->source, name_of(export, state), per_mille[i] / 1000.0, ns / 1e9);
	}
}

static void of_state(FILE *out, const struct export *export, const char *metric, unsigned int state, double value)
{
	fprintf(out, "%s{source=\"%s\",state=\"%s\"} %.9g\n", metric, export->source, name_of(export, state), value);
}

static __u64 above_alarm(const struct export *export)
{
	__u64 n = 0;
	double low, high;

	for (unsigned int s = 0; export->alarm_ns && s < PROBE_MAX_STATES; s++)
		for (unsigned int i = 0; i <= PROBE_BUCKETS; i++) {
			live_bucket(i, &low, &high);
			if (low >= export->alarm_ns)
				n += probe_hist(s)->bucket[i];
		}
	return n;
}

static void states(FILE *out, const struct export *export, double elapsed)
{
	double lost = 0;

	metrics_head(out, "wakelat_latency_seconds", "histogram",
	     "Latency of wake-ups from idle states, without tainted ones.");
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++)
		if (is_used(s))
			histogram(out, export, s);
	metrics_head(out, "wakelat_latency_quantile_seconds", "gauge", "Quantiles of all latencies since the start, if there are enough samples.");
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++)
		if (is_used(s))
			quantiles(out, export, s);
	metrics_head(out, "wakelat_latency_max_seconds", "gauge", "Longest latency since the start.");
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++)
		if (is_used(s))
			of_state(out, export, "wakelat_latency_max_seconds", s, probe_hist(s)->max / 1e9);
	metrics_head(out, "wakelat_tainted", "counter", "Wake-ups that something other than the source's event may have caused.");
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++)
		if (is_used(s))
			of_state(out, export, "wakelat_tainted_total", s, probe_hist(s)->tainted);
	metrics_head(out, "wakelat_waking_seconds", "counter", "Time that CPUs spent waking up, including tainted wake-ups.");
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++)
		if (is_used(s)) {
			double ns = (double)probe_hist(s)->sum + probe_hist(s)->tainted_sum;

			of_state(out, export, "wakelat_waking_seconds_total", s, ns / 1e9);
			lost += ns;
		}
	metrics_head(out, "wakelat_waking_ratio", "gauge", "Share of the measured CPUs' time that they spent waking up, since the start.");
	fprintf(out, "wakelat_waking_ratio{source=\"%s\"} %.9g\n", export->source,
		lost / elapsed / export->nr_cpus);
}

static void cpus(FILE *out, const struct export *export)
{
	metrics_head(out, "wakelat_idle_periods", "counter", "Idle periods, whatever ended them.");
	for (int i = 0; i < export->nr_cpus; i++)
		fprintf(out, "wakelat_idle_periods_total{cpu=\"%d\"} %llu\n", export->cpus[i],
			(unsigned long long)probe_counts(export->cpus[i])->periods);
	metrics_head(out, "wakelat_samples", "counter", "Idle periods that an event of the source ended.");
	for (int i = 0; i < export->nr_cpus; i++)
		fprintf(out, "wakelat_samples_total{cpu=\"%d\"} %llu\n", export->cpus[i],
			(unsigned long long)probe_counts(export->cpus[i])->samples);
}

uint64_t export_write(const struct export *export, uint64_t elapsed_ns)
{
	/* The collector reads only *.prom, so it does not see the temporary file. */
	FILE *out = metrics_begin(export->file);
	uint64_t alarms = above_alarm(export);

	metrics_head(out, "wakelat_info", "gauge", "What is measured; machine guest: contains the hypervisor's latency.");
	fprintf(out, "wakelat_info{source=\"%s\",machine=\"%s\"} 1\n", export->source, export->machine);
	states(out, export, elapsed_ns);
	cpus(out, export);
	if (export->alarm_ns) {
		metrics_head(out, "wakelat_alarms", "counter", "Samples that exceeded the limit.");
		fprintf(out, "wakelat_alarms_total{limit_seconds=\"%.9g\"} %llu\n", export->alarm_ns / 1e9,
			(unsigned long long)alarms);
	}
	metrics_end(out, export->file);
	return alarms;
}
