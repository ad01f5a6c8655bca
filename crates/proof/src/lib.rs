//! Proof-number search over AND/OR trees and graphs of any game.

pub mod game;
