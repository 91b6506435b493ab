#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tree of jobs that merge a fleet of 257 nodes, three levels, of which one gives nothing, and one of whose merges is lost. Slurm's
# commands are made up, and so is merge, which puts files behind each other; long/merge.t has the real one.
# needs: nothing
. "$(dirname "$0")/../lib/tap.sh"

cd "$tmp" || exit 1
fake=$tmp/fake
mkdir -p "$fake/commands"
cp "$top/scripts/wakelat" "$fake/wakelat"
ln -s "$top/scripts/lib" "$fake/lib"
ln -s "$top/tools" "$tmp/tools"
cp "$top/scripts/commands/fleet" "$fake/commands/"
cp "$top/tests/fixtures/fleet/merge" "$fake/commands/"

mkdir slurm jobs
printf '0\n' >jobs/last
cat >slurm/sbatch <<'END'
#!/bin/sh
read -r last <"$JOBS/last"
last=$((last + 1))
printf '%s\n' "$last" >"$JOBS/last"
printf '%s\n' "$@" >"$JOBS/$last.job"
printf '%s;cluster\n' "$last"
END
cat >slurm/sinfo <<'END'
#!/bin/sh
[ "$4" != %N ] || seq -f 'n%03g' 1 257
END
printf '#!/bin/sh\nprintf "Epilog = %%s\\n" /opt/wakelat/scripts/lib/fleet/epilog\n' >slurm/scontrol
printf '#!/bin/sh\n' >slurm/squeue
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>"$JOBS/cancelled"\n' >slurm/scancel
chmod +x slurm/*
run env JOBS="$tmp/jobs" PATH="$tmp/slurm:$PATH" "$fake/wakelat" fleet submit -o tree -- probe
is "$status" 0 "submit: 257 nodes"
like "$err" '257 nodes, a job for each, and 20 that merge' "submit: 17 merges, 2 of these, and 1 of those"
# merges LEVEL: the files of its jobs, in order
merges() {
	grep -l 'fleet/merge.sh$' jobs/*.job | while IFS= read -r merges_file; do
		[ "$(sed -n '/fleet.merge.sh$/,$p' "$merges_file" | sed -n 4p)" != "$1" ] || printf '%s\n' "$merges_file"
	done | sort -t / -k 2n
}
for level in 0 1 2; do
	merges "$level" >"merges$level"
	tr '\n' '\0' <"merges$level" | xargs -0 sed -n 's/^--dependency=afterany://p' | tr ':' '\n' >"after$level"
	printf '%s merges of %s jobs, %s of them different\n' "$(wc -l <"merges$level")" "$(wc -l <"after$level")" "$(sort -u "after$level" | wc -l)"
done >levels
is "$(cat levels)" "17 merges of 257 jobs, 257 of them different
2 merges of 17 jobs, 17 of them different
1 merges of 2 jobs, 2 of them different" "three levels, each of whose merges waits for jobs of the level below"
for place in tree/nodes/*; do
	[ "$place" = tree/nodes/n100 ] || printf 'counts of %s\n' "${place##*/}" >"$place/counts"
done
# merged FILE: what the job in FILE does
merged() {
	merged_job=$1
	shift
	while IFS= read -r word; do
		case $#$word in
		0--*) ;;
		*) set -- "$@" "$word" ;;
		esac
	done <"$merged_job"
	"$@" </dev/null
}
failed=
for level in 0 1 2; do
	while IFS= read -r file; do
		[ "$file" = "$(sed -n 4p merges0)" ] || merged "$file" || failed="$failed $file"
	done <"merges$level"
done
is "$failed" "" "the merges end"
is "$(wc -l <tree/merge/2-0.merged) $(sort -u tree/merge/2-0.merged | wc -l)" "240 240" \
	"all are merged, each once, but for one that gave nothing and the 16 of the merge that is lost"
sed 's/^counts of //' tree/merge/2-0.merged | sort >wanted
sort tree/merge/2-0.nodes >got
same got wanted "and the list says who is in it"
for place in tree/nodes/*; do
	printf 'key\tvalue\nstate\tgave\nreason\t-\n' >"$place/state.tsv"
done
run env PATH="$tmp/slurm:$PATH" "$fake/wakelat" fleet collect -q tree
is "$(wc -l <tree/fleet.counts) $(sort -u tree/fleet.counts | wc -l)" "256 256" "collect: those of the lost merge, too, each once"
done_testing
