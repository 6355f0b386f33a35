//! Reading an element's fields by their declarations: unknown ones, missing ones, wrong kinds, units, ranges, all at once.
//! Not here: whether a body or a coordinate of that name exists; the compiler knows.
//! In: an element and declared fields. Out: SI numbers, names and places with positions.

use crate::fault::ReadFault;
use crate::field::{Field, FieldKind, Need, Range};
use crate::finding::{Explain, Findings};
use crate::model::{Dimension, is_name};
use crate::source::Span;
use crate::units::{Dim, parse_quantity};
use crate::value::{Data, Element, Entry, Value};

/// Sections whose elements have a `type`; it is read by [`Kind::find`](crate::Kind::find) and is no field.
const TYPED: [&str; 5] = ["joint", "loop", "guide", "function", "force"];

/// A number in SI, where it stood, and the dimension written with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// SI value.
    pub value: f64,
    /// Where.
    pub at: Span,
    /// Dimension of the unit written with it; nothing for a bare number or a default.
    pub dim: Option<Dim>,
}

/// A place on a body as it is written: `body` or `body.spot`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceRef {
    /// Name of the body.
    pub body: String,
    /// Name of the point or frame; nothing for the origin.
    pub spot: Option<String>,
}

/// A function as a field asks for it.
#[derive(Clone, Debug, PartialEq)]
pub enum FunctionRef {
    /// Name of a `[function.NAME]`.
    Named(String, Span),
    /// Written in place.
    Inline(Element),
    /// A constant.
    Constant(Quantity),
}

impl Quantity {
    /// The SI value where `expected` is asked for. A bare number is SI; a bare angle beyond a full turn is refused.
    pub fn expect(&self, expected: Dim) -> Result<f64, ReadFault> {
        match self.dim {
            Some(found) if !found.fits(expected) => Err(ReadFault::WrongUnit { found, expected }),
            None if expected == Dim::ANGLE && self.value.abs() > FULL_TURN => Err(ReadFault::BareDegrees { value: self.value }),
            _ => Ok(self.value),
        }
    }

    /// The SI value where a bare number is in a unit of its own: `factor` and `expected` as
    /// [`parse_unit`](crate::parse_unit) gives them.
    pub fn expect_scaled(&self, factor: f64, expected: Dim) -> Result<f64, ReadFault> {
        match self.dim {
            Some(found) if !found.fits(expected) => Err(ReadFault::WrongUnit { found, expected }),
            Some(_) => Ok(self.value),
            None => Ok(self.value * factor),
        }
    }
}

/// Bare angles beyond this are refused: a full turn and a little for a rounded 2 pi.
const FULL_TURN: f64 = std::f64::consts::TAU * 1.001;

enum Read {
    Quantity(Quantity),
    List(Vec<Quantity>),
    Direction(Vec<f64>),
    Directions(Vec<[f64; 3]>),
    Function(FunctionRef),
    Functions(Vec<FunctionRef>),
    Places(Vec<(PlaceRef, Span)>),
    Names(Vec<(String, Span)>),
    Choice(&'static str),
    Coefficients(Vec<(String, Span, Quantity)>),
    Rotations(Vec<([f64; 3], FunctionRef)>),
    Points(Vec<(String, Span, Vec<Quantity>)>),
    Tables(Vec<(String, Span, Element)>),
    Any,
}

/// The fields of one element, read and checked. Getters give nothing for a field that is absent or was at fault.
pub struct Fields<'a> {
    element: &'a Element,
    dimension: Dimension,
    findings: &'a mut Findings,
    declared: Vec<&'static Field>,
    read: Vec<(&'static str, Read)>,
}

impl<'a> Fields<'a> {
    /// Reads all declared fields (several tables: those common to a section and the kind's own) and reports every fault.
    pub fn read(element: &'a Element, declared: &[&'static [Field]], dimension: Dimension, findings: &'a mut Findings) -> Fields<'a> {
        let declared: Vec<&'static Field> = declared.iter().flat_map(|fields| fields.iter()).collect();
        let mut fields = Fields { element, dimension, findings, declared, read: Vec::new() };
        for entry in &element.fields {
            match fields.declared.iter().find(|f| f.name == entry.key) {
                Some(field) => {
                    let field = *field;
                    if let Some(read) = fields.read_one(field, &entry.value) {
                        fields.read.push((field.name, read));
                    }
                }
                None if entry.key == "type" && TYPED.contains(&element.section) => {}
                None => {
                    let known = fields.declared.iter().map(|f| f.name).collect();
                    fields.findings.push(entry.key_at, element, "", &ReadFault::UnknownField { name: entry.key.clone(), known });
                }
            }
        }
        for k in 0..fields.declared.len() {
            let field = fields.declared[k];
            if field.need == Need::Required && !fields.has(field.name) {
                let fault = ReadFault::MissingField { name: field.name.into(), doc: format!("`{}`: {}", field.name, field.doc) };
                fields.findings.push(element.at, element, "", &fault);
            }
        }
        fields
    }

    /// The element.
    pub fn element(&self) -> &'a Element {
        self.element
    }

    /// True when the field stands in the file, faulty or not.
    pub fn has(&self, name: &str) -> bool {
        self.element.get(name).is_some()
    }

    /// Where a field's value stands; the element's name if the field is absent.
    pub fn span_of(&self, name: &str) -> Span {
        self.element.value(name).map_or(self.element.at, |v| v.at)
    }

    /// The findings, to add more.
    pub fn findings(&mut self) -> &mut Findings {
        self.findings
    }

    /// Reports a fault of a field at its place.
    pub fn fault(&mut self, name: &str, fault: &impl Explain) {
        let at = self.span_of(name);
        self.findings.push(at, self.element, name, fault);
    }

    /// The value as it stands in the file.
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.element.value(name)
    }

    fn got(&self, name: &str) -> Option<&Read> {
        self.read.iter().find(|(n, _)| *n == name).map(|(_, read)| read)
    }

    fn declaration(&self, name: &str) -> Option<&'static Field> {
        self.declared.iter().find(|f| f.name == name).copied()
    }

    fn default_of(&self, name: &str) -> Option<Quantity> {
        match self.declaration(name)?.need {
            Need::Default(value) if !self.has(name) => Some(Quantity { value, at: self.element.at, dim: None }),
            _ => None,
        }
    }

    /// A number, or its default.
    pub fn quantity(&self, name: &str) -> Option<Quantity> {
        match self.got(name) {
            Some(Read::Quantity(q)) => Some(*q),
            _ => self.default_of(name),
        }
    }

    /// A number whose unit only the caller knows, or its default; reports a wrong dimension and a value out of range.
    pub fn quantity_in(&mut self, name: &str, unit: &str) -> Option<Quantity> {
        let q = self.quantity(name)?;
        let range = match self.declaration(name)?.kind {
            FieldKind::QuantityOf { range, .. } | FieldKind::Quantity { range, .. } => range,
            _ => Range::ANY,
        };
        self.check(name, &q, unit, range).map(|value| Quantity { value, ..q })
    }

    /// Checks a number against a unit and a range, reporting at its place; gives the SI value.
    pub fn check(&mut self, name: &str, q: &Quantity, unit: &str, range: Range) -> Option<f64> {
        let checked = q.expect(Dim::of(unit)).and_then(|value| in_range(value, range, unit));
        checked.map_err(|fault| self.findings.push(q.at, self.element, name, &fault)).ok()
    }

    /// The entries of a vector or an inertia.
    pub fn vector(&self, name: &str) -> Option<Vec<Quantity>> {
        self.numbers(name)
    }

    /// The entries of a list of numbers.
    pub fn numbers(&self, name: &str) -> Option<Vec<Quantity>> {
        match self.got(name)? {
            Read::List(list) => Some(list.clone()),
            Read::Quantity(q) => Some(vec![*q]),
            _ => None,
        }
    }

    /// A direction as a unit vector, two or three entries by the model's dimension.
    pub fn direction(&self, name: &str) -> Option<Vec<f64>> {
        if let Read::Direction(d) = self.got(name)? { Some(d.clone()) } else { None }
    }

    /// Several directions in space, as unit vectors.
    pub fn directions(&self, name: &str) -> Option<Vec<[f64; 3]>> {
        if let Read::Directions(d) = self.got(name)? { Some(d.clone()) } else { None }
    }

    /// A text and where it stands.
    pub fn text(&self, name: &str) -> Option<(&'a str, Span)> {
        let value = self.element.value(name)?;
        value.as_text().map(|text| (text, value.at))
    }

    /// The chosen word.
    pub fn choice(&self, name: &str) -> Option<&'static str> {
        if let Read::Choice(c) = self.got(name)? { Some(c) } else { None }
    }

    /// A place and where it is named.
    pub fn place(&self, name: &str) -> Option<(PlaceRef, Span)> {
        self.places(name)?.into_iter().next()
    }

    /// Places and where they are named.
    pub fn places(&self, name: &str) -> Option<Vec<(PlaceRef, Span)>> {
        if let Read::Places(p) = self.got(name)? { Some(p.clone()) } else { None }
    }

    /// The name of a body, joint, path or coordinate, and where it stands.
    pub fn name(&self, name: &str) -> Option<(String, Span)> {
        self.names(name)?.into_iter().next()
    }

    /// A list of names and where they stand.
    pub fn names(&self, name: &str) -> Option<Vec<(String, Span)>> {
        if let Read::Names(n) = self.got(name)? { Some(n.clone()) } else { None }
    }

    /// A function, or the constant that is its default.
    pub fn function(&self, name: &str) -> Option<FunctionRef> {
        match self.got(name) {
            Some(Read::Function(f)) => Some(f.clone()),
            _ => self.default_of(name).map(FunctionRef::Constant),
        }
    }

    /// A function whose unit only the caller knows; a constant of the wrong dimension is reported.
    pub fn function_in(&mut self, name: &str, unit: &str) -> Option<FunctionRef> {
        let function = self.function(name)?;
        if let FunctionRef::Constant(q) = &function {
            self.check(name, q, unit, Range::ANY)?;
        }
        Some(function)
    }

    /// Several functions.
    pub fn functions(&self, name: &str) -> Option<Vec<FunctionRef>> {
        if let Read::Functions(f) = self.got(name)? { Some(f.clone()) } else { None }
    }

    /// A table from coordinate to number: name, where the name stands, number. Check each with [`Fields::check`].
    pub fn coefficients(&self, name: &str) -> Option<Vec<(String, Span, Quantity)>> {
        if let Read::Coefficients(c) = self.got(name)? { Some(c.clone()) } else { None }
    }

    /// Rotations about unit axes, each by a function.
    pub fn rotations(&self, name: &str) -> Option<Vec<([f64; 3], FunctionRef)>> {
        if let Read::Rotations(r) = self.got(name)? { Some(r.clone()) } else { None }
    }

    /// Named vectors: name, where the name stands, entries.
    pub fn points(&self, name: &str) -> Option<Vec<(String, Span, Vec<Quantity>)>> {
        if let Read::Points(p) = self.got(name)? { Some(p.clone()) } else { None }
    }

    /// Named tables: name, where the name stands, and an element to be read with fields of its own.
    pub fn tables(&self, name: &str) -> Option<Vec<(String, Span, Element)>> {
        if let Read::Tables(t) = self.got(name)? { Some(t.clone()) } else { None }
    }
}

fn in_range(value: f64, range: Range, unit: &str) -> Result<f64, ReadFault> {
    if range.contains(value) { Ok(value) } else { Err(ReadFault::OutOfRange { value, range, unit: unit.to_string() }) }
}

/// Reading of single values; every fault is reported where the value stands.
impl Fields<'_> {
    fn report<T>(&mut self, at: Span, field: &str, fault: ReadFault) -> Option<T> {
        self.findings.push(at, self.element, field, &fault);
        None
    }

    fn wrong<T>(&mut self, value: &Value, field: &str, expected: &str) -> Option<T> {
        self.report(value.at, field, ReadFault::WrongType { expected: expected.into(), found: value.data.kind() })
    }

    fn read_one(&mut self, field: &'static Field, value: &Value) -> Option<Read> {
        let name = field.name;
        let spatial = self.dimension == Dimension::Spatial;
        let size = if spatial { 3 } else { 2 };
        match field.kind {
            FieldKind::Quantity { unit, range } => self.number(value, name, unit, range).map(Read::Quantity),
            FieldKind::QuantityOf { .. } => self.number(value, name, "*", Range::ANY).map(Read::Quantity),
            FieldKind::Vector { unit } => self.list(value, name, unit, &[size]).map(Read::List),
            FieldKind::Numbers { unit } if value.as_list().is_none() => {
                self.number(value, name, unit, Range::ANY).map(|q| Read::List(vec![q]))
            }
            FieldKind::Numbers { unit } => self.list(value, name, unit, &[]).map(Read::List),
            FieldKind::Direction => self.unit_vector(value, name, size).map(Read::Direction),
            FieldKind::Directions { count } => self.unit_vectors(value, name, count).map(Read::Directions),
            FieldKind::Inertia if spatial => self.list(value, name, "kg m^2", &[3, 6]).map(Read::List),
            FieldKind::Inertia => self.number(value, name, "kg m^2", Range::NON_NEGATIVE).map(|q| Read::List(vec![q])),
            FieldKind::Function { value: unit } => self.one_function(value, name, unit).map(Read::Function),
            FieldKind::Functions { value: unit, planar, spatial: many } => {
                self.several_functions(value, name, unit, if spatial { many } else { planar }).map(Read::Functions)
            }
            FieldKind::Place => self.one_place(value, name).map(|p| Read::Places(vec![p])),
            FieldKind::Body | FieldKind::Joint | FieldKind::Path | FieldKind::Coordinate => {
                self.one_name(value, name).map(|n| Read::Names(vec![n]))
            }
            FieldKind::Places => self.several_places(value, name).map(Read::Places),
            FieldKind::Coefficients => self.table_of_numbers(value, name).map(Read::Coefficients),
            FieldKind::Choice(choices) => self.one_choice(value, name, choices).map(Read::Choice),
            FieldKind::Text => self.plain_text(value, name).map(|_| Read::Any),
            FieldKind::Names => self.several_names(value, name).map(Read::Names),
            FieldKind::Rotations => self.several_rotations(value, name).map(Read::Rotations),
            FieldKind::Points { unit } => self.named_vectors(value, name, unit, size).map(Read::Points),
            FieldKind::Tables => self.named_tables(value, field.name).map(Read::Tables),
            FieldKind::Any => Some(Read::Any),
        }
    }

    fn plain_text<'v>(&mut self, value: &'v Value, field: &str) -> Option<&'v str> {
        match value.as_text() {
            Some(text) => Some(text),
            None => self.wrong(value, field, "a text"),
        }
    }

    fn entries<'v>(&mut self, value: &'v Value, field: &str, expected: &str) -> Option<&'v [Value]> {
        match value.as_list() {
            Some(list) => Some(list),
            None => self.wrong(value, field, expected),
        }
    }

    fn table<'v>(&mut self, value: &'v Value, field: &str) -> Option<&'v [Entry]> {
        match value.as_table() {
            Some(table) => Some(table),
            None => self.wrong(value, field, "a table"),
        }
    }

    fn number(&mut self, value: &Value, field: &str, unit: &str, range: Range) -> Option<Quantity> {
        let q = match &value.data {
            Data::Number(x) if !x.is_finite() => return self.report(value.at, field, ReadFault::NotFinite { text: x.to_string() }),
            Data::Number(x) => Quantity { value: *x, at: value.at, dim: None },
            Data::Text(text) => match parse_quantity(text) {
                Ok((si, dim)) => Quantity { value: si, at: value.at, dim: Some(dim) },
                Err(fault) => return self.report(value.at, field, ReadFault::of_unit(text, unit, fault)),
            },
            _ => return self.wrong(value, field, "a number, or text with a number and a unit"),
        };
        if unit == "*" {
            return Some(q);
        }
        self.check(field, &q, unit, range).map(|value| Quantity { value, ..q })
    }

    /// A list of numbers whose length is one of `lengths`; any length but zero if that is empty.
    fn list(&mut self, value: &Value, field: &str, unit: &str, lengths: &[usize]) -> Option<Vec<Quantity>> {
        let list = self.entries(value, field, "a list of numbers")?;
        let fits = if lengths.is_empty() { !list.is_empty() } else { lengths.contains(&list.len()) };
        if !fits {
            let words: Vec<String> = lengths.iter().map(usize::to_string).collect();
            let expected = if words.is_empty() { "one or more".to_string() } else { words.join(" or ") };
            return self.report(value.at, field, ReadFault::WrongLength { found: list.len(), expected });
        }
        let read: Vec<Option<Quantity>> = list.iter().map(|v| self.number(v, field, unit, Range::ANY)).collect();
        read.into_iter().collect()
    }

    fn unit_vector(&mut self, value: &Value, field: &str, size: usize) -> Option<Vec<f64>> {
        let d: Vec<f64> = self.list(value, field, "1", &[size])?.iter().map(|q| q.value).collect();
        let largest = d.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if largest == 0.0 {
            return self.report(value.at, field, ReadFault::ZeroDirection);
        }
        // scaled first, so that the squares neither overflow nor vanish
        let length = largest * d.iter().map(|x| (x / largest) * (x / largest)).sum::<f64>().sqrt();
        Some(d.iter().map(|x| x / length).collect())
    }

    fn unit_vectors(&mut self, value: &Value, field: &str, count: usize) -> Option<Vec<[f64; 3]>> {
        let list = self.entries(value, field, "a list of directions")?;
        if list.len() != count {
            return self.report(value.at, field, ReadFault::WrongLength { found: list.len(), expected: count.to_string() });
        }
        let read: Vec<_> = list.iter().map(|v| self.unit_vector(v, field, 3).map(|d| [d[0], d[1], d[2]])).collect();
        read.into_iter().collect()
    }

    fn one_function(&mut self, value: &Value, field: &str, unit: &str) -> Option<FunctionRef> {
        match &value.data {
            Data::Table(fields) => {
                let name = format!("{}.{field}", self.element.name);
                Some(FunctionRef::Inline(Element { section: "function", name, at: value.at, fields: fields.clone() }))
            }
            Data::Text(text) if text.starts_with(|c: char| c.is_ascii_alphabetic()) && parse_quantity(text).is_err() => {
                self.one_name(value, field).map(|(name, at)| FunctionRef::Named(name, at))
            }
            Data::Text(_) | Data::Number(_) => self.number(value, field, unit, Range::ANY).map(FunctionRef::Constant),
            _ => self.wrong(value, field, "a function: a name, a table or a constant"),
        }
    }

    fn several_functions(&mut self, value: &Value, field: &str, unit: &str, count: usize) -> Option<Vec<FunctionRef>> {
        if count == 1 && value.as_list().is_none() {
            return self.one_function(value, field, unit).map(|f| vec![f]);
        }
        let list = self.entries(value, field, "a list of functions")?;
        if list.len() != count {
            return self.report(value.at, field, ReadFault::WrongLength { found: list.len(), expected: count.to_string() });
        }
        let read: Vec<_> = list.iter().map(|v| self.one_function(v, field, unit)).collect();
        read.into_iter().collect()
    }

    fn one_name(&mut self, value: &Value, field: &str) -> Option<(String, Span)> {
        let text = self.plain_text(value, field)?;
        if !is_name(text) {
            return self.report(value.at, field, ReadFault::BadName { name: text.into() });
        }
        Some((text.to_string(), value.at))
    }

    fn several_names(&mut self, value: &Value, field: &str) -> Option<Vec<(String, Span)>> {
        let list = self.entries(value, field, "a list of names")?;
        let read: Vec<_> = list.iter().map(|v| self.one_name(v, field)).collect();
        read.into_iter().collect()
    }

    fn one_place(&mut self, value: &Value, field: &str) -> Option<(PlaceRef, Span)> {
        let text = self.plain_text(value, field)?;
        let (body, spot) = text.split_once('.').map_or((text, None), |(body, spot)| (body, Some(spot)));
        if !is_name(body) || !spot.is_none_or(is_name) {
            return self.report(value.at, field, ReadFault::BadName { name: text.into() });
        }
        Some((PlaceRef { body: body.to_string(), spot: spot.map(str::to_string) }, value.at))
    }

    fn several_places(&mut self, value: &Value, field: &str) -> Option<Vec<(PlaceRef, Span)>> {
        let list = self.entries(value, field, "a list of places")?;
        if list.len() < 2 {
            return self.report(value.at, field, ReadFault::WrongLength { found: list.len(), expected: "two or more".into() });
        }
        let read: Vec<_> = list.iter().map(|v| self.one_place(v, field)).collect();
        read.into_iter().collect()
    }

    fn table_of_numbers(&mut self, value: &Value, field: &str) -> Option<Vec<(String, Span, Quantity)>> {
        let table = self.table(value, field)?;
        let read: Vec<_> = table
            .iter()
            .map(|e| {
                let q = self.number(&e.value, field, "*", Range::ANY)?;
                Some((e.key.clone(), e.key_at, q))
            })
            .collect();
        read.into_iter().collect()
    }

    fn one_choice(&mut self, value: &Value, field: &str, choices: &'static [&'static str]) -> Option<&'static str> {
        let text = self.plain_text(value, field)?;
        match choices.iter().find(|c| **c == text) {
            Some(choice) => Some(choice),
            None => self.report(value.at, field, ReadFault::BadChoice { found: text.into(), choices: choices.to_vec() }),
        }
    }

    fn several_rotations(&mut self, value: &Value, field: &str) -> Option<Vec<([f64; 3], FunctionRef)>> {
        let list = self.entries(value, field, "a list of rotations")?;
        let read: Vec<_> = list.iter().map(|v| self.one_rotation(v, field)).collect();
        read.into_iter().collect()
    }

    fn one_rotation(&mut self, value: &Value, field: &str) -> Option<([f64; 3], FunctionRef)> {
        let table = self.table(value, field)?;
        for e in table.iter().filter(|e| e.key != "axis" && e.key != "function") {
            let fault = ReadFault::UnknownField { name: e.key.clone(), known: vec!["axis", "function"] };
            self.findings.push(e.key_at, self.element, field, &fault);
        }
        let mut part = |name: &str, doc: &str| match table.iter().find(|e| e.key == name) {
            Some(e) => Some(&e.value),
            None => self.report(value.at, field, ReadFault::MissingField { name: name.into(), doc: doc.into() }),
        };
        let axis = part("axis", "`axis`: the axis of this rotation");
        let function = part("function", "`function`: the angle of this rotation");
        let axis = axis.and_then(|v| self.unit_vector(v, field, 3));
        let function = function.and_then(|v| self.one_function(v, field, "rad"));
        axis.zip(function).map(|(a, f)| ([a[0], a[1], a[2]], f))
    }

    fn named_vectors(&mut self, value: &Value, field: &str, unit: &str, size: usize) -> Option<Vec<(String, Span, Vec<Quantity>)>> {
        let table = self.table(value, field)?;
        let read = table.iter().map(|e| {
            let label = format!("{field}.{}", e.key);
            self.list(&e.value, &label, unit, &[size]).map(|list| (e.key.clone(), e.key_at, list))
        });
        // faulty points are reported and left out; the others stay usable
        Some(read.collect::<Vec<_>>().into_iter().flatten().collect())
    }

    fn named_tables(&mut self, value: &Value, field: &'static str) -> Option<Vec<(String, Span, Element)>> {
        let table = self.table(value, field)?;
        let mut elements = Vec::new();
        for e in table {
            let Some(fields) = e.value.as_table() else {
                self.wrong::<()>(&e.value, &format!("{field}.{}", e.key), "a table");
                continue;
            };
            let name = format!("{}.{field}.{}", self.element.name, e.key).trim_start_matches('.').to_string();
            let element = Element { section: self.element.section, name, at: e.key_at, fields: fields.to_vec() };
            elements.push((e.key.clone(), e.key_at, element));
        }
        Some(elements)
    }
}

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
