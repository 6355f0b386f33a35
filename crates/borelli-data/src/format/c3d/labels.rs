//! Names of points and channels: one for each, no two alike.
//! Not here: what the names stand for.
//! In: the labels of a file, often too few, empty or repeated. Out: names, and what was mended.

use crate::recording::Repair;
use std::collections::HashSet;

/// A name for each of `count` things. Missing ones are called `*n` with their number from one, repeated ones `NAME_2`, `NAME_3`.
pub(super) fn names(labels: &[String], count: usize, at: &str, repairs: &mut Vec<Repair>) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut repeated = Vec::new();
    let mut missing = 0;
    // names that stand in the file keep their place, so that no invented one takes it
    let given: HashSet<&str> = labels.iter().map(String::as_str).collect();
    let mut next: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
    let mut names = Vec::new();
    for k in 0..count {
        let label = labels.get(k).map(String::as_str).unwrap_or("");
        let name = if label.is_empty() {
            missing += 1;
            free(&format!("*{}", k + 1), 1, &taken, &given).0
        } else if taken.contains(label) {
            let (name, used) = free(label, *next.get(label).unwrap_or(&2), &taken, &given);
            next.insert(label, used + 1);
            repeated.push(name.clone());
            name
        } else {
            label.to_string()
        };
        taken.insert(name.clone());
        names.push(name);
    }
    if missing > 0 {
        repairs.push(Repair::new(at, format!("{missing} of {count} without a label"), "named *n by their number"));
    }
    if !repeated.is_empty() {
        let some = repeated.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
        let more = if repeated.len() > 8 { ", ..." } else { "" };
        repairs.push(Repair::new(at, format!("{} labels that stand there before", repeated.len()), format!("named {some}{more}")));
    }
    names
}

/// A name that nothing has: the word itself for number one, else the word with a number, counted up from `number`.
fn free(word: &str, number: usize, taken: &HashSet<String>, given: &HashSet<&str>) -> (String, usize) {
    (number..)
        .map(|n| (if n == 1 { word.to_string() } else { format!("{word}_{n}") }, n))
        .find(|(name, _)| !taken.contains(name) && !given.contains(name.as_str()))
        .unwrap_or_else(|| (word.to_string(), number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_given_once() {
        let mut repairs = Vec::new();
        let labels: Vec<String> = ["A", "A", "", "A_2", "A", "*3"].map(String::from).to_vec();
        let names = names(&labels, 7, "POINT:LABELS", &mut repairs);
        assert_eq!(names, ["A", "A_3", "*3_2", "A_2", "A_4", "*3", "*7"]);
        assert_eq!(repairs.len(), 2);
    }
}
