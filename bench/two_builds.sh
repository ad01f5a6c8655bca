#!/usr/bin/env bash
# Runs shared by two differently built binaries come to the bytes of one: match, solve and an experiment
# in shards, and learn eval on one and two threads.
#   bench/two_builds.sh [NATIVE V2]     without arguments ENGINE (target/release/yomikiri) and a build for x86-64-v2
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
if [ $# -eq 2 ]; then
  native=$(realpath "$1") other=$(realpath "$2")
else
  native=$(realpath "${ENGINE:-target/release/yomikiri}")
  RUSTFLAGS="-C target-cpu=x86-64-v2" cargo build --release --package yomikiri-app --target-dir target/v2
  other=$root/target/v2/release/yomikiri
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
head -12 data/tsume/mined.tsv > "$work/mates.tsv"
cd "$work"

# compare KIND FILE.. -- COMMAND..: whole by one build, shard 0 by one, shard 1 by the other, merged.
compare() {
  local kind=$1; shift
  local files=()
  while [ "$1" != -- ]; do files+=("$1"); shift; done
  shift
  "$native" "$@" --out "$kind-whole" > /dev/null
  "$native" "$@" --out "$kind-0" --shard 0/2 > /dev/null
  "$other" "$@" --out "$kind-1" --shard 1/2 > /dev/null
  local merged=$kind-merged-1 round=1
  until "$native" merge --out "$merged" "$kind-0" "$kind-1" | tee merge.txt && ! grep -q "comes next" merge.txt; do
    "$native" "$@" --out "$kind-0" --shard 0/2 --from "$merged" > /dev/null
    "$other" "$@" --out "$kind-1" --shard 1/2 --from "$merged" > /dev/null
    round=$((round + 1)) merged=$kind-merged-$round
  done
  for file in "${files[@]}"; do cmp "$kind-whole/$file" "$merged/$file"; done
  echo "$kind: the same bytes"
}

compare match games.tsv table.txt -- match -e name=a -e 'name=b option.null_move.enabled=false' --nodes 300 -p 3 --max-moves 60
compare solve results.jsonl table.tsv -- solve mates.tsv --nodes 20000 --hash 16
compare lab tsume-widening/all_sets.csv -- lab run tsume-widening --quick

for threads in 1 2; do
  for build in native other; do
    "${!build}" learn eval --limit 20 --threads $threads --out "weights-$build-$threads" > /dev/null
    # The lineage names the commit, which two builds of one tree share.
    cmp weights-native-1 "weights-$build-$threads"
  done
done
echo "learn eval: the same file"
