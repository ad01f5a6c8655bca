"""A table of the verdicts in the folder of a batch.

    yomikiri solve --judge --time 120 --out verdicts data/tsume/zukou_odd.tsv
    python3 bench/verdicts.py verdicts

Prints the number of problems of each verdict, then one row in Markdown for each problem that is not sound: its length, its
faults by kind with the first of each (ply and move), how many of them carry a proof, and what the limit left open.
`--most-plies 41` lists only problems up to that length, and all of them.
"""

import argparse
import collections
import json
import pathlib


def units(folder):
    """The results of a folder, in the order of the problems."""
    with open(pathlib.Path(folder) / "log.jsonl", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines if line.strip()]
    return [entry["unit"]["value"] for entry in sorted(
        (entry for entry in found if "unit" in entry), key=lambda entry: entry["unit"]["at"])]


def faults(result):
    """The faults by kind: how many, and the first."""
    kinds = collections.OrderedDict()
    for fault in result.get("faults", []):
        kinds.setdefault(fault["kind"], []).append(fault)
    cells = []
    for kind, all_of_kind in kinds.items():
        first = all_of_kind[0]
        place = f"{first['ply']}: {first.get('move') or first.get('play') or ''}".strip(": ")
        times = f" x{len(all_of_kind)}" if len(all_of_kind) > 1 else ""
        cells.append(f"{kind}{times} ({place})")
    return ", ".join(cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", help="folders that `solve --judge --out` has written")
    parser.add_argument("--most-plies", type=int, help="only problems up to this length, sound ones too")
    options = parser.parse_args()
    results = [result for folder in options.folders for result in units(folder)]
    if options.most_plies is not None:
        results = [r for r in results if r.get("length") is not None and r["length"] <= options.most_plies]
    counts = collections.Counter(result["verdict"] for result in results)
    summary = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    print(f"{len(results)} problems: {summary}\n")
    print("| problem | verdict | plies | faults (first ply: move) | proofs | open |")
    print("|---|---|---|---|---|---|")
    for result in results:
        if result["verdict"] == "sound" and options.most_plies is None:
            continue
        plies = f"{result['length']}{'' if result['exact'] else ' at most'}" if result.get("length") else ""
        listed = result.get("faults", [])
        proofs = f"{sum(1 for fault in listed if fault.get('proof'))} of {len(listed)}"
        print(f"| {result['id']} | {result['verdict']} | {plies} | {faults(result)} | {proofs} | {len(result['open'])} |")


if __name__ == "__main__":
    main()
