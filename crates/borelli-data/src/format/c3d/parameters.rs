//! The parameter section of a C3D file: groups of named values.
//! Not here: what the values mean.
//! In: the bytes of the section. Out: numbers and texts by group and name, without regard to case.
//!
//! Nothing is copied before it is asked for, and no parameter is larger than the format allows, so memory is that of the section.

use super::bytes::Processor;
use crate::recording::Repair;
use std::ops::Range;

/// Most bytes of one parameter: what the offset to the next record can count.
const LARGEST: usize = 65_535;

/// Most records that are looked at; real files have some hundred.
const MOST_RECORDS: usize = 65_536;

/// Most parts of a list that goes on under further names: 255 entries each make as many as a header can count.
const MOST_PARTS: usize = 258;

/// One parameter.
struct Parameter {
    group: u8,
    name: String,
    kind: i8,
    sizes: Vec<u8>,
    data: Range<usize>,
}

/// All parameters.
pub(super) struct Parameters {
    processor: Processor,
    bytes: Vec<u8>,
    /// Name of the group of each number.
    groups: Vec<Option<String>>,
    list: Vec<Parameter>,
    /// Bytes of the section that its records took.
    pub used: usize,
}

/// A parameter that was found.
pub(super) struct View<'p> {
    processor: Processor,
    kind: i8,
    /// Sizes, the first fastest.
    pub sizes: &'p [u8],
    bytes: &'p [u8],
}

impl Parameters {
    /// Reads all records. The bytes begin with the four of the section's head; reading ends with a name or an offset of length zero, or with the bytes.
    pub fn read(bytes: Vec<u8>, processor: Processor, repairs: &mut Vec<Repair>) -> Parameters {
        let mut all = Parameters { processor, bytes, groups: vec![None; 129], list: Vec::new(), used: 0 };
        let mut at = 4;
        let mut dropped = 0;
        for _ in 0..MOST_RECORDS {
            all.used = at.min(all.bytes.len());
            let Some(next) = all.record(at, &mut dropped) else { break };
            at = next;
        }
        if dropped > 0 {
            let found = format!("{dropped} records whose data do not fit into the section, or are of an unknown type");
            repairs.push(Repair::new("parameters", found, "left out"));
        }
        let blocks = all.bytes.get(2).map_or(0, |b| usize::from(*b));
        if all.used > 512 * blocks {
            let found = format!("{blocks} blocks announced, {} used", all.used.div_ceil(512));
            repairs.push(Repair::new("parameters", found, "read to the end"));
        }
        all
    }

    /// Reads one record; the place of the next, or nothing at the end.
    fn record(&mut self, at: usize, dropped: &mut usize) -> Option<usize> {
        let length = usize::from((*self.bytes.get(at)? as i8).unsigned_abs());
        let id = *self.bytes.get(at + 1)? as i8;
        if length == 0 {
            return None;
        }
        let name = text(self.bytes.get(at + 2..at + 2 + length)?).to_uppercase();
        let after = at + 2 + length;
        let offset = usize::from(self.processor.unsigned(self.bytes.get(after..after + 2)?, 0));
        if id < 0 {
            let slot = &mut self.groups[usize::from(id.unsigned_abs())];
            *slot = slot.take().or(Some(name));
        } else {
            match self.value(after + 2) {
                Some((kind, sizes, data)) => self.list.push(Parameter { group: id as u8, name, kind, sizes, data }),
                None => *dropped += 1,
            }
        }
        if offset == 0 {
            self.used = (after + 2).min(self.bytes.len());
            return None;
        }
        Some(after + offset)
    }

    /// Type, sizes and place of the data of a parameter.
    fn value(&self, at: usize) -> Option<(i8, Vec<u8>, Range<usize>)> {
        let kind = *self.bytes.get(at)? as i8;
        let width = match kind {
            -1 | 1 => 1,
            2 => 2,
            4 => 4,
            _ => return None,
        };
        let count = usize::from(*self.bytes.get(at + 1)?);
        let sizes = self.bytes.get(at + 2..at + 2 + count)?.to_vec();
        let elements = sizes.iter().try_fold(1usize, |product, size| product.checked_mul(usize::from(*size)))?;
        let size = elements.checked_mul(width)?;
        let start = at + 2 + count;
        (size <= LARGEST && start + size <= self.bytes.len()).then_some((kind, sizes, start..start + size))
    }

    /// True when the file has a group.
    pub fn has_group(&self, group: &str) -> bool {
        self.groups.iter().flatten().any(|name| name == group)
    }

    /// A parameter; the first, where a file has several of a name.
    pub fn get(&self, group: &str, name: &str) -> Option<View<'_>> {
        self.list.iter().find(|p| p.name == name && self.group(p) == Some(group)).map(|p| self.view(p))
    }

    fn group(&self, p: &Parameter) -> Option<&str> {
        self.groups[usize::from(p.group)].as_deref()
    }

    fn view<'p>(&'p self, p: &'p Parameter) -> View<'p> {
        View { processor: self.processor, kind: p.kind, sizes: &p.sizes, bytes: &self.bytes[p.data.clone()] }
    }

    /// All parameters with the names of their groups, in the order of the file.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str, View<'_>)> {
        self.list.iter().filter_map(|p| Some((self.group(p)?, p.name.as_str(), self.view(p))))
    }

    /// The first number of a parameter, whole numbers without sign.
    pub fn number(&self, group: &str, name: &str) -> Option<f64> {
        self.get(group, name)?.numbers(false).first().copied()
    }

    /// The first text of a parameter.
    pub fn text(&self, group: &str, name: &str) -> Option<String> {
        self.get(group, name)?.texts().into_iter().next()
    }

    /// A list that may go on in `NAME2`, `NAME3`; at most `most` entries of it.
    pub fn list<T>(&self, group: &str, name: &str, most: usize, entries: impl Fn(&View<'_>) -> Vec<T>) -> Vec<T> {
        let mut list = Vec::new();
        for part in 1..=MOST_PARTS {
            if list.len() >= most {
                break;
            }
            let name = if part == 1 { name.to_string() } else { format!("{name}{part}") };
            let Some(view) = self.get(group, &name) else { break };
            list.extend(entries(&view));
        }
        list.truncate(most);
        list
    }
}

impl View<'_> {
    /// True for a parameter of floats.
    pub fn is_float(&self) -> bool {
        self.kind == 4
    }

    /// True for a parameter of characters.
    pub fn is_text(&self) -> bool {
        self.kind == -1
    }

    /// Its values as numbers; texts that are numbers count.
    pub fn numbers(&self, signed: bool) -> Vec<f64> {
        let p = self.processor;
        match self.kind {
            1 => self.bytes.iter().map(|b| f64::from(*b)).collect(),
            2 if signed => (0..self.bytes.len() / 2).map(|k| f64::from(p.signed(self.bytes, 2 * k))).collect(),
            2 => (0..self.bytes.len() / 2).map(|k| f64::from(p.unsigned(self.bytes, 2 * k))).collect(),
            4 => (0..self.bytes.len() / 4).map(|k| p.float(self.bytes, 4 * k)).collect(),
            _ => self.texts().iter().filter_map(|text| text.parse().ok()).collect(),
        }
    }

    /// Its texts, without the blanks and zeros that fill them up; none for numbers.
    pub fn texts(&self) -> Vec<String> {
        if self.kind != -1 {
            return Vec::new();
        }
        match self.sizes.first() {
            None => vec![text(self.bytes)],
            Some(0) => Vec::new(),
            Some(width) => self.bytes.chunks(usize::from(*width)).map(text).collect(),
        }
    }
}

/// Text of a file: UTF-8 where it is, else Latin-1; what fills it up is taken off, and so are characters that no name has.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().rposition(|b| *b != 0 && *b != b' ').map_or(0, |k| k + 1);
    let decoded = match str::from_utf8(&bytes[..end]) {
        Ok(text) => text.to_string(),
        Err(_) => bytes[..end].iter().map(|b| char::from(*b)).collect(),
    };
    decoded.trim().chars().filter(|c| !c.is_control()).collect()
}
