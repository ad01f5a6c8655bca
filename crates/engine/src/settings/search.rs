//! The parameters of the search, each declared once: name, default, range and step.
//!
//! The same declaration makes the field, the USI option, the command-line option and the tuner's
//! variable. USI knows no fractions: margins are in hundredths of a pawn, factors in per mille or
//! hundredths.

pub use super::methods::{Driver, QuiescenceProbCut, Reduction, Rewrite, Singular};

use super::declared::{Declared, Range, SetError, Setting};

/// A number's limits: `min..=max / step`.
macro_rules! limits {
    () => {
        (0, 0, 0)
    };
    ($min:literal, $max:literal, $step:literal) => {
        ($min, $max, $step)
    };
}

/// Declares the parameters of each technique: a struct a technique, their sum, and the table of all
/// parameters. A parameter's name is `technique.field`; the literal is the flat name of earlier
/// versions, which is still understood.
macro_rules! parameters {
    ($(
        $(#[doc = $group_about:literal])+
        $group:ident: $Group:ident {
            $(
                $(#[doc = $about:literal])+
                $field:ident: $type:ty = $default:expr, $alias:literal
                    $(, $min:literal..=$max:literal / $step:literal)?;
            )+
        }
    )+) => {
        $(
            $(#[doc = $group_about])+
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub struct $Group {
                $($(#[doc = $about])+ pub $field: $type,)+
            }

            impl Default for $Group {
                fn default() -> $Group {
                    $Group { $($field: $default,)+ }
                }
            }
        )+

        /// The parameters of the search, by technique.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct SearchParams {
            $($(#[doc = $group_about])+ pub $group: $Group,)+
        }

        /// Every parameter, in the order of the search.
        const PARAMETERS: &[Parameter] = &[$($(
            Parameter {
                name: concat!(stringify!($group), ".", stringify!($field)),
                alias: $alias,
                about: concat!($($about),+).trim_ascii(),
                range: || <$type as Setting>::range(limits!($($min, $max, $step)?)),
                show: |params| params.$group.$field.show(),
                take: |params, text| {
                    params.$group.$field = Setting::read(text, limits!($($min, $max, $step)?))?;
                    Some(())
                },
            },
        )+)+];
    };
}

/// One parameter; `take` gives `None` for a value that does not fit.
struct Parameter {
    name: &'static str,
    alias: &'static str,
    about: &'static str,
    range: fn() -> Range,
    show: fn(&SearchParams) -> String,
    take: fn(&mut SearchParams, &str) -> Option<()>,
}

parameters! {
    /// How the tree is driven from the root.
    driver: DriverParams {
        /// How the search tree is driven
        method: Driver = Driver::PrincipalVariation, "Driver";
        /// The grain of MTD(f): the least step between null windows
        mtdf_step: i32 = 10, "Mtdf.Step", 1..=500 / 2;
    }
    /// Windows around the value of the last iteration.
    aspiration: AspirationParams {
        /// Half width of the first window around the last value
        delta: i32 = 6, "Aspiration.Delta", 1..=2000 / 3;
        /// The square of the last value, divided by this, widens it
        divisor: i32 = 9000, "Aspiration.Divisor", 100..=100000 / 1000;
        /// Least depth for an aspiration window
        min_depth: i32 = 4, "Aspiration.MinDepth", 1..=60 / 1;
    }
    /// The transposition table.
    table: TableParams {
        /// Use the transposition table for cut-offs
        cuts: bool = true, "TableCuts";
        /// Keep the static value of every node
        static_values: bool = false, "TableStaticValues";
    }
    /// Mates found apart from the search.
    mate: MateParams {
        /// Let the mate solver look at the root first
        root: bool = true, "RootMate";
        /// Per cent of the nodes or time that the mate solver may spend
        root_share: i32 = 5, "RootMate.Share", 0..=90 / 2;
        /// Look for a mate in one move at every node
        in_one: bool = true, "MateInOne";
    }
    /// Quiescence search, and ProbCut inside it.
    quiescence: QuiescenceParams {
        /// Quiescence search at the leaves
        enabled: bool = true, "Quiescence";
        /// Depth limit of quiescence
        depth: i32 = 28, "Quiescence.Depth", 0..=28 / 1;
        /// Plies of quiescence in which quiet checks are tried
        checks: i32 = 0, "Quiescence.Checks", 0..=28 / 1;
        /// Margin above the static value below which captures are skipped
        margin: i32 = 300, "Quiescence.Margin", 0..=5000 / 20;
        /// Moves tried where no check is given or answered; 0 for all
        moves: i32 = 2, "Quiescence.Moves", 0..=60 / 1;
        /// What a capture may lose in the exchange
        loss: i32 = 70, "Quiescence.Loss", 0..=5000 / 10;
        /// Plies of quiescence in which attacked pieces may move away
        escapes: i32 = 0, "Quiescence.Escapes", 0..=28 / 1;
        /// Answer a check by every move, not by captures alone once one that holds is known
        all_evasions: bool = false, "Quiescence.AllEvasions";
        /// Entries of the table count whatever depth of quiescence they came from
        any_entry: bool = true, "Quiescence.AnyEntry";
        /// Where ProbCut is tried inside quiescence
        probcut: QuiescenceProbCut = QuiescenceProbCut::Off, "Quiescence.ProbCut";
        /// The shallow depth of ProbCut inside quiescence
        probcut_depth: i32 = 4, "Quiescence.ProbCut.Depth", 0..=27 / 1;
        /// Margin in hundredths of a pawn; -1 takes probcut_sigmas times sigma
        probcut_margin: i32 = 300, "Quiescence.ProbCut.Margin", -1..=5000 / 25;
        /// Margin in hundredths of sigma, where probcut_margin is -1
        probcut_sigmas: i32 = 150, "Quiescence.ProbCut.Sigmas", 0..=1000 / 15;
    }
    /// Null-move pruning.
    null_move: NullMoveParams {
        /// Give the turn away and see whether the value still fails high
        enabled: bool = true, "NullMove";
        /// Plies that a null move saves, before what depth adds
        base: i32 = 7, "NullMove.Base", 1..=16 / 1;
        /// Plies of depth for each further ply of reduction
        divisor: i32 = 3, "NullMove.Divisor", 1..=16 / 1;
        /// How far the static value must stand above beta, before depth lowers it
        margin: i32 = 380, "NullMove.Margin", -5000..=5000 / 25;
        /// How much less is required for each ply of depth
        slope: i32 = 16, "NullMove.Slope", 0..=1000 / 3;
        /// How much less is required where the side to move stands better than two plies ago
        improving: i32 = 50, "NullMove.Improving", 0..=1000 / 10;
    }
    /// Razoring.
    razoring: RazoringParams {
        /// Prune nodes far below alpha after quiescence confirms it
        enabled: bool = true, "Razoring";
        /// Margin of razoring before depth adds to it
        base: i32 = 500, "Razoring.Base", 0..=5000 / 25;
        /// What the square of the depth is multiplied by
        slope: i32 = 300, "Razoring.Slope", 0..=5000 / 25;
    }
    /// Reverse futility pruning.
    reverse_futility: ReverseFutilityParams {
        /// Trust a static value far above beta
        enabled: bool = true, "ReverseFutility";
        /// Margin per ply
        margin: i32 = 76, "ReverseFutility.Margin", 0..=5000 / 5;
        /// Margin per ply where the table does not know the position
        unknown: i32 = 55, "ReverseFutility.Unknown", 0..=5000 / 5;
        /// Greatest depth
        max_depth: i32 = 14, "ReverseFutility.MaxDepth", 0..=30 / 1;
        /// Not on former principal variations nor against a quiet move of the table
        refined: bool = true, "ReverseFutility.Refined";
        /// Hundredths of a ply's margin less where the side to move gains ground
        improving: i32 = 260, "ReverseFutility.Improving", 0..=600 / 15;
        /// Hundredths of a ply's margin less where the opponent has just lost ground
        worsening: i32 = 35, "ReverseFutility.Worsening", 0..=200 / 10;
    }
    /// Futility pruning.
    futility: FutilityParams {
        /// Skip quiet moves when the static value is far below alpha
        enabled: bool = true, "Futility";
        /// Margin at depth 0
        base: i32 = 42, "Futility.Base", 0..=5000 / 15;
        /// What it adds while no move is above alpha
        no_best: i32 = 150, "Futility.NoBest", 0..=5000 / 15;
        /// What each ply adds
        slope: i32 = 120, "Futility.Slope", 0..=5000 / 10;
        /// Greatest depth after the reduction
        max_depth: i32 = 12, "Futility.MaxDepth", 0..=30 / 1;
        /// History that counts as a ply more
        history: i32 = 3200, "Futility.History", 200..=60000 / 300;
        /// Skip captures too that cannot reach alpha by what they take
        captures: bool = true, "Futility.Captures";
        /// Margin of captures at depth 0
        capture_base: i32 = 218, "Futility.CaptureBase", 0..=5000 / 20;
        /// What each ply adds to it
        capture_slope: i32 = 223, "Futility.CaptureSlope", 0..=5000 / 15;
    }
    /// Pruning of moves with a bad history.
    history_pruning: HistoryPruningParams {
        /// Skip quiet moves whose history is bad
        enabled: bool = true, "HistoryPruning";
        /// How bad for each ply of depth
        slope: i32 = 4100, "HistoryPruning.Slope", 100..=60000 / 400;
    }
    /// Late-move pruning.
    lmp: LmpParams {
        /// Skip quiet moves that come late in the order
        enabled: bool = true, "LateMovePruning";
        /// Moves tried: this and the depth squared, or half of that where things do not improve
        base: i32 = 3, "LateMovePruning.Base", 1..=100 / 1;
        /// Greatest depth
        max_depth: i32 = 30, "LateMovePruning.MaxDepth", 0..=60 / 1;
    }
    /// Pruning by static exchange evaluation.
    see_pruning: SeePruningParams {
        /// Skip moves that lose material
        enabled: bool = true, "SeePruning";
        /// Loss allowed to quiet moves, times the square of the depth after the reduction
        quiet: i32 = 25, "SeePruning.Quiet", 0..=5000 / 4;
        /// Loss allowed to captures and checks per ply of depth
        capture: i32 = 167, "SeePruning.Capture", 0..=5000 / 10;
        /// Skip captures and checks that lose material also where alpha is below 0
        behind: bool = false, "SeePruning.Behind";
    }
    /// What is learned from earlier nodes.
    history: HistoryParams {
        /// Order quiet moves by what happened to them before
        enabled: bool = true, "History";
        /// Order quiet moves by how they followed the last moves
        continuation: bool = true, "ContinuationHistory";
        /// A history of its own for the plies next to the root, of this search alone
        low_ply: bool = true, "LowPlyHistory";
        /// What a cut-off gives its move for each ply of depth
        bonus: i32 = 128, "History.Bonus", 0..=2000 / 8;
        /// And at most
        most_bonus: i32 = 1530, "History.MostBonus", 0..=8000 / 80;
        /// What it takes from the moves before it for each ply of depth
        malus: i32 = 880, "History.Malus", 0..=4000 / 40;
        /// And at most
        most_malus: i32 = 2120, "History.MostMalus", 0..=8000 / 100;
        /// Judge the move before by the static value that it led to
        by_value: bool = true, "History.ByValue";
        /// Correct static values by how far off they were in positions like this one
        correction: bool = true, "CorrectionHistory";
        /// Correct by kings with generals and by major pieces too
        correction_pieces: bool = true, "CorrectionHistory.Pieces";
        /// Reward the quiet move that left its opponent without a good answer
        prior_bonus: bool = true, "PriorBonus";
    }
    /// The order of quiet moves beside the histories.
    ordering: OrderingParams {
        /// Try moves that cut elsewhere at the same ply early
        killers: bool = false, "Killers";
        /// Try the move that refuted the same last move early
        counter_moves: bool = false, "CounterMoves";
        /// What a quiet check that loses little counts beside the histories
        check_bonus: i32 = 16384, "CheckBonus", 0..=100000 / 800;
        /// Quiet moves with a lower score come after the captures that lose
        bad_quiet: i32 = -14000, "BadQuiet", -100000..=0 / 800;
    }
    /// How much depth a move costs, and realization probability.
    reduction: ReductionParams {
        /// How much depth a move costs
        method: Reduction = Reduction::LateMove, "Reduction";
        /// Realization probability: hundredths of a ply per halving of the probability
        realization_scale: i32 = 33, "Realization.Scale", 1..=400 / 3;
        /// Realization probability: most that a move costs, hundredths of a ply
        realization_most: i32 = 400, "Realization.Most", 100..=2000 / 25;
        /// Realization probability: least that a move costs, hundredths of a ply
        realization_least: i32 = 50, "Realization.Least", 1..=100 / 5;
        /// Realization probability by the policy: least depth for it; below, by categories
        policy_depth: i32 = 4, "Realization.PolicyDepth", 1..=30 / 1;
    }
    /// Late-move reductions, in 1024ths of a ply unless said otherwise.
    lmr: LmrParams {
        /// Divisor of log(depth) * log(number), hundredths
        divisor: i32 = 220, "LateMove.Divisor", 50..=1000 / 10;
        /// Constant part
        offset: i32 = 1133, "LateMove.Offset", -4096..=8192 / 100;
        /// More for a move that is searched, after pruning went by the rest
        searched: i32 = 691, "LateMove.Searched", -4096..=8192 / 100;
        /// Less for each move before it
        number: i32 = 65, "LateMove.Number", 0..=500 / 5;
        /// More where the side to move does not gain ground, as a share of the first term
        not_improving: i32 = 412, "LateMove.NotImproving", 0..=2048 / 30;
        /// Less in a wide window, by its share of the root's
        window: i32 = 585, "LateMove.Window", 0..=4096 / 60;
        /// History that saves a ply
        history: i32 = 9800, "LateMove.History", 500..=60000 / 800;
        /// More where a cut-off is expected
        cut_node: i32 = 3600, "LateMove.CutNode", 0..=8192 / 150;
        /// More still where the table has no move there
        no_table_move: i32 = 985, "LateMove.NoTableMove", 0..=4096 / 100;
        /// More where the table's move takes something
        table_capture: i32 = 1054, "LateMove.TableCapture", 0..=4096 / 100;
        /// More where two of the answers cut off
        cutoffs: i32 = 250, "LateMove.Cutoffs", 0..=4096 / 100;
        /// More still where three do
        many_cutoffs: i32 = 1124, "LateMove.ManyCutoffs", 0..=4096 / 100;
        /// And where none is expected to
        unexpected_cutoffs: i32 = 1042, "LateMove.UnexpectedCutoffs", 0..=4096 / 100;
        /// Less for the table's move
        table_move: i32 = 2239, "LateMove.TableMove", 0..=8192 / 150;
        /// Less by each hundred of correction of the static value
        correction: i32 = 512, "LateMove.Correction", 0..=4096 / 60;
        /// Less where a principal variation goes or went through
        table_pv: i32 = 1800, "LateMove.TablePv", 0..=8192 / 150;
        /// Less still on the principal variation itself
        pv: i32 = 970, "LateMove.Pv", 0..=4096 / 100;
        /// Less on a former principal variation that the table still holds above alpha
        former_pv: i32 = 905, "LateMove.FormerPv", 0..=4096 / 100;
        /// Less on one that the table knows to this depth
        deep_pv: i32 = 935, "LateMove.DeepPv", 0..=4096 / 100;
        /// Less for drops near the enemy king
        king_drop: i32 = 0, "LateMove.KingDrop", 0..=4096 / 100;
        /// Plies by which a move may gain depth instead
        gain: i32 = 2, "LateMove.Gain", 0..=4 / 1;
    }
    /// The second search of a late move that surprised.
    research: ResearchParams {
        /// Deeper where the first value lies well above the best, shallower where barely
        enabled: bool = true, "Research";
        /// How far above the best a value must be for a ply more
        deeper: i32 = 48, "Research.Deeper", 0..=1000 / 5;
        /// Up to how far above the best a value costs a ply
        shallower: i32 = 9, "Research.Shallower", 0..=1000 / 3;
    }
    /// Depth changed in hindsight of the reduction that led to a node.
    hindsight: HindsightParams {
        /// A ply more after a great reduction that nothing bears out, less after one that all does
        enabled: bool = true, "Hindsight";
        /// Reduction, in hundredths of a ply, from which a ply is given back
        deeper: i32 = 300, "Hindsight.Deeper", 100..=1000 / 20;
        /// Reduction, in hundredths of a ply, from which one may be taken
        shallower: i32 = 200, "Hindsight.Shallower", 100..=1000 / 20;
        /// Sum of both sides' static values above which it is
        margin: i32 = 173, "Hindsight.Margin", 0..=2000 / 15;
    }
    /// Internal reductions.
    internal_reduction: InternalReductionParams {
        /// Search one ply less where no move is known
        enabled: bool = true, "InternalReduction";
        /// Least depth for it
        min_depth: i32 = 6, "InternalReduction.MinDepth", 1..=30 / 1;
    }
    /// Singular extensions.
    singular: SingularParams {
        /// Which singular extension is used
        form: Singular = Singular::Table, "Singular";
        /// Least depth of the table and original forms
        min_depth: i32 = 6, "Singular.MinDepth", 2..=30 / 1;
        /// Gap between the best move and the others: hundredths per ply of depth in the table form
        margin: i32 = 110, "Singular.Margin", 0..=2000 / 10;
        /// What a former principal variation adds to that
        former_pv: i32 = 120, "Singular.FormerPv", 0..=2000 / 10;
        /// Extend by up to three plies, cut where a second move fails high, or reduce
        family: bool = true, "Singular.Family";
        /// How far the others must stay below the gap for a second ply
        double: i32 = 0, "Singular.Double", -1000..=1000 / 8;
        /// How far for a third
        triple: i32 = 73, "Singular.Triple", -1000..=2000 / 10;
        /// How much less is required where the move is quiet
        quiet: i32 = 180, "Singular.Quiet", 0..=1000 / 10;
        /// How much more on the principal variation
        pv: i32 = 210, "Singular.Pv", 0..=2000 / 10;
        /// Gap of the original form
        original_margin: i32 = 100, "Singular.OriginalMargin", 0..=5000 / 10;
        /// Gap of the frontier form
        gap: i32 = 300, "Singular.Gap", 0..=5000 / 25;
        /// Extra plies of the frontier form
        extra: i32 = 2, "Singular.Extra", 1..=6 / 1;
        /// How many of the best leaves the frontier form opens
        width: i32 = 1, "Singular.Width", 1..=20 / 1;
        /// When the frontier form writes the deeper value back
        rewrite: Rewrite = Rewrite::Always, "Singular.Rewrite";
        /// Open leaves of the frontier only where two of them pass beta
        past_beta: bool = false, "Singular.PastBeta";
        /// How far off a leaf's value must be to be clearly wrong
        wrong: i32 = 100, "Singular.Wrong", 0..=5000 / 10;
    }
    /// Less depth for the moves after one that raised alpha.
    alpha_raise: AlphaRaiseParams {
        /// Plies less
        plies: i32 = 2, "AlphaRaise.Plies", 0..=4 / 1;
        /// Below this depth
        max_depth: i32 = 14, "AlphaRaise.MaxDepth", 0..=60 / 1;
    }
    /// Values that fail high.
    fail_high: FailHighParams {
        /// Give a value between beta and the one found, the nearer to beta the less deep
        soft: bool = true, "FailHigh.Soft";
    }
    /// Check extensions.
    check_extension: CheckExtensionParams {
        /// Search checks that lose no material half a ply deeper
        enabled: bool = false, "CheckExtension";
    }
    /// ProbCut in the normal search.
    probcut: ProbcutParams {
        /// ProbCut in the normal search: a good capture far above beta at reduced depth cuts
        enabled: bool = true, "ProbCut";
        /// Margin above beta
        margin: i32 = 224, "ProbCut.Margin", 0..=5000 / 20;
        /// How much less where the side to move stands better than two plies ago
        improving: i32 = 60, "ProbCut.Improving", 0..=5000 / 10;
        /// Least depth
        min_depth: i32 = 3, "ProbCut.MinDepth", 2..=30 / 1;
        /// Plies that the verifying search saves
        reduction: i32 = 4, "ProbCut.Reduction", 1..=12 / 1;
        /// Cut by the table's bound alone where it lies far above beta at nearly this depth
        table: bool = true, "ProbCut.Table";
        /// How far
        table_margin: i32 = 416, "ProbCut.TableMargin", 0..=5000 / 25;
    }
}

/// The parameter of this name, or of this name in earlier versions.
fn find(name: &str) -> Option<&'static Parameter> {
    PARAMETERS.iter().find(|parameter| parameter.name == name || parameter.alias == name)
}

impl SearchParams {
    /// The same with changes.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut SearchParams)) -> SearchParams {
        change(&mut self);
        self
    }

    /// Every parameter, in the order of the search.
    pub fn declared() -> Vec<Declared> {
        let defaults = SearchParams::default();
        let declared = |parameter: &Parameter| Declared {
            name: parameter.name,
            about: parameter.about,
            range: (parameter.range)(),
            default: (parameter.show)(&defaults),
        };
        PARAMETERS.iter().map(declared).collect()
    }

    /// The value of a parameter, as text.
    pub fn get(&self, name: &str) -> Option<String> {
        find(name).map(|parameter| (parameter.show)(self))
    }

    /// Sets a parameter from text.
    ///
    /// # Errors
    /// If there is no such parameter, or if it does not take the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        let parameter = find(name).ok_or_else(|| SetError::UnknownName(name.to_string()))?;
        (parameter.take)(self, value).ok_or_else(|| SetError::BadValue {
            name: parameter.name,
            value: value.to_string(),
            range: (parameter.range)(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_reads_back_as_itself() {
        let mut params = SearchParams::default();
        for declared in SearchParams::declared() {
            params.set(declared.name, &declared.default).unwrap();
            assert_eq!(params.get(declared.name).as_deref(), Some(declared.default.as_str()));
            assert!(!declared.about.is_empty() && !declared.name.contains(' '));
        }
        assert_eq!(params, SearchParams::default());
    }

    #[test]
    fn names_and_aliases_are_unique() {
        let mut names: Vec<&str> = PARAMETERS.iter().flat_map(|p| [p.name, p.alias]).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn a_name_of_earlier_versions_is_understood_and_not_listed() {
        let mut params = SearchParams::default();
        params.set("LateMove.Divisor", "200").unwrap();
        assert_eq!(params.lmr.divisor, 200);
        assert_eq!(params.get("lmr.divisor"), params.get("LateMove.Divisor"));
        assert!(SearchParams::declared().iter().all(|one| one.name != "LateMove.Divisor"));
    }

    #[test]
    fn every_number_has_a_step_that_fits_its_range() {
        for declared in SearchParams::declared() {
            let Range::Number { min, max, step } = declared.range else { continue };
            assert!(0 < step && step <= (max - min) / 2, "{}", declared.name);
        }
    }

    #[test]
    fn bad_names_and_values_are_refused_and_change_nothing() {
        let mut params = SearchParams::default();
        for (name, value) in [
            ("nonsense", "1"),
            ("null_move.base", "99"),
            ("null_move.enabled", "yes"),
            ("driver.method", "sss"),
        ] {
            assert!(params.set(name, value).is_err(), "{name} {value}");
        }
        assert_eq!(params, SearchParams::default());
    }
}
