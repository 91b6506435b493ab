# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# selftest.sh - the kernel's selftest of wakelat, as the series brings it, and what it takes of the kernel's own.

: "${top:?}" "${tmp:?}"

# take_selftest DIR: DIR/wakelat and DIR/kselftest
take_selftest() {
	declared source
	source=$("$top/scripts/dev/fetch-kernel") || bail "no kernel source"
	mkdir -p "$1/tree" || bail "$1 cannot be made"
	for patch in "$top"/patches/[0-9]-*/[0-9]*.patch; do
		(cd "$1/tree" && GIT_CEILING_DIRECTORIES=$1 git apply --include='tools/testing/selftests/wakelat/*' "$patch") ||
			bail "$patch does not apply"
	done
	if [ -d "$source" ]; then
		cp -R "$source/tools/testing/selftests/kselftest" "$1/"
	else
		tar -C "$1" --strip-components=4 --wildcards -xf "$source" '*/tools/testing/selftests/kselftest/*'
	fi
	mv "$1/tree/tools/testing/selftests/wakelat" "$1/" && rm -r "$1/tree"
	[ -e "$1/wakelat/wakelat_test.sh" ] && [ -e "$1/kselftest/ktap_helpers.sh" ] || bail "there is no selftest"
}
