"""GNU Shogi as a USI engine, for matches:

    yomikiri match -e "name=yomikiri movetime=1000" -e "name=gnushogi cmd='python3 bench/peers/gnushogi.py' depth=4" \
        --patience 600

Talks to `gnushogi -X` (Debian package gnushogi), which searches to a fixed depth (that of `go depth`, or else the
option Depth) without book and without thinking on the opponent's time. It keeps no time: a limit by time would count
its longer thoughts as silence. Games must begin from the usual start.
"""

import re
import subprocess
import sys

PROGRAM = ["/usr/games/gnushogi", "-X", "-a"]
OWN_MOVE = re.compile(r"\d+\. \.\.\. (\S+)")
ECHO = re.compile(r"\d+\. (?!\.\.\.)(\S+)")


class Gnu:
    """One game of GNU Shogi."""

    def __init__(self, depth):
        self.process = subprocess.Popen(
            PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1
        )
        self.moves = []
        for line in ["book", "force", "depth", str(depth)]:
            self.say(line)

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self, pattern):
        """The first match of the pattern in what comes; None at the end of the game."""
        for line in self.process.stdout:
            found = pattern.search(line)
            if found:
                return found.group(1)
            if "mate" in line.lower() or "illegal" in line.lower() or "resign" in line.lower():
                return None
        return None

    def follow(self, moves):
        """Receives the moves of both sides, and answers with its own."""
        if len(moves) == len(self.moves) + 1 and moves[:-1] == self.moves and self.moves:
            self.say(moves[-1])
        else:
            for move in moves:
                self.say(move)
                if self.read(ECHO) is None:
                    return None
            self.say("switch")
        self.moves = list(moves)
        answer = self.read(OWN_MOVE)
        if answer is not None:
            self.moves.append(answer)
        return answer

    def end(self):
        self.process.kill()
        self.process.wait()


def main():
    depth, game, moves = 4, None, []
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "usi":
            print("id name GNU Shogi\nid author GNU\noption name Depth type spin default 4 min 1 max 29\nusiok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "setoption" and words[2:3] == ["Depth"]:
            depth = int(words[4])
        elif words[0] == "usinewgame" and game:
            game.end()
            game = None
        elif words[0] == "position":
            if words[1] != "startpos":
                sys.exit("games must begin from startpos")
            moves = words[3:]
        elif words[0] == "go":
            if words[1:2] == ["depth"] and int(words[2]) != depth:
                depth = int(words[2])
                game = game and game.end()
            if game is None or moves[: len(game.moves)] != game.moves:
                if game:
                    game.end()
                game = Gnu(depth)
            print("bestmove", game.follow(moves) or "resign", flush=True)
        elif words[0] == "quit":
            break
    if game:
        game.end()


main()
