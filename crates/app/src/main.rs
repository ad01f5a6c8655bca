//! The `yomikiri` binary.

fn main() {}
