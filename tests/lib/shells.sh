# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# shells.sh - type keys into an interactive shell, for the tests of completion.
#
#	typed SHELL RC	type the keys on stdin into SHELL (bash or zsh), which has read the file RC. Each line of stdin is
#			a command line; @ is TAB, % in bash inserts all completions. Print each line as the shell has completed it
#
# The shell has a terminal of its own and uses its own line editor, so the completion gets the keys as from a user.

: "${tmp:?}"

typed() {
	rm -f "$tmp/typed-lines" "$tmp/typed-ready"
	typed_keys=$(tr '@%' '\t\001' | sed "s/$/$(printf '\002')/" | tr -d '\n')
	case $1 in
	bash)
		cat - "$2" >"$tmp/typed-rc" <<END_RC
PS1='> '
bind 'set bell-style none' 'set enable-bracketed-paste off'
bind '"\C-a": insert-completions'
_typed() { printf '%s\n' "\$READLINE_LINE" >>"$tmp/typed-lines"; READLINE_LINE=; READLINE_POINT=0; }
bind -x '"\C-b": _typed'
PROMPT_COMMAND=': >"$tmp/typed-ready"'
END_RC
		typed_shell="bash --noprofile --rcfile '$tmp/typed-rc' -i"
		;;
	zsh)
		mkdir -p "$tmp/typed-zsh"
		cat - "$2" >"$tmp/typed-zsh/.zshrc" <<END_RC
PS1='> '
unsetopt beep
_typed() { print -r -- "\$BUFFER" >>"$tmp/typed-lines"; BUFFER=; }
zle -N _typed
bindkey -e '^B' _typed
zle-line-init() { : >"$tmp/typed-ready"; }
zle -N zle-line-init
END_RC
		typed_shell="env ZDOTDIR='$tmp/typed-zsh' zsh -d -i"
		;;
	esac
	typed_when_ready | TERM=dumb timeout 600 script -qec "$typed_shell" /dev/null >"$tmp/typed-log" 2>&1
	cat "$tmp/typed-lines"
}

# typed_when_ready: print the keys once the line editor controls the terminal. Earlier keys could be lost.
typed_when_ready() {
	typed_waited=0
	while [ ! -e "$tmp/typed-ready" ] && [ "$typed_waited" -lt 600 ]; do
		sleep 0.1
		typed_waited=$((typed_waited + 1))
	done
	printf '%s\004' "$typed_keys"
}
