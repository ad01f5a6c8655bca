//! Moves as Japanese books print them.

use yomikiri_shogi::{Color, Kind, Move, Origin, Position};

const FILES: [&str; 9] = ["１", "２", "３", "４", "５", "６", "７", "８", "９"];
const RANKS: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "歩",
        Kind::Lance => "香",
        Kind::Knight => "桂",
        Kind::Silver => "銀",
        Kind::Bishop => "角",
        Kind::Rook => "飛",
        Kind::Gold => "金",
        Kind::King => "玉",
        Kind::ProPawn => "と",
        Kind::ProLance => "成香",
        Kind::ProKnight => "成桂",
        Kind::ProSilver => "成銀",
        Kind::Horse => "馬",
        Kind::Dragon => "竜",
    }
}

/// The moves of a line played from `position`, origins in brackets as KIF writes them.
#[must_use]
pub fn line(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::with_capacity(line.len());
    let mut last = None;
    for &played in line {
        texts.push(one(&position, played, last == Some(played.to())));
        last = Some(played.to());
        position.play(played);
    }
    texts
}

fn one(position: &Position, played: Move, same: bool) -> String {
    let side = if position.side_to_move() == Color::Black { "▲" } else { "△" };
    let to = played.to();
    let square = if same {
        "同".to_owned()
    } else {
        format!("{}{}", FILES[usize::from(to.file())], RANKS[usize::from(to.rank())])
    };
    match played.origin() {
        Origin::Hand(kind) => format!("{side}{square}{}打", name(kind)),
        Origin::Board(from) => {
            let kind = position.piece_on(from).map_or(Kind::Pawn, |piece| piece.kind());
            let promotion = if played.is_promotion() {
                "成"
            } else if could_promote(position, played, kind) {
                "不成"
            } else {
                ""
            };
            format!(
                "{side}{square}{}{promotion}({}{})",
                name(kind),
                from.file() + 1,
                from.rank() + 1
            )
        }
    }
}

fn could_promote(position: &Position, played: Move, kind: Kind) -> bool {
    let side = position.side_to_move();
    let zone = |square: yomikiri_shogi::Square| square.rank_for(side) < 3;
    kind.promoted().is_some() && (zone(played.to()) || played.from().is_some_and(zone))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_read_as_in_books() {
        let position = Position::from_usi("startpos moves 7g7f 3c3d").unwrap();
        let moves = ["8h2b+", "3a2b", "B*4e"].map(|m| m.parse().unwrap());
        assert_eq!(line(&position, &moves), ["▲２二角成(88)", "△同銀(31)", "▲４五角打"]);
    }
}
