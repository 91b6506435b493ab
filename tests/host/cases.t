#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Inputs of other people's tools and machines: each gets its right answer. A folder of fixtures/cases is a case, also of an extra; its
# case.sh makes the checks, in an empty directory, with $case set to the folder.
# needs: tools

. "$(dirname "$0")/../lib/tap.sh"
. "$top/tests/lib/analysis.sh"
build_tools

# in_case FOLDER: run the checks of one case in a directory of its own
in_case() {
	case=$1
	note "${case##*/}"
	mkdir "$tmp/${case##*/}" && cd "$tmp/${case##*/}" || bail "cannot make a directory for $case"
	# shellcheck source=/dev/null
	. "$case/case.sh"
}

for folder in "$top"/tests/fixtures/cases/*/ "$top"/extras/*/tests/fixtures/cases/*/; do
	[ -d "$folder" ] || continue
	in_case "${folder%/}"
done
done_testing
