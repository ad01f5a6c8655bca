# What the scripts of this folder share; they read it with `source`.
#
# ENGINE  the program (default target/release/yomikiri)
# JOBS    games at once (default 2)
# OUT     the folder of the games; an interrupted match goes on from there
set -euo pipefail
engine=${ENGINE:-target/release/yomikiri}
jobs=${JOBS:-2}

# All techniques that can be switched, each with the word for the other way than by default.
switches() {
    printf 'usi\nquit\n' | "$engine" | sed -nE \
        -e 's/^option name ([^ ]+) type check default true$/\1=false/p' \
        -e 's/^option name (null_move\.enabled) type check default false$/\1=true/p' \
        -e 's/^option name (reduction\.method) type combo .*/\1=none/p' \
        -e 's/^option name (singular\.form) type combo .*/\1=off/p' |
        grep -vE '^(USI_|ConsiderationMode|IgnoreBookPly|OutputFailLHPV|RoundUp)'
}

# The last lines of a log (their number comes second) that match a pattern; progress bars write over their lines.
last_lines() {
    tr '\r' '\n' <"$1" | grep -E "$3" | tail -n "$2"
}
