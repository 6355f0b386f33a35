//! Columns by name or pattern: `coord.*.value` stands for the values of all coordinates.
//! Not here: patterns themselves (`borelli_study::pattern`), what columns mean.
//! In: a trajectory and words. Out: places of columns, in the order of the words, each once.

use borelli_data::Trajectory;
use borelli_model::suggest;
use borelli_study::pattern::fits;
use std::fmt;

/// A column that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownColumn {
    /// What was asked for.
    pub name: String,
    /// The most similar name.
    pub nearest: Option<String>,
}

impl fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no column `{}`", self.name)?;
        match &self.nearest {
            Some(nearest) => write!(f, "\n  hint: did you mean `{nearest}`?"),
            None => write!(f, "\n  hint: the header of the trajectory file names all columns; `coord.*` stands for all that begin so"),
        }
    }
}

impl std::error::Error for UnknownColumn {}

/// Places of all columns that words name or fit.
pub fn matching(trajectory: &Trajectory, words: &[&str]) -> Result<Vec<usize>, UnknownColumn> {
    let mut places = Vec::new();
    for word in words {
        let found: Vec<usize> = (trajectory.columns().iter().enumerate()).filter(|(_, c)| fits(word, &c.name)).map(|(k, _)| k).collect();
        if found.is_empty() {
            let nearest = suggest(word, trajectory.columns().iter().map(|c| c.name.as_str())).map(str::to_string);
            return Err(UnknownColumn { name: word.to_string(), nearest });
        }
        for k in found {
            if !places.contains(&k) {
                places.push(k);
            }
        }
    }
    Ok(places)
}
