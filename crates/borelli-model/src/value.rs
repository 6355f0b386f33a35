//! Values as they stand in a file: text, numbers, lists, tables, each with its position.
//! Not here: units and meaning; nothing of the text format's parser leaks through.
//! In: the parser. Out: elements (one joint, one body, ...) with their fields.

use crate::source::Span;

/// One value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Where.
    pub at: Span,
    /// What.
    pub data: Data,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// A string.
    Text(String),
    /// A number, whole or not; always finite.
    Number(f64),
    /// True or false.
    Bool(bool),
    /// A list.
    List(Vec<Value>),
    /// A table, in the order of the file.
    Table(Vec<Entry>),
    /// Nothing a model can hold; it has been reported, and is kept so that its field does not count as missing.
    Faulty,
}

/// One key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_at: Span,
    /// Its value.
    pub value: Value,
}

/// One table of a section: `[joint.knee]` is the element `knee` of the section `joint`.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Name of the section, such as `joint`.
    pub section: &'static str,
    /// Name of the element; empty where the section has only one.
    pub name: String,
    /// Where its name stands.
    pub at: Span,
    /// Its fields in the order of the file.
    pub fields: Vec<Entry>,
}

impl Data {
    /// What kind of value this is, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Data::Text(_) => "text",
            Data::Number(_) => "a number",
            Data::Bool(_) => "true or false",
            Data::List(_) => "a list",
            Data::Table(_) => "a table",
            Data::Faulty => "nothing of use",
        }
    }
}

impl Value {
    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        if let Data::Text(text) = &self.data { Some(text) } else { None }
    }

    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        if let Data::Number(x) = self.data { Some(x) } else { None }
    }

    /// The entries of a list, if it is one.
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Data::List(list) = &self.data { Some(list) } else { None }
    }

    /// Changes all places in it: its own, and those of what it holds.
    pub fn each_span(&mut self, change: &mut dyn FnMut(&mut Span)) {
        change(&mut self.at);
        match &mut self.data {
            Data::List(list) => list.iter_mut().for_each(|own| own.each_span(change)),
            Data::Table(entries) => entries.iter_mut().for_each(|entry| {
                change(&mut entry.key_at);
                entry.value.each_span(change);
            }),
            Data::Text(_) | Data::Number(_) | Data::Bool(_) | Data::Faulty => {}
        }
    }

    /// The entries of a table, if it is one.
    pub fn as_table(&self) -> Option<&[Entry]> {
        if let Data::Table(table) = &self.data { Some(table) } else { None }
    }
}

impl Element {
    /// `joint.knee`, or only the section where there is one element of it.
    pub fn path(&self) -> String {
        if self.name.is_empty() { self.section.to_string() } else { format!("{}.{}", self.section, self.name) }
    }

    /// A field by name.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.fields.iter().find(|f| f.key == key)
    }

    /// A field's value by name.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.get(key).map(|f| &f.value)
    }

    /// A field's text by name, if it is text.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.value(key).and_then(Value::as_text)
    }
}

impl From<&Element> for String {
    fn from(element: &Element) -> String {
        element.path()
    }
}
