#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Extras: wakelat finds the command of a folder in extras/, lists it apart; the schema has its rows; make install
# installs what a user needs of it; tests/check runs its tests. The rest of wakelat works without extras.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"
cd "$tmp" || exit 1

# A tree with one extra, made here.
mkdir tree
cp -R "$top/scripts" "$top/gnuplot" "$top/Documentation" "$top/VERSION" "$top/README.md" tree/
mkdir -p tree/results/atlas tree/tools tree/extras/echo/tests/host tree/extras/echo/parts
printf 'table\n' >tree/results/atlas/atlas.tsv
cat >tree/extras/echo/echo <<'END'
#!/bin/sh
# summary: print the arguments
extra=$(cd "${0%/*}" && pwd) || exit 1
here=$(cd "$extra/../../scripts" && pwd) || exit 1
me="wakelat echo"
usage="usage: wakelat echo [-q] [--loud] [WORD]...

      --loud   in capitals
  -q, --quiet  print nothing
  -h, --help   this text"
. "$here/lib/common/message.sh"
. "$here/lib/common/options.sh"
take_options : "$@"
eval "set -- $operands"
. "$extra/parts/say.sh"
say_words "$@"
END
chmod +x tree/extras/echo/echo
printf 'say_words() {\n\tprintf "<%%s>\\n" "$@"\n}\n' >tree/extras/echo/parts/say.sh
printf '.TH ECHO 1\n' >tree/extras/echo/wakelat-echo.1
printf '# Echo\n\n<!-- columns of echo.tsv -->\n' >tree/extras/echo/README.md
printf 'table\tcolumn\ttype\tunit\tpublic\tmeaning\necho.tsv\tword\ttext\t-\tyes\ta word\n' >tree/extras/echo/schema.tsv
(cd tree/extras/echo/tests/host && printf '#!/bin/sh\n# needs: nothing\n' >echo.t)
wakelat=$tmp/tree/scripts/wakelat

run "$wakelat" echo a 'b c'
is "$out$err" "<a>
<b c>" "wakelat NAME runs extras/NAME/NAME"
is "$("$wakelat" help | sed -n '/^Extras/,$p' | tr -s ' ')" "Extras, which serve fewer users:
 echo print the arguments" "wakelat help lists extras apart"
is "$("$wakelat" help | sed '/^$/,$!d; /^Extras/,$d' | grep -c '^  [a-z]')" "$(find "$top/scripts/commands" -type f | wc -l)" \
	"wakelat help lists the commands as before"
ln -s "$wakelat" linked
is "$(./linked echo x)" "<x>" "through a link: the extra is found"
refused "there is no command 'parts'" "a folder that has no command of its name" "$wakelat" parts
for bad in ../extras/echo echo/parts .. ''; do
	not_ok "refused: '$bad'" "$wakelat" "$bad"
done
echo 'END { print schema_is_text("echo", "word") }' >text.awk
# has_row AWK...: print 1 if this awk finds the row of the extra
has_row() {
	schema=$tmp/tree/scripts/lib/common/schema.tsv "$@" -f "$top/scripts/lib/common/schema.awk" -f text.awk /dev/null
}
for awk in awk 'busybox awk'; do
	is "$(words "$awk" has_row)" 1 "$awk: the schema has the rows of the extra"
done
is "$(tree/scripts/dev/formats --print tree/extras/echo/README.md | tail -n 1)" "| \`word\` | a word |" "make documents writes the columns of the extra"

# make lists no programs here: they are not built.
mkdir bin root
printf '#!/bin/sh\n' >bin/make
chmod +x bin/make
run env PATH="$tmp/bin:$PATH" DESTDIR="$tmp/root" PREFIX=/usr WAKELAT_VERSION=1 tree/scripts/dev/install
is "$(cd root/usr && find . -path '*echo*' -type f | sort | paste -sd ' ' -)" \
	"./lib/wakelat/extras/echo/README.md ./lib/wakelat/extras/echo/echo ./lib/wakelat/extras/echo/parts/say.sh ./lib/wakelat/extras/echo/schema.tsv ./share/man/man1/wakelat-echo.1" \
	"make install installs the command, its files and its manual page"
is "$("$tmp/root/usr/bin/wakelat" echo x)" "<x>" "the installed extra works"

# tests/check in the tree: fakes stand for prove and for the installation of packages.
mkdir tree/tests
cp -R "$top/tests/check" "$top/tests/lib" tree/tests/
printf '#!/bin/sh\n' >tree/scripts/dev/packages
printf '#!/bin/sh\nfor word; do\n\t[ "${word#-}" = "$word" ] && printf "<%%s>\\n" "$word"\ndone\nexit 0\n' >bin/prove
chmod +x bin/prove
mkdir tree/tests/host
cp tree/extras/echo/tests/host/* tree/tests/host/own.t
for name in echo host/echo extras/echo/tests/host/echo; do
	run env PATH="$tmp/bin:$PATH" WAKELAT_PROGRESS=0 tree/tests/check "$name"
	is "$(printf '%s\n' "$out" | grep '^<.*[.]t>')" "<extras/echo/tests/host/echo.t>" "tests/check $name runs the test of the extra"
done
run env PATH="$tmp/bin:$PATH" WAKELAT_PROGRESS=0 tree/tests/check
is "$(printf '%s\n' "$out" | grep '^<.*[.]t>' | sort | paste -sd ' ' -)" "<extras/echo/tests/host/echo.t> <tests/host/own.t>" \
	"tests/check runs tests of extras like others of the same folder"

rm -r tree/extras
is "$("$wakelat" help | grep -c Extras)" 0 "without extras, help does not speak of them"
refused "there is no command 'echo'" "without the folder there is no such command" "$wakelat" echo
run env PATH="$tmp/bin:$PATH" DESTDIR="$tmp/root" PREFIX=/usr WAKELAT_VERSION=1 tree/scripts/dev/install
is "$status$(find root -path '*echo*')" 0 "make install without extras succeeds, and removes the files of the extra"
done_testing
