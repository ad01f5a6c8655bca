//! What is written beside the answer to a mate problem.

use crate::RunsError;
use crate::error::other;
use std::path::Path;
use yomikiri_shogi::record::Format;
use yomikiri_tsume::{Proven, Solution, Tsume, variations};

/// The files that are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolutionFiles<'a> {
    /// The proof, or the refutation if there is no mate, as JSON.
    pub proof: Option<&'a Path>,
    /// The solution with all defences along it, in the format given by the name.
    pub record: Option<&'a Path>,
    /// A picture of the first moves of the proof, SVG or PNG by its name.
    pub picture: Option<&'a Path>,
}

/// Plies and nodes of the picture.
const PICTURE: (usize, usize) = (4, 60);
/// Its width as PNG.
const PICTURE_WIDTH: u32 = 2400;

impl<'a> SolutionFiles<'a> {
    /// The bytes of those that this solution has.
    ///
    /// # Errors
    /// If the format of the record cannot hold it.
    pub fn contents(
        &self,
        game: &Tsume,
        solution: &Solution,
    ) -> Result<Vec<(&'a Path, Vec<u8>)>, RunsError> {
        let mut files = Vec::new();
        if let (Some(path), Some(refutation)) = (self.proof, &solution.refutation) {
            files.push((path, serde_json::to_vec(refutation).map_err(other)?));
        }
        let Some(Proven { tree, proof, .. }) = solution.proven.as_deref() else { return Ok(files) };
        if let Some(path) = self.proof {
            files.push((path, serde_json::to_vec(proof).map_err(other)?));
        }
        if let Some(path) = self.record {
            let record = variations::record(game, tree, &solution.line);
            let format = Format::of_file_name(&path.display().to_string()).unwrap_or(Format::Kifu);
            files.push((path, format.write(&[record]).map_err(other)?));
        }
        if let Some(path) = self.picture {
            let (plies, nodes) = PICTURE;
            let svg = yomikiri_render::proof_tree::svg(game, tree, plies, nodes);
            let bytes = yomikiri_render::by_name(path, svg, PICTURE_WIDTH).map_err(other)?;
            files.push((path, bytes));
        }
        Ok(files)
    }
}
