# SPDX-License-Identifier: GPL-2.0
# scrub-run.awk - run.tsv: keep only the keys that the schema calls public. The other keys tell whose
# machine it was. Needs schema.awk.
#	-v left=FILE	write the keys that were left out to FILE, one a line

BEGIN { OFS = FS }

# The release of a company's own kernel may contain the company's name after the version.
$1 == "kernel" && match($2, /^[0-9]+\.[0-9]+(\.[0-9]+)?(-rc[0-9]+)?/) {
	$2 = substr($2, 1, RLENGTH)
}

NR == 1 || schema_public[schema_of("run", $1)] == "yes" {
	print
	next
}

{ print $1 >left }
