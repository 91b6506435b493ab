# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# replay.sh - report checks made inside the virtual Xeon (lib/guest.sh) as results of a test on the host.

: "${top:?}" "${status=}"

# use_kernel FLAVOUR|image|image-arm64: set $kernel; an image is Debian's own kernel.
use_kernel() {
	case $1 in
	image)
		declared image
		kernel=$("$top/scripts/dev/fetch-image") ;;
	image-arm64)
		declared image-arm64
		kernel=$("$top/scripts/dev/fetch-image" arm64) ;;
	*)
		declared "kernel:$1"
		kernel=$("$top/scripts/dev/build-kernel" --flavour "$1") ;;
	esac
	[ -r "$kernel" ] || bail "no kernel: $1"
}

# guest_job DIR JOB [TESTBED-OPTION...]: run JOB, to which guest.sh is available, and set $status to its exit status.
guest_job() {
	guest_out=$1
	guest_script=$2
	shift 2
	case " $* " in
	*' --machine arm64 '*) declared qemu-arm64 ;;
	*) declared qemu ;;
	esac
	case " $* " in
	*' --kernel '*) ;;
	*) declared kernel:default ;;
	esac
	run "$top/testbed/run" "$@" --add "$top/tests/lib/guest.sh=/guest.sh" --out "$guest_out" "$guest_script"
	[ "$status" -eq 0 ] || tap_show_run
}

# replay_checks DIR COUNT: report the checks of DIR's job. There must be COUNT of them, so that a job that ends early fails.
replay_checks() {
	while IFS='	' read -r replay_status replay_name; do
		tap_result "$replay_status" "$replay_name"
	done <"$1/checks"
	is "$(wc -l <"$1/checks")" "$2" "the guest made all $2 checks"
}
