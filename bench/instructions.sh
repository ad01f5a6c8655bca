#!/usr/bin/env bash
# Instructions a node, counted by callgrind: steadier than time on a busy machine.
#
#   bench/instructions.sh [EVALUATION]..      linear, progress and material without arguments
#
# The difference of two depths of `yomikiri bench`, so that start and tables do not count. Valgrind does not know all
# instructions of every processor, so the program is built for a common one (in target/callgrind).
source "$(dirname "$0")/common.sh"
shallow=8 deep=10
RUSTFLAGS='-C target-cpu=x86-64-v3' cargo build --release --quiet --target-dir target/callgrind
program=target/callgrind/release/yomikiri

# count DEPTH EVALUATION: instructions and nodes.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" bench --depth "$1" --set "Evaluation=$2" 2>&1 |
        sed -nE -e 's/.*Collected : ([0-9]+).*/\1/p' -e 's/^([0-9]+) nodes$/\1/p' | sort -n | tac | paste -s
}

for evaluation in ${@:-linear progress material}; do
    read -r few_instructions few_nodes < <(count $shallow "$evaluation")
    read -r instructions nodes < <(count $deep "$evaluation")
    echo "$evaluation: $(((instructions - few_instructions) / (nodes - few_nodes))) instructions a node" \
        "($((nodes - few_nodes)) nodes between depths $shallow and $deep)"
done
