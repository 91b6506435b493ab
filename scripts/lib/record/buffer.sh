# SPDX-License-Identifier: GPL-2.0
# buffer.sh - how large the ring buffer must be for a recording.
# shellcheck shell=sh
#
# When the buffer is filled to buffer_percent, the CPU that writes to it, the measured one, interrupts
# itself to wake the recorder. So the buffer holds the whole recording if memory allows, and more: what
# is tainted comes on top of the samples asked for. Only then it is emptied meanwhile.

# What the buffer holds at buffer_percent must be the recording and a half: 1.5 / 0.75 = 2.
buffer_times=2
buffer_percent_roomy=75
buffer_percent_tight=50
: "$buffer_times" "$buffer_percent_roomy" "$buffer_percent_tight"
# A sub-buffer is a page of at least this many bytes without its header.
page_bytes=4080

# The length of one event in the ring buffer: the record is followed by up to three bytes that align it; a header of 4 or 8 bytes and,
# when 2^27 ns have passed since the event before it, a time stamp of 8 bytes precede it.
# sample_bytes DIRECTORY COUNTERS: of a sample with all parts that it can have (events with a run and a seq are samples or their
# parts); those with counters only if there are any
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

# ldist_list FIRST LAST PERMILLE: the launch distances of a sweep, one a line, rounded to whole ns
ldist_list() (
	step=$1
	while [ "$step" -le "$2" ]; do
		printf '%d\n' "$step"
		next=$(((step * $3 + 500) / 1000))
		[ "$next" -gt "$step" ] || next=$((step + 1))
		step=$next
	done
)

# ldist_steps FIRST LAST PERMILLE: how many steps the sweep has
ldist_steps() {
	ldist_list "$@" | wc -l
}

# find_least NUMBER NUMBER...: sets $least to the smallest that is not 0; to 0 if all are
find_least() {
	least=0
	for limit in "$@"; do
		[ "$limit" -ne 0 ] || continue
		[ "$least" -ne 0 ] && [ "$least" -le "$limit" ] || least=$limit
	done
}

# least_limit NUMBER NUMBER...: prints it
least_limit() {
	find_least "$@"
	printf '%d\n' "$least"
}

# find_kb EVENTS EVENT_BYTES: sets $holds_kb to the size that holds so many events
find_kb() {
	holds_kb=$((($1 / (page_bytes / $2) + 3) * 4))
}

# buffer_kb EVENTS EVENT_BYTES: prints it
buffer_kb() {
	find_kb "$@"
	printf '%d\n' "$holds_kb"
}

# buffer_events KB EVENT_BYTES: how many events it holds
buffer_events() {
	pages=$(($1 / 4))
	printf '%d\n' $((pages * (page_bytes / $2)))
}

# find_memory_limit CPUS: sets $limit_kb to what one of so many buffers may take: a quarter of the free memory for all
find_memory_limit() {
	limit_kb=
	while read -r memory_key memory_kb memory_unit; do
		[ "$memory_key" = MemAvailable: ] || continue
		limit_kb=$(((memory_kb + 2 * $1) / (4 * $1)))
		break
	done </proc/meminfo
	: "$memory_unit"
}
