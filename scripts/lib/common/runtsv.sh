# SPDX-License-Identifier: GPL-2.0
# runtsv.sh - run.tsv, everything about a recording that is not a sample: key TAB value.
# shellcheck shell=sh
#
# The lines are collected in the work directory, which is in memory, and then copied in one step.
#
# Needs sysfs.sh, cpuidle.sh, journal.sh, tracefs.sh, put-file.sh.

# Variables that other files set:
: "${here?the command}" "${cpu_sysfs?cpuidle.sh}" "${default_idle_names?cpuidle.sh}" "${journal_tab?journal.sh}" "${work_dir?journal.sh}" \
	"${wakelat?tracefs.sh}"

# See read_cpu.
cpu_name=
cpu_stepping=
cpu_microcode=
# See find_emulated and read_tsc_khz.
emulated=
tsc_khz=
: "$cpu_name" "$emulated"

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

# read_utc_date: set $utc_date to the time in UTC, or to SOURCE_DATE_EPOCH if that is set
read_utc_date() {
	utc_date=$(date -u ${SOURCE_DATE_EPOCH:+-d "@$SOURCE_DATE_EPOCH"} +%Y-%m-%dT%H:%M:%SZ)
}

# utc_date: print the time in UTC, or SOURCE_DATE_EPOCH
utc_date() {
	read_utc_date
	printf '%s\n' "$utc_date"
}

# read_cpu CPU: set $cpu_name to the name of its model, $cpu_stepping to family, model and stepping,
# as in the names of microcode files (06-55-07), and $cpu_microcode to its microcode revision. On
# arm64, /proc/cpuinfo has numbers instead of a name, which arm-cpu.awk translates.
read_cpu() {
	cpu_lines=$(awk -F '[\t ]*: ' -v cpu="$1" '
		$1 == "processor" { here = ($2 == cpu) }
		here && !($1 in of) { of[$1] = $2 }
		END {
			print of["model name"]
			if ("cpu family" in of && "model" in of && "stepping" in of)
				printf "%02x-%02x-%02x", of["cpu family"], of["model"], of["stepping"]
			print ""
			print of["microcode"]
		}' /proc/cpuinfo)
	{
		IFS= read -r cpu_name
		IFS= read -r cpu_stepping
		IFS= read -r cpu_microcode
	} <<END_CPU
$cpu_lines
END_CPU
	[ -n "$cpu_name" ] || cpu_name=$(awk -v cpu="$1" -f "$here/lib/common/arm-cpu.awk" /proc/cpuinfo)
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

# read_machine_id: set $machine_hash to a hash of an ID that only this machine has, or to nothing.
# The hash only serves to tell machines with the same name apart.
read_machine_id() {
	machine_hash=
	for machine_file in /sys/class/dmi/id/product_uuid /etc/machine-id; do
		{ read -r machine_own <"$machine_file"; } 2>/dev/null && [ -n "$machine_own" ] || continue
		machine_hash=$(printf 'wakelat %s' "$machine_own" | sha256sum 2>/dev/null) || machine_hash=
		machine_hash=${machine_hash%"${machine_hash#????????????????}"}
		break
	done
}

# flagless_guest: succeed if this is a guest on a CPU that has no flag for it (arm64)
flagless_guest() {
	# shellcheck source=scripts/lib/common/hypervisor.sh
	. "$here/lib/common/hypervisor.sh"
	ask_hypervisor
}

# find_emulated: set $emulated to yes in the testbed, whose kernel command line says so, to
# hypervisor in another guest, else to no.
find_emulated() {
	emulated=no
	take_value /proc/cmdline
	case $value_read in
	*wakelat.testbed=*)
		emulated=yes
		return 0
		;;
	esac
	if grep -q '^flags.* hypervisor' /proc/cpuinfo; then
		emulated=hypervisor
	elif ! grep -q '^flags' /proc/cpuinfo && flagless_guest; then
		emulated=hypervisor
	fi
}

guest_note="guest: contains the hypervisor's latency"

# Print the note for titles if this is not a real machine.
machine_words() {
	find_emulated
	case $emulated in
	yes) printf 'emulated\n' ;;
	hypervisor) printf '%s\n' "$guest_note" ;;
	esac
}

machine_kind() {
	find_emulated
	case $emulated in
	yes) printf 'emulated\n' ;;
	hypervisor) printf 'guest\n' ;;
	*) printf 'bare\n' ;;
	esac
}

# read_tsc_khz: set $tsc_khz to the TSC frequency from a patched kernel's status ($status_value), or
# else from the kernel's log. The log's last value is the refined one. Set it to nothing if the log
# no longer has it.
read_tsc_khz() {
	status_value=
	[ -z "$wakelat" ] || [ ! -r "$wakelat/status" ] || read_status clock_khz
	tsc_khz=$status_value
	[ -n "$tsc_khz" ] ||
		tsc_khz=$(dmesg 2>/dev/null | sed -n 's/.*tsc: .* \([0-9][0-9]*\)\.\([0-9]\{3\}\) MHz.*/\1\2/p' | tail -n 1)
}

facts_machine() {
	fact format 1
	read_utc_date
	fact date "$utc_date"
	fact_file hostname /proc/sys/kernel/hostname
	find_emulated
	fact emulated "$emulated"
	# What uname -r prints.
	fact_file kernel /proc/sys/kernel/osrelease
	fact_file kernel_version /proc/sys/kernel/version
	fact_file cmdline /proc/cmdline
	read_cpu "$1"
	fact cpu_model "$cpu_name"
	fact cpu_stepping "$cpu_stepping"
	fact microcode "$cpu_microcode"
	fact_bios
	read_machine_id
	fact machine_id "$machine_hash"
	fact_file driver "$cpu_sysfs/cpuidle/current_driver"
	take_value "$cpu_sysfs/cpuidle/current_governor" || take_value "$cpu_sysfs/cpuidle/current_governor_ro"
	fact governor "$value_read"
	fact_file clocksource /sys/devices/system/clocksource/clocksource0/current_clocksource
	# The clock of the stamps. So far it is always the TSC.
	read_tsc_khz
	[ ! -e "$wakelat/status" ] || fact clock_khz "$status_value"
	fact tsc_khz "$tsc_khz"
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

# facts_counts RUN COUNTS: add the kernel's counts of the run, by CPU
facts_counts() {
	awk -F '\t' -v run="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
		{ for (i = 2; i <= NF; i++) printf "run.%s.cpu%s.%s\t%s\n", run, $1, name[i], $i }
	' "$2" >>"$work_dir/run.tsv"
}

# facts_source RUN SOURCE: add the lines SOURCE.KEY of status, which the source writes about its
# last run. For source i210 the keys have nic instead of source, as in older recordings.
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
		take_value "/sys/devices/system/clockevents/clockevent$facts_cpu/current_device" || continue
		fact "run.$1.cpu$facts_cpu.timer" "$value_read"
	done
}

# facts_characterisation CPU: measure how long it takes to read the clocks, and add the results, if
# tools/bin/timings is there
facts_characterisation() {
	[ -x "$here/../tools/bin/timings" ] || return 0
	"$here/../tools/bin/timings" "$1" >"$work_dir/timings" 2>/dev/null || return 0
	awk -v khz="$tsc_khz" -f "$here/lib/common/characterisation.awk" "$work_dir/timings" >>"$work_dir/run.tsv"
}

# runtsv_write FILE: write the header and all lines so far to FILE.partial
runtsv_write() {
	put_file "$work_dir/run.tsv" "$1.partial" "key${journal_tab}value"
}
