//! Any bytes as a file of the format bod.
#![no_main]

use libfuzzer_sys::fuzz_target;
use yomikiri_fuzz::exercise;
use yomikiri_shogi::record::Format;

fuzz_target!(|bytes: &[u8]| exercise(bytes, Format::Bod));
