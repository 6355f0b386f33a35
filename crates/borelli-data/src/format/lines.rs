//! Text files line by line: what is not text, and lines without end, are refused before they fill the memory.
//! Not here: what a line means.
//! In: bytes. Out: one line after the other, without its end, and its number.

use super::fault::{FormatFault, TextFault};
use std::io::{self, BufRead};

/// The longest line that is read, bytes: more than a hundred thousand numbers.
pub(super) const LONGEST_LINE: usize = 4 << 20;

/// Lines of a file.
pub(super) struct Lines<'i> {
    input: &'i mut dyn BufRead,
    file: &'i str,
    /// Letters that are not UTF-8 are taken as Latin-1 instead of being refused.
    latin: bool,
    /// Number of the line read last, from 1.
    pub number: usize,
    /// Lines taken as Latin-1.
    pub latin_lines: usize,
    bytes: Vec<u8>,
    text: String,
    read: u64,
}

impl<'i> Lines<'i> {
    /// Lines of a file that must be UTF-8.
    pub fn new(input: &'i mut dyn BufRead, file: &'i str) -> Lines<'i> {
        Lines { input, file, latin: false, number: 0, latin_lines: 0, bytes: Vec::new(), text: String::new(), read: 0 }
    }

    /// Lines of a file that may also be Latin-1.
    pub fn lenient(input: &'i mut dyn BufRead, file: &'i str) -> Lines<'i> {
        Lines { latin: true, ..Lines::new(input, file) }
    }

    /// A fault at a place of this file.
    pub fn fault(&self, line: usize, column: usize, kind: TextFault) -> FormatFault {
        FormatFault { file: self.file.to_string(), line, column, kind }
    }

    /// The line read last.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads the next line; false after the last.
    pub fn advance(&mut self) -> Result<bool, FormatFault> {
        self.bytes.clear();
        let begin = self.read;
        let mut ended = false;
        while !ended {
            let available = match self.input.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    let reason = error.to_string();
                    return Err(self.fault(self.number, 0, TextFault::CannotReadTable { reason }));
                }
            };
            if available.is_empty() {
                break;
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.unwrap_or(available.len());
            if let Some(at) = available[..taken].iter().position(|byte| *byte == 0) {
                return Err(self.fault(self.number + 1, 0, TextFault::NotText { byte: self.read + at as u64 }));
            }
            if self.bytes.len() + taken > LONGEST_LINE {
                return Err(self.fault(self.number + 1, 0, TextFault::LineTooLong { limit: LONGEST_LINE }));
            }
            self.bytes.extend_from_slice(&available[..taken]);
            ended = end.is_some();
            let used = taken + usize::from(ended);
            self.input.consume(used);
            self.read += used as u64;
        }
        if self.read == begin {
            return Ok(false);
        }
        self.number += 1;
        self.decode(begin)?;
        Ok(true)
    }

    /// Reads on to the next line that is not blank; false after the last.
    pub fn advance_filled(&mut self) -> Result<bool, FormatFault> {
        while self.advance()? {
            if !self.text.trim().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn decode(&mut self, begin: u64) -> Result<(), FormatFault> {
        let line = self.bytes.strip_suffix(b"\r").unwrap_or(&self.bytes);
        self.text.clear();
        match str::from_utf8(line) {
            Ok(text) => {
                let first = self.number == 1;
                self.text.push_str(if first { text.strip_prefix('\u{feff}').unwrap_or(text) } else { text });
            }
            Err(_) if self.latin => {
                self.latin_lines += 1;
                self.text.extend(line.iter().map(|byte| char::from(*byte)));
            }
            Err(error) => {
                let byte = begin as usize + error.valid_up_to();
                return Err(self.fault(self.number, 0, TextFault::TableNotUtf8 { byte }));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::Explain;
    use std::io::{BufReader, Read};

    fn code(input: impl Read) -> (&'static str, usize) {
        let mut input = BufReader::new(input);
        let mut lines = Lines::new(&mut input, "a.csv");
        loop {
            match lines.advance() {
                Ok(true) => {}
                Ok(false) => return ("", lines.number),
                Err(fault) => return (fault.kind.code(), fault.line),
            }
        }
    }

    #[test]
    fn what_is_not_text_is_refused_before_it_fills_the_memory() {
        let endless = || std::io::repeat(0);
        assert_eq!(code(endless()), ("not-text", 1));
        assert_eq!(code(std::io::repeat(b'1')), ("line-too-long", 1));
        assert_eq!(code((&b"a\nb\n"[..]).chain(endless())), ("not-text", 3));
        assert_eq!(code(&b"a\n\xff\n"[..]), ("table-not-utf8", 2));
        assert_eq!(code(&b"a\r\nb"[..]), ("", 2));
    }

    #[test]
    fn letters_of_an_older_code_are_read_where_that_is_allowed() {
        let mut input = &b"\xef\xbb\xbfa\r\nH\xfcfte\n"[..];
        let mut lines = Lines::lenient(&mut input, "a.trc");
        assert!(lines.advance().is_ok_and(|more| more) && lines.text() == "a");
        assert!(lines.advance().is_ok_and(|more| more) && lines.text() == "H\u{fc}fte" && lines.latin_lines == 1);
        assert!(lines.advance().is_ok_and(|more| !more));
    }
}
