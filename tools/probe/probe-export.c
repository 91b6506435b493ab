// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "hist.h"
#include "metrics.h"
#include "options.h"
#include "plain.h"
#include "probe-bpf.h"
#include "probe-export.h"

/*
 * Bounds of the exported buckets. They are powers of two, which are also bounds of probe_hist's buckets. So the counts
 * are exact, and counts of several machines can be added.
 */
#define FIRST_BOUND 8	/* 2^8 ns */
#define LAST_BOUND 30

/* The samples of states with one name: some firmware uses a name twice. */
static struct named {
	char name[64];
	struct probe_hist hist;
} named[PROBE_MAX_STATES];
static unsigned int nr_named;

/* Copy the counts once, because the BPF program may change them concurrently. */
static void copy_counts(void)
{
	nr_named = 0;
	for (unsigned int s = 0; s < PROBE_MAX_STATES; s++) {
		const struct probe_hist *hist = probe_hist(s);
		struct named *next = &named[nr_named];
		struct probe_hist *sum;
		unsigned int i = 0;

		if (!hist_n(hist) && !hist->tainted)
			continue;
		memset(next, 0, sizeof(*next));
		snprintf(next->name, sizeof(next->name), "%s", state_name(s));
		make_plain(next->name);
		while (strcmp(named[i].name, next->name))
			i++;
		nr_named += i == nr_named;
		sum = &named[i].hist;
		for (unsigned int k = 0; k <= PROBE_BUCKETS; k++)
			sum->bucket[k] += hist->bucket[k];
		sum->sum += hist->sum;
		sum->max = hist->max > sum->max ? hist->max : sum->max;
		sum->tainted += hist->tainted;
		sum->tainted_sum += hist->tainted_sum;
	}
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

static void histogram(const char *source, const struct named *state)
{
	__u64 all = hist_n(&state->hist);
	char bound[32];

	for (int bits = FIRST_BOUND; bits <= LAST_BOUND; bits++) {
		snprintf(bound, sizeof(bound), "%.9g", ldexp(1e-9, bits));
		metrics_add(below(&state->hist, ldexp(1, bits)), "_bucket", "source", source, "state", state->name, "le", bound, NULL);
	}
	metrics_add(all, "_bucket", "source", source, "state", state->name, "le", "+Inf", NULL);
	metrics_add(state->hist.sum / 1e9, "_sum", "source", source, "state", state->name, NULL);
	metrics_add(all, "_count", "source", source, "state", state->name, NULL);
}

static void quantiles(const char *source, const struct named *state)
{
	static const unsigned int per_mille[] = { 500, 900, 990, 999 };
	char p[16];

	for (size_t i = 0; i < sizeof(per_mille) / sizeof(per_mille[0]); i++) {
		double ns = hist_quantile(&state->hist, per_mille[i]);

		snprintf(p, sizeof(p), "%g", per_mille[i] / 10.0);
		if (ns >= 0)
			metrics_add(ns / 1e9, "", "source", source, "state", state->name, "percentile", p, NULL);
	}
}

static __u64 above_alarm(uint64_t alarm_ns)
{
	__u64 n = 0;
	double low, high;

	for (unsigned int s = 0; alarm_ns && s < nr_named; s++)
		for (unsigned int i = 0; i <= PROBE_BUCKETS; i++) {
			hist_bucket(i, &low, &high);
			if (low >= alarm_ns)
				n += named[s].hist.bucket[i];
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
static void by_state(const char *metric, enum metric_type type, const char *help,
		     const char *source, double (*value)(const struct probe_hist *hist))
{
	metrics_family(metric, type, help);
	for (unsigned int s = 0; s < nr_named; s++)
		metrics_add(value(&named[s].hist), "", "source", source, "state", named[s].name, NULL);
}

static void states(const char *source, double elapsed, int nr_cpus)
{
	double waking = 0;

	metrics_family("wakelat_latency_seconds", METRIC_HISTOGRAM,
		       "Latency of wake-ups from idle states, without tainted ones.");
	for (unsigned int s = 0; s < nr_named; s++)
		histogram(source, &named[s]);
	metrics_family("wakelat_latency_quantile_seconds", METRIC_GAUGE,
		       "Quantiles of all latencies since the start, if there are enough samples.");
	for (unsigned int s = 0; s < nr_named; s++)
		quantiles(source, &named[s]);
	by_state("wakelat_latency_max_seconds", METRIC_GAUGE, "Longest latency since the start.",
		 source, longest_s);
	by_state("wakelat_tainted", METRIC_COUNTER,
		 "Wake-ups that something other than the source's event may have caused.",
		 source, tainted);
	by_state("wakelat_waking_seconds", METRIC_COUNTER,
		 "Time that CPUs spent waking up, including tainted wake-ups.",
		 source, waking_s);
	for (unsigned int s = 0; s < nr_named; s++)
		waking += waking_ns(&named[s].hist);
	metrics_family("wakelat_waking_ratio", METRIC_GAUGE,
		       "Share of the measured CPUs' time that they spent waking up, since the start.");
	metrics_add(waking / elapsed / nr_cpus, "", "source", source, NULL);
}

/* Write METRIC, which has a VALUE for each CPU. */
static void by_cpu(const char *metric, const char *help, const int *cpus, int nr_cpus,
		   double (*value)(const struct probe_counts *counts))
{
	char cpu[16];

	metrics_family(metric, METRIC_COUNTER, help);
	for (int i = 0; i < nr_cpus; i++) {
		snprintf(cpu, sizeof(cpu), "%d", cpus[i]);
		metrics_add(value(&probe_cpu(cpus[i])->counts), "", "cpu", cpu, NULL);
	}
}

static double periods(const struct probe_counts *counts) { return counts->periods; }
static double samples(const struct probe_counts *counts) { return counts->samples; }

uint64_t export_write(const char *source, const int *cpus, int nr_cpus, uint64_t alarm_ns,
		      uint64_t elapsed_ns)
{
	__u64 alarms, lost = 0;
	char limit[32];

	copy_counts();
	alarms = above_alarm(alarm_ns);
	metrics_begin(options.export);
	metrics_family("wakelat_info", METRIC_GAUGE, "What is measured; machine guest: contains the hypervisor's latency.");
	metrics_add(1, "", "source", source, "machine", options.machine, NULL);
	states(source, elapsed_ns, nr_cpus);
	by_cpu("wakelat_idle_periods", "Idle periods, whatever ended them.", cpus, nr_cpus, periods);
	by_cpu("wakelat_samples", "Idle periods that an event of the source ended.", cpus, nr_cpus, samples);
	if (alarm_ns) {
		snprintf(limit, sizeof(limit), "%.9g", alarm_ns / 1e9);
		metrics_family("wakelat_alarms", METRIC_COUNTER, "Samples that exceeded the limit.");
		metrics_add(alarms, "", "limit_seconds", limit, NULL);
	}
	for (int i = 0; i < nr_cpus; i++)
		lost += probe_cpu(cpus[i])->counts.lost;
	metrics_lost(source, lost);
	metrics_end();
	return alarms;
}
