//! Reading an element's fields by their declarations: unknown ones, missing ones, wrong kinds, units, ranges, all at once.
//! Not here: whether a body or a coordinate of that name exists; the compiler knows.
//! In: an element and declared fields. Out: SI numbers, names and places with positions.

use crate::fault::ReadFault;
use crate::field::{Field, FieldKind, Need, Range};
use crate::finding::Findings;
use crate::model::Dimension;
use crate::source::Span;
use crate::value::{Element, Value};
use borelli_data::Dim;
use borelli_data::Explain;

mod read;

/// Sections whose elements have a `type`; it is read by [`Kind::find`](crate::Kind::find) and is no field.
const TYPED: [&str; 12] = ["joint", "loop", "guide", "function", "wrap", "force", "muscle", "surface", "law", "sensor", "material", "soft"];

/// A stop of a path.
#[derive(Clone, Debug)]
pub enum StopRef {
    /// A place, and where it is named.
    Place(PlaceRef, Span),
    /// A table, as an element to be read with fields of its own.
    Table(Element),
}

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

/// A law as a field asks for it.
#[derive(Clone, Debug, PartialEq)]
pub enum LawRef {
    /// Name of a `[law.NAME]`.
    Named(String, Span),
    /// Written in place.
    Inline(Element),
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
            None => self.finite(self.value * factor),
        }
    }

    /// What a bare number in a unit of its own is in SI, unless that is too large to be represented.
    pub fn finite(&self, si: f64) -> Result<f64, ReadFault> {
        if si.is_finite() { Ok(si) } else { Err(ReadFault::NotFinite { text: format!("{:e} in SI units", self.value) }) }
    }
}

/// Bare angles beyond this are refused: a full turn and a little for a rounded 2 pi.
pub const FULL_TURN: f64 = std::f64::consts::TAU * 1.001;

enum Read {
    Quantity(Quantity),
    List(Vec<Quantity>),
    Vectors(Vec<Vec<Quantity>>),
    Direction(Vec<f64>),
    Directions(Vec<[f64; 3]>),
    Function(FunctionRef),
    Functions(Vec<FunctionRef>),
    Law(LawRef),
    Places(Vec<(PlaceRef, Span)>),
    Stops(Vec<StopRef>),
    Names(Vec<(String, Span)>),
    Choice(&'static str),
    Flag(bool),
    Texts(Vec<(String, Span)>),
    Pairs(Vec<[(String, Span); 2]>),
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
        self.check(name, &q, unit, self.range(name)).map(|value| Quantity { value, ..q })
    }

    /// The range that is declared for a number; any for other fields.
    pub fn range(&self, name: &str) -> Range {
        match self.declaration(name).map(|field| field.kind) {
            Some(FieldKind::QuantityOf { range, .. } | FieldKind::Quantity { range, .. }) => range,
            _ => Range::ANY,
        }
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

    /// A list of vectors, two or three entries each by the model's dimension.
    pub fn vectors(&self, name: &str) -> Option<Vec<Vec<Quantity>>> {
        if let Read::Vectors(list) = self.got(name)? { Some(list.clone()) } else { None }
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

    /// True or false.
    pub fn flag(&self, name: &str) -> Option<bool> {
        if let Read::Flag(flag) = self.got(name)? { Some(*flag) } else { None }
    }

    /// A whole number.
    pub fn count(&self, name: &str) -> Option<usize> {
        self.quantity(name).map(|q| q.value as usize)
    }

    /// Texts and where they stand.
    pub fn texts(&self, name: &str) -> Option<Vec<(String, Span)>> {
        if let Read::Texts(texts) = self.got(name)? { Some(texts.clone()) } else { None }
    }

    /// Pairs of texts and where each stands, or the entries of a table from name to name.
    pub fn pairs(&self, name: &str) -> Option<Vec<[(String, Span); 2]>> {
        if let Read::Pairs(pairs) = self.got(name)? { Some(pairs.clone()) } else { None }
    }

    /// A place and where it is named.
    pub fn place(&self, name: &str) -> Option<(PlaceRef, Span)> {
        self.places(name)?.into_iter().next()
    }

    fn places(&self, name: &str) -> Option<Vec<(PlaceRef, Span)>> {
        if let Read::Places(p) = self.got(name)? { Some(p.clone()) } else { None }
    }

    /// Stops of a path.
    pub fn stops(&self, name: &str) -> Option<Vec<StopRef>> {
        if let Read::Stops(stops) = self.got(name)? { Some(stops.clone()) } else { None }
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

    /// A law.
    pub fn law(&self, name: &str) -> Option<LawRef> {
        if let Read::Law(law) = self.got(name)? { Some(law.clone()) } else { None }
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

    /// A table as an element to be read with fields of its own.
    pub fn table(&self, name: &str) -> Option<Element> {
        self.tables(name)?.into_iter().next().map(|(_, _, element)| element)
    }

    /// Tables: name (in a list its number, from 1, unless it has a field `name`), where it stands, and an element to be read with fields of its own.
    pub fn tables(&self, name: &str) -> Option<Vec<(String, Span, Element)>> {
        if let Read::Tables(t) = self.got(name)? { Some(t.clone()) } else { None }
    }
}

/// The SI value if it is allowed.
pub fn in_range(value: f64, range: Range, unit: &str) -> Result<f64, ReadFault> {
    match value {
        _ if range.contains(value) => Ok(value),
        _ if value.is_finite() => Err(ReadFault::OutOfRange { value, range, unit: unit.to_string() }),
        _ => Err(ReadFault::NotFinite { text: value.to_string() }),
    }
}

#[cfg(test)]
#[path = "fields_tests.rs"]
mod tests;
