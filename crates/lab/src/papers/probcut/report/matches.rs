//! What ProbCut inside quiescence does to games: table 8, and the margin.

use super::{ReportContext, with_interval};
use crate::claims::Estimate;
use crate::page::{Page, Words};
use crate::papers::probcut::measure::sequential_test;
use crate::papers::probcut::{Breadth, Match, MatchSettings, Published, PublishedGames};
use crate::plot::{Axis, Plot};
use crate::selfplay::{games, pair_counts};
use crate::table::Table;
use yomikiri_arena::rating::{Strength, elo_of_score};
use yomikiri_arena::sprt::SprtVerdict;

impl Match {
    fn strength(&self) -> Option<Strength> {
        pair_counts(&self.pairs).strength()
    }

    /// Elo with its interval, and the games it rests on.
    pub(super) fn elo(&self) -> Option<Estimate> {
        let elo = self.strength()?.elo;
        let finite = elo.low.is_finite() && elo.high.is_finite();
        finite.then(|| Estimate::new(elo.value, (elo.low, elo.high), 2 * self.pairs.len()))
    }

    /// How the sequential test ended. Games that were played after it do not change it.
    pub(super) fn tested(&self, settings: &MatchSettings) -> Option<SprtVerdict> {
        let pairs = self.pairs.get(..self.tested_pairs?)?;
        Some(sequential_test(settings).verdict(&pair_counts(pairs)))
    }

    fn test_text(&self, settings: &MatchSettings) -> String {
        let Some(pairs) = self.tested_pairs else { return "–".into() };
        let counts = pair_counts(&self.pairs[..pairs.min(self.pairs.len())]);
        let ratio = sequential_test(settings).log_likelihood_ratio(&counts);
        let verdict = match self.tested(settings) {
            Some(SprtVerdict::AcceptH0) => "no gain",
            Some(SprtVerdict::AcceptH1) => "gain",
            _ => "not decided",
        };
        format!("{pairs}, {ratio:.2}, {verdict}")
    }
}

/// Writes table 8 and the sweep.
pub(super) fn write(page: &mut Page, context: &ReportContext<'_>) {
    let breadth = context.breadth();
    let settings = &context.settings.matches;
    page.heading((
        format!("Games against the program without ProbCut in quiescence ({})", breadth.name()),
        format!("静止探索のProbCutなしのプログラムとの対局（{}）", breadth.japanese()),
    ));
    page.paragraph(about(breadth, settings));
    page.figure(
        &breadth.file("margins"),
        (
            "Elo against the program without, by margin, with 95 % intervals.",
            "余裕wごとの、ProbCutなしに対するElo（95 %区間）。",
        ),
        &sweep_plot(&context.of.matches),
    );
    for (name, timed, caption) in [
        (
            "matches",
            false,
            (
                format!("Table 8 and the sweep, {} nodes a move", settings.match_nodes),
                format!("表8と余裕wの掃引（一手{}節点）", settings.match_nodes),
            ),
        ),
        (
            "matches-on-time",
            true,
            (
                format!("Table 8, {} ms a move", settings.match_millis),
                format!("表8（一手{}ミリ秒）", settings.match_millis),
            ),
        ),
    ] {
        page.table(&breadth.file(name), caption, &table(context, timed));
    }
}

/// How the games are played.
fn about(breadth: Breadth, settings: &MatchSettings) -> Words {
    let (program, japanese) = match breadth {
        Breadth::Paper => (
            format!("as in the problems, with the evaluation `{}`", settings.paper_evaluation),
            format!("問題と同じ探索、評価関数は`{}`", settings.paper_evaluation),
        ),
        Breadth::Narrow => {
            let names = settings.match_evaluations.join(", ");
            (
                format!("with the engine's default settings and the evaluations {names}"),
                format!("エンジンの標準の探索、評価関数は{names}"),
            )
        }
    };
    let most = crate::selfplay::rules().maximum_moves;
    let english = format!(
        "Both sides search {program}; the games come in pairs from one opening with colours swapped, and are drawn after {most} moves. \
         The sequential test asks at 5 % errors whether ProbCut is worth {} normalized Elo or nothing; it ends the games of a margin \
         when it is decided, but those of table 8, the control and the best then play {} pairs in any case. Intervals are 95 %, from pairs; \
         where the test ended the games, chance favours the side it ended them on. The control searches quiescence to depth 4 and has no \
         ProbCut: it shows what the deep search is worth at all. On time play the best and, with the paper's quiescence, table 8.",
        settings.sprt_elo, settings.least_pairs
    );
    let japanese = format!(
        "両者とも{japanese}。同じ開始局面から先後を入れ替えた二局を一組とし、{most}手で引き分けとする。逐次検定（誤り5 %）はProbCutが正規化Elo {}の得か得なしかを問い、\
         決まればその余裕の対局を終えるが、表8の値、対照、最良のものは必ず{}組を指す。区間は組による95 %区間。検定が対局を終えた場合、終えた側に偏る。対照は深さ4の静止\
         探索でProbCutなし。深い探索そのものの価値を示す。時間を限った対局は、最良のものと（論文の静止探索では）表8の値で行う。",
        settings.sprt_elo, settings.least_pairs
    );
    Words::from((english, japanese))
}

fn table(context: &ReportContext<'_>, timed: bool) -> Table {
    let mut table = Table::new([
        "evaluation",
        "ProbCut",
        "published: won-lost-drawn",
        "won-lost-drawn",
        "Elo",
        "likelihood of superiority, %",
        "test: pairs, log likelihood ratio, verdict",
    ]);
    for m in context.of.matches.iter().filter(|m| m.timed == timed) {
        let theirs = context.published.selfplay.iter().find(|row| Some(row.margin) == m.margin);
        let [won, drawn, lost] = games(&m.pairs);
        let strength = m.strength();
        table.row([
            m.evaluation.clone(),
            m.name.clone(),
            theirs.map_or("–".into(), |row| format!("{}-{}-{}", row.won, row.lost, row.drawn)),
            format!("{won}-{lost}-{drawn}"),
            with_interval(
                strength.as_ref().map(|s| s.elo.value),
                strength.as_ref().map(|s| (s.elo.low, s.elo.high)),
                0,
            ),
            strength.as_ref().map_or("–".into(), |s| format!("{:.1}", 100.0 * s.superiority)),
            m.test_text(&context.settings.matches),
        ]);
    }
    table
}

fn sweep_plot(all: &[Match]) -> Plot {
    let mut plot = Plot::new(
        "Strength by margin, ProbCut at the quiescence root",
        Axis::linear("margin w, pawns"),
        Axis::linear("Elo"),
    );
    let mut series: Vec<(&str, bool)> = Vec::new();
    for m in all {
        if !series.contains(&(m.evaluation.as_str(), m.timed)) {
            series.push((&m.evaluation, m.timed));
        }
    }
    for (shift, (evaluation, timed)) in series.into_iter().enumerate() {
        let of = |m: &&Match| m.evaluation == evaluation && m.timed == timed;
        let points: Vec<(f64, Estimate)> =
            all.iter().filter(of).filter_map(|m| Some((m.margin?, m.elo()?))).collect();
        let label = format!("{evaluation}, {}", if timed { "fixed time" } else { "fixed nodes" });
        let shift = 0.04 * shift as f64;
        let data = points.iter().map(|(w, elo)| (w + shift, elo.value)).collect();
        let bars = points.iter().map(|(_, elo)| (elo.low, elo.high)).collect();
        plot = plot.with_joined_errors(&label, data, bars);
    }
    plot
}

/// The published results with the Elo that they mean, were the games independent.
pub(super) fn published_games(published: &Published, margin: f64) -> String {
    let of = |row: &PublishedGames| {
        let count = f64::from(row.won + row.lost + row.drawn);
        let score = (f64::from(row.won) + 0.5 * f64::from(row.drawn)) / count;
        let squares = (f64::from(row.won) + 0.25 * f64::from(row.drawn)) / count;
        let error = 1.96 * ((squares - score * score) / count).sqrt();
        let ends = (elo_of_score(score - error), elo_of_score(score + error));
        let elo = with_interval(Some(elo_of_score(score)), Some(ends), 0);
        format!("w = {}: {}-{}-{}, Elo {elo}", row.margin, row.won, row.lost, row.drawn)
    };
    let rows = published.selfplay.iter().filter(|row| row.margin == margin);
    rows.map(of).collect::<Vec<_>>().join("; ")
}
