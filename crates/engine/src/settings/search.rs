//! The parameters of the search, each declared once: name, default, range and step.
//!
//! The same declaration makes the field, the USI option, the command-line option and the tuner's
//! variable. USI knows no fractions: margins are in hundredths of a pawn, factors in per mille or
//! hundredths.

use super::declared::{Declared, Limits, Range, SetError, Setting, choice};

choice! {
    /// How the search tree is driven from the root.
    Driver {
        /// Iterative deepening, principal-variation search, aspiration windows.
        PrincipalVariation = "pvs",
        /// Iterative deepening by null-window searches around a guess (Plaat et al. 1996).
        Mtdf = "mtdf",
        /// One search to the depth asked for, full window, as paper 2 has it.
        AlphaBeta = "alphabeta",
    }
}

choice! {
    /// How much depth a move costs.
    Reduction {
        /// One ply each.
        None = "none",
        /// Late quiet moves cost more.
        LateMove = "latemove",
        /// Minus the logarithm of the probability of the move's category (Tsuruoka et al. 2002).
        Realization = "realization",
        /// The same with the probability of the move by the move policy.
        Policy = "policy",
    }
}

choice! {
    /// Which singular extension is used.
    Singular {
        /// None.
        Off = "off",
        /// The best leaf far ahead of the second is searched on (Nakayama et al.).
        Frontier = "frontier",
        /// The best move far ahead of all others is searched deeper (Anantharaman et al. 1990).
        Original = "original",
        /// The move of the transposition table, verified by a reduced search without it.
        Table = "table",
    }
}

choice! {
    /// Where ProbCut is tried inside quiescence.
    QuiescenceProbCut {
        /// Nowhere.
        Off = "off",
        /// At the quiescence root alone, as in paper 1.
        Root = "root",
        /// At every quiescence node with depth to spare.
        Every = "every",
    }
}

choice! {
    /// When the frontier form of singular extension writes the deeper value back.
    Rewrite {
        /// Always.
        Always = "always",
        /// Only if the leaf's value was clearly wrong.
        IfWrong = "ifwrong",
    }
}

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
        delta: i32 = 30, "Aspiration.Delta", 1..=2000 / 5;
        /// Least depth for an aspiration window
        min_depth: i32 = 4, "Aspiration.MinDepth", 1..=60 / 1;
    }
    /// The transposition table.
    table: TableParams {
        /// Use the transposition table for cut-offs
        cuts: bool = true, "TableCuts";
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
        depth: i32 = 8, "Quiescence.Depth", 0..=28 / 1;
        /// Plies of quiescence in which quiet checks are tried
        checks: i32 = 1, "Quiescence.Checks", 0..=28 / 1;
        /// Margin above the static value below which captures are skipped
        margin: i32 = 150, "Quiescence.Margin", 0..=5000 / 20;
        /// Moves tried where no check is given or answered; 0 for all
        moves: i32 = 0, "Quiescence.Moves", 0..=60 / 1;
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
        enabled: bool = false, "NullMove";
        /// Plies that a null move saves, before what depth and value add
        base: i32 = 7, "NullMove.Base", 1..=16 / 1;
        /// Every so many plies of depth save one more
        divisor: i32 = 4, "NullMove.Divisor", 1..=16 / 1;
        /// Every so much value above beta saves one more ply
        value: i32 = 250, "NullMove.Value", 20..=5000 / 25;
        /// How far the static value must stand above beta, before depth lowers it
        margin: i32 = 250, "NullMove.Margin", -5000..=5000 / 25;
        /// How much less each ply of depth asks for
        slope: i32 = 20, "NullMove.Slope", 0..=1000 / 3;
    }
    /// Razoring.
    razoring: RazoringParams {
        /// At low depth, prune nodes far below alpha after quiescence confirms it
        enabled: bool = true, "Razoring";
        /// Margin of razoring at depth 1
        base: i32 = 250, "Razoring.Base", 0..=5000 / 25;
        /// What each further ply adds
        slope: i32 = 250, "Razoring.Slope", 0..=5000 / 25;
    }
    /// Reverse futility pruning.
    reverse_futility: ReverseFutilityParams {
        /// At low depth, trust a static value far above beta
        enabled: bool = true, "ReverseFutility";
        /// Margin per ply
        margin: i32 = 120, "ReverseFutility.Margin", 0..=5000 / 10;
        /// Greatest depth
        max_depth: i32 = 8, "ReverseFutility.MaxDepth", 0..=30 / 1;
        /// Not on former principal variations nor against a quiet move of the table, and sooner
        /// where the opponent has just lost ground
        refined: bool = false, "ReverseFutility.Refined";
        /// Hundredths of a ply's margin less where the opponent has just lost ground
        worsening: i32 = 33, "ReverseFutility.Worsening", 0..=200 / 10;
    }
    /// Futility pruning.
    futility: FutilityParams {
        /// At low depth, skip quiet moves when the static value is far below alpha
        enabled: bool = true, "Futility";
        /// Margin at depth 0
        base: i32 = 150, "Futility.Base", 0..=5000 / 15;
        /// What each ply adds
        slope: i32 = 130, "Futility.Slope", 0..=5000 / 10;
        /// Greatest depth
        max_depth: i32 = 8, "Futility.MaxDepth", 0..=30 / 1;
        /// Skip captures too that cannot reach alpha by what they take
        captures: bool = false, "Futility.Captures";
        /// Margin of captures at depth 0
        capture_base: i32 = 200, "Futility.CaptureBase", 0..=5000 / 20;
        /// What each ply adds to it
        capture_slope: i32 = 180, "Futility.CaptureSlope", 0..=5000 / 15;
    }
    /// Late-move pruning.
    lmp: LmpParams {
        /// At low depth, skip quiet moves that come late in the order
        enabled: bool = true, "LateMovePruning";
        /// Moves tried: this and the depth squared, or half of that where things do not improve
        base: i32 = 4, "LateMovePruning.Base", 1..=100 / 1;
        /// Greatest depth
        max_depth: i32 = 8, "LateMovePruning.MaxDepth", 0..=30 / 1;
    }
    /// Pruning by static exchange evaluation.
    see_pruning: SeePruningParams {
        /// At low depth, skip moves that lose material
        enabled: bool = true, "SeePruning";
        /// Loss allowed per ply of depth, quiet moves (depth squared)
        quiet: i32 = 30, "SeePruning.Quiet", 0..=5000 / 4;
        /// Loss allowed per ply of depth, captures
        capture: i32 = 120, "SeePruning.Capture", 0..=5000 / 10;
        /// Count the depth of quiet moves after their reduction
        reduced: bool = false, "SeePruning.Reduced";
    }
    /// What is learned from earlier nodes.
    history: HistoryParams {
        /// Order quiet moves by what happened to them before
        enabled: bool = true, "History";
        /// Order quiet moves by how they followed the last moves
        continuation: bool = true, "ContinuationHistory";
        /// Look at the moves three and six plies before too
        longer: bool = false, "ContinuationHistory.Longer";
        /// A history of its own for the plies next to the root, of this search alone
        low_ply: bool = false, "LowPlyHistory";
        /// Reward best moves that raise alpha without a cut-off too
        exact: bool = false, "History.Exact";
        /// Correct static values by how far off they were in positions like this one
        correction: bool = true, "CorrectionHistory";
        /// Correct by kings with generals and by major pieces too
        correction_pieces: bool = false, "CorrectionHistory.Pieces";
        /// Reward the quiet move that left its opponent without a good answer
        prior_bonus: bool = true, "PriorBonus";
    }
    /// The order of quiet moves beside the histories.
    ordering: OrderingParams {
        /// Try moves that cut elsewhere at the same ply early
        killers: bool = true, "Killers";
        /// Try the move that refuted the same last move early
        counter_moves: bool = true, "CounterMoves";
        /// What a quiet check that loses little counts beside the histories
        check_bonus: i32 = 8000, "CheckBonus", 0..=100000 / 800;
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
    /// Late-move reductions.
    lmr: LmrParams {
        /// Constant part, hundredths of a ply
        constant: i32 = 50, "LateMove.Constant", -200..=500 / 5;
        /// Divisor of log(depth) * log(number), hundredths
        divisor: i32 = 190, "LateMove.Divisor", 50..=1000 / 10;
        /// History that saves a ply
        history: i32 = 9000, "LateMove.History", 500..=60000 / 800;
        /// Less where a principal variation went through, hundredths of a ply
        table_pv: i32 = 100, "LateMove.TablePv", 0..=300 / 10;
        /// Whole plies alone, so that nodes meet at equal depths in the table
        whole: bool = false, "LateMove.Whole";
        /// Use the terms below, in 1024ths of a ply
        terms: bool = false, "LateMove.Terms";
        /// More for quiet moves where a cut-off is expected
        cut_node: i32 = 1536, "LateMove.CutNode", 0..=6144 / 150;
        /// More still where the table has no move there
        no_table_move: i32 = 768, "LateMove.NoTableMove", 0..=4096 / 100;
        /// More where the table's move takes something
        table_capture: i32 = 1024, "LateMove.TableCapture", 0..=4096 / 100;
        /// More where many answers cut off
        cutoffs: i32 = 1024, "LateMove.Cutoffs", 0..=4096 / 100;
        /// Less by each hundred of correction of the static value
        correction: i32 = 512, "LateMove.Correction", 0..=4096 / 60;
        /// Less on a former principal variation that the table still holds above alpha
        former_pv: i32 = 512, "LateMove.FormerPv", 0..=4096 / 100;
        /// Less for drops near the enemy king
        king_drop: i32 = 512, "LateMove.KingDrop", 0..=4096 / 100;
    }
    /// The second search of a late move that surprised.
    research: ResearchParams {
        /// Deeper where the first value lies well above the best, shallower where barely
        enabled: bool = false, "Research";
        /// How far above the best a value asks for a ply more
        deeper: i32 = 40, "Research.Deeper", 0..=1000 / 5;
        /// Up to how far above the best a value costs a ply
        shallower: i32 = 8, "Research.Shallower", 0..=1000 / 3;
    }
    /// Depth changed in hindsight of the reduction that led to a node.
    hindsight: HindsightParams {
        /// A ply more after a great reduction that nothing bears out, less after one that all does
        enabled: bool = false, "Hindsight";
        /// Reduction, in hundredths of a ply, from which a ply is given back
        deeper: i32 = 300, "Hindsight.Deeper", 100..=1000 / 20;
        /// Reduction, in hundredths of a ply, from which one may be taken
        shallower: i32 = 200, "Hindsight.Shallower", 100..=1000 / 20;
        /// Sum of both sides' static values above which it is
        margin: i32 = 120, "Hindsight.Margin", 0..=2000 / 15;
    }
    /// Internal reductions.
    internal_reduction: InternalReductionParams {
        /// Search one ply less where no move is known
        enabled: bool = true, "InternalReduction";
        /// Least depth for it
        min_depth: i32 = 4, "InternalReduction.MinDepth", 1..=30 / 1;
    }
    /// Singular extensions.
    singular: SingularParams {
        /// Which singular extension is used
        form: Singular = Singular::Table, "Singular";
        /// Least depth of the table and original forms
        min_depth: i32 = 7, "Singular.MinDepth", 2..=30 / 1;
        /// Gap between the best move and the others: per ply of depth in the table form
        margin: i32 = 2, "Singular.Margin", 0..=100 / 1;
        /// Extend by up to three plies, cut where a second move fails high, or reduce
        family: bool = false, "Singular.Family";
        /// How far the others must stay below the gap for a second ply
        double: i32 = 20, "Singular.Double", 0..=1000 / 4;
        /// How far for a third
        triple: i32 = 90, "Singular.Triple", 0..=2000 / 10;
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
        /// How far off a leaf's value must be to be clearly wrong
        wrong: i32 = 100, "Singular.Wrong", 0..=5000 / 10;
    }
    /// Check extensions.
    check_extension: CheckExtensionParams {
        /// Search checks that lose no material half a ply deeper
        enabled: bool = true, "CheckExtension";
    }
    /// ProbCut in the normal search.
    probcut: ProbcutParams {
        /// ProbCut in the normal search: a good capture far above beta at reduced depth cuts
        enabled: bool = true, "ProbCut";
        /// Margin above beta
        margin: i32 = 250, "ProbCut.Margin", 0..=5000 / 20;
        /// Least depth
        min_depth: i32 = 5, "ProbCut.MinDepth", 2..=30 / 1;
        /// Plies that the verifying search saves
        reduction: i32 = 4, "ProbCut.Reduction", 1..=12 / 1;
        /// Cut by the table's bound alone where it lies far above beta at nearly this depth
        table: bool = false, "ProbCut.Table";
        /// How far
        table_margin: i32 = 350, "ProbCut.TableMargin", 0..=5000 / 25;
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
