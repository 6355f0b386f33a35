//! Where a command writes: results to the standard output, faults to the standard error, colour only for eyes.
//! Not here: what is written.
//! In: text. Out: the same text, with colour if a terminal reads it and `NO_COLOR` is not set.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

/// The two streams of the program.
pub struct Output {
    out: BufWriter<Stdout>,
    colour_out: bool,
    colour_err: bool,
}

impl Output {
    /// Streams of this process.
    pub fn new() -> Output {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        Output {
            out: BufWriter::new(io::stdout()),
            colour_out: wanted && io::stdout().is_terminal(),
            colour_err: wanted && io::stderr().is_terminal(),
        }
    }

    /// Writes text for people to the standard output.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        if self.colour_out { self.out.write_all(paint(text).as_bytes()) } else { self.out.write_all(text.as_bytes()) }
    }

    /// Writes a JSON value and a line end to the standard output.
    pub fn json(&mut self, value: &serde_json::Value) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut self.out, value)?;
        self.out.write_all(b"\n")
    }

    /// Writes a JSON value in one line.
    pub fn json_line(&mut self, value: &serde_json::Value) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, value)?;
        self.out.write_all(b"\n")
    }

    /// Writes faults to the standard error. If that is closed, nobody can be told.
    pub fn complain(&mut self, text: &str) {
        let _ = self.out.flush();
        let text = if self.colour_err { paint(text) } else { text.to_string() };
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// Hands everything to the reader.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Words that carry a verdict, with the code of their colour.
const COLOURS: [(&str, &str); 7] = [
    ("error[", "1;31"),
    ("error:", "1;31"),
    ("warning[", "1;33"),
    ("  hint:", "36"),
    ("DISAGREE", "1;31"),
    ("FAILED", "1;31"),
    ("agree", "32"),
];

/// Colours the first such word of each line.
fn paint(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    for line in text.split_inclusive('\n') {
        match COLOURS.iter().find(|(word, _)| line.contains(word)) {
            Some((word, code)) => out.push_str(&line.replacen(word, &format!("\x1b[{code}m{word}\x1b[0m"), 1)),
            None => out.push_str(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_changes_nothing_but_colour() {
        let text = "a.toml:1:2: error[unknown-body]: no\n  hint: yes\nwalker agree\n";
        let painted = paint(text);
        assert_ne!(painted, text);
        let mut plain = String::new();
        let mut rest = painted.as_str();
        while let Some(k) = rest.find('\x1b') {
            plain.push_str(&rest[..k]);
            rest = rest[k..].split_once('m').map_or("", |(_, after)| after);
        }
        plain.push_str(rest);
        assert_eq!(plain, text);
    }
}
