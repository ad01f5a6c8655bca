//! The sums of the first layer, followed lazily along a line of play.
//!
//! A push only stores the move. When the value is computed, each side's sums are brought up
//! to date from the nearest ancestor that has them, and the ones between are kept for the
//! siblings to come. Where the features depend on the own king's square, a move of that king
//! needs sums from nothing.

use super::Network;
use super::features::{self, MAX_ACTIVE, Played};
use super::simd::{CacheLine, I16Line};
use crate::value::MAX_PLY;
use yomikiri_shogi::{BoardChange, Color, Position};

/// Plies that are prepared for at once: what a search reaches, and some moves of the game.
const PREPARED: usize = MAX_PLY + 32;

/// From this many plies on, sums from nothing are cheaper than following the moves.
const MAX_CHAIN: usize = 16;

/// One ply: what led to it, and whose sums are known.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// `None` for a null move and for the first position.
    played: Option<Played>,
    computed: [bool; 2],
}

const ROOT: Frame = Frame { played: None, computed: [false; 2] };

/// The sums of all plies of the line.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    /// Lines of one side's sums.
    width: usize,
    /// All frames, each with black's sums and white's.
    sums: Vec<I16Line>,
    frames: Vec<Frame>,
    /// The inputs of a refresh.
    indices: Vec<u32>,
}

impl Accumulators {
    pub fn new(width: usize) -> Accumulators {
        let mut frames = Vec::with_capacity(PREPARED);
        frames.push(ROOT);
        Accumulators {
            width,
            sums: vec![CacheLine([0; 32]); PREPARED * 2 * width],
            frames,
            indices: Vec::with_capacity(MAX_ACTIVE),
        }
    }

    /// Begins a new line of play.
    pub fn reset(&mut self, network: &Network, position: &Position) {
        self.frames.clear();
        self.frames.push(ROOT);
        // Not left for later: every line from here on would begin with this work.
        for perspective in Color::ALL {
            self.refresh(network, position, perspective);
        }
    }

    #[inline]
    pub fn push(&mut self, position: &Position, change: &BoardChange) {
        let played = Played::new(change, position.hand(change.mover()));
        self.push_frame(Some(played));
    }

    #[inline]
    pub fn push_null(&mut self) {
        self.push_frame(None);
    }

    #[inline]
    fn push_frame(&mut self, played: Option<Played>) {
        self.frames.push(Frame { played, computed: [false; 2] });
        if self.sums.len() < self.frames.len() * 2 * self.width {
            // Only lines longer than a search's come here.
            self.sums.resize(2 * self.sums.len(), CacheLine([0; 32]));
        }
    }

    #[inline]
    pub fn pop(&mut self) {
        assert!(self.frames.len() > 1, "a move was pushed");
        self.frames.pop();
    }

    /// The sums of the position that was followed, the side to move's first.
    #[inline]
    pub fn halves(&mut self, network: &Network, position: &Position) -> [&[I16Line]; 2] {
        for perspective in Color::ALL {
            self.bring_up_to_date(network, position, perspective);
        }
        let side = position.side_to_move();
        let top = self.frames.len() - 1;
        [side, !side].map(|color| &self.sums[self.start(top, color)..][..self.width])
    }

    #[inline]
    fn start(&self, frame: usize, color: Color) -> usize {
        (2 * frame + color.index()) * self.width
    }

    #[inline]
    fn bring_up_to_date(&mut self, network: &Network, position: &Position, perspective: Color) {
        let top = self.frames.len() - 1;
        match self.nearest_computed(network, perspective) {
            Some(known) => {
                for frame in known + 1..=top {
                    self.follow(network, position, perspective, frame);
                }
            }
            None => self.refresh(network, position, perspective),
        }
    }

    /// The last frame whose sums can be carried on to the top.
    #[inline]
    fn nearest_computed(&self, network: &Network, perspective: Color) -> Option<usize> {
        let features = network.architecture().features;
        for (back, frame) in self.frames.iter().rev().enumerate().take(MAX_CHAIN) {
            if frame.computed[perspective.index()] {
                return Some(self.frames.len() - 1 - back);
            }
            let change = frame.played.as_ref().map(Played::change);
            if change.is_some_and(|it| features.needs_refresh(it, perspective)) {
                return None;
            }
        }
        None
    }

    /// The sums of a frame from those of the one before. The own king stands where it stands at
    /// the top, wherever that matters.
    #[inline]
    fn follow(&mut self, network: &Network, position: &Position, perspective: Color, frame: usize) {
        let features = network.architecture().features;
        let king = position.king(perspective);
        let played = self.frames[frame].played;
        let changes = played.map(|it| it.changes(features, perspective, king)).unwrap_or_default();
        let source = self.start(frame - 1, perspective);
        let target = self.start(frame, perspective);
        let (before, after) = self.sums.split_at_mut(target);
        network.kernels().update(
            network.first_weights(),
            &before[source..][..self.width],
            &mut after[..self.width],
            &changes,
        );
        self.frames[frame].computed[perspective.index()] = true;
    }

    /// The sums of the top from nothing.
    fn refresh(&mut self, network: &Network, position: &Position, perspective: Color) {
        let features = network.architecture().features;
        features::active(features, position, perspective, &mut self.indices);
        let top = self.frames.len() - 1;
        let start = self.start(top, perspective);
        network.kernels().refresh(
            network.first_weights(),
            network.first_bias(),
            &mut self.sums[start..][..self.width],
            &self.indices,
        );
        self.frames[top].computed[perspective.index()] = true;
    }
}
