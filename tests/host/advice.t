#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat verdict --paste: the program for which a text is printed accepts the text and understands it.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
. "$top/tests/lib/advice.sh"
build_tools
cd "$tmp" || exit 1
advice_recording
paste_texts sysfs qos wakeup cpupower tuned systemd udev crio

# /dev/cpu_wakeup_latency of Linux 6.19 takes the same values as /dev/cpu_dma_latency. No kernel of the tests has it.
is "$(sed 1d paste/wakeup)" "$(sed '1d; s/cpu_dma_latency/cpu_wakeup_latency/' paste/qos)" "wakeup: the text differs from qos in the file only"
# CRI-O is not in Debian. Its function convertAnnotationToLatency() takes enable, disable, max_latency:MICROSECONDS.
like "$(cat paste/crio)" '^    cpu-c-states\.crio\.io: "max_latency:10"$' "crio: a latency limit"
like "$(cat paste/crio.0)" '^    cpu-c-states\.crio\.io: "disable"$' "crio: a limit of 0 disables the states"

# Programs that read or write /sys get a /sys made of files.
mkdir -p sys/devices/system/cpu/cpu0/power sys/devices/system/cpu/cpu0/topology sys/devices/system/cpu/cpuidle \
	sys/bus/cpu/devices sys/class sys/dev rules
(
	cd sys/devices/system/cpu || exit
	echo 0 | tee online present possible cpu0/topology/core_id cpu0/topology/physical_package_id cpu0/power/pm_qos_resume_latency_us
	echo 1 >cpu0/online
	echo intel_idle >cpuidle/current_driver
	echo MODALIAS=cpu >cpu0/uevent
	ln -s ../../../../bus/cpu cpu0/subsystem
	for state in 0:POLL:0 1:C1:2 2:C1E_x:10 3:C6:133; do
		mkdir -p "cpu0/cpuidle/state${state%%:*}"
		cd "cpu0/cpuidle/state${state%%:*}" || exit
		state=${state#*:}
		echo "${state%:*}" | tee name desc
		echo "${state#*:}" >latency
		echo 0 | tee disable usage time power
		cd ../../..
	done
) >/dev/null
# with_sys COMMAND...: run COMMAND in a mount namespace with that /sys
with_sys() {
	unshare -m sh -c 'mount --bind "$1/sys" /sys && mount -t tmpfs none /run && mkdir -p /run/udev && shift && "$@"' sh "$tmp" "$@"
}
values() { cat sys/devices/system/cpu/cpu0/cpuidle/state*/disable | paste -sd ' ' -; }
resume=sys/devices/system/cpu/cpu0/power/pm_qos_resume_latency_us

if ! with_sys true 2>/dev/null; then
	skip 8 "no mount namespace can be made"
else
	ok "sysfs: the command succeeds" with_sys sh "$tmp/paste/sysfs"
	is "$(cat "$resume")" 10 "sysfs: the command writes the limit"
	echo 0 >"$resume"
	if command -v cpupower >/dev/null; then
		ok "cpupower accepts a limit" with_sys sh "$tmp/paste/cpupower"
		is "$(values)" "0 0 0 1" "cpupower: a limit of 10 us disables C6 and not C1E, which has 10 us"
		ok "cpupower accepts the limit 0" with_sys sh "$tmp/paste/cpupower.0"
		is "$(values)" "0 1 1 1" "cpupower: the limit 0 disables all states but POLL"
	else
		skip 4 "no cpupower (linux-cpupower)"
	fi
	# A new udevadm can verify a file of rules. An old one can only test a device, and applies the rules to this /sys.
	cp paste/udev rules/90-wakelat.rules
	if ! command -v udevadm >/dev/null; then
		skip 2 "no udevadm (udev)"
	elif udevadm verify --help >/dev/null 2>&1; then
		ok "udevadm verify accepts the rule" udevadm verify --resolve-names=never rules/90-wakelat.rules
		skip 1 "udevadm verify has checked it already"
	else
		run with_sys sh -c "mount --bind '$tmp/rules' /lib/udev/rules.d && SYSTEMD_DEVICE_VERIFY_SYSFS=0 udevadm test --action=add /sys/devices/system/cpu/cpu0"
		unlike "$err" 'rules:[0-9]+ (Invalid|Unknown|Failed)' "udev has no complaint"
		is "$(cat "$resume")" 10 "udev: the rule writes the limit"
	fi
fi

if command -v systemd-analyze >/dev/null; then
	cp paste/systemd wakelat-limit.service
	run systemd-analyze verify "$tmp/wakelat-limit.service"
	unlike "$err" 'wakelat-limit' "systemd has no complaint"
	printf 'ExecStart=nonsense\nFoo=bar\n' >>wakelat-limit.service
	run systemd-analyze verify "$tmp/wakelat-limit.service"
	like "$err" 'wakelat-limit' "systemd complains about a broken unit"
else
	skip 2 "no systemd-analyze (systemd)"
fi

# tuned's own code reads the profile and parses the value.
if [ -d /usr/lib/python3/dist-packages/tuned ]; then
	mkdir -p profiles/wakelat
	cat >read-profile.py <<'END'
import sys
import tuned.profiles as profiles
from tuned.profiles.variables import Variables
from tuned.utils.global_config import GlobalConfig
from tuned.plugins.plugin_cpu import CPULatencyPlugin
loader = profiles.Loader(profiles.Locator([sys.argv[1]]), profiles.Factory(), profiles.Merger(), GlobalConfig(), Variables())
value = loader.load("wakelat").units["cpu"].options["force_latency"]
print(CPULatencyPlugin._parse_latency(CPULatencyPlugin.__new__(CPULatencyPlugin), value))
END
	for text in 'tuned (10, False)' 'tuned.0 (0, False)'; do
		cp "paste/${text%% *}" profiles/wakelat/tuned.conf
		is "$(/usr/bin/python3 read-profile.py profiles 2>/dev/null)" "${text#* }" "tuned reads ${text%% *}"
	done
else
	skip 2 "no tuned"
fi
done_testing
