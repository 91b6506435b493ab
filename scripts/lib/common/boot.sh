# SPDX-License-Identifier: GPL-2.0
# boot.sh - what boot parameters do to all idle states.
# shellcheck shell=sh

# See idle_meaning.
idle_means=
idle_severity=
: "$idle_means" "$idle_severity"

# idle_meaning PARAMETER: sets $idle_means to what the boot parameter does to all idle states, and
# $idle_severity to doctor's severity. Fails if it does nothing to them. PARAMETER is NAME=VALUE.
idle_meaning() {
	idle_severity=doubt
	case $1 in
	idle=poll)
		idle_severity=unusable
		idle_means="the CPUs never sleep, they poll"
		;;
	idle=halt) idle_means="HLT is the only idle state" ;;
	idle=*) idle_means="the processor's own idle states are not used" ;;
	cpuidle.off=0) return 1 ;;
	cpuidle.off*)
		idle_severity=unusable
		idle_means="cpuidle is switched off, the CPUs idle by HLT, MWAIT or WFI"
		;;
	*) return 1 ;;
	esac
}
