# SPDX-License-Identifier: GPL-2.0
# install-figures.sh - installs figures in their directory, and lists them.
# shellcheck shell=sh
#
# Needs message.sh, put-file.sh, trust.sh.

# Variables that other files set:
: "${error_status?message.sh}" "${work?analysis.sh}" "${tools?analysis.sh}" "${tab?directory.sh}" "${figures?figures.sh}" "${figures_all?figures.sh}" \
	"${figure_name?columns.sh}"

# $output is an option of the command.

# install_figures DIRECTORY: installs all figures or none, because a new figure beside an old one
# would mislead
install_figures() {
	need_tools safe-copy
	figures_to=$1
	figures_parent=${1%/*}
	[ -z "$output" ] || [ ! -L "$1" ] || figures_to=$(readlink -f -- "$1")
	[ ! -L "$figures_to" ] || die "${1#./}: a symbolic link is in the place of the directory of the figures: remove it"
	must_trust place "$1" "draw into a directory of your own"
	create_directory -p "${figures_parent:-/}"
	must_trust place "$figures_to" "draw into a directory of your own"
	for figure_file in "$work"/out/*; do
		check_kind "$figures_to/${figure_file##*/}"
	done
	"$tools/safe-copy" into "$figures_to" "$work"/out/* || exit "$error_status"
}

# figures_in DIRECTORY: prints the figures that the user has chosen and that are there
figures_in() (
	IFS=,
	comma=
	for figure in ${figures:-$figures_all}; do
		name_figure "$figure" ''
		for file in "$1/$figure_name."* "$1/$figure_name-"[0-9]*; do
			[ -e "$file" ] || continue
			printf '%s%s' "$comma" "$figure_name"
			comma=,
			break
		done
	done
)

# report_left_out DIRECTORY: says which figures were left out and why, unless the user has chosen
# figures
report_left_out() {
	[ -z "$figures" ] || return 0
	while IFS=$tab read -r figure reason; do
		[ "$figure" = figure ] || say "no figure $figure: $reason"
	done <"$1/left-out.tsv"
}
