# SPDX-License-Identifier: GPL-2.0
# import.sh - a format of wakelat import: texts of events.
# shellcheck shell=sh

# Variables that other files set:
: "${import_others?the command}" "${import_formats?the command}"

import_others="$import_others import_events"
import_formats="${import_formats:+$import_formats, }the text of perf script, trace-cmd report or the kernel's trace file"

# import_events: import $input, or return 1 if it is no text of events
import_events() {
	: "${input?the command}" "${output?the command}" "${tools?analysis.sh}" "${work?analysis.sh}"
	need_tools perfscript
	"$tools/perfscript" -k "$input" || return
	case $source in
	'' | wake | passive) ;;
	*) die "--source $source: $input has events, which make samples of source wake or passive" ;;
	esac
	[ -z "$unit" ] || die "--unit: $input has events, whose times have their unit"
	"$tools/perfscript" ${source:+-s "$source"} "$input" "$work/samples.tsv" "$work/facts.tsv" >"$work/said" || exit
	[ -n "$source" ] || source=$(cut -f 3 "$work/samples.tsv" | sed 1d | sort -u | paste -sd , -)
	more_facts | run_tsv >"$work/run.tsv" || cannot_write_temporary
	publish_run "$output" samples.tsv run.tsv
	say "${output#./} has $(cat "$work/said")"
}
