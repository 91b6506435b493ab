#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat audit on strangers' device trees and ACPI tables: it writes no file of the caller's, prints no word of a file outside the
# tree, ends in time, and reads the rest. long/audit-hostile.t tries many random ones.
# needs: tools
. "$(dirname "$0")/../../../../tests/lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools

wakelat=$top/scripts/wakelat
for program in dtc cpp iasl acpiexec python3; do
	command -v "$program" >/dev/null || bail "$program is missing: scripts/dev/packages audit"
done
cd "$tmp" || exit 1
chmod 755 "$tmp"
HOME=$tmp/home
export HOME
mkdir home
printf 'zyxsecretword\n' >home/token
printf 'my profile\n' >home/.profile

# board FILE [TEXT]: write a board with one state, sleep, and TEXT beside this state
board() {
	printf '/dts-v1/;\n/ { #address-cells = <1>; #size-cells = <1>; cpus { #address-cells = <1>; #size-cells = <0>;
cpu@0 { device_type = "cpu"; reg = <0>; cpu-idle-states = <&s>; };
idle-states { s: sleep { compatible = "arm,idle-state"; entry-latency-us = <10>; exit-latency-us = <20>; min-residency-us = <90>; };
%s
}; }; };\n' "${2-}" >"$1"
}

# new_tree: make a kernel tree in tree/ with one good board; set $boards
new_tree() {
	rm -rf tree
	boards=tree/arch/arm64/boot/dts
	mkdir -p $boards tree/include/dt-bindings tree/scripts/dtc/include-prefixes
	: >tree/Kconfig
	board $boards/good.dts
}

# intact NAME: check that the last run printed no secret, wrote no file of the caller's, and read the good board
intact() {
	unlike "$out$err" 'zyxsecretword' "$1: no word of a file outside the tree is printed"
	is "$(cat home/.profile)$(names home)" "my profiletoken" "$1: no file of the caller's is written"
	like "$out" '^  sleep +30 +90 ' "$1: the good board is read"
}

# --- names

new_tree
name='$(touch${IFS}PWNED).dts'
board "$boards/$name"
mkdir -p "$boards/$name $tmp/home"
cp "$boards/$name" "$boards/$name $tmp/home/.profile z.dts"
run "$wakelat" audit --states tree
intact "a path with blanks that names another file"
like "$out" '^Device trees: 3 states' "a path with blanks that names another file: all boards are read"
new_tree
for name in "it's.dts" 'a b.dts' '-x.dts' 'q"q.dts' '`id`.dts' '*.dts'; do
	board "$boards/$name"
done
run "$wakelat" audit --states tree
is "$status" 0 "names with quotes, blanks, dashes: the tree is read"
like "$out" '^Device trees: 7 states' "names with quotes, blanks, dashes: each board is read"
for name in "it's.dts" './one file.dts' -x.dts; do
	board "./$name"
	run "$wakelat" audit --states -- "$name"
	like "$out" '^  sleep +30 +90 ' "a single file named $name is read"
done
new_tree
board "$boards/a$(printf '\033')[2J.dts"
board "$boards/a	b.dts"
board "$boards/a
b.dts"
run "$wakelat" audit --states tree
like "$out" '^unknown A18 tree: files with a control character or a backslash in their names: 3$' "names with control characters are counted"
intact "names with control characters"
refused 'its name has a control character or a backslash: rename it$' "a single file with a control character in its name is refused" \
	"$wakelat" audit "$boards/a	b.dts"

# --- includes

up=$(printf '%s' "$tmp" | sed 's|[^/]||g; s|/|../|g')../../../..
# hostile NAME TEXT [ERE]: audit a tree with a board that has TEXT; its row has to match ERE
hostile() {
	board $boards/evil.dts "$2"
	run "$wakelat" audit --states tree
	intact "$1"
	like "$out" "^unknown A18 arch/arm64/boot/dts/evil.dts: ${3-.*no such file below the tree\$}" "$1: its row says what is wrong"
}
node='{ compatible = "arm,idle-state"; entry-latency-us = <1>; exit-latency-us = <9>; min-residency-us = <2>; };'
new_tree
hostile "an include with an absolute path" "#include \"$tmp/home/token\"
$node"
hostile "an include with .." "#include \"$up$tmp/home/token\"
$node"
hostile "an include by a macro" "#define F \"$tmp/home/token\"
#include F
$node"
hostile "dtc's include" "/include/ \"$tmp/home/token\"
$node" '.*'
hostile "incbin" "x { compatible = \"arm,idle-state\"; arm,psci-suspend-param = /incbin/(\"$tmp/home/token\"); };" '.*'
ln -s "$tmp/home/token" $boards/link.dtsi
hostile "an include of a link" "#include \"link.dtsi\"
$node"
ln -s "$tmp/home" tree/scripts/dtc/include-prefixes/arm
hostile "an include through a linked directory" "#include <arm/token>
$node"
hostile "an include of /dev/zero" '#include "/dev/zero"'
hostile "incbin of /dev/zero" 'x { x = /incbin/("/dev/zero"); };' '.*'
mkfifo $boards/pipe.dtsi
hostile "an include of a FIFO" '#include "pipe.dtsi"' 'stopped after 10 s'
hostile "a text that grows" "$(awk 'BEGIN { for (i = 0; i < 40; i++) printf "\n#define M%d M%d M%d", i + 1, i, i }')
M40" '.*'
new_tree
ln -s "$tmp/home/token" $boards/link.dts
mkfifo $boards/pipe.dts
truncate -s 10G $boards/sparse.dts
mkdir -p tree/drivers/idle
ln -s "$tmp/home/token" tree/drivers/idle/intel_idle.c
run "$wakelat" audit --states tree
intact "boards and intel_idle.c that are links"
like "$out" '^unknown A18 tree: files that are links, pipes or devices: 2$' "boards that are links to elsewhere or FIFOs are counted"
like "$out" '^unknown A18 tree: files of more than 8 MiB: 1$' "boards that are too large are counted"
like "$out" '^unknown A18 tree/drivers/idle/intel_idle.c: ' "an intel_idle.c that cannot be read has a row"
mkdir single
board single/single.dts "#include \"$tmp/home/token\"
$node"
refused 'single/single.dts: cannot be compiled: single.dts:[0-9:]+: .*/home/token: no such file below the tree$' "a single source with such an include is refused" \
	"$wakelat" audit single/single.dts

# --- without Landlock

gcc -shared -fPIC -o no-landlock.so "$top/extras/audit/tests/fixtures/no-landlock.c" || bail "cannot compile no-landlock.c"
new_tree
ln -s "$tmp/home/token" $boards/link.dtsi
for include in "$tmp/home/token" link.dtsi; do
	board $boards/evil.dts "#include \"$include\"
$node"
	run env LD_PRELOAD="$tmp/no-landlock.so" "$wakelat" audit --states tree
	intact "without Landlock, an include of ${include##*/}"
	like "$out" '^unknown A18 arch/arm64/boot/dts/evil.dts: it includes a file that is not below the tree$' "without Landlock, an include of ${include##*/}: its row"
done

# --- rights

new_tree
chmod -R g+w tree
run "$wakelat" audit --states tree
like "$out" '^  sleep +30 +90 ' "a tree with mode 775 is read"
mkfifo $boards/pipe.dtsi
board $boards/evil.dts '#include "pipe.dtsi"'
mkdir temporary
run env TMPDIR="$tmp/temporary" timeout -s INT 3 "$wakelat" audit tree
is "$(names temporary)" '*' "after Ctrl-C, no temporary file is left"

# --- ACPI tables

# table NAME ASL: make NAME.aml, an SSDT
table() {
	printf 'DefinitionBlock ("", "SSDT", 2, "TEST", "%s", 1) { Scope (\\_SB) { %s } }\n' "$1" "$2" >"$1.asl"
	iasl -ve -p "$1" "$1.asl" >iasl.log 2>&1 || bail "iasl: $1: $(grep -m 1 '^Error' iasl.log)"
}
hid='Name (_HID, "ACPI0007")'
state='Package () { 1, Package () { ResourceTemplate () { Register (FFixedHW, 1, 2, 0x20, 3) }, 2, 41, 350 } }'
table good "Device (GOOD) { $hid Name (_CST, $state) }"
table huge "Device (HUGE) { $hid Method (_CST, 0, Serialized) { Name (B, Buffer (0x7ffffff0) {}) Return ($state) } }"
table loop "Device (LOOP) { $hid Method (_CST, 0, Serialized) { While (One) { } Return ($state) } }"
table none "Device (NONE) { $hid Name (_CST, Package () { 0 }) }"
for name in huge loop none; do
	run "$wakelat" audit --states good.aml $name.aml
	like "$out" '^  C1 +41 ' "tables: the good one is read beside $name.aml"
	like "$out" "^unknown A18 .*$(printf '%s' $name | tr '[:lower:]' '[:upper:]')" "tables: $name.aml has its row"
done
{
	head -c 60 good.aml
	printf X
	tail -c +62 good.aml
} >wrong.aml
run "$wakelat" audit --states good.aml wrong.aml
like "$out" '^  C1 +41 ' "tables: the good one is read beside one with a wrong checksum"
like "$out" '^unknown A18 wrong.aml: damaged: its checksum is wrong' "tables: the one with a wrong checksum has its row"
i=0
many=
while [ $i -lt 40 ]; do
	many="$many Device (P0$((10 + i))) { $hid Name (_UID, $i) Name (_CST, $state) }"
	i=$((i + 1))
done
table many "$many"
like "$("$wakelat" audit many.aml)" '^ACPI: 40 states' "tables: the states of 40 processors are read"

# --- random ones

mkdir trees tables
ok "5 random hostile trees" python3 "$top/extras/audit/tests/fixtures/hostile.py" trees "$wakelat" 5 1 trees
ok "10 random damaged tables" python3 "$top/extras/audit/tests/fixtures/hostile.py" tables "$wakelat" 10 1 tables
done_testing
