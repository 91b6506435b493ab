# SPDX-License-Identifier: GPL-2.0
# revision.sh - print the revision of this wakelat.
# shellcheck shell=sh

# Variables that functions of this file set:
revision_found=
: "$revision_found"

revision_newline='
'

# git_of DIR: set $git_dir to the .git of DIR itself. Fail if .git and DIR have different owners. A
# repository of a parent directory is not used: it may be anybody's, and its configuration names
# programs that git executes.
git_of() {
	git_dir=$1/.git
	[ -e "$git_dir" ] && git_owner=$(stat -c %u "$1" "$git_dir") || return
	[ "${git_owner#*"$revision_newline"}" = "${git_owner%"$revision_newline"*}" ] || return
	[ ! -d "$git_dir" ] || [ -L "$git_dir" ] || return 0
	git_owner=${git_owner%"$revision_newline"*}
	# In a linked work tree, .git is a file.
	[ ! -f "$git_dir" ] || git_dir=$(sed -n 's/^gitdir: //p;q' "$git_dir")
	case $git_dir in
	/*) ;;
	*) git_dir=$1/$git_dir ;;
	esac
	[ "$(stat -L -c %u "$git_dir" 2>/dev/null)" = "$git_owner" ]
}

# describe DIR: print the git revision of the tree DIR; to be called in a subshell. git reads only the tree's own configuration,
# and is told to execute nothing. A recording runs as root, and the tree usually belongs to another
# user: without GIT_DIR git would not read it. Changes of results/ do not make the revision -dirty: they are data, not sources, and
# `make results` changes one set after the other.
describe() {
	git_of "$1" || exit
	unset GIT_CONFIG GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY \
		GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_NAMESPACE GIT_TRACE GIT_EXTERNAL_DIFF
	export GIT_DIR="$git_dir" GIT_WORK_TREE="$1" GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_OPTIONAL_LOCKS=0 \
		GIT_PAGER=cat GIT_ATTR_NOSYSTEM=1 GIT_NO_LAZY_FETCH=1 GIT_TERMINAL_PROMPT=0
	set -- "$1" git -c core.fsmonitor=false -c core.hooksPath=/dev/null -c core.untrackedCache=false -c core.pager=cat \
		-c core.attributesFile=/dev/null
	# Not describe --dirty, which writes the index, even without optional locks: as root, into another user's tree.
	cd "$1" && shift && revision_id=$("$@" describe --always --abbrev=12 2>/dev/null) &&
		revision_changes=$("$@" status --porcelain --untracked-files=no -- . ':(exclude)results' 2>/dev/null) &&
		printf '%s%s\n' "$revision_id" "${revision_changes:+-dirty}"
}

# find_revision DIR: set $revision_found to the git revision of the tree whose subdirectory DIR is.
# Without git, set it to the content of the file VERSION at the top of the tree, or to - if there is
# no VERSION. Releases, installations and guests of the testbed have this file. Fail if there is no
# such tree.
find_revision() {
	revision_found=
	revision_top=$1/..
	[ -d "$revision_top" ] || return
	[ ! -e "$revision_top/.git" ] || ! revision_found=$(describe "$revision_top") || return 0
	{ IFS= read -r revision_found <"$revision_top/VERSION"; } 2>/dev/null || [ -n "$revision_found" ] || revision_found=-
}

# revision DIR: print the revision that find_revision finds
revision() {
	find_revision "$1" && printf '%s\n' "$revision_found"
}
