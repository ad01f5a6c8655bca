#!/usr/bin/env python3
"""Nodes a second of processor time, ours beside other engines in the same minutes.

    bench/speed.py [--rounds N] [--seconds S] [NAME=COMMAND[;OPTION=VALUE]..]..

Without engines: the learned evaluation, `progress` and `material`, and GPS Shogi and Fairy-Stockfish where Debian's
packages are installed. Every engine searches start and matsuri by turns, one thread, each search in a process of its
own. ENGINE names our program (default target/release/yomikiri). Shown are least, median and most in millions, and the
median's ratio to the first engine's. Nodes are those of the last line that has them.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import tempfile

POSITIONS = {
    "start": "startpos",
    "matsuri": "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
}


def default_engines():
    program = os.path.abspath(os.environ.get("ENGINE", "target/release/yomikiri"))
    ours = "USI_OwnBook=false;RootMate=false"
    engines = [f"{name}={program};{ours};Evaluation={name}" for name in ("linear", "progress", "material")]
    if shutil.which("/usr/games/gpsusi"):
        engines.append("gps=/usr/games/gpsusi;Thread=1;BookDepth=0")
    if shutil.which("/usr/games/fairy-stockfish"):
        engines.append("fairy=/usr/games/fairy-stockfish;UCI_Variant=shogi;Threads=1;Hash=256")
    return engines


def processor_time(pid):
    """Seconds of processor time that the process has used."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Engine:
    """An engine under USI for one search."""

    def __init__(self, command, options, folder):
        self.process = subprocess.Popen(
            command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, bufsize=1, cwd=folder,
        )
        self.ask("usi", "usiok")
        for option in options:
            name, value = option.split("=", 1)
            self.say(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")
        self.say("usinewgame")

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def ask(self, line, answer):
        """Sends a line and waits for its answer; returns the last number of nodes printed before it."""
        self.say(line)
        nodes = None
        for reply in self.process.stdout:
            if found := re.search(r"\bnodes (\d+)", reply):
                nodes = int(found[1])
            if reply.startswith(answer):
                return nodes
        raise SystemExit(f"the engine ended without '{answer}'")

    def speed(self, position, seconds):
        self.say(f"position {position}")
        before = processor_time(self.process.pid)
        nodes = self.ask(f"go btime 0 wtime 0 byoyomi {round(seconds * 1000)}", "bestmove")
        used = processor_time(self.process.pid) - before
        self.say("quit")
        self.process.wait(10)
        return nodes / used / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("engines", nargs="*", metavar="NAME=COMMAND[;OPTION=VALUE]..")
    arguments = parser.parse_args()
    engines = [engine.split("=", 1) for engine in arguments.engines or default_engines()]
    speeds = {(name, place): [] for name, _ in engines for place in POSITIONS}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.rounds):
            for name, how in engines:
                command, *options = how.split(";")
                for place, position in POSITIONS.items():
                    engine = Engine(command, options, folder)
                    speeds[name, place].append(engine.speed(position, arguments.seconds))
    first = engines[0][0]
    for (name, place), found in speeds.items():
        median = statistics.median(found)
        ratio = median / statistics.median(speeds[first, place])
        print(f"{name:12} {place:8} {min(found):.2f} {median:.2f} {max(found):.2f} M nodes/s, {ratio:.2f} of {first}")


if __name__ == "__main__":
    main()
