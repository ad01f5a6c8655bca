//! Tables, plots and verdicts of the singular-extension experiment, from the results alone.

mod evidence;

use super::{
    Attempt, Change, Changes, Entrant, Family, LINES, Played, Singular, SingularResults,
    SingularSettings,
};
use crate::claims::{Estimate, NORMAL_95};
use crate::page::{Finding, FindingVerdict, Page, Words};
use crate::plot::{Axis, Plot};
use crate::run::LabError;
use crate::selfplay::{encounter, games};
use crate::stored::Stored;
use crate::table::Table;
use yomikiri_arena::rating::{Encounter, Ratings, likelihood_below, rate};

/// Draws added to every pairing that was played, so that a player without a loss has a rating.
const VIRTUAL_DRAWS: f64 = 0.2;

/// The page from top to bottom.
pub(super) fn page(experiment: &Singular, stored: &Stored) -> Result<Page, LabError> {
    let settings: SingularSettings = stored.settings()?;
    let results: SingularResults = stored.results()?;
    let rated = Rated::of(&results.entrants, &results.games);
    let mut page = Page::new();
    let claims = stored.claims(experiment)?;
    let findings = claims.judge(|claim| evidence::of(claim, &results, &rated));
    headline(&mut page, &findings, &results);
    page.add_findings(findings);
    page.paragraph((
        "The paper publishes no numbers; the columns of published figures on other pages have no counterpart here, and the \
         verdicts judge its findings in words.",
        "この論文は数値を公表していない。判定は文章で述べられた結論に対するものである。",
    ));
    write_rating_part(&mut page, &settings, &results, &rated);
    write_changes(&mut page, &results.changes);
    write_problems(&mut page, &results);
    write_forms(&mut page, &settings, &results);
    page.heading(("The size of this run", "この実行の規模"));
    page.paragraph((
        "The settings at the end of the page say how much was measured. Without a config file `yomikiri lab run singular` plays depths 2 \
         to 5, 100 games for every two players that meet and 60 where one searches to depth 5, 1,000 games for every two forms at 10,000 \
         nodes and 400 at 100 ms; `--problems FILE` asks problems made by people too. Every pair has an opening of its own.",
        "測定の規模はページ末尾の設定にある。設定ファイルなしの`yomikiri lab run singular`は深さ2〜5、対戦する二者ごとに100局（深さ5を含む場合は60局）、\
         形どうしは一手10,000節点で1,000局、100 msで400局を指す。`--problems FILE`で人が作った問題も解く。対局の組ごとに別の開始局面を使う。",
    ));
    Ok(page)
}

fn headline(page: &mut Page, findings: &[Finding], results: &SingularResults) {
    let of = |family| {
        let all = results.changes.iter().filter(|changes| changes.family == family);
        let all: Vec<Change> = all.flat_map(|changes| changes.positions.clone()).collect();
        let sum = Sum::of(&all);
        percent(sum.moves as u64, sum.positions as u64)
    };
    let (frontier, literal) = (of(Family::Frontier), of(Family::Literal));
    let words = (
        format!(
            "The extension changes the root move in {frontier} % of positions, by the paper's rule to the letter in {literal} %."
        ),
        format!(
            "延長は{frontier} %の局面で根の手を変える。論文の規則を文字どおりに取ると{literal} %である。"
        ),
    );
    let verdict = findings.first().map_or(FindingVerdict::Open, |finding| finding.verdict);
    page.headline(words, verdict, "rating-nodes.svg");
}

/// What a player did in all its games.
#[derive(Clone, Copy, Debug, Default)]
struct Effort {
    games: [u64; 3],
    moves: u64,
    nodes: u64,
    micros: u64,
}

impl Effort {
    fn nodes_per_move(&self) -> f64 {
        self.nodes as f64 / self.moves.max(1) as f64
    }

    fn millis_per_move(&self) -> f64 {
        self.micros as f64 / 1000.0 / self.moves.max(1) as f64
    }
}

fn efforts(players: usize, played: &Played) -> Vec<Effort> {
    let mut all = vec![Effort::default(); players];
    for (first, second, pair) in played {
        let won = games(std::slice::from_ref(pair));
        for (seat, player) in [*first, *second].into_iter().enumerate() {
            let effort = &mut all[player];
            let own = if seat == 0 { won } else { [won[2], won[1], won[0]] };
            (0..3).for_each(|i| effort.games[i] += own[i]);
            effort.moves += pair.moves[seat];
            effort.nodes += pair.nodes[seat];
            effort.micros += pair.micros[seat];
        }
    }
    all
}

/// Ratings with what each player spent.
struct Rated {
    elo: Option<Ratings>,
    efforts: Vec<Effort>,
}

impl Rated {
    fn of<T>(players: &[T], played: &Played) -> Rated {
        let encounters: Vec<Encounter> =
            played.iter().map(|(first, second, pair)| encounter(*first, *second, pair)).collect();
        let elo = rate(players.len(), &encounters, VIRTUAL_DRAWS).ok();
        Rated { elo, efforts: efforts(players.len(), played) }
    }

    /// The difference of two ratings, resting on the games of the one that has fewer.
    fn gain(&self, a: usize, b: usize) -> Option<Estimate> {
        let elo = self.elo.as_ref()?;
        let (gain, error) = (elo.elo[a] - elo.elo[b], elo.difference_error(a, b));
        let games = |at: usize| self.efforts[at].games.iter().sum::<u64>() as usize;
        Some(Estimate::new(gain, (gain - error, gain + error), games(a).min(games(b))))
    }

    /// How far a player stands above the line between two others at the same nodes.
    fn above_line(&self, at: usize, line: &[usize]) -> Option<Estimate> {
        let elo = self.elo.as_ref()?;
        let place = |at: usize| self.efforts[at].nodes_per_move().max(1.0).ln();
        let pair =
            line.windows(2).find(|pair| (place(pair[0])..=place(pair[1])).contains(&place(at)))?;
        let share = (place(at) - place(pair[0])) / (place(pair[1]) - place(pair[0])).max(1e-9);
        let expected = elo.elo[pair[0]] * (1.0 - share) + elo.elo[pair[1]] * share;
        let error = elo.difference_error(at, pair[0]).max(elo.difference_error(at, pair[1]));
        let gain = elo.elo[at] - expected;
        let games = self.efforts[at].games.iter().sum::<u64>() as usize;
        Some(Estimate::new(gain, (gain - error, gain + error), games))
    }
}

fn write_rating_part(
    page: &mut Page,
    settings: &SingularSettings,
    results: &SingularResults,
    rated: &Rated,
) {
    page.heading(("The rating table", "レーティング表"));
    let english = format!(
        "Plain alpha-beta searches to a fixed depth, evaluation `{}`, no transposition cuts, no pruning; `quiescence` adds our quiescence \
         search at the leaves. `frontier` is the paper's extension (gap three pawns, two plies, one leaf, value always written back unless \
         said otherwise), with the two best leaves compared at every frontier node; `literal` compares them only where both pass beta. \
         `original` is the definition of Anantharaman, Campbell and Hsu. Players whose depths differ by at most {} meet, {} pairs of games \
         each, {} from depth {} on; ratings are the likeliest (Bradley-Terry, {VIRTUAL_DRAWS} draws added to every pairing) about a mean of \
         0, with 95 % intervals from the pairs.",
        settings.evaluation, settings.apart, settings.pairs, settings.deep_pairs, settings.deep
    );
    let japanese = format!(
        "決まった深さまでの単純なαβ探索。評価関数は`{}`で、置換表による枝刈りもその他の枝刈りもない。`quiescence`は葉に静止探索を加える。`frontier`は論文の延長\
         （差は歩3枚、2手、葉一つ、値は必ず書き換える）で、葉の親すべてで最善の二つの葉を比べる。`literal`は二つともβを超えるときだけ比べる。`original`は\
         Anantharaman、Campbell、Hsuの定義。深さの差が{}以下の者どうしが{}組（深さ{}以上は{}組）対局する。レーティングはBradley-Terryの最尤値（平均0、\
         各組合せに{VIRTUAL_DRAWS}の引き分けを加える）、区間は組から求めた95 %区間。",
        settings.evaluation, settings.apart, settings.pairs, settings.deep, settings.deep_pairs
    );
    page.paragraph((english, japanese));
    if let Some(elo) = &rated.elo {
        page.figure(
            "rating-nodes",
            (
                "Rating against nodes a move, with 95 % intervals; each series is one variant at its depths, joined.",
                "一手あたりの節点数とレーティング（95 %区間）。線は同じ変種を深さの順に結ぶ。",
            ),
            &rating_plot(&results.entrants, elo, &rated.efforts),
        );
    }
    let names: Vec<&str> = results.entrants.iter().map(|entrant| entrant.name.as_str()).collect();
    let caption = ("Ratings, games and nodes a move", "レーティング、対局数、一手あたりの節点数");
    write_ratings(page, "ratings", caption.into(), &names, rated);
}

/// The columns of a rating table that are the same in every run.
const RATING_COLUMNS: [&str; 6] =
    ["player", "rating", "±", "above the next with, %", "won-lost-drawn", "nodes a move"];

/// Shows the ratings; times are in a file of their own, since they differ from run to run.
fn write_ratings(page: &mut Page, name: &str, caption: Words, players: &[&str], rated: &Rated) {
    let mut order: Vec<usize> = (0..players.len()).collect();
    if let Some(elo) = &rated.elo {
        order.sort_by(|&a, &b| elo.elo[b].total_cmp(&elo.elo[a]));
    }
    let mut table = Table::new(RATING_COLUMNS);
    let mut times = Table::new(["player", "milliseconds a move"]);
    for (place, &at) in order.iter().enumerate() {
        let effort = &rated.efforts[at];
        times.row([players[at].to_string(), format!("{:.2}", effort.millis_per_move())]);
        table.row(rating_row(players[at], rated.elo.as_ref(), effort, at, order.get(place + 1)));
    }
    page.table(name, caption, &table);
    page.csv(&format!("{name}-times"), &times);
}

fn rating_row(
    name: &str,
    rated: Option<&Ratings>,
    effort: &Effort,
    at: usize,
    next: Option<&usize>,
) -> [String; 6] {
    let [won, drawn, lost] = effort.games;
    let above = rated.zip(next).map(|(rated, &next)| superiority(rated, at, next));
    [
        name.to_string(),
        rated.map_or("–".into(), |rated| format!("{:.0}", rated.elo[at])),
        rated.map_or("–".into(), |rated| format!("{:.0}", rated.error(at))),
        above.map_or("–".into(), |above| format!("{:.0}", 100.0 * above)),
        format!("{won}-{lost}-{drawn}"),
        format!("{:.0}", effort.nodes_per_move()),
    ]
}

/// How likely one player is better than another.
fn superiority(rated: &Ratings, a: usize, b: usize) -> f64 {
    let gain = rated.elo[a] - rated.elo[b];
    1.0 - likelihood_below(0.0, gain, rated.difference_error(a, b) / NORMAL_95)
}

fn rating_plot(entrants: &[Entrant], rated: &Ratings, efforts: &[Effort]) -> Plot {
    let mut plot = Plot::new(
        "Rating against nodes",
        Axis::log("nodes a move"),
        Axis::linear("rating, Elo points"),
    )
    .with_legend_low();
    for family in [
        Family::Plain,
        Family::Frontier,
        Family::Literal,
        Family::PlainQuiet,
        Family::FrontierQuiet,
        Family::Varied,
        Family::Original,
    ] {
        let members = (0..entrants.len()).filter(|&at| entrants[at].family == family);
        let members: Vec<usize> = members.collect();
        let data =
            members.iter().map(|&at| (efforts[at].nodes_per_move(), rated.elo[at])).collect();
        let ends = |&at: &usize| (rated.elo[at] - rated.error(at), rated.elo[at] + rated.error(at));
        let bars = members.iter().map(ends).collect();
        plot = match family {
            Family::Varied => plot.with_errors(family.name(), data, bars),
            _ => plot.with_joined_errors(family.name(), data, bars),
        };
    }
    plot
}

/// The entrants of a family, by depth.
fn family(entrants: &[Entrant], family: Family) -> Vec<(i32, usize)> {
    let members = entrants.iter().enumerate().filter(|(_, entrant)| entrant.family == family);
    members.map(|(at, entrant)| (entrant.depth, at)).collect()
}

/// The sums over positions.
#[derive(Default)]
struct Sum {
    positions: usize,
    /// Frontier nodes, opened, value changed, best leaf changed.
    frontier: [u64; 4],
    /// Root moves and root values that changed.
    moves: usize,
    values: usize,
}

impl Sum {
    fn of(changes: &[Change]) -> Sum {
        let add = |sum: Sum, change: &Change| Sum {
            positions: sum.positions + 1,
            frontier: core::array::from_fn(|i| sum.frontier[i] + change.frontier[i]),
            moves: sum.moves + usize::from(change.root_move),
            values: sum.values + usize::from(change.root_value),
        };
        changes.iter().fold(Sum::default(), add)
    }
}

fn percent(part: u64, all: u64) -> String {
    format!("{:.1}", 100.0 * part as f64 / all.max(1) as f64)
}

fn write_changes(page: &mut Page, changes: &[Changes]) {
    let mut table = Table::new([
        "rule",
        "depth",
        "positions",
        "frontier nodes",
        "opened, %",
        "value changed, %",
        "value changed where opened, %",
        "best leaf changed where opened, %",
        "root value changed, %",
        "root move changed, %",
    ]);
    for Changes { family, depth, positions } in changes {
        let Sum { positions, frontier: [nodes, opened, value, played], moves, values } =
            Sum::of(positions);
        table.row([
            family.name().to_string(),
            depth.to_string(),
            positions.to_string(),
            nodes.to_string(),
            percent(opened, nodes),
            percent(value, nodes),
            percent(value, opened),
            percent(played, opened),
            percent(values as u64, positions as u64),
            percent(moves as u64, positions as u64),
        ]);
    }
    page.heading(("What the extension changes", "延長が変えるもの"));
    page.table(
        "changes",
        (
            "Searches of game positions with and without the extension, no quiescence. Frontier nodes below an opened leaf are not counted; by \
             the rule `frontier` a change beyond the window is not seen, so that the values changed are a lower bound",
            "棋譜の局面を延長あり・なしで探索する（静止探索なし）。延長した葉より下の節点は数えない。`frontier`では窓の外の変化は見えないので、値の変化は下限である",
        ),
        &table,
    );
}

fn mean_rank(attempts: &[Attempt]) -> f64 {
    let ranks = attempts.iter().map(|attempt| attempt.rank.unwrap_or(LINES + 1) as f64);
    ranks.sum::<f64>() / attempts.len().max(1) as f64
}

/// The mean rank of the solution where the answer was wrong.
fn mean_wrong_rank(attempts: &[Attempt]) -> f64 {
    let wrong: Vec<Attempt> =
        attempts.iter().copied().filter(|attempt| attempt.rank != Some(1)).collect();
    mean_rank(&wrong)
}

/// Problems right with the first and wrong with the second.
fn gained(first: &[Attempt], second: &[Attempt]) -> usize {
    let both = first.iter().zip(second);
    both.filter(|(first, second)| first.rank == Some(1) && second.rank != Some(1)).count()
}

fn right(attempts: &[Attempt]) -> usize {
    attempts.iter().filter(|attempt| attempt.rank == Some(1)).count()
}

fn problems_table(entrants: &[Entrant], attempts: &[Vec<Attempt>]) -> Table {
    let mut table = Table::new([
        "player",
        "right",
        "among 3",
        "among 5",
        "of",
        "mean rank",
        "mean rank where wrong",
        "nodes (five lines)",
    ]);
    for (entrant, of_entrant) in entrants.iter().zip(attempts) {
        let within = |most: usize| {
            let near = |attempt: &&Attempt| attempt.rank.is_some_and(|rank| rank <= most);
            of_entrant.iter().filter(near).count().to_string()
        };
        let nodes: u64 = of_entrant.iter().map(|attempt| attempt.nodes).sum();
        table.row([
            entrant.name.clone(),
            within(1),
            within(3),
            within(LINES),
            of_entrant.len().to_string(),
            format!("{:.2}", mean_rank(of_entrant)),
            format!("{:.2}", mean_wrong_rank(of_entrant)),
            nodes.to_string(),
        ]);
    }
    table
}

fn write_problems(page: &mut Page, results: &SingularResults) {
    page.heading(("Next-move problems", "次の一手問題"));
    for set in &results.problems {
        let (file, origin, origin_ja) = match set.by_people {
            true => ("problems-people", "made by people", "人が作った問題"),
            false => (
                "problems",
                "chosen by the engine with the learned evaluation",
                "学習した評価関数でエンジンが選んだ問題",
            ),
        };
        let caption = (
            format!(
                "`{}`, {origin}: right answers, and the rank of the solution among the five best moves (6 where it is not among them)",
                set.name
            ),
            format!(
                "`{}`（{origin_ja}）: 正解数と、正解手が上位五手の何番目か（その中になければ6）",
                set.name
            ),
        );
        page.table(file, caption, &problems_table(&results.entrants, &set.attempts));
    }
}

/// The forms in the engine itself.
fn write_forms(page: &mut Page, settings: &SingularSettings, results: &SingularResults) {
    page.heading(("The forms of today, in the engine itself", "今日の形（エンジン本体で）"));
    page.paragraph((
        "The engine's default search with each form: none, the paper's frontier form, the original definition (from depth 5), and the move of \
         the transposition table verified by a reduced search without it (from depth 7 and from depth 5).",
        "エンジンの標準の探索に各形を組み合わせる。なし、論文のfrontier、もとの定義（深さ5以上）、置換表の手をそれ抜きの浅い探索で確かめる形（深さ7以上と5以上）。",
    ));
    let names: Vec<&str> = results.forms.iter().map(String::as_str).collect();
    for (name, played, caption) in [
        (
            "forms-nodes",
            &results.form_games,
            (
                format!("At {} nodes a move", settings.form_nodes),
                format!("一手{}節点", settings.form_nodes),
            ),
        ),
        (
            "forms-time",
            &results.timed_games,
            (
                format!("At {} ms a move", settings.form_millis),
                format!("一手{}ミリ秒", settings.form_millis),
            ),
        ),
    ] {
        write_ratings(page, name, caption.into(), &names, &Rated::of(&names, played));
    }
}

#[cfg(test)]
mod tests {
    use super::{Attempt, gained, mean_wrong_rank};

    #[test]
    fn the_rank_where_wrong_leaves_right_answers_out() {
        let attempts = |ranks: [Option<usize>; 4]| ranks.map(|rank| Attempt { rank, nodes: 1 });
        let first = attempts([Some(1), Some(3), None, Some(1)]);
        let second = attempts([Some(1), Some(1), None, Some(2)]);
        assert_eq!(mean_wrong_rank(&first), 4.5);
        assert_eq!((gained(&first, &second), gained(&second, &first)), (1, 1));
    }
}
