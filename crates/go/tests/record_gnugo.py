#!/usr/bin/env python3
"""Records random games judged by GNU Go, for the test `gnugo_transcript`.

usage: record_gnugo.py SEED GAMES [SIZE ...] > transcript.txt

Lines of a transcript:
  game SIZE
  play COLOUR POINT            a random legal move, or PASS
  legal COLOUR POINT ..        every legal point of a side
  stones COLOUR POINT ..       every stone of a side
  captures COLOUR N            stones that the side has taken so far
  libs POINT : POINT ..        the liberties of the block at a point
"""
import random
import subprocess
import sys


class GnuGo:
    def __init__(self):
        command = ["gnugo", "--mode", "gtp", "--level", "1"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line.strip():
                if lines:
                    break
                continue
            lines.append(line.strip())
        if not lines[0].startswith("="):
            raise RuntimeError(f"{command}: {lines}")
        return " ".join([lines[0][1:].strip()] + lines[1:]).split()


def record_game(gnugo, rng, size):
    for command in (f"boardsize {size}", "clear_board"):
        gnugo.ask(command)
    print("game", size)
    colour = "black"
    taken = {"black": 0, "white": 0}
    for ply in range(rng.randrange(size * size, 3 * size * size)):
        legal = gnugo.ask(f"all_legal {colour}")
        move = "PASS" if not legal or rng.random() < 0.02 else rng.choice(legal)
        gnugo.ask(f"play {colour} {move}")
        print("play", colour, move)
        other = "white" if colour == "black" else "black"
        captures = int(gnugo.ask(f"captures {colour}")[0])
        if captures == taken[colour] + 1:  # perhaps a ko
            print("legal", other, *gnugo.ask(f"all_legal {other}"))
        elif ply % 17 == 0:
            report(gnugo, rng, other)
        taken[colour] = captures
        if rng.random() > 0.06:
            colour = other


def report(gnugo, rng, colour):
    print("legal", colour, *gnugo.ask(f"all_legal {colour}"))
    for side in ("black", "white"):
        stones = gnugo.ask(f"list_stones {side}")
        if rng.random() < 0.3:
            print("stones", side, *stones)
        print("captures", side, *gnugo.ask(f"captures {side}"))
        for stone in rng.sample(stones, min(3, len(stones))):
            print("libs", stone, ":", *gnugo.ask(f"findlib {stone}"))


def main():
    seed, games, sizes = int(sys.argv[1]), int(sys.argv[2]), [int(s) for s in sys.argv[3:]] or [9, 13, 19]
    gnugo, rng = GnuGo(), random.Random(seed)
    for _ in range(games):
        for size in sizes:
            record_game(gnugo, rng, size)


main()
