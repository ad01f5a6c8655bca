//! No parser panics on any input, and what it reads can be written and read again.
//!
//! The same is done for longer by the targets in `fuzz/`.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use yomikiri_shogi::record::{Format, losses, read};
use yomikiri_shogi::{Move, Position};

const KIF: &str = "手合割：平手\n先手：甲\n手数----指手---------消費時間--\n*前\n\
    1 ７六歩(77) ( 0:12/00:00:12)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n5 ４五角打\n\
    6 投了\n\n変化：2手\n2 ８四歩(83)\n";
const KI2: &str = "▲７六歩 △３四歩 ▲２二角成 △同　銀 ▲４五角 △５二金右\nまで6手で後手の勝ち\n";
const CSA: &str =
    "V2.2\nN+a\n$EVENT:x\nPI82HI\nP+00FU\n-\n-3334FU,T1\n+7776FU\nT2\n'*c\n%TORYO\n/\n";
const JKF: &str = r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"},"time":{"now":{"m":0,"s":1}},"forks":[[{"special":"TORYO"}]]}]}"#;
const USI: &str = "startpos moves 7g7f 3c3d 8h2b+\nsfen 4k4/9/9/9/9/9/9/9/4K4 b RB 1 moves R*5b\n";
const TSV: &str = "startpos moves 7g7f 3c3d\tB\t1\t30\nstartpos\t?\t2024\ta\t\tb\t\tc\n";

fn seed(format: Format) -> Vec<u8> {
    match format {
        Format::Csa | Format::Csa3 => CSA.into(),
        Format::Kif | Format::Kifu => KIF.into(),
        Format::Ki2 | Format::Ki2u => KI2.into(),
        Format::Jkf => JKF.into(),
        Format::Usi | Format::Sfen => USI.into(),
        Format::Tsv => TSV.into(),
        Format::Bod => {
            let record = read(KIF.as_bytes(), Format::Kif).unwrap();
            format.write(&record).unwrap()
        }
        Format::Psv | Format::Hcpe => {
            let record = read(USI.lines().next().unwrap().as_bytes(), Format::Usi).unwrap();
            format.write(&record).unwrap()
        }
    }
}

/// Reads, and if that goes well says what is lost, writes in every format and reads that again.
fn exercise(bytes: &[u8], format: Format) {
    let Ok(records) = read(bytes, format) else { return };
    for other in Format::ALL {
        for record in &records {
            let _ = losses(std::slice::from_ref(record), other);
            let Ok(written) = other.write(std::slice::from_ref(record)) else { continue };
            let back = read(&written, other);
            assert!(back.is_ok(), "{format} to {other}: {:?}", back.err());
        }
    }
}

/// A change to a text: where, what to do, and with which piece of another place.
fn edited(seed: &[u8], edits: &[(u16, u8, u16, u8)]) -> Vec<u8> {
    const TOKENS: [&str; 16] = [
        "同",
        "成",
        "打",
        "(00)",
        "変化：9手\n",
        "\n",
        "*",
        "%TORYO\n",
        "+",
        "T9\n",
        "P1",
        "十",
        "９九玉",
        "{",
        "\t",
        "まで",
    ];
    let mut bytes = seed.to_vec();
    for &(at, action, from, length) in edits {
        let at = usize::from(at) % (bytes.len() + 1);
        match action % 4 {
            0 => {
                let end = (at + usize::from(length % 16)).min(bytes.len());
                bytes.drain(at..end);
            }
            1 => {
                let token = TOKENS[usize::from(length) % TOKENS.len()];
                bytes.splice(at..at, token.bytes());
            }
            2 if !bytes.is_empty() => {
                let from = usize::from(from) % bytes.len();
                let end = (from + usize::from(length)).min(bytes.len());
                let copied = bytes[from..end].to_vec();
                bytes.splice(at..at, copied);
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = byte.wrapping_add(length);
                }
            }
        }
    }
    bytes
}

/// The same inputs in every run; `PROPTEST_RNG_SEED` and `PROPTEST_CASES` give others and more.
fn config() -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..Default::default() };
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300), format in 0usize..Format::ALL.len()) {
        exercise(&bytes, Format::ALL[format]);
    }

    #[test]
    fn any_text(text in "\\PC{0,120}") {
        for format in Format::ALL {
            exercise(text.as_bytes(), format);
        }
        let _ = Format::of_content(text.as_bytes());
        let _ = Position::from_sfen(&text);
        let _ = Position::from_usi(&text);
        let _ = text.parse::<Move>();
    }

    #[test]
    fn damaged_files(
        format in 0usize..Format::ALL.len(),
        edits in proptest::collection::vec(any::<(u16, u8, u16, u8)>(), 1..6),
    ) {
        let format = Format::ALL[format];
        exercise(&edited(&seed(format), &edits), format);
    }

    #[test]
    fn damaged_sfen(edits in proptest::collection::vec(any::<(u16, u8, u16, u8)>(), 1..4)) {
        let seed = b"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        let text = String::from_utf8_lossy(&edited(seed, &edits)).into_owned();
        if let Ok(position) = Position::from_sfen(&text) {
            prop_assert_eq!(Position::from_sfen(&position.to_sfen()).unwrap(), position);
        }
    }
}
