# SPDX-License-Identifier: GPL-2.0
# report-figures.sh - draws and prints the figures of the page.
# shellcheck shell=sh
#
# Needs message.sh, figures.sh, report.sh.

# Variables that other files set:
: "${me?the command}" "${work?analysis.sh}" "${figure_page?figures.sh}" "${figure_caption?figures.sh}"

# page_figures DIRECTORY...: draws the figures into $work/out; $work/no-figures says why there are
# none
page_figures() {
	: "${no_gnuplot?figures.sh}"
	want_figures '' page 88mm
	take_recordings "$@"
	if [ -n "$no_gnuplot" ]; then
		printf '%s: %s\n' "$me" "$no_gnuplot" >"$work/no-figures"
		return
	fi
	mkdir "$work/out" || die "$work cannot be written"
	compare_recordings
	# Without data for figures, the page has only numbers.
	if ! (figure_data 88mm) 2>"$work/no-figures"; then
		grep -q 'nothing to draw$' "$work/no-figures" && return
		# Without a message, the disk was full.
		[ -s "$work/no-figures" ] || die "$work cannot be written"
		cat "$work/no-figures" >&2
		exit 1
	fi
	draw_figures 88mm || exit
}

# figure NAME: prints it as HTML, or nothing if it was not drawn
figure() {
	take_figure "$1"
	figure_as "$work/out/$1.$figure_page" "$figure_caption"
}

# figure_as FILE CAPTION: prints it as an img element. Inline svg would not do: the ids of several
# figures would clash.
figure_as() {
	[ -e "$1" ] || return 0
	case $1 in
	*.png) figure_type=image/png ;;
	*) figure_type=image/svg+xml ;;
	esac
	printf '<figure><img alt="%s" src="data:%s;base64,' "$2" "$figure_type"
	base64 -w 0 "$1" || return
	printf '">\n<figcaption>%s</figcaption></figure>\n' "$2"
}

# figures_on_page WHAT: prints the figures of WHAT (samples, fleet, ...) that were drawn
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
