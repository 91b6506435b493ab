# SPDX-License-Identifier: GPL-2.0
# columns.sh - any column of samples.tsv on the axes of a figure.
# shellcheck shell=sh
#
# Needs message.sh.

# Variables that other files set:
: "${here?the command}"

# The columns in place of the silent time and of the latency; empty: none. Then $x_label and $y_label name the axes, and the
# options of answer figures are in $x_option and $y_option.
x_column=
x_label=
x_option=
y_column=
y_label=
y_option=
figure_name=
: "$x_label" "$y_label" "$x_option" "$y_option" "$figure_name"

# take_column AXIS COLUMN: sets the variables of the axis (x or y), or dies
take_column() {
	case $2 in
	'' | *[!A-Za-z0-9_]*) bad_usage "-$1: '$2' is not the name of a column of samples.tsv" ;;
	esac
	column_says=$(schema=$here/lib/common/schema.tsv awk -v column="$2" -f "$here/lib/common/schema.awk" \
		-f "$here/lib/figures/column.awk") || exit
	case $1.$column_says in
	?.text) bad_usage "-$1: column $2 has no numbers" ;;
	x.ns*) x_column=$2 x_label=${column_says#* } x_option=-x ;;
	x.*) x_column=$2 x_label=${column_says#* } x_option=-X ;;
	y.ns*) y_column=$2 y_label=${column_says#* } y_option=-y ;;
	y.*) y_column=$2 y_label=${column_says#* } y_option=-Y ;;
	esac
}

# choose_figures: leaves only the figures that show the chosen columns: points if there is an x axis, else distributions
choose_figures() {
	figures_all=order,histogram,ccdf,percentiles,states,cpus
	[ -z "$x_column" ] || figures_all=silent-time,density
	: "$figures_all"
}

# name_figure FIGURE SUFFIX: sets $figure_name, the name of the figure's files
name_figure() {
	case ${x_column:+x}${y_column:+y}.$1 in
	.* | x.*) figure_name=$1 ;;
	*) figure_name=$1-$y_column ;;
	esac
	case ${x_column:+x}.$1 in
	x.silent-time) figure_name=${y_column:-latency}-by-$x_column ;;
	x.density) figure_name=density-${y_column:-latency}-by-$x_column ;;
	esac
	figure_name=$figure_name$2
}
