//! A checksum of the search: the nodes that a fixed set of problems takes.
//!
//! One thread from an empty table is deterministic, so a change of the code that is meant to change
//! nothing leaves the sum as it is.

use yomikiri_proof::limits::{ProofLimits, Stack};
use yomikiri_shogi::Position;
use yomikiri_shogi::notation::ParseError;

use crate::game::node::Tsume;
use crate::solve::{MateSettings, MateSolver, Solution, attacker_of};

/// Mates of 3 to 15 plies and near-misses out of `data/tsume/mined.tsv`.
pub const PROBLEMS: [&str; 20] = [
    "ln7/9/2p2k3/2s1pspp+P/Pl2PP3/p1PP3s1/1g1G1p+b2/3K5/LN7 w BGL3P2rgs2n3p 146",
    "+S4B1+RG/7nl/1p3ng2/pn4kpp/2PS5/1KpP2P1P/PP2S1G2/3NR4/L7L b BGSL7P 133",
    "l8/2kr+R1+N2/2n5p/pG4p2/1gS6/P2+BS+bP2/1PK1g+p2P/2G6/LN6L b 2S6Pnl4p 117",
    "l2g2p1+R/4gs3/ppnkp2p1/3p1p3/3gP1nP1/P4P3/1PSPK1P2/5L+r2/7N1 w 2P2bg2sn2l2p 140",
    "l8/2k1s1+N2/2n1+R3p/pG4p2/1gS6/P2+BS+bP2/1PK1g+p2P/2G6/LN6L b S6Prnl4p 115",
    "4ggs2/7kS/p3PpP1L/5nppp/2+R4n1/1P4R2/P6PP/7K1/L4G2L w BGS2NL5Pbs2p 146",
    "l6nl/1r5k1/p1n1b+P1p1/4p1pPp/P2p1s1R1/1P1sP1P1P/3g1S3/1K7/LN6L w B2GSN4Pgp 100",
    "7+R1/5g1s1/p2p1psk1/1p6l/5S2p/5r3/PPNP1+b3/2GS5/L1KG+p3L b BGNLP2n8p 97",
    "l1+P3R1l/k5P2/6g2/ppP1pps1p/4b4/P1SpN1G2/1PKP1PN1P/4+r4/L1S5L w BN3P2gsnp 128",
    "k7l/1sg6/9/l+Bpnp1+brp/1n1p1pp2/p1P1P2p1/NPSP4P/1KGN5/L1S1G3L w GSPr4p 130",
    "4ggs2/7kS/p3PpP1L/5nppp/2+R4n1/1P3R3/P5+sPP/9/L4GSKL w BGN5Pbnl2p 140",
    "l2s5/1r7/3p2+P1p/p1Bs2p2/1Np1kp3/P2N2P2/1SGPg1N1P/2G6/L+p1KS3L b RGN5Pblp 111",
    "lk4+Pnl/1g3R3/3G2p1p/ppNppp3/1P7/PlpPP2pP/4S4/1SR6/LK1g4+b w 2N2Pbg2sp 148",
    "ln4+R2/3+Sgr3/kp4n1p/1NS1p1s2/p1Pp1p1n1/4P4/P1pPSP2P/2G6/L1K2G2+b b GL4Pblp 87",
    "l2r4l/1P2pk3/2g2snp1/p1p2nP1p/3Sn1GP1/P1PP4P/1p1gP4/KL1+r5/LN1b4+p b Gb2s3p 131",
    "3g2knl/1+R4gs1/n3pp1p1/pp1p2p1p/9/PP7/3P+bPP1P/r1L3S2/4K2NL b BNL2P2g2s2p 73",
    "l6nl/6ks1/p1np1Pp1p/1pps1K3/9/2PS+r4/PPSP1+bP1P/5g3/LNG5L b GNPrbg4p 81",
    "ln1g3nl/4g4/p+Rsk1p1p1/2p1p3p/1p1N1P1P1/2P6/PP1+pP1P1P/1S4s2/L3K3L b GSr2bgn2p 93",
    "4s1lnl/3p2k2/p3+B4/2P1p1ppp/1p3p3/P1bLP3P/1P2SPPP1/6GK1/1+p4GNL w RGSNPrgsn 110",
    "l3kg3/rsg1p4/p1n2p1p1/3+R2N2/5nl1l/2p+b5/P+n3P2P/1S1P5/LK4+p2 b S3Pb2gs5p 157",
];

/// What [`signature`] gives. A change of this number is a change of the search: say so where it is
/// made.
pub const SIGNATURE: u64 = 196_658;

/// Most nodes for one problem; those that need more take part with as many.
const MOST_NODES: u64 = 50_000;

/// Solves problems one after the other from an empty table: the answer, the shortest length and the
/// raw length. `stack` bounds the bytes that the recursion may use, as a browser does.
pub fn solutions<'a>(
    problems: impl IntoIterator<Item = &'a str>,
    stack: Option<usize>,
) -> impl Iterator<Item = Result<Solution, ParseError>> {
    let stack = stack.map_or(Stack::default(), Stack::Callers);
    let limits = ProofLimits { memory: 16 << 20, stack, ..ProofLimits::nodes(MOST_NODES) };
    let mut solver = MateSolver::new(MateSettings { limits, raw: true, ..MateSettings::default() });
    problems.into_iter().map(move |sfen| {
        let position = Position::from_problem_sfen(sfen)?;
        let attacker = attacker_of(&position);
        Ok(solver.solve(&Tsume::new(position, attacker), &mut |_| {}))
    })
}

/// The sum of the nodes of all problems.
#[must_use]
pub fn signature() -> u64 {
    let nodes = |solved: Result<Solution, _>| solved.expect("a position of the table").nodes;
    solutions(PROBLEMS, None).map(nodes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_takes_the_nodes_that_it_took() {
        assert_eq!(signature(), SIGNATURE);
        assert_eq!(signature(), SIGNATURE, "a second time");
    }
}
