# SPDX-License-Identifier: GPL-2.0
# report.sh - the page: its parts, each from one of the files that other commands wrote.
# shellcheck shell=sh
# shellcheck disable=SC2154  # $here, $work, $dir and so on: from the caller and analysis.sh

# Text from files, as HTML.
escaped() {
	awk -f "$here/lib/report/html.awk" -f "$here/lib/report/html-text.awk"
}

# table FILE CAPTION COLUMNS [NEEDS [WHERE]]: nothing if there is no such file, or no value in the column NEEDS
table() {
	[ -e "$1" ] || return 0
	caption=$2 where=${5-} awk -F '\t' -v columns="$3" -v needs="${4-}" -f "$here/lib/common/us.awk" -f "$here/lib/report/html.awk" \
		-f "$here/lib/report/html-tsv.awk" "$1"
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
	printf '%s\n' "${title:-"Wake latency$machine: $title_names"}" | escaped
}

# A page of other options is another page, even of the same recording.
page_options() {
	[ -z "$options" ] || printf '<meta name="wakelat-options" content="%s">\n' "$(printf '%s\n' "$options" | escaped)"
}

# style_hash: of what stands between <style> and its end, as a browser takes it
style_hash() {
	style | sha256sum | cut -c 1-64 | tr a-f A-F | basenc --base16 -d | base64 -w 0
}

style() {
	printf '\n'
	cat "$here/lib/report/report.css"
}

# The page has no script, fetches nothing and goes nowhere, whatever is in a recording.
page_head() {
	page_title=$(page_title)
	cat <<END
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'sha256-$(style_hash)'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$page_title</title>
END
	page_options
	printf '<style>'
	style
	cat <<END
</style>
</head>
<body>
<h1>$page_title</h1>
END
}

# folded TITLE: what follows up to folded_end is behind its title
folded() {
	printf '<details>\n<summary>%s</summary>\n' "$1"
}

folded_end() {
	printf '</details>\n'
}

# recording_head: of what
recording_head() {
	html_awk html-lead "$dir/run.tsv"
}

# recording_warnings NUMBER: without which the numbers would be misread
recording_warnings() {
	case $(run_value emulated) in
	no) ;;
	yes) printf '<p class="warn">Emulated: measured on a virtual CPU whose exit latencies are set by its model. It says nothing about any real CPU.</p>\n' ;;
	*) printf '<p class="warn">Measured under a hypervisor, or on an unknown machine: the idle states may not be the real ones.</p>\n' ;;
	esac
	[ ! -e "$work/$1-incomplete" ] || printf '<p class="warn">Incomplete: samples are missing from this recording.</p>\n'
}

html_awk() {
	html_script=$1
	shift
	awk -F '\t' -f "$here/lib/common/us.awk" -f "$here/lib/report/html.awk" -f "$here/lib/analysis/brief.awk" -f "$here/lib/report/$html_script.awk" "$@"
}

# advice SCRIPT [VARIABLE]...: what follows from $verdict, from the scripts of wakelat verdict
advice() {
	advice_script=$1
	shift
	awk -F '\t' "$@" -f "$here/lib/verdict/limit.awk" -f "$here/lib/verdict/idle-table.awk" -f "$here/lib/verdict/$advice_script.awk" \
		"$dir/run.tsv" "$verdict"
}

# recording_answer NUMBER: words and one picture, and what follows from them
recording_answer() {
	verdict=$work/$1-verdict.tsv
	html_awk html-answer -v part=answer "$verdict" && recording_warnings "$1" && names='' html_awk html-picture "$verdict" &&
		html_awk html-answer -v part=sure "$verdict" && recording_advice || return
	[ -n "$budget" ] ||
		printf '<p>Which states keep a latency budget? <code>wakelat report --budget 50us</code> says so on this page.</p>\n'
}

recording_advice() {
	printf '<h3>What to do</h3>\n'
	# How to set it is below, whole.
	again="wakelat verdict DIR" advice advice | sed '/^To set it: /,$d; 1{/^$/d;}' >"$work/advice"
	printf '<pre>' && escaped <"$work/advice" && printf '</pre>\n'
	[ -n "$budget" ] && advice paste -v target=sysfs >"$work/paste" || return 0
	paste_text sysfs && folded 'Other ways to set it' || return
	for target in qos wakeup cpupower tuned systemd udev crio; do
		advice paste -v target="$target" >"$work/paste" || continue
		paste_text "$target" || return
	done
	folded_end
}

# paste_text TARGET: what is in $work/paste
paste_text() {
	printf '<p>%s:</p>\n<pre>' "$(target_name "$1")" && escaped <"$work/paste" && printf '</pre>\n'
}

# target_name TARGET: of wakelat verdict --paste
target_name() {
	case $1 in
	sysfs) echo 'To set it for each CPU, until reboot' ;;
	qos) echo 'For all CPUs, as long as a process holds it: /dev/cpu_dma_latency' ;;
	wakeup) echo 'For wake-ups in suspend-to-idle: /dev/cpu_wakeup_latency' ;;
	cpupower) echo 'With cpupower, until reboot' ;;
	tuned) echo 'As a profile of tuned' ;;
	systemd) echo 'As a service of systemd' ;;
	udev) echo 'As a rule of udev' ;;
	crio) echo 'For containers: CRI-O' ;;
	*) printf '%s\n' "$1" ;;
	esac
}

# recording_tables NUMBER
recording_tables() {
	folded 'Tables'
	table "$work/$1-verdict.tsv" 'The budget, and the advertised exit latency, against what was measured, µs' \
		'state=state:text;budget_verdict=budget:verdict;advertised_verdict=advertised:verdict;metric=latency:text;budget_ns=budget:us;advertised_ns=advertised:us;p50=p50:us;percentile=percentile:number;value=of samples:us;low=from:us;high=to:us;max=max:us;n=N:number;advertised_over=above advertised:number;advertised_over_pct=%:number;not_reached=not reached:number'
	for metric in wake_latency:Wake intr_latency:Interrupt; do
		awk -F '\t' -v metric="${metric%:*}" -v caption="${metric#*:} latency, µs" -f "$here/lib/common/us.awk" \
			-f "$here/lib/report/html.awk" -f "$here/lib/report/html-stats.awk" "$dir/stats-ci.tsv" "$dir/stats.tsv"
	done
	table "$dir/stats-reached.tsv" 'Samples that reached the state asked for, and that did not, µs' \
		'state=asked for:text;source=source:text;reached=reached:text;n=N:number;wake_latency_min=wake min:us;wake_latency_p50=p50:us;wake_latency_p99=p99:us;wake_latency_max=max:us;intr_latency_p50=interrupt p50:us;intr_latency_p99=p99:us;intr_latency_max=max:us;tainted=tainted:number' reached
	table "$dir/stats-cpu.tsv" 'CPU by CPU, µs' \
		'state=state:text;source=source:text;cpu=CPU:number;n=N:number;wake_latency_p50=wake p50:us;wake_latency_p99=p99:us;wake_latency_max=max:us;intr_latency_p50=interrupt p50:us;intr_latency_p99=p99:us;intr_latency_max=max:us;tainted=tainted:number'
	table "$dir/stats-frequency.tsv" 'Frequency while awake around the idle period' \
		'state=state:text;source=source:text;n=N:number;mhz=MHz:number' mhz
	printf '<h3>What to know about them</h3>\n'
	{
		awk -F '\t' -v reasons="$reasons_whole" -f "$here/lib/analysis/notes.awk" "$dir/stats.tsv" "$dir/run.tsv"
		[ ! -e "$dir/stats-uncertainty.tsv" ] || awk -F '\t' -f "$here/lib/analysis/uncertainty.awk" "$dir/stats-uncertainty.tsv"
	} | list
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 1 || $at["severity"] != "ok"' \
		"$dir/doctor.tsv" 2>/dev/null >"$work/doctor.tsv"
	table "$work/doctor.tsv" 'What on the machine may have distorted the measurement' \
		'severity=severity:text;subject=where:text;finding=finding:prose;change=what to do:prose' severity
	folded_end
}

# recording_tail NUMBER
recording_tail() {
	folded 'The tail: longer than the longest seen'
	tail_parts "$1" && folded_end
}

# tail_parts NUMBER
tail_parts() {
	if [ -s "$work/$1-no-tail" ]; then
		printf '<p>Not there: %s</p>\n' "$(escaped <"$work/$1-no-tail")"
		return
	fi
	awk -F '\t' -f "$here/lib/common/us.awk" -f "$here/lib/report/html.awk" -f "$here/lib/report/html-tail.awk" "$dir/tail.tsv"
	table "$dir/tail.tsv" 'Generalised Pareto distribution over a threshold; times in µs' \
		'state=state:text;source=source:text;reached=reached:text;metric=latency:text;n=N:number;max_ns=max:us;result=result:text;failed=failed gates:text;threshold_ns=threshold:us;exceedances=exceedances:number;shape=shape:number;shape_low=from:number;shape_high=to:number;level_ns=level:us;level_low_ns=from:us;level_high_ns=to:us'
}

# comparison DIRECTORY...: in words and one picture
comparison() {
	html_awk html-compare "$work/compare.tsv" || return
	left=$#
	number=0
	while [ "$number" -lt "$left" ]; do
		number=$((number + 1))
		shift
		set -- "$@" "$work/$number-verdict.tsv"
	done
	names=$names html_awk html-picture "$@" || return
	[ ! -s "$work/differences" ] || list <"$work/differences"
}

comparison_tables() {
	folded 'All differences'
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } !seen[$at["run_b"]]++ { print $at["run_b"] }' \
		"$work/compare.tsv" >"$work/compared"
	while IFS= read -r b; do
		table "$work/compare.tsv" "${first_dir#./} (A) and $b (B), µs" \
			'state=state:text;source=source:text;metric=latency:text;statistic=statistic:text;n_a=N of A:number;n_b=N of B:number;a=A:us;b=B:us;difference=B − A:us;difference_pct=%:number;difference_low=95 %, from:us;difference_high=to:us;distinguishable=distinguishable:text' \
			'' "run_b=$b"
	done <"$work/compared"
	printf '<p>Distinguishable: the 95&nbsp;%% confidence interval of the difference does not contain 0. Minimum and maximum have no such interval.</p>\n'
	folded_end
}

# Clouds of points are smaller as pixels, lines as svg.
page_kinds() {
	figure_cell "$1" page
}

# page_figures DIRECTORY...: into $work/out
page_figures() {
	want_figures '' page 88mm
	take_recordings "$@"
	if [ -n "$no_gnuplot" ]; then
		printf '%s: %s\n' "$me" "$no_gnuplot" >"$work/no-figures"
		return
	fi
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

# figure NAME: as an image, because the ids inside several svg would clash in one page
figure() {
	figure_file=$work/out/$1.$(page_kinds "$1")
	[ -e "$figure_file" ] || return 0
	case $figure_file in
	*.png) figure_type=image/png ;;
	*) figure_type=image/svg+xml ;;
	esac
	figure_caption=$(figure_cell "$1" caption)
	printf '<figure><img alt="%s" src="data:%s;base64,' "$figure_caption" "$figure_type"
	base64 -w 0 "$figure_file" || return
	printf '">\n<figcaption>%s</figcaption></figure>\n' "$figure_caption"
}

# figures_on_page WHAT: those of samples, histogram, ... that were drawn
figures_on_page() {
	printf '<div class="figures">\n'
	for page_figure in $(figures_of "$1" | tr , ' '); do
		figure "$page_figure" || return
	done
	printf '</div>\n'
}

all_figures() {
	folded 'Figures'
	figure_parts && folded_end
}

figure_parts() {
	if [ -s "$work/no-figures" ]; then
		sed 's/^[^:]*: //' "$work/no-figures" | list
		return
	fi
	figures_on_page samples || return
	write_left_out | awk -F '\t' 'NR > 1 { printf "No figure %s: %s.\n", $1, $2 }' >"$work/left-out"
	[ ! -s "$work/left-out" ] || list <"$work/left-out"
}

page_method() {
	cat <<'END'
<details>
<summary>Method</summary>
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
</details>
END
}

recording_provenance() {
	printf '<div class="wide"><table class="facts">\n'
	sed 1d "$dir/run.tsv" | awk -F '\t' -f "$here/lib/report/html.awk" -f "$here/lib/report/html-facts.awk"
	printf '</table></div>\n'
}

# each PART DIRECTORY...: that part of each recording, under its name if there are several
each() {
	each_part=$1
	shift
	each_number=0
	for each_recording; do
		each_number=$((each_number + 1))
		take_directory "$each_recording"
		[ $# -eq 1 ] || printf '<h%s>%s</h%s>\n' "$each_level" "$(name_of_set "$@" | escaped)" "$each_level"
		"$each_part" "$each_number" || return
	done
}

recording_first() {
	recording_head && recording_answer "$1"
}

recording_details() {
	recording_tables "$1" && recording_tail "$1"
}

page() {
	page_head
	if [ $# -gt 1 ]; then
		comparison "$@" || return
	fi
	each_level=2
	each recording_first "$@" || return
	printf '<h2>More</h2>\n'
	all_figures || return
	[ $# -eq 1 ] || comparison_tables || return
	each_level=3
	each recording_details "$@" && page_method && folded 'Circumstances' && each recording_provenance "$@" && folded_end || return
	page_end
}

page_end() {
	printf '<footer>Written by wakelat report, revision %s.</footer>\n</body>\n</html>\n' "$(revision "$here" | escaped)"
}

# write_page FILE MAKER DIRECTORY...: MAKER is page or the like; cat notices a full disk, which the shell's printf in the middle of a function
# does not; only a page whose every part was made has its end, and none of them has anything to complain about.
write_page() {
	page_file=$1
	page_maker=$2
	shift 2
	begin "$page_file"
	{ "$page_maker" "$@" | cat >"$partial"; } 2>"$work/said" && [ "$(tail -n 1 "$partial")" = '</html>' ] && [ ! -s "$work/said" ] ||
		die "${page_file#./} cannot be written: $(head -n 1 "$work/said")"
	finish "$page_file"
}
