# SPDX-License-Identifier: GPL-2.0
# scrub-run.awk - run.tsv without what tells whose machine it was: only keys that the schema calls public stay. Needs schema.awk.
#	-v left=FILE	the keys of what was left out, one a line

BEGIN { OFS = FS }

# The kernel of a company has its name behind the version.
$1 == "kernel" && match($2, /^[0-9]+\.[0-9]+(\.[0-9]+)?(-rc[0-9]+)?/) {
	$2 = substr($2, 1, RLENGTH)
}

NR == 1 || schema_public[schema_of("run", $1)] == "yes" {
	print
	next
}

{ print $1 >left }
