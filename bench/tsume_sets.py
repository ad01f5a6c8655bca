"""Checks the answers of `yomikiri solve --json` on whole sets of problems.

    python3 bench/tsume_sets.py within 5 mates_of_5.sfen     # all mates, none longer than 5
    python3 bench/tsume_sets.py recorded solved.tsv          # lengths, and every move of the recorded lines
    python3 bench/tsume_sets.py mates data/tsume/zukou_odd.tsv --time 60 --hash 4096

The columns of a recorded set are SFEN, plies, moves in USI. For it every position along the recorded line is solved as
well: each must be mate in exactly the plies left, so each move of the attacker keeps the shortest mate and each defence
is one of the longest. Where the set's length is not ours, the difference is reported together with the raw length.

Prints what is wrong, then a line of counts; the exit status says whether all was right.
"""

import argparse
import json
import subprocess
import sys
import tempfile

HAND_ORDER = "RBGSNLP"


class Board:
    """Just enough of a board to play recorded moves and write the position again."""

    def __init__(self, sfen):
        rows, self.side, hands, _ = (sfen.split() + ["1"])[:4]
        self.cells = {}
        for rank, row in enumerate(rows.split("/")):
            file, promoted = 9, ""
            for symbol in row:
                if symbol.isdigit():
                    file -= int(symbol)
                elif symbol == "+":
                    promoted = "+"
                else:
                    self.cells[file, rank] = promoted + symbol
                    file, promoted = file - 1, ""
        self.hands = {}
        count = ""
        for symbol in hands.replace("-", ""):
            if symbol.isdigit():
                count += symbol
            else:
                self.hands[symbol] = int(count or 1)
                count = ""

    def play(self, move):
        """Plays a move written in USI."""
        own = str.upper if self.side == "b" else str.lower
        to = int(move[2]), ord(move[3]) - ord("a")
        if move[1] == "*":
            piece = own(move[0])
            self.hands[piece] -= 1
        else:
            piece = self.cells.pop((int(move[0]), ord(move[1]) - ord("a")))
            taken = self.cells.get(to)
            if taken:
                kind = own(taken[-1])
                self.hands[kind] = self.hands.get(kind, 0) + 1
            if move.endswith("+"):
                piece = "+" + piece
        self.cells[to] = piece
        self.side = "w" if self.side == "b" else "b"

    def sfen(self):
        """The position in SFEN."""
        rows = []
        for rank in range(9):
            row, empty = "", 0
            for file in range(9, 0, -1):
                piece = self.cells.get((file, rank))
                if piece:
                    row += (str(empty) if empty else "") + piece
                    empty = 0
                else:
                    empty += 1
            rows.append(row + (str(empty) if empty else ""))
        order = HAND_ORDER + HAND_ORDER.lower()
        held = [(k, self.hands.get(k, 0)) for k in order]
        hands = "".join((str(n) if n > 1 else "") + k for k, n in held if n)
        return f"{'/'.join(rows)} {self.side} {hands or '-'} 1"


def rows_of(path, most):
    """The rows of a set."""
    with open(path, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if line.strip() and line[0] != "#"]
    step = max(1, len(rows) // most)
    return rows[::step][:most]


def solve(options, sfens):
    """The answers to positions, in order."""
    with tempfile.NamedTemporaryFile("w", suffix=".sfen") as file:
        file.write("\n".join(sfens) + "\n")
        file.flush()
        command = [options.yomikiri, "solve", "--json", "--time", str(options.time), "--hash", str(options.hash)]
        command += ["--threads", str(options.threads)] + (["--attacker", "b"] if options.black else []) + [file.name]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(sfens)
    return answers


class Report:
    """Collects what is wrong."""

    def __init__(self):
        self.wrong = 0

    def tell(self, what, answer):
        """Counts a wrong answer and prints it."""
        self.wrong += 1
        keep = ("sfen", "result", "reason", "length", "exact", "raw_length", "verified")
        known = {key: answer[key] for key in keep if key in answer}
        print(f"{what}: {json.dumps(known)} {' '.join(answer['moves'])}")


def sound(answer, report):
    """What must hold of every mate."""
    if answer["result"] != "mate" or not answer["verified"]:
        report.tell("no verified mate", answer)
    elif len(answer["moves"]) != answer["length"]:
        report.tell("line and length differ", answer)
    else:
        return True
    return False


def within(options, rows, report):
    """Every problem is a mate of no more plies than said."""
    answers = solve(options, [row[0] for row in rows])
    for answer in answers:
        if sound(answer, report) and options.plies and answer["length"] > options.plies:
            report.tell("too long", answer)
    return answers


def recorded(options, rows, report):
    """Every position along a recorded line is mate in what is left of it."""
    sfens, expected = [], []
    for row in rows:
        board, moves = Board(row[0]), row[2].split()
        for played, move in enumerate(moves):
            sfens.append(row[0] if played == 0 else board.sfen())
            expected.append((len(moves) - played, row[3] if len(row) > 3 else row[0], played))
            board.play(move)
    answers = solve(options, sfens)
    shorter = set()
    for answer, (plies, name, played) in zip(answers, expected):
        if name in shorter:
            continue
        if not sound(answer, report) or answer["length"] != plies:
            report.tell(f"{name} ply {played}: the set says {plies}", answer)
            shorter.add(name)
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("check", choices=["within", "mates", "recorded"])
    parser.add_argument("sets", nargs="+", help="the most plies for `within`, then files with one SFEN a line")
    parser.add_argument("--yomikiri", default="target/release/yomikiri", help="the binary")
    parser.add_argument("--time", type=float, default=1, help="seconds for each problem")
    parser.add_argument("--hash", type=int, default=1024, help="MiB for the table")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--most", type=int, default=1_000_000, help="most problems of each set, evenly spread")
    options = parser.parse_args()
    options.plies = int(options.sets.pop(0)) if options.check == "within" else None
    options.black = options.check == "recorded"
    report = Report()
    for path in options.sets:
        rows = rows_of(path, options.most)
        before = report.wrong
        answers = (recorded if options.check == "recorded" else within)(options, rows, report)
        seconds = [answer["seconds"] for answer in answers]
        print(
            f"{path}: {len(rows)} problems, {len(answers)} positions, {report.wrong - before} wrong, "
            f"{sum(answer['nodes'] for answer in answers)} nodes, {sum(seconds):.1f} s in all, {max(seconds):.2f} s at most"
        )
    sys.exit(1 if report.wrong else 0)


if __name__ == "__main__":
    main()
