#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat contribute, with a recording of known content instead of a measurement: it removes only what it made, passes warnings
# on, and says why nothing was kept. machine/contribute.t and testbed/contribute.t measure.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
[ "$(id -u)" -eq 0 ] || skip_all "not root"
unshare -m true 2>/dev/null || skip_all "no mount namespace"

# A copy of the scripts whose doctor, audit and probe print and copy what is here.
mkdir -p tree/tools bin
mkdir -p tree/extras/audit
cp -r "$top/scripts" tree/
cp -r "$top/extras/contribute" tree/extras/
cp "$top/VERSION" tree/
ln -s "$top/tools/bin" tree/tools/bin
cat >tree/scripts/commands/probe <<END
#!/bin/sh
while [ "\$1" != -o ]; do shift; done
echo "wakelat probe: 3 events were lost" >&2
cp -r "$tmp/recording" "\$2"
END
printf '#!/bin/sh\ncat "%s"\n' "$tmp/doctor.tsv" >tree/scripts/commands/doctor
printf '#!/bin/sh\nprintf "FAULT  %%s\\n" "$(cat %s)"\nexit 4\n' "$tmp/audit.txt" >tree/extras/audit/audit
chmod +x tree/extras/audit/audit
printf 'check\tsubject\tseverity\tvalue\tfinding\tchange\tback\tprepare\nturbo\tmachine\tdoubt\t0\tturbo is on\t-\t-\t-\n' >doctor.tsv
printf 'C6 has no latency\n' >audit.txt
three_states recording 0 emulated no cpus "0" hostname web01.corp.example.com

# contribute [OPTION]...: run it with an empty /run, so that a recording on this machine does not matter
contribute() {
	unshare -m sh -c 'mount -t tmpfs tmpfs /run && exec "$@"' sh env PATH="$tmp/bin:$PATH" "$tmp/tree/scripts/wakelat" contribute --probe -q "$@"
}

run contribute -o clean
is "$status" 0 "contribute succeeds"
is "$(names clean)" "all.counts audit.txt block.txt doctor.tsv runs" "contribute leaves two files to send, and what they were made from"
like "$err" '^wakelat contribute: wakelat probe: 3 events were lost$' "contribute passes on the warnings of its steps"

run contribute -o checks --only checks
is "$status" 0 "--only checks succeeds"
is "$(names checks)" "audit.txt block.txt doctor.tsv" "--only checks leaves a text to send, and what it was made from"
is "$(cat checks/block.txt)" "$(sed '/^CPU/,$d' clean/block.txt)" "--only checks writes the findings of doctor and audit"
run contribute -o measurement --only measurement
is "$status" 0 "--only measurement succeeds"
is "$(names measurement)" "all.counts block.txt runs" "--only measurement leaves no file of doctor and audit"
is "$(cat measurement/block.txt)" "$(sed -n '/^CPU/,$p' clean/block.txt)" "--only measurement writes the rest of the text"
run contribute -o other --only other
is "$status $err" "2 wakelat contribute: --only: 'other' is neither checks nor measurement (wakelat contribute -h: usage)" "--only refuses another word"

# Another contribute creates the directory after the first check, which calls tail.
cat >bin/tail <<END
#!/bin/sh
[ -e "$tmp/shared" ] || { mkdir "$tmp/shared" && touch "$tmp/shared/theirs"; }
exec $(command -v tail) "\$@"
END
chmod +x bin/tail
refused '^wakelat contribute: cannot create shared: File exists; is another wakelat contribute writing there\?' \
	"contribute is refused if another creates the directory" contribute -o shared
is "$(names shared)" theirs "a refused contribute does not remove the other's files"
rm -r bin/tail shared

# The texts that scrub finds are named, and the files stay.
run_tsv recording/run.tsv emulated no hostname web01.corp.example.com
sed -i 's/^cpu_model	.*/cpu_model	Xeon in WEB01 at 00:11:22:aa:bb:cc/' recording/run.tsv
run contribute -o leaky
is "$status" 4 "a name of the machine in the files: status 4"
like "$err" "^wakelat contribute: wakelat scrub: the copy contains the name of the machine: check 'cpu_model.*WEB01" "contribute passes on the warning of scrub about a name"
like "$err" "wakelat scrub: the copy contains the address of a network card" "contribute passes on the warning of scrub about an address"
ok "contribute keeps the files that may identify the machine" test -s leaky/all.counts
printf 'the table of db7.corp.example.org has no latency\n' >audit.txt
run contribute -o leaky-audit
is "$status" 4 "a name of a machine in the findings of audit: status 4"
like "$err" "^wakelat contribute: the copy contains the name of the machine: check '.*db7" "contribute finds a name in the findings of audit"
printf 'C6 has no latency\n' >audit.txt

# Another extra may be deleted.
mv tree/extras/audit audit
run contribute -o without-audit --only checks
like "$status $err" '^0 wakelat contribute: there is no wakelat audit here: the tables of idle states are not checked$' "without audit: contribute makes the other checks, and says so"
like "$(cat without-audit/block.txt)" 'Not checked: there is no wakelat audit\.' "without audit: the block says so"
mv audit tree/extras/audit

# A user can have a name that wakelat writes itself. In a text that wakelat did not write, the name counts.
for name in audit doctor machine turbo frequency; do
	cp doctor.tsv doctor.was
	sed -i 's/turbo is on/turbo is on: the frequency depends on what the other CPUs do/' doctor.tsv
	run_tsv recording/run.tsv emulated no hostname web01.corp.example.com
	SUDO_USER=$name run contribute -o "own-$name"
	is "$status $err" "0 wakelat contribute: wakelat probe: 3 events were lost" "a user called $name: contribute warns of no word of wakelat's own"
	printf 'the table of %s has no latency\n' "$name" >audit.txt
	SUDO_USER=$name run contribute -o "named-$name"
	like "$status $err" "the copy contains the name of a user: check 'FAULT +the table of $name" "a user called $name: contribute finds it in the audit's text"
	printf 'C6 has no latency\n' >audit.txt
	mv doctor.was doctor.tsv
done

# A full disk.
full() {
	unshare -m sh -c 'mount -t tmpfs -o size='"$1"' tmpfs "$2" && shift 2 && cd "$1" && shift && "$@"' sh x "$tmp/disk" "$tmp/disk" \
		"$tmp/tree/scripts/wakelat" contribute --probe -q -o c
}
mkdir disk
for size in 4k 16k 256k; do
	refused '^wakelat contribute: [^:].*: No space left on device' "a disk of $size: contribute says why nothing was kept" full "$size"
done
done_testing
