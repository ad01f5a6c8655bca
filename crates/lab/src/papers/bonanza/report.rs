//! The page, from the results alone.

use yomikiri_arena::stats::bootstrap;

use super::arms::{COMPARED, FREE, SINGLE, SPLIT};
use super::measure::METHODS;
use super::{
    ArmAgreement, ArmMatch, Bonanza, BonanzaResults, BonanzaSettings, ByGame, Column, Published,
    maps,
};
use crate::claims::{Claim, ClaimDirection, Estimate, Evidence};
use crate::page::{Finding, FindingVerdict, Page};
use crate::plot::{Axis, Plot};
use crate::run::{LabError, fault};
use crate::selfplay::{games, pair_counts};
use crate::stored::Stored;
use crate::table::Table;

/// Samples drawn for an interval.
const ROUNDS: usize = 1_000;

/// The page from top to bottom.
pub(super) fn page(experiment: &Bonanza, stored: &Stored) -> Result<Page, LabError> {
    let settings: BonanzaSettings = stored.settings()?;
    let BonanzaResults { columns } = stored.results()?;
    let published: Published = serde_json::from_str(include_str!("published.json"))
        .map_err(|error| fault("published.json", &error))?;
    let main = columns.first().ok_or_else(|| fault("results", &"no games were learned from"))?;
    let mut page = Page::new();
    let claims = stored.claims(experiment)?;
    let findings = claims.judge(|claim| evidence(claim, &published, main));
    headline(&mut page, &findings, main);
    page.add_findings(findings);
    write_data(&mut page, &columns);
    write_strength(&mut page, &settings, &columns);
    write_agreement(&mut page, &columns);
    maps::write(&mut page, &published, main);
    write_learning(&mut page, &columns);
    Ok(page)
}

fn headline(page: &mut Page, findings: &[Finding], main: &Column) {
    let played = find(main, SPLIT, SINGLE, false).and_then(ArmMatch::score);
    let score = played.map_or("not played".to_string(), |score| score.text(1));
    let gain = gain(main, METHODS[0].1, SPLIT, SINGLE);
    let points = gain.map_or("not measured".to_string(), |gain| gain.signed(2));
    let words = (
        format!(
            "The split by progress agrees {points} points more often with record moves than one vector, and scores {score} % against it."
        ),
        format!(
            "進行度による分割は、一つのベクトルより棋譜の手との一致率が{points}ポイント高く、直接対局の得点率は{score} %である。"
        ),
    );
    let verdict = findings.first().map_or(FindingVerdict::Open, |finding| finding.verdict);
    page.headline(words, verdict, "strength.svg");
}

/// What was seen of a claim, in the main column.
fn evidence(claim: &Claim, published: &Published, main: &Column) -> Evidence {
    let [first, second] = match &claim.compare[..] {
        [first, second] => [first.as_str(), second.as_str()],
        _ => ["", ""],
    };
    match claim.name.as_str() {
        "maps" => maps::maps_agree(published, main),
        "opening-smaller" => maps::smaller_in_the_opening(published, main),
        "endgame-king" => maps::endgame_centres_on_the_king(published, main, claim.threshold),
        "agreement-split" | "agreement-learned" => agrees(main, first, second),
        "m1-30-points" => fall(main, published),
        "middle-hand-made" => {
            let record = &published.against_earlier;
            let text =
                format!("{}-{} of {} games, one vector", record.won, record.lost, record.games);
            score(main, first, second, true, claim.threshold).beside(text)
        }
        "safety-10-points" => score(main, first, second, false, claim.threshold)
            .beside(format!("over {:+.0} points", published.safety_points)),
        name => score(main, first, second, name.starts_with("middle"), claim.threshold),
    }
}

fn find<'a>(column: &'a Column, first: &str, second: &str, middle: bool) -> Option<&'a ArmMatch> {
    column.matches.iter().find(|m| m.first == first && m.second == second && m.middle == middle)
}

impl ArmMatch {
    /// Nodes a second of one side.
    fn node_rate(&self, side: usize) -> String {
        let nodes: u64 = self.pairs.iter().map(|pair| pair.nodes[side]).sum();
        let micros: u64 = self.pairs.iter().map(|pair| pair.micros[side]).sum();
        format!("{:.0}", 1e6 * nodes as f64 / micros.max(1) as f64)
    }

    /// Score in per cent with its interval, from pairs.
    fn score(&self) -> Option<Estimate> {
        let counts = pair_counts(&self.pairs);
        let (mean, variance) = counts.mean_and_variance();
        let error = 1.96 * (variance / counts.total().max(1) as f64).sqrt();
        let ends = (100.0 * (mean - error), 100.0 * (mean + error));
        (counts.total() > 0).then(|| Estimate::new(100.0 * mean, ends, 2 * self.pairs.len()))
    }
}

fn score(main: &Column, first: &str, second: &str, middle: bool, threshold: f64) -> Evidence {
    match find(main, first, second, middle).and_then(ArmMatch::score) {
        None => Evidence::missing("This match was not played."),
        Some(seen) => {
            let ours = format!("{first} against {second}: {} %", seen.text(1));
            Evidence::estimate(seen, ClaimDirection::Above, threshold, ours)
        }
    }
}

/// By how many points self-play falls without M1.
fn fall(main: &Column, published: &Published) -> Evidence {
    let beside = format!("{:+.0} points", published.without_m1_points);
    let Some(seen) = find(main, SPLIT, FREE, false).and_then(ArmMatch::score) else {
        return Evidence::missing("This match was not played.").beside(beside);
    };
    let points = Estimate::new(50.0 - seen.value, (50.0 - seen.high, 50.0 - seen.low), seen.count);
    let about = published.without_m1_points;
    let ours = format!("{} points", points.signed(1));
    Evidence::within(points, (about - 5.0, about + 5.0), ours).beside(beside).saying((
        "Points are per cent of the score below one half; about is within 5 points.",
        "ポイントは勝率が5割を下回る分（%）。「約」は5ポイント以内とする。",
    ))
}

/// Games of an arm by one way to value moves.
fn agreement_of<'a>(column: &'a Column, method: &str, arm: &str) -> Option<&'a [ByGame]> {
    let wanted = |a: &&ArmAgreement| a.method == method && a.arm == arm;
    column.agreement.iter().find(wanted).map(|a| a.games.as_slice())
}

/// The difference of first places in points, with its interval from drawing games anew. Arms with
/// more seeds count more positions, so that shares are compared.
fn gain(column: &Column, method: &str, first: &str, second: &str) -> Option<Estimate> {
    let (ours, theirs) =
        (agreement_of(column, method, first)?, agreement_of(column, method, second)?);
    let share = |games: &[ByGame], places: &[f64]| {
        let drawn = || places.iter().map(|&place| &games[place as usize]);
        let positions: u64 = drawn().map(|game| game.positions).sum();
        let points: f64 = drawn().map(|game| game.top[0]).sum();
        (positions > 0).then(|| 100.0 * points / positions as f64)
    };
    let gap = |places: &[f64]| Some(share(ours, places)? - share(theirs, places)?);
    let places: Vec<f64> = (0..ours.len()).map(|place| place as f64).collect();
    Some(Estimate::new(gap(&places)?, bootstrap(&places, ROUNDS, 1, gap)?, places.len()))
}

fn agrees(main: &Column, first: &str, second: &str) -> Evidence {
    match gain(main, METHODS[0].1, first, second) {
        None => Evidence::missing("Not measured."),
        Some(seen) => {
            let ours = format!("{} points, {}", seen.signed(2), METHODS[0].1);
            Evidence::estimate(seen, ClaimDirection::Above, 0.0, ours).saying((
                "Both arms learned from the same games; the interval draws test games anew.",
                "どちらも同じ棋譜から学習した。区間は検証の対局を引き直して求めた。",
            ))
        }
    }
}

fn write_data(page: &mut Page, columns: &[Column]) {
    page.heading(("The games", "棋譜"));
    let mut table =
        Table::new(["column", "games learned from", "games kept aside", "lines without a game"]);
    for column in columns {
        table.row([
            column.source.clone(),
            column.train.to_string(),
            column.test.to_string(),
            column.skipped.to_string(),
        ]);
    }
    page.table(
        "games",
        (
            "The main column comes first. All arms see the same games; a seed is an order of the batches. A game belongs to the 5 % that are \
             kept aside by a hash of its record",
            "主となる列が先頭である。どの変種も同じ棋譜から学ぶ。seedはバッチの順序を表す。学習に使わない5 %の棋譜は、棋譜のハッシュ値で選ぶ",
        ),
        &table,
    );
    page.paragraph((
        "Anyone repeats the column of the carried games with `yomikiri lab run bonanza`. The other games are named by `--games FILE`: one a \
         line, `startpos moves ...` in the first column and the result (B, W or D) in the second, packed or not; collections of \
         professional title games in KIF or CSA form are found on the web and become such a file by `yomikiri convert`.",
        "同梱の棋譜の列は`yomikiri lab run bonanza`で誰でも再現できる。ほかの棋譜は`--games FILE`で指定する。一行に一局、第一列に\
         `startpos moves ...`、第二列に結果（B・W・D）を書く（圧縮も可）。KIFやCSA形式のプロの棋譜は`yomikiri convert`でこの形になる。",
    ));
}

fn write_strength(page: &mut Page, settings: &BonanzaSettings, columns: &[Column]) {
    page.heading(("Strength", "強さ"));
    if let Some(main) = columns.first() {
        page.figure(
            "strength",
            (
                "Score of the first of each pair, with 95 % intervals; beyond the line 50 the first is stronger.",
                "各組の前者の得点率（95 %区間）。50より上なら前者が強い。",
            ),
            &strength_plot(main),
        );
    }
    let mut table = Table::new([
        "column",
        "starts",
        "first",
        "second",
        "won",
        "drawn",
        "lost",
        "score of the first, 95 %",
    ]);
    let mut rates =
        Table::new(["column", "first", "second", "nodes/s of the first", "of the second"]);
    for column in columns {
        for played in &column.matches {
            let [won, drawn, lost] = games(&played.pairs);
            table.row([
                column.source.clone(),
                if played.middle { "middle game" } else { "openings" }.to_string(),
                played.first.clone(),
                played.second.clone(),
                won.to_string(),
                drawn.to_string(),
                lost.to_string(),
                played.score().map_or("–".into(), |score| score.text(1)),
            ]);
            let names = [&column.source, &played.first, &played.second].map(String::clone);
            rates.row(names.into_iter().chain([played.node_rate(0), played.node_rate(1)]));
        }
    }
    page.table(
        "matches",
        (
            format!(
                "Early openings, and positions of move {} of games kept aside that are about even; each with both colours, {} nodes a move, the \
                 engine's search as it is. The seeds of an arm play in turn",
                settings.middle_move, settings.match_nodes
            ),
            format!(
                "序盤の局面、および学習に使わない棋譜の{}手目のほぼ互角の局面から、先後を入れ替えて一手{}節点で指す。探索はエンジンの標準。各変種のseedは順に交代する",
                settings.middle_move, settings.match_nodes
            ),
        ),
        &table,
    );
    page.csv("node-rate-times", &rates);
}

fn strength_plot(main: &Column) -> Plot {
    let mut plot = Plot::new(
        "Score by match",
        Axis::linear("match, in the order of the table"),
        Axis::linear("score of the first, per cent").from_to(0.0, 100.0),
    );
    for (label, middle) in [("early openings", false), ("middle game", true)] {
        let all = main.matches.iter().enumerate().filter(|(_, played)| played.middle == middle);
        let found: Vec<(f64, Estimate)> =
            all.filter_map(|(at, played)| Some((at as f64 + 1.0, played.score()?))).collect();
        let data = found.iter().map(|(at, score)| (*at, score.value)).collect();
        let bars = found.iter().map(|(_, score)| (score.low, score.high)).collect();
        plot = plot.with_errors(label, data, bars);
    }
    plot
}

fn write_agreement(page: &mut Page, columns: &[Column]) {
    page.heading(("Agreement with games that were not learned from", "学習に使わない棋譜との一致"));
    let mut table = Table::new([
        "column",
        "arm",
        "valued by",
        "top 1 %",
        "top 3 %",
        "top 5 %",
        "opening %",
        "middle %",
        "endgame %",
        "positions",
    ]);
    let mut differences =
        Table::new(["column", "compared", "valued by", "difference in points, 95 %"]);
    for column in columns {
        for found in &column.agreement {
            table.row(agreement_row(column, found));
        }
        for (_, method) in METHODS {
            for (first, second) in COMPARED {
                if let Some(gain) = gain(column, method, first, second) {
                    differences.row([
                        column.source.clone(),
                        format!("{first} – {second}"),
                        method.to_string(),
                        gain.signed(2),
                    ]);
                }
            }
        }
    }
    page.table(
        "agreement",
        (
            "Positions with one legal move are left out; ties count a half; phases by thirds of progress; positions of all seeds together. The \
             arms with a constant in their name are the sweeps",
            "合法手が一つの局面は除く。同点は半分に数える。局面の段階は進行度の三等分、局面数はすべてのseedの合計。名前に定数のある変種は定数を変えたもの",
        ),
        &table,
    );
    page.table(
        "agreement-differences",
        (
            "First places; intervals by drawing games anew",
            "第一位の一致率の差。区間は棋譜を引き直して求める",
        ),
        &differences,
    );
}

fn agreement_row(column: &Column, found: &ArmAgreement) -> Vec<String> {
    let games = &found.games;
    let positions: u64 = games.iter().map(|game| game.positions).sum();
    let share = |sum: f64, of: u64| format!("{:.2}", 100.0 * sum / of.max(1) as f64);
    let mut row = vec![column.source.clone(), found.arm.clone(), found.method.clone()];
    row.extend(
        (0..3).map(|place| share(games.iter().map(|game| game.top[place]).sum(), positions)),
    );
    row.extend((0..3).map(|phase| {
        let of = games.iter().map(|game| game.phases[phase].1).sum();
        share(games.iter().map(|game| game.phases[phase].0).sum(), of)
    }));
    row.push(positions.to_string());
    row
}

fn write_learning(page: &mut Page, columns: &[Column]) {
    page.heading(("Learning", "学習"));
    let mut table =
        Table::new(["column", "arm", "seed", "mean T of the last batch", "pairs of moves"]);
    for column in columns {
        for arm in &column.learned {
            table.row([
                column.source.clone(),
                arm.arm.clone(),
                arm.seed.to_string(),
                format!("{:.4}", arm.loss),
                arm.siblings.to_string(),
            ]);
        }
    }
    let caption = (
        "How the objective stood at the end; 0.5 is chance",
        "学習の終わりでの目的関数の値。0.5は偶然の水準",
    );
    page.table("learning", caption, &table);
}
