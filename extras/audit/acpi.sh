# SPDX-License-Identifier: GPL-2.0
# acpi.sh - evaluates the idle states in ACPI tables with acpiexec, in a cage, and prints a row for each
# state. The tables of one machine are loaded together, as the kernel does.
# shellcheck shell=sh
#
# Needs message.sh, cage.sh, states.sh.

# Variables that other files set:
: "${audit_lib?the command}" "${audit_work?cage.sh}" "${audit_acpiexec?cage.sh}"

# What the kernel tells _OSC and _PDC of each processor: arch_acpi_set_proc_cap_bits() in
# arch/x86/include/asm/acpi.h, with all bits that an Intel CPU can have (EST, HWP, MWAIT). The UUID of
# _OSC is 4077A616-290C-47BE-9EBD-D87058713953 (drivers/acpi/acpi_processor.c).
acpi_bits='BF 1B 00 00'
acpi_uuid='16 A6 77 40 0C 29 BE 47 9E BD D8 70 58 71 39 53'

acpi_find='find _CST
find _LPI
find _PDC
find _OSC'

acpi_tables=0
acpi_name=
acpi_damaged=

# acpi_table FILE [ANYWAY]: keeps a table for states_of_acpi, whose first four bytes are DSDT or SSDT. If
# its length or its checksum is wrong, prints a row instead. ANYWAY: ignores the checksum, as the kernel
# does.
acpi_table() {
	need_program "$audit_acpiexec" acpica-tools "ACPI tables (acpiexec)"
	mkdir -p "$audit_work/acpi"
	acpi_copy=$audit_work/acpi/$((acpi_tables + 1)).aml
	cat <"$1" >"$acpi_copy" || die "$1: cannot be copied to $audit_work"
	acpi_fault=$(od -An -v -tu1 "$acpi_copy" | awk -v anyway="${2-}" '
		{ for (i = 1; i <= NF; i++) { sum += $i; if (n >= 4 && n < 8) size += $i * 256 ^ (n - 4); n++ } }
		END {
			if (n < 36 || n != size)
				printf "it has %d bytes, its header says %d", n, size
			else if (sum % 256 && anyway == "")
				print "its checksum is wrong"
		}')
	if [ -n "$acpi_fault" ]; then
		rm "$acpi_copy"
		acpi_damaged=$1': damaged: '$acpi_fault
		unread_row acpi "$1" "damaged: $acpi_fault"
		return
	fi
	acpi_signature=$(head -c 4 "$acpi_copy")
	if [ "$acpi_signature" = DSDT ]; then
		[ ! -e "$audit_work/acpi/dsdt" ] || die "$1: a second DSDT: name the tables of one machine at a time"
		: >"$audit_work/acpi/dsdt"
	fi
	acpi_tables=$((acpi_tables + 1))
	printf '%s\n' "$1" >"$acpi_copy.name"
	[ -n "$acpi_name" ] && [ "$acpi_signature" != DSDT ] || acpi_name=$1
}

# acpi_run FILL COMMANDS OUTPUT TABLE...: writes the output of acpiexec, with the firmware's memory filled
# with FILL. COMMANDS are lines (acpiexec -b takes only 1,023 bytes). Fails if acpiexec was stopped or
# crashed, or if the time for all tables is over.
acpi_run() {
	acpi_fill=$1
	acpi_commands=$2
	acpi_output=$3
	shift 3
	[ "$(date +%s)" -lt "$acpi_end" ] || {
		printf 'cage: the 30 s for all tables are over\n' >"$acpi_output.said"
		return 1
	}
	caged "$audit_work/acpi" "$audit_acpiexec" -di -to 1 -fv "$acpi_fill" "$@" >"$acpi_output.raw" 2>"$acpi_output.said" <<END || return
$acpi_commands
quit
END
	# acpiexec catches its own crashes, and exits with status 0.
	! grep -a '^ACPI Exec: ' "$acpi_output.raw" >"$acpi_output.said" || return
	# Remove the prompts.
	sed 's/^\(- \)*//' "$acpi_output.raw" >"$acpi_output"
}

# acpi_loads TABLE...: succeeds if acpiexec can load them together
acpi_loads() {
	acpi_run 0 "$acpi_find" "$audit_work/found" "$@" &&
		grep -aq 'AML tables successfully acquired' "$audit_work/found"
}

# acpi_why: prints why acpiexec has not loaded a table
acpi_why() {
	grep -a '^cage: ' "$audit_work/found.said" | said_in - | grep -v '^no reason' ||
		grep -aiE 'error|invalid|fail|truncat' "$audit_work/found" "$audit_work/found.said" -h | said_in -
}

# acpi_states COMMANDS TABLE...: prints the states of the objects that COMMANDS evaluate. Fails if acpiexec does.
acpi_states() {
	acpi_wanted=$1
	shift
	for acpi_fill in 0 0x5a 0xff; do
		acpi_run "$acpi_fill" "$acpi_wanted" "$audit_work/evaluated" "$@" || return
		awk -v origin="$acpi_name" -f "$audit_lib/acpi.awk" "$audit_work/evaluated" >"$audit_work/evaluated-$acpi_fill"
	done
	# Compare the states of each object. Print those of the first evaluation.
	awk -F '\t' -v OFS='\t' '
		FNR == 1 { file++ }
		file < 4 { rows[file, $2] = rows[file, $2] $0 RS; next }
		$19 == "-" && (rows[1, $2] != rows[2, $2] || rows[1, $2] != rows[3, $2]) {
			n = split(rows[2, $2] rows[3, $2], line, RS)
			same = 0
			for (i = 1; i <= n; i++)
				same += line[i] == $0
			if (same < 2 || gsub(RS, RS, rows[1, $2]) * 2 != n - 1) {
				$7 = $8 = $12 = "-"
				$19 = "firmware_memory"
			}
		}
		{ print }' "$audit_work/evaluated-0" "$audit_work/evaluated-0x5a" "$audit_work/evaluated-0xff" "$audit_work/evaluated-0"
}

# states_of_acpi [NAME]: prints the states of _CST and _LPI in the tables that acpi_table has kept. NAME is
# instead of the name of the DSDT. First
# evaluates _OSC and _PDC of the processors, because _CST may depend on them. A value that depends on
# the content of the firmware's memory is unknown: the objects are evaluated three times, with
# different contents.
states_of_acpi() {
	[ "$acpi_tables" -gt 0 ] || die "$acpi_damaged"
	need_cage
	acpi_name=${1:-$acpi_name}
	acpi_end=$(($(date +%s) + 30))
	rm -f "$audit_work/acpi/dsdt"
	set --
	acpi_nr=0
	while [ "$((acpi_nr += 1))" -le "$acpi_tables" ]; do
		set -- "$@" "$acpi_nr.aml"
	done
	acpi_loads "$@" || {
		[ $# -gt 1 ] || die "$acpi_name: acpiexec cannot load it: $(acpi_why)"
		# Leave out the tables that cannot be loaded with the DSDT.
		acpi_all=$*
		acpi_dsdt=$(cd "$audit_work/acpi" && grep -l '^DSDT' -- *.aml)
		set -- ${acpi_dsdt:+"$acpi_dsdt"}
		for acpi_nr in $acpi_all; do
			[ "$acpi_nr" != "$acpi_dsdt" ] || continue
			if acpi_loads ${acpi_dsdt:+"$acpi_dsdt"} "$acpi_nr"; then
				set -- "$@" "$acpi_nr"
			else
				unread_row acpi "$(cat "$audit_work/acpi/$acpi_nr.name")" "acpiexec cannot load it: $(acpi_why)"
			fi
		done
		[ $# -gt 0 ] && acpi_loads "$@" || {
			unread_row acpi "$acpi_name" "acpiexec cannot load the tables: $(acpi_why)"
			return
		}
	}
	acpi_missing=$(sed -n 's/.*Could not resolve symbol \[\([^]]*\)\].*/\1/p' "$audit_work/found" | sort -u |
		awk 'NR <= 3 { printf "%s%s", (NR > 1 ? ", " : ""), $0 } END { if (NR > 3) printf " and %d more", NR - 3 }')
	# Call _OSC and _PDC below the parents of these objects only: a PCI bus has an _OSC, too.
	acpi_calls=$(awk -v bits="$acpi_bits" -v uuid="$acpi_uuid" '
		$1 ~ /^\\.*\._(CST|LPI|PDC|OSC)$/ {
			parent = substr($1, 1, length($1) - 5)
			name = substr($1, length($1) - 3)
			has[parent, name] = 1
			if (!seen[parent]++)
				parents[++n] = parent
		}
		END {
			for (i = 1; i <= n; i++) {
				parent = parents[i]
				if (!((parent, "_CST") in has || (parent, "_LPI") in has || (parent, "_PDC") in has))
					continue
				if ((parent, "_OSC") in has)
					printf "evaluate %s._OSC (%s) 1 2 (00 00 00 00 %s)\n", parent, uuid, bits
				if ((parent, "_PDC") in has)
					printf "evaluate %s._PDC (01 00 00 00 01 00 00 00 %s)\n", parent, bits
			}
		}' "$audit_work/found")
	# These calls may load tables.
	[ -z "$acpi_calls" ] || acpi_run 0 "$acpi_calls
$acpi_find" "$audit_work/found" "$@"
	acpi_objects=$(awk '$1 ~ /^\\.*\._(CST|LPI)$/ { print "evaluate", $1 }' "$audit_work/found")
	if [ -n "$acpi_missing" ]; then
		[ -n "$acpi_objects" ] || [ "$acpi_tables" -gt 1 ] ||
			die "$acpi_name: needs other tables ($acpi_missing): name the DSDT and all SSDTs of the machine"
		unread_row acpi "$acpi_name" "parts of the tables: they need $acpi_missing, which no table has: name the DSDT and all SSDTs of the machine"
	fi
	[ -n "$acpi_objects$acpi_calls" ] || return 0
	acpi_objects="$acpi_calls
$acpi_objects"
	acpi_states "$acpi_objects" "$@" || {
		# Something has stopped acpiexec: evaluate each processor alone.
		printf '%s\n' "$acpi_objects" | sed -n 's/^evaluate \([^ ]*\)\._[A-Z]* *.*/\1/p' | sort -u >"$audit_work/parents"
		while IFS= read -r acpi_parent; do
			acpi_states "$(printf '%s\n' "$acpi_objects" | awk -v parent="$(printf '%s' "$acpi_parent" | sed 's/\\/&&/g')" \
				'index($2, parent "._") == 1')" "$@" ||
				unread_row acpi "$acpi_parent" "$acpi_name: its idle states cannot be evaluated: $(said_in "$audit_work/evaluated.said")"
		done <"$audit_work/parents"
	}
}
