#!/usr/bin/env bash
# The matches behind docs/strength.md and docs/algorithms.md.
#
#   bench/strength.sh [evaluations|techniques|peers]..      all of them without arguments
#
# evaluations  the learned evaluation against `progress` and `material`, 200 games each at 100 ms a move
# techniques   the engine against itself with one technique turned at a time, at 10,000 nodes a move, until the
#              sequential test (0 or 30 normalized Elo) decides, 1,000 games at most; $TECHNIQUES names a few of
#              them, such as "Killers=false Driver=mtdf"
# peers        `progress` and the learned evaluation against GNU Shogi, Fairy-Stockfish and GPS Shogi (as Debian
#              packs them), 100 games each at 1 s a move, from the openings of the file $OPENINGS if there is one
#
# Games go to $OUT (default /tmp/yomikiri-strength) and go on from there when interrupted.
source "$(dirname "$0")/common.sh"
out=${OUT:-/tmp/yomikiri-strength}
mkdir -p "$out"

# match NAME ENGINE ENGINE OPTION..: plays and shows the outcome.
match() {
    local name=$1 log="$out/$1.log"
    "$engine" match -e "$2" -e "$3" "${@:4}" -j "$jobs" --no-records --out "$out/$name" >"$log" 2>&1
    last_lines "$log" 3 ' against .*Elo|^pairs with|^SPRT' | sed "s/^/$name: /"
}

evaluations() {
    for other in progress material; do
        match "linear-$other" "name=linear option.USI_OwnBook=false" \
            "name=$other option.USI_OwnBook=false option.Evaluation=$other" \
            --movetime 100 -p 100 --resign 2500,3
    done
}

techniques() {
    for switch in ${TECHNIQUES:-$(switches) CheckBonus=0 Quiescence.Checks=0 Reduction=realization Driver=mtdf}; do
        match "${switch/=/-}" "name=default option.USI_Hash=16" "name=$switch option.USI_Hash=16 option.$switch" \
            --nodes 10000 --sprt 0,30 -p 500 --resign 1500,3
    done
}

peers() {
    local games=(-p 50 --affinity --seed 7) evaluation ours
    [ -z "${OPENINGS:-}" ] || games+=(-o "$OPENINGS")
    for evaluation in linear progress; do
        ours="name=$evaluation option.Evaluation=$evaluation option.USI_OwnBook=false movetime=1000"
        match "gps-$evaluation" "$ours" "name=gps cmd=/usr/games/gpsusi option.Thread=1 option.BookDepth=0 byoyomi=1000" \
            "${games[@]}" --margin 3000 --resign 1500,3
        match "fairy-$evaluation" "$ours" \
            "name=fairy cmd=/usr/games/fairy-stockfish option.UCI_Variant=shogi option.Threads=1 option.Hash=256 movetime=1000" \
            "${games[@]}" --margin 3000 --resign 1500,3
        # GNU Shogi names no values: nothing is given up.
        match "gnushogi-$evaluation" "$ours" "name=gnushogi cmd='python3 bench/peers/gnushogi.py' depth=4" \
            "${games[@]}" --patience 600
    done
}

for part in ${@:-evaluations techniques peers}; do
    case $part in
    evaluations | techniques | peers) "$part" ;;
    *) echo "there is no part '$part'" >&2; exit 2 ;;
    esac
done
