//! From a packed position to the inputs that are set.

use super::data::Sample;
use super::model::MAX_ACTIVE;
use yomikiri_eval::network::features::{PIECE_END, active};
use yomikiri_eval::network::{Architecture, FeatureSet, stage_of};
use yomikiri_shogi::notation::packed::{Code, decode};
use yomikiri_shogi::{ParseError, Position, Square};

/// Where pieces on the board begin among the numbers of pieces; all before are in hand.
const BOARD: u32 = 90;

/// The inputs of both halves, the side to move's first.
#[derive(Clone, Debug)]
pub struct Example {
    inputs: [[u32; MAX_ACTIVE]; 2],
    count: usize,
    /// Of the layers that evaluate it.
    stage: usize,
}

impl Example {
    /// Nothing is set.
    pub const EMPTY: Example = Example { inputs: [[0; MAX_ACTIVE]; 2], count: 0, stage: 0 };

    /// Of a packed position.
    ///
    /// # Errors
    /// If the bits are no position.
    pub fn new(
        architecture: Architecture,
        sample: &Sample,
        scratch: &mut Vec<u32>,
    ) -> Result<Example, ParseError> {
        let position = decode(&sample.packed, Code::PackedSfen)?;
        let features = architecture.features;
        let example = Example::of_position(features, &position, sample.mirrored, scratch);
        Ok(Example { stage: stage_of(&position, architecture.stages), ..example })
    }

    /// The stage of the game, which the mirror image shares.
    pub const fn stage(&self) -> usize {
        self.stage
    }

    /// Of a position with both kings, or of its mirror image.
    pub fn of_position(
        features: FeatureSet,
        position: &Position,
        mirror: bool,
        scratch: &mut Vec<u32>,
    ) -> Example {
        let side = position.side_to_move();
        let mut example = Example::EMPTY;
        for (inputs, perspective) in example.inputs.iter_mut().zip([side, !side]) {
            active(features, position, perspective, scratch);
            example.count = scratch.len().min(MAX_ACTIVE);
            for (input, &index) in inputs.iter_mut().zip(&*scratch) {
                *input = if mirror { mirrored(features, index) } else { index };
            }
        }
        example
    }

    /// The inputs that are set in one half.
    pub fn half(&self, half: usize) -> &[u32] {
        &self.inputs[half][..self.count]
    }
}

/// An input with the board mirrored left to right.
pub fn mirrored(features: FeatureSet, index: u32) -> u32 {
    match features {
        FeatureSet::Kp => mirrored_piece(index),
        FeatureSet::HalfKp => {
            let (king, piece) = (index / PIECE_END as u32, index % PIECE_END as u32);
            mirrored_square(king) * PIECE_END as u32 + mirrored_piece(piece)
        }
    }
}

fn mirrored_piece(index: u32) -> u32 {
    let Some(on_board) = index.checked_sub(BOARD) else { return index };
    let square = on_board % Square::COUNT as u32;
    index - square + mirrored_square(square)
}

fn mirrored_square(index: u32) -> u32 {
    Square::from_index(index as usize).mirrored().index() as u32
}
