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
    /// Names that hold all words of what was asked for.
    pub holding: Vec<String>,
}

/// Most names that a hint lists.
const MOST_NAMES: usize = 5;

impl UnknownColumn {
    /// What to try instead.
    pub fn hint(&self) -> String {
        if let Some(nearest) = &self.nearest {
            return format!("did you mean `{nearest}`?");
        }
        let listed: Vec<String> = self.holding.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
        match self.holding.len() {
            0 => "the header of the trajectory file names all columns; `coord.*` stands for all that begin so".into(),
            1 => format!("did you mean {}?", listed[0]),
            all if all > MOST_NAMES => format!("{all} columns have it in their names, among them {}", listed.join(", ")),
            _ => format!("columns with it in their names are {}", listed.join(", ")),
        }
    }
}

impl fmt::Display for UnknownColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no column `{}`", self.name)?;
        write!(f, "\n  hint: {}", self.hint())
    }
}

impl std::error::Error for UnknownColumn {}

/// Places of all columns that words name or fit.
pub fn matching(trajectory: &Trajectory, words: &[&str]) -> Result<Vec<usize>, UnknownColumn> {
    let mut places = Vec::new();
    for word in words {
        let found: Vec<usize> = (trajectory.columns().iter().enumerate()).filter(|(_, c)| fits(word, &c.name)).map(|(k, _)| k).collect();
        if found.is_empty() {
            let names = || trajectory.columns().iter().map(|c| c.name.as_str());
            let nearest = suggest(word, names()).map(str::to_string);
            let parts: Vec<&str> = word.split(['.', '_', '*', ' ']).filter(|part| !part.is_empty()).collect();
            let holds = |name: &&str| !parts.is_empty() && parts.iter().all(|part| name.contains(part));
            let holding = names().filter(holds).map(str::to_string).collect();
            return Err(UnknownColumn { name: word.to_string(), nearest, holding });
        }
        for k in found {
            if !places.contains(&k) {
                places.push(k);
            }
        }
    }
    Ok(places)
}
