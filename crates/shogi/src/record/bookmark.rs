//! Bookmarks in formats that have comments only (CSA, JKF): a comment that begins with `&`.
//!
//! A comment of the player's own that begins so would be taken for a bookmark. It gets a `*` in
//! front, as it stands in KIF, and so does one that begins with such a `*`: both ways are exact.

use super::tree::Node;

/// What stands in the comments of such a format.
pub(super) fn to_comments(node: &Node) -> impl Iterator<Item = String> + '_ {
    let comments = node.comments.iter().map(|comment| match is_marked(comment) {
        true => format!("*{comment}"),
        false => comment.clone(),
    });
    comments.chain(node.bookmarks.iter().map(|bookmark| format!("&{bookmark}")))
}

/// Takes a comment of such a format.
pub(super) fn add_comment(node: &mut Node, comment: &str) {
    match comment.strip_prefix('&') {
        Some(bookmark) => node.bookmarks.push(bookmark.to_string()),
        None if is_marked(comment) => node.comments.push(comment[1..].to_string()),
        None => node.comments.push(comment.to_string()),
    }
}

/// Whether a comment begins with `&`, or with stars and `&`.
fn is_marked(comment: &str) -> bool {
    comment.trim_start_matches('*').starts_with('&')
}
