//! The board against GNU Go 3.8 along random games: legality (ko, suicide),
//! captures, liberties. `record_gnugo.py` writes the transcript; a longer one
//! can be given by `YOMIKIRI_GNUGO_TRANSCRIPT`.

use yomikiri_go::board::{Board, Colour, KoRule, Move, Point, PointSet};

struct Replay {
    board: Board,
    captures: [u32; 2],
}

impl Replay {
    fn new(size: usize) -> Replay {
        Replay {
            board: Board::new(size, KoRule::Simple).expect("a size in range"),
            captures: [0; 2],
        }
    }

    fn point(&self, name: &str) -> Point {
        Point::parse(name, self.board.size()).expect("a point of the board")
    }

    fn points(&self, names: &[&str]) -> PointSet {
        names.iter().map(|name| self.point(name)).collect()
    }

    fn play(&mut self, colour: Colour, name: &str) {
        if name == "PASS" {
            self.board.play_legal(colour, Move::PASS);
            return;
        }
        let point = self.point(name);
        self.captures[colour.index()] += self.board.captured_by(colour, point).len();
        self.board.play(colour, point.into()).expect("GNU Go holds the move for legal");
    }

    fn check(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let colour = || Colour::parse(words[1]).expect("a colour");
        match words[0] {
            "game" => *self = Replay::new(words[1].parse().expect("a size")),
            "play" => self.play(colour(), words[2]),
            "legal" => {
                assert_eq!(
                    self.board.legal_points(colour()),
                    self.points(&words[2..]),
                    "{line}\n{}",
                    self.board
                );
            }
            "stones" => assert_eq!(*self.board.stones(colour()), self.points(&words[2..])),
            "captures" => assert_eq!(self.captures[colour().index()].to_string(), words[2]),
            "libs" => {
                let block = self.board.block(self.point(words[1])).expect("a stone");
                assert_eq!(*block.liberties(), self.points(&words[3..]), "{line}\n{}", self.board);
            }
            other => panic!("unknown line `{other}`"),
        }
    }
}

fn replay(transcript: &str) -> usize {
    let mut replay = Replay::new(9);
    let mut kos = 0;
    for line in transcript.lines() {
        replay.check(line);
        kos += usize::from(line.starts_with("legal") && replay.board.ko().is_some());
    }
    kos
}

#[test]
fn the_board_agrees_with_gnugo() {
    let kos = replay(include_str!("data/gnugo_transcript.txt"));
    assert!(kos >= 10, "legality was asked in {kos} kos only");
    if let Ok(path) = std::env::var("YOMIKIRI_GNUGO_TRANSCRIPT") {
        replay(&std::fs::read_to_string(path).expect("the transcript can be read"));
    }
}
