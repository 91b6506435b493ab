# SPDX-License-Identifier: GPL-2.0
# runtsv.sh - run.tsv, everything about a recording that is not a sample: key TAB value.
# shellcheck shell=sh
#
# The lines are collected in the work directory, which is in memory, and copied at once.
#
# Needs sysfs.sh, cpuidle.sh, journal.sh, tracefs.sh, place.sh.

# Read here, set there:
: "${here?the command}" "${cpu_sysfs?cpuidle.sh}" "${default_idle_names?cpuidle.sh}" "${journal_tab?journal.sh}" "${work_dir?journal.sh}" \
	"${wakelat?tracefs.sh}"

# See read_cpu_name.
cpu_name=
: "$cpu_name"

# fact KEY VALUE: add a line. "-" is an unknown value. A process is started only if VALUE has a TAB,
# because processes are slow in the testbed.
fact() {
	fact_value=$2
	case $fact_value in
	'') fact_value=- ;;
	*"$journal_tab"*) fact_value=$(printf '%s' "$fact_value" | tr '\t' ' ') ;;
	esac
	printf '%s\t%s\n' "$1" "$fact_value" >>"$work_dir/run.tsv"
}

# fact_file KEY FILE: add a line with the first line of FILE
fact_file() {
	value_read=
	{ IFS= read -r value_read <"$2"; } 2>/dev/null
	fact "$1" "$value_read"
}

utc_date() (
	format=+%Y-%m-%dT%H:%M:%SZ
	if [ -n "${SOURCE_DATE_EPOCH-}" ]; then
		date -u -d "@$SOURCE_DATE_EPOCH" "$format"
	else
		date -u "$format"
	fi
)

# cpuinfo CPU KEY: print the value of KEY from /proc/cpuinfo
cpuinfo() {
	awk -F '[\t ]*: ' -v cpu="$1" -v key="$2" '
		$1 == "processor" { here = ($2 == cpu) }
		here && $1 == key { print $2; exit }' /proc/cpuinfo
}

# read_cpu_name CPU: set $cpu_name to the name of its model. On arm64, /proc/cpuinfo has numbers, which arm-cpu.awk translates.
read_cpu_name() {
	cpu_name=$(cpuinfo "$1" 'model name')
	[ -n "$cpu_name" ] || cpu_name=$(awk -v cpu="$1" -f "$here/lib/common/arm-cpu.awk" /proc/cpuinfo)
}

# cpu_stepping CPU: print family, model and stepping, as in the names of microcode files: 06-55-07
cpu_stepping() {
	awk -F '[\t ]*: ' -v cpu="$1" '
		$1 == "processor" { here = ($2 == cpu) }
		here && ($1 == "cpu family" || $1 == "model" || $1 == "stepping") { n[$1] = $2; seen++ }
		seen == 3 { printf "%02x-%02x-%02x\n", n["cpu family"], n["model"], n["stepping"]; exit }' /proc/cpuinfo
}

# fact_bios: add a line with vendor, version and date of the BIOS
fact_bios() {
	bios=
	for bios_fact in bios_vendor bios_version bios_date; do
		value_read=
		{ read -r value_read <"/sys/class/dmi/id/$bios_fact"; } 2>/dev/null
		bios=$bios${bios:+ }$value_read
	done
	fact bios "$bios"
}

# machine_id: print a hash of an ID that only this machine has. It tells machines with the same name
# apart, and nothing else.
machine_id() (
	for file in /sys/class/dmi/id/product_uuid /etc/machine-id; do
		{ read -r id <"$file"; } 2>/dev/null && [ -n "$id" ] || continue
		hash=$(printf 'wakelat %s' "$id" | sha256sum 2>/dev/null) && printf '%.16s\n' "$hash"
		exit
	done
)

# flagless_guest: succeed if this is a guest on a CPU that has no flag for it (arm64)
flagless_guest() {
	# shellcheck source=scripts/lib/common/hypervisor.sh
	. "$here/lib/common/hypervisor.sh"
	ask_hypervisor
}

# Print yes in the testbed, whose kernel command line says so, hypervisor in another guest, else no.
emulated() {
	if grep -q 'wakelat\.testbed=' /proc/cmdline; then
		printf 'yes\n'
	elif grep -q '^flags.* hypervisor' /proc/cpuinfo; then
		printf 'hypervisor\n'
	elif ! grep -q '^flags' /proc/cpuinfo && flagless_guest; then
		printf 'hypervisor\n'
	else
		printf 'no\n'
	fi
}

guest_note="guest: contains the hypervisor's latency"

# Print the note for titles if this is not a real machine.
machine_words() {
	case $(emulated) in
	yes) printf 'emulated\n' ;;
	hypervisor) printf '%s\n' "$guest_note" ;;
	esac
}

machine_kind() {
	case $(emulated) in
	yes) printf 'emulated\n' ;;
	hypervisor) printf 'guest\n' ;;
	*) printf 'bare\n' ;;
	esac
}

# tsc_khz: print the TSC frequency from a patched kernel's status, or else from the kernel's log.
# The log's last value is the refined one. Print nothing if the log no longer has it.
tsc_khz() {
	[ -z "$wakelat" ] || ! sed -n 's/^clock_khz //p' "$wakelat/status" 2>/dev/null | grep . || return 0
	dmesg 2>/dev/null | sed -n 's/.*tsc: .* \([0-9][0-9]*\)\.\([0-9]\{3\}\) MHz.*/\1\2/p' | tail -n 1
}

facts_machine() {
	fact format 1
	fact date "$(utc_date)"
	fact_file hostname /proc/sys/kernel/hostname
	fact emulated "$(emulated)"
	fact kernel "$(uname -r)"
	fact_file kernel_version /proc/sys/kernel/version
	fact_file cmdline /proc/cmdline
	read_cpu_name "$1"
	fact cpu_model "$cpu_name"
	fact cpu_stepping "$(cpu_stepping "$1")"
	fact microcode "$(cpuinfo "$1" microcode)"
	fact_bios
	fact machine_id "$(machine_id)"
	fact_file driver "$cpu_sysfs/cpuidle/current_driver"
	fact governor "$(read_value "$cpu_sysfs/cpuidle/current_governor" ||
		read_value "$cpu_sysfs/cpuidle/current_governor_ro")"
	fact_file clocksource /sys/devices/system/clocksource/clocksource0/current_clocksource
	# The clock of the stamps. It is always the TSC as yet.
	[ ! -e "$wakelat/status" ] || fact clock_khz "$(sed -n 's/^clock_khz //p' "$wakelat/status")"
	fact tsc_khz "$(tsc_khz)"
}

# facts_states CPU: add its table of states
facts_states() {
	facts_state=0
	while [ -d "$cpu_sysfs/cpu$1/cpuidle/state$facts_state" ]; do
		facts_from=$cpu_sysfs/cpu$1/cpuidle/state$facts_state
		fact_file "state.$facts_state.name" "$facts_from/name"
		fact_file "state.$facts_state.desc" "$facts_from/desc"
		for facts_time in latency residency; do
			value_read=
			{ read -r value_read <"$facts_from/$facts_time"; } 2>/dev/null
			fact "state.$facts_state.${facts_time}_ns" "$((value_read * 1000))"
		done
		fact_file "state.$facts_state.disabled" "$facts_from/disable"
		for facts_count in usage above below; do
			fact_file "state.$facts_state.$facts_count" "$facts_from/$facts_count"
		done
		facts_state=$((facts_state + 1))
	done
	[ "$facts_state" -gt 0 ] || facts_default_idle
}

# facts_default_idle: add the table of states of a kernel without a cpuidle driver
facts_default_idle() {
	printf '%s\n' "$default_idle_names" | awk -v OFS='\t' '{
		state = "state." NR - 1
		print state ".name", $0
		print state ".desc", "no cpuidle driver"
		print state ".latency_ns", "-"
		print state ".residency_ns", "-"
		print state ".disabled", "-"
	}' >>"$work_dir/run.tsv"
}

# facts_counts RUN: add the kernel's counts of the run, by CPU
facts_counts() {
	awk -F '\t' -v run="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
		{ for (i = 2; i <= NF; i++) printf "run.%s.cpu%s.%s\t%s\n", run, $1, name[i], $i }
	' "$work_dir/counts" >>"$work_dir/run.tsv"
}

# facts_source RUN SOURCE: add the lines SOURCE.KEY of status, which the source writes about its
# last run. The lines of source i210 are called nic, as they were first.
facts_source() {
	facts_of=source
	[ "$2" != i210 ] || facts_of=nic
	awk -v run="$1" -v source="$2." -v of="$facts_of" 'index($1, source) == 1 {
		key = substr($1, length(source) + 1); sub(/^[^ ]* /, ""); printf "run.%s.%s.%s\t%s\n", run, of, key, $0
	}' "$wakelat/status" >>"$work_dir/run.tsv"
}

# facts_cpus RUN CPUS: add the name of the timer that interrupts each CPU
facts_cpus() {
	for facts_cpu in $2; do
		facts_timer=$(read_value "/sys/devices/system/clockevents/clockevent$facts_cpu/current_device") || continue
		fact "run.$1.cpu$facts_cpu.timer" "$facts_timer"
	done
}

# facts_characterisation CPU: measure how long it takes to read the clocks, and add the results, if
# tools/bin/timings is there
facts_characterisation() {
	[ -x "$here/../tools/bin/timings" ] || return 0
	"$here/../tools/bin/timings" "$1" >"$work_dir/timings" 2>/dev/null || return 0
	awk -v khz="$(tsc_khz)" -f "$here/lib/common/characterisation.awk" "$work_dir/timings" >>"$work_dir/run.tsv"
}

# runtsv_write FILE: write the header and all lines so far to FILE.partial
runtsv_write() {
	{
		printf 'key\tvalue\n' >"$work_dir/run.whole" &&
			cat "$work_dir/run.tsv" >>"$work_dir/run.whole"
	} 2>/dev/null && put_file "$work_dir/run.whole" "$1.partial"
}
