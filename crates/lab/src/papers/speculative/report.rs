// Long: the whole page of one experiment.
//! Tables, figures and verdicts of the speculative experiment.

use serde::Deserialize;

use super::compare::{Better, Gain};
use super::human::{self, Trial};
use super::positions::{Lost, ProgramRole};
use super::{Grade, Measured, Readings, SpeculativeSettings};
use crate::page::{Finding, FindingVerdict, Page};
use crate::plot::{Axis, Mark, Plot};
use crate::run::{LabError, Run};
use crate::table::Table;
use yomikiri_arena::stats::wilson;

const PUBLISHED: &str = include_str!("published.json");

/// The paper's figures that verdicts need.
#[derive(Deserialize)]
pub struct Published {
    source: String,
    /// How many positions each player had.
    pub positions: u32,
    /// The players.
    pub players: Vec<Player>,
}

/// A player: mates found of those positions.
#[derive(Deserialize)]
pub struct Player {
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

/// Writes all results.
pub fn write(
    run: &Run<'_>,
    settings: &SpeculativeSettings,
    grades: &[Grade],
    [defenders, attackers]: [&Measured; 2],
    readings: &[Readings],
    people: &[Trial],
) -> Result<Page, LabError> {
    let mut page = Page::new();
    let seed = run.seed();
    for finding in table_three(grades, defenders, seed) {
        page.finding(finding);
    }
    page.finding(against_baselines(grades, defenders, "Spec", seed));
    page.finding(nodes_and_people(defenders, readings));
    page.finding(spec_b(grades, attackers, seed));
    page.finding(formulas(grades, attackers, seed));
    page.finding(levels(grades, attackers, seed));
    about(&mut page, settings, grades, [defenders, attackers]);
    page.heading("The side that is being mated");
    mates_found(run, &mut page, grades, defenders, people)?;
    all_rates(run, &mut page, defenders, "Spec", seed)?;
    by_nodes(run, &mut page, defenders, readings)?;
    candidates(run, &mut page, defenders)?;
    page.heading("The side without defence");
    page.paragraph(&format!(
        "To survive is, with few exceptions, that no loss is proven any more within {} nodes. A policy that seeks what is \
         hard to prove, as SpecD does, may owe part of its lead to that limit and not to the opponents' mistakes.",
        settings.effort.all
    ));
    all_rates(run, &mut page, attackers, "SpecC", seed)?;
    agreement(run, &mut page, attackers)?;
    checks(run, &mut page, attackers)?;
    Ok(page)
}

fn about(page: &mut Page, settings: &SpeculativeSettings, grades: &[Grade], kinds: [&Measured; 2]) {
    page.heading("What was played");
    page.paragraph(&format!(
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
    page.table(
        &format!(
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

fn verdict(better: Better) -> FindingVerdict {
    match better {
        Better::First => FindingVerdict::Holds,
        Better::Second => FindingVerdict::Fails,
        Better::Neither => FindingVerdict::Open,
    }
}

/// Table 3: mates found against Non and against Spec.
fn table_three(grades: &[Grade], measured: &Measured, seed: u64) -> Vec<Finding> {
    let all = published();
    let finding = |(at, player): (usize, &Player)| {
        let opponent = place(grades, measured, at);
        let (spec, non) = (measured.row(opponent, "Spec"), measured.row(opponent, "Non"));
        let gain = Gain::of(&spec, &non, seed);
        let helped = player.spec < player.non;
        let claim = match helped {
            true => format!("Against the {} Spec saves more than Non", player.grade),
            false => format!("Against the {} Spec saves no more than Non", player.grade),
        };
        let better = gain.better();
        Finding {
            claim,
            published: format!(
                "mates found of {}: Non {}, Spec {}",
                all.positions, player.non, player.spec
            ),
            ours: format!(
                "mates found of {}: Non {}, Spec {}; survived {} points, {} plies",
                non.survived.len(),
                non.mated(),
                spec.mated(),
                gain.survived.points(),
                gain.plies.signed()
            ),
            verdict: match (helped, better) {
                (true, better) => verdict(better),
                (false, Better::First) => FindingVerdict::Fails,
                (false, Better::Second) => FindingVerdict::Holds,
                (false, Better::Neither) => FindingVerdict::Open,
            },
            words: match better {
                Better::First => "Spec survives more often, or as often and longer.".into(),
                Better::Second => "Non survives more often, or as often and longer.".into(),
                Better::Neither => "No difference is shown.".into(),
            },
        }
    };
    all.players.iter().enumerate().map(finding).collect()
}

/// Where a policy is better than others, where worse, and where neither is shown.
fn contest(
    grades: &[Grade],
    measured: &Measured,
    ours: &str,
    others: &[String],
    seed: u64,
) -> [Vec<String>; 3] {
    let mut lists = [Vec::new(), Vec::new(), Vec::new()];
    for (at, grade) in grades.iter().enumerate() {
        let opponent = place(grades, measured, at);
        for other in others {
            let gain =
                Gain::of(&measured.row(opponent, ours), &measured.row(opponent, other), seed);
            let list = match gain.better() {
                Better::First => 0,
                Better::Second => 1,
                Better::Neither => 2,
            };
            lists[list].push(format!(
                "{other} at {} ({} points, {} plies)",
                grade.name,
                gain.survived.points(),
                gain.plies.signed()
            ));
        }
    }
    lists
}

fn told(ours: &str, [better, worse, open]: &[Vec<String>; 3]) -> String {
    let part = |word: &str, list: &[String]| match list {
        [] => String::new(),
        list => format!("{ours} is {word}: {}. ", list.join("; ")),
    };
    let text = part("better than", better) + &part("worse than", worse);
    (text + &part("not shown to differ from", open)).trim().to_string()
}

fn of_lists([better, worse, open]: &[Vec<String>; 3]) -> FindingVerdict {
    match (better.is_empty(), worse.is_empty(), open.is_empty()) {
        (false, true, true) => FindingVerdict::Holds,
        (false, _, _) => FindingVerdict::Partly,
        (true, false, _) => FindingVerdict::Fails,
        (true, true, _) => FindingVerdict::Open,
    }
}

const BASELINES: [&str; 3] = ["random", "longest mate", "chess bonus"];

fn against_baselines(grades: &[Grade], measured: &Measured, ours: &str, seed: u64) -> Finding {
    let lists = contest(grades, measured, ours, &BASELINES.map(str::to_string), seed);
    Finding {
        claim: format!("{ours} survives more often or longer than the baselines"),
        published: "not measured; the chess bonus is the predecessor".into(),
        ours: told(ours, &lists),
        verdict: of_lists(&lists),
        words: format!(
            "Better in {} of {} comparisons, worse in {}.",
            lists[0].len(),
            lists.iter().map(Vec::len).sum::<usize>(),
            lists[1].len()
        ),
    }
}

/// Whether the mate that takes the solver most nodes is also the one that takes a reader most.
fn nodes_and_people(measured: &Measured, readings: &[Readings]) -> Finding {
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
    let (low, high) = wilson(differ as f64, count as f64).unwrap_or((0.0, 1.0));
    Finding {
        claim: "The mate with most nodes is not always the hardest for people".into(),
        published: "figure 4: a mate of 5 plies was missed, one of 11 by only moves was found".into(),
        ours: format!(
            "in {differ} of {count} positions the move whose mate takes PDS most nodes is not the one whose mate takes a \
             reader of likely moves most ({:.0} % [{:.0}, {:.0}])",
            100.0 * share,
            100.0 * low,
            100.0 * high
        ),
        verdict: if low > 0.05 { FindingVerdict::Holds } else { FindingVerdict::Open },
        words: "The reader stands for people; it shares their habit of looking at likely moves first and nothing else."
            .into(),
    }
}

fn spec_b(grades: &[Grade], measured: &Measured, seed: u64) -> Finding {
    let opponent = measured.opponents.len() - 1;
    let weakest = grades.last().map_or("weakest", |grade| grade.name.as_str());
    let against = |other: &str| {
        Gain::of(&measured.row(opponent, "SpecB"), &measured.row(opponent, other), seed)
    };
    let (non, a) = (against("Non"), against("SpecA"));
    Finding {
        claim: "SpecB is not suited to fooling weak players".into(),
        published: "one position: its 5二竜 is seen through at once".into(),
        ours: format!(
            "at {weakest}: SpecB over Non {} points, over SpecA {} points",
            non.survived.points(),
            a.survived.points()
        ),
        verdict: match (non.better(), a.better()) {
            (Better::First, _) => FindingVerdict::Fails,
            (Better::Second, _) | (_, Better::Second) => FindingVerdict::Holds,
            _ => FindingVerdict::Open,
        },
        words: match non.better() {
            Better::First => "It survives more often, or longer, than the engine's own choice.",
            Better::Second => "The engine's own choice does better.",
            Better::Neither => "No difference to the engine's own choice is shown.",
        }
        .into(),
    }
}

fn formulas(grades: &[Grade], measured: &Measured, seed: u64) -> Finding {
    let others = ["SpecA", "SpecB"].map(str::to_string);
    let [c, d] = ["SpecC", "SpecD"].map(|ours| contest(grades, measured, ours, &others, seed));
    Finding {
        claim: "SpecC (likely answers) and SpecD (nodes to disprove) improve on SpecA and SpecB"
            .into(),
        published: "proposed; D was out of reach".into(),
        ours: format!("{} {}", told("SpecC", &c), told("SpecD", &d)),
        verdict: match (of_lists(&c), of_lists(&d)) {
            (FindingVerdict::Holds, FindingVerdict::Holds) => FindingVerdict::Holds,
            (FindingVerdict::Fails, FindingVerdict::Fails) => FindingVerdict::Fails,
            (FindingVerdict::Open, FindingVerdict::Open) => FindingVerdict::Open,
            _ => FindingVerdict::Partly,
        },
        words: format!(
            "C is better in {}, worse in {} of {} comparisons; D better in {}, worse in {}.",
            c[0].len(),
            c[1].len(),
            2 * grades.len(),
            d[0].len(),
            d[1].len()
        ),
    }
}

fn levels(grades: &[Grade], measured: &Measured, seed: u64) -> Finding {
    let others = ["SpecC".to_string()];
    let [one, two] =
        ["SpecC, Lv1", "SpecC, Lv2"].map(|ours| contest(grades, measured, ours, &others, seed));
    Finding {
        claim: "To parry first (Lv1, Lv2) is better than to go for mate at once (Lv0)".into(),
        published: "named, not tried".into(),
        ours: format!("{} {}", told("Lv1", &one), told("Lv2", &two)).replace("SpecC", "Lv0"),
        verdict: match (of_lists(&one), of_lists(&two)) {
            (FindingVerdict::Holds, FindingVerdict::Holds) => FindingVerdict::Holds,
            (FindingVerdict::Fails, FindingVerdict::Fails) => FindingVerdict::Fails,
            (FindingVerdict::Open, FindingVerdict::Open) => FindingVerdict::Open,
            _ => FindingVerdict::Partly,
        },
        words: "All levels use formula C once they go for mate.".into(),
    }
}

/// Table 3 in our terms, people included.
fn mates_found(
    run: &Run<'_>,
    page: &mut Page,
    grades: &[Grade],
    measured: &Measured,
    people: &[Trial],
) -> Result<(), LabError> {
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
    run.write_table("mates-found", &table)?;
    page.table(&format!("Mates found ({})", all.source), &table);
    Ok(())
}

/// Every policy against every opponent.
fn all_rates(
    run: &Run<'_>,
    page: &mut Page,
    measured: &Measured,
    ours: &str,
    seed: u64,
) -> Result<(), LabError> {
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
    run.write_table(&format!("survived-{kind}"), &table)?;
    let plot = by_strength(measured);
    run.write_plot(&format!("survived-{kind}"), &plot)?;
    page.figure("Positions survived against solvers of so many nodes; the table has more policies and the readers", &plot);
    page.table(
        &format!("Survived, of {} positions, with 95 % intervals", measured.positions.len()),
        &table,
    );
    Ok(())
}

/// More lines than these leave room for could not be told apart.
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
            .map(|(at, (_, opponent))| {
                (opponent.nodes as f64, 100.0 * measured.row(at, &name).rate().mean)
            })
            .collect();
        plot = plot.series(&name, Mark::Line, points);
    }
    plot
}

/// Mates by the nodes that PDS needs: how many a reader finds.
fn by_nodes(
    run: &Run<'_>,
    page: &mut Page,
    measured: &Measured,
    readings: &[Readings],
) -> Result<(), LabError> {
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
    run.write_table("nodes-and-reading", &table)?;
    page.table(
        "Fifths of all mates by the nodes of PDS, and what a reader of likely moves needs",
        &table,
    );
    Ok(())
}

/// Table 1 in our terms: every move of a position with nodes and length.
fn candidates(run: &Run<'_>, page: &mut Page, measured: &Measured) -> Result<(), LabError> {
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
    run.write_table("candidates", &table)?;
    let sfen = example.map_or("", |lost| lost.sfen.as_str());
    page.table(&format!("One of them, {sfen} (all in candidates.csv)"), &shown);
    Ok(())
}

/// Tables 2, 5 and 7 in our terms: every check with its answers.
fn checks(run: &Run<'_>, page: &mut Page, measured: &Measured) -> Result<(), LabError> {
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
    run.write_table("checks", &table)?;
    let sfen = example.map_or("", |lost| lost.sfen.as_str());
    page.table(
        &format!("One of them, {sfen}: answers that lose, of all (all in checks.csv)"),
        &shown,
    );
    Ok(())
}

fn example(positions: &[Lost], fits: impl Fn(&Lost) -> bool) -> Option<&Lost> {
    positions.iter().find(|lost| fits(lost)).or(positions.first())
}

/// Tables 4 and 6 in our terms: how often two policies choose the same move.
fn agreement(run: &Run<'_>, page: &mut Page, measured: &Measured) -> Result<(), LabError> {
    let names = measured.names();
    let place = |name: &str| measured.policies.iter().position(|policy| policy.name() == name);
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
    run.write_table(&format!("agreement-{kind}"), &table)?;
    page.table("How often two policies choose the same first move", &table);
    Ok(())
}
