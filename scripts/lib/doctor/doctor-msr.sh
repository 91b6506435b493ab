# SPDX-License-Identifier: GPL-2.0
# doctor-msr.sh - checks of model-specific registers (MSRs) of Intel's CPUs.
# shellcheck shell=sh
#
# Sources: Intel SDM vol. 4 and the kernel's arch/x86/include/asm/msr-index.h and intel_idle.c (POWER_CTL bit 1;
# PKG_CST_CONFIG_CONTROL bits 25, 26), tools/power/x86/turbostat (package limits by model, SMI count),
# the manual of pepc (POWER_CTL bit 30).
#
# Needs doctor.sh.

# Variables that other files set:
: "${root?sysfs.sh}" "${cpu_vendor?doctor-machine.sh}" "${cpu_family?doctor-machine.sh}" \
	"${cpu_model_number?doctor-machine.sh}"

# See read_msr.
msr_low=
msr_high=

check_msrs() {
	[ "$cpu_vendor" = GenuineIntel ] && [ "$cpu_family" = 6 ] || return 0
	msr_file=/dev/cpu/$1/msr
	if [ ! -e "$root$msr_file" ]; then
		finding msr "cpu$1" unknown - "$msr_file does not exist: C1E promotion, demotion, pre-wake, package limit and SMIs are not known" \
			"modprobe msr" "rmmod msr"
		return
	fi
	if [ ! -r "$root$msr_file" ]; then
		finding msr "cpu$1" unknown - "$msr_file cannot be read: C1E promotion, demotion, pre-wake, package limit and SMIs are not known: run as root"
		return
	fi
	check_power_ctl "$1"
	check_package_limit "$1"
	check_smi_count "$1"
}

# read_msr CPU NUMBER: sets $msr_low and $msr_high to 32 bits each. Fails if there is no such
# register.
read_msr() {
	read -r msr_first msr_second <<END
$(dd if="$root/dev/cpu/$1/msr" bs=8 count=1 iflag=skip_bytes skip="$(($2))" 2>/dev/null | od -An -v -tx4)
END
	[ -n "$msr_second" ] || return 1
	msr_low=$((0x$msr_first))
	msr_high=$((0x$msr_second))
}

# msr_text HIGH LOW: prints the register in hexadecimal, as msr-tools do
msr_text() {
	if [ "$1" -eq 0 ]; then
		printf '0x%x\n' "$2"
	else
		printf '0x%x%08x\n' "$1" "$2"
	fi
}

# msr_bit_finding CHECK CPU NUMBER BIT WANTED SEVERITY TEXT_IF_NOT TEXT_IF: adds a finding about one
# bit of the register that was read last
msr_bit_finding() {
	msr_bit=$(((msr_low >> $4) & 1))
	if [ "$msr_bit" -eq "$5" ]; then
		finding "$1" "cpu$2" ok "$msr_bit" "$8 (MSR $3 bit $4)"
		return
	fi
	finding "$1" "cpu$2" "$6" "$msr_bit" "$7 (MSR $3 bit $4)" \
		"wrmsr -p $2 $3 $(msr_text "$msr_high" "$((msr_low ^ (1 << $4)))")" \
		"wrmsr -p $2 $3 $(msr_text "$msr_high" "$msr_low")"
}

# Check POWER_CTL. The bit of pre-wake is documented, but not the models that have it. On a model
# that is not known to have it, the finding is a note and not a doubt.
check_power_ctl() {
	read_msr "$1" 0x1fc || return 0
	msr_bit_finding c1e_promotion "$1" 0x1fc 1 0 doubt \
		"C1E promotion is on: requests for C1 enter C1E" "C1E promotion is off"
	case $cpu_model_number in
	# Ice Lake, Sapphire Rapids, Emerald Rapids, Granite Rapids servers
	106 | 108 | 143 | 207 | 173 | 174) prewake_severity=doubt ;;
	*) prewake_severity=note ;;
	esac
	msr_bit_finding prewake "$1" 0x1fc 30 1 "$prewake_severity" \
		"C-state pre-wake is not switched off: a CPU that has pre-wake wakes up before its timer expires, so only a device (source i210) shows the whole latency" \
		"C-state pre-wake is off"
}

# Check PKG_CST_CONFIG_CONTROL.
check_package_limit() {
	read_msr "$1" 0xe2 || return 0
	package_limit_name "$((msr_low & 15))"
	package_text="deepest package state allowed: $package_limit"
	[ $(((msr_low >> 15) & 1)) -eq 0 ] || package_text="$package_text, locked by the firmware"
	case $package_limit in
	unlimited | PC6* | PC7* | PC8 | PC9 | PC10) package_severity=ok ;;
	unknown*) package_severity=unknown ;;
	*) package_severity=note ;;
	esac
	finding package_limit "cpu$1" "$package_severity" "$package_limit" \
		"$package_text (MSR 0xe2 is $(msr_text "$msr_high" "$msr_low"))" "in the firmware's setup" "there as well"
	msr_bit_finding c3_demotion "$1" 0xe2 25 0 doubt \
		"demotion to C3 is on: requests for a deeper state may enter C3" "demotion to C3 is off"
	msr_bit_finding c1_demotion "$1" 0xe2 26 0 doubt \
		"demotion to C1 is on: requests for a deeper state may enter C1" "demotion to C1 is off"
}

# package_limit_name CODE: sets $package_limit. The code's meaning depends on the model.
package_limit_name() {
	package_code=$1
	case $cpu_model_number in
	# Nehalem, Westmere
	26 | 30 | 31 | 46 | 37 | 44 | 47) set -- PC0 PC1 PC3 PC6 PC7 ;;
	# Sandy Bridge, Ivy Bridge
	42 | 45 | 58 | 62) set -- PC0 PC2 PC6N PC6R PC7 PC7S - unlimited ;;
	# Haswell, Broadwell, and clients from Skylake on
	60 | 63 | 69 | 70 | 61 | 71 | 79 | 86 | 78 | 94 | 142 | 158 | 165 | 166 | 102 | 125 | 126 | 140 | 141 | 151 | 154)
		set -- PC0 PC2 PC3 PC6 PC7 PC7S PC8 PC9 unlimited
		;;
	# Skylake, Cascade Lake; Sapphire Rapids, Emerald Rapids servers
	85 | 143 | 207) set -- PC0 PC2 PC6N PC6R - - - unlimited ;;
	# Ice Lake servers
	106 | 108) set -- PC0 PC2 PC6 PC6 - - - unlimited ;;
	*) set -- ;;
	esac
	package_limit="unknown (code $package_code)"
	[ "$package_code" -lt $# ] || return 0
	shift "$package_code"
	[ "$1" = - ] || package_limit=$1
}

# The register counts SMIs since reset, also those while the firmware starts. To find SMIs that still
# come, `doctor` reads it twice (watch in doctor-users.sh).
check_smi_count() {
	read_msr "$1" 0x34 || return 0
	smi_count=$msr_low
	finding smi_count "cpu$1" ok "$smi_count" "$smi_count SMIs since reset (MSR 0x34)"
}
