# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# build.sh - compile a governor of a kernel tree.
#
# Needs message.sh; the caller has set $extra and $work.

: "${extra?the command}" "${work?analysis/analysis.sh}"

# build_governor TREE NAME FILE: compile TREE's governor NAME, unchanged, into the shared library FILE
build_governor() {
	build_folder=$1/drivers/cpuidle/governors
	[ -d "$build_folder" ] || die "$1 is not a kernel tree (no drivers/cpuidle/governors)"
	[ -r "$build_folder/$2.c" ] || die "$1 has no governor $2: $build_folder has $(cd "$build_folder" && printf '%s ' *.c)"
	must_trust directory "$build_folder" "wakelat runs its code: copy it, and read it first"
	must_trust files "$build_folder/$2.c" "wakelat runs its code: copy it, and read it first"
	command -v gcc >/dev/null || die "gcc is missing: apt-get install gcc libc6-dev"
	# An empty file stands for each header of the kernel; standin.inc has what the governors use of them.
	for build_file in "$build_folder/$2.c" "$build_folder"/*.h; do
		[ ! -f "$build_file" ] || sed -n 's/^[ \t]*#[ \t]*include[ \t]*<\([a-z0-9_/.-]*\)>.*/\1/p' "$build_file"
	done | sort -u | while IFS= read -r build_header; do
		case /$build_header/ in
		*/../* | //*) continue ;;
		/*/*/*) mkdir -p "$work/include/${build_header%/*}" && : >"$work/include/$build_header" ;;
		esac
	done || cannot_write_temporary
	# A file of the tree may include a device, or let the compiler take forever.
	prlimit --cpu=60 --as=4000000000 gcc -std=gnu11 -O2 -Werror=implicit-function-declaration -Werror=implicit-int -fPIC -shared -I"$work/include" \
		-DSTANDIN_GOVERNOR -include "$extra/standin.inc" -o "$3" "$build_folder/$2.c" </dev/null 2>"$work/said" && return
	build_missing=$(sed -n "s/.*error: .*\(implicit declaration of function\|unknown type name\|has no member named\) '\([^']*\)'.*/\2/p
		s/.*error: '\([^']*\)' undeclared.*/\1/p
		s/.*fatal error: \(.*\): No such file.*/\1/p" "$work/said" | head -n 1)
	[ -z "$build_missing" ] || die "$build_folder/$2.c needs $build_missing, which the stand-in headers lack ($extra/standin.inc)"
	die "$build_folder/$2.c does not compile: $(grep -m 1 -o 'error: .*' "$work/said" || tail -n 1 "$work/said")"
}
