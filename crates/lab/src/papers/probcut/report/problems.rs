//! What ProbCut inside quiescence does to next-move problems: table 7.

use super::{ROUNDS, ReportContext, with_interval};
use crate::claims::Estimate;
use crate::page::Page;
use crate::papers::probcut::{Answers, OfBreadth, Published, PublishedProblems};
use crate::table::Table;
use yomikiri_arena::stats::{bootstrap, sign_test};

pub(super) use crate::papers::probcut::measure::BASE;

impl Answers {
    pub(super) fn right(&self) -> usize {
        self.answers.iter().filter(|answer| answer.right).count()
    }

    /// Nodes as a share of those of another variant, with an interval over the problems.
    pub(super) fn ratio(&self, base: &Answers) -> Option<Estimate> {
        let ratio = |places: &[f64]| {
            let sum = |of: &Answers| -> u64 {
                places.iter().map(|&at| of.answers[at as usize].nodes).sum()
            };
            let below = sum(base);
            (below > 0).then(|| sum(self) as f64 / below as f64)
        };
        let places: Vec<f64> = (0..self.answers.len()).map(|at| at as f64).collect();
        let ends = bootstrap(&places, ROUNDS, 1, ratio)?;
        Some(Estimate::new(ratio(&places)?, ends, places.len()))
    }

    /// Problems right here and wrong there.
    pub(super) fn gained(&self, other: &Answers) -> usize {
        let both = self.answers.iter().zip(&other.answers);
        both.filter(|(ours, theirs)| ours.right && !theirs.right).count()
    }
}

/// The answers of a variant to a set.
pub(super) fn find<'a>(
    of: &'a OfBreadth,
    set: &str,
    evaluation: &str,
    variant: &str,
) -> Option<&'a Answers> {
    of.problems.iter().find(|answers| {
        answers.set == set && answers.evaluation == evaluation && answers.variant == variant
    })
}

/// Writes table 7, a table a set.
pub(super) fn write(page: &mut Page, context: &ReportContext<'_>) {
    let breadth = context.breadth();
    page.heading((
        format!("Next-move problems ({})", breadth.name()),
        format!("次の一手問題（{}）", breadth.japanese()),
    ));
    page.paragraph((
        "The search is the paper's: MTD(f) over realization probabilities to a fixed depth (and a limit of nodes, which few searches \
         reach), with quiescence of depth 8 below. The paper's problems are those of a book, and it does not say how many. Ours made by \
         people are the set named by `--problems`; those in data/next_moves.tsv were chosen by the engine with the learned evaluation, \
         which may favour `linear`.",
        "探索は論文のもの（実現確率によるMTD(f)、決まった深さ、ほとんど達しない節点の限度、その下に深さ8の静止探索）。論文の問題は本から取ったもので、数は述べられて\
         いない。人が作った問題は`--problems`で指定した集合である。data/next_moves.tsvは学習した評価関数でエンジンが選んだもので、`linear`に有利かもしれない。",
    ));
    let mut sets: Vec<(&str, bool)> = Vec::new();
    for answers in &context.of.problems {
        if !sets.iter().any(|known| known.0 == answers.set) {
            sets.push((&answers.set, answers.by_people));
        }
    }
    for (set, by_people) in sets {
        let (file, origin, origin_ja) = match by_people {
            true => ("problems-people", "made by people", "人が作った問題"),
            false => ("problems", "chosen by the engine", "エンジンが選んだ問題"),
        };
        let caption = (
            format!(
                "Table 7, the set `{set}`, {origin}: right answers, and nodes as a share of depth 8 without ProbCut. The paper's program \
                 used ProgressEval"
            ),
            format!(
                "表7、`{set}`（{origin_ja}）: 正解数と、ProbCutなしの深さ8に対する節点数の割合。論文のプログラムはProgressEvalを使う"
            ),
        );
        page.table(&breadth.file(file), caption, &table(context, set));
    }
}

fn table(context: &ReportContext<'_>, set: &str) -> Table {
    let mut table = Table::new([
        "evaluation",
        "variant",
        "published: right",
        "published: nodes",
        "right",
        "of",
        "gained / lost against depth 8",
        "sign test, p",
        "nodes",
    ]);
    for answers in context.of.problems.iter().filter(|answers| answers.set == set) {
        let Some(base) = find(context.of, set, &answers.evaluation, BASE) else { continue };
        let theirs = context.published.problems.iter().find(|row| row.variant == answers.variant);
        let theirs = theirs.filter(|_| answers.evaluation == "king-danger");
        let ratio = answers.ratio(base);
        table.row([
            answers.evaluation.clone(),
            answers.variant.clone(),
            theirs.map_or("–".into(), |row| row.right.to_string()),
            theirs.map_or("–".into(), |row| format!("{:.3}", row.nodes)),
            answers.right().to_string(),
            answers.answers.len().to_string(),
            format!("{} / {}", answers.gained(base), base.gained(answers)),
            format!("{:.2}", sign_test(answers.gained(base), base.gained(answers))),
            with_interval(ratio.map(|r| r.value), ratio.map(|r| (r.low, r.high)), 3),
        ]);
    }
    table
}

/// Table 7 of the paper in one line.
pub(super) fn published_answers(published: &Published) -> String {
    let of = |row: &PublishedProblems| {
        format!("{}: {} right, nodes {:.3}", row.variant, row.right, row.nodes)
    };
    published.problems.iter().map(of).collect::<Vec<_>>().join("; ")
}
