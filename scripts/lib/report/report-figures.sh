# SPDX-License-Identifier: GPL-2.0
# report-figures.sh - draws and prints the figures of the page.
# shellcheck shell=sh
#
# Needs message.sh, figures.sh, report.sh.

# Variables that other files set:
: "${me?the command}" "${work?analysis.sh}" "${figure_page?figures.sh}" "${figure_caption?figures.sh}" \
	"${figures_all?figures.sh}"

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
	mkdir "$work/out" || cannot_write_temporary
	compare_recordings
	# Without data for figures, the page has only numbers.
	if ! (figure_data 88mm) 2>"$work/no-figures"; then
		grep -q 'nothing to draw$' "$work/no-figures" && return
		# Without a message, the disk was full.
		[ -s "$work/no-figures" ] || cannot_write_temporary
		cat "$work/no-figures" >&2
		exit 1
	fi
	draw_figures 88mm
	left_out printf 'No figure %s: %s.\n' >"$work/left-out" || cannot_write_temporary
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

all_figures() {
	folded 'Figures'
	figure_parts && folded_end
}

figure_parts() {
	if [ -s "$work/no-figures" ]; then
		sed 's/^[^:]*: //' "$work/no-figures" >"$work/left-out"
	else
		printf '<div class="figures">\n'
		parts_ifs=$IFS
		IFS=,
		for page_figure in $figures_all; do
			IFS=$parts_ifs
			figure "$page_figure" || return
		done
		printf '</div>\n'
	fi
	[ ! -s "$work/left-out" ] || list "$work/left-out"
}
