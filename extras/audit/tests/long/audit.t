#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat audit of the kernels that the series supports: audit finds each state, reads the tables of
# intel_idle as the compiler does, and results/audit/make makes the files in results/audit.
# needs: source
# takes: minutes
. "$(dirname "$0")/../../../../tests/lib/tap.sh"

wakelat=$top/scripts/wakelat
for program in dtc cpp; do
	command -v "$program" >/dev/null || bail "$program is missing: scripts/dev/packages audit"
done
cd "$tmp" || exit 1
ok "results/audit/make succeeds" "$top/results/audit/make" "$tmp/out"
for file in summary linux-6.12 linux-7.3; do
	same "out/$file.tsv" "$top/results/audit/$file.tsv" "results/audit/$file.tsv is reproduced"
done

# compiled TREE: compile the tables of intel_idle and print them, sorted. A line is TABLE STATE LATENCY RESIDENCY,
# or TABLE MODEL for each CPU model that uses the table.
compiled() {
	source=$1/drivers/idle/intel_idle.c
	{
		printf '#include <stdio.h>\n#define __initdata\n#define __initconst\n#define bool int\n#define true 1\n#define NULL ((void *)0)\n'
		printf 'static int nothing;\n#define MWAIT2flg(hint) ((hint) << 24)\n#define X86_VENDOR_INTEL 0\n#define VFM_MAKE(v, f, m) ((f) << 8 | (m))\n'
		printf '#define X86_FAMILY_ANY 0\n#define X86_MODEL_ANY 0\n#define X86_MATCH_VFM(model, data) { model, data }\n#define BIT(n) (1 << (n))\n'
		grep -ohE '\b(CPUIDLE_FLAG_[A-Z_]+|[A-Z]+_AUTO_[A-Z_]+|ATM_[A-Z0-9_]+|NHM_[A-Z0-9_]+|SNB_[A-Z0-9_]+)\b' "$source" | sort -u | sed 's/.*/#define & 0/'
		grep -ohE '&?\bintel_idle(_[a-z0-9]+)*\b' "$source" | tr -d '&' | grep -vE '_ids$' | sort -u | sed 's/.*/#define & nothing_at/'
		printf 'static int nothing_at;\n#define enter_s2idle_value 0\n'
		grep -hE '^#define (IFM|INTEL_)' "$1/arch/x86/include/asm/intel-family.h"
		printf 'struct cpuidle_state { const char *name, *desc; unsigned flags, exit_latency, target_residency; void *enter, *enter_s2idle; };\n'
		printf 'struct idle_cpu { struct cpuidle_state *state_table; unsigned long auto_demotion_disable_flags;\n'
		printf 'int byt_auto_demotion_disable_flag, disable_promotion_to_c1e, c1_demotion_supported, use_acpi; };\n'
		sed -n '/^static struct cpuidle_state [a-z0-9_]*\[\]/,/^};/p; /^static const struct idle_cpu [a-z0-9_]* __initconst = {/,/^};/p' "$source" |
			sed 's/\.enter_s2idle = [a-z0-9_]*/.enter_s2idle = 0/; s/\.enter = [^,}]*/.enter = 0/'
		printf 'static const struct { unsigned model; const struct idle_cpu *data; } ids[] = {\n'
		grep -E '^	X86_MATCH_VFM\(INTEL_[A-Z0-9_]+, *	* *&idle_cpu' "$source"
		printf '};\nint main(void)\n{\n	unsigned i;\n	struct cpuidle_state *s;\n'
		sed -n 's/^static struct cpuidle_state \([a-z0-9_]*\)\[\].*/\1/p' "$source" | while IFS= read -r table; do
			printf '	for (s = %s; s->name; s++) printf("%s %%s %%u %%u\\n", s->name, s->exit_latency, s->target_residency);\n' "$table" "$table"
			printf '	for (i = 0; i < sizeof(ids) / sizeof(*ids); i++) if (ids[i].data->state_table == %s) printf("%s %%02x-%%02x\\n", ids[i].model >> 8, ids[i].model & 255);\n' \
				"$table" "$table"
		done
		printf '	return 0;\n}\n'
	} >tables.c
	gcc -w -o tables tables.c && ./tables | sort
}

while read -r kernel states; do
	tree=out/build/$kernel
	run "$wakelat" audit --json "$tree"
	printf '%s\n' "$out" >document
	is "$status" 4 "$kernel: audit finds faults"
	grep -rnE --include='*.dts' --include='*.dtsi' 'compatible = .*(,idle-state[a-z-]*|"domain-idle-state)"' "$tree"/arch/*/boot/dts |
		sed "s|^$tree/||" | cut -d : -f 1,2 | sort -u >sources
	sed -n 's/.*"place": "\([^"]*:[0-9]*\)", "kind": "\(cpu\|domain\)".*/\1/p' document | sort -u >found
	same found sources "$kernel: audit finds each idle state of the device trees"
	is "$(wc -l <found)" "$states" "$kernel: audit finds $states states"
	sed -n 's/.*"kind": "intel_idle", "list": "\([^"]*\)",.*"state": "\([^"]*\)", "latency_us": \([0-9]*\), "residency_us": \([0-9]*\),.*/\1 \2 \3 \4/p' \
		document >parsed
	sed -n 's/.*"kind": "intel_idle", "list": "\([^"]*\)",.*"users": "\([^"]*\)".*/\1 \2/p' document | sort -u | while read -r table models; do
		printf '%s\n' "$models" | tr , '\n' | sed -n "s/.*=/$table /p"
	done >>parsed
	sort parsed >parsed.sorted
	ok "$kernel: the compiler reads the tables" compiled "$tree"
	compiled "$tree" >by-compiler
	same parsed.sorted by-compiler "$kernel: audit reads the same tables and models of intel_idle as the compiler"
done <<END
6.12 213
7.3 268
END
# The README gives this number of violations in Linux 7.3.
is "$(cut -f 1,3 out/linux-7.3.tsv | sed -n 's/^A1	\(arch.*\):[0-9]*/\1/p' | sort | uniq -c | awk '{ n += $1 } END { print n, NR }')" "9 7" \
	"7.3: the latency is above the residency in 9 states of 7 files"
# Measures CPU time, because other processes may run meanwhile.
took=$( (
	"$wakelat" audit out/build/7.3 >/dev/null
	times
) | awk 'NR == 2 { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4) }')
ok "7.3: audit takes less than 60 s of processor time ($took s)" test "${took:-999}" -lt 60
done_testing
