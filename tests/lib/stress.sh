# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# stress.sh - find the reports of debug kernels that concern wakelat, and make the tables of tests/stress.

: "${top:?}"

# reports DMESG: print the kernel's reports, one per line, without times, with " | " for their line breaks. A report is the text
# between two lines of ===, or it goes from its first line to the end of its stack, at most 40 lines.
reports() {
	awk '
	function flush() { if (report != "") print report; report = ""; lines = 0; framed = 0 }
	{ sub(/^\[ *[0-9.]+\]( *\[ *[TC][0-9]+\])? /, "") }
	/^=====*$/ { if (framed) { flush() } else { flush(); opening = 1 }; next }
	/(^|[^A-Za-z_])(BUG|WARNING|KASAN|KCSAN|UBSAN|ODEBUG|INFO|Oops|general protection fault|kernel panic|stack segment)(:| )|possible (circular|irq|recursive)|suspicious RCU|inconsistent lock state|blocked for more than|rcu: .*stall|watchdog: |list_(add|del) corruption|refcount_t: |scheduling while atomic|Unbalanced|leak detector disabled|unregister_netdevice: waiting/ {
		if (report == "" || !framed && lines > 2 && /^(BUG|WARNING|INFO): /) {
			flush()
			report = $0
			lines = 1
			framed = opening && !/possible|inconsistent|suspicious/
			opening = 0
			next
		}
	}
	{ opening = 0 }
	report != "" { report = report " | " $0; if (++lines > 40 && !framed || /---\[ end trace/ || /^ <\/TASK>/ && !framed) flush() }
	END { flush() }' "$1" | grep -vE '^INFO: (lockdep is turned off|NMI handler)'
}

# our_functions: print the names of the functions that the patches define, as a regular expression for grep -E
our_functions() {
	cat "$top"/patches/[0-9]-*/[0-9]*.patch | sed -n 's/^[+][a-z][a-zA-Z0-9_ *]*[ *]\([a-z_][a-z0-9_]*\)(.*/\1/p' | sort -u |
		grep -vxE 'if|while|for|switch|return|sizeof|main' | sed 's/.*/(^|[^a-z0-9_])&([^a-z0-9_(]|$)/' | paste -sd '|' -
}

# faults DMESG: print the reports that count as faults: all except data races in which neither access is made by one of our
# functions. The rest of the kernel has data races of its own.
faults() {
	reports "$1" >"$1.reports"
	grep -v 'BUG: KCSAN' "$1.reports"
	grep 'BUG: KCSAN' "$1.reports" | grep -E "^BUG: KCSAN: [a-z -]* in[^|]*($(our_functions)|wakelat)"
	rm -f "$1.reports"
}

# races_of_others DMESG: print the number of data races in which none of our functions takes part
races_of_others() {
	reports "$1" | grep 'BUG: KCSAN' | grep -cvE "^BUG: KCSAN: [a-z -]* in[^|]*($(our_functions)|wakelat)"
}

# leaks KMEMLEAK: print the leaks whose stack has one of our functions
leaks() {
	awk '/^unreferenced object/ { if (block != "") print block; block = $0; next }
		{ block = block " | " $0 }
		END { if (block != "") print block }' "$1" | grep -E "wakelat|$(our_functions)"
}

# judge_stress DIR STATUS: print what went wrong on a machine that exited with STATUS, one fault per line
judge_stress() {
	[ "$2" -eq 0 ] || printf 'the machine ended with status %s\n' "$2"
	[ ! -s "$1/stuck" ] || sed 's/^/stuck: /' "$1/stuck"
	[ -e "$1/dmesg.log" ] || { printf 'no dmesg\n'; return; }
	faults "$1/dmesg.log"
	[ ! -e "$1/kmemleak" ] || leaks "$1/kmemleak"
	[ -s "$1/stuck" ] && return
	[ "$(cat "$1/lockdep" 2>/dev/null)" = 1 ] || printf 'lockdep is off\n'
	[ ! -e "$1/kcsan" ] || awk '$1 == "enabled:" { on = $2 } $1 == "setup_watchpoints:" { n = $2 }
		END { if (!on || !n) print "KCSAN has watched nothing" }' "$1/kcsan"
	[ -s "$1/sources.tsv" ] || printf 'no sources.tsv: the sources were not tested afterwards\n'
	awk -F '\t' 'NR > 1 && ($2 != "ok" || $3 != "samples") { print "afterwards source " $1 " is \"" $2 "\", its run ended: " $3 }
		END { if (NR < 3) print "sources.tsv has no sources" }' "$1/sources.tsv"
	[ -s "$1/done.tsv" ] || printf 'nobody counted what was tried\n'
}

# sum_tables FILE...: print a table of the sums: actor, what, tried, refused, done
sum_tables() {
	awk -F '\t' -v OFS='\t' 'FNR == 1 { next }
		{ key = $1 OFS $2; if (!(key in tried)) order[++n] = key; tried[key] += $3; refused[key] += $4; did[key] += $5 }
		END { print "actor", "what", "tried", "refused", "done"
		      for (i = 1; i <= n; i++) print order[i], tried[order[i]], refused[order[i]], did[order[i]] }' "$@"
}
