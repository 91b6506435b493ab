# SPDX-License-Identifier: GPL-2.0
# report.sh - the page: its parts, each from one of the files that other commands wrote.
# shellcheck shell=sh
# shellcheck disable=SC2154  # $here, $work, $dir and so on: from the caller and analysis.sh

# Text from files, as HTML.
escaped() {
	sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'
}

# table FILE CAPTION COLUMNS [NEEDS [WHERE]]: nothing if there is no such file, or no value in the column NEEDS
table() {
	[ -e "$1" ] || return 0
	caption=$2 where=${5-} awk -F '\t' -v columns="$3" -v needs="${4-}" -f "$here/lib/us.awk" -f "$here/lib/html.awk" \
		-f "$here/lib/html-tsv.awk" "$1"
}

# Lines of text, those indented go on from the one before.
list() {
	printf '<ul>\n'
	escaped | awk '/^  / { sub(/^ */, " "); printf "%s", $0; next }
		{ printf "%s<li>%s", (NR > 1 ? "</li>\n" : ""), $0 }
		END { if (NR) print "</li>" }'
	printf '</ul>\n'
}

page_title() {
	title_names=$(printf '%s' "$names" | tr '\t' ',' | sed 's/,/, /g')
	printf 'Wake latency%s: %s\n' "$machine" "$title_names" | escaped
}

# A page of other options is another page, even of the same recording.
page_options() {
	[ -z "$budget" ] && [ "$tail" = no ] ||
		printf '<meta name="wakelat-options" content="budget=%s tail=%s">\n' "$budget" "$tail"
}

page_head() {
	title=$(page_title)
	cat <<END
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
$(cat "$here/lib/report.css")
</style>
END
	page_options
	cat <<END
</head>
<body>
<h1>$title</h1>
END
}

# recording_head NUMBER: what a reader must know before the first number
recording_head() {
	awk -F '\t' -f "$here/lib/html.awk" -f "$here/lib/html-lead.awk" "$dir/run.tsv"
	case $(run_value emulated) in
	no) ;;
	yes) printf '<p class="warn">Emulated: measured on a virtual CPU whose exit latencies are set by its model. It says nothing about any real CPU.</p>\n' ;;
	*) printf '<p class="warn">Measured under a hypervisor, or on an unknown machine: the idle states may not be the real ones.</p>\n' ;;
	esac
	[ ! -e "$work/$1-incomplete" ] || printf '<p class="warn">Incomplete: samples are missing from this recording.</p>\n'
}

# recording_verdict NUMBER
recording_verdict() {
	printf '<h2>Verdict</h2>\n'
	table "$work/$1-verdict.tsv" 'Advertised exit latency against what was measured, µs' \
		'state=state:text;verdict=verdict:verdict;source=source:text;metric=latency:text;advertised_ns=advertised:us;p50=p50:us;p99=p99:us;p99.99=p99.99:us;value=decides:us;max=max:us;n=N:number;exceeding=longer:number;exceeding_pct=longer, %:number;not_reached=not reached:number'
	printf '<p>Decided by p%s. Longer: samples above the advertised exit latency. Not reached: samples that asked for the state and did not reach it, by its residency counter, and are left out. Lines to paste:</p>\n<pre>' \
		"$(awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["percentile"]; exit }' "$work/$1-verdict.tsv")"
	awk -F '\t' -v budget="$budget" -f "$here/lib/advice.awk" "$dir/run.tsv" "$work/$1-verdict.tsv" | sed '1{/^$/d;}' | escaped
	printf '</pre>\n'
}

recording_tables() {
	printf '<h2>Statistics</h2>\n'
	for metric in wake_latency:Wake intr_latency:Interrupt; do
		awk -F '\t' -v metric="${metric%:*}" -v caption="${metric#*:} latency, µs" -f "$here/lib/us.awk" \
			-f "$here/lib/html.awk" -f "$here/lib/html-stats.awk" "$dir/stats-ci.tsv" "$dir/stats.tsv"
	done
	table "$dir/stats-reached.tsv" 'Samples that reached the state asked for, and that did not, µs' \
		'state=asked for:text;source=source:text;reached=reached:text;n=N:number;wake_latency_min=wake min:us;wake_latency_p50=p50:us;wake_latency_p99=p99:us;wake_latency_max=max:us;intr_latency_p50=interrupt p50:us;intr_latency_p99=p99:us;intr_latency_max=max:us;tainted=tainted:number' reached
	table "$dir/stats-cpu.tsv" 'CPU by CPU, µs' \
		'state=state:text;source=source:text;cpu=CPU:number;n=N:number;wake_latency_p50=wake p50:us;wake_latency_p99=p99:us;wake_latency_max=max:us;intr_latency_p50=interrupt p50:us;intr_latency_p99=p99:us;intr_latency_max=max:us;tainted=tainted:number'
	table "$dir/stats-frequency.tsv" 'Frequency while awake around the idle period' \
		'state=state:text;source=source:text;n=N:number;mhz=MHz:number' mhz
	printf '<h2>What to know about them</h2>\n'
	awk -F '\t' -f "$here/lib/notes.awk" "$dir/stats.tsv" "$dir/run.tsv" | list
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 1 || $at["severity"] != "ok"' \
		"$dir/doctor.tsv" 2>/dev/null >"$work/doctor.tsv"
	table "$work/doctor.tsv" 'What on the machine may have distorted the measurement' \
		'severity=severity:text;subject=where:text;finding=finding:prose;change=what to do:prose' severity
}

# recording_tail NUMBER
recording_tail() {
	printf '<h2>The tail</h2>\n'
	if [ -s "$work/$1-no-tail" ]; then
		printf '<p>Not there: %s</p>\n' "$(escaped <"$work/$1-no-tail")"
		return
	fi
	awk -F '\t' -f "$here/lib/us.awk" -f "$here/lib/html.awk" -f "$here/lib/html-tail.awk" "$dir/tail.tsv"
	table "$dir/tail.tsv" 'Generalised Pareto distribution over a threshold; times in µs' \
		'state=state:text;source=source:text;reached=reached:text;metric=latency:text;n=N:number;max_ns=max:us;result=result:text;failed=failed gates:text;threshold_ns=threshold:us;exceedances=exceedances:number;shape=shape:number;shape_low=from:number;shape_high=to:number;level_ns=level:us;level_low_ns=from:us;level_high_ns=to:us'
}

comparison() {
	[ -e "$work/compare.tsv" ] || return 0
	printf '<h2>Comparison</h2>\n'
	list <"$work/differences"
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } !seen[$at["run_b"]]++ { print $at["run_b"] }' \
		"$work/compare.tsv" >"$work/compared"
	while IFS= read -r b; do
		table "$work/compare.tsv" "${first_dir#./} (A) and $b (B), µs" \
			'state=state:text;source=source:text;metric=latency:text;statistic=statistic:text;n_a=N of A:number;n_b=N of B:number;a=A:us;b=B:us;difference=B − A:us;difference_pct=%:number;difference_low=95 %, from:us;difference_high=to:us;distinguishable=distinguishable:text' \
			'' "run_b=$b"
	done <"$work/compared"
	printf '<p>Distinguishable: the 95&nbsp;%% confidence interval of the difference does not contain 0. Least and greatest have no such interval.</p>\n'
}

# Clouds of points are smaller as pixels, lines as svg.
page_kinds() {
	case $1 in
	silent-time | density | order | residency) echo png ;;
	*) echo svg ;;
	esac
}

# page_figures DIRECTORY...: into $work/out
page_figures() {
	want_figures '' page 88mm
	take_recordings "$@"
	mkdir "$work/out" || die "$work cannot be written"
	compare_recordings
	# A page of numbers only is better than none.
	if ! (prepare 88mm) 2>"$work/no-figures"; then
		grep -q 'nothing to draw$' "$work/no-figures" && return
		# A full disk has no room for its message.
		[ -s "$work/no-figures" ] || die "$work cannot be written"
		cat "$work/no-figures" >&2
		exit 1
	fi
	draw_figures 88mm || exit
}

# figure NAME CAPTION: as an image, because the ids inside several svg would clash in one page
figure() {
	figure_file=$work/out/$1.$(page_kinds "$1")
	[ -e "$figure_file" ] || return 0
	case $figure_file in
	*.png) figure_type=image/png ;;
	*) figure_type=image/svg+xml ;;
	esac
	printf '<figure><img alt="%s" src="data:%s;base64,' "$2" "$figure_type"
	base64 -w 0 "$figure_file" || return
	printf '">\n<figcaption>%s</figcaption></figure>\n' "$2"
}

all_figures() {
	printf '<h2>Figures</h2>\n'
	if [ -s "$work/no-figures" ]; then
		sed 's/^[^:]*: //' "$work/no-figures" | list
		return
	fi
	printf '<div class="figures">\n'
	figure silent-time "Latency against silent time: how long the CPU had been told to be idle when the event came. Dashed: what the idle driver advertises." &&
	figure density "The same as numbers of samples in cells of the figure; those that lie alone are points." &&
	figure order "Latency in recording order; behind it, on the right axis, the launch distance." &&
	figure residency "Time in the state asked for, by its residency counter, against silent time: a line leaves the axis when the CPU enters the state." &&
	figure residency-share "Mean share of the idle period in each C-state, by the core's residency counters; dashed, the share of samples that reached the state asked for." &&
	figure histogram "Histogram, both axes logarithmic." &&
	figure ccdf "Share of samples whose latency was as long or longer, with its 95&nbsp;% band. The last mark of each curve is its maximum." &&
	figure percentiles "Latency by percentile: thick as far as the samples support a percentile, dotted from there to the maximum." &&
	figure states "Box from the 25th to the 75th percentile, whiskers from the 1st to the 99th, and what lies outside." &&
	figure cpus "CPU by CPU: median, bar from the least to the 99th percentile, the maximum as a cross." &&
	figure differences "Differences of percentiles from those of the first recording, with their 95&nbsp;% confidence intervals." &&
	figure tail-stability "Shape of the fitted tail by the number of exceedances of its threshold: it should not depend on the threshold." &&
	figure tail-qq "Quantiles of the tail against those of the fitted distribution, with its 95&nbsp;% band." || return
	printf '</div>\n'
	write_left_out | awk -F '\t' 'NR > 1 { printf "No figure %s: %s.\n", $1, $2 }' >"$work/left-out"
	[ ! -s "$work/left-out" ] || list <"$work/left-out"
}

page_method() {
	cat <<'END'
<h2>Method</h2>
<p>An event was armed at a launch distance, the CPU went idle, and the clock was stamped directly
before and after the idle state was entered and first in the event's interrupt handler. Wake latency is the
stamp after idle minus the time of the event; interrupt latency is the handler's stamp minus the time of the
event; silent time is the time of the event minus the stamp before idle. Only events that found the CPU idle
are samples. A state that is entered with interrupts on has an interrupt latency only. Samples imported from another
tool are what that tool measured.</p>
<p>Tainted samples, which something else than the armed event may have begun or disturbed, are counted and left out.
Percentiles are interpolated linearly between order statistics (type 7) and given only where so many
samples exceed them with 95&nbsp;% probability (p99 needs 299, p99.9 2995, p99.99 29956); below them is the interval
that holds the true percentile with 95&nbsp;% probability, between two order statistics, whatever the distribution, if
samples do not depend on each other. The standard deviation is that of a sample (n&nbsp;&minus;&nbsp;1).
The longest latency seen is not the longest possible.</p>
END
}

recording_provenance() {
	printf '<h2>Circumstances</h2>\n<div class="wide"><table class="facts">\n'
	sed 1d "$dir/run.tsv" | escaped |
		awk -F '\t' '{ printf "<tr><th>%s</th><td>%s</td></tr>\n", $1, $2 }'
	printf '</table></div>\n'
}

page() {
	page_head
	page_number=0
	for page_recording; do
		page_number=$((page_number + 1))
		take_directory "$page_recording"
		[ $# -eq 1 ] || printf '<h1>%s</h1>\n' "$(name_of_set "$@" | escaped)"
		recording_head "$page_number" && recording_verdict "$page_number" && recording_tables && recording_tail "$page_number" || return
	done
	[ $# -eq 1 ] || printf '<h1>All together</h1>\n'
	comparison && all_figures && page_method || return
	for page_recording; do
		take_directory "$page_recording"
		[ $# -eq 1 ] || printf '<h1>%s</h1>\n' "$(name_of_set "$@" | escaped)"
		recording_provenance || return
	done
	printf '<footer>Written by wakelat report, revision %s.</footer>\n</body>\n</html>\n' "$(revision "$here")"
}

# write_page FILE DIRECTORY...: cat notices a full disk, which the shell's printf in the middle of a function
# does not; only a page whose every part was made has its end, and none of them has anything to complain about.
write_page() {
	page_file=$1
	shift
	begin "$page_file"
	{ page "$@" | cat >"$partial"; } 2>"$work/said" && [ "$(tail -n 1 "$partial")" = '</html>' ] && [ ! -s "$work/said" ] ||
		die "${page_file#./} cannot be written: $(head -n 1 "$work/said")"
	finish "$page_file"
}
