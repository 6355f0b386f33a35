//! The doc comment of a law, taken apart: what it is, equation, symbols, notes, source, departures, limits, tests.
//! Not here: how it is shown.
//!
//! A comment has a first paragraph, a block of `text` with the equations, notes, one row `| symbol `field` unit | ... |` of symbols, and after
//! the words `Source:`, `Departures:`, `Limits:`, `Tests:` what they announce, in this order.

/// The parts of a doc comment, words in backquotes as they were; empty where a comment has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// First paragraph.
    pub what: String,
    /// Lines of the equations.
    pub equations: Vec<String>,
    /// What is said between the first paragraph and the source.
    pub notes: Vec<String>,
    /// Entries of the row of symbols.
    pub symbols: Vec<String>,
    /// Where the law comes from.
    pub source: String,
    /// Where it departs from there.
    pub departures: String,
    /// What it cannot do.
    pub limits: String,
    /// Tests that pin it.
    pub tests: String,
}

/// Words that announce a part.
const HEADS: [&str; 4] = ["Source:", "Departures:", "Limits:", "Tests:"];

impl About {
    /// Of a doc comment as the compiler hands it on: one line per line, each with a blank in front.
    pub fn of(comment: &str) -> About {
        let mut about = About::default();
        let mut paragraphs: Vec<String> = vec![String::new()];
        let mut in_block = false;
        for line in comment.lines() {
            let line = line.strip_prefix(' ').unwrap_or(line);
            if line.starts_with("```") {
                in_block = !in_block;
            } else if in_block {
                about.equations.push(line.to_string());
            } else if let Some(row) = line.strip_prefix('|') {
                about.symbols.extend(row.trim_end_matches('|').split('|').map(|entry| entry.trim().to_string()));
            } else if line.trim().is_empty() {
                paragraphs.push(String::new());
            } else if let Some(last) = paragraphs.last_mut() {
                if !last.is_empty() {
                    last.push(' ');
                }
                last.push_str(line.trim());
            }
        }
        let mut paragraphs = paragraphs.into_iter().filter(|text| !text.is_empty());
        about.what = paragraphs.next().unwrap_or_default();
        for paragraph in paragraphs {
            let (before, announced) = paragraph.split_at(paragraph.find(HEADS[0]).unwrap_or(paragraph.len()));
            about.notes.extend((!before.trim().is_empty()).then(|| before.trim().to_string()));
            about.announced(announced);
        }
        about
    }

    /// Splits text from `Source:` on; a part that is not announced stays as it is.
    fn announced(&mut self, text: &str) {
        let mut rest = text;
        let parts = [&mut self.source, &mut self.departures, &mut self.limits, &mut self.tests];
        for (k, part) in parts.into_iter().enumerate() {
            let Some(after) = rest.strip_prefix(HEADS[k]) else { continue };
            let end = HEADS[k + 1..].iter().filter_map(|head| after.find(head)).min().unwrap_or(after.len());
            *part = after[..end].trim().to_string();
            rest = &after[end..];
        }
    }

    /// The symbol of a parameter: the word before its name in the row of symbols.
    pub fn symbol(&self, parameter: &str) -> Option<&str> {
        let quoted = format!("`{parameter}`");
        self.symbols.iter().find_map(|entry| entry.split_once(&quoted)?.0.split_whitespace().last())
    }
}
