//! The texts of a model and positions in them.
//! Not here: what the texts mean.
//! In: path and text of every file read. Out: path, line and column of a span.

use std::path::Path;

/// A stretch of one source text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Index of the file in [`Sources`].
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

#[derive(Clone, Debug)]
struct Source {
    path: String,
    text: String,
    line_starts: Vec<u32>,
}

/// Path and text of every file a model was read from; the file named first is number 0.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
    data: Vec<(String, Vec<u8>)>,
}

/// Where a span begins, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location<'s> {
    /// Path of the file as it was named.
    pub path: &'s str,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, counted in characters.
    pub column: usize,
    /// The whole line, without its line end.
    pub text_of_line: &'s str,
}

impl Sources {
    /// Adds a file and gives its number.
    pub fn add(&mut self, path: &str, text: &str) -> u32 {
        let newlines = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
        let line_starts = std::iter::once(0).chain(newlines).collect();
        self.files.push(Source { path: path.to_string(), text: text.to_string(), line_starts });
        self.files.len() as u32 - 1
    }

    /// Adds a file of numbers: no place in it is ever pointed at, but it belongs to what was read.
    pub fn add_data(&mut self, path: &str, content: Vec<u8>) {
        self.data.push((path.to_string(), content));
    }

    /// Paths and contents of files of numbers, in the order of reading.
    pub fn data(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.data.iter().map(|(path, content)| (path.as_str(), content.as_slice()))
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// True when nothing was read.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Path of a file as it was named; empty for an unknown number.
    pub fn path(&self, file: u32) -> &str {
        self.files.get(file as usize).map_or("", |f| &f.path)
    }

    /// Text of a file; empty for an unknown number.
    pub fn text(&self, file: u32) -> &str {
        self.files.get(file as usize).map_or("", |f| &f.text)
    }

    /// Paths and texts in the order of reading.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|f| (f.path.as_str(), f.text.as_str()))
    }

    /// The text a span covers; empty when the span is not of these sources.
    pub fn slice(&self, at: Span) -> &str {
        self.text(at.file).get(at.start as usize..at.end as usize).unwrap_or("")
    }

    /// Line and column where a span begins.
    pub fn locate(&self, at: Span) -> Location<'_> {
        let Some(source) = self.files.get(at.file as usize) else {
            return Location { path: "", line: 1, column: 1, text_of_line: "" };
        };
        let line = source.line_starts.partition_point(|s| *s <= at.start).max(1) - 1;
        let begin = source.line_starts[line] as usize;
        let end = source.line_starts.get(line + 1).map_or(source.text.len(), |s| *s as usize);
        let text_of_line = source.text[begin..end].trim_end_matches(['\n', '\r']);
        let before = text_of_line.get(..(at.start as usize - begin).min(text_of_line.len())).unwrap_or(text_of_line);
        Location { path: &source.path, line: line + 1, column: before.chars().count() + 1, text_of_line }
    }
}

/// `text` seen from the folder of `path`, with `.` and `..` taken out. What stands behind a word and a colon, `reference:data/walk.csv`, is not a path
/// from here, and stays as it is.
pub fn beside(path: &str, text: &str) -> String {
    let elsewhere = text.split_once(':').is_some_and(|(word, _)| word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase()));
    if elsewhere {
        return text.to_string();
    }
    if Path::new(text).is_absolute() {
        return normal(text);
    }
    match path.rfind(['/', std::path::MAIN_SEPARATOR]) {
        Some(k) => normal(&format!("{}/{text}", &path[..k])),
        None => normal(text),
    }
}

/// A path with `.` and `..` taken out, parts separated by `/`.
pub(crate) fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for (k, part) in path.split('/').enumerate() {
        match part {
            "." => {}
            "" if k > 0 => {}
            ".." if parts.last().is_some_and(|p| !p.is_empty() && *p != "..") => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_counts_lines_and_characters_from_one() {
        let mut sources = Sources::default();
        let file = sources.add("a.toml", "één = 1\r\ntwo = 2\r\n");
        let start = sources.text(file).find("two").unwrap() as u32;
        let at = sources.locate(Span { file, start, end: start + 3 });
        assert_eq!((at.path, at.line, at.column, at.text_of_line), ("a.toml", 2, 1, "two = 2"));
        let start = sources.text(file).find('=').unwrap() as u32;
        assert_eq!(sources.locate(Span { file, start, end: start + 1 }).column, 5);
    }

    #[test]
    fn a_position_at_the_very_end_is_on_the_last_line() {
        let mut sources = Sources::default();
        let file = sources.add("a.toml", "x");
        let at = sources.locate(Span { file, start: 1, end: 1 });
        assert_eq!((at.line, at.column), (1, 2));
        assert_eq!(sources.locate(Span { file: 7, start: 0, end: 0 }).path, "");
    }
}
