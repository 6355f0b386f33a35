//! The nearest known word to a mistyped one.
//! Not here: when to suggest; every fault decides for itself.
//! In: a word and candidates. Out: one candidate or none.

/// Candidates looked at; a fault in a huge file must not cost more than reading the file.
const CANDIDATES: usize = 500;

/// The candidate that `found` was probably meant to be: the fewest letters inserted, dropped, changed or swapped
/// with a neighbour, at most a third of the word. Ties go to the first.
pub fn suggest<'a>(found: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = found.chars().take(64).flat_map(char::to_lowercase).collect();
    let allowed = (word.len().max(2) / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.take(CANDIDATES) {
        let other: Vec<char> = candidate.chars().take(64).flat_map(char::to_lowercase).collect();
        if other.len().abs_diff(word.len()) > allowed || other.is_empty() {
            continue;
        }
        let d = distance(&word, &other);
        if d <= allowed && d < word.len().max(other.len()) && best.is_none_or(|(b, _)| d < b) {
            best = Some((d, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Edit distance with swaps of neighbours (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_word_finds_its_neighbour_and_a_strange_one_finds_none() {
        let bodies = ["pelvis", "thigh", "shank", "foot"];
        assert_eq!(suggest("thihg", bodies.into_iter()), Some("thigh"));
        assert_eq!(suggest("Shank", bodies.into_iter()), Some("shank"));
        assert_eq!(suggest("femur", bodies.into_iter()), None);
        assert_eq!(suggest("", bodies.into_iter()), None);
        assert_eq!(suggest("x", ["y"].into_iter()), None);
        assert_eq!(suggest("dge", ["deg", "kg"].into_iter()), Some("deg"));
    }
}
