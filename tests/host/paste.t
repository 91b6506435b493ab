#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The texts that wakelat verdict prints to be pasted. Applied to a /sys, they allow the states that the verdict allows, also
# after a reboot. Hostile names in a recording are quoted or left out.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# C1E was disabled by hand and not measured, C6 exceeds the budget, C1 keeps it.
mkdir d
run_tsv d/run.tsv state.2.disabled 1 state.2.latency_ns 10000
sed -i 's/^emulated.*/emulated	no/' d/run.tsv
{
	seq 4000 | sed 's/.*/1 1000 1500 1500 -/'
	seq 4000 | sed 's/.*/3 1000 130000 130000 -/'
} | samples_tsv d/samples.tsv
run "$wakelat" verdict d -b 100us
like "$out" '^EXCEEDED by C6 .*kept by C1$' "C1 keeps the budget, C6 does not"
like "$out" '^C1E_x was disabled before the recording and must stay so\.$' "verdict says that C1E was disabled before the recording"
failed=
for what in sysfs cpupower tuned systemd udev qos crio; do
	"$wakelat" verdict d -b 100us --paste "$what" >text && mv text "$what" || failed="$failed $what"
done
is "$failed" "" "verdict --paste prints a text for each program"

# boot BEFORE: make a new /sys without a latency limit. BEFORE has the values of disable of POLL, C1, C1E and C6.
boot() {
	rm -rf sys
	for boot_cpu in cpu0 cpu1; do
		mkdir -p "sys/devices/system/cpu/$boot_cpu/power" "sys/devices/system/cpu/$boot_cpu/topology" sys/bus/cpu/devices
		echo 0 >"sys/devices/system/cpu/$boot_cpu/power/pm_qos_resume_latency_us"
		echo "${boot_cpu#cpu}" | tee "sys/devices/system/cpu/$boot_cpu/topology/core_id" \
			"sys/devices/system/cpu/$boot_cpu/topology/physical_package_id" >/dev/null
		echo 1 >"sys/devices/system/cpu/$boot_cpu/online"
		echo MODALIAS=cpu >"sys/devices/system/cpu/$boot_cpu/uevent"
		ln -s ../../../../bus/cpu "sys/devices/system/cpu/$boot_cpu/subsystem"
		boot_index=0
		for boot_state in POLL:0 C1:2 C1E_x:10 C6:133; do
			boot_dir=sys/devices/system/cpu/$boot_cpu/cpuidle/state$boot_index
			mkdir -p "$boot_dir"
			printf '%s\n' "${boot_state%:*}" | tee "$boot_dir/name" >"$boot_dir/desc"
			printf '%s\n' "${boot_state#*:}" >"$boot_dir/latency"
			printf '%s\n' "$1" | cut -d ' ' -f $((boot_index + 1)) >"$boot_dir/disable"
			echo 0 | tee "$boot_dir/usage" "$boot_dir/time" >"$boot_dir/power"
			boot_index=$((boot_index + 1))
		done
	done
	mkdir -p sys/devices/system/cpu/cpuidle sys/class sys/dev
	echo intel_idle >sys/devices/system/cpu/cpuidle/current_driver
	echo 0-1 | tee sys/devices/system/cpu/online sys/devices/system/cpu/present >sys/devices/system/cpu/possible
}

# cpupower loads the module msr, which this test does not need.
mkdir no-modules
ln -s /bin/true no-modules/modprobe

# with_sys COMMAND...: run COMMAND in a mount namespace with that /sys
with_sys() {
	PATH=$tmp/no-modules:$PATH unshare -m sh -c 'mount --bind "$1/sys" /sys && mount -t tmpfs none /run && mkdir -p /run/udev && shift && "$@"' sh "$tmp" "$@"
}

# usable: print the states that the CPU's limit and the disable files allow: one list if it is the same for both CPUs, else two.
# The limit is compared with the advertised latency.
usable() {
	for usable_cpu in cpu0 cpu1; do
		usable_limit=$(cat "sys/devices/system/cpu/$usable_cpu/power/pm_qos_resume_latency_us")
		for usable_dir in "sys/devices/system/cpu/$usable_cpu"/cpuidle/state*; do
			usable_latency=$(cat "$usable_dir/latency")
			[ "$(cat "$usable_dir/disable")" = 0 ] || continue
			case $usable_limit in
			0) ;;
			n/a) [ "$usable_latency" -eq 0 ] || continue ;;
			*) [ "$usable_latency" -le "$usable_limit" ] || continue ;;
			esac
			cat "$usable_dir/name"
		done | paste -sd ' ' -
	done | uniq | paste -sd '|' -
}

boot "0 0 1 0"
is "$(usable)" "POLL C1 C6" "the /sys of this test allows all enabled states"
if ! with_sys true 2>/dev/null; then
	skip 9 "no mount namespace can be made"
else
	# "0 0 0 0" is the state after a reboot: all states are enabled. With "0 1 1 1" the pasted commands must enable C1 again, because it keeps the budget.
	for before in "0 0 1 0" "0 0 0 0"; do
		boot "$before"
		ok "sysfs, disabled before: $before: the command succeeds" with_sys sh "$tmp/sysfs"
		is "$(usable)" "POLL C1" "sysfs, disabled before: $before: allows the states of the verdict"
	done
	if command -v cpupower >/dev/null; then
		for before in "0 0 1 0" "0 0 0 0" "0 1 1 1"; do
			boot "$before"
			with_sys sh "$tmp/cpupower" >/dev/null
			is "$(usable)" "POLL C1" "cpupower, disabled before: $before: allows the states of the verdict"
		done
	else
		skip 3 "no cpupower (linux-cpupower)"
	fi
	boot "0 0 0 0"
	sed -n "s/^ExecStart=//p" systemd | sed 's/\$\$/$/g' >start.sh
	like "$(cat start.sh)" '"C1E_x"\) echo 1 >"\$s/disable"' "systemd: the service disables C1E"
	ok "systemd: the service's commands succeed" with_sys sh -e "$tmp/start.sh"
	is "$(usable)" "POLL C1" "systemd, after a reboot: allows the states of the verdict"
	mkdir -p rules
	cp udev rules/90-wakelat.rules
	boot "0 0 0 0"
	if ! command -v udevadm >/dev/null; then
		skip 1 "no udevadm (udev)"
	elif udevadm verify --help >/dev/null 2>&1; then
		ok "udev: udevadm verify accepts the rules" udevadm verify --resolve-names=never rules/90-wakelat.rules
	else
		for cpu in cpu0 cpu1; do
			with_sys sh -c "mount --bind '$tmp/rules' /lib/udev/rules.d && SYSTEMD_DEVICE_VERIFY_SYSFS=0 udevadm test --action=add /sys/devices/system/cpu/$cpu" >/dev/null 2>&1
		done
		is "$(usable)" "POLL C1" "udev, after a reboot: allows the states of the verdict"
	fi
fi
is "$(sed -n 's/.*ATTR{\([^}]*\)}="\([^"]*\)".*/\1=\2/p' udev | paste -sd ' ' -)" \
	"power/pm_qos_resume_latency_us=2$(printf ' cpuidle/state%s/disable=1' 0 1 2 3 4 5 6 7 8 9)" "udev: the rules write the limit, and disable C1E whatever its number"
if command -v systemd-analyze >/dev/null; then
	cp systemd wakelat-limit.service
	run systemd-analyze verify "$tmp/wakelat-limit.service"
	unlike "$err" 'wakelat-limit' "systemd has no complaint"
else
	skip 1 "no systemd-analyze (systemd)"
fi

# tuned's own code reads the profile.
if [ -d /usr/lib/python3/dist-packages/tuned ]; then
	mkdir -p profiles/wakelat
	cp tuned profiles/wakelat/tuned.conf
	cat >read-profile.py <<'END'
import sys
import tuned.profiles as profiles
from tuned.profiles.variables import Variables
from tuned.utils.global_config import GlobalConfig
loader = profiles.Loader(profiles.Locator([sys.argv[1]]), profiles.Factory(), profiles.Merger(), GlobalConfig(), Variables())
units = loader.load("wakelat").units
print(units["cpu"].options["force_latency"])
END
	is "$(/usr/bin/python3 read-profile.py profiles 2>/dev/null)" 2 "tuned: the profile has the limit"
else
	skip 1 "no tuned"
fi
for what in qos crio tuned; do
	like "$(cat $what)" 'disable them again after each reboot: C1E_x\.' "$what says which state must be disabled after each reboot"
done

# --- CPUs with different tables, and a machine whose table is not that of the recording: states are found by name

boot "0 0 0 0"
# CPU 1 has no C1E.
rm -r sys/devices/system/cpu/cpu1/cpuidle/state2
mv sys/devices/system/cpu/cpu1/cpuidle/state3 sys/devices/system/cpu/cpu1/cpuidle/state2
mkdir bin
cat >bin/cpupower <<'END'
#!/bin/sh
case $4 in -d) value=1 ;; -e) value=0 ;; esac
echo $value >"/sys/devices/system/cpu/cpu$2/cpuidle/state$5/disable"
END
chmod +x bin/cpupower
if with_sys true 2>/dev/null; then
	PATH=$tmp/bin:$PATH with_sys sh "$tmp/cpupower"
	is "$(usable)" "POLL C1" "cpupower: finds states by name on CPUs with different tables"
	boot "0 0 0 0"
	rm -r sys/devices/system/cpu/cpu1/cpuidle/state2
	mv sys/devices/system/cpu/cpu1/cpuidle/state3 sys/devices/system/cpu/cpu1/cpuidle/state2
	with_sys sh "$tmp/sysfs"
	is "$(usable)" "POLL C1" "sysfs: finds states by name on CPUs with different tables"
else
	skip 2 "no mount namespace can be made"
fi
rm -r bin

# --- hostile names: no shell executes them, and quoting preserves them

cat >hostile <<'END'
C6;touch pwned
$(touch pwned)
`touch pwned`
it's
a b
-n
"; touch pwned; "
\
#
%n
a&touch pwned
*
END
awk -f "$top/scripts/lib/common/quote.awk" -f /dev/stdin hostile >words <<'END'
{ print "printf '%s\\n' " shell_quoted($0) }
END
for shell in sh bash; do
	command -v "$shell" >/dev/null || continue
	"$shell" words >"back.$shell"
	same "back.$shell" hostile "$shell reads each quoted name back unchanged"
done
{
	sed -n '1,6p; 8p; 12p' hostile
	printf '%s\n' --json -oX
} >directories
# A machine may have no idle states.
states=$PWD/sys/devices/system/cpu/cpu0/cpuidle/state1
mkdir -p "$states" && echo other >"$states/name"
while IFS= read -r name; do
	rm -rf d2 && cp -R d d2
	name=$name awk -F '\t' -v OFS='\t' '$1 ~ /^state\.[123]\.name$/ { $2 = ENVIRON["name"] } $1 == "source" { $2 = ENVIRON["name"] } { print }' d/run.tsv >d2/run.tsv
	for what in sysfs cpupower systemd udev tuned qos crio; do
		"$wakelat" verdict d2 -b 100us --paste "$what" 2>/dev/null
	done >pasted
	grep -n 'pwned' pasted | grep -v '^[0-9]*:#'
	"$wakelat" verdict d2 -p 99.99 -b 100us | sed -n 's/^  wakelat record/: record/p' >advice.sh
	[ -s advice.sh ] || printf 'no advice\n'
	sh advice.sh || cat advice.sh
	sed -n "s|/sys/devices|$PWD&|; s/ c=.*cpupower /: &/p" pasted | sh
done <hostile >obeyed 2>&1
is "$(cat obeyed)" "" "hostile names of states and sources are in comments only, and no shell executes them"
while IFS= read -r dir; do
	mkdir -- "$dir"
	cp d/run.tsv d/samples.tsv "./$dir"
	"$wakelat" verdict "./$dir" -b 100us | sed -n 's/^To set it: \(.*\) WHAT$/\1 cpupower/p' >again.sh
	sh again.sh >again.out
	cmp -s again.out cpupower || printf '%s\n' "$dir"
done <directories >bad
is "$(cat bad)" "" "the printed command works in directories with hostile names"

# Messages that contain a command. Each command is pasted into both shells.
mkdir bin
ln -s "$wakelat" bin/wakelat
shells='sh'
! command -v bash >/dev/null || shells='sh bash'
pasted_by() {
	PATH=$tmp/bin:$PATH "$shell" "$1" >"$1.out" 2>&1
}
"$wakelat" stats -q --counts one.counts d
cat >hand-of <<END
here=$top/scripts me=x write_error= journal_tab= journal_file= journal_dir= journal_locked= work_dir=
. "\$here/lib/common/message.sh"
. "\$here/lib/common/undo.sh"
undo_by_hand "\$@" | sed 's/^by hand: //'
END
for shell in $shells; do
	while IFS= read -r dir; do
		rm -rf COPY DIRECTORY file
		run "$wakelat" stats "./$dir"
		printf '%s\n' "$out" | sed -n 's/^All of it: \(.*\)$/\1/p' | sed 's/  (.*//' >all.sh
		pasted_by all.sh && grep -q '^wake latency' all.sh.out || printf 'All of it: %s\n' "$dir"
		if [ "$(id -u)" -eq 0 ]; then
			chmod 777 "./$dir"
			run "$wakelat" stats "./$dir"
			printf '%s\n' "$err" | sed -n 's/.*: copy it (\(.*\)), or run this as its owner$/\1/p' >copy.sh
			pasted_by copy.sh && cmp -s COPY/samples.tsv d/samples.tsv || printf 'copy it: %s\n' "$dir"
			chmod 755 "./$dir"
		fi
		mkdir file
		cp one.counts "file/$dir"
		run sh -c 'cd file && exec "$1" stats "./$2"' sh "$wakelat" "$dir"
		printf 'cd file || exit\n' >counts.sh
		printf '%s\n' "$err" | sed -n 's/.*a file of counts: make a directory from it with \(wakelat import .*\)$/\1/p' >>counts.sh
		pasted_by counts.sh && [ -s file/DIRECTORY/counts.tsv ] || printf 'a file of counts: %s\n' "$dir"
		mkdir -p "values/$dir"
		: >"values/$dir/file"
		sh hand-of "values/$dir/file" "$dir" >hand.sh
		pasted_by hand.sh && [ "$(cat "values/$dir/file")" = "$dir" ] || printf 'by hand: %s\n' "$dir"
	done <directories
done >bad
is "$(cat bad)" "" "commands in messages work for hostile names, in $shells"

# Counts with a hostile key.
for value in 1 2; do
	mkdir "d-$value"
	cp d/samples.tsv "d-$value/"
	run_tsv "d-$value/run.tsv" 'state.3.x$(touch pwned)' "$value" hostname "box$value" machine_id "$value"
	"$wakelat" stats -q --counts "key-$value.counts" "d-$value"
done
"$wakelat" merge -q -o keys.counts key-1.counts key-2.counts
run "$wakelat" import -o pooled keys.counts
like "$err" 'wakelat merge --only (KEY|[a-z0-9_.]*)=' "the command in a message does not contain a hostile key"

# wakelat itself is in a directory with a hostile name.
there="it's; touch pwned"
mkdir "$there"
cp -R "$top/scripts" "$top/gnuplot" "$there/"
ln -s "$top/tools" "$there/tools"
for shell in $shells; do
	"./$there/scripts/wakelat" stats d | sed -n 's/^All of it: \(.*\)$/\1/p' | sed 's/  (.*//' >all.sh
	pasted_by all.sh
	like "$(cat all.sh.out)" '^wake latency' "$shell: the path of wakelat itself is quoted"
	"./$there/scripts/wakelat" verdict d -b 100us | sed -n 's/^To set it: \(.*\) WHAT$/\1 cpupower/p' >again.sh
	pasted_by again.sh
	same again.sh.out cpupower "$shell: the path of wakelat itself is quoted in the command of a verdict"
done
is "$(ls pwned 2>/dev/null)" "" "no command in a hostile name was executed"
done_testing
