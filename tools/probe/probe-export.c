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

/* Write METRIC and its labels, but not the end of the labels. */
static void put_labels(FILE *out, const char *metric, const char *source, unsigned int state)
{
	fprintf(out, "%s{source=\"%s\",state=\"%s\"", metric, source,
		metrics_label(state_name(state)));
}

static void histogram(FILE *out, const char *source, unsigned int state)
{
	/* The BPF programs may change the counts concurrently: copy them once. */
	const struct probe_hist hist = *probe_hist(state);
	__u64 all = hist_n(&hist);

	for (int bits = FIRST_BOUND; bits <= LAST_BOUND; bits++) {
		put_labels(out, "wakelat_latency_seconds_bucket", source, state);
		fprintf(out, ",le=\"%.9g\"} %llu\n", ldexp(1e-9, bits),
			below(&hist, ldexp(1, bits)));
	}
	put_labels(out, "wakelat_latency_seconds_bucket", source, state);
	fprintf(out, ",le=\"+Inf\"} %llu\n", all);
	put_labels(out, "wakelat_latency_seconds_sum", source, state);
	fprintf(out, "} %.9f\n", hist.sum / 1e9);
	put_labels(out, "wakelat_latency_seconds_count", source, state);
	fprintf(out, "} %llu\n", all);
}

static void quantiles(FILE *out, const char *source, unsigned int state)
{
	static const unsigned int per_mille[] = { 500, 900, 990, 999 };

	for (size_t i = 0; i < sizeof(per_mille) / sizeof(per_mille[0]); i++) {
		double ns = hist_quantile(probe_hist(state), per_mille[i]);

		if (ns < 0)
			continue;
		put_labels(out, "wakelat_latency_quantile_seconds", source, state);
		fprintf(out, ",quantile=\"%g\"} %.9f\n", per_mille[i] / 1000.0, ns / 1e9);
	}
}

static __u64 above_alarm(uint64_t alarm_ns)
{
	__u64 n = 0;
	double low, high;

	for (unsigned int s = 0; alarm_ns && s < PROBE_MAX_STATES; s++)
		for (unsigned int i = 0; i <= PROBE_BUCKETS; i++) {
			hist_bucket(i, &low, &high);
			if (low >= alarm_ns)
				n += probe_hist(s)->bucket[i];
		}
	return n;
}

static double longest_s(const struct probe_hist *hist) { return hist->max / 1e9; }
static double tainted(const struct probe_hist *hist) { return hist->tainted; }
static double waking_ns(const struct probe_hist *hist)
{
	return (double)hist->sum + hist->tainted_sum;
}

static double waking_s(const struct probe_hist *hist) { return waking_ns(hist) / 1e9; }

/* Write METRIC, which has a VALUE for each state. */
static void by_state(FILE *out, const char *metric, const char *type, const char *help,
		     const char *source, double (*value)(const struct probe_hist *hist))
{
	char name[80];

	metrics_head(out, metric, type, help);
	snprintf(name, sizeof(name), "%s%s", metric, strcmp(type, "counter") ? "" : "_total");
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++) {
		if (!is_used(s))
			continue;
		put_labels(out, name, source, s);
		fprintf(out, "} %.9g\n", value(probe_hist(s)));
	}
}

static void states(FILE *out, const char *source, double elapsed, int nr_cpus)
{
	double lost = 0;

	metrics_head(out, "wakelat_latency_seconds", "histogram",
		     "Latency of wake-ups from idle states, without tainted ones.");
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++)
		if (is_used(s))
			histogram(out, source, s);
	metrics_head(out, "wakelat_latency_quantile_seconds", "gauge",
		     "Quantiles of all latencies since the start, if there are enough samples.");
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++)
		if (is_used(s))
			quantiles(out, source, s);
	by_state(out, "wakelat_latency_max_seconds", "gauge", "Longest latency since the start.",
		 source, longest_s);
	by_state(out, "wakelat_tainted", "counter",
		 "Wake-ups that something other than the source's event may have caused.",
		 source, tainted);
	by_state(out, "wakelat_waking_seconds", "counter",
		 "Time that CPUs spent waking up, including tainted wake-ups.",
		 source, waking_s);
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++)
		lost += waking_ns(probe_hist(s));
	metrics_head(out, "wakelat_waking_ratio", "gauge",
		     "Share of the measured CPUs' time that they spent waking up, since the start.");
	fprintf(out, "wakelat_waking_ratio{source=\"%s\"} %.9g\n", source,
		lost / elapsed / nr_cpus);
}

uint64_t export_write(const char *source, const int *cpus, int nr_cpus, uint64_t alarm_ns,
		      uint64_t elapsed_ns)
{
	/* The collector reads only *.prom, so it does not see the temporary file. */
	FILE *out = outfile_begin_stream(options.export);
	__u64 alarms = above_alarm(alarm_ns);

	metrics_head(out, "wakelat_info", "gauge", "What is measured; machine guest: contains the hypervisor's latency.");
	fprintf(out, "wakelat_info{source=\"%s\",machine=\"%s\"} 1\n", source, options.machine);
	states(out, source, elapsed_ns, nr_cpus);
	metrics_head(out, "wakelat_idle_periods", "counter", "Idle periods, whatever ended them.");
	for (int i = 0; i < nr_cpus; i++)
		fprintf(out, "wakelat_idle_periods_total{cpu=\"%d\"} %llu\n", cpus[i],
			probe_cpu(cpus[i])->counts.periods);
	metrics_head(out, "wakelat_samples", "counter", "Idle periods that an event of the source ended.");
	for (int i = 0; i < nr_cpus; i++)
		fprintf(out, "wakelat_samples_total{cpu=\"%d\"} %llu\n", cpus[i],
			probe_cpu(cpus[i])->counts.samples);
	if (alarm_ns) {
		metrics_head(out, "wakelat_alarms", "counter", "Samples that exceeded the limit.");
		fprintf(out, "wakelat_alarms_total{limit_seconds=\"%.9g\"} %llu\n",
			alarm_ns / 1e9, alarms);
	}
	metrics_end(out, options.export);
	return alarms;
}
