//! What a run was computed from: every file read, with the hash of its content.
//! Not here: reading them.
//! In: the texts of a model or study. Out: paths and hashes, in the order of reading.

use super::hash;
use borelli_model::Sources;

/// One file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Path as it was named; inside the program for what is embedded.
    pub path: String,
    /// SHA-256 of its content, in hexadecimal: what `sha256sum` prints.
    pub sha256: String,
}

impl Input {
    /// A file with its content.
    pub fn of(path: &str, content: &[u8]) -> Input {
        Input { path: path.into(), sha256: hash::of_bytes(content) }
    }
}

/// The files behind a model or a study.
pub fn inputs(sources: &Sources) -> Vec<Input> {
    let texts = sources.iter().map(|(path, text)| Input::of(path, text.as_bytes()));
    texts.chain(sources.data().map(|(path, content)| Input::of(path, content))).collect()
}
