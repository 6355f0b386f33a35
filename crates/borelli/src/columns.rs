//! Columns by name or pattern: `coord.*.value` stands for the values of all coordinates.
//! Not here: what columns mean.
//! In: a trajectory and words. Out: places of columns, in the order of the words, each once.

use borelli_model::{Trajectory, suggest};
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

/// True where a name fits a pattern: `*` stands for any characters, also none and dots.
pub fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|head| name.strip_prefix(head)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(tail) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(k) = rest.find(part) else { return false };
        rest = &rest[k + part.len()..];
    }
    rest.ends_with(tail)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        let yes = [
            ("coord.*.value", "coord.hip.value"),
            ("coord.*", "coord.hip.rate"),
            ("*", "a"),
            ("a*b*c", "axxbyyc"),
            ("a.b", "a.b"),
            ("a*a", "aa"),
        ];
        let no = [("coord.*.value", "coord.hip.rate"), ("a.b", "a.bc"), ("a*a", "a"), ("a*b*c", "acb"), ("", "a")];
        yes.iter().for_each(|(pattern, name)| assert!(fits(pattern, name), "{pattern} {name}"));
        no.iter().for_each(|(pattern, name)| assert!(!fits(pattern, name), "{pattern} {name}"));
    }
}
