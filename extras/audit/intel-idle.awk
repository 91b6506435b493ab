# SPDX-License-Identifier: GPL-2.0
# intel-idle.awk - arch/x86/include/asm/intel-family.h, if there is one, then drivers/idle/intel_idle.c: convert the
# driver's tables to rows (see states.sh). The column users has the CPU models of a table:
# NAME=FAMILY-MODEL, or NAME if the header does not have its number.

BEGIN { OFS = "\t" }

# Take the CPU models of the header: #define INTEL_SKYLAKE_X IFM(6, 0x55)
FILENAME ~ /intel-family\.h$/ {
	if (/^#define INTEL_[A-Z0-9_]+[ \t]+IFM\(/) {
		split($0, part, /[(,) \t]+/)
		model_of[$2] = sprintf("%02x-%s", part[4], tolower(substr(part[5], 3)))
	}
	next
}

FNR == 1 {
	file = FILENAME
	sub(/^\.\//, "", file)
}

/^static struct cpuidle_state [a-z0-9_]+\[\] __initdata = \{$/ {
	table = $4
	sub(/\[.*/, "", table)
	tables[++tables_n] = table
	next
}

/^\};/ {
	table = ""
	cpu = ""
}

# Return the value of a member: the text after the =, without the comma.
function member(text) {
	sub(/^[^=]*= */, "", text)
	sub(/,.*$/, "", text)
	gsub(/"/, "", text)
	return text
}

table != "" && /^[ \t]*\.name = / {
	i = ++count[table]
	name[table, i] = member($0)
	place[table, i] = file ":" FNR
}

table != "" && /^[ \t]*\.flags = MWAIT2flg\(/ {
	hint[table, i] = $0
	sub(/.*MWAIT2flg\(/, "", hint[table, i])
	sub(/\).*/, "", hint[table, i])
}

table != "" && /^[ \t]*\.exit_latency = / { latency[table, i] = member($0) }
table != "" && /^[ \t]*\.target_residency = / { residency[table, i] = member($0) }

/^static const struct idle_cpu [a-z0-9_]+ __initconst = \{$/ { cpu = $5 }

cpu != "" && /^[ \t]*\.state_table = / { table_of[cpu] = member($0) }

/^[ \t]*X86_MATCH_VFM\(INTEL_/ {
	split($0, part, /[(,) \t&]+/)
	# If the line begins with a blank, the first part is empty.
	at = part[1] == "" ? 3 : 2
	of = part[at + 1] in table_of ? table_of[part[at + 1]] : "-"
	id = part[at] in model_of ? part[at] "=" model_of[part[at]] : part[at]
	models[of] = models[of] (models[of] == "" ? "" : ",") id
	matched++
}

END {
	if (!tables_n || !matched) {
		print "no table of idle states found" >"/dev/stderr"
		exit 1
	}
	for (t = 1; t <= tables_n; t++) {
		table = tables[t]
		for (i = 1; i <= count[table]; i++)
			print file, place[table, i], "intel_idle", table, i, name[table, i], latency[table, i], residency[table, i], \
				"-", "-", "-", hint[table, i], "-", models[table] == "" ? "-" : models[table], "no", "-", "-", "-", "-"
	}
	if (models["-"] != "")
		print file, file, "intel_idle", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", models["-"], "-", "-", "-", "-", "acpi"
}
