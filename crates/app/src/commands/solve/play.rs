//! `--play`: the user defends, the proof attacks.

use std::io::{BufRead, Write};

use yomikiri_proof::game::Game;
use yomikiri_proof::proof_tree::ProofTree;
use yomikiri_tsume::dominance::Held;
use yomikiri_tsume::{Ply, Tsume, japanese};

/// Plays the attacker's moves of the proof against the defences typed in USI.
pub fn defend(game: &Tsume, tree: &ProofTree<Ply, Held>) -> anyhow::Result<()> {
    let mut game = game.clone();
    let mut at = tree.root();
    let input = std::io::stdin();
    println!("Defend: type a move such as 5a4b or G*5b, or q to stop.");
    loop {
        let node = &tree.nodes[at];
        if node.moves.is_empty() {
            println!("Mate.");
            return Ok(());
        }
        if game.position().side_to_move() == game.attacker() {
            let (ply, to) = node.moves[0];
            println!("{} {}", japanese::line(game.position(), &[ply.played]).join(""), ply.played);
            game.play(ply);
            at = to as usize;
            continue;
        }
        print!("> ");
        std::io::stdout().flush()?;
        let mut text = String::new();
        if input.lock().read_line(&mut text)? == 0 || text.trim() == "q" {
            return Ok(());
        }
        let chosen = node.moves.iter().find(|(ply, _)| ply.played.to_string() == text.trim());
        match chosen {
            Some(&(ply, to)) => {
                game.play(ply);
                at = to as usize;
            }
            None => {
                let legal: Vec<String> =
                    node.moves.iter().map(|(ply, _)| ply.played.to_string()).collect();
                println!("Not legal here. Legal: {}", legal.join(" "));
            }
        }
    }
}
