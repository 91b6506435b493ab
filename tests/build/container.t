#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# testbed/Containerfile installs the packages of make demo, from scripts/dev/packages, and runs make
# demo in the mounted repository. Instead of Debian, the test uses a root of busybox. Its dpkg-query
# says that every package is installed, and logs the names.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"

recipe=$top/testbed/Containerfile
groups=$(sed -n 's:^RUN .*scripts/dev/packages ::p' "$recipe")
is "$groups" "$(sed -n 's:^"$top/scripts/dev/packages" \(.*\) || exit 1$:\1:p' "$top/testbed/demo" | sed 's/"[$]emulator"/qemu/')" "the Containerfile has the groups of packages of make demo"
is "$(grep -cE '^(RUN|COPY)' "$recipe")" 4 "the Containerfile has four RUN and COPY lines: nothing else is installed"
words "$groups" run "$top/scripts/dev/packages" --list
printf '%s\n' "$out" >"$tmp/listed"
# The Containerfile's comment and testbed.md must have the same commands.
commands() {
	sed -n 's/^\(#	\|    \)\(podman .*\)/\2/p' "$1"
}
is "$(commands "$top/Documentation/testbed.md")" "$(commands "$recipe")" "testbed.md has the commands of the Containerfile's comment"
like "$(commands "$recipe")" '^podman build .*-f testbed/Containerfile scripts$' "the first command builds the image"

done_here() {
	done_testing
	exit
}
command -v buildah >/dev/null || {
	skip 1 "buildah is not installed: apt-get install buildah"
	done_here
}
[ -x /bin/busybox ] || {
	skip 1 "busybox-static is not installed"
	done_here
}

store=$tmp/store
cleanup() {
	[ ! -d "$store" ] || b rm --all >/dev/null 2>&1
}
b() {
	command_of_buildah=$1
	shift
	buildah --root "$store" --runroot "$tmp/run" --storage-driver vfs "$command_of_buildah" "$@"
}

root=$tmp/root
mkdir -p "$root/bin" "$root/tmp" "$root/root" "$root/etc"
cp /bin/busybox "$root/bin/" && /bin/busybox --list | while IFS= read -r applet; do
	[ -e "$root/bin/$applet" ] || ln -s busybox "$root/bin/$applet"
done
rm -f "$root/bin/dpkg"* "$root/bin/make" "$root/bin/git"
# fake COMMAND < SCRIPT: install SCRIPT as COMMAND of the root
fake() {
	{
		printf '#!/bin/sh\n'
		cat
	} >"$root/bin/$1" && chmod +x "$root/bin/$1"
}
fake dpkg-query <<'E2'
for package; do :; done
printf '%s\n' "$package" >>/asked
printf installed
E2
fake apt-get <<'E2'
exit 1
E2
fake git <<'E2'
echo "git $*" >>/said
E2
fake make <<'E2'
echo "$(pwd): make $*, $(cat /wakelat/VERSION.test)"
E2
printf 'root:x:0:0:root:/root:/bin/sh\n' >"$root/etc/passwd"
base=$(b from scratch 2>"$tmp/err") && b copy "$base" "$root" / >/dev/null 2>>"$tmp/err" && b commit -q "$base" localhost/debian:12 >/dev/null 2>>"$tmp/err" || {
	skip 1 "buildah cannot work here: $(tail -n 1 "$tmp/err")"
	done_here
}
ok "the image is built" b bud --pull-never --isolation chroot --build-arg BASE=localhost/debian:12 -t localhost/wakelat -f "$recipe" "$top/scripts"
container=$(b from --pull-never localhost/wakelat) || bail "cannot make a container of the image"
in_container() {
	b run --isolation chroot -v "$tmp/repository:/wakelat" "$container" -- "$@"
}
mkdir "$tmp/repository" && printf 'mounted\n' >"$tmp/repository/VERSION.test"
is "$(in_container cat /asked | sort -u)" "$(sort -u "$tmp/listed")" "the image has the packages of scripts/dev/packages"
is "$(in_container cat /said)" "git config --global --add safe.directory /wakelat" "git in the image reads a repository of another owner"
command=$(b inspect --format '{{range .OCIv1.Config.Cmd}}{{.}} {{end}}' "$container")
is "$(words "$command" in_container)" "/wakelat: make demo, mounted" "the image runs make demo in the repository"
done_testing
