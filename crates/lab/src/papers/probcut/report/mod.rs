//! The page, from the results alone.

mod correlation;
mod evidence;
mod matches;
mod problems;
mod risk;

use super::sets::{ACCEPTED, PAPERS_RATIO, SETS, mean_ratio};
use super::{Breadth, OfBreadth, ProbCut, ProbcutResults, ProbcutSettings, Published, SetNodes};
use crate::claims::Estimate;
use crate::page::{FindingVerdict, Page};
use crate::run::{LabError, fault};
use crate::stored::Stored;
use crate::table::Table;
use yomikiri_arena::stats::bootstrap;

/// Samples drawn for an interval.
const ROUNDS: usize = 400;

/// What every part of the report needs.
struct ReportContext<'a> {
    settings: &'a ProbcutSettings,
    published: &'a Published,
    of: &'a OfBreadth,
}

impl ReportContext<'_> {
    fn breadth(&self) -> Breadth {
        self.of.breadth
    }
}

/// The page from top to bottom.
pub(super) fn page(experiment: &ProbCut, stored: &Stored) -> Result<Page, LabError> {
    let settings: ProbcutSettings = stored.settings()?;
    let results: ProbcutResults = stored.results()?;
    let published: Published = serde_json::from_str(include_str!("../published.json"))
        .map_err(|error| fault("published.json", &error))?;
    let mut page = Page::new();
    let claims = stored.claims(experiment)?;
    let findings = claims.judge(|claim| evidence::of(claim, &settings, &published, &results));
    let main = findings.iter().find(|finding| finding.claim.contains("Efficiency"));
    headline(&mut page, &results, main.map_or(FindingVerdict::Open, |finding| finding.verdict));
    page.add_findings(findings);
    write_sets(&mut page, &settings, &results);
    for of in &results.parts {
        let context = ReportContext { settings: &settings, published: &published, of };
        introduce(&mut page, of.breadth, &results.chosen);
        correlation::write(&mut page, &context);
        risk::write(&mut page, &context);
        problems::write(&mut page, &context);
        matches::write(&mut page, &context);
    }
    write_size(&mut page);
    Ok(page)
}

fn headline(page: &mut Page, results: &ProbcutResults, verdict: FindingVerdict) {
    let ratio = results
        .sets
        .iter()
        .find(|nodes| nodes.set == results.chosen && nodes.evaluation == "king-danger")
        .and_then(|nodes| mean_ratio(&nodes.positions))
        .unwrap_or(f64::NAN);
    let chosen = &results.chosen;
    let words = (
        format!(
            "With the set of moves `{chosen}` depth 4 of quiescence takes {ratio:.2} of the nodes of depth 8 (the paper's {} to {}); \
             the figure shows what ProbCut then saves.",
            PAPERS_RATIO.0, PAPERS_RATIO.1
        ),
        format!(
            "指し手集合「{chosen}」では、静止探索の深さ4の節点数は深さ8の{ratio:.2}倍（論文では{}〜{}）。図はProbCutによる節約を示す。",
            PAPERS_RATIO.0, PAPERS_RATIO.1
        ),
    );
    page.headline(words, verdict, "efficiency.svg");
}

/// The mean ratio of a set with its interval over positions.
fn ratio_of(nodes: &SetNodes) -> Option<Estimate> {
    let ratios: Vec<f64> = nodes
        .positions
        .iter()
        .map(|&[shallow, deep]| shallow as f64 / deep.max(1) as f64)
        .collect();
    let mean = |values: &[f64]| {
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let ends = bootstrap(&ratios, ROUNDS, 1, mean)?;
    Some(Estimate::new(mean(&ratios)?, ends, ratios.len()))
}

fn write_sets(page: &mut Page, settings: &ProbcutSettings, results: &ProbcutResults) {
    page.heading(("Which moves quiescence looks at", "静止探索が読む手"));
    page.paragraph((
        format!(
            "The paper does not say which moves its quiescence has. Its tables 4 and 6 together give back that depth 4 takes {} to {} of the \
             nodes of depth 8, position by position. The sets below were tried at game positions with an open window; the one nearest to \
             that, `{}`, stands for the paper's in what follows. A ratio from {} to {} counts as the paper's. Searches over {} nodes are broken \
             off: their ratio is then an upper bound, and such a set is not chosen.",
            PAPERS_RATIO.0, PAPERS_RATIO.1, results.chosen, ACCEPTED.0, ACCEPTED.1, settings.set_nodes
        ),
        format!("論文は静止探索が読む手を述べていない。表4と表6から、深さ4の節点数は局面ごとに深さ8の{}〜{}倍と分かる。以下では最も近い集合「{}」を論文の静止探索とみなす。{}節点を超えた探索は打ち切り（比はその場合上限である）、打ち切りのある集合は選ばない。", PAPERS_RATIO.0, PAPERS_RATIO.1, results.chosen, settings.set_nodes),
    ));
    let mut table = Table::new([
        "set",
        "moves",
        "evaluation",
        "positions",
        "mean of n4 / n8",
        "sums n4 / n8",
        "same tree, %",
        "mean nodes of depth 8",
        "broken off",
        "the paper's ratio",
    ]);
    for nodes in &results.sets {
        let what = SETS.iter().find(|set| set.name == nodes.set).map_or("", |set| set.what);
        let sum = |at: usize| nodes.positions.iter().map(|one| one[at]).sum::<u64>() as f64;
        let same = nodes.positions.iter().filter(|one| one[0] == one[1]).count();
        let count = nodes.positions.len().max(1) as f64;
        let ratio = ratio_of(nodes);
        let inside = ratio.is_some_and(|r| (ACCEPTED.0..=ACCEPTED.1).contains(&r.value));
        table.row([
            nodes.set.clone(),
            what.to_string(),
            nodes.evaluation.clone(),
            nodes.positions.len().to_string(),
            ratio.map_or("–".into(), |ratio| ratio.text(3)),
            format!("{:.3}", sum(0) / sum(1).max(1.0)),
            format!("{:.1}", 100.0 * same as f64 / count),
            format!("{:.0}", sum(1) / count),
            nodes.over.to_string(),
            if inside { "yes" } else { "no" }.to_string(),
        ]);
    }
    page.table(
        "sets",
        (
            "Sets of moves, and the nodes of depth 4 as a share of those of depth 8",
            "指し手の集合と、深さ8に対する深さ4の節点数の比",
        ),
        &table,
    );
}

fn introduce(page: &mut Page, breadth: Breadth, chosen: &str) {
    match breadth {
        Breadth::Paper => {
            page.heading((
                format!("The paper's quiescence: the set `{chosen}`"),
                format!("論文の静止探索: 集合「{chosen}」"),
            ));
            page.paragraph((
                "This is the form beside the published figures.",
                "公表値と並べるのはこの形である。",
            ));
        }
        Breadth::Narrow => {
            page.heading((
                "Narrow quiescence, the engine of today",
                "今日のエンジンの狭い静止探索",
            ));
            page.paragraph((
                "The same with the quiescence that the engine plays with: checks in the first ply alone, no captures that cannot \
                 reach alpha. Does ProbCut still have something to save?",
                "エンジンが対局で使う静止探索での同じ測定。王手は最初の一手だけで、αに届かない取りは読まない。ProbCutに節約の余地はあるか。",
            ));
        }
    }
}

/// Says how large a full run is.
fn write_size(page: &mut Page) {
    page.heading(("The size of this run", "この実行の規模"));
    page.paragraph((
        "The settings at the end of the page say how many games, problems and matches were measured. Without a config file \
         `yomikiri lab run probcut` measures 100 games, every position with the normal search too, all problems and up to 1,000 games for \
         each margin at 10,000 nodes (those of table 8, the control and the best in any case), and 400 at 100 ms; `--games FILE` adds a \
         second column of positions, `--problems FILE` problems made by people. Everything but times and the matches on time is the \
         same in every run with the same seed. Section 6.1 of the paper speaks of 5,496 positions, its table 1 of 7,596: table 1 is \
         taken here.",
        "測定の規模はページ末尾の設定にある。設定ファイルなしの`yomikiri lab run probcut`は100局のすべての局面を通常の探索でも読み、すべての問題を解き、余裕wごとに\
         一手10,000節点で最大1,000局（表8の値、対照、最良のものは必ず1,000局）、100 msで400局を指す。`--games FILE`で第二の局面の列、`--problems FILE`で人が作った\
         問題を加える。時間と、時間を限った対局のほかは、seedが同じなら同じ結果になる。論文の6.1節は5,496局面、表1は7,596局面と述べる。ここでは表1による。",
    ));
}

/// A value with its interval.
fn with_interval(value: Option<f64>, interval: Option<(f64, f64)>, digits: usize) -> String {
    match (value, interval) {
        (None, _) => "–".into(),
        (Some(value), None) => format!("{value:.digits$}"),
        (Some(value), Some((low, high))) => {
            format!("{value:.digits$} [{low:.digits$}, {high:.digits$}]")
        }
    }
}
