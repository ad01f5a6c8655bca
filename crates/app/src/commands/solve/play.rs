//! `--play`: the user defends, the proof attacks.

use std::io::BufRead;

use crate::output::flush;
use yomikiri_proof::proof_tree::ProofTree;
use yomikiri_tsume::dominance::Held;
use yomikiri_tsume::{Ply, Tsume};

/// Plays the attacker's moves of the proof against the defences typed in USI.
pub fn defend(game: &Tsume, tree: &ProofTree<Ply, Held>) -> anyhow::Result<()> {
    // A piece that the proof gives back to the defender is gone on the board.
    let mut position = game.position().clone();
    let mut at = tree.root();
    let input = std::io::stdin();
    let words = super::show::words();
    println!("{}", words.defend());
    loop {
        let node = &tree.nodes[at];
        let playable: Vec<&(Ply, u32)> =
            node.moves.iter().filter(|(ply, _)| position.is_legal(ply.played)).collect();
        let Some(&&(ply, to)) = playable.first() else {
            println!("{}", words.mated());
            return Ok(());
        };
        if position.side_to_move() == game.attacker() {
            println!("{} {}", super::show::names(&position, &[ply.played]).join(""), ply.played);
            position.play(ply.played);
            at = to as usize;
            continue;
        }
        print!("> ");
        flush();
        let mut text = String::new();
        if input.lock().read_line(&mut text)? == 0 || text.trim() == "q" {
            return Ok(());
        }
        let chosen = playable.iter().find(|(ply, _)| ply.played.to_string() == text.trim());
        match chosen {
            Some(&&(ply, to)) => {
                position.play(ply.played);
                at = to as usize;
            }
            None => {
                let legal: Vec<String> =
                    playable.iter().map(|(ply, _)| ply.played.to_string()).collect();
                println!("{}", words.not_legal(legal.join(" ")));
            }
        }
    }
}
