use std::io::Write;

use super::*;

/// Bytes that neither repeat nor defy packing.
fn content(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let step = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b"7g7f3c3d+ \n"[(state >> 24) as usize % 11]
    };
    (0..length).map(step).collect()
}

fn zstd_of(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).expect("packed")
}

fn gzip_of(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("packed");
    encoder.finish().expect("packed")
}

fn error_of(bytes: &[u8], limits: UnpackLimits) -> PackedError {
    unpack(bytes, limits).expect_err("refused")
}

#[test]
fn plain_zstd_and_gzip_are_told_apart_and_read_alike() {
    for length in [0, 1, 3, 4, 5, 1000, 300_000, 20 << 20] {
        let plain = content(length);
        for (packed, packing) in
            [(zstd_of(&plain), Packing::Zstd), (gzip_of(&plain), Packing::Gzip)]
        {
            assert_eq!(Packing::of(&packed), packing);
            assert!(
                unpack(&packed, UnpackLimits::default()).expect("readable") == plain,
                "{length}"
            );
            let reader = PackedReader::new(&packed[..], UnpackLimits::default()).expect("readable");
            assert_eq!(reader.packing(), packing);
        }
        assert!(unpack(&plain, UnpackLimits::size(1)).expect("plain is not bounded") == plain);
    }
}

#[test]
fn frames_and_members_one_after_another_are_one_file() {
    let (first, second) = (content(200_000), b"end\n".to_vec());
    let skippable = [&[0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    let whole = [&first[..], &second].concat();
    let (one, other) = (zstd_of(&first), zstd_of(&second));
    let zstd = [&skippable[..], &one, &skippable, &zstd_of(b""), &other, &skippable].concat();
    let gzip = [gzip_of(&first), gzip_of(&second)].concat();
    for packed in [zstd, gzip] {
        assert!(unpack(&packed, UnpackLimits::default()).expect("readable") == whole);
        assert!(unpack(&packed, UnpackLimits::size(whole.len() as u64)).is_ok());
        let limits = UnpackLimits::size(whole.len() as u64 - 1);
        assert!(matches!(error_of(&packed, limits), PackedError::TooLarge { .. }));
    }
}

#[test]
fn a_file_that_grows_too_large_is_refused_not_cut() {
    let packed = zstd_of(b"startpos moves 7g7f\n");
    assert_eq!(unpack(&packed, UnpackLimits::size(20)).expect("it fits"), b"startpos moves 7g7f\n");
    let text = error_of(&packed, UnpackLimits::size(19)).to_string();
    assert!(text.contains("19 bytes"), "{text}");
}

#[test]
fn a_stated_size_beyond_the_limit_is_refused_at_once() {
    // A frame header alone: single segment, eight bytes of content size.
    let mut packed = vec![0x28, 0xb5, 0x2f, 0xfd, 0b1110_0000];
    packed.extend(40_000_000_000_u64.to_le_bytes());
    let error = error_of(&packed, UnpackLimits::default());
    assert!(matches!(error, PackedError::WindowTooLarge { .. }), "{error}");
    // The same with a small window.
    let mut packed = vec![0x28, 0xb5, 0x2f, 0xfd, 0b1100_0000, 0];
    packed.extend(40_000_000_000_u64.to_le_bytes());
    let error = error_of(&packed, UnpackLimits::default());
    assert!(matches!(error, PackedError::TooLarge { .. }), "{error}");
}

#[test]
fn a_window_beyond_the_limit_is_refused() {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    encoder.window_log(24).expect("a window");
    encoder.write_all(&content(100_000)).expect("packed");
    let packed = encoder.finish().expect("packed");
    let limits = UnpackLimits { window: 8 << 20, ..UnpackLimits::default() };
    let error = error_of(&packed, limits);
    assert!(matches!(error, PackedError::WindowTooLarge { window: 0x100_0000, .. }), "{error}");
    assert!(unpack(&packed, UnpackLimits::default()).is_ok());
}

#[test]
fn damage_is_an_error_wherever_it_is() {
    let plain = content(5000);
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).expect("an encoder");
    encoder.include_checksum(true).expect("set");
    encoder.write_all(&plain).expect("packed");
    for packed in [encoder.finish().expect("packed"), gzip_of(&plain)] {
        for length in 4..packed.len() {
            let cut = unpack(&packed[..length], UnpackLimits::default());
            assert!(cut.is_err(), "cut after {length} bytes");
        }
        for at in 4..packed.len() {
            let mut damaged = packed.clone();
            damaged[at] ^= 0x10;
            // Some header bits mean nothing; whatever is read then must be what was packed.
            if let Ok(read) = unpack(&damaged, UnpackLimits::default()) {
                assert!(read == plain, "byte {at} changed unnoticed");
            }
        }
        let trailing = [&packed[..], b"trailing"].concat();
        let read = unpack(&trailing, UnpackLimits::default());
        assert!(read.is_err() || Packing::of(&packed) == Packing::Gzip);
    }
}

#[test]
fn files_are_opened_and_streamed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games");
    let plain = content(1_000_000);
    for bytes in [plain.clone(), zstd_of(&plain), gzip_of(&plain)] {
        std::fs::write(&path, bytes).expect("written");
        assert!(read_file(&path, UnpackLimits::default()).expect("readable") == plain);
        let lines = open_file(&path, UnpackLimits::default()).expect("opened").lines().count();
        assert_eq!(lines, plain.split_inclusive(|&byte| byte == b'\n').count());
    }
    assert!(read_file(&folder.path().join("none"), UnpackLimits::default()).is_err());
}

#[test]
fn sizes_as_people_write_them() {
    for (text, size) in [("1", 1), ("512k", 512 << 10), ("4 GiB", 4 << 30), ("2TB", 2 << 40)] {
        assert_eq!(parse_size(text), Ok(size), "{text}");
    }
    for text in ["", "0", "-1", "1.5G", "G", "1X", "99999999999T"] {
        assert!(parse_size(text).is_err(), "{text}");
    }
}
