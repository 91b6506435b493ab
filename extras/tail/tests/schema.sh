# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# schema.sh - write the tables of wakelat tail into the recording a (tests/host/schema.t).
: "${top:?}" "${wakelat:?}"

sed 1d "$top/extras/tail/schema.tsv" >>more-rows
if Rscript --vanilla -e 'library(evd)' >/dev/null 2>&1; then
	ok "tail writes its tables" "$wakelat" tail -q a
else
	skip 1 "no R with evd"
	not_made="${not_made-}tail tail-qq tail-stability "
fi
