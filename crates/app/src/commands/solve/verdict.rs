//! The verdict on a problem as text, in Japanese and in English.

use std::fmt::Write as _;

use yomikiri_shogi::{Move, Position};
use yomikiri_text::Language;
use yomikiri_tsume::Tsume;
use yomikiri_tsume::judge::{Doubt, Facts, Fault, Form, Judgement, Kind, Ruling};

/// What a word is in both languages: Japanese first.
type Both = (&'static str, &'static str);

fn word(both: Both, language: Language) -> &'static str {
    match language {
        Language::Ja => both.0,
        Language::En => both.1,
    }
}

fn ruling(ruling: Ruling) -> Both {
    match ruling {
        Ruling::Sound => ("完全作", "sound (完全作)"),
        Ruling::Faulty => ("不完全作", "faulty (不完全作)"),
        Ruling::Undecided => ("未確定", "undecided"),
        Ruling::NoMate => ("不詰", "no mate (不詰)"),
    }
}

fn kind(kind: Kind) -> Both {
    match kind {
        Kind::NoMate => ("不詰", "no mate (不詰)"),
        Kind::EarlyMate => ("早詰", "a shorter mate (早詰)"),
        Kind::OtherMate => ("余詰（別詰）", "another mate (余詰, 別詰)"),
        Kind::Transposition => ("手順前後", "another order of moves (手順前後)"),
        Kind::Detour => ("迂回手順", "a detour that comes back (迂回手順)"),
        Kind::LastMove => ("最終手余詰", "another last move (最終手余詰)"),
        Kind::FreeDistance => ("非限定（距離）", "the distance does not matter (非限定)"),
        Kind::FreePromotion => ("非限定（成・不成）", "promotion does not matter (非限定)"),
        Kind::LongVariation => ("変長", "a variation that lasts longer (変長)"),
        Kind::EqualVariation => ("変同", "a variation of the same length (変同)"),
        Kind::Leftover => ("駒余り", "pieces are left over (駒余り)"),
        Kind::UselessPiece => ("不要駒", "the same problem with one piece less (不要駒)"),
    }
}

fn doubt(doubt: Doubt) -> Both {
    match doubt {
        Doubt::Mate => ("詰むかどうか", "whether there is a mate"),
        Doubt::Length => ("最短かどうか", "whether this is the shortest mate"),
        Doubt::OtherMove => ("余詰の有無", "whether this move mates too"),
        Doubt::Proof => ("詰むが証明が未完", "it mates, but the proof is not complete"),
        Doubt::Kind => ("詰むが余詰の種類が不明", "it mates, but what kind of fault it is"),
        Doubt::Variation => ("変化の手数", "how long this variation lasts"),
        Doubt::Leftover => ("駒余りの有無", "whether pieces have to be left over"),
        Doubt::UselessPiece => ("不要駒の有無", "whether some piece is not needed"),
    }
}

fn form(form: Form) -> Both {
    match form {
        Form::Smoke => ("煙詰", "smoke mate (煙詰)"),
        Form::NakedKing => ("裸玉", "naked king (裸玉)"),
        Form::NoAttackers => ("無仕掛", "no attackers on the board (無仕掛)"),
        Form::Centre => ("都詰", "mate on the centre square (都詰)"),
    }
}

/// The verdict, indented below the answer.
pub fn text(game: &Tsume, judgement: &Judgement, language: Language) -> String {
    let mut text = String::new();
    let title = word(("判定", "verdict"), language);
    let _ = writeln!(text, "  {title}: {}", word(ruling(judgement.verdict), language));
    for fault in &judgement.faults {
        let _ = writeln!(text, "    {}", one_fault(fault, language));
    }
    let open = word(("未解決", "open"), language);
    for left in &judgement.open {
        let at = place(left.ply, left.play.as_deref(), &left.sfen, language);
        let _ = writeln!(text, "    {open}: {at}{}", word(doubt(left.what), language));
    }
    facts(&judgement.facts, game, language, &mut text);
    text
}

fn one_fault(fault: &Fault, language: Language) -> String {
    let at = place(fault.ply, fault.play.as_deref(), &fault.sfen, language);
    let flaw = word(("キズ: ", "flaw: "), language);
    let length = match (fault.length, language) {
        (Some(length), Language::Ja) => format!("、{length}手"),
        (Some(length), Language::En) => format!(", {length} plies"),
        (None, _) => String::new(),
    };
    let proof = match (&fault.proof, language) {
        (Some(proof), Language::Ja) => format!("、証明{}局面検査済", proof.positions()),
        (Some(proof), Language::En) => {
            format!(", proof of {} positions checked", proof.positions())
        }
        (None, _) => String::new(),
    };
    let minor = if fault.minor { flaw } else { "" };
    format!("{minor}{at}{}{length}{proof}", word(kind(fault.kind), language))
}

/// Where something is: ply and move, or nothing.
fn place(ply: usize, mv: Option<&str>, sfen: &str, language: Language) -> String {
    if ply == 0 {
        return String::new();
    }
    let name = mv.and_then(|mv| {
        let position = Position::from_problem_sfen(sfen).ok()?;
        let played: Move = mv.parse().ok()?;
        Some(format!(" {} {mv}", super::show::names(&position, &[played]).join("")))
    });
    let name = name.unwrap_or_default();
    match language {
        Language::Ja => format!("{ply}手目{name}: "),
        Language::En => format!("ply {ply}{name}: "),
    }
}

fn facts(facts: &Facts, game: &Tsume, language: Language, text: &mut String) {
    let plies =
        |plies: &[usize]| plies.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut said = vec![match language {
        Language::Ja => format!("使用駒{}枚", facts.pieces),
        Language::En => format!("{} pieces", facts.pieces),
    }];
    if facts.both_kings {
        said.push(word(("双玉", "both kings (双玉)"), language).to_owned());
    }
    if !facts.pawn_drop_mates.is_empty() {
        let word = word(("打歩詰の局面", "a pawn dropped would mate (打歩詰)"), language);
        said.push(format!("{word}: {}", plies(&facts.pawn_drop_mates)));
    }
    if !facts.declined_promotions.is_empty() {
        let word = word(("不成", "declined promotions (不成)"), language);
        said.push(format!("{word}: {}", plies(&facts.declined_promotions)));
    }
    said.extend(facts.forms.iter().map(|&named| word(form(named), language).to_owned()));
    if game.position().king(!game.attacker()).is_some() {
        let _ = writeln!(text, "    {}", said.join(word(("、", "; "), language)));
    }
}
