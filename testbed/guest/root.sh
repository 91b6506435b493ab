# SPDX-License-Identifier: GPL-2.0
# root.sh - make the job's own part of the guest's files: scripts, tools, modules, the job, and the files of --add.
# shellcheck shell=sh
#
# Needs common.sh, revision.sh.

# Variables that testbed/run and common.sh set:
: "${top?testbed/run}" "${root?testbed/run}" "${printed?common.sh}"

# add_path PATH[=GUESTPATH]: copy PATH into the guest's files
add_path() {
	add_from=${1%%=*}
	add_to=$root/$(basename "$add_from")
	case $1 in
	*=*) add_to=$root/${1#*=} ;;
	esac
	mkdir -p "$(dirname "$add_to")" && cp -RL "$add_from" "$add_to"
}

shell_tools='answer check-tables dump quantiles top'

# add_tools_x86: add those of wakelat's own programs that are built, and the libraries that they need
add_tools_x86() {
	mkdir -p "$root/wakelat/tools/bin"
	for path in $shell_tools; do
		path=$top/tools/bin/$path
		[ -x "$path" ] || continue
		cp "$path" "$root/wakelat/tools/bin/" || return
		for library in $(ldd "$path" | sed -n 's/^[^/]*\(\/[^ ]*\) (0x.*/\1/p'); do
			[ -e "$root$library" ] || add_path "$library=$library" || return
		done
	done
}

# add_tools_arm64: build the programs for arm64 and add them. If they cannot be built, go on: the shell is useful without them.
add_tools_arm64() {
	printed "$top/testbed/guest/build-tools-arm64" || return 0
	add_path "$printed/lib=/lib/aarch64-linux-gnu" || return
	for path in $shell_tools; do
		add_path "$printed/bin/$path=/wakelat/tools/bin/$path" || return
	done
}

# wants_extra NAME: true if the job names this extra, or is one of its jobs. More files take the guest more time to unpack, so without
# this every change of an extra would change the numbers that documents show.
wants_extra() {
	: "${interactive?testbed/run}" "${job?testbed/run}"
	[ -d "$top/extras/$1" ] && { [ "$interactive" = yes ] || printf '%s\n' "$job" | cat - "$job" | grep -qwF -e "$1"; }
}

# make_root: put the job's own part of the guest's files into $root
make_root() {
	: "${machine?testbed/run}" "${interactive?testbed/run}" "${kernel?testbed/run}" "${job?testbed/run}" "${additions?testbed/run}"
	mkdir -p "$root/wakelat/scripts" || return
	for path in "$top"/scripts/*; do
		[ "$path" = "$top/scripts/dev" ] || cp -R "$path" "$root/wakelat/scripts/" || return
	done
	for path in "$top"/extras/*/; do
		path=${path%/}
		wants_extra "${path##*/}" || continue
		mkdir -p "$root/wakelat/extras" && cp -R "$path" "$root/wakelat/extras/" && rm -rf "$root/wakelat/extras/${path##*/}/tests" || return
	done
	revision "$top/scripts" >"$root/wakelat/VERSION" || return
	if [ -d "${kernel%/*}/modules/lib" ]; then
		cp -R "${kernel%/*}/modules/lib" "$root/lib" || return
	fi
	# An interactive shell gets the tools that sweep needs. A job gets only the files of --add.
	[ "$interactive" = no ] || "add_tools_$machine" || return
	if [ -n "$job" ]; then
		cp "$job" "$root/job" && chmod 755 "$root/job" || return
	fi
	while IFS= read -r path; do
		[ -z "$path" ] || add_path "$path" || return
	done <<EOF
$additions
EOF
	chmod -R u=rwX,go=rX "$root"
}
