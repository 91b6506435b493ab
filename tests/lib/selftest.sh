# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# selftest.sh - extract the kernel selftest of wakelat from the patches, and the kernel's selftest files that it needs.

: "${top:?}" "${tmp:?}"

# take_selftest DIR [PATCH...]: make DIR/wakelat and DIR/kselftest from these patches (default: those of flavour default)
take_selftest() {
	selftest_dir=$1
	shift
	[ $# -gt 0 ] || set -- "$top"/patches/[0-9]-*/[0-9]*.patch
	declared source
	source=$("$top/scripts/dev/fetch-kernel") || bail "no kernel source"
	mkdir -p "$selftest_dir/tree" || bail "$selftest_dir cannot be made"
	for patch; do
		(cd "$selftest_dir/tree" && GIT_CEILING_DIRECTORIES=$selftest_dir git apply --include='tools/testing/selftests/wakelat/*' "$patch") ||
			bail "$patch does not apply"
	done
	if [ -d "$source" ]; then
		cp -R "$source/tools/testing/selftests/kselftest" "$selftest_dir/"
	else
		tar -C "$selftest_dir" --strip-components=4 --wildcards -xf "$source" '*/tools/testing/selftests/kselftest/*'
	fi
	mv "$selftest_dir/tree/tools/testing/selftests/wakelat" "$selftest_dir/" && rm -r "$selftest_dir/tree"
	[ -e "$selftest_dir/wakelat/wakelat_test.sh" ] && [ -e "$selftest_dir/kselftest/ktap_helpers.sh" ] || bail "there is no selftest"
}
