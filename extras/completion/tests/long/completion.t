#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Completion: the candidates come from the -h texts alone; bash (with bash-completion) and zsh offer them.
# needs: nothing
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
: "${top:?}" "${tmp:?}"
. "$top/tests/lib/shells.sh"
wakelat=$top/scripts/wakelat
mkdir "$tmp/in" && cd "$tmp/in" || exit 1

# offered WORD...: print the candidates for the last WORD, in one line, without descriptions
offered() {
	"$wakelat" completion -- "$@" 2>&1 | cut -f 1 | paste -sd ' ' -
}

# offered_before LAST WORD...: the same, with LAST as the last word
offered_before() {
	last=$1
	shift
	offered "$@" "$last"
}

# --- candidates

all=$(cd "$top/scripts/commands" && ls; cd "$top/extras" && for page in */wakelat-*.1; do [ ! -e "$page" ] || echo "${page%%/*}"; done)
is "$(offered '' | tr ' ' '\n' | sed 1,3d)" "$all" "the first word: all commands are offered"
is "$(offered help '' | tr ' ' '\n')" "$all" "help: all commands are offered"
: >faults
for name in $all; do
	wanted=$("$top/scripts/wakelat" "$name" -h | sed -nE 's/^(  -[a-zA-Z], |      )(--[a-z-]+).*/\2/p' | paste -sd ' ' -)
	[ "$(offered "$name" -)" = "$wanted" ] || printf '%s\n' "$name" >>faults
done
is "$(cat faults)" "" "each command: all options of its -h text are offered"

mkdir -p sys/devices/system/cpu/cpu3/cpuidle/state0 sys/devices/system/cpu/cpu3/cpuidle/state1
printf '0-1,3\n' >sys/devices/system/cpu/online
printf 'POLL\n' >sys/devices/system/cpu/cpu3/cpuidle/state0/name
printf 'C1E\n' >sys/devices/system/cpu/cpu3/cpuidle/state1/name
export WAKELAT_ROOT="$PWD"
while IFS='|' read -r line wanted; do
	last=
	[ "${line% }" != "$line" ] || last=${line##* }
	is "$(words "${line% *}" offered_before "$last")" "$wanted" "wakelat $line"
done <<'END'
record --cpu |:list 0 1 3
record --cpu 1,|:list 1,0 1,3
record --cpu=1,|:skip 6 :list 1,0 1,3
tune --cpu |0 1 3
probe --states |:list POLL C1E
record --states POLL,|:list POLL,C1E
record --source |hrtimer tsc_deadline passive ipi i210
record --prepare others,sib|:list others,siblings others,governor others,frequency others,bias others,irqs others,watchdogs others,timers others,aspm others,idle-governor others,all
probe --source=p|:skip 9 timer passive wake
plot -k pdf,|:list pdf,svg pdf,png pdf,tex
plot --width |:list 88mm 180mm
import -u |ns us ms s
sweep --load |sibling neighbour
sweep --qos all -- --source |hrtimer tsc_deadline passive ipi i210
sweep --qos all -- --source=|:skip 9 hrtimer tsc_deadline passive ipi i210
verdict --paste |sysfs qos wakeup cpupower tuned systemd udev crio cmdline
nic |list bind unbind
compare a |:recordings
report -o |:files
record -o |:directories
record --resume |:recordings
import |:files
dump --from-events |:recordings :files
stats -p |
record -n |
record --no-such-option=|:skip 17
nothing |
../commands/stats |
END
is "$(offered import --set a=b -qo x '')$(offered import -- --)" ":files:files" \
	"import: files are offered after option values and after --"
is "$(offered record --resume x --source '')" "hrtimer tsc_deadline passive ipi i210" \
	"an option is completed after another option's value"
like "$("$wakelat" completion -- '')" '^verdict	[a-z]' "commands are offered with their summary"
like "$("$wakelat" completion -- probe --source '')" '^wake	a thread that another CPU wakes$' \
	"an option's values are offered with their meaning"
is "$(offered record --source '' | tr ' ' '\n' | sort)" "$(cat "$top"/patches/[0-9]-*/[0-9]*.patch |
	awk '/^\+static struct wakelat_source / { inside = 1 } inside && /\.name/ { gsub(/.*= "|",/, ""); print; inside = 0 }' | sort -u)" "record --source: the sources of the kernel patches are offered"

mkdir -p sys/kernel/tracing/wakelat
printf 'hrtimer ok\nsundial unavailable: it is night\n' >sys/kernel/tracing/wakelat/available_sources
is "$(offered record --source '') $(offered sweep --qos all -- --source=s)" "hrtimer sundial :skip 9 hrtimer sundial" \
	"record --source: a kernel with wakelat offers its own list of sources"
rm -r sys/kernel

# A new option needs a line in the -h text and no other change.
mkdir -p new/extras && cp -R "$top/scripts" new/ && cp -R "$top/extras/completion" new/extras/
sed -i 's/^  -q, --quiet  .*/      --colour NAME  one of red (dark) or blue, of all figures\n&/' new/scripts/commands/plot
wakelat=$tmp/in/new/scripts/wakelat
is "$(offered plot --colour '') $(offered plot - | grep -o -e --colour)" "red blue --colour" \
	"an option that only the -h text names is offered"
wakelat=$top/scripts/wakelat

# --- completion in shells

mkdir -p run/sub 'a run' other out/deep
touch run/run.tsv 'a run/run.tsv' out/deep/run.tsv file.dat file
cat >keys <<'END'
wakelat sta@
wakelat rec@--sou@hr@
wakelat record --source=ts@
wakelat probe --live --source=wa@
wakelat stats r@
wakelat stats a@
wakelat stats ot@
wakelat stats out/@
wakelat stats fi@
wakelat plot -k pdf,s@
wakelat dump file.@
wakelat sweep --qos all -- --source tsc@
wakelat record --states P@
../in/wakelat stats -q ru@
END
cat >wanted <<'END'
wakelat stats 
wakelat record --source hrtimer 
wakelat record --source=tsc_deadline 
wakelat probe --live --source=wake 
wakelat stats run/
wakelat stats a\ run/
wakelat stats other/
wakelat stats out/deep/
wakelat stats fi
wakelat plot -k pdf,svg
wakelat dump file.dat 
wakelat sweep --qos all -- --source tsc_deadline 
wakelat record --states POLL
../in/wakelat stats -q run/
END
# A program called wakelat in the current directory. Completion must not execute it: the user has not run it yet.
printf '#!/bin/sh\ntouch "%s/executed"\n' "$tmp/in" >wakelat
chmod +x wakelat
if command -v bash >/dev/null && [ -r /usr/share/bash-completion/bash_completion ]; then
	printf '. /usr/share/bash-completion/bash_completion\n. "%s/extras/completion/share/bash-completion/completions/wakelat"\n' "$top" >bash.rc
	{
		cat keys
		printf 'wakelat compare other %%\nwakelat record --source=%%\n'
	} | typed bash bash.rc >got
	{
		cat wanted
		printf 'wakelat compare other a\\ run run \nwakelat record --source=hrtimer i210 ipi passive tsc_deadline \n'
	} >bash.wanted
	is "$(cat got)" "$(cat bash.wanted)" "bash completes the typed lines"
else
	skip 1 "no bash-completion: scripts/dev/packages completion"
fi
if command -v zsh >/dev/null; then
	printf 'fpath=("%s/extras/completion/share/zsh/site-functions" $fpath)\nautoload -U compinit && compinit -u -D\n' "$top" >zsh.rc
	typed zsh zsh.rc <keys >got
	is "$(cat got)" "$(cat wanted)" "zsh completes the typed lines"
else
	skip 1 "no zsh: scripts/dev/packages test-all"
fi
not_ok "completion does not execute the typed program" test -e executed
done_testing
