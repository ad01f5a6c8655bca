//! Game records: one model that every format reads into and writes from.
//!
//! A [`Record`] is a tree of moves with comments, clock times and endings, over headers and a
//! starting position. What two formats can both hold survives the way from one to the other.
//!
//! ```
//! use yomikiri_shogi::record::{Format, read};
//!
//! let kif = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 投了\n";
//! let records = read(kif.as_bytes(), Format::Kif).unwrap();
//! let csa = Format::Csa.write(&records).unwrap();
//! assert!(String::from_utf8(csa).unwrap().contains("+7776FU\n%TORYO"));
//! ```

mod bookmark;
pub mod convert;
pub mod csa;
mod cursor;
mod ending;
mod error;
pub mod files;
mod format;
pub mod games;
mod headers;
pub mod jkf;
pub mod kakinoki;
mod loss;
mod packed;
mod score;
pub mod text;
mod tree;
pub mod usi;

pub use cursor::Cursor;
pub use ending::Ending;
pub use error::RecordError;
pub use format::{Format, UnknownFormat, read};
pub use headers::{Headers, header};
pub use loss::{Loss, losses};
pub use tree::{Node, NodeId, Record, RecordStep};
