# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154  # $top, $work, $making: common.sh, kernel-tree.sh; $version, $variant, $variants: lint-objects
# lint-objects.sh - how lint-objects configures and compiles each of its variants.
#
# Sourced after kernel-tree.sh. $version and $variant are checked, $making is the directory for the result, and `judged` takes the
# complaints. PATCH... are all patches that were applied.

# The suffix of clang's programs. Debian 12 has several versions, and Linux 7.3 needs at least 17.
llvm=-19

# variant_tool [OPTION...]: run the compiler of the variant, or the other program that checks it
variant_tool() {
	case $variant in
	clang*) "clang$llvm" "$@" ;;
	arm64*) aarch64-linux-gnu-gcc "$@" ;;
	riscv*) riscv64-linux-gnu-gcc "$@" ;;
	htmldocs) sphinx-build "$@" ;;
	*) "$checker" "$@" ;;
	esac
}

# with_sparse: true if sparse checks this variant, too
with_sparse() {
	case $variant in
	gcc* | nosmp | rt) ;;
	*) return 1 ;;
	esac
}

need_tools() {
	for variant in $variants; do
		case $variant in
		clang*) need "clang$llvm" lint && need "ld.lld$llvm" lint ;;
		arm64*) need aarch64-linux-gnu-gcc cross ;;
		riscv*) need riscv64-linux-gnu-gcc cross ;;
		htmldocs) need sphinx-build lint ;;
		esac
	done
}

# vmake TARGET...: run make for this variant, in the directory of its objects
vmake() {
	case $variant in
	clang*) set -- LLVM="$llvm" "$@" ;;
	arm64*) set -- ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- "$@" ;;
	riscv*) set -- ARCH=riscv CROSS_COMPILE=riscv64-linux-gnu- "$@" ;;
	esac
	kmake "$objdir" "$@"
}

# touched_files PATCH...: print the files that the patches add or change, but not those that they remove
touched_files() {
	for patch; do
		git apply --numstat "$patch" | cut -f 3
	done | sort -u | while IFS= read -r path; do
		[ ! -e "$work/src/$path" ] || printf '%s\n' "$path"
	done
}

# our_symbols TYPES PATCH...: print the symbols of these types ("bool|tristate") that the patches add to Kconfig, without CONFIG_
our_symbols() {
	our_types=$1
	shift
	cat "$@" | awk -v types="^[+]\t($our_types)( |\$)" '/^diff --git / { kconfig = $NF ~ /\/Kconfig[^\/]*$/ }
		kconfig && /^[+](menu)?config / { name = $2 }
		kconfig && $0 ~ types && name { print name; name = "" }' | sort -u
}

# --- configurations

# what_is_wanted PATCH...: print the lines that are added to the initial configuration
what_is_wanted() {
	case $variant in
	arm64* | riscv*)
		cat "$top/Kconfig.snippet"
		our_symbols 'bool|tristate|def_bool' "$@" | sed 's/.*/CONFIG_&=y/'
		[ "$variant" = "${variant%-modules}" ] || our_symbols tristate "$@" | sed 's/.*/CONFIG_&=m/'
		return ;;
	allmodconfig) return ;;
	esac
	cat "$top/testbed/kernel/base.config"
	[ ! -e "$top/testbed/kernel/$version.config" ] || cat "$top/testbed/kernel/$version.config"
	cat "$top/Kconfig.snippet"
	our_symbols 'bool|tristate' "$@" | sed 's/.*/CONFIG_&=y/'
	case $variant in
	*-modules) our_symbols tristate "$@" | sed 's/.*/CONFIG_&=m/' ;;
	nosmp) printf '# CONFIG_SMP is not set\n' ;;
	rt) cat "$top/testbed/kernel/rt.config" ;;
	esac
}

# what_must_be PATCH...: print the lines that the configuration must have, or the variant would not match its name
what_must_be() {
	case $variant in
	arm64-modules | riscv-modules) ;;
	*-modules) our_symbols tristate "$@" | sed 's/.*/CONFIG_&=m/' ;;
	nosmp) printf '# CONFIG_SMP is not set\n' ;;
	rt) printf 'CONFIG_PREEMPT_RT=y\n' ;;
	allmodconfig) printf 'CONFIG_COMPILE_TEST=y\n' ;;
	esac
}

# shape_config PATCH...: write $objdir/.config. Add what it lacks to $making/complaints.
shape_config() {
	what_is_wanted "$@" >"$making/wanted.config"
	case $variant in
	arm64* | riscv*) start=defconfig ;;
	allmodconfig) start=allmodconfig ;;
	*) start=allnoconfig ;;
	esac
	mkdir -p "$objdir" || die "cannot write to $work"
	logged "configuring $variant ($version)" "$log" vmake "$start" || exit 1
	sed -n 's/^\(CONFIG_[A-Za-z0-9_]*\)=n$/# \1 is not set/; /^CONFIG_/p; /^# CONFIG_.* is not set$/p' \
		"$making/wanted.config" >>"$objdir/.config"
	logged "configuring $variant ($version)" "$log" vmake olddefconfig || exit 1
	what_must_be "$@" | while IFS= read -r line; do
		grep -qxF "$line" "$objdir/.config" || printf 'the configuration has no %s\n' "$line"
	done >>"$making/complaints"
	our_symbols 'bool|tristate' "$@" | sed 's/.*/^CONFIG_&=[ym]$/' >"$making/ours"
	[ -s "$making/ours" ] && grep -qf "$making/ours" "$objdir/.config" ||
		printf 'none of the symbols that the series adds can be set\n' >>"$making/complaints"
}

# --- objects

# in_directory DIRECTORY: print the objects that the Makefile there has for this configuration
in_directory() {
	printf 'include %s\nsrc := %s\nobj := %s\nsrctree := %s\ninclude %s\n' "$objdir/include/config/auto.conf" "$1" "$1" \
		"$work/src" "$work/src/$1/Makefile" >"$making/print.mk"
	cat >>"$making/print.mk" <<'MK'
parts = $(foreach o,$(1),$(o) $(call parts,$(patsubst $(obj)/%,%,$($(o:.o=-y)) $($(o:.o=-objs)) $($(o:.o=-m)))))
all: ; @printf '%s\n' $(addprefix $(obj)/,$(call parts,$(filter %.o,$(obj-y) $(obj-m) $(lib-y))))
MK
	make -s -C "$work/src" -f "$making/print.mk" all 2>>"$log"
}

# foreign PATH: true if PATH belongs to another architecture, whose symbols and headers this kernel does not have
foreign() {
	case $1 in
	arch/*)
		case $variant:$1 in
		arm64*:arch/arm64/* | riscv*:arch/riscv/*) return 1 ;;
		arm64*:* | riscv*:*) return 0 ;;
		*:arch/x86/*) return 1 ;;
		*) return 0 ;;
		esac ;;
	esac
	return 1
}

# our_objects PATCH...: print the objects of touched_files that are part of this kernel
our_objects() {
	touched_files "$@" | sed -n 's/\.c$/.o/p' >"$making/candidates"
	sed 's|/[^/]*$||' "$making/candidates" | sort -u | while IFS= read -r directory; do
		foreign "$directory/" || [ ! -e "$work/src/$directory/Makefile" ] || in_directory "$directory"
	done | sort -u | comm -12 - "$making/candidates"
}

# our_complaints PATCH...: print what $log says about touched files, and which files sparse did not check or have no object
our_complaints() {
	touched_files "$@" >"$making/touched"
	grep -E '(warning|error|Error):|objtool: ' "$log" | grep -F -f "$making/touched" | sed "s|$work/src/||g; s|^\.\./[./]*src/||" |
		sort -u
	sed -n 's/\.o$/.c/p' "$making/objects" | while IFS= read -r path; do
		! with_sparse || grep -qE "^ +CHECK +.*$path\$" "$log" || printf '%s: sparse did not check it\n' "$path"
		[ -e "$objdir/${path%.c}.o" ] || printf '%s: no object was made\n' "$path"
	done
}

# module_objects: print the objects in $making/objects that become part of a module
module_objects() {
	while IFS= read -r object; do
		! grep -q '^.*-DMODULE ' "$objdir/${object%/*}/.${object##*/}.cmd" 2>/dev/null || printf '%s\n' "$object"
	done <"$making/objects"
}

# unlinked: print a line for each symbol that a module of ours needs and the kernel does not export. modpost would refuse such a
# module, but needs the whole kernel. So look for the exports in the sources.
unlinked() {
	module_objects >"$making/module-objects"
	[ -s "$making/module-objects" ] || return 0
	grep -rhoE 'EXPORT_(PER_CPU_)?SYMBOL[A-Z_]*\("?[A-Za-z_0-9]+|EXPORT_TRACEPOINT_SYMBOL[A-Z_]*\([a-z_0-9]+' \
		--include='*.[chS]' "$work/src" | sed 's/^EXPORT_TRACEPOINT.*(\(.*\)/__tracepoint_\1\n__traceiter_\1\n__SCK__tp_func_\1\n__SCT__tp_func_\1/
			s/.*[("]//' | sort -u >"$making/exported"
	sed "s|^|$objdir/|" "$making/module-objects" | xargs -d '\n' nm -g --defined-only 2>/dev/null | awk 'NF == 3 { print $3 }' >>"$making/exported"
	sort -u -o "$making/exported" "$making/exported"
	while IFS= read -r object; do
		nm -u "$objdir/$object" | awk '{ print $2 }' | sort -u | comm -23 - "$making/exported" |
			grep -vxE '__this_module|param_ops_[a-z]*|_dev_[a-z]*|__fentry__|__x86_.*|__stack_chk_.*|_mcount|memset|memcpy|memmove|memcmp|__SCT__.*|__(cpu_|get_|put_)?[a-z0-9_]*_[0-9]+' |
			sed "s|.*|${object%.o}.c: a module needs &, which the kernel does not export|"
	done <"$making/module-objects"
}

# compiled PATCH...: compile the variant's objects, and judge the complaints
compiled() {
	objdir=$work/lint-$variant
	log=$making/log
	: >"$log"
	: >"$making/complaints"
	shape_config "$@"
	# Make the files that our_objects reads.
	logged "preparing $variant ($version)" "$log" vmake prepare modules_prepare || exit 1
	our_objects "$@" >"$making/objects"
	: >"$log"
	compile_objects
	our_complaints "$@" >>"$making/complaints"
	unlinked >>"$making/complaints"
	n=$(wc -l <"$making/objects")
	[ "$n" -gt 0 ] || printf 'nothing of the series is part of this kernel\n' >>"$making/complaints"
	judged "$n objects" "$making/complaints"
}

# compile_objects: compile $making/objects. With -k, make goes on after an error, so our_complaints finds the errors of all files.
compile_objects() {
	set --
	while IFS= read -r object; do
		set -- "$@" "$object"
		rm -f "$objdir/$object"
	done <"$making/objects"
	[ $# -gt 0 ] || return 0
	! with_sparse || set -- C=2 CHECK="$checker" "$@"
	logged "compiling $variant ($version)" "$log" vmake -k W=1 "$@" ||
		printf 'make failed: %s\n' "$(grep -m 1 -E 'error|Error|\*\*\*' "$log")" >>"$making/complaints"
}

# --- what is not compiled

# kernel_doc PATCH...: judge the messages of kernel-doc about touched files, without those about the unpatched files
kernel_doc() {
	log=$making/log
	touched_files "$@" | grep '\.[ch]$' >"$making/files"
	progress "kernel-doc ($version)"
	while IFS= read -r path; do
		kernel_doc_of "$work/src" "$path" >"$making/after"
		: >"$making/before"
		[ ! -e "$work/pristine/$path" ] || kernel_doc_of "$work/pristine" "$path" >"$making/before"
		sort "$making/before" >"$making/before.sorted"
		sort "$making/after" | comm -23 - "$making/before.sorted"
	done <"$making/files" >"$making/complaints"
	judged "$(wc -l <"$making/files") files" "$making/complaints"
}

# kernel_doc_of TREE PATH: print the messages of kernel-doc about a file, without line numbers
kernel_doc_of() {
	(cd "$1" && "$work/src/scripts/kernel-doc" -none -Wall "$2" 2>&1) |
		sed 's/^\([^:]*\):[0-9]*:/\1:/; s/^\(warning\|error\): \([^:]*\):[0-9]*/\1: \2:/i'
}

# htmldocs PATCH...: run Sphinx on the directories of our pages, and judge its messages
htmldocs() {
	log=$making/log
	: >"$log"
	touched_files "$@" | grep '^Documentation/.*\.rst$' >"$making/pages"
	if [ ! -s "$making/pages" ]; then
		printf 'the series has no page in Documentation/\n' >"$making/complaints"
		judged "no page" "$making/complaints"
	fi
	directories=$(sed 's|^Documentation/||; s|/[^/]*$||' "$making/pages" | sort -u | tr '\n' ' ')
	objdir=$work/lint-htmldocs
	# Start anew: Sphinx only warns about pages that it reads, and it does not read unchanged pages again.
	rm -rf "$objdir"
	mkdir "$objdir"
	logged "making pages of Documentation/ ($version)" "$log" vmake SPHINXDIRS="$directories" htmldocs || exit 1
	grep -E 'WARNING|ERROR|warning:|CRITICAL' "$log" | grep -F -f "$making/pages" | sed "s|$work/src/||g" >"$making/complaints"
	judged "$(wc -l <"$making/pages") pages" "$making/complaints"
}

# noinstr: build the whole kernel by build-kernel, because objtool can only check the noinstr code of a whole kernel
noinstr() {
	: >"$making/complaints"
	label=debug
	[ "$version" = "$(first_supported)" ] || label=debug@$version
	"$top/scripts/dev/build-kernel" --flavour "$label" >"$making/path" 2>"$making/log" </dev/null ||
		cp "$making/log" "$making/complaints"
	if [ ! -s "$making/complaints" ]; then
		grep -qx CONFIG_NOINSTR_VALIDATION=y "$(dirname "$(cat "$making/path")")/config" ||
			printf 'the configuration has no NOINSTR_VALIDATION\n' >"$making/complaints"
	fi
	judged "kernel $label" "$making/complaints"
}
