#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What a kernel that watches itself says, as tests/stress reads it: which reports are faults, and whose.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/stress.sh"

# says NAME: a kernel's log from stdin, with times; $faults is what is a fault
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
is "$faults" "" "what it says of its doings is no fault"

# one ERE TEXT: the log has one fault, which the expression matches
one() {
	says
	is "$(printf '%s\n' "$faults" | grep -c .)" 1 "$2"
	like "$faults" "$1" "$2: whole"
}

one 'use-after-free in kmem_x.*Write of size 8.*wakelat_end.*Memory state' "KASAN" <<'END'
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
one 'circular.*stress/77' "lockdep" <<'END'
======================================================
WARNING: possible circular locking dependency detected
6.12.1-kasan #1 Not tainted
------------------------------------------------------
stress/77 is trying to acquire lock:
END
one 'ODEBUG: free active' "debugging of objects" <<'END'
------------[ cut here ]------------
ODEBUG: free active (active state 0) object: ffff888001234567 object type: hrtimer hint: x+0x0/0x10
WARNING: CPU: 0 PID: 5 at lib/debugobjects.c:514 debug_print_object+0x12/0x20
Call Trace:
---[ end trace 0000000000000000 ]---
END
one 'blocked for more than 30' "a task that hangs" <<'END'
INFO: task stress:99 blocked for more than 30 seconds.
      Not tainted 6.12.1-kasan #1
END
one 'sleeping function called' "sleeping where one must not" <<'END'
BUG: sleeping function called from invalid context at kernel/locking/mutex.c:585
in_atomic(): 1, irqs_disabled(): 0, non_block: 0, pid: 3, name: stress
END
one 'list_add corruption' "a list that is broken" <<'END'
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
one 'data-race in tick_nohz_idle_x' "a data race with a function of ours" <<END
$(race tick_nohz_idle_x wakelat_run_start)
END
ours=$(cat "$top"/patches/[0-9]-*/[0-9]*.patch | sed -n 's/^[+]static [a-z]* \([a-z_]*\)(.*/\1/p' | head -n 1)
one "data-race in $ours" "whose name need not say so: $ours" <<END
$(race "$ours" tick_nohz_idle_x)
END
says <<END
$(race tick_nohz_idle_x hrtimer_x; race vfs_x enqueue_x)
END
is "$faults" "" "data races of others are theirs"
is "$(races_of_others "$tmp/log")" 2 "and counted"

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
is "$(leaks "$tmp/kmemleak" | grep -c .)" 1 "a leak is ours if its stack has us"
printf 'unreferenced object 0x1 (size 64):\n  comm "stress"\n  backtrace (crc 0):\n    kmalloc_noprof+0x1/0x2\n    %s+0x1/0x2\n' "$ours" >"$tmp/kmemleak"
is "$(leaks "$tmp/kmemleak" | grep -c .)" 1 "by the name of a function, too: $ours"

# A machine's whole: each thing that can be missing is one.
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
is "$(judge_stress "$tmp/m" 0)" "" "a machine without a fault"
is "$(judge_stress "$tmp/m" 124)" "the machine ended with status 124" "one that did not end"
printf 'run /stress 1 20\n' >"$tmp/m/stuck"
like "$(judge_stress "$tmp/m" 0)" '^stuck: run' "one in which somebody is stuck"
machine
printf 'source\tavailable\treason\nhrtimer\tok\tstopped\npassive\tok\tsamples\n' >"$tmp/m/sources.tsv"
like "$(judge_stress "$tmp/m" 0)" 'source hrtimer .* ended: stopped' "one whose sources do not work afterwards"
printf '0\n' >"$tmp/m/lockdep"
like "$(judge_stress "$tmp/m" 0)" 'lockdep is off' "one without lockdep"
machine
printf 'enabled: 0\nsetup_watchpoints: 0\n' >"$tmp/m/kcsan"
is "$(judge_stress "$tmp/m" 0)" "KCSAN has watched nothing" "one whose KCSAN is off"
printf 'enabled: 1\nsetup_watchpoints: 300\n' >"$tmp/m/kcsan"
is "$(judge_stress "$tmp/m" 0)" "" "and one whose is on"
rm "$tmp/m/kcsan"
rm "$tmp/m/done.tsv"
like "$(judge_stress "$tmp/m" 0)" 'nobody counted' "one without a table"

printf 'actor\twhat\ttried\trefused\tdone\nwrite\tcpus\t5\t4\t1\n' >"$tmp/one"
printf 'actor\twhat\ttried\trefused\tdone\nwrite\tcpus\t7\t1\t6\nread\twait\t2\t1\t1\n' >"$tmp/two"
is "$(sum_tables "$tmp/one" "$tmp/two" | tr '\t\n' ' ;')" 'actor what tried refused done;write cpus 12 5 7;read wait 2 1 1;' "the tables' sum"
refused 'not a number' "minutes that are none" "$top/tests/stress" --minutes x
done_testing
