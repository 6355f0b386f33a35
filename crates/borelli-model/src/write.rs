//! A model written down again: one file without includes and mirrors, in which some numbers were changed.
//! Not here: which numbers (`--set`, scaling). Comments are not kept.
//! In: a `Model` as it was read, parameters by path. Out: text that reads as the same model with these numbers.

use crate::model::{Dimension, Model};
use crate::source::{Span, beside};
use crate::value::{Data, Element, Entry, Value};
use std::fmt::Write;

/// Endings of the paths of numbers in lists, and which entry each is.
const ENTRIES: [(&str, usize); 9] = [("x", 0), ("y", 1), ("z", 2), ("xx", 0), ("yy", 1), ("zz", 2), ("xy", 3), ("xz", 4), ("yz", 5)];

impl Model {
    /// Sets a number by the path of its parameter, in SI; false where no number of that path is written.
    pub fn set(&mut self, path: &str, value: f64) -> bool {
        let parts: Vec<&str> = path.split('.').collect();
        let place = match parts[..] {
            ["gravity", ref rest @ ..] => self.gravity.as_mut().and_then(|gravity| number_in(gravity, rest)),
            [single @ ("subject" | "world"), field, ref rest @ ..] => {
                let element = if single == "subject" { &mut self.subject } else { &mut self.world };
                element.as_mut().and_then(|element| number_of(element, field, rest))
            }
            [section, name, field, ref rest @ ..] => {
                let mut elements = self.named_mut().into_iter().filter(|(own, _)| *own == section).flat_map(|(_, list)| list);
                elements.find(|element| element.name == name).and_then(|element| number_of(element, field, rest))
            }
            _ => None,
        };
        place.map(|place| *place = Data::Number(value)).is_some()
    }

    /// Sections of named elements, in the order in which they are written.
    fn named_mut(&mut self) -> [(&'static str, &mut Vec<Element>); 25] {
        [
            ("body", &mut self.bodies),
            ("joint", &mut self.joints),
            ("loop", &mut self.loops),
            ("guide", &mut self.guides),
            ("function", &mut self.functions),
            ("wrap", &mut self.wraps),
            ("path", &mut self.paths),
            ("force", &mut self.forces),
            ("muscle", &mut self.muscles),
            ("ligament", &mut self.ligaments),
            ("surface", &mut self.surfaces),
            ("law", &mut self.laws),
            ("contact", &mut self.contacts),
            ("sensor", &mut self.sensors),
            ("joint_angles", &mut self.joint_angles),
            ("coordinate", &mut self.coordinates),
            ("marker", &mut self.markers),
            ("measurement", &mut self.measurements),
            ("integral", &mut self.integrals),
            ("material", &mut self.materials),
            ("soft", &mut self.softs),
            ("tie", &mut self.ties),
            ("support", &mut self.supports),
            ("traction", &mut self.tractions),
            ("soft_contact", &mut self.soft_contacts),
        ]
    }

    /// The text of the model. `file` says how a file of numbers, given as it was found, is to be named in it.
    pub fn text(&self, file: &dyn Fn(&str) -> String) -> String {
        let mut model = self.clone();
        let sources = self.sources.clone();
        let rename = |name: &str, at: Span| file(&beside(sources.path(at.file), name));
        let mut out = String::from("borelli = 1\n");
        let mut line = |key: &str, value: &Data| {
            let _ = write!(out, "{key} = ");
            data(value, &mut out);
            out.push('\n');
        };
        line("name", &Data::Text(self.name.clone()));
        if !self.description.is_empty() {
            line("description", &Data::Text(self.description.clone()));
        }
        line("dimension", &Data::Text(if self.dimension == Dimension::Planar { "planar" } else { "spatial" }.into()));
        if let Some(gravity) = &self.gravity {
            line("gravity", &gravity.data);
        }
        let mut table = |element: &mut Element| {
            rename_files(&mut element.fields, element.section == "body", &rename);
            let _ = writeln!(out, "\n[{}]", element.path());
            for field in &element.fields {
                let _ = write!(out, "{} = ", key(&field.key));
                data(&field.value.data, &mut out);
                out.push('\n');
            }
        };
        [&mut model.subject, &mut model.world].into_iter().flatten().for_each(&mut table);
        model.named_mut().into_iter().flat_map(|(_, list)| list).for_each(&mut table);
        [&mut model.initial, &mut model.report].into_iter().flatten().for_each(&mut table);
        out
    }
}

/// The number of a field, by the rest of its path. Factors along axes that are not written are one.
fn number_of<'e>(element: &'e mut Element, field: &str, rest: &[&str]) -> Option<&'e mut Data> {
    number_among(&mut element.fields, element.at, field, rest)
}

fn number_among<'e>(fields: &'e mut Vec<Entry>, at: Span, field: &str, rest: &[&str]) -> Option<&'e mut Data> {
    if field == "scale" && rest.len() == 1 && !fields.iter().any(|entry| entry.key == field) {
        let ones = vec![Value { at, data: Data::Number(1.0) }; 3];
        fields.push(Entry { key: field.into(), key_at: at, value: Value { at, data: Data::List(ones) } });
    }
    let entry = fields.iter_mut().find(|entry| entry.key == field)?;
    number_in(&mut entry.value, rest)
}

fn number_in<'v>(value: &'v mut Value, rest: &[&str]) -> Option<&'v mut Data> {
    let at = value.at;
    match (&mut value.data, rest) {
        (number @ (Data::Number(_) | Data::Text(_)), []) => Some(number),
        (Data::Table(entries), [key, rest @ ..]) => number_among(entries, at, key, rest),
        (Data::List(list), [last]) => {
            let named = ENTRIES.iter().find(|(name, _)| name == last).map(|(_, k)| *k);
            let k = named.or_else(|| last.parse::<usize>().ok()?.checked_sub(1))?;
            number_in(list.get_mut(k)?, &[])
        }
        _ => None,
    }
}

/// Names files of numbers anew, wherever a table of type `table`, a soft part of type `file` or, where `any`, the mesh of a body names one.
fn rename_files(fields: &mut [Entry], any: bool, rename: &dyn Fn(&str, Span) -> String) {
    let is_table = any || fields.iter().any(|field| field.key == "type" && matches!(field.value.as_text(), Some("table" | "file")));
    for field in fields {
        match &mut field.value.data {
            Data::Text(name) if is_table && field.key == "file" => *name = rename(name, field.value.at),
            Data::Table(entries) => rename_files(entries, any, rename),
            Data::List(list) => list.iter_mut().for_each(|value| {
                if let Data::Table(entries) = &mut value.data {
                    rename_files(entries, any, rename);
                }
            }),
            _ => {}
        }
    }
}

fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { name.to_string() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out + "\""
}

fn data(value: &Data, out: &mut String) {
    let mut join = |open: &str, close: &str, parts: Vec<String>| {
        let _ = write!(out, "{open}{}{close}", parts.join(", "));
    };
    let text = |value: &Data| {
        let mut text = String::new();
        data(value, &mut text);
        text
    };
    match value {
        Data::Text(text) => out.push_str(&quoted(text)),
        // The shortest text that reads as the same number.
        Data::Number(x) => drop(write!(out, "{x:?}")),
        Data::Bool(yes) => drop(write!(out, "{yes}")),
        Data::List(list) => join("[", "]", list.iter().map(|value| text(&value.data)).collect()),
        Data::Table(entries) => {
            join("{ ", " }", entries.iter().map(|entry| format!("{} = {}", key(&entry.key), text(&entry.value.data))).collect());
        }
        Data::Faulty => out.push_str("\"\""),
    }
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
