"""Mate problems, side by side: `yomikiri solve` and shtsume in one run, one after the other for each problem.

    python3 bench/peers/shtsume.py --shtsume PATH data/tsume/zukou_odd.tsv data/tsume/musou_odd.tsv

Both look for any mate with one thread; ours verifies it. Prints a table in Markdown (problem, recorded plies, and of each
solver the length found and the CPU seconds of its whole process), the sums, and the ratio. shtsume clears all of its memory
when it starts, so it gets its default, and `--idle` measures what that costs.
"""

import argparse
import json
import re
import resource
import subprocess

# A gold on the head: what a process costs that has nothing to search.
AT_ONCE = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"


def run(command):
    """The output of a command and the CPU seconds of its process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout.decode(errors="replace"), seconds


def ours(options, sfen):
    """The length of a verified mate, or nothing, and the seconds."""
    limits = ["--time", str(options.time), "--hash", str(options.hash), "--threads", "1"]
    text, seconds = run([options.yomikiri, "solve", "--json", "--any", *limits, sfen])
    answer = json.loads(text.splitlines()[0])
    mate = answer["result"] == "mate" and answer["verified"]
    return answer["length"] if mate else None, seconds


def theirs(options, sfen):
    """The length that shtsume prints, or nothing, and the seconds."""
    memory = ["-m", str(options.peer_hash), "-i", str(int(options.time))]
    text, seconds = run([options.shtsume, *memory, sfen])
    found = re.search(r"まで(\d+)手詰", text) or re.search(r"(\d+)手詰", text)
    return int(found.group(1)) if found else None, seconds


def problems(paths):
    """The positions, recorded plies and names of the problems in the files."""
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                if line.strip() and not line.startswith("#"):
                    sfen, plies, name = line.rstrip("\n").split("\t")[:3]
                    yield sfen, plies, name


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", help="files with SFEN, plies and name in columns")
    parser.add_argument("--yomikiri", default="target/release/yomikiri", help="our binary")
    parser.add_argument("--shtsume", required=True, help="its binary")
    parser.add_argument("--time", type=float, default=60, help="seconds for each problem")
    parser.add_argument("--hash", type=int, default=1024, help="MiB for ours")
    parser.add_argument("--peer-hash", type=int, default=256, help="MiB for shtsume")
    parser.add_argument("--idle", action="store_true", help="also print what a mate in one costs")
    options = parser.parse_args()
    print("| problem | recorded | ours | seconds | shtsume | seconds |")
    print("|---|---|---|---|---|---|")
    mates, sums, count = [0, 0], [0.0, 0.0], 0
    for sfen, plies, name in problems(options.sets):
        answers = [ours(options, sfen), theirs(options, sfen)]
        count += 1
        for at, (length, seconds) in enumerate(answers):
            mates[at] += length is not None
            sums[at] += seconds
        cells = [f"{'none' if length is None else length} | {seconds:.2f}" for length, seconds in answers]
        print(f"| {name} | {plies} | {cells[0]} | {cells[1]} |", flush=True)
    print(f"\n{count} problems. Ours: {mates[0]} mates in {sums[0]:.1f} s. shtsume: {mates[1]} in {sums[1]:.1f} s.")
    if sums[1] > 0:
        print(f"Ours takes {sums[0] / sums[1]:.2f} of its time.")
    if options.idle:
        costs = [ours(options, AT_ONCE)[1], theirs(options, AT_ONCE)[1]]
        print(f"A mate in one: ours {costs[0]:.2f} s, shtsume {costs[1]:.2f} s.")


if __name__ == "__main__":
    main()
