/* SPDX-License-Identifier: GPL-2.0 */
/* The columns of samples.tsv that every source has. */
#ifndef WAKELAT_SAMPLES_H
#define WAKELAT_SAMPLES_H

#define SAMPLES_HEADER \
	"run\tcpu\tsource\tstate\tseq\tldist\tltime\ttbi\ttai\ttintr\tsilent_time\t" \
	"wake_latency\tintr_latency\tirqs_on\ttaint\ttbi_cyc\ttai_cyc\ttintr_cyc\n"

#endif
