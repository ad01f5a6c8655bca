// Long: the whole page of one experiment.
//! Tables, figures and verdicts of the speculative experiment.

use serde::Deserialize;

use super::compare::{Figure, Gain};
use super::human::{self, Trial};
use super::positions::{Lost, ProgramRole};
use super::{Grade, Measured, Readings, Speculative, SpeculativeResults, SpeculativeSettings};
use crate::claims::{Claim, ClaimDirection, Estimate, Evidence};
use crate::page::{Finding, Page};
use crate::plot::{Axis, Plot};
use crate::run::LabError;
use crate::stored::Stored;
use crate::table::Table;
use yomikiri_arena::stats::wilson;
use yomikiri_render::{Picture, draw};
use yomikiri_shogi::Position;

const PUBLISHED: &str = include_str!("published.json");

/// The paper's figures that verdicts need.
#[derive(Deserialize)]
pub struct Published {
    source: String,
    /// How many positions each player had.
    pub positions: u32,
    /// The players.
    pub players: Vec<PlayerRow>,
}

/// A player: mates found of those positions.
#[derive(Deserialize)]
pub struct PlayerRow {
    /// The grade.
    pub grade: String,
    /// Against the program's own choices.
    pub non: u32,
    /// Against Spec.
    pub spec: u32,
}

/// The paper's figures.
pub fn published() -> Published {
    serde_json::from_str(PUBLISHED).unwrap_or(Published {
        source: String::new(),
        positions: 1,
        players: Vec::new(),
    })
}

/// The page.
pub fn page(experiment: &Speculative, stored: &Stored) -> Result<Page, LabError> {
    let settings: SpeculativeSettings = stored.settings()?;
    let results: SpeculativeResults = stored.results()?;
    let SpeculativeResults { grades, defenders, attackers, readings, people } = &results;
    let mut page = Page::new();
    let seed = stored.seed();
    let findings = stored.claims(experiment)?.judge(|claim| evidence(claim, &results, seed));
    headline(&mut page, &findings, &results, seed);
    page.add_findings(findings);
    about(&mut page, &settings, grades, [defenders, attackers]);
    page.heading(("The side that is being mated", "詰まされる側"));
    mates_found(&mut page, grades, defenders, people);
    all_rates(&mut page, defenders, "Spec", seed);
    by_nodes(&mut page, defenders, readings);
    candidates(&mut page, defenders);
    page.heading(("The side without defence", "受けのない側"));
    page.paragraph(format!(
        "To survive is, with few exceptions, that no loss is proven any more within {} nodes. A policy that seeks what is \
         hard to prove, as SpecD does, may owe part of its lead to that limit and not to the opponents' mistakes.",
        settings.effort.all
    ));
    all_rates(&mut page, attackers, "SpecC", seed);
    agreement(&mut page, attackers);
    checks(&mut page, attackers);
    Ok(page)
}

fn headline(page: &mut Page, findings: &[Finding], results: &SpeculativeResults, seed: u64) {
    let Some(first) = findings.first() else { return };
    let opponent = place(&results.grades, &results.defenders, 0);
    let row = |name: &str| results.defenders.row(opponent, name);
    let gain = Gain::of(&row("Spec"), &row("Non"), seed).survived.points();
    let words = (
        format!(
            "Against the reader that stands for the strongest player, Spec survives {gain} points more often than the engine's own choice."
        ),
        format!("最も強い相手役に対し、Specの生存率は通常の選択より{gain}ポイント高い。"),
    );
    page.headline(words, first.verdict, "survived-defender.svg");
}

fn about(page: &mut Page, settings: &SpeculativeSettings, grades: &[Grade], kinds: [&Measured; 2]) {
    page.heading(("What was played", "対局"));
    page.paragraph(format!(
        "{} positions of a side that is being mated and {} of a side without defence, from {}. A position is played on until \
         the losing side is mated, no loss is proven any more, or it can mate; what is not mated in {} plies counts as \
         survived. Plies are those until mate, and are compared where both policies were mated. Non is the engine's own choice at {} nodes. Chance is tried {} times. Intervals are of 95 %; differences \
         are taken position by position (bootstrap).",
        kinds[0].positions.len(),
        kinds[1].positions.len(),
        settings.positions.display(),
        settings.most_plies,
        settings.own_nodes,
        settings.rounds
    ));
    let mut table = Table::new(["grade", "reader's nodes", "finds here", "the player found"]);
    for grade in grades {
        table.row([
            grade.name.clone(),
            grade.nodes.to_string(),
            format!("{:.0} %", 100.0 * grade.found),
            format!("{:.0} %", 100.0 * grade.published),
        ]);
    }
    page.plain_table(
        format!(
            "The grades: readers of likely moves first whose share of mates found against Non is nearest to the player's, on \
             {} positions that are not measured below",
            settings.calibration
        ),
        &table,
    );
}

/// The place of a grade among the opponents: the grades come last.
fn place(grades: &[Grade], measured: &Measured, grade: usize) -> usize {
    measured.opponents.len() - grades.len() + grade
}

/// What was seen of a claim.
fn evidence(claim: &Claim, results: &SpeculativeResults, seed: u64) -> Evidence {
    let SpeculativeResults { grades, defenders, attackers, readings, .. } = results;
    if claim.name == "nodes-and-people" {
        return nodes_and_people(defenders, readings, claim.threshold);
    }
    let [ours, other] = &claim.compare[..] else { return Evidence::missing("") };
    let attacking = claim.name.starts_with("attack");
    let measured = if attacking { attackers } else { defenders };
    let one_grade = grades.iter().position(|grade| claim.name.ends_with(&grade.name));
    let weakest = claim.name.ends_with("weakest").then(|| grades.len().saturating_sub(1));
    let side =
        if claim.name.contains("no-more") { ClaimDirection::Below } else { ClaimDirection::Above };
    let met = match one_grade.or(weakest) {
        Some(grade) => grade..grade + 1,
        None => 0..grades.len(),
    };
    let (mut cases, mut shown) = (Vec::new(), Vec::new());
    for grade in met {
        let opponent = place(grades, measured, grade);
        let gain = Gain::of(&measured.row(opponent, ours), &measured.row(opponent, other), seed);
        let seen = gain.survived.estimate(measured.positions.len());
        cases.push(Evidence::estimate(seen, side, 0.0, String::new()));
        shown.push(format!(
            "{} {} points, {} plies",
            grades[grade].name,
            gain.survived.points(),
            gain.plies.signed()
        ));
    }
    let ours = format!("{ours} over {other}, survived: {}", shown.join("; "));
    let evidence = Evidence::every(cases, ours);
    match one_grade.filter(|_| other == "Non") {
        Some(grade) => evidence.beside(table_three(grade)),
        None => evidence,
    }
}

/// Table 3 of the paper for one player.
fn table_three(grade: usize) -> String {
    let all = published();
    let player = all.players.get(grade);
    player.map_or_else(String::new, |player| {
        format!("mates found of {}: Non {}, Spec {}", all.positions, player.non, player.spec)
    })
}

/// How often the mate that takes the solver most nodes is not the one that takes a reader most.
fn nodes_and_people(measured: &Measured, readings: &[Readings], threshold: f64) -> Evidence {
    let (mut differ, mut count) = (0, 0);
    for (lost, read) in measured.positions.iter().zip(readings) {
        let most = |values: Vec<u64>| {
            let greatest = values.iter().copied().max();
            (0..values.len()).filter(|&at| Some(values[at]) == greatest).collect::<Vec<_>>()
        };
        let solver = most(lost.mated.iter().map(|one| one.nodes).collect());
        let reader = most(read.iter().map(|nodes| nodes.unwrap_or(u64::MAX)).collect());
        count += 1;
        differ += usize::from(!solver.iter().any(|at| reader.contains(at)));
    }
    let share = f64::from(differ as u32) / f64::from(count.max(1) as u32);
    let ends = wilson(differ as f64, count as f64).unwrap_or((0.0, 1.0));
    let seen = Estimate::new(share, ends, count);
    let ours = format!(
        "in {differ} of {count} positions the move whose mate takes PDS most nodes is not the one whose mate takes a \
         reader of likely moves most; share {}",
        seen.text(2)
    );
    Evidence::estimate(seen, ClaimDirection::Above, threshold, ours)
        .saying((
            "The reader stands for people; it shares their habit of looking at likely moves first and nothing else.",
            "読み手は人の代わりである。ありそうな手から読むという習慣だけを人と同じくする。",
        ))
}

/// Table 3 in our terms, people included.
fn mates_found(page: &mut Page, grades: &[Grade], measured: &Measured, people: &[Trial]) {
    let mut table = Table::new(["who", "against", "mates found", "of", "published"]);
    let all = published();
    for (at, player) in all.players.iter().enumerate() {
        let opponent = place(grades, measured, at);
        for name in measured.names() {
            let row = measured.row(opponent, &name);
            let published = match name.as_str() {
                "Non" => format!("{} of {}", player.non, all.positions),
                "Spec" => format!("{} of {}", player.spec, all.positions),
                _ => "–".to_string(),
            };
            table.row([
                measured.opponents[opponent].0.clone(),
                name,
                format!("{:.1}", row.mated()),
                row.survived.len().to_string(),
                published,
            ]);
        }
    }
    for row in human::table(people).into_iter().filter(|row| !row.published) {
        let against = match row.kind {
            ProgramRole::Defender => row.program,
            ProgramRole::Attacker => format!("{}, attacking", row.program),
        };
        let (found, of) = (row.found.to_string(), row.of.to_string());
        table.row([format!("{} (a person)", row.name), against, found, of, "–".to_string()]);
    }
    page.table("mates-found", format!("Mates found ({})", all.source), &table);
}

/// Every policy against every opponent.
fn all_rates(page: &mut Page, measured: &Measured, ours: &str, seed: u64) {
    let mut table = Table::new([
        "opponent",
        "policy",
        "survived",
        "with a mate of its own",
        "plies until mate",
        &format!("{ours} over it, points"),
        &format!("{ours} over it, plies"),
    ]);
    for (at, (opponent, _)) in measured.opponents.iter().enumerate() {
        let best = measured.row(at, ours);
        for name in measured.names() {
            let row = measured.row(at, &name);
            let gain = Gain::of(&best, &row, seed);
            let same = name == ours;
            let or_dash = |text: String| if same { "–".to_string() } else { text };
            table.row([
                opponent.clone(),
                name,
                row.rate().percent(),
                format!("{:.1}", row.turned.iter().sum::<f64>()),
                row.lasting(seed).plain(),
                or_dash(gain.survived.points()),
                or_dash(gain.plies.signed()),
            ]);
        }
    }
    let kind = format!("{:?}", measured.kind).to_lowercase();
    let name = format!("survived-{kind}");
    page.figure(
        &name,
        "Positions survived against solvers by their nodes, with 95 % intervals; the table has more policies and the readers",
        &by_strength(measured),
    );
    page.table(
        &name,
        format!("Survived, of {} positions, with 95 % intervals", measured.positions.len()),
        &table,
    );
}

/// More lines than these leave room for could not be distinguished.
const NOT_DRAWN: [&str; 4] = ["random check", "chess bonus", "SpecB", "SpecC, Lv2"];

fn by_strength(measured: &Measured) -> Plot {
    let title = format!("{:?}: survived", measured.kind);
    let mut plot = Plot::new(
        &title,
        Axis::log("nodes of the solver"),
        Axis::linear("survived, per cent").from_to(0.0, 100.0),
    );
    for name in measured.names().into_iter().filter(|name| !NOT_DRAWN.contains(&name.as_str())) {
        let solvers = measured.opponents.iter().enumerate();
        let points = solvers
            .filter(|(_, (_, opponent))| opponent.sight == super::Sight::Solver)
            .map(|(at, (_, opponent))| (opponent.nodes as f64, measured.row(at, &name).rate()));
        let points: Vec<(f64, Figure)> = points.collect();
        let data = points.iter().map(|(nodes, rate)| (*nodes, 100.0 * rate.mean)).collect();
        let bars = points.iter().map(|(_, rate)| (100.0 * rate.low, 100.0 * rate.high)).collect();
        plot = plot.with_joined_errors(&name, data, bars);
    }
    plot
}

/// Mates by the nodes that PDS needs: how many a reader finds.
fn by_nodes(page: &mut Page, measured: &Measured, readings: &[Readings]) {
    let mut all: Vec<(u64, u32, Option<u64>)> = Vec::new();
    for (lost, read) in measured.positions.iter().zip(readings) {
        all.extend(lost.mated.iter().zip(read).map(|(one, &read)| (one.nodes, one.length, read)));
    }
    all.sort_unstable_by_key(|one| one.0);
    let mut table = Table::new([
        "nodes of PDS",
        "mates",
        "plies (mean)",
        "reader's nodes (median)",
        "not found",
    ]);
    for band in all.chunks(all.len().div_ceil(5).max(1)) {
        let mut nodes: Vec<u64> = band.iter().map(|one| one.2.unwrap_or(u64::MAX)).collect();
        nodes.sort_unstable();
        let median = nodes[nodes.len() / 2];
        let plies: f64 = band.iter().map(|one| f64::from(one.1)).sum();
        table.row([
            format!("{} to {}", band[0].0, band[band.len() - 1].0),
            band.len().to_string(),
            format!("{:.1}", plies / band.len() as f64),
            if median == u64::MAX { "not found".to_string() } else { median.to_string() },
            band.iter().filter(|one| one.2.is_none()).count().to_string(),
        ]);
    }
    page.table(
        "nodes-and-reading",
        "Fifths of all mates by the nodes of PDS, and what a reader of likely moves needs",
        &table,
    );
}

/// Table 1 in our terms: every move of a position with nodes and length.
fn candidates(page: &mut Page, measured: &Measured) {
    let headings = ["position", "move", "nodes", "plies", "mate"];
    let mut table = Table::new(headings);
    let mut shown = Table::new(headings);
    let example = example(&measured.positions, |lost| lost.mated.len() >= 4);
    for lost in &measured.positions {
        for one in &lost.mated {
            let cells = [
                lost.id.clone(),
                one.played.clone(),
                one.nodes.to_string(),
                one.length.to_string(),
                one.line.clone(),
            ];
            if Some(&lost.id) == example.map(|lost| &lost.id) {
                shown.row(cells.clone());
            }
            table.row(cells);
        }
    }
    page.csv("candidates", &table);
    let sfen = example.map_or("", |lost| lost.sfen.as_str());
    draw_example(page, sfen);
    page.plain_table(format!("One of them, {sfen} (all in candidates.csv)"), &shown);
}

/// Tables 2, 5 and 7 in our terms: every check with its answers.
fn checks(page: &mut Page, measured: &Measured) {
    let headings = [
        "position",
        "check",
        "escapes",
        "recaptures",
        "blocks",
        "likely to lose",
        "nodes to disprove",
    ];
    let mut table = Table::new(headings);
    let mut shown = Table::new(headings);
    let example = example(&measured.positions, |lost| (4..=12).contains(&lost.checks.len()));
    for lost in &measured.positions {
        for check in &lost.checks {
            let share = |[mated, all]: [u32; 2]| format!("{mated}/{all}");
            let cells = [
                lost.id.clone(),
                check.played.clone(),
                share(check.escapes),
                share(check.recaptures),
                share(check.blocks),
                format!("{:.2}", check.likely),
                check.disproof.to_string(),
            ];
            if Some(&lost.id) == example.map(|lost| &lost.id) {
                shown.row(cells.clone());
            }
            table.row(cells);
        }
    }
    page.csv("checks", &table);
    let sfen = example.map_or("", |lost| lost.sfen.as_str());
    draw_example(page, sfen);
    page.plain_table(
        format!("One of them, {sfen}: answers that lose, of all (all in checks.csv)"),
        &shown,
    );
}

/// Draws the position of an example.
fn draw_example(page: &mut Page, sfen: &str) {
    if let Ok(position) = Position::from_sfen(sfen) {
        let board = draw(&Picture { position: &position, flipped: false });
        page.drawings(("The position of the example", "例の局面"), &[board]);
    }
}

fn example(positions: &[Lost], fits: impl Fn(&Lost) -> bool) -> Option<&Lost> {
    positions.iter().find(|lost| fits(lost)).or(positions.first())
}

/// Tables 4 and 6 in our terms: how often two policies choose the same move.
fn agreement(page: &mut Page, measured: &Measured) {
    let names = measured.names();
    let place = |name: &str| measured.policies.iter().position(|policy| policy == name);
    let mut headings = vec!["same choice, per cent".to_string()];
    headings.extend(names.iter().cloned());
    let mut table = Table::new(headings);
    for first in &names {
        let mut cells = vec![first.clone()];
        for second in &names {
            let (Some(a), Some(b)) = (place(first), place(second)) else { continue };
            let choices = || measured.played.iter().map(|played| &played.choices);
            let full = choices().filter(|choices| !choices.is_empty()).count();
            let same =
                choices().filter(|choices| !choices.is_empty() && choices[a] == choices[b]).count();
            cells.push(format!("{:.0}", 100.0 * same as f64 / full.max(1) as f64));
        }
        table.row(cells);
    }
    let kind = if measured.kind == ProgramRole::Attacker { "attacker" } else { "defender" };
    let name = format!("agreement-{kind}");
    page.table(&name, "How often two policies choose the same first move", &table);
}
