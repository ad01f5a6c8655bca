//! Defending against a proof: the proof attacks, a person answers.

use super::names;
use crate::Notation;
use std::io::{self, BufRead, Write};
use yomikiri_proof::proof_tree::ProofTree;
use yomikiri_shogi::Position;
use yomikiri_text::Solve;
use yomikiri_tsume::dominance::Held;
use yomikiri_tsume::{Ply, Tsume};

/// A game against a proof.
pub struct Defence<'a> {
    game: &'a Tsume,
    tree: &'a ProofTree<Ply, Held>,
    position: Position,
    at: usize,
    notation: Notation,
}

/// What happens next.
#[derive(Clone, PartialEq, Eq, Debug)]
enum DefenceTurn {
    /// The proof plays this, written for people and in USI.
    Attack(String),
    /// The person is to move: the legal moves in USI.
    Person(Vec<String>),
    /// Mate.
    Mated,
}

impl<'a> Defence<'a> {
    /// From the start of a proven mate.
    #[must_use]
    pub fn new(game: &'a Tsume, tree: &'a ProofTree<Ply, Held>, notation: Notation) -> Defence<'a> {
        // A piece that the proof gives back to the defender is gone on the board.
        Defence { game, tree, position: game.position().clone(), at: tree.root(), notation }
    }

    fn playable(&self) -> Vec<(Ply, u32)> {
        let moves = self.tree.nodes[self.at].moves.iter().copied();
        moves.filter(|(ply, _)| self.position.is_legal(ply.played)).collect()
    }

    /// Plays the attacker's move, if it is the attacker's turn, and says whose turn it is else.
    fn turn(&mut self) -> DefenceTurn {
        let playable = self.playable();
        let Some(&(ply, to)) = playable.first() else { return DefenceTurn::Mated };
        if self.position.side_to_move() != self.game.attacker() {
            let moves = playable.iter().map(|(ply, _)| ply.played.to_string());
            return DefenceTurn::Person(moves.collect());
        }
        let name = names(self.notation, &self.position, &[ply.played]).join("");
        self.position.play(ply.played);
        self.at = to as usize;
        DefenceTurn::Attack(format!("{name} {}", ply.played))
    }

    /// Plays to the mate, or until the person types `q` or has gone.
    ///
    /// # Errors
    /// If the screen or the keyboard is gone.
    pub fn play(
        &mut self,
        mut typed: impl BufRead,
        mut screen: impl Write,
        words: Solve,
    ) -> io::Result<()> {
        writeln!(screen, "{}", words.defend())?;
        loop {
            let legal = match self.turn() {
                DefenceTurn::Mated => return writeln!(screen, "{}", words.mated()),
                DefenceTurn::Attack(mv) => {
                    writeln!(screen, "{mv}")?;
                    continue;
                }
                DefenceTurn::Person(legal) => legal,
            };
            write!(screen, "> ")?;
            screen.flush()?;
            let mut text = String::new();
            if typed.read_line(&mut text)? == 0 || text.trim() == "q" {
                return Ok(());
            }
            if !self.answer(text.trim()) {
                writeln!(screen, "{}", words.not_legal(legal.join(" ")))?;
            }
        }
    }

    /// Plays the person's answer; false if it is not legal.
    fn answer(&mut self, mv: &str) -> bool {
        let chosen = self.playable().into_iter().find(|(ply, _)| ply.played.to_string() == mv);
        let Some((ply, to)) = chosen else { return false };
        self.position.play(ply.played);
        self.at = to as usize;
        true
    }
}
