// Long: the whole page of one experiment.
//! Tables, plots and verdicts of the singular-extension experiment.

use super::{Attempt, Change, Entrant, Family, LINES, Measured, SingularSettings};
use crate::page::{Finding, FindingVerdict, Page};
use crate::plot::{Axis, Plot};
use crate::run::{LabError, Run};
use crate::selfplay::{Pair, Player, encounter, games};
use crate::table::Table;
use yomikiri_arena::rating::{Encounter, Ratings, likelihood_below, rate};
use yomikiri_arena::stats::sign_test;

/// Draws added to every pairing that was played, so that a player without a loss has a rating.
const VIRTUAL_DRAWS: f64 = 0.2;
/// Fewer games of a player than this decide nothing.
const FEWEST_GAMES: u64 = 20;
/// The two-sided 95 % point of the normal distribution.
const NORMAL_95: f64 = 1.959_963_984_540_054;

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

fn efforts(players: usize, played: &[(usize, usize, Pair)]) -> Vec<Effort> {
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

fn ratings(players: usize, played: &[(usize, usize, Pair)]) -> Option<Ratings> {
    let encounters: Vec<Encounter> =
        played.iter().map(|(first, second, pair)| encounter(*first, *second, pair)).collect();
    rate(players, &encounters, VIRTUAL_DRAWS).ok()
}

/// Writes everything and gives the page.
// Long: the page from top to bottom.
pub(super) fn write(
    run: &Run<'_>,
    settings: &SingularSettings,
    measured: &Measured,
) -> Result<Page, LabError> {
    let mut page = Page::new();
    page.paragraph(
        "The paper publishes no numbers; the columns of published figures on other pages have no counterpart here, and the \
         verdicts judge its findings in words.",
    );
    let players: Vec<&Player> = measured.entrants.iter().map(|entrant| &entrant.player).collect();
    let rated = ratings(players.len(), &measured.games);
    let efforts = efforts(players.len(), &measured.games);

    page.heading("The rating table");
    page.paragraph(&format!(
        "Plain alpha-beta searches to a fixed depth, evaluation `{}`, no transposition cuts, no pruning; `quiescence` adds our quiescence \
         search at the leaves. `frontier` is the paper's extension (gap three pawns, two plies, one leaf, value always written back unless \
         said otherwise), `original` the definition of Anantharaman, Campbell and Hsu. Players whose depths differ by at most {} meet, {} pair(s) of games \
         each; ratings are the likeliest (Bradley-Terry, {VIRTUAL_DRAWS} draws added to every pairing) about a mean of 0, with 95 % intervals \
         from the pairs.",
        settings.evaluation, settings.apart, settings.pairs
    ));
    write_ratings(
        run,
        &mut page,
        "ratings",
        "Ratings, games, nodes and time a move",
        &players,
        &rated,
        &efforts,
    )?;
    if let Some(rated) = &rated {
        let plot = rating_plot(&measured.entrants, rated, &efforts);
        run.write_plot("rating-nodes", &plot)?;
        page.figure("Rating against nodes a move, with 95 % intervals; each series is one variant at its depths.", &plot);
        page.finding(equal_depth(&measured.entrants, rated, &efforts));
        page.finding(equal_nodes(&measured.entrants, rated, &efforts));
    }

    page.heading("What the extension changes");
    let table = changes_table(&measured.changes);
    run.write_table("changes", &table)?;
    page.table(
        "Searches of game positions with and without the extension, no quiescence. Frontier nodes below an opened leaf are not counted; a \
         change beyond the window is not seen, so that the values changed are a lower bound",
        &table,
    );
    page.finding(changes_finding(&measured.changes));

    page.heading("Next-move problems");
    let table = problems_table(&measured.entrants, &measured.attempts);
    run.write_table("problems", &table)?;
    page.table(
        "Right answers, and the rank of the solution among the five best moves (6 where it is not among them)",
        &table,
    );
    page.finding(problems_finding(&measured.entrants, &measured.attempts));

    write_forms(run, &mut page, settings, measured)?;
    page.heading("The size of this run");
    page.paragraph(
        "The settings at the end of the page say how much was measured. Without a config file `yomikiri lab run singular` plays depths 2 \
         to 5 with 10 pairs for every two players that meet, the forms with 100 pairs at 10,000 nodes and 50 pairs at 50 ms; every pair has \
         an opening of its own.",
    );
    Ok(page)
}

/// The columns of a rating table that are the same in every run.
const RATING_COLUMNS: [&str; 6] =
    ["player", "rating", "±", "above the next with, %", "won-lost-drawn", "nodes a move"];

/// Shows the ratings on the page with the time of a move beside them; as files, ratings and times
/// are apart, since times differ from run to run.
fn write_ratings(
    run: &Run<'_>,
    page: &mut Page,
    name: &str,
    caption: &str,
    players: &[&Player],
    rated: &Option<Ratings>,
    efforts: &[Effort],
) -> Result<(), LabError> {
    let mut order: Vec<usize> = (0..players.len()).collect();
    if let Some(rated) = rated {
        order.sort_by(|&a, &b| rated.elo[b].total_cmp(&rated.elo[a]));
    }
    let mut file = Table::new(RATING_COLUMNS);
    let mut times = Table::new(["player", "milliseconds a move"]);
    let mut shown = Table::new(RATING_COLUMNS.into_iter().chain(["milliseconds a move"]));
    for (place, &at) in order.iter().enumerate() {
        let time = format!("{:.2}", efforts[at].millis_per_move());
        let row = rating_row(players[at], rated.as_ref(), &efforts[at], at, order.get(place + 1));
        times.row([players[at].name.clone(), time.clone()]);
        shown.row(row.iter().cloned().chain([time]));
        file.row(row);
    }
    run.write_table(name, &file)?;
    run.write_table(&format!("{name}-times"), &times)?;
    page.table(caption, &shown);
    Ok(())
}

fn rating_row(
    player: &Player,
    rated: Option<&Ratings>,
    effort: &Effort,
    at: usize,
    next: Option<&usize>,
) -> [String; 6] {
    let [won, drawn, lost] = effort.games;
    let above = rated.zip(next).map(|(rated, &next)| superiority(rated, at, next));
    [
        player.name.clone(),
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
        plot = plot.with_errors(family.name(), data, members.iter().map(ends).collect());
    }
    plot
}

/// The entrants of a family, by depth.
fn family(entrants: &[Entrant], family: Family) -> Vec<(i32, usize)> {
    let members = entrants.iter().enumerate().filter(|(_, entrant)| entrant.family == family);
    members.map(|(at, entrant)| (entrant.depth, at)).collect()
}

const SERIES: [(Family, Family, &str); 2] = [
    (Family::Frontier, Family::Plain, "no quiescence"),
    (Family::FrontierQuiet, Family::PlainQuiet, "quiescence"),
];

fn too_few(efforts: &[Effort]) -> bool {
    efforts.iter().any(|effort| effort.games.iter().sum::<u64>() < FEWEST_GAMES)
}

/// How many of some gains in Elo lie beyond their errors.
#[derive(Default)]
struct Gains {
    above: usize,
    below: usize,
    cases: usize,
}

impl Gains {
    fn count(&mut self, gain: f64, error: f64) {
        self.cases += 1;
        self.above += usize::from(gain > error);
        self.below += usize::from(gain < -error);
    }

    /// Whether they are gains: all, none but losses, some, or not to be told.
    fn verdict(&self, efforts: &[Effort]) -> FindingVerdict {
        match (self.above, self.below) {
            _ if too_few(efforts) || self.cases == 0 => FindingVerdict::Open,
            (above, _) if above == self.cases => FindingVerdict::Holds,
            (0, 0) => FindingVerdict::Open,
            (0, _) => FindingVerdict::Fails,
            _ => FindingVerdict::Partly,
        }
    }
}

impl core::fmt::Display for Gains {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Gains { above, below, cases } = self;
        write!(f, "beyond the error above 0 in {above} and below 0 in {below} of {cases} cases")
    }
}

/// Is the extension stronger at equal depth?
fn equal_depth(entrants: &[Entrant], rated: &Ratings, efforts: &[Effort]) -> Finding {
    let mut gains = Gains::default();
    let mut shown = Vec::new();
    for (with, without, name) in SERIES {
        for (&(depth, a), &(_, b)) in family(entrants, with).iter().zip(&family(entrants, without))
        {
            let (gain, error) = (rated.elo[a] - rated.elo[b], rated.difference_error(a, b));
            gains.count(gain, error);
            shown.push(format!(
                "{name}, depth {depth}: {gain:+.0} ± {error:.0} (superior with {:.0} %)",
                100.0 * superiority(rated, a, b)
            ));
        }
    }
    Finding {
        claim: "At equal depth the extension plays stronger (it opens more nodes)".into(),
        published: "in words; no numbers".into(),
        ours: format!("Elo of the extension: {}", shown.join("; ")),
        verdict: gains.verdict(efforts),
        words: format!("{gains}."),
    }
}

/// Is the extension stronger for the nodes it takes? Its rating against the line of the plain
/// players over the logarithm of nodes.
fn equal_nodes(entrants: &[Entrant], rated: &Ratings, efforts: &[Effort]) -> Finding {
    let mut gains = Gains::default();
    let (mut shown, mut beyond) = (Vec::new(), Vec::new());
    for (with, without, name) in SERIES {
        let line: Vec<(f64, usize)> = family(entrants, without)
            .into_iter()
            .map(|(_, at)| (efforts[at].nodes_per_move().max(1.0).ln(), at))
            .collect();
        for (depth, at) in family(entrants, with) {
            let place = efforts[at].nodes_per_move().max(1.0).ln();
            let Some(pair) = line.windows(2).find(|pair| pair[0].0 <= place && place <= pair[1].0)
            else {
                beyond.push(format!("{name}, depth {depth}"));
                continue;
            };
            let share = (place - pair[0].0) / (pair[1].0 - pair[0].0).max(1e-9);
            let expected = rated.elo[pair[0].1] * (1.0 - share) + rated.elo[pair[1].1] * share;
            let error =
                rated.difference_error(at, pair[0].1).max(rated.difference_error(at, pair[1].1));
            let gain = rated.elo[at] - expected;
            gains.count(gain, error);
            shown.push(format!("{name}, depth {depth}: {gain:+.0} ± {error:.0}"));
        }
    }
    let beyond = match &beyond[..] {
        [] => String::new(),
        some => format!(" No plain player takes as many nodes as: {}.", some.join("; ")),
    };
    Finding {
        claim: "The rating table makes up for the nodes: at equal nodes the extension is worth it"
            .into(),
        published: "asked, not answered: no numbers".into(),
        ours: format!("Elo above the plain players at the same nodes: {}", shown.join("; ")),
        verdict: gains.verdict(efforts),
        words: format!("Against the line between the plain depths: {gains}.{beyond}"),
    }
}

/// The sums over positions: positions, frontier counts, root moves and root values changed.
fn sum(changes: &[Change]) -> (usize, [u64; 4], usize, usize) {
    let frontier = changes.iter().fold([0; 4], |sum: [u64; 4], change| {
        core::array::from_fn(|i| sum[i] + change.frontier[i])
    });
    let moves = changes.iter().filter(|change| change.root_move).count();
    let values = changes.iter().filter(|change| change.root_value).count();
    (changes.len(), frontier, moves, values)
}

fn percent(part: u64, all: u64) -> String {
    format!("{:.1}", 100.0 * part as f64 / all.max(1) as f64)
}

fn changes_table(changes: &[(i32, Vec<Change>)]) -> Table {
    let mut table = Table::new([
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
    for (depth, of_depth) in changes {
        let (positions, [nodes, opened, value, played], moves, values) = sum(of_depth);
        table.row([
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
    table
}

fn changes_finding(changes: &[(i32, Vec<Change>)]) -> Finding {
    let all: Vec<Change> = changes.iter().flat_map(|(_, of_depth)| of_depth.clone()).collect();
    let (positions, [nodes, opened, value, _], moves, _) = sum(&all);
    let at_frontier = value as f64 / opened.max(1) as f64;
    let at_root = moves as f64 / positions.max(1) as f64;
    let verdict = match (at_frontier, at_root) {
        _ if positions < 100 => FindingVerdict::Open,
        (frontier, root) if frontier > 0.25 && root < 0.1 => FindingVerdict::Holds,
        (frontier, root) if frontier > root => FindingVerdict::Partly,
        _ => FindingVerdict::Fails,
    };
    let shown: Vec<String> = changes
        .iter()
        .map(|(depth, of_depth)| {
            let (positions, [_, opened, value, _], moves, _) = sum(of_depth);
            format!(
                "depth {depth}: {} % of opened values, {} % of root moves",
                percent(value, opened),
                percent(moves as u64, positions as u64)
            )
        })
        .collect();
    Finding {
        claim: "Values and moves change at the frontier, yet the move at the root hardly changes"
            .into(),
        published: "in words; no numbers".into(),
        ours: shown.join("; "),
        verdict,
        words: format!(
            "Over all depths the value changes at {:.0} % of the frontier nodes that are opened ({} % of all), the move at the root in \
             {:.0} % of {positions} positions; \"hardly\" is taken as less than 10 %.",
            100.0 * at_frontier,
            percent(value, nodes),
            100.0 * at_root
        ),
    }
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
            entrant.player.name.clone(),
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

fn problems_finding(entrants: &[Entrant], attempts: &[Vec<Attempt>]) -> Finding {
    let (mut more, mut less, mut closer, mut cases) = (0, 0, 0, 0);
    let mut shown = Vec::new();
    for (with, without, name) in SERIES {
        for (&(depth, a), &(_, b)) in family(entrants, with).iter().zip(&family(entrants, without))
        {
            let (a, b) = (&attempts[a][..], &attempts[b][..]);
            let (won, lost) = (gained(a, b), gained(b, a));
            let clearly = sign_test(won, lost) < 0.05;
            cases += 1;
            more += usize::from(clearly && won > lost);
            less += usize::from(clearly && won < lost);
            closer += usize::from(mean_wrong_rank(a) < mean_wrong_rank(b));
            shown.push(format!(
                "{name}, depth {depth}: {} for {}, rank where wrong {:.2} for {:.2}",
                right(a),
                right(b),
                mean_wrong_rank(a),
                mean_wrong_rank(b)
            ));
        }
    }
    let asked = attempts.first().map_or(0, Vec::len);
    let verdict = match (more, closer) {
        _ if asked < 50 => FindingVerdict::Open,
        (more, closer) if more == cases && closer == cases => FindingVerdict::Holds,
        (0, 0) => FindingVerdict::Fails,
        _ => FindingVerdict::Partly,
    };
    Finding {
        claim: "With the extension more problems are solved, and wrong answers come closer".into(),
        published: "to be measured so; no numbers".into(),
        ours: format!("with for without: {}", shown.join("; ")),
        verdict,
        words: format!(
            "Of {cases} cases on {asked} problems: more right answers beyond chance (sign test, 5 %) in {more}, fewer in {less}; a better \
             mean rank of the solution where the answer was wrong in {closer}."
        ),
    }
}

/// The forms in the engine itself.
fn write_forms(
    run: &Run<'_>,
    page: &mut Page,
    settings: &SingularSettings,
    measured: &Measured,
) -> Result<(), LabError> {
    page.heading("The forms of today, in the engine itself");
    page.paragraph(
        "The engine's default search with each form: none, the paper's frontier form, the original definition (from depth 5), and the move of \
         the transposition table verified by a reduced search without it (from depth 7, the engine's default, and from depth 5).",
    );
    let players: Vec<&Player> = measured.forms.iter().collect();
    for (name, played, caption) in [
        ("forms-nodes", &measured.form_games, format!("At {} nodes a move", settings.form_nodes)),
        ("forms-time", &measured.timed_games, format!("At {} ms a move", settings.form_millis)),
    ] {
        let rated = ratings(players.len(), played);
        let efforts = efforts(players.len(), played);
        write_ratings(run, page, name, &caption, &players, &rated, &efforts)?;
    }
    page.finding(forms_finding(measured));
    Ok(())
}

fn forms_finding(measured: &Measured) -> Finding {
    let claim = "Singular extension in the form of today is worth it in the engine".to_string();
    let published = "beyond the paper".to_string();
    let count = measured.forms.len();
    let Some(rated) = ratings(count, &measured.form_games) else {
        let words = "The games do not connect the forms.".into();
        return Finding {
            claim,
            published,
            ours: String::new(),
            verdict: FindingVerdict::Open,
            words,
        };
    };
    let few = too_few(&efforts(count, &measured.form_games));
    let gain = |at: usize| (rated.elo[at] - rated.elo[0], rated.difference_error(at, 0));
    let shown: Vec<String> = (1..count)
        .map(|at| {
            let (gain, error) = gain(at);
            format!("{}: {gain:+.0} ± {error:.0}", measured.forms[at].name)
        })
        .collect();
    let (of_table, error) = gain(3);
    let best = (0..count).max_by(|&a, &b| rated.elo[a].total_cmp(&rated.elo[b])).unwrap_or(0);
    let verdict = match of_table {
        _ if few => FindingVerdict::Open,
        gain if gain > error => FindingVerdict::Holds,
        gain if gain < -error => FindingVerdict::Fails,
        _ => FindingVerdict::Open,
    };
    Finding {
        claim,
        published,
        ours: format!("Elo against none at equal nodes: {}", shown.join("; ")),
        verdict,
        words: format!(
            "The highest rating at equal nodes has: {}. The verdict is that of the table form as the engine uses it.",
            measured.forms[best].name
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::{Attempt, Effort, FEWEST_GAMES, FindingVerdict, Gains, gained, mean_wrong_rank};

    fn verdict(gains: &[(f64, f64)], games: u64) -> FindingVerdict {
        let mut all = Gains::default();
        gains.iter().for_each(|&(gain, error)| all.count(gain, error));
        all.verdict(&[Effort { games: [games, 0, 0], ..Effort::default() }])
    }

    #[test]
    fn a_gain_counts_only_beyond_its_error() {
        let enough = FEWEST_GAMES;
        assert_eq!(verdict(&[(60.0, 50.0), (80.0, 50.0)], enough), FindingVerdict::Holds);
        assert_eq!(verdict(&[(60.0, 50.0), (40.0, 50.0)], enough), FindingVerdict::Partly);
        assert_eq!(verdict(&[(60.0, 50.0), (-80.0, 50.0)], enough), FindingVerdict::Partly);
        assert_eq!(verdict(&[(3.0, 50.0), (-80.0, 50.0)], enough), FindingVerdict::Fails);
        assert_eq!(verdict(&[(40.0, 50.0), (-40.0, 50.0)], enough), FindingVerdict::Open);
        assert_eq!(verdict(&[(60.0, 50.0)], enough - 1), FindingVerdict::Open);
        assert_eq!(verdict(&[], enough), FindingVerdict::Open);
    }

    #[test]
    fn the_rank_where_wrong_leaves_right_answers_out() {
        let attempts = |ranks: [Option<usize>; 4]| ranks.map(|rank| Attempt { rank, nodes: 1 });
        let first = attempts([Some(1), Some(3), None, Some(1)]);
        let second = attempts([Some(1), Some(1), None, Some(2)]);
        assert_eq!(mean_wrong_rank(&first), 4.5);
        assert_eq!((gained(&first, &second), gained(&second, &first)), (1, 1));
    }
}
