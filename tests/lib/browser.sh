# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# browser.sh - show a page or a figure in a real browser and check the result.

: "${top:?}" "${tmp:?}"

need_browser() {
	command -v chromium >/dev/null || skip_all "chromium is not installed"
	printf '<p>there</p>' >"$tmp/there.html"
	# The first start creates the browser's profile; on a busy machine it may fail.
	for try in 1 2 3; do
		case $(browse --dump-dom "$tmp/there.html") in
		*there*) return ;;
		esac
	done
	diag "$(tail -n 5 "$tmp/browser.err")"
	bail "chromium does not start, $try times"
}

# browse OPTION... FILE: open FILE without a screen, a network or a sandbox (root cannot have one). Messages go to
# $tmp/browser.err.
browse() (
	for file; do :; done
	left=$#
	while [ "$left" -gt 1 ]; do
		set -- "$@" "$1"
		shift
		left=$((left - 1))
	done
	shift
	HOME=$tmp exec timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
		--user-data-dir="$tmp/browser" --enable-logging=stderr --no-first-run --disable-extensions --disable-sync \
		--disable-background-networking --host-resolver-rules='MAP * ~NOTFOUND' --virtual-time-budget=20000 \
		"$@" "file://$file" 2>"$tmp/browser.err" </dev/null
)

# framed SCRIPT PAGE...: print a document that shows each PAGE in frames and runs tests/lib/SCRIPT on them. A page's
# content security policy applies in its frame.
framed() (
	script=$1
	shift
	printf '<!DOCTYPE html><meta charset="utf-8"><title>untouched</title><body><script type="application/json" id="pages">['
	comma=
	for page; do
		printf '%s"%s"' "$comma" "$(base64 -w 0 "$page")"
		comma=,
	done
	printf ']</script><script>'
	cat "$top/tests/lib/$script"
	printf '</script></body>\n'
)

# results: read a document from stdin, and print the results that SCRIPT has written into it
results() {
	perl -0777 -ne 'm{<pre id="results">(.*?)</pre>}s or exit; $_ = $1; s/&lt;/</g; s/&gt;/>/g; s/&amp;/&/g; print "$_\n"'
}
