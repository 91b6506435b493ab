# SPDX-License-Identifier: GPL-2.0
# report.sh - writes the page: its frame, and its parts, each from one of the files that other
# commands wrote.
# shellcheck shell=sh
#
# Needs message.sh, directory.sh, revision.sh, analysis.sh, figures.sh.

# Variables that other files set:
: "${here?the command}" "${work?analysis.sh}" "${partial?results.sh}" "${names?figure-data.sh}" \
	"${machine?figure-data.sh}" "${samples_file?directory.sh}" "${set_name?figure-data.sh}" "${revision_found?revision.sh}" \
	"${tab?directory.sh}"

# See escape, and joint_answer.
escaped=
joint=

# shellcheck source=scripts/lib/report/report-recording.sh
. "$here/lib/report/report-recording.sh"
# shellcheck source=scripts/lib/report/report-figures.sh
. "$here/lib/report/report-figures.sh"
# shellcheck source=scripts/lib/report/report-comparison.sh
. "$here/lib/report/report-comparison.sh"

# escaped: converts stdin to HTML
escaped() {
	awk -f "$here/lib/report/html.awk" -f "$here/lib/report/html-text.awk"
}

# escape TEXT: sets $escaped to TEXT as HTML
escape() {
	escaped=$1
	case $1 in
	*[!\ A-Za-z0-9_.,:\;+%/\(\)-]*) escaped=$(printf '%s\n' "$1" | escaped) ;;
	esac
}

# list FILE: prints its lines as an HTML list
list() {
	awk -v list=1 -f "$here/lib/report/html.awk" -f "$here/lib/report/html-text.awk" "$1"
}

# table FILE CAPTION COLUMNS [NEEDS [WHERE]]: prints an HTML table, see html-tsv.awk; nothing if the
# file does not exist, or the column NEEDS has no value
table() {
	[ -e "$1" ] || return 0
	schema=$here/lib/common/schema.tsv caption=$2 where=${5-} awk -F '\t' -v columns="$3" -v needs="${4-}" \
		-f "$here/lib/common/schema.awk" -f "$here/lib/common/us.awk" -f "$here/lib/report/html.awk" -f "$here/lib/report/html-tsv.awk" "$1"
}

# page_inputs DIRECTORY...: prints the hashes of the input files as meta elements. The revision is
# in the footer.
page_inputs() {
	for inputs_of; do
		take_directory "$inputs_of"
		for inputs_file in "$dir/run.tsv" "$samples_file"; do
			[ -f "$inputs_file" ] || continue
			inputs_hash=$(sha256sum <"$inputs_file") || return
			printf '<meta name="wakelat-input" content="%s sha256 %s">\n' "${inputs_file##*/}" "${inputs_hash%% *}"
		done
	done
}

# page_head [DIRECTORY...]: prints the head of the page. Its policy forbids scripts, fetches and
# forms, so nothing in a recording can make the page do that.
page_head() {
	: "${title?report}"
	[ -n "$title" ] || title="Wake latency$machine: $(printf '%s\n' "$names" | sed "s/[,$tab]/, /g")"
	escape "$title"
	page_title=$escaped
	# The hash of the text between <style> and </style>, as a browser computes it.
	style_hash=$(sha256sum <"$here/lib/report/report.css" | sed 's/ .*//; y/abcdef/ABCDEF/' | basenc --base16 -d | base64 -w 0)
	printf '%s\n' '<!DOCTYPE html>' '<html lang="en">' '<head>' '<meta charset="utf-8">' \
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'sha256-$style_hash'; base-uri 'none'; form-action 'none'\">" \
		'<meta name="viewport" content="width=device-width, initial-scale=1">' '<meta name="color-scheme" content="light dark">' \
		"<title>$page_title</title>"
	page_inputs "$@"
	printf '<style>'
	cat "$here/lib/report/report.css"
	printf '%s\n' '</style>' '</head>' '<body>' "<h1>$page_title</h1>"
}

# folded TITLE: begins a part of the page, up to folded_end, that is hidden until a reader selects
# its title
folded() {
	printf '<details>\n<summary>%s</summary>\n' "$1"
}

folded_end() {
	printf '</details>\n'
}

# html_awk SCRIPT ARGUMENT...: runs SCRIPT.awk of this directory, with the scripts that it needs
html_awk() {
	case $1 in
	/*) html_script=$1 ;;
	*) html_script=$here/lib/report/$1 ;;
	esac
	shift
	awk -F '\t' -f "$here/lib/common/us.awk" -f "$here/lib/report/html.awk" -f "$here/lib/analysis/brief.awk" \
		-f "$html_script.awk" "$@"
}

page_method() {
	printf '%s\n' "<details>
<summary>Method</summary>
<p>An event was armed at a launch distance, the CPU went idle, and the clock was stamped directly
before and after the idle state was entered and first in the event's interrupt handler. Wake latency is the
stamp after idle minus the time of the event; interrupt latency is the handler's stamp minus the time of the
event; silent time is the time of the event minus the stamp before idle. Only events that found the CPU idle
are samples. A state that is entered with interrupts on has an interrupt latency only. Samples imported from another
tool are what that tool measured.</p>
<p>Tainted samples, which something else than the armed event may have begun or disturbed, are counted and left out.
Percentiles are interpolated linearly between order statistics (type 7). A percentile is given only if the number of samples is
large enough that at least one sample exceeds the percentile with 95&nbsp;% probability (p99 needs 299 samples, p99.9 2995, p99.99 29956). Below it is the
95&nbsp;% confidence interval: two order statistics, for any distribution. If samples depend on each other, the interval is that
of the equivalent, smaller number of independent samples. The standard deviation is that of a sample (n&nbsp;&minus;&nbsp;1).
The longest latency seen is not the longest possible.</p>
</details>"
}

# each LEVEL PART DIRECTORY...: calls the function PART for each recording. If there are several,
# their names are headings of this level.
each() {
	each_level=$1
	each_part=$2
	shift 2
	each_number=0
	for each_recording; do
		each_number=$((each_number + 1))
		take_directory "$each_recording"
		[ $# -eq 1 ] || {
			name_of_set "$@"
			escape "$set_name"
			printf '<h%s>%s</h%s>\n' "$each_level" "$escaped" "$each_level"
		}
		"$each_part" "$each_number" || return
	done
}

# page_answer PART DIRECTORY...: prints the beginning of the page: how the recordings differ, then
# PART for each
page_answer() {
	answer_part=$1
	shift
	page_head "$@"
	joint=
	if [ $# -gt 1 ]; then
		comparison "$@" && joint_answer "$@" || return
	fi
	if [ -n "$joint" ]; then
		recording_advice "$joint" || return
	fi
	each 2 "$answer_part" "$@" || return
	printf '<h2>More</h2>\n'
}

# page_circumstances DIRECTORY...: prints the circumstances and the end of the page
page_circumstances() {
	folded 'Circumstances' && each 3 recording_provenance "$@" && folded_end && page_end
}

page() {
	page_answer recording_first "$@" && all_figures || return
	[ $# -eq 1 ] || comparison_tables || return
	each 3 recording_details "$@" && page_method && page_circumstances "$@"
}

page_end() {
	[ -n "$revision_found" ] || find_revision "$here"
	escape "$revision_found"
	printf '<footer>Written by %s, revision %s.</footer>\n</body>\n</html>\n' "$me" "$escaped"
}

# write_page FILE MAKER DIRECTORY...: writes the output of the function MAKER (such as page) to
# FILE. cat notices a full disk; the shell's printf in a function does not. If a part of the page
# fails, the end of the page is missing, or stderr is not empty, so both are checked.
# The page is UTF-8 whatever the recording contains: the firmware's version, for example.
write_page() {
	page_file=$1
	page_maker=$2
	shift 2
	begin "$page_file"
	{ "$page_maker" "$@" | shown | cat >"$partial"; } 2>"$work/said" && [ "$(tail -n 1 "$partial")" = '</html>' ] && [ ! -s "$work/said" ] ||
		die "cannot write ${page_file#./}: $(grep . "$work/said" | head -n 1 | grep . || write_failure "$work")"
	finish "$page_file"
}
