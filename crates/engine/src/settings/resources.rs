//! Memory, threads and files: what takes time to make.

use crate::book::Book;
use crate::category::{self, COUNT};
use crate::eval::{EvaluationKind, Model, network};
use crate::handle::EngineError;
use crate::search::probcut::QuiescenceModel;
use std::path::{Path, PathBuf};

/// Memory, threads and files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resources {
    /// The size of the transposition table, as far as memory has room for it.
    pub hash_megabytes: usize,
    /// Threads that search.
    pub threads: usize,
    /// The evaluation.
    pub evaluation: EvaluationSettings,
    /// How ProbCut inside quiescence predicts: a file of three lines `a b sigma`, or nothing.
    pub probcut_model: String,
    /// How likely moves of each category are: a table of `learn move-probability`, or nothing for
    /// the one in the program.
    pub move_probabilities: String,
    /// The opening book.
    pub book: BookSettings,
}

impl Default for Resources {
    fn default() -> Resources {
        Resources {
            hash_megabytes: 256,
            threads: 1,
            evaluation: EvaluationSettings::default(),
            probcut_model: String::new(),
            move_probabilities: String::new(),
            book: BookSettings::default(),
        }
    }
}

impl Resources {
    /// The model of ProbCut inside quiescence.
    ///
    /// # Errors
    /// If the file cannot be read or is no model.
    pub fn load_probcut_model(&self) -> Result<QuiescenceModel, EngineError> {
        if self.probcut_model.is_empty() {
            return Ok(QuiescenceModel::default());
        }
        let path = PathBuf::from(&self.probcut_model);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(source) => return Err(EngineError::ReadProbcutModel { path, source }),
        };
        text.parse().map_err(|reason| EngineError::ProbcutModel { path, reason })
    }

    /// The probabilities of the categories of moves, in millionths.
    ///
    /// # Errors
    /// If the file cannot be read or is no such table.
    pub fn load_move_probabilities(&self) -> Result<[u32; COUNT], EngineError> {
        if self.move_probabilities.is_empty() {
            return Ok(category::DEFAULT);
        }
        let path = PathBuf::from(&self.move_probabilities);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(source) => return Err(EngineError::ReadMoveProbabilities { path, source }),
        };
        let read = category::from_text(&text);
        read.map_err(|reason| EngineError::MoveProbabilities { path, reason })
    }
}

/// Which evaluation, and where its weights come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvaluationSettings {
    /// Which one.
    pub kind: EvaluationKind,
    /// A file of weights or a network; empty for those in the program.
    pub file: String,
    /// The folder of the file; with no file named, of `nn.bin`.
    pub folder: String,
    /// What a network's output is divided by to give centipawns (FV_SCALE).
    pub network_scale: i32,
}

impl Default for EvaluationSettings {
    fn default() -> EvaluationSettings {
        EvaluationSettings {
            kind: EvaluationKind::default(),
            file: String::new(),
            folder: String::new(),
            network_scale: network::DEFAULT_SCALE,
        }
    }
}

impl EvaluationSettings {
    /// The evaluation with its weights.
    ///
    /// # Errors
    /// If the file cannot be read or holds no weights.
    pub fn load(&self) -> Result<Model, EngineError> {
        let model = Model::load(self.kind, self.path().as_deref())?;
        Ok(model.with_scale(self.network_scale))
    }

    /// The file that the evaluation is read from; `None` for the weights in the program.
    pub fn path(&self) -> Option<PathBuf> {
        let folder = Path::new(&self.folder);
        match (self.folder.is_empty(), self.file.is_empty()) {
            (true, true) => None,
            (false, true) => Some(folder.join("nn.bin")),
            _ => Some(folder.join(&self.file)),
        }
    }
}

/// Where the opening book comes from and how it is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookSettings {
    /// Whether to use a book at all.
    pub own: bool,
    /// `embedded`, `no_book`, or a file in YaneuraOu's format.
    pub file: String,
    /// The folder of the file.
    pub folder: String,
    /// Whether positions match whatever their move number.
    pub ignore_ply: bool,
}

impl Default for BookSettings {
    fn default() -> BookSettings {
        BookSettings {
            own: true,
            file: "embedded".to_string(),
            folder: "book".to_string(),
            ignore_ply: true,
        }
    }
}

impl BookSettings {
    /// Reads the book; `None` if there is to be none.
    ///
    /// # Errors
    /// If the file cannot be read or is no book.
    pub fn load(&self) -> Result<Option<Book>, EngineError> {
        match self.file.as_str() {
            "no_book" | "" => Ok(None),
            "embedded" => Ok(Some(Book::embedded())),
            file => {
                let path = Path::new(&self.folder).join(file);
                let text = match std::fs::read_to_string(&path) {
                    Ok(text) => text,
                    Err(source) => return Err(EngineError::ReadBook { path, source }),
                };
                text.parse().map(Some).map_err(|reason| EngineError::Book { path, reason })
            }
        }
    }

    /// Whether both name the same file.
    pub(crate) fn same_file(&self, other: &BookSettings) -> bool {
        (&self.file, &self.folder) == (&other.file, &other.folder)
    }
}
