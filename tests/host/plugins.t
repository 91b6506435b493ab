#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The plugin of libtraceevent: trace-cmd report prints samples with it, whatever their format. wakelat's own tools load no plugin.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools
cd "$tmp" || exit 1
plugins=$top/tools/bin/traceevent

# said FILE [OPTION]...: print trace-cmd report's text of each event, without time and task.
said() {
	said_file=$1
	shift
	TRACEEVENT_PLUGIN_DIR="$plugins" trace-cmd report "$@" "$said_file" 2>&1 | sed -n 's/^.*wakelat_sample: *//p'
}

mkdir run
run_tsv run/run.tsv state.4.name 'two	words' state.5.name "$(printf '\033[1mbold')" state.99.name C99 state.x.name CX
trace run/trace.dat -k <<'END'
sample 0 1000 run=1 source=1 state=3 seq=1 ldist=500000 silent_time=499100 wake_latency=133070 intr_latency=133771
sample 1 2000 run=1 source=2 state=1 seq=7 irqs_on=1 ldist=50001 silent_time=49000 wake_latency=0 intr_latency=2500 taint=17
sample 0 3000 run=2 source=3 state=2 seq=2 ldist=9 silent_time=-9223372036854775808 wake_latency=-9223372036854775808 intr_latency=-9223372036854775808 taint=64
sample 0 4000 run=2 source=5 state=4 seq=3 ldist=18446744073709551615 silent_time=-1 wake_latency=-1001 intr_latency=9223372036854775807 taint=0x40000001
sample 0 5000 run=2 source=8 state=5 seq=4
sample 0 6000 run=2 state=99 seq=5
END
said run/trace.dat >said.txt
is "$(sed -n 1p said.txt)" "CPU 0 C6: wake_latency 133.070 us, intr_latency 133.771 us, silent_time 499.100 us, ldist 500.000 us (source hrtimer, run 1, seq 1)" \
	"a sample is printed for people"
is "$(sed -n 2p said.txt)" "CPU 1 C1: wake_latency -, intr_latency 2.500 us, silent_time 49.000 us, ldist 50.001 us, interrupts on (source tsc_deadline, run 1, seq 7), TAINTED: foreign_irq,smi" \
	"a tainted sample with interrupts on is printed"
is "$(sed -n 3p said.txt)" "CPU 0 C1E_x: wake_latency -, intr_latency -, silent_time -, ldist 0.009 us (source i210, run 2, seq 2), TAINTED: broadcast" \
	"absent values are printed as -"
is "$(sed -n 4p said.txt)" "CPU 0 state 4: wake_latency -1.001 us, intr_latency 9223372036854775.807 us, silent_time -0.001 us, ldist - (source passive, run 2, seq 3), TAINTED: foreign_irq,0x40000000" "signs, 2^63 - 1 and an unknown taint are printed; a state name with a TAB is not"
like "$(sed -n 5p said.txt)" '^CPU 0 state 5: .*source 0x8,' \
	"a state's name with terminal commands is not printed; an unknown source is a number"
like "$(sed -n 6p said.txt)" '^CPU 0 state 99: ' "a state number beyond the table of states is printed"
is "$(cut -f 1 "$top/scripts/lib/common/taints.tsv" | sed '1d; /^warmup$/d; /^clock$/d' | paste -sd , -)" \
	"$(printf 'sample 0 1 state=0 taint=0x7ff\n' | trace all.dat; said all.dat | sed 's/.*TAINTED: //')" \
		"each taint is printed by its name"

cp run/trace.dat alone.dat
like "$(said alone.dat | head -n 1)" '^CPU 0 state 3: wake_latency 133\.070' \
	"a recording without run.tsv: the state's index is printed"
is "$(TRACEEVENT_PLUGIN_DIR="$tmp/none" trace-cmd report run/trace.dat 2>&1 | grep -c 'wakelat_sample: .*state')" 6 \
	"a missing plugin directory: all samples are printed"
mkdir other
cp run/trace.dat other
sed 's/	C6$/	C6S/; s/	C1$/	C1_ACPI/' run/run.tsv >other/run.tsv
TRACEEVENT_PLUGIN_DIR="$plugins" trace-cmd report -i run/trace.dat -i other/trace.dat >two.txt 2>&1
is "$(grep -c 'CPU 0 state 3: ' two.txt) $(grep -c 'CPU 0 C6' two.txt) $(grep -c 'CPU 0 C1E_x: ' two.txt)" "2 0 2" \
	"two recordings: a state has a name only if both use this name"
rm other/run.tsv
mkfifo other/run.tsv
like "$(said other/trace.dat | head -n 1)" '^CPU 0 state 3: ' "a pipe in the place of run.tsv does not block"

trace named.dat -K <<'END'
wakelat_counters 0 900 run=1 seq=1 tsc_cyc=1
sample 0 1000 run=1 source=sundial state=3 seq=1 wake_latency=133070 tai_cyc=1 unknown=1
sample 1 2000 run=1 source=a\x09\x1bb state=1 seq=7 wake_latency=absent tai_cyc=absent intr_latency=2500 taint=17
END
is "$(said named.dat | sed -n 1p)" "CPU 0 state 3: wake_latency 133.070 us, intr_latency 0.000 us, silent_time 0.000 us, ldist 0.000 us (source sundial, run 1, seq 1)" \
	"a source in text form is printed"
is "$(said named.dat | sed -n 2p)" "CPU 1 state 1: wake_latency -, intr_latency 2.500 us, silent_time 0.000 us, ldist 0.000 us, interrupts on (source a??b, run 1, seq 7), TAINTED: foreign_irq,smi" \
	"interrupts on without a field for it; a source with invalid characters"

# --- other formats of samples
trace old.dat -o wake_latency -o taint -o irqs_on -o ldist -o run -o source <<'END'
sample 0 1 state=1 seq=4 intr_latency=5
END
is "$(said old.dat)" "CPU 0 state 1: intr_latency 0.005 us, silent_time 0.000 us (seq 4)" \
	"an older format: its fields are printed"
trace new.dat -e 30 -s <<'END'
sample 0 1 source=9 state=1 seq=4 taint=0x22 wake_latency=7 extra7=12
END
is "$(said new.dat)" "CPU 0 state 1: wake_latency 0.007 us, intr_latency 0.000 us, silent_time 0.000 us, ldist 0.000 us (source sundial, run 0, seq 4), TAINTED: eclipse,foreign_timer" \
	"a newer format: names come from its print format"
trace bytes.dat -n seq <<'END'
sample 0 1 state=1 wake_latency=7
END
is "$(said bytes.dat)" "state=1 wake_latency=7 ns" "an unreadable format is printed as without the plugin"
is "$(said new.dat -N)" "source=sundial state=1 taint=eclipse,0x2" "trace-cmd report -N prints as without the plugin"
trace stranger.dat -f <<'END'
sample 0 1 state=1 wake_latency=7
END
is "$(said stranger.dat)" "state=1 wake_latency=7 ns" "a foreign event with the same name is printed as without the plugin"
trace stock.dat -S -E <<'END'
cpu_idle 0 1000 state=3
END
is "$(TRACEEVENT_PLUGIN_DIR="$plugins" trace-cmd report stock.dat 2>&1)" "$(TRACEEVENT_PLUGIN_DIR="$tmp/none" trace-cmd report stock.dat 2>&1)" \
	"a recording without wakelat's events is printed as without the plugin"
for file in "$plugins"/*; do
	is "${file##*/}" plugin_wakelat.so "the plugin's directory has one plugin"
done
is "$(nm -D --defined-only "$plugins/plugin_wakelat.so" | cut -d ' ' -f 3 | paste -sd ' ' -)" "tep_plugin_loader tep_plugin_unloader" \
	"the plugin exports only the functions of a plugin"
series=$(grep -h 'TP_printk("run=%u seq=%llu state=' "$top"/patches/[0-9]-*/[0-9]*.patch | sed -n '$s/.*TP_printk("\(.*\)",$/\1/p')
trace kinds.dat -t <<'END'
sample 0 1 run=1 seq=4 state=1 entered=1 ldist=50001 tbi=1000 silent_time=49000 wake_latency=7 intr_latency=90
sample 1 2 run=1 seq=5 state=1 entered=absent ldist=50001 tbi=2000 silent_time=500 wake_latency=absent intr_latency=2500 taint=0x201
END
is "$(said kinds.dat | sed -n 1p)" "CPU 0 state 1: wake_latency 0.007 us, intr_latency 0.090 us, silent_time 49.000 us, ldist 50.001 us (run 1, seq 4)" \
	"a sample with twelve fields, without source"
is "$(said kinds.dat | sed -n 2p)" "CPU 1 state 1: wake_latency -, intr_latency 2.500 us, silent_time 0.500 us, ldist 50.001 us, interrupts on (run 1, seq 5), TAINTED: foreign_irq,other_state" \
	"a sample with twelve fields, without entered state"
trace event.dat -T <<'END'
sample 0 1 run=1 seq=4 state=1 entered=1 event=2 tbi=1000 silent_time=49000 wake_latency=7 intr_latency=absent
END
is "$(said event.dat)" "CPU 0 state 1: wake_latency 0.007 us, intr_latency -, silent_time 49.000 us, ldist 0.000 us (run 1, seq 4)" \
	"a sample with field event, without a handler"
is "$(trace-cmd dump --events event.dat | sed -n 's/^print fmt: "\(run=[^"]*uncertainty[^"]*\)",.*/\1/p' | head -n 1)" "$series" \
	"this test's recordings have the series' print format"

# A foreign plugin can do anything, so none of the tools loads plugins.
cat >hostile.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void __attribute__((constructor)) loaded(void)
{
	close(open(getenv("LOADED"), O_WRONLY | O_CREAT, 0600));
}

int tep_plugin_loader(void *tep)
{
	loaded();
	return tep == 0;
}
END
mkdir hostile
cc -w -shared -fPIC -o hostile/plugin_wakelat.so hostile.c || bail "the hostile plugin does not build"
LOADED=$tmp/loaded
export LOADED
hostile() {
	TRACEEVENT_PLUGIN_DIR="$tmp/hostile" TRACECMD_PLUGIN_DIR="$tmp/hostile" "$@"
}
hostile trace-cmd report run/trace.dat >/dev/null 2>&1
ok "trace-cmd report loads a hostile plugin" rm loaded
"$wakelat" dump -o without.tsv run/trace.dat 2>without.err
hostile "$wakelat" dump -o with.tsv run/trace.dat 2>with.err
same with.tsv without.tsv "wakelat dump does not load a hostile plugin: same samples"
is "$(sed 's/with\.tsv/-/' with.err)" "$(sed 's/without\.tsv/-/' without.err)" \
	"wakelat dump does not load a hostile plugin: same messages"
hostile "$wakelat" dump --from-events -o from stock.dat >/dev/null 2>&1
not_ok "dump --from-events does not load a hostile plugin" [ -e loaded ]
TRACEEVENT_PLUGIN_DIR="$plugins" "$wakelat" dump -o ours.tsv run/trace.dat 2>/dev/null
same ours.tsv without.tsv "wakelat's plugin changes no sample"

done_testing
