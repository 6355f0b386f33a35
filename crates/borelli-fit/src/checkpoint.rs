//! What a solver knows, written on a page and read from it: one function for both ways, so that they cannot differ.
//! Not here: files; a page gives and takes pairs of a name and a line of text.
//! Numbers are written as the sixteen hexadecimal digits of their bits: what is read back is what was written.

use std::collections::BTreeMap;

/// A page that is being written, or read.
#[derive(Clone, Debug, Default)]
pub struct Page {
    entries: BTreeMap<String, Vec<u64>>,
    prefix: String,
    reading: bool,
    /// The first name that was looked for and not found, or held something else.
    missing: Option<String>,
}

impl Page {
    /// An empty page to be written.
    pub fn blank() -> Page {
        Page::default()
    }

    /// A page to be read, from the lines of one that was written; none if a line is not hexadecimal.
    pub fn from_lines<'a>(lines: impl IntoIterator<Item = (&'a str, &'a str)>) -> Option<Page> {
        let mut page = Page { reading: true, ..Page::default() };
        for (name, line) in lines {
            let words: Option<Vec<u64>> = line.split_whitespace().map(|word| u64::from_str_radix(word, 16).ok()).collect();
            page.entries.insert(name.to_owned(), words?);
        }
        Some(page)
    }

    /// What was written: names, and numbers in hexadecimal.
    pub fn lines(&self) -> impl Iterator<Item = (&str, String)> {
        self.entries.iter().map(|(name, words)| {
            let text: Vec<String> = words.iter().map(|word| format!("{word:016x}")).collect();
            (name.as_str(), text.join(" "))
        })
    }

    /// The same page, to be read from.
    pub fn turned(mut self) -> Page {
        self.reading = true;
        self
    }

    /// Whether this page is read rather than written.
    pub fn is_read(&self) -> bool {
        self.reading
    }

    /// The first name that a reader did not find, or found with another number of entries.
    pub fn missing(&self) -> Option<&str> {
        self.missing.as_deref()
    }

    /// What `keep` writes or reads stands under `name`.
    pub fn inner(&mut self, name: &str, keep: impl FnOnce(&mut Page)) {
        let outer = self.prefix.len();
        self.prefix.push_str(name);
        self.prefix.push('.');
        keep(self);
        self.prefix.truncate(outer);
    }

    fn words(&mut self, name: &str, written: impl FnOnce() -> Vec<u64>) -> Option<Vec<u64>> {
        let name = format!("{}{name}", self.prefix);
        if !self.reading {
            self.entries.insert(name, written());
            return None;
        }
        let found = self.entries.get(&name).cloned();
        if found.is_none() && self.missing.is_none() {
            self.missing = Some(name);
        }
        found
    }

    fn one(&mut self, name: &str, written: u64) -> Option<u64> {
        let found = self.words(name, || vec![written])?;
        if found.len() != 1 && self.missing.is_none() {
            self.missing = Some(format!("{}{name}", self.prefix));
        }
        found.first().copied()
    }

    /// A list of numbers.
    pub fn numbers(&mut self, name: &str, values: &mut Vec<f64>) {
        if let Some(words) = self.words(name, || values.iter().map(|v| v.to_bits()).collect()) {
            *values = words.into_iter().map(f64::from_bits).collect();
        }
    }

    /// A list of lists of numbers.
    pub fn rows(&mut self, name: &str, rows: &mut Vec<Vec<f64>>) {
        let mut n = rows.len();
        self.inner(name, |page| {
            page.count("rows", &mut n);
            rows.resize(n, Vec::new());
            rows.iter_mut().enumerate().for_each(|(k, row)| page.numbers(&k.to_string(), row));
        });
    }

    /// A list of whole numbers.
    pub fn counts(&mut self, name: &str, values: &mut Vec<usize>) {
        if let Some(words) = self.words(name, || values.iter().map(|&v| v as u64).collect()) {
            *values = words.into_iter().map(|word| word as usize).collect();
        }
    }

    /// One number.
    pub fn number(&mut self, name: &str, value: &mut f64) {
        if let Some(word) = self.one(name, value.to_bits()) {
            *value = f64::from_bits(word);
        }
    }

    /// One whole number.
    pub fn count(&mut self, name: &str, value: &mut usize) {
        if let Some(word) = self.one(name, *value as u64) {
            *value = word as usize;
        }
    }

    /// Yes or no.
    pub fn flag(&mut self, name: &str, value: &mut bool) {
        if let Some(word) = self.one(name, u64::from(*value)) {
            *value = word != 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Default)]
    struct State {
        x: Vec<f64>,
        rows: Vec<Vec<f64>>,
        order: Vec<usize>,
        steps: usize,
        step: f64,
        done: bool,
    }

    fn keep(state: &mut State, page: &mut Page) {
        page.inner("inside", |page| page.numbers("x", &mut state.x));
        page.rows("rows", &mut state.rows);
        page.counts("order", &mut state.order);
        page.count("steps", &mut state.steps);
        page.number("step", &mut state.step);
        page.flag("done", &mut state.done);
    }

    #[test]
    fn what_is_read_back_has_the_bits_that_were_written() {
        let mut state = State {
            x: vec![0.1, -0.0, f64::INFINITY, 5e-324],
            rows: vec![vec![1.0 / 3.0], vec![]],
            order: vec![2, 0],
            steps: 7,
            step: std::f64::consts::PI,
            done: true,
        };
        let mut page = Page::blank();
        keep(&mut state, &mut page);
        let lines: Vec<(String, String)> = page.lines().map(|(name, line)| (name.to_owned(), line)).collect();
        let mut read = Page::from_lines(lines.iter().map(|(name, line)| (name.as_str(), line.as_str()))).unwrap();
        let mut again = State::default();
        keep(&mut again, &mut read);
        assert_eq!(read.missing(), None);
        assert_eq!(again, state);
        assert!(again.x[1].is_sign_negative());
    }

    #[test]
    fn what_is_missing_or_spoiled_is_named() {
        assert!(Page::from_lines([("x", "zz")]).is_none());
        let mut page = Page::from_lines([("step", "")]).unwrap();
        page.number("step", &mut 0.0);
        assert_eq!(page.missing(), Some("step"));
        let mut page = Page::blank().turned();
        page.inner("a", |page| page.count("b", &mut 0));
        assert_eq!(page.missing(), Some("a.b"));
    }
}
