# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# hostile.sh - hostile recordings, and checks that they do no harm. Needs tap.sh and analysis.sh.
#
#	victim			makes $tmp/victim, which nothing may touch; text that is executed leaves $tmp/PWNED
#	unharmed NAME		checks that the victim has not changed, and nothing was executed
#	as_nobody COMMAND...	runs COMMAND as uid 65534
#	hostile_text		a state's name that a shell would execute

: "${tmp:?}" "${wakelat:?}"

hostile_text='`id >PWNED;echo C6`'

victim() {
	mkdir -p "$tmp/victim/home"
	printf 'PATH=/bin\n' >"$tmp/victim/.profile"
	printf 'key\n' >"$tmp/victim/home/id"
	victim_was=$(victim_is)
}

victim_is() (
	cd "$tmp/victim" && find . -exec stat -c '%n %F %s %Y %Z %i %a %u' {} + | sort && cat .profile home/id
)

unharmed() {
	unharmed_found=$(find "$tmp" -name 'PWNED*' -print 2>/dev/null)
	is "$(victim_is 2>&1)$unharmed_found" "$victim_was" "$1"
}

as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# recording DIR: make a complete recording of the current user, with a state named $hostile_text
recording() {
	mkdir -p "$1"
	run_tsv "$1/run.tsv"
	state=$hostile_text awk -F '\t' -v OFS='\t' '$1 == "state.3.name" { $2 = ENVIRON["state"] } { print }' \
		"$1/run.tsv" >"$1/new" && mv "$1/new" "$1/run.tsv"
	# In ascending order latencies would depend on each other, and compare would be undecided.
	seq 401 | awk '{ i = 1000 + $1 * 271 % 401; print 3, 1000, i, i, "-" }' | samples_tsv "$1/samples.tsv"
}

# as_other COMMAND...: run wakelat COMMAND as a user whom modes hold back
as_other() {
	if [ "$(id -u)" -eq 0 ]; then
		set -- setpriv --reuid 65534 --regid 65534 --clear-groups env WAKELAT_INSECURE=1 "$wakelat" "$@"
	else
		set -- "$wakelat" "$@"
	fi
	timeout 60 "$@"
}
