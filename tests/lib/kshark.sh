# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# kshark.sh - runs KernelShark on a virtual screen. The current directory must be $tmp. A script
# that sources this must call screen_end before it ends.

: "${tmp:?}" "${top:?}"

# become_user COMMAND...: replace this shell by COMMAND, so that $! is its process. Root becomes
# nobody: to root, KernelShark shows a warning that has to be clicked away.
become_user() {
	[ "$(id -u)" -eq 0 ] || exec "$@"
	exec setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
}

screen=
shark=

screen_begin() {
	mkdir -m 700 "$tmp/home"
	[ "$(id -u)" -ne 0 ] || chown nobody:nogroup "$tmp/home"
	chmod 711 "$tmp"
	# Without -noreset, the server resets when its last client leaves, and refuses clients
	# meanwhile.
	become_user Xvfb -noreset -displayfd 1 -screen 0 1400x500x24 -nolisten tcp >"$tmp/display" 2>"$tmp/xvfb.log" &
	screen=$!
	waited=0
	until [ -s "$tmp/display" ]; do
		[ "$((waited += 1))" -lt 300 ] && kill -0 "$screen" 2>/dev/null || return
		sleep 0.1
	done
}

# closed: ends KernelShark
closed() {
	[ -n "$shark" ] || return 0
	kill "$shark"
	wait "$shark"
	shark=
} 2>/dev/null

screen_end() {
	closed
	[ -n "$screen" ] || return 0
	kill "$screen"
	wait "$screen"
	screen=
} 2>/dev/null

# become_window COMMAND...: replace this shell by COMMAND, on the virtual screen, with the settings
# of a new user
become_window() {
	become_user env -i PATH=/usr/bin:/bin HOME="$tmp/home" XDG_RUNTIME_DIR="$tmp/home" DISPLAY=":$(cat "$tmp/display")" \
		LC_ALL=C.UTF-8 "$@"
}

on_screen() (
	become_window "$@"
)

# picture FILE.rgb: save a picture of the window, 700 pixels wide; FILE.png has the whole screen
picture() {
	on_screen import -window root png:- >"${1%.rgb}.png" 2>/dev/null &&
		convert "${1%.rgb}.png" -crop 700x440+0+0 +repage -depth 8 "rgb:$1"
}

# has_graph: does now.rgb show a graph?
has_graph() {
	[ "$(perl "$top/tests/lib/kshark.pl" 700 0 1 now.rgb </dev/null)" != "no graph" ]
}

# opened COMMAND...: start KernelShark, and wait until its picture shows a graph and has stopped
# changing. now.rgb is this picture.
opened() {
	become_window "$@" >kshark.log 2>&1 &
	shark=$!
	: >old.sum
	tries=0
	calm=0
	until { [ "$calm" -ge 2 ] && has_graph; } || [ "$((tries += 1))" -gt 90 ] || ! kill -0 "$shark" 2>/dev/null; do
		# KernelShark sets the height of its window from its fonts, at the start and when
		# the recording is open. The second graph may then be out of sight.
		on_screen xdotool search --onlyvisible --name 'Kernel ?Shark' windowsize 700 440 >xdotool.log 2>&1
		sleep 0.7
		picture now.rgb
		cksum <now.rgb >new.sum
		# On a busy machine the graph appears long after the window. Until then, its place
		# has only one colour and grey.
		if cmp -s new.sum old.sum && [ "$(convert now.png -crop 600x60+50+90 -unique-colors txt:- | wc -l)" -gt 3 ]; then
			calm=$((calm + 1))
			! is_low || higher
		else
			calm=0
		fi
		mv new.sum old.sum
	done
	kill -0 "$shark" 2>/dev/null || note "KernelShark has ended: $(tail -n 1 kshark.log)"
}

# is_low: succeed if the graph area is low, as in Qt 6: the bar that divides the window is at line 187
is_low() {
	[ "$(convert now.png -crop 1x1+300+187 -format '%[fx:round(255*u.r)] %[fx:round(255*u.b)]' info:)" = "239 239" ]
}

higher() {
	on_screen xdotool mousemove 350 187 mousedown 1 mousemove 350 250 mousemove 350 330 mouseup 1 mousemove 680 60
}

