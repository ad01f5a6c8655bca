//! Every setting of the search, declared once: name, default, range.
//!
//! The same declaration makes the field, the USI option and the command-line option. USI knows no
//! fractions: margins are in hundredths of a pawn, factors in per mille or hundredths.

use core::fmt;

/// What values a setting may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Range {
    /// On or off.
    Switch,
    /// A whole number.
    Number {
        /// The least.
        min: i32,
        /// The greatest.
        max: i32,
    },
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// Any text.
    Text,
}

/// A setting as front ends see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The name of the option.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// The values it may take.
    pub range: Range,
    /// The value it has unless told otherwise.
    pub default: String,
}

/// Why a setting was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetError {
    /// No setting has this name.
    UnknownName(String),
    /// The setting does not take this value.
    BadValue {
        /// The setting.
        name: &'static str,
        /// What was asked for.
        value: String,
        /// What it takes.
        range: Range,
    },
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Switch => f.write_str("true or false"),
            Range::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Range::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Range::Text => f.write_str("a text"),
        }
    }
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetError::UnknownName(name) => write!(f, "there is no setting '{name}'"),
            SetError::BadValue { name, value, range } => {
                write!(f, "{name} takes {range}, not '{value}'")
            }
        }
    }
}

impl std::error::Error for SetError {}

/// A type that a setting can have.
trait Setting: Copy {
    fn range(limits: (i32, i32)) -> Range;
    fn show(self) -> String;
    fn read(text: &str, limits: (i32, i32)) -> Option<Self>;
}

impl Setting for bool {
    fn range(_: (i32, i32)) -> Range {
        Range::Switch
    }
    fn show(self) -> String {
        self.to_string()
    }
    fn read(text: &str, _: (i32, i32)) -> Option<bool> {
        text.parse().ok()
    }
}

impl Setting for i32 {
    fn range((min, max): (i32, i32)) -> Range {
        Range::Number { min, max }
    }
    fn show(self) -> String {
        self.to_string()
    }
    fn read(text: &str, (min, max): (i32, i32)) -> Option<i32> {
        text.parse().ok().filter(|number| (min..=max).contains(number))
    }
}

/// Declares an enum whose values are words of an option.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($(#[$value_doc])* $value),+ }

        impl Setting for $name {
            fn range(_: (i32, i32)) -> Range {
                Range::Choice(&[$($word),+])
            }
            fn show(self) -> String {
                match self { $($name::$value => $word.to_string()),+ }
            }
            fn read(text: &str, _: (i32, i32)) -> Option<$name> {
                match text { $($word => Some($name::$value),)+ _ => None }
            }
        }
    };
}

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
    /// How much depth a move spends.
    Reduction {
        /// One ply each.
        None = "none",
        /// Late quiet moves spend more.
        LateMove = "latemove",
        /// Minus the logarithm of the probability of the move's category (Tsuruoka et al. 2002).
        Realization = "realization",
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

macro_rules! settings {
    ($($(#[doc = $about:literal])+ $field:ident: $type:ty = $name:literal, $default:expr $(, $min:literal..=$max:literal)?;)+) => {
        /// All settings of the search.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct SearchParams {
            $($(#[doc = $about])+ pub $field: $type,)+
        }

        impl Default for SearchParams {
            fn default() -> SearchParams {
                SearchParams { $($field: $default,)+ }
            }
        }

        impl SearchParams {
            /// Every setting, in the order of the search.
            pub fn declared() -> Vec<Declared> {
                let defaults = SearchParams::default();
                vec![$(Declared {
                    name: $name,
                    about: concat!($($about),+).trim_ascii(),
                    range: <$type as Setting>::range(limits!($($min, $max)?)),
                    default: defaults.$field.show(),
                },)+]
            }

            /// The value of a setting, as text.
            pub fn get(&self, name: &str) -> Option<String> {
                match name {
                    $($name => Some(self.$field.show()),)+
                    _ => None,
                }
            }

            /// Sets a setting from text.
            ///
            /// # Errors
            /// If there is no such setting, or if it does not take the value.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
                match name {
                    $($name => {
                        let limits = limits!($($min, $max)?);
                        self.$field = <$type as Setting>::read(value, limits).ok_or_else(|| {
                            SetError::BadValue {
                                name: $name,
                                value: value.to_string(),
                                range: <$type as Setting>::range(limits),
                            }
                        })?;
                    })+
                    _ => return Err(SetError::UnknownName(name.to_string())),
                }
                Ok(())
            }
        }
    };
}

macro_rules! limits {
    () => {
        (0, 0)
    };
    ($min:literal, $max:literal) => {
        ($min, $max)
    };
}

settings! {
    /// How the search tree is driven
    driver: Driver = "Driver", Driver::PrincipalVariation;
    /// Half width of the first window around the last value
    aspiration: i32 = "Aspiration.Delta", 30, 1..=2000;
    /// Least depth for an aspiration window
    aspiration_depth: i32 = "Aspiration.MinDepth", 4, 1..=60;
    /// The grain of MTD(f): the least step between null windows
    mtdf_step: i32 = "Mtdf.Step", 10, 1..=500;
    /// Use the transposition table for cut-offs
    table_cuts: bool = "TableCuts", true;

    /// Let the mate solver look at the root first
    root_mate: bool = "RootMate", true;
    /// Per cent of the nodes or time that the mate solver may spend
    root_mate_share: i32 = "RootMate.Share", 5, 0..=90;
    /// Look for a mate in one move at every node
    mate_in_one: bool = "MateInOne", true;

    /// Quiescence search at the leaves
    quiescence: bool = "Quiescence", true;
    /// Depth limit of quiescence
    quiescence_depth: i32 = "Quiescence.Depth", 8, 0..=28;
    /// Plies of quiescence in which quiet checks are tried
    quiescence_checks: i32 = "Quiescence.Checks", 1, 0..=28;
    /// Margin above the static value below which captures are skipped
    quiescence_margin: i32 = "Quiescence.Margin", 150, 0..=5000;
    /// Where ProbCut is tried inside quiescence
    quiescence_probcut: QuiescenceProbCut = "Quiescence.ProbCut", QuiescenceProbCut::Off;
    /// The shallow depth of ProbCut inside quiescence
    quiescence_probcut_depth: i32 = "Quiescence.ProbCut.Depth", 4, 0..=27;
    /// Margin in hundredths of a pawn; -1 takes Sigmas times sigma
    quiescence_probcut_margin: i32 = "Quiescence.ProbCut.Margin", 300, -1..=5000;
    /// Margin in hundredths of sigma, where Margin is -1
    quiescence_probcut_sigmas: i32 = "Quiescence.ProbCut.Sigmas", 150, 0..=1000;

    /// Give the turn away and see whether the value still fails high
    null_move: bool = "NullMove", false;
    /// Plies that a null move saves, before what depth and value add
    null_base: i32 = "NullMove.Base", 7, 1..=16;
    /// Every so many plies of depth save one more
    null_divisor: i32 = "NullMove.Divisor", 4, 1..=16;
    /// Every so much value above beta saves one more ply
    null_value: i32 = "NullMove.Value", 250, 20..=5000;
    /// How far the static value must stand above beta, before depth lowers it
    null_margin: i32 = "NullMove.Margin", 250, -5000..=5000;
    /// How much less each ply of depth asks for
    null_slope: i32 = "NullMove.Slope", 20, 0..=1000;

    /// Correct static values by how far off they were in positions like this one
    correction: bool = "CorrectionHistory", true;

    /// At low depth, prune nodes far below alpha after quiescence confirms it
    razoring: bool = "Razoring", true;
    /// Margin of razoring at depth 1
    razoring_base: i32 = "Razoring.Base", 250, 0..=5000;
    /// What each further ply adds
    razoring_slope: i32 = "Razoring.Slope", 250, 0..=5000;

    /// At low depth, trust a static value far above beta
    reverse_futility: bool = "ReverseFutility", true;
    /// Margin per ply
    reverse_futility_margin: i32 = "ReverseFutility.Margin", 120, 0..=5000;
    /// Greatest depth
    reverse_futility_depth: i32 = "ReverseFutility.MaxDepth", 8, 0..=30;

    /// At low depth, skip quiet moves when the static value is far below alpha
    futility: bool = "Futility", true;
    /// Margin at depth 0
    futility_base: i32 = "Futility.Base", 150, 0..=5000;
    /// What each ply adds
    futility_slope: i32 = "Futility.Slope", 130, 0..=5000;
    /// Greatest depth
    futility_depth: i32 = "Futility.MaxDepth", 8, 0..=30;

    /// At low depth, skip quiet moves that come late in the order
    late_move_pruning: bool = "LateMovePruning", true;
    /// Moves tried: this and the depth squared, or half of that where things do not improve
    late_move_base: i32 = "LateMovePruning.Base", 4, 1..=100;
    /// Greatest depth
    late_move_depth: i32 = "LateMovePruning.MaxDepth", 8, 0..=30;

    /// At low depth, skip moves that lose material
    see_pruning: bool = "SeePruning", true;
    /// Loss allowed per ply of depth, quiet moves (depth squared)
    see_quiet: i32 = "SeePruning.Quiet", 30, 0..=5000;
    /// Loss allowed per ply of depth, captures
    see_capture: i32 = "SeePruning.Capture", 120, 0..=5000;

    /// Order quiet moves by what happened to them before
    history: bool = "History", true;
    /// Order quiet moves by how they followed the last moves
    continuation_history: bool = "ContinuationHistory", true;
    /// What a quiet check that loses little counts beside the histories
    check_bonus: i32 = "CheckBonus", 8000, 0..=100000;
    /// Reward the quiet move that left its opponent without a good answer
    prior_bonus: bool = "PriorBonus", true;
    /// Try moves that cut elsewhere at the same ply early
    killers: bool = "Killers", true;
    /// Try the move that refuted the same last move early
    counter_moves: bool = "CounterMoves", true;

    /// How much depth a move spends
    reduction: Reduction = "Reduction", Reduction::LateMove;
    /// Late-move reduction: constant part, hundredths of a ply
    late_move_constant: i32 = "LateMove.Constant", 50, -200..=500;
    /// Late-move reduction: divisor of log(depth) * log(number), hundredths
    late_move_divisor: i32 = "LateMove.Divisor", 190, 50..=1000;
    /// Late-move reduction: history that saves a ply
    late_move_history: i32 = "LateMove.History", 9000, 500..=60000;
    /// Late-move reduction: less where a principal variation went through, hundredths of a ply
    late_move_table_pv: i32 = "LateMove.TablePv", 100, 0..=300;
    /// Realization probability: hundredths of a ply per halving of the probability
    realization_scale: i32 = "Realization.Scale", 33, 1..=400;
    /// Realization probability: most that a move spends, hundredths of a ply
    realization_most: i32 = "Realization.Most", 400, 100..=2000;
    /// Realization probability: least that a move spends, hundredths of a ply
    realization_least: i32 = "Realization.Least", 50, 1..=100;

    /// Search one ply less where no move is known
    internal_reduction: bool = "InternalReduction", true;
    /// Least depth for it
    internal_reduction_depth: i32 = "InternalReduction.MinDepth", 4, 1..=30;

    /// Which singular extension is used
    singular: Singular = "Singular", Singular::Table;
    /// Least depth of the table and original forms
    singular_depth: i32 = "Singular.MinDepth", 7, 2..=30;
    /// Gap between the best move and the others: per ply of depth in the table form
    singular_margin: i32 = "Singular.Margin", 2, 0..=100;
    /// Gap of the original form
    singular_original_margin: i32 = "Singular.OriginalMargin", 100, 0..=5000;
    /// Gap of the frontier form
    singular_gap: i32 = "Singular.Gap", 300, 0..=5000;
    /// Extra plies of the frontier form
    singular_extra: i32 = "Singular.Extra", 2, 1..=6;
    /// How many of the best leaves the frontier form opens
    singular_width: i32 = "Singular.Width", 1, 1..=20;
    /// When the frontier form writes the deeper value back
    singular_rewrite: Rewrite = "Singular.Rewrite", Rewrite::Always;
    /// How far off a leaf's value must be to be clearly wrong
    singular_wrong: i32 = "Singular.Wrong", 100, 0..=5000;

    /// Search checks that lose no material half a ply deeper
    check_extension: bool = "CheckExtension", true;

    /// ProbCut in the normal search: a good capture far above beta at reduced depth cuts
    probcut: bool = "ProbCut", true;
    /// Margin above beta
    probcut_margin: i32 = "ProbCut.Margin", 250, 0..=5000;
    /// Least depth
    probcut_depth: i32 = "ProbCut.MinDepth", 5, 2..=30;
    /// Plies that the verifying search saves
    probcut_reduction: i32 = "ProbCut.Reduction", 4, 1..=12;
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
    fn names_are_unique() {
        let declared = SearchParams::declared();
        for (index, one) in declared.iter().enumerate() {
            assert!(declared[index + 1..].iter().all(|other| other.name != one.name));
        }
    }

    #[test]
    fn bad_names_and_values_are_refused_and_change_nothing() {
        let mut params = SearchParams::default();
        for (name, value) in
            [("Nonsense", "1"), ("NullMove.Base", "99"), ("NullMove", "yes"), ("Driver", "sss")]
        {
            assert!(params.set(name, value).is_err(), "{name} {value}");
        }
        assert_eq!(params, SearchParams::default());
    }
}
