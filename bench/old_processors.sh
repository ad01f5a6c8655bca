#!/usr/bin/env bash
# The archives of a release on processors that are older than the one that builds them, by an emulator (qemu-user).
#
#   bench/old_processors.sh FOLDER        the folder with the archives of x86_64 Linux
#
# v2 on a processor without AVX solves, and plays a game of 30 moves by USI against itself; v3 and v4 say that they are not for it;
# v2 reports a processor without SSE4.2.
set -euo pipefail
folder=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for archive in "$folder"/yomikiri-*-x86_64-v*-linux-musl.tar.gz; do tar -xzf "$archive" -C "$work"; done
binary() { echo "$work"/yomikiri-*-x86_64-"$1"-linux-musl/yomikiri; }

# Nehalem (2008) has SSE4.2 and POPCNT, and no AVX.
old() { qemu-x86_64 -cpu Nehalem "$@"; }

old $(binary v2) --version | grep -q 'x86-64-v2'
old $(binary v2) solve '7p1/8k/9/7S1/9/9/9/9/9 b SN2r2b4g2s3n4l17p 1' | grep -q 'mate in 3'
echo "v2 solves on a processor without AVX"

coproc engine { old $(binary v2) usi; }
printf 'setoption name USI_Hash value 16\nisready\n' >&"${engine[1]}"
moves=
for number in $(seq 30); do
    printf 'position startpos%s\ngo nodes 100\n' "${moves:+ moves$moves}" >&"${engine[1]}"
    while read -r line <&"${engine[0]}" && [[ $line != bestmove* ]]; do :; done
    read -r _ best _ <<<"$line"
    [[ $best =~ ^[1-9PLNSGBR] ]] || { echo "move $number: '$line'" >&2; exit 1; }
    moves+=" $best"
done
echo quit >&"${engine[1]}"
old $(binary v2) show "startpos moves$moves" >"$work/board"
echo "v2 plays on it:$moves"

for level in v3 v4; do
    [ -e $(binary "$level") ] || continue
    if old $(binary "$level") --version >"$work/out" 2>"$work/err"; then
        echo "$level does not refuse an older processor" >&2
        exit 1
    fi
    grep -q "this program is for x86-64-$level processors" "$work/err"
    echo "$level refuses it: $(head -1 "$work/err")"
done
if qemu-x86_64 -cpu core2duo $(binary v2) --version 2>"$work/err"; then
    echo "v2 does not refuse a processor without SSE4.2" >&2
    exit 1
fi
grep -q 'this program is for x86-64-v2 processors' "$work/err"
echo "v2 refuses one without SSE4.2"
