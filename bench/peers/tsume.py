"""Mate problems, side by side: `yomikiri solve` and cshogi's DfPn in one run.

    python3 -m venv venv && venv/bin/pip install cshogi
    venv/bin/python bench/peers/tsume.py data/tsume/zukou_odd.tsv data/tsume/musou_odd.tsv

Prints a table in Markdown: problem, answer, seconds of CPU time and nodes of each solver. cshogi answers whether there is a
mate; it neither verifies nor knows lengths by convention, so ours looks for any mate, and verifies it.
"""

import argparse
import json
import resource
import subprocess
import time

import cshogi


def problems(paths, most):
    """The positions and names of the problems in the files."""
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines if line.strip() and not line.startswith("#")]
        for number, row in enumerate(rows[:most]):
            names = [cell for cell in row[1:] if "-" in cell and " " not in cell]
            yield row[0], names[0] if names else f"{path}:{number + 1}"


def ours(binary, sfen, seconds, mib):
    """Our answer as the object that `solve --json` writes, and the CPU seconds of the whole process."""
    command = [binary, "solve", "--json", "--any", "--time", str(seconds), "--hash", str(mib), sfen]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout.splitlines()[0]), seconds


def theirs(sfen, nodes):
    """Whether cshogi's DfPn finds a mate within `nodes`, its CPU seconds and its nodes."""
    solver = cshogi.DfPn()
    solver.set_max_search_node(nodes)
    solver.set_max_depth(2000)
    board = cshogi.Board(sfen)
    start = time.process_time()
    mate = solver.search(board)
    seconds = time.process_time() - start
    searched = solver.searched_node
    return mate, seconds, searched() if callable(searched) else searched


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", help="files with one SFEN a line")
    parser.add_argument("--yomikiri", default="target/release/yomikiri", help="our binary")
    parser.add_argument("--time", type=float, default=60, help="seconds for ours")
    parser.add_argument("--hash", type=int, default=1024, help="MiB for ours")
    parser.add_argument("--peer-nodes", type=int, default=3_000_000, help="node limit of cshogi")
    parser.add_argument("--most", type=int, default=1000, help="most problems of each set")
    options = parser.parse_args()
    print("| problem | ours | length | seconds | nodes | cshogi | seconds | nodes |")
    print("|---|---|---|---|---|---|---|---|")
    solved = [0, 0]
    for sfen, name in problems(options.sets, options.most):
        answer, own_seconds = ours(options.yomikiri, sfen, options.time, options.hash)
        mate, seconds, searched = theirs(sfen, options.peer_nodes)
        solved[0] += answer["result"] == "mate"
        solved[1] += bool(mate)
        length = answer["length"] if answer["length"] is not None else ""
        verdict = "mate" if mate else "none found"
        print(
            f"| {name} | {answer['result']} | {length} | {own_seconds:.2f} | {answer['nodes']} "
            f"| {verdict} | {seconds:.2f} | {searched} |",
            flush=True,
        )
    print(f"\nMates found: ours {solved[0]}, cshogi {solved[1]}")


if __name__ == "__main__":
    main()
