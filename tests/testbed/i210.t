#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The testbed's i210: registers and their access times, clock, target times, interrupts and faults. The stock
# igb driver must accept it as a card.
# needs: qemu kernel:default
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/replay.sh"

for program in igbprobe mmio; do
	gcc -O2 -Wall -Wextra -static -o "$tmp/$program" "$top/tests/guest/$program.c" || bail "no compiler"
done

# igb NAME [OPTION]...: run i210-igb.job; its files are in $tmp/NAME.
igb() {
	igb_name=$1
	shift
	note "$igb_name"
	guest_job "$tmp/$igb_name" "$top/tests/guest/i210-igb.job" --model skylake-sp-i210 \
		--add "$tmp/igbprobe=/igbprobe" "$@"
	is "$status" 0 "$igb_name: the job ran"
}

# registers NAME STEPS [OPTION]...: run i210-registers.job.
registers() {
	registers_name=$1
	printf '%s\n' "$2" >"$tmp/steps"
	shift 2
	ok "$registers_name: the job ran" "$top/testbed/run" --model skylake-sp-i210 "$@" --add "$tmp/mmio=/mmio" \
		--add "$tmp/steps=/steps" --out "$tmp/$registers_name" "$top/tests/guest/i210-registers.job"
	[ "$status" -eq 0 ] || bail "$registers_name did not boot"
}

# rows NAME CONDITION: print the lines of the log for which an awk condition on the columns holds.
rows() {
	awk -F '\t' 'NR > 1 { event = $1; ns = $2; id = $5; ltime = $6; what = $7 } NR > 1 && ('"$2"')' \
		"$tmp/$1/truth-i210.tsv"
}

# value NAME LINE [FIELD]: print a field of the registers job's output. The default is the register's value.
value() {
	sed -n "$2p" "$tmp/$1/registers" | awk -v field="${3:-2}" '{ print $field }'
}

# The shell's arithmetic has 64 bits, so the following functions are exact for all numbers here.

# within GOT WANTED MARGIN NAME: check that GOT differs from WANTED by at most MARGIN.
within() {
	[ "$1" -ge $(($2 - $3)) ] && [ "$1" -le $(($2 + $3)) ]
	tap_result $? "$4" || diag "$1, not $2 +- $3"
}

# elapsed NAME FROM TO: print how far both clocks went between the lines FROM and TO: "SYSTEM_NS PHC_NS".
elapsed() {
	awk -v from="$2" -v to="$3" '$1 == from { a = $2 " " $3 } $1 == to { b = $2 " " $3 } END { print a, b }' \
		"$tmp/$1/clock" | {
		read -r system phc system_end phc_end
		printf '%s %s\n' "$((system_end - system))" "$((phc_end - phc))"
	}
}

# gains NAME FROM TO PPB: check that the card's clock gains PPB on the system's. Reading both clocks takes about
# 1.4 us, with a variation far below that.
gains() {
	elapsed "$1" "$2" "$3" | {
		read -r system phc
		printf '%s\n' $(((phc - system) * 1000000000 / system))
	} >"$tmp/ppb"
	within "$(cat "$tmp/ppb")" "$4" 150 "$1: the card's clock gains $4 ppb from '$2' to '$3'"
}

# step NAME FROM TO NS: check that the card's clock was moved by NS, apart from the system time that passed.
step() {
	elapsed "$1" "$2" "$3" | {
		read -r system phc
		printf '%s\n' $((phc - system))
	} >"$tmp/ns"
	within "$(cat "$tmp/ns")" "$4" 10000 "$1: the card's clock is moved by $4 ns from '$2' to '$3'"
}

# late_by NAME EVENT: print for each event how long after its requested time it came, in ns.
late_by() {
	rows "$1" "event == \"$2\" && ltime != \"-\"" | while IFS='	' read -r _ _ _ clock _ ltime _; do
		printf '%s\n' $((clock - ltime))
	done
}

# --- the stock driver, with MSI-X, MSI and the interrupt pin

: >"$tmp/selftest"
igb plain --set nic.clock_ppb=50000 --add "$tmp/selftest=/selftest"
replay_checks "$tmp/plain" 14
is "$(cat "$tmp/plain/interrupt-mode")" MSI-X "plain: igb uses MSI-X"
# The tests of ethtool -t, and the registers of ethtool -d. Loopback fails with 13, because the card receives no packets.
is "$(awk '{ print $1, $2 }' "$tmp/plain/selftest" | tr '\n' ,)" "0 Register,0 Eeprom,0 Interrupt,13 Loopback,0 Link," \
	"plain: igb's self-tests of registers, EEPROM, interrupts and link pass"
is "$(awk '$1 == 12 { print $2 }' "$tmp/plain/dump")" 0x04080300 "plain: EEC in igb's register dump: present, read, flash"
gains plain start free 50000
is "$(awk '$1 == "set" { print substr($3, 1, 7), length($3) }' "$tmp/plain/clock")" "5000000 13" "plain: the clock can be set"
step plain set back -2000000000
step plain back forth 12000000000
gains plain fast faster 150005
gains plain slow slower -50005
ok "plain: at least four target times fire" test "$(rows plain 'event == "fired" && what == "tt0"' | wc -l)" -ge 4
is "$(late_by plain fired | awk '$1 < 0 || $1 >= 8' | wc -l)" 0 "plain: a target time fires at the first tick that reaches it"
is "$(rows plain 'event == "launch" && ltime != "-"' | wc -l)" 40 "plain: 40 packets had a launch time"
is "$(late_by plain launch | awk '$1 < 0 || $1 >= 8' | wc -l)" 0 "plain: a packet leaves at its launch time, to the clock's 8 ns"

# The sending program logs its launch times and the card's stamps. igb adds 178 ns to a stamp.
ok "plain: the card's stamps agree with the launch times" awk '
	{ d = substr($2, length($2) - 9) - substr($1, length($1) - 9); if (d < 178 || d > 178 + 8) { print; exit 1 } }
	END { if (NR != 20) exit 1 }' "$tmp/plain/launches"

# follows NAME EVENT LOW HIGH: check that each message comes LOW or HIGH ns after its event. This is the offset, and for packets
# also the DMA, unless the package sleeps.
follows() {
	awk -F '\t' -v first="$2" -v low="$3" -v high="$4" '
		$1 == first && $5 != "-" { at[$5] = $2 }
		($1 == "msi" || $1 == "intx") && $5 != "-" && $5 in at {
			n++
			if ($2 - at[$5] != low && $2 - at[$5] != high) { print $5, $2 - at[$5]; exit 1 }
		}
		END { if (n < 4) exit 1 }' "$tmp/$1/truth-i210.tsv"
}
ok "plain: messages come one offset after the target times" follows plain fired 1800 1800

# Both logs are in order of time. A message must wake a sleeping CPU at the message's time.
ok "plain: a message wakes the CPU at its time" awk -F '\t' '
	NR == FNR { wake[$10] = $7; next }
	$1 == "fired" { fired[$5] }
	$1 == "msi" && $5 in fired { n++; if (wake[$2] !~ /^irq:/) { print "no wake-up at " $2; exit 1 } }
	END { if (n < 4) exit 1 }' "$tmp/plain/truth.tsv" "$tmp/plain/truth-i210.tsv"

# While the only CPU sleeps in C6, the package sleeps, too.
ok "plain: DMA takes time if the package is awake, and none in PC6" awk -F '\t' '
	NR == FNR { if ($8 == "0x20") { enter[++idles] = $9; run[idles] = $11 } next }
	$1 == "launch" { launched[$5] = $2 }
	$1 == "done" {
		at = launched[$5]
		while (i < idles && run[i + 1] <= at)
			i++
		expected = i < idles && enter[i + 1] < at ? 0 : 1300
		seen[expected]++
		if ($2 - at != expected) { print $5, $2 - at, expected; exit 1 }
	}
	END { print seen[0] + 0, seen[1300] + 0; if (!seen[0] || !seen[1300]) exit 1 }' \
	"$tmp/plain/truth.tsv" "$tmp/plain/truth-i210.tsv"

igb msi --set nic.msix=off --set nic.clock_ppb=-50000
replay_checks "$tmp/msi" 14
is "$(cat "$tmp/msi/interrupt-mode")" MSI "msi: igb uses MSI"
gains msi start free -50000
ok "msi: messages come one offset after the target times" follows msi fired 1800 1800

igb intx --set nic.msix=off --set nic.msi=off --set nic.intr_offset_ns=5000
replay_checks "$tmp/intx" 14
is "$(cat "$tmp/intx/interrupt-mode")" legacy "intx: igb uses the interrupt pin"
gains intx start free 0
ok "intx: the pin is raised one offset after the target times" follows intx fired 5000 5000

: >"$tmp/mqprio"
igb queues --cpus 2 --add "$tmp/mqprio=/mqprio" --set nic.id=157b
replay_checks "$tmp/queues" 15
is "$(rows queues 'event == "launch" && ltime != "-"' | wc -l)" 40 "queues: 40 packets had a launch time"
is "$(late_by queues launch | awk '$1 < 0 || $1 >= 8' | wc -l)" 0 \
	"queues: a packet leaves at its launch time, to the clock's 8 ns"

# A card that has no link and loses messages.
igb nolink --set nic.link=off --set nic.fault_lost_every=3
is "$(awk -F '\t' '$1 != 0 { print $2 }' "$tmp/nolink/checks" | sed 's/:.*//' | tr '\n' ,)" "there is a link,at 1000 Mbit/s," \
	"nolink: igb finds no link"
is "$(rows nolink 'event == "launch"' | wc -l)" 0 "nolink: no packet is sent"
messages=$(rows nolink 'event == "msi" || event == "lost"' | wc -l)
ok "nolink: there are messages without a link ($messages)" test "$messages" -ge 10
is "$(rows nolink 'event == "lost"' | wc -l)" $((messages / 3)) "nolink: each third message is lost"

# --- the time of an access. 2 cycles are 1 ns. The reads of the TSC and the instructions between take a few cycles.

# takes NAME LINES NS TEXT: check the shortest of the accesses in LINES (sed's), because the guest's timer may interrupt one.
takes() {
	takes_cycles=$(sed -n "$2p" "$tmp/$1/registers" | awk '{ printf "%.0f\n", $4 - $3 }' | sort -n | head -n 1)
	within $((takes_cycles / 2)) $(($3 + 12)) 10 "$1: $4"
}

registers cost 'w0xb640=0 r8
r0xb6f8 r0xb600 r0xb604 s100000 r8 w0xb640=0
aspm 2
s1000000 r8 s1000000 r8 s1000000 r8
aspm 1
s1000000 r8 s1000000 r8 s1000000 r8
aspm 0
s1000000 r8' --set nic.read_latch_ns=700 --set nic.read_return_ns=500 --set nic.write_ns=30 \
	--set nic.aspm_idle_ns=30000 --set nic.aspm_exit_ns=16000
takes cost 3 1200 "a read takes the time of both directions"
takes cost 4 1200 "a second read also takes the time of both directions"
takes cost 7 30 "a write takes the model's time"
takes cost 8,10 17200 "a read after an idle time waits for the link to leave L1"
takes cost 11,13 17200 "a read waits for the link to leave L0s"
takes cost 14 1200 "a read with ASPM off does not wait for the link"
latch=$(rows cost 'event == "latch"' | awk -F '\t' '{ print $3 }')
within $((latch - $(value cost 3 3))) 1410 20 "cost: the clock is latched when the read arrives at the card"

# --- target times and faults. 0x3b9aca00 ns are one second.

registers targets 'w0=0x4000000 w0xb640=0 w0xb648=0 w0xb644=0x3b9ac000 w0xb640=1 r0xb66c
s100000000 r0xb640 r0xb66c s1000000000 r0xb640 r0xb66c r0xb66c
w0xb640=1 r0xb640 r0xb66c' --set nic.clock_ppb=-1000000
is "$(sed 1,6d "$tmp/targets/registers" | awk '{ printf "%s ", $2 }')" \
	"0x00000001 0x00000000 0x00000000 0x00000008 0x00000000 0x00000001 0x00000000 0x00000008 " \
	"targets: TSAUXC.EN_TT0 clears and TSICR.TT0 sets at the target time, also if it has already passed"

# EEC and EERD have two addresses: the I210's and the older one. ICS sets a cause, and reading ICS does not clear it.
registers aliases 'r0x10 r0x12010
w0x12014=0x00000001 s1000 r0x12014 r0x14
w0x1504=0x80000 r0x1504 r0x1504 r0x1500 r0x1504'
is "$(value aliases 1)" "$(value aliases 2)" "aliases: EEC has the same value at both addresses"
is "$(value aliases 4)" "$(value aliases 5)" "aliases: EERD has the same value at both addresses"
is "$(($(value aliases 4) & 2))" 2 "aliases: EERD reads a word"
is "$(($(value aliases 7) & 0x80000)) $(($(value aliases 8) & 0x80000)) $(($(value aliases 10) & 0x80000))" "524288 524288 0" \
	"aliases: ICS shows a cause until ICR is read"

registers jump 'w0xb640=0 r0xb6f8 r0xb600 r0xb604
sleep 5
r0xb6f8 r0xb600 r0xb604
r0xb6f8 r0xb600 r0xb604' --set nic.fault_jump_at_ns=4000000000 --set nic.fault_jump_ns=3600000000000
is "$(rows jump 'event == "jump"' | cut -f 2)" 4000000000 "jump: the clock jumps at the time of the model"
within $(($(value jump 7) - $(value jump 4))) 3605 1 "jump: the clock jumps by one hour"

registers gone 'r8
config
sleep 5
r8
w8=1
config' --set nic.fault_gone_at_ns=4000000000
is "$(value gone 2)" 15338086 "gone: at first the card is present"
is "$(value gone 3) $(value gone 5)" "0xffffffff ffffffff" "gone: later, registers read as all ones"
is "$(rows gone 'event == "gone"' | cut -f 2)" 4000000000 "gone: the card disappears at the time of the model"

# reset_bits NAME LINE: print STATUS.PF_RST_DONE, EEC.AUTO_RD and CTRL.RST from three reads beginning at LINE.
reset_bits() {
	printf '%d %d %d\n' $((($(value "$1" "$2") >> 26) & 1)) $((($(value "$1" $(($2 + 1))) >> 21) & 1)) \
		$((($(value "$1" $(($2 + 2))) >> 9) & 1))
}
registers reset 'w0=0x4000000 s1000000 r0 r8 r0x10
sleep 5
w0=0x4000000 s1000000 r0 r8 r0x10' --set nic.fault_reset=on --set nic.fault_reset_to_ns=4000000000
is "$(reset_bits reset 2)" "1 0 0" "reset: the first reset does not end"
is "$(reset_bits reset 6)" "0 1 1" "reset: the second reset ends"

# --- random delays, and their seed

# delays NAME: print the delays of the messages after the target times.
delays() {
	awk -F '\t' '$1 == "fired" { at[$5] = $2 } $1 == "msi" && $5 in at { print $2 - at[$5] }' "$tmp/$1/truth-i210.tsv"
}

igb jitter --set nic.intr_jitter_ns=1000
igb again --set nic.intr_jitter_ns=1000
igb other --set nic.intr_jitter_ns=1000 --seed 2
same "$tmp/jitter/truth-i210.tsv" "$tmp/again/truth-i210.tsv" "the same seed gives the same log"
not_ok "another seed gives another log" cmp -s "$tmp/jitter/truth-i210.tsv" "$tmp/other/truth-i210.tsv"
delays jitter >"$tmp/delays"
delays other >>"$tmp/delays"
ok "jitter: delays are within the bound" awk '$1 < 1800 || $1 > 2800 { print; exit 1 } END { if (!NR) exit 1 }' "$tmp/delays"
ok "jitter: delays vary" test "$(delays jitter | sort -u | wc -l)" -ge 3
done_testing
