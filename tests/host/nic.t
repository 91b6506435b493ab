#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# wakelat nic: list shows the cards of a machine made of files; wrong arguments are refused.
# needs: tools
. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/machine.sh"

nic() {
	WAKELAT_ROOT=$tmp/m "$top/scripts/wakelat" nic "$@"
}

make_machine "$tmp/m"
refused 'this machine has no Intel I210 or I211 \(PCI ids 8086:1533,' "list refuses a machine without a card" nic list
make_card
put "$card_real/net/eth5/flags" 0x1003
put_config '\002'
run nic list --tsv
is "$status$err" 0 "list succeeds on a machine with a card"
is "$(printf '%s\n' "$out" | sed -n 2p)" "$(printf '0000:05:00.0\t8086:1533\tigb\teth5\tup\t2.5 GT/s PCIe\t1\tL1\t0')" \
	"list shows all columns of the card"
put "$card_real/net/eth5/carrier" 0
is "$(nic list --tsv | cut -f 5 | sed -n 2p)" down "without a link partner the link is down"
put "$card_real/net/eth5/flags" 0x1002
is "$(nic list --tsv | cut -f 5 | sed -n 2p)" off "an interface that is not up is off"
put_config '\000'
is "$(nic list --tsv | cut -f 8 | sed -n 2p)" off "ASPM that is disabled is off"
: >"$tmp/m$card_real/config"
rm -r "$tmp/m$card_real/net" "$tmp/m$card_real/driver" "$tmp/m$card_real/numa_node"
is "$(nic list --tsv | cut -f 3-5,8-9 | sed -n 2p | tr '\t' ' ')" "none - - - -" "without driver, interface and NUMA node, the columns are none and -"
run nic list
is "$(printf '%s\n' "$out" | awk '{ print NF }' | tr '\n' ' ')" "9 11 " "the printed table has columns"
is "$(printf '%s\n' "$out" | sed -n 's/8086:.*//p' | wc -c)" "$(printf '%s\n' "$out" | sed -n 's/id .*//p' | wc -c)" \
	"the columns of the printed table are aligned"
put "$card_real/device" 0x10d3
refused 'no Intel I210' "another model of card is not listed" nic list
put "$card_real/device" 0x157c
like "$(nic list)" '8086:157c' "a flashless I210 is listed"

refused 'name an action: list, bind or unbind' "refused: no action" nic
refused "unknown action 'take'" "refused: an unknown action" nic take
refused "unknown option '--foo'" "refused: an unknown option" nic list --foo
refused 'list takes no address' "refused: list with an address" nic list 05:00.0
refused 'only list takes --tsv' "refused: bind with --tsv" nic bind --tsv
refused "unexpected argument 'b'" "refused: two addresses" nic bind a b
if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --clear-groups sh -c ": <'$top/scripts/wakelat'" 2>/dev/null; then
	refused 'must be root: sudo wakelat nic bind' "refused: bind by others than root" \
		setpriv --reuid 65534 --clear-groups "$top/scripts/wakelat" nic bind
else
	skip 1 "needs root, and a directory that others can read"
fi
not_ok "a full disk is noticed" sh -c "WAKELAT_ROOT='$tmp/m' '$top/scripts/wakelat' nic list >/dev/full"
done_testing
