#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# tests/stress reads the log of a debug kernel: which reports are faults, and which of them concern wakelat.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/stress.sh"

# says: read a kernel's log from stdin, and set $faults to its faults
says() {
	sed 's/^/[   12.345678] /' >"$tmp/log"
	faults=$(faults "$tmp/log")
}

says <<'END'
igb 0000:01:00.0: added PHC on eth0
smpboot: CPU 1 is now offline
PM: suspend entry (s2idle)
hrtimer: interrupt took 718845 ns
Lock dependency validator: Copyright (c) 2006 Red Hat, Inc., Ingo Molnar
wakelat: no fault
END
is "$faults" "" "ordinary messages are no faults"

# one ERE NAME: check that the log on stdin has one fault, and that ERE matches it
one() {
	says
	is "$(printf '%s\n' "$faults" | grep -c .)" 1 "$2"
	like "$faults" "$1" "$2: the report is whole"
}

one 'use-after-free in kmem_x.*Write of size 8.*wakelat_end.*Memory state' "a report of KASAN is a fault" <<'END'
nothing
==================================================================
BUG: KASAN: slab-use-after-free in kmem_x+0x12/0x30
Write of size 8 at addr ffff888003f2c010 by task stress/123

CPU: 1 UID: 0 PID: 123 Comm: stress
Call Trace:
 <TASK>
 wakelat_end+0x10/0x20
 </TASK>

Memory state around the buggy address:
==================================================================
nothing
END
one 'circular.*stress/77' "a report of lockdep is a fault" <<'END'
======================================================
WARNING: possible circular locking dependency detected
6.12.1-kasan #1 Not tainted
------------------------------------------------------
stress/77 is trying to acquire lock:
END
one 'ODEBUG: free active' "a report of ODEBUG is a fault" <<'END'
------------[ cut here ]------------
ODEBUG: free active (active state 0) object: ffff888001234567 object type: hrtimer hint: x+0x0/0x10
WARNING: CPU: 0 PID: 5 at lib/debugobjects.c:514 debug_print_object+0x12/0x20
Call Trace:
---[ end trace 0000000000000000 ]---
END
one 'blocked for more than 30' "a task that hangs is a fault" <<'END'
INFO: task stress:99 blocked for more than 30 seconds.
      Not tainted 6.12.1-kasan #1
END
one 'sleeping function called' "sleeping in atomic context is a fault" <<'END'
BUG: sleeping function called from invalid context at kernel/locking/mutex.c:585
in_atomic(): 1, irqs_disabled(): 0, non_block: 0, pid: 3, name: stress
END
one 'list_add corruption' "a corrupted list is a fault" <<'END'
list_add corruption. next->prev should be prev (ffff), but was 0000. (next=ffff).
END

race() {
	cat <<END
==================================================================
BUG: KCSAN: data-race in $1 / $2

write to 0xffffffff82a0 of 4 bytes by task 5 on cpu 1:
 $1+0x1a2/0x320
 vfs_write+0x1a2/0x320

read to 0xffffffff82a0 of 4 bytes by interrupt on cpu 0:
 $2+0x12/0x50
 wakelat_something+0x12/0x30
==================================================================
END
}
one 'data-race in tick_nohz_idle_x' "a data race with a function of wakelat is a fault" <<END
$(race tick_nohz_idle_x wakelat_run_start)
END
ours=$(cat "$top"/patches/[0-9]-*/[0-9]*.patch | sed -n 's/^[+]static [a-z]* \([a-z_]*\)(.*/\1/p' | head -n 1)
one "data-race in $ours" "a function of the patches without wakelat in its name counts, too: $ours" <<END
$(race "$ours" tick_nohz_idle_x)
END
says <<END
$(race tick_nohz_idle_x hrtimer_x; race vfs_x enqueue_x)
END
is "$faults" "" "data races without a function of wakelat are no faults"
is "$(races_of_others "$tmp/log")" 2 "data races without a function of wakelat are counted"

cat >"$tmp/kmemleak" <<'END'
unreferenced object 0xffff888003f2c000 (size 64):
  comm "kworker", pid 1, jiffies 4294667296
  backtrace (crc 0):
    kmalloc_noprof+0x1/0x2
    acpi_init+0x1/0x2
unreferenced object 0xffff888003f2c040 (size 64):
  comm "stress", pid 99, jiffies 4294667300
  backtrace (crc 0):
    kmalloc_noprof+0x1/0x2
    0xffffffffc0000123
    [wakelat_i210]
END
is "$(leaks "$tmp/kmemleak" | grep -c .)" 1 "a leak with wakelat in its stack is a fault"
printf 'unreferenced object 0x1 (size 64):\n  comm "stress"\n  backtrace (crc 0):\n    kmalloc_noprof+0x1/0x2\n    %s+0x1/0x2\n' "$ours" >"$tmp/kmemleak"
is "$(leaks "$tmp/kmemleak" | grep -c .)" 1 "a leak with a function of the patches in its stack is a fault: $ours"

# All results of a machine. Each result that is missing is a fault.
machine() {
	mkdir -p "$tmp/m"
	printf '[    1.000000] fine\n' >"$tmp/m/dmesg.log"
	printf 'source\tavailable\treason\nhrtimer\tok\tsamples\npassive\tok\tsamples\n' >"$tmp/m/sources.tsv"
	printf 'actor\twhat\ttried\trefused\tdone\nwrite\tcpus\t5\t4\t1\n' >"$tmp/m/done.tsv"
	printf '1\n' >"$tmp/m/lockdep"
	: >"$tmp/m/kmemleak"
	rm -f "$tmp/m/stuck"
}
machine
is "$(judge_stress "$tmp/m" 0)" "" "a machine without a fault: nothing is printed"
is "$(judge_stress "$tmp/m" 124)" "the machine ended with status 124" "a machine that did not end is a fault"
printf 'run /stress 1 20\n' >"$tmp/m/stuck"
like "$(judge_stress "$tmp/m" 0)" '^stuck: run' "a process that is stuck is a fault"
machine
printf 'source\tavailable\treason\nhrtimer\tok\tstopped\npassive\tok\tsamples\n' >"$tmp/m/sources.tsv"
like "$(judge_stress "$tmp/m" 0)" 'source hrtimer .* ended: stopped' "a source that does not work afterwards is a fault"
printf '0\n' >"$tmp/m/lockdep"
like "$(judge_stress "$tmp/m" 0)" 'lockdep is off' "lockdep that is off is a fault"
machine
printf 'enabled: 0\nsetup_watchpoints: 0\n' >"$tmp/m/kcsan"
is "$(judge_stress "$tmp/m" 0)" "KCSAN has watched nothing" "KCSAN that is off is a fault"
printf 'enabled: 1\nsetup_watchpoints: 300\n' >"$tmp/m/kcsan"
is "$(judge_stress "$tmp/m" 0)" "" "KCSAN that is on is no fault"
rm "$tmp/m/kcsan"
rm "$tmp/m/done.tsv"
like "$(judge_stress "$tmp/m" 0)" 'nobody counted' "a missing table of actions is a fault"

printf 'actor\twhat\ttried\trefused\tdone\nwrite\tcpus\t5\t4\t1\n' >"$tmp/one"
printf 'actor\twhat\ttried\trefused\tdone\nwrite\tcpus\t7\t1\t6\nread\twait\t2\t1\t1\n' >"$tmp/two"
is "$(sum_tables "$tmp/one" "$tmp/two" | tr '\t\n' ' ;')" 'actor what tried refused done;write cpus 12 5 7;read wait 2 1 1;' "sum_tables adds up the tables"
refused 'not a number' "tests/stress refuses --minutes without a number" "$top/tests/stress" --minutes x
done_testing
