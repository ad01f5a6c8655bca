//! The messages, one file a topic.

use crate::Language;
use crate::template::fill;
use std::fmt::Display;

/// A message as data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
    /// Its name.
    pub id: &'static str,
    /// The names of its arguments.
    pub arguments: &'static [&'static str],
    /// Its text in English.
    pub english: &'static str,
    /// Its text in Japanese.
    pub japanese: &'static str,
}

/// Declares a group of messages: a type that has a language and a method for each message.
macro_rules! messages {
    (
        $(#[$about:meta])* $group:ident
        $( $id:ident ( $($argument:ident),* ) $english:literal $japanese:literal )*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $group(
            /// The language.
            pub Language,
        );

        // A message has as many arguments as its sentence has blanks.
        #[allow(clippy::too_many_arguments)]
        impl $group {
            /// Every message of the group.
            pub const MESSAGES: &'static [Message] = &[$(Message {
                id: stringify!($id),
                arguments: &[$(stringify!($argument)),*],
                english: $english,
                japanese: $japanese,
            }),*];

            $(
                #[doc = concat!("`", $english, "`")]
                #[must_use]
                pub fn $id(self $(, $argument: impl Display)*) -> String {
                    let text = self.0.pick($english, $japanese);
                    fill(text, &[$((stringify!($argument), $argument.to_string())),*])
                }
            )*
        }
    };
}

mod analyse;
mod cli;
mod contest;
mod csa;
mod go;
mod play;
mod solve;

pub use analyse::{Analyse, Graph};
pub use cli::{CommandLine, Files};
pub use contest::Match;
pub use csa::Csa;
pub use go::GoRead;
pub use play::{Play, Side};
pub use solve::{Capture, Composition, Solve};

/// Every group with its name.
pub fn groups() -> [(&'static str, &'static [Message]); 12] {
    [
        ("play", Play::MESSAGES),
        ("side", Side::MESSAGES),
        ("analyse", Analyse::MESSAGES),
        ("graph", Graph::MESSAGES),
        ("solve", Solve::MESSAGES),
        ("go-read", GoRead::MESSAGES),
        ("capture", Capture::MESSAGES),
        ("composition", Composition::MESSAGES),
        ("match", Match::MESSAGES),
        ("csa", Csa::MESSAGES),
        ("files", Files::MESSAGES),
        ("command-line", CommandLine::MESSAGES),
    ]
}
