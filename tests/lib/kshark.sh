# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# kshark.sh - KernelShark on a screen that nobody sees. In $tmp, the current directory; who sources this calls screen_end when
# it ends.

: "${tmp:?}" "${top:?}"

# become_user COMMAND...: in place of this shell, so that $! is COMMAND's. Before root KernelShark puts a warning that somebody
# has to click away.
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
	# A server that has lost its last client begins anew, and turns away who comes just then.
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

# become_window COMMAND...: as a user who has no settings
become_window() {
	become_user env -i PATH=/usr/bin:/bin HOME="$tmp/home" XDG_RUNTIME_DIR="$tmp/home" DISPLAY=":$(cat "$tmp/display")" \
		LC_ALL=C.UTF-8 "$@"
}

on_screen() (
	become_window "$@"
)

# picture FILE.rgb: the window, 700 pixels wide; the last one stays in FILE.png
picture() {
	on_screen import -window root png:- >"${1%.rgb}.png" 2>/dev/null &&
		convert "${1%.rgb}.png" -crop 700x440+0+0 +repage -depth 8 "rgb:$1"
}

# has_graph: does now.rgb show one?
has_graph() {
	[ "$(perl "$top/tests/lib/kshark.pl" 700 0 1 now.rgb </dev/null)" != "no graph" ]
}

# opened COMMAND...: KernelShark, once its picture has a graph and has stopped changing; now.rgb is that
opened() {
	become_window "$@" >kshark.log 2>&1 &
	shark=$!
	: >old.sum
	tries=0
	calm=0
	until { [ "$calm" -ge 2 ] && has_graph; } || [ "$((tries += 1))" -gt 90 ] || ! kill -0 "$shark" 2>/dev/null; do
		# The window is as high as its fonts make it, once more when the recording is open, and the second graph may not be in sight.
		on_screen xdotool search --onlyvisible --name 'Kernel ?Shark' windowsize 700 440 >xdotool.log 2>&1
		sleep 0.7
		picture now.rgb
		cksum <now.rgb >new.sum
		# The graph comes last, long after the window on a busy machine: where it is to be there is one colour until then, and grey.
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

# is_low: the graphs, above the bar that divides the window? So they are in Qt 6.
is_low() {
	[ "$(convert now.png -crop 1x1+300+187 -format '%[fx:round(255*u.r)] %[fx:round(255*u.b)]' info:)" = "239 239" ]
}

higher() {
	on_screen xdotool mousemove 350 187 mousedown 1 mousemove 350 250 mousemove 350 330 mouseup 1 mousemove 680 60
}

