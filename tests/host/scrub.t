#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat scrub: leaves out what identifies the machine, and keeps what commands need.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1

# Each secret contains "secret".
mkdir d
run_tsv d/run.tsv listener secret-host:4711 kernel_version '#1 secret@builder' imported_from secret.dat wult_report secret \
	imported_command 'cyclictest --secret' note secret run.1.nic.card 0000:05:00.0 run.1.cpu0.samples 401 run.1.reason samples \
	run.1.cpu0.secret-x 1 'state.0.secret' 1 lost_overrun_secret 1 characterisation.tsc.n 5000 \
	source_settings method=launch clock_khz 2000000 run.1.nic.dma_error_ns 5 run.1.source.owner secret
sed -i 's/^hostname	.*/hostname	secretbox/; s/^cmdline	.*/cmdline	root=secret/; s/^kernel	.*/kernel	6.12.57-secret/' d/run.tsv
seq 1000 1400 | sed 's/.*/3 1000 & & -/' | samples_tsv d/samples.tsv
printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\n%s\n%s\n%s\n%s\n' \
	"$(printf 'tasks\tcpu1\tdoubt\t1\tsecretd (17)\tkill secretd\tsecret\tothers')" \
	"$(printf 'boot_parameter\tmachine\tnote\tsecret\tsecret\t-\t-\t-')" \
	"$(printf 'latency_limit\tcpu1\tdoubt\t0\tforbids all states\tend the program that holds it open: secretd (17)\tstart it again\t-')" \
	"$(printf 'turbo\tmachine\tdoubt\t0\tthe CPU may run faster\techo 1 >x\techo 0 >x\tfrequency')" >d/doctor.tsv
printf 'secret\n' | tee d/record.log d/resume >/dev/null
cp -r d was
run "$wakelat" scrub -o out d
is "$status $out" "0 " "scrub succeeds"
like "$err" '^wakelat scrub: out has doctor.tsv run.tsv samples.tsv without .*hostname.* cmdline' "the message names what was left out"
is "$(grep -ril secret out)" "" "the copy has no secret"
is "$(grep -cE '^(source_settings|clock_khz|run\.1\.nic\.dma_error_ns)	' out/run.tsv)" 3 "the copy has the settings that affect the samples"
is "$(grep -rl '0000:05' out)" "" "the copy does not have the card's address"
is "$(names out)" "doctor.tsv run.tsv samples.tsv" "the copy has three files"
ok "the recording is unchanged" diff -r was d
same out/samples.tsv d/samples.tsv "the copy has the same samples"
is "$(awk -F '\t' '$1 == "kernel" { print $2 }' out/run.tsv)" 6.12.57 "the copy has the kernel's version without its suffix"
is "$(grep -c '^state\.' out/run.tsv) $(grep -c '^run\.1\.cpu0\.samples' out/run.tsv) $(grep -c ^character out/run.tsv)" "8 1 1" "the copy has the states and the numbers of samples"
is "$(sed -n 2p out/doctor.tsv | tr '\t' '|')" 'tasks|cpu1|doubt|-|finding removed by wakelat scrub|-|-|others' "the text of a finding with a name is left out"
same_line=$(grep '^turbo' d/doctor.tsv)
is "$(grep '^turbo' out/doctor.tsv)" "$same_line" "a finding without a name is kept"
"$wakelat" stats -q d
ok "stats reads the copy" "$wakelat" stats -q out
same out/stats.tsv d/stats.tsv "the copy has the statistics of the recording"
if command -v gnuplot >/dev/null; then
	ok "report reads the copy" "$wakelat" report -q out
	is "$(grep -ci secret out/report.html)" 0 "the report of the copy has no secret"
fi
printf 'sample 0 1 run=1 source=1 state=3 wake_latency=5\nend 0 2 run=1 cpu=0 samples=1\n' | trace trace.dat
mkdir t
run_tsv t/run.tsv
cp trace.dat t/trace.dat
ok "scrub accepts a recording without samples.tsv" "$wakelat" scrub -q -o t-out t
is "$(names t-out)" "run.tsv samples.tsv" "the copy has samples.tsv and no trace.dat"

# scrub searches the copy for names and addresses.
sed -i 's/^cpu_model	.*/cpu_model	Xeon in secretbox at 00:11:22:aa:bb:cc/' d/run.tsv
run "$wakelat" scrub -q -o out2 d
like "$err" "the copy contains the name of the machine: check 'cpu_model" "scrub finds the machine's name in another text"
like "$err" "the copy contains the address of a network card" "scrub finds a card's address"

# Each kind of name and number, in texts that firmware and drivers give. WAKELAT_ROOT has the files of the machine at hand.
mkdir -p root/sys/class/net/eth0 root/sys/class/dmi/id root/etc root/proc/sys/kernel names
printf '3c:ec:ef:12:34:56\n' >root/sys/class/net/eth0/address
printf 'MXQ84203AB\n' >root/sys/class/dmi/id/product_serial
printf 'Default string\n' >root/sys/class/dmi/id/board_serial
printf '8f14e45fceea167a5a36dedd4bea2543\n' >root/etc/machine-id
printf 'alice:x:1000:1000::/home/alice:/bin/sh\n' >root/etc/passwd
printf 'laptop\n' >root/proc/sys/kernel/hostname
cp out/samples.tsv names/
# searched KEY VALUE: scrub names/ with this line in run.tsv; $err has the warnings
searched() {
	run_tsv names/run.tsv emulated no
	sed -i 's/^hostname	.*/hostname	web01.corp.example.com/' names/run.tsv
	printf '%s\t%s\n' "$1" "$2" >>names/run.tsv
	rm -rf names-out
	run env WAKELAT_ROOT="$tmp/root" SUDO_USER=bob "$wakelat" scrub -q -o names-out names
}
while IFS='|' read -r key value what; do
	searched "$key" "$value"
	like "$status $err" "^4 wakelat scrub: the copy contains $what: check '$key" "scrub finds $what in '$value'"
done <<'END'
bios|Dell Inc. WEB01 2.1|the name of the machine
bios|Firmware of Corp 2.1|the name of the machine
bios|built at www.Example 2.1|the name of the machine
bios|set by db7.other.org|the name of the machine
bios|v2 on LAPTOP|the name of the machine
trace_cmd|3.1 (Alice)|the name of a user
trace_cmd|3.1 bob|the name of a user
trace_cmd|3.1 carol@build|the name of a user
bios|12 3C-EC-EF-12-34-56|the address of a network card
bios|12 3cecef123456|the address of a network card
bios|12 0011.22AA.bbcc|the address of a network card
bios|mxq84203ab 2.1|a serial number
bios|Serial No. AB-12345|a serial number
bios|8F14E45F-ceea-167a-5a36-dedd4bea2543|a UUID of a machine or a disk
bios|8f14e45fceea167a5a36dedd4bea2543|a UUID of a machine or a disk
END
for value in 'American Megatrends International, LLC. 1.4.2 05/18/2023' 'Default string 2.1' 'webmaster cornerstone' 'HP U30 v2.68'; do
	searched bios "$value"
	is "$status $err" "0 " "scrub finds nothing in '$value'"
done
# A machine can have a name that wakelat writes itself. Each text stands where wakelat writes it, so it is no finding.
cp -r names words
# named HOST KEY VALUE: scrub words/, the recording of machine HOST, with this line in run.tsv; $err has the warnings
named() {
	run_tsv words/run.tsv run.1.reason clock emulated hypervisor run.1.cpu0.samples 401 ldist_mode sweep prepare governor,irqs counters freq,core each_state yes
	sed -i "s/^hostname	.*/hostname	$1/" words/run.tsv
	printf '%s\t%s\n' "$2" "$3" >>words/run.tsv
	rm -rf words-out
	run env WAKELAT_ROOT="$tmp/root" SUDO_USER=bob "$wakelat" scrub -q -o words-out words
}
head -n 1 d/doctor.tsv >words/doctor.tsv
printf '%s\tmachine\tnote\t%s\t%s\t-\t-\tothers\n' tasks secret secret turbo 0 "turbo is on: the frequency depends on what the other CPUs do" \
	>>words/doctor.tsv
printf 'hypervisor\tmachine\tnote\ttestbed\t%s\t-\t-\t-\n' "$(sed -n 's/.*note testbed "\(.*\)"$/\1/p' "$top/scripts/lib/doctor/doctor-machine.sh")" \
	>>words/doctor.tsv
tracer_text="a tracer was active (function), so latencies are too long by an unknown time, above all interrupt latencies (states marked intr.)"
for name in sweep hypervisor core freq irqs others clock yes note machine finding removed scrub wakelat frequency depends testbed injected; do
	named "$name" seed 1
	is "$status $err" "0 " "a machine called $name: scrub finds nothing in wakelat's own words"
done
for name in tracer latencies unknown marked; do
	named "$name" caveat "$tracer_text"
	is "$status $err" "0 " "a machine called $name: scrub finds nothing in wakelat's caveat"
done
# The same names where a machine or its user wrote them.
while IFS='|' read -r name key value; do
	named "$name" "$key" "$value"
	like "$status $err" "^4 wakelat scrub: the copy contains the name of the machine: check '$key" "a machine called $name: scrub finds it in $key '$value'"
done <<'END'
testbed|cpu_model|Xeon in testbed
testbed|bios|testbed
demo|trace_cmd|3.1 of demo
demo|caveat|measured on demo at night
tracer|caveat|measured on tracer
tracer|caveat|tracer
core|bios|core
core|cpu_model|the core of a machine
sweep|run.1.cpu0.timer|sweep
wakelat|cpu_model|finding removed by wakelat scrub
active|bios|a tracer was active (function), so
hypervisor|state.3.desc|of hypervisor
END
named frequency seed 1
printf 'turbo\tmachine\tdoubt\t%s\t%s\t-\t-\t-\n' frequency x 1 'turbo of frequency is on' >>words/doctor.tsv
rm -rf words-out
run env WAKELAT_ROOT="$tmp/root" "$wakelat" scrub -q -o words-out words
is "$status $(printf '%s\n' "$err" | grep -c "the name of the machine: check 'turbo")" "4 2" \
	"a machine called frequency: scrub finds it in doctor's value and finding"
refused 'out: exists already' "scrub refuses an output directory that exists" "$wakelat" scrub -o out d
refused '-o is missing: name the directory to make' "scrub refuses to run without -o" "$wakelat" scrub d
refused 'nowhere: no such directory' "scrub refuses a recording that does not exist" "$wakelat" scrub -o x nowhere
refused "unknown option '-z'" "scrub refuses an unknown option" "$wakelat" scrub -z x d
is "$(find . -name '*.partial*' -o -name x)" "" "a refused scrub leaves nothing"
done_testing
