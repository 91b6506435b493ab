# SPDX-License-Identifier: GPL-2.0
# buffer.sh - how large the ring buffer must be for a recording.
# shellcheck shell=sh
#
# When the buffer is filled to buffer_percent, the measured CPU, which writes to it, interrupts
# itself to wake the recorder. So the buffer holds the whole recording if memory allows, with room
# for tainted samples, which come on top of the requested ones. Only a smaller buffer is emptied
# during the recording.

# Variables that functions of this file set:
least=
holds_kb=
limit_kb=
: "$least" "$holds_kb" "$limit_kb"

# A buffer filled to buffer_percent (75 %) must hold 1.5 times the recording, so the whole buffer
# holds 1.5 / 0.75 = 2 times the recording.
buffer_times=2
buffer_percent_roomy=75
buffer_percent_tight=50
: "$buffer_times" "$buffer_percent_roomy" "$buffer_percent_tight"
# A sub-buffer is a page. It has at least this many bytes besides its header.
page_bytes=4080

# sample_bytes DIRECTORY COUNTERS: prints how many bytes of the ring buffer a sample takes at most,
# with all its events. An event with the fields run and seq is a sample or a part of one.
# The event wakelat_counters is included only if counters are read. In the ring buffer, a header of
# 4 or 8 bytes precedes an event, and a time stamp of 8 bytes if 2^27 ns have passed since the event
# before. Up to three bytes after the event align the next one. Fails if there is no event
# wakelat_sample.
sample_bytes() {
	[ -e "$1/wakelat_sample/format" ] || return
	awk -F '[:;]' -v counters="$2" '
		function add() {
			if (end && run && seq && (counters != "none" || name !~ /\/wakelat_counters\/format$/))
				total += int((end + 3) / 4) * 4 + 16
		}
		FNR == 1 { add(); name = FILENAME; end = run = seq = 0 }
		$3 !~ /offset$/ { next }
		$4 + $6 > end { end = $4 + $6 }
		$2 ~ /[ \t]run$/ { run = 1 }
		$2 ~ /[ \t]seq$/ { seq = 1 }
		END { add(); if (!total) exit 1; print total }' "$1"/*/format
}

# ldist_list FIRST LAST PERMILLE: prints the launch distances of a sweep, one a line, rounded to
# whole ns
ldist_list() (
	step=$1
	while [ "$step" -le "$2" ]; do
		printf '%d\n' "$step"
		next=$(((step * $3 + 500) / 1000))
		[ "$next" -gt "$step" ] || next=$((step + 1))
		step=$next
	done
)

# ldist_steps FIRST LAST PERMILLE: prints the number of steps of the sweep
ldist_steps() {
	ldist_list "$@" | wc -l
}

# find_least NUMBER NUMBER...: sets $least to the smallest number that is not 0, or to 0 if all are
# 0
find_least() {
	least=0
	for limit in "$@"; do
		[ "$limit" -ne 0 ] || continue
		[ "$least" -ne 0 ] && [ "$least" -le "$limit" ] || least=$limit
	done
}

# least_limit NUMBER NUMBER...: prints the smallest number that is not 0, or 0 if all are 0
least_limit() {
	find_least "$@"
	printf '%d\n' "$least"
}

# find_kb EVENTS EVENT_BYTES: sets $holds_kb to the size of a buffer that holds so many events
find_kb() {
	holds_kb=$((($1 / (page_bytes / $2) + 3) * 4))
}

# buffer_kb EVENTS EVENT_BYTES: prints the size of a buffer that holds so many events
buffer_kb() {
	find_kb "$@"
	printf '%d\n' "$holds_kb"
}

# buffer_events KB EVENT_BYTES: prints how many events a buffer of this size holds
buffer_events() {
	pages=$(($1 / 4))
	printf '%d\n' $((pages * (page_bytes / $2)))
}

# find_memory_limit CPUS: sets $limit_kb to the maximum size of one buffer. CPUS is the number of
# CPUs. Their buffers together may take a quarter of the available memory.
find_memory_limit() {
	limit_kb=
	while read -r memory_key memory_kb memory_unit; do
		[ "$memory_key" = MemAvailable: ] || continue
		limit_kb=$(((memory_kb + 2 * $1) / (4 * $1)))
		break
	done </proc/meminfo
	: "$memory_unit"
}
