//! Input of experiments: files that are named, and those that the program carries, so that it works
//! away from its source tree. Nothing under a foreign licence is among them.

use std::borrow::Cow;
use std::io;
use std::path::Path;

/// What the program carries, by the names that the default settings have.
const CARRIED: [(&str, &[u8]); 7] = [
    (yomikiri_learn::dataset::CARRIED_NAME, yomikiri_learn::dataset::CARRIED),
    ("data/next_moves.tsv", yomikiri_data::NEXT_MOVES.as_bytes()),
    ("data/openings.sfen", yomikiri_arena::openings::DEFAULT.as_bytes()),
    ("data/speculative.jsonl.zst", yomikiri_data::SPECULATIVE),
    ("data/tsume/mined.tsv", yomikiri_data::MINED.as_bytes()),
    ("data/tsume/zukou_odd.tsv", yomikiri_data::ZUKOU.as_bytes()),
    ("data/tsume/musou_odd.tsv", yomikiri_data::MUSOU.as_bytes()),
];

/// The bytes of a file; where there is none, of what the program carries under this name.
///
/// # Errors
/// If there is neither.
pub fn read(path: &Path) -> io::Result<Cow<'static, [u8]>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Cow::Owned(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => match carried(path) {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => Err(error),
        },
        Err(error) => Err(error),
    }
}

/// What the program carries under a name.
pub fn carried(path: &Path) -> Option<&'static [u8]> {
    CARRIED.iter().find(|(name, _)| Path::new(name) == path).map(|(_, bytes)| *bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_what_is_carried_and_files_come_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("next_moves.tsv");
        std::fs::write(&file, "mine").expect("written");
        assert_eq!(&*read(&file).expect("a file"), b"mine");
        for (name, bytes) in CARRIED {
            assert!(!bytes.is_empty());
            assert_eq!(&*read(Path::new(name)).expect(name), bytes, "{name}");
        }
        assert!(read(&folder.path().join("none")).is_err());
        assert!(carried(Path::new("data/go/go_gnugo_capture.jsonl")).is_none());
    }
}
