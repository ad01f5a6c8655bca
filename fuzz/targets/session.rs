//! Any lines as messages of a page, and any bytes as a stored session.
#![no_main]

use libfuzzer_sys::fuzz_target;
use yomikiri_base::clock::ManualClock;
use yomikiri_session::protocol::Request;
use yomikiri_session::{Session, SessionResources};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let clock = ManualClock::new().clock();
    let resources =
        || SessionResources { hash_megabytes: 1, mate_megabytes: 1, ..SessionResources::default() };
    let mut session = Session::new(clock.clone(), resources(), 1);
    for line in text.lines().take(8) {
        if let Ok(request) = serde_json::from_str::<Request>(line) {
            // The tasks are not carried out: their searches are not what is tried here.
            drop(session.handle(request));
        }
    }
    let saved = session.save();
    let again = Session::restore(clock.clone(), resources(), &saved).expect("what was saved");
    assert_eq!(again.save(), saved);
    let _ = Session::restore(clock, resources(), text);
});
