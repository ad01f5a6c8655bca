//! Techniques that come in several forms, of which a parameter names one.

use super::declared::{Limits, Range, Setting, choice};

choice! {
    /// How the search tree is driven from the root.
    Driver {
        /// Iterative deepening, principal-variation search, aspiration windows.
        PrincipalVariation = "pvs",
        /// Iterative deepening by null-window searches around a guess (Plaat et al. 1996).
        Mtdf = "mtdf",
        /// One search to the given depth, full window, as paper 2 has it.
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
