//! Known numbers of move sequences. The counts are facts published with the rsshogi crate and in
//! the tables that shogi programmers share; the matsuri position's come from the same tables.

use yomikiri_shogi::Position;
use yomikiri_shogi::perft::{Leaves, divide, perft};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
const MOST_MOVES: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

/// (position, depth, sequences)
const KNOWN: &[(&str, u32, u64)] = &[
    (START, 1, 30),
    (START, 2, 900),
    (START, 3, 25_470),
    (START, 4, 719_731),
    (START, 5, 19_861_490),
    (MATSURI, 2, 28_684),
    (MATSURI, 3, 4_809_015),
    (MOST_MOVES, 1, 593),
    ("lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9", 3, 37_189),
    ("l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1", 2, 15_850),
    ("l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1", 3, 1_114_656),
    ("6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1", 2, 41_605),
    (
        "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
        3,
        8_420_492,
    ),
    ("ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62", 2, 16_440),
    ("ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62", 3, 864_786),
    ("ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65", 1, 101),
    ("ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65", 2, 15_744),
    ("ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65", 3, 1_183_354),
    ("ln2+r1r2/5s+Pkl/3+B1p1p1/p4B2p/2P6/P6PP/1PNP1P3/2G3SK1/L4G1NL w 2GSN3Ps3p 76", 2, 445),
];

#[test]
fn known_counts_in_both_modes() {
    for &(sfen, depth, expected) in KNOWN {
        let mut position = Position::from_sfen(sfen).unwrap();
        let before = position.clone();
        for leaves in [Leaves::Counted, Leaves::Played] {
            assert_eq!(perft(&mut position, depth, leaves), expected, "{sfen} depth {depth}");
            assert_eq!(position, before);
        }
        let divided: u64 = divide(&mut position, depth, Leaves::Counted).iter().map(|d| d.1).sum();
        assert_eq!(divided, expected);
    }
}

/// Half a billion sequences: a minute or more in a build with checks, so it runs by
/// `cargo test --release -- --ignored`.
#[test]
#[ignore = "half a billion sequences: cargo test --release -p yomikiri-shogi --test perft -- --ignored"]
fn start_position_to_depth_six() {
    let mut position = Position::start();
    assert_eq!(perft(&mut position, 6, Leaves::Counted), 547_581_517);
}
