# SPDX-License-Identifier: GPL-2.0
# identity.sh - find texts that identify a machine or its users in what is to be published.
# shellcheck shell=sh
#
# Needs message.sh.

# Variables that other files set:
: "${here?the command}"

# identity_words [RUN.TSV]: print what must not be published, a line "KIND<TAB>TEXT" each. This is known from the run.tsv of the
# original recording, from its owner, and from this machine, which usually made the recording. The user's names do not count if
# they are root's. Placeholders of firmware ("Default string") have a blank or no digit, so they are not taken for serial numbers.
identity_words() (
	identity_ids=${WAKELAT_ROOT-}/sys/class
	if [ $# -gt 0 ]; then
		awk -F '\t' '
			$1 == "hostname" || $1 == "listener" { sub(/:[0-9]+$/, "", $2); print "host\t" $2 }
			$1 == "machine_id" { print "uuid\t" $2 }
			$1 == "kernel_version" && match($2, /[^ (]+@[^ )]+/) {
				builder = substr($2, RSTART, RLENGTH)
				print "user\t" substr(builder, 1, index(builder, "@") - 1)
				print "host\t" substr(builder, index(builder, "@") + 1)
			}' "$1"
		# stat prints UNKNOWN if the owner has no name.
		printf 'user\t%s\n' "$(stat -c %U -- "$1" 2>/dev/null | grep -vxF UNKNOWN)"
	fi
	printf 'host\t%s\n' "$(cat "${WAKELAT_ROOT-}/proc/sys/kernel/hostname" 2>/dev/null)" "$(hostname -f 2>/dev/null)"
	printf 'user\t%s\n' "${SUDO_USER-}" "${LOGNAME-}" "${USER-}" "$(id -un 2>/dev/null)"
	awk -F : '$3 >= 1000 && $3 < 60000 { print "user\t" $1 }' "${WAKELAT_ROOT-}/etc/passwd" 2>/dev/null
	for identity_file in "$identity_ids"/net/*/address; do
		[ ! -r "$identity_file" ] || printf 'mac\t%s\n' "$(cat "$identity_file" 2>/dev/null)"
	done
	for identity_file in "$identity_ids"/dmi/id/*_serial "$identity_ids"/dmi/id/*_asset_tag; do
		[ ! -r "$identity_file" ] || printf 'serial\t%s\n' "$(cat "$identity_file" 2>/dev/null)"
	done
	printf 'uuid\t%s\n' "$(cat "${WAKELAT_ROOT-}/etc/machine-id" 2>/dev/null)" "$(cat "$identity_ids/dmi/id/product_uuid" 2>/dev/null)"
)

# warn_identity WORDS FILE...: warn of each line of the files that has one of these words, or looks like the name of a host, the
# address of a card, a UUID or a serial number. WORDS is a file that identity_words has written. Set $identified to yes if there
# is such a line.
identified=no
: "$identified"
warn_identity() {
	identity_found=$(scripts=$here schema=$here/lib/common/schema.tsv awk -F '\t' -f "$here/lib/common/schema.awk" \
		-f "$here/lib/analysis/identity.awk" "$@") || exit
	[ -n "$identity_found" ] || return 0
	identified=yes
	while IFS= read -r identity_line; do
		warn "$identity_line"
	done <<END_FOUND
$identity_found
END_FOUND
}
