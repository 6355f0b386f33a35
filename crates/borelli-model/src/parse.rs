//! TOML text to neutral values with positions.
//! Not here: what tables and keys mean. Nothing of the TOML crate leaves this file.
//! In: one text. Out: its top-level entries, or every syntax fault in it.

use crate::fault::ReadFault;
use crate::finding::Findings;
use crate::model::NAMED;
use crate::source::{Sources, Span};
use crate::value::{Data, Entry, Value};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Deepest nest of tables and lists that is read.
const DEEPEST: usize = 12;
/// Open brackets at which the text is not even given to the parser: brackets left open count too, so this is more generous.
const BRACKETS: usize = 32;
/// Texts longer than this show their first syntax fault only: a spoiled file of this size would have millions.
const RECOVERABLE: usize = 1 << 20;

/// Reads one file's text. Gives nothing when the syntax is broken; repeated keys are reported and the rest is kept.
pub fn parse(sources: &Sources, file: u32, findings: &mut Findings) -> Option<Vec<Entry>> {
    let text = sources.text(file);
    if let Some(at) = too_deep(text) {
        let at = Span { file, start: at as u32, end: at as u32 + 1 };
        findings.push(at, "", "", &ReadFault::NestedTooDeep { limit: DEEPEST });
        return None;
    }
    let (table, mut errors) = match text.len() {
        ..=RECOVERABLE => DeTable::parse_recoverable(text),
        _ => DeTable::parse(text).map_or_else(|error| (DeTable::parse_recoverable("").0, vec![error]), |table| (table, Vec::new())),
    };
    errors.sort_by_key(|e| e.span().map_or(0, |r| r.start));
    // a bracket left open makes nonsense of all that follows: only the first sign of it is told
    let open = errors.iter().any(|e| e.message().starts_with("unclosed array") || e.message().starts_with("unclosed inline table"));
    let mut broken = None;
    // where the looking for a header may begin, when the last one was of a table given twice: its keys repeat too, and are not told
    let mut repeated: Option<usize> = None;
    for (k, error) in errors.iter().enumerate() {
        let span = error.span().map(|r| span(file, &r));
        let line = span.map_or(0, |at| sources.locate(at).line);
        if error.message().starts_with("duplicate key") {
            let at = span.map_or(0, |at| at.start as usize);
            let begin = text[..at].rfind('\n').map_or(0, |k| k + 1);
            repeated = match repeated {
                _ if is_header(&text[begin..]) => Some(text[at..].find('\n').map_or(text.len(), |k| at + k + 1)),
                Some(from) if from <= begin && !text[from..begin].lines().any(is_header) => Some(begin),
                _ => None,
            };
            if repeated == Some(begin) {
                continue;
            }
            let name = span.map_or(String::new(), |at| sources.slice(at).to_string());
            // looking back costs the length of the text, so only the first ones do it
            let first = span.filter(|_| k < 50).and_then(|at| first_mention(sources, at));
            findings.push(span, "", "", &ReadFault::DuplicateName { name, first });
        } else if broken != Some(line) {
            broken = Some(line);
            let open_bracket = open && (error.message().starts_with("missing comma") || error.message().starts_with("unclosed"));
            findings.push(span, "", "", &ReadFault::Syntax { what: error.message().to_string(), open_bracket });
            if open_bracket {
                break;
            }
        }
    }
    if broken.is_some() {
        return None;
    }
    let mut reader = Reader { file, findings, sources, path: Vec::new() };
    Some(reader.table(table.into_inner(), 1))
}

fn span(file: u32, range: &Range<usize>) -> Span {
    Span { file, start: range.start as u32, end: range.end as u32 }
}

struct Reader<'f> {
    file: u32,
    findings: &'f mut Findings,
    sources: &'f Sources,
    /// Keys from the top level down to the value that is read.
    path: Vec<String>,
}

impl Reader<'_> {
    /// A table's entries; what cannot be a value of a model is reported.
    fn table(&mut self, table: DeTable<'_>, depth: usize) -> Vec<Entry> {
        let mut entries = Vec::with_capacity(table.len());
        for (key, value) in table {
            let (key_at, at) = (span(self.file, &key.span()), span(self.file, &value.span()));
            let key = key.into_inner().into_owned();
            self.path.push(key);
            let data = self.data(value.into_inner(), at, depth).unwrap_or(Data::Faulty);
            let key = self.path.pop().unwrap_or_default();
            entries.push(Entry { key, key_at, value: Value { at, data } });
        }
        entries
    }

    fn data(&mut self, value: DeValue<'_>, at: Span, depth: usize) -> Option<Data> {
        Some(match value {
            DeValue::String(text) => Data::Text(text.into_owned()),
            DeValue::Boolean(b) => Data::Bool(b),
            DeValue::Float(f) => return self.finite(f.as_str().parse().unwrap_or(f64::NAN), at),
            DeValue::Integer(i) => {
                let exact = i128::from_str_radix(i.as_str(), i.radix()).map(|x| x as f64);
                return self.finite(exact.or_else(|_| i.as_str().parse()).unwrap_or(f64::NAN), at);
            }
            DeValue::Datetime(_) => {
                self.report(at, &ReadFault::Date);
                return None;
            }
            DeValue::Array(_) | DeValue::Table(_) if depth >= DEEPEST => {
                self.report(at, &ReadFault::NestedTooDeep { limit: DEEPEST });
                return None;
            }
            DeValue::Array(list) => {
                let mut values = Vec::with_capacity(list.len());
                for item in list {
                    let at = span(self.file, &item.span());
                    let data = self.data(item.into_inner(), at, depth + 1)?;
                    values.push(Value { at, data });
                }
                Data::List(values)
            }
            DeValue::Table(table) => Data::Table(self.table(table, depth + 1)),
        })
    }

    /// Reports a fault of the value that is read, naming its element and field.
    fn report(&mut self, at: Span, fault: &ReadFault) {
        let own = match self.path.first() {
            Some(section) if NAMED.contains(&section.as_str()) => 2,
            _ => 1,
        };
        let (element, field) = self.path.split_at(if self.path.len() > own { own } else { 0 });
        self.findings.push(at, element.join("."), &field.join("."), fault);
    }

    fn finite(&mut self, x: f64, at: Span) -> Option<Data> {
        if !x.is_finite() {
            let text = self.sources.slice(at).to_string();
            self.report(at, &ReadFault::NotFinite { text });
            return None;
        }
        Some(Data::Number(x))
    }
}

/// Where the name that is given twice at `at` was given first: an equal header, or an equal key under the same header.
/// Looks at whole lines only; nothing is found in the rarer ways of writing a key twice.
fn first_mention(sources: &Sources, at: Span) -> Option<String> {
    let text = sources.text(at.file);
    let begin = text[..at.start as usize].rfind('\n').map_or(0, |k| k + 1);
    let line = text[begin..].lines().next()?;
    let wanted = head_of(line)?;
    let mut found = None;
    let mut end = begin;
    while end > 0 {
        let start = text[..end - 1].rfind('\n').map_or(0, |k| k + 1);
        let other = &text[start..end - 1];
        if is_header(other) && !is_header(line) {
            break;
        }
        if head_of(other).is_some_and(|head| head == wanted) {
            found = Some(start);
        }
        end = start;
    }
    let start = found? as u32;
    let place = sources.locate(Span { file: at.file, start, end: start });
    Some(format!("line {}", place.line))
}

fn is_header(line: &str) -> bool {
    line.trim_start_matches([' ', '\t']).starts_with('[')
}

/// `[a.b]` of a header, `key =` of a key, without blanks.
fn head_of(line: &str) -> Option<String> {
    let line = line.trim_start();
    let last = if line.starts_with('[') { ']' } else { '=' };
    let end = line.find(last)?;
    Some(line[..=end].chars().filter(|c| !c.is_whitespace()).collect())
}

/// The first byte at which brackets nest deeper than is read, outside of strings and comments. Checked before the parser
/// runs, so that neither it nor the dropping of its result can exhaust the stack.
fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut k) = (0, 0);
    while k < bytes.len() {
        match bytes[k] {
            b'#' => k += bytes[k..].iter().position(|b| *b == b'\n').unwrap_or(bytes.len() - k),
            quote @ (b'"' | b'\'') => k = end_of_string(bytes, k, quote),
            b'[' | b'{' => {
                depth += 1;
                if depth > BRACKETS {
                    return Some(k);
                }
                k += 1;
            }
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                k += 1;
            }
            _ => k += 1,
        }
    }
    None
}

/// One past the end of the string that begins at `start`; a one-line string ends at its line at the latest.
fn end_of_string(bytes: &[u8], start: usize, quote: u8) -> usize {
    let triple = bytes[start..].starts_with(&[quote; 3]);
    let mut k = start + if triple { 3 } else { 1 };
    while k < bytes.len() {
        match bytes[k] {
            b'\\' if quote == b'"' => k += 2,
            b'\n' if !triple => return k,
            b if b == quote && !triple => return k + 1,
            b if b == quote && bytes[k..].starts_with(&[quote; 3]) => return k + 3,
            _ => k += 1,
        }
    }
    bytes.len()
}
