#!/usr/bin/env bash
# Games in which nothing may go wrong: no illegal move, no crash, no loss on time.
#
#   bench/robustness.sh [games|techniques|time|threads|same]..      all of them without arguments
#
# games       1,000 games of self-play at 1,000 nodes with every technique on, the null move too
# techniques  100 games at 1,000 nodes with each technique turned the other way, against the engine as it is
# time        500 games at 100 ms a move, two at once (with other work on both cores if LOAD=1); as in every match, a
#             move that comes 200 ms after its time loses: on a loaded machine the referee waits for its turn as well
# threads     two threads against one: nodes, and 200 games at 100 ms a move
# same        the same searches twice: the same nodes
#
# The first two also run inside one process, several times faster, with every line of every answer checked:
#   cargo test --release -p yomikiri-engine --test selfplay -- --ignored
#
# Games go to $OUT (default /tmp/yomikiri-robustness) and go on from there when interrupted. The last
# lines of each match name its faults; the script fails if there are any.
source "$(dirname "$0")/common.sh"
out=${OUT:-/tmp/yomikiri-robustness}
mkdir -p "$out"

# match NAME PAIRS CONTROL ENGINE ENGINE: plays, shows the outcome, and fails on faults.
match() {
    local log="$out/$1.log"
    "$engine" match -e "name=first option.USI_Hash=16 $4" -e "name=second option.USI_Hash=16 $5" \
        -p "$2" -j "$jobs" $3 --no-records --out "$out/$1" >"$log" 2>&1
    last_lines "$log" 3 '^ +[0-9]+ (first|second)|^first against|^second against' | sed "s/^/$1: /"
    if last_lines "$log" 2 '^ +[0-9]+ (first|second)' | grep -qv 'none$'; then
        echo "$1: faults" >&2
        exit 1
    fi
}

# nodes_a_second THREADS: how fast four million nodes from the start position are searched.
nodes_a_second() {
    local line started
    coproc peer { "$engine"; }
    printf 'setoption name Threads value %s\nsetoption name USI_OwnBook value false\nisready\n' "$1" >&"${peer[1]}"
    while read -r line <&"${peer[0]}" && [ "$line" != readyok ]; do :; done
    started=$(date +%s%N)
    printf 'position startpos\ngo nodes 4000000\n' >&"${peer[1]}"
    while read -r line <&"${peer[0]}" && [[ $line != bestmove* ]]; do :; done
    echo "$1 threads: $((4000000 * 1000000000 / ($(date +%s%N) - started))) nodes a second"
    echo quit >&"${peer[1]}"
    wait "$peer_PID" || true
}

for part in ${@:-games techniques time threads same}; do
    case $part in
    games) match games 500 "--nodes 1000" "option.NullMove=true" "option.NullMove=true" ;;
    techniques)
        for switch in $(switches); do
            match "turned-${switch%%=*}" 50 "--nodes 1000" "" "option.$switch"
        done
        ;;
    time)
        if [ "${LOAD:-0}" = 1 ]; then
            for _ in 1 2; do (while :; do :; done) & done
            trap 'kill $(jobs -p)' EXIT
        fi
        match time 250 "--movetime 100" "" ""
        ;;
    threads)
        for threads in 1 2; do nodes_a_second "$threads"; done
        jobs=1 match threads 100 "--movetime 100" "option.Threads=2" "option.Threads=1"
        ;;
    same)
        first=$("$engine" bench | sed -E 's/ *[0-9]+ nps//')
        [ "$first" = "$("$engine" bench | sed -E 's/ *[0-9]+ nps//')" ] || { echo "the searches differ" >&2; exit 1; }
        echo "same: $(echo "$first" | grep ' nodes$' | tail -1) twice"
        ;;
    *) echo "there is no part '$part'" >&2; exit 2 ;;
    esac
done
