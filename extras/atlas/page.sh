# SPDX-License-Identifier: GPL-2.0
# page.sh - a part of the page of wakelat report: published latencies of the same CPU, state and event.
# shellcheck shell=sh

# Variables that other files set:
: "${page_extra?the command}" "${work?analysis.sh}" "${verdict=}" "${page_parts=}"

atlas_from=${page_extra%/*}
# shellcheck source=extras/atlas/atlas.sh
. "$atlas_from/atlas.sh"
page_parts="$page_parts recording_atlas"

# recording_atlas: prints published latencies of the same CPU, state and event, if there are any
recording_atlas() {
	atlas_rows "$verdict" >"$work/atlas.tsv" || {
		# Without a message, the disk was full.
		[ -s "$work/said" ] || cannot_write_temporary
		die "$(cat "$work/said")"
	}
	has_rows "$work/atlas.tsv" || return 0
	table "$work/atlas.tsv" 'Beside published latencies, µs; rows of different methods are different quantities' \
		'cpu=CPU;state;method;n;median_us=median;p99_us=p99;max_us=max;advertised_us=advertised;verified;source'
}
