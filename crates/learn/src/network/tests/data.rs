//! Reading, filtering, shuffling.

use super::super::config::{Beyond, DataConfig, NetworkConfig, ValidationConfig};
use super::super::data::{DataError, DataPart, Sample, SampleOutcome, open};
use super::super::example::Example;
use super::super::stream::{Stream, StreamPosition};
use super::{Folder, positions, psv, sample, samples, small_config};
use std::path::Path;
use yomikiri_eval::network::FeatureSet;
use yomikiri_shogi::notation::packed::{PackedEntry, PackedFormat};
use yomikiri_shogi::{Position, Square};

fn mirror_image(position: &Position) -> Position {
    let mut image = Position::empty();
    for square in Square::all() {
        if let Some(piece) = position.piece_on(square) {
            image.put(square.mirrored(), Some(piece));
        }
    }
    for color in yomikiri_shogi::Color::ALL {
        image.set_hand(color, position.hand(color));
    }
    image.set_side_to_move(position.side_to_move());
    image
}

#[test]
fn mirrored_inputs_are_those_of_the_mirror_image() {
    let mut scratch = Vec::new();
    for position in positions(21, 300) {
        for features in FeatureSet::ALL {
            let found = Example::of_position(features, &position, true, &mut scratch);
            let image = mirror_image(&position);
            let expected = Example::of_position(features, &image, false, &mut scratch);
            for half in 0..2 {
                let sorted = |example: &Example| {
                    let mut inputs = example.half(half).to_vec();
                    inputs.sort_unstable();
                    inputs
                };
                assert_eq!(sorted(&found), sorted(&expected));
            }
        }
    }
}

fn read(
    path: &Path,
    data: &DataConfig,
    validation: &ValidationConfig,
    part: DataPart,
) -> Vec<Sample> {
    open(path, data, validation, part).unwrap().map(Result::unwrap).collect()
}

/// A share that no hash is a multiple of, for all practical purposes.
fn nothing_aside() -> ValidationConfig {
    ValidationConfig { share: u64::MAX, ..ValidationConfig::default() }
}

#[test]
fn scored_games_give_their_quiet_positions() {
    let folder = Folder::new("games");
    let text = "startpos moves 7g7f 3c3d 8h2b+ 3a2b 2g2f B*5e 3i3h\tB\t1\t10,20,30,40,30000,-60\n";
    let path = folder.file("games.tsv", text.as_bytes());
    let mut data = DataConfig { quiet: true, ..DataConfig::default() };
    let quiet = read(&path, &data, &nothing_aside(), DataPart::Training);
    let position = |moves: &str| Position::from_usi(&format!("startpos moves {moves}")).unwrap();
    let win = |position: &Position| {
        let black = position.side_to_move() == yomikiri_shogi::Color::Black;
        Some(if black { SampleOutcome::Win } else { SampleOutcome::Loss })
    };
    let expected = |moves: &str, score| {
        let position = position(moves);
        sample(&position, score, win(&position))
    };
    // The captures 8h2b+ and 3a2b are left out, and so is the mate.
    let wanted = [
        expected("7g7f", 10),
        expected("7g7f 3c3d 8h2b+ 3a2b", 40),
        expected("7g7f 3c3d 8h2b+ 3a2b 2g2f B*5e", -60),
    ];
    assert_eq!(quiet, wanted);
    data.quiet = false;
    data.beyond = Beyond::Clip;
    let all = read(&path, &data, &nothing_aside(), DataPart::Training);
    assert_eq!(all.iter().map(|it| it.score).collect::<Vec<_>>(), [10, 20, 30, 40, 3000, -60]);
    data.game_score_scale = 0.5;
    let halved = read(&path, &data, &nothing_aside(), DataPart::Training);
    assert_eq!(halved.iter().map(|it| it.score).collect::<Vec<_>>(), [5, 10, 15, 20, 3000, -30]);
}

#[test]
fn packed_files_of_all_kinds_give_the_same_positions() {
    let folder = Folder::new("packed");
    let mut wanted = samples(31, 500);
    for sample in &mut wanted {
        sample.mirrored = false;
        sample.outcome = sample.outcome.or(Some(SampleOutcome::Draw));
    }
    let bytes = psv(&wanted);
    let mut hcpe = Vec::new();
    for entry in bytes.chunks(40) {
        let entry = PackedEntry::read(entry, PackedFormat::Psv).unwrap();
        entry.write(PackedFormat::Hcpe, &mut hcpe).unwrap();
    }
    let files = [
        folder.file("a.psv", &bytes),
        folder.file("b.bin", &bytes),
        folder.file("c.psv.zst", &zstd::encode_all(&bytes[..], 1).unwrap()),
        folder.file("d.hcpe", &hcpe),
    ];
    let data = DataConfig::default();
    for file in files {
        assert_eq!(read(&file, &data, &nothing_aside(), DataPart::Training), wanted, "{file:?}");
    }
    let cut = folder.file("cut.psv", &bytes[..bytes.len() - 1]);
    let last = open(&cut, &data, &nothing_aside(), DataPart::Training).unwrap().last();
    assert!(matches!(last, Some(Err(DataError::Truncated { number: 500, .. }))));
    let mut reader = open(&cut, &data, &nothing_aside(), DataPart::Training).unwrap();
    assert!(reader.by_ref().find(Result::is_err).is_some());
    assert!(reader.next().is_none(), "nothing comes after an error");
}

#[test]
fn what_is_kept_aside_is_never_trained_on() {
    let folder = Folder::new("aside");
    let path = folder.file("a.psv", &psv(&samples(41, 3000)));
    let validation = ValidationConfig { share: 5, block: 100, ..ValidationConfig::default() };
    let data = DataConfig::default();
    let training = read(&path, &data, &validation, DataPart::Training);
    let aside = read(&path, &data, &validation, DataPart::Validation);
    assert_eq!(training.len() + aside.len(), 3000);
    assert!(!aside.is_empty() && aside.len() < 1500 && aside.len().is_multiple_of(100));
}

fn take(stream: &mut Stream, count: usize) -> Vec<Sample> {
    let mut batch = Vec::new();
    stream.take(count, &mut batch).unwrap();
    batch
}

fn sorted(mut samples: Vec<Sample>) -> Vec<Sample> {
    samples.sort_unstable_by_key(|it| (it.packed, it.score, it.mirrored));
    samples
}

#[test]
fn an_epoch_has_every_position_once_and_two_have_both_mirror_images() {
    let folder = Folder::new("epoch");
    let files = [samples(51, 700), samples(52, 333)].map(|mut it| {
        it.iter_mut().for_each(|it| it.mirrored = false);
        it
    });
    for shuffle in [100, 1033, 5000] {
        let paths = [("a.psv", &files[0]), ("b.psv", &files[1])];
        let mut config = NetworkConfig::default();
        config.data.files = paths.map(|(name, it)| folder.file(name, &psv(it))).to_vec();
        config.data.shuffle = shuffle;
        config.validation = nothing_aside();
        let mut stream = Stream::at(&config, StreamPosition::default()).unwrap();
        let epochs = [take(&mut stream, 1033), take(&mut stream, 1033)];
        assert_ne!(epochs[0], epochs[1]);
        let all = |mirrored| {
            let it = files.iter().flatten();
            it.map(move |&it| Sample { mirrored, outcome: None, ..it })
        };
        let found = epochs.into_iter().flatten().map(|it| Sample { outcome: None, ..it });
        let wanted = all(false).chain(all(true)).collect();
        assert_eq!(sorted(found.collect()), sorted(wanted), "{shuffle}");
    }
}

#[test]
fn a_stream_goes_on_where_it_stood() {
    let folder = Folder::new("stream");
    let path = folder.file("a.psv", &psv(&samples(61, 1000)));
    for shuffle in [64, 250, 4000] {
        let mut config = small_config(path.clone());
        config.data.shuffle = shuffle;
        let mut whole = Stream::at(&config, StreamPosition::default()).unwrap();
        for count in [1, 99, 250, 500, 1500, 77] {
            take(&mut whole, count);
            let mut again = Stream::at(&config, whole.cursor()).unwrap();
            assert_eq!(again.cursor(), whole.cursor());
            let next = take(&mut again, 600);
            let mut other = Stream::at(&config, whole.cursor()).unwrap();
            assert_eq!(take(&mut other, 600), next);
            assert_eq!(take(&mut whole, 600), next, "{shuffle} {count}");
        }
    }
}

#[test]
fn files_without_positions_are_refused() {
    let folder = Folder::new("empty");
    let config = small_config(folder.file("a.psv", &[]));
    assert!(matches!(Stream::at(&config, StreamPosition::default()), Err(DataError::Empty)));
    let config = small_config(folder.0.join("missing.psv"));
    assert!(matches!(Stream::at(&config, StreamPosition::default()), Err(DataError::Read { .. })));
}

#[test]
fn a_config_with_a_typing_error_is_refused() {
    assert!(NetworkConfig::from_toml("[optimizer]\nrte = 1\n").is_err());
    let message = NetworkConfig::from_toml("[architecture]\nl1 = 200\n").unwrap_err().to_string();
    assert!(message.contains("K+P 200x2-32-32-1"), "{message}");
    let config = NetworkConfig::from_toml("[loss]\nlambda = 0.5\nlambda-end = 1.0\n").unwrap();
    let half = config.lambda(config.optimizer.positions / 2);
    assert!((half - 0.75).abs() < 1e-9);
    assert_eq!(NetworkConfig::from_toml(&toml::to_string(&config).unwrap()).unwrap(), config);
}

#[test]
fn the_rate_rises_and_falls_as_the_schedule_says() {
    let text = "[optimizer]\nrate = 1.0\nwarm-up = 100\npositions = 1100\nfinal-rate = 0.01\n";
    for (decay, middle) in [("cosine", 0.505), ("exponential", 0.1), ("constant", 1.0)] {
        let config = NetworkConfig::from_toml(&format!("{text}decay = \"{decay}\"\n")).unwrap();
        assert!(config.rate(0) < 0.02 && config.rate(50) < 0.6);
        assert!((config.rate(100) - 1.0).abs() < 1e-9);
        assert!((config.rate(600) - middle).abs() < 1e-3, "{decay} {}", config.rate(600));
    }
    let config =
        NetworkConfig::from_toml(&format!("{text}decay = \"step\"\nstep-every = 250\n")).unwrap();
    assert_eq!([100, 349, 350, 600].map(|it| config.rate(it)), [1.0, 1.0, 0.5, 0.25]);
}
