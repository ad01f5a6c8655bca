//! The verdict on a problem in words.

use super::names;
use crate::Notation;
use std::fmt::Write as _;
use yomikiri_shogi::{Move, Position};
use yomikiri_text::{Composition, Language};
use yomikiri_tsume::Tsume;
use yomikiri_tsume::judge::{Doubt, Facts, FaultKind, Form, JudgedFault, Judgement, Ruling};

fn ruling(ruling: Ruling, words: Composition) -> String {
    match ruling {
        Ruling::Sound => words.sound(),
        Ruling::Faulty => words.faulty(),
        Ruling::Undecided => words.undecided(),
        Ruling::NoMate => words.no_mate(),
    }
}

fn kind(kind: FaultKind, words: Composition) -> String {
    match kind {
        FaultKind::NoMate => words.no_mate(),
        FaultKind::EarlyMate => words.early_mate(),
        FaultKind::OtherMate => words.other_mate(),
        FaultKind::Transposition => words.transposition(),
        FaultKind::Detour => words.detour(),
        FaultKind::LastMove => words.last_move(),
        FaultKind::FreeDistance => words.free_distance(),
        FaultKind::FreePromotion => words.free_promotion(),
        FaultKind::LongVariation => words.long_variation(),
        FaultKind::EqualVariation => words.equal_variation(),
        FaultKind::Leftover => words.leftover(),
        FaultKind::UselessPiece => words.useless_piece(),
    }
}

fn doubt(doubt: Doubt, words: Composition) -> String {
    match doubt {
        Doubt::Mate => words.whether_mate(),
        Doubt::Length => words.whether_shortest(),
        Doubt::OtherMove => words.whether_other_move(),
        Doubt::Proof => words.whether_proof(),
        Doubt::Kind => words.whether_kind(),
        Doubt::Variation => words.whether_variation(),
        Doubt::Leftover => words.whether_leftover(),
        Doubt::UselessPiece => words.whether_useless(),
    }
}

fn form(form: Form, words: Composition) -> String {
    match form {
        Form::Smoke => words.smoke(),
        Form::NakedKing => words.naked_king(),
        Form::NoAttackers => words.no_attackers(),
        Form::Centre => words.centre(),
    }
}

/// The verdict, some indented lines to stand below the answer.
#[must_use]
pub fn verdict_text(
    game: &Tsume,
    judgement: &Judgement,
    (language, notation): (Language, Notation),
) -> String {
    let words = Composition(language);
    let mut text = format!("  {}\n", words.verdict(ruling(judgement.verdict, words)));
    for fault in &judgement.faults {
        let _ = writeln!(text, "    {}", one_fault(fault, words, notation));
    }
    for left in &judgement.open {
        let at = place((left.ply, left.play.as_deref(), &left.sfen), words, notation);
        let _ = writeln!(text, "    {}", words.open(at + &doubt(left.what, words)));
    }
    text + &facts(&judgement.facts, game, words)
}

fn one_fault(fault: &JudgedFault, words: Composition, notation: Notation) -> String {
    let at = place((fault.ply, fault.play.as_deref(), &fault.sfen), words, notation);
    let length = fault.length.map_or(String::new(), |plies| words.length(plies));
    let proof = fault.proof.as_ref().map_or(String::new(), |it| words.proof(it.positions()));
    let what = format!("{at}{}{length}{proof}", kind(fault.kind, words));
    if fault.minor { words.flaw(what) } else { what }
}

/// Where something is: ply and move, or nothing.
fn place(
    (ply, mv, sfen): (usize, Option<&str>, &str),
    words: Composition,
    notation: Notation,
) -> String {
    if ply == 0 {
        return String::new();
    }
    let name = mv.and_then(|mv| {
        let position = Position::from_problem_sfen(sfen).ok()?;
        let played: Move = mv.parse().ok()?;
        Some(format!(" {} {mv}", names(notation, &position, &[played]).join("")))
    });
    words.at_ply(ply, name.unwrap_or_default())
}

fn facts(facts: &Facts, game: &Tsume, words: Composition) -> String {
    if game.position().king(!game.attacker()).is_none() {
        return String::new();
    }
    let plies =
        |plies: &[usize]| plies.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut said = vec![words.pieces(facts.pieces)];
    if facts.both_kings {
        said.push(words.both_kings());
    }
    if !facts.pawn_drop_mates.is_empty() {
        said.push(words.pawn_drop_mates(plies(&facts.pawn_drop_mates)));
    }
    if !facts.declined_promotions.is_empty() {
        said.push(words.declined_promotions(plies(&facts.declined_promotions)));
    }
    said.extend(facts.forms.iter().map(|&named| form(named, words)));
    format!("    {}\n", said.join(&words.between()))
}
