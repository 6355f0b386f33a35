//! Reading of single values by their declared kind.
//! Not here: which fields an element has; see the module above.
//! In: one value. Out: what it says in SI, or a fault reported where it stands.

use super::{Fields, FunctionRef, LawRef, PlaceRef, Quantity, Read, StopRef};
use crate::fault::ReadFault;
use crate::field::{Field, FieldKind, Range};
use crate::model::{Dimension, is_name};
use crate::source::Span;
use crate::value::{Data, Element, Entry, Value};
use borelli_data::parse_quantity;

impl Fields<'_> {
    fn report<T>(&mut self, at: Span, field: &str, fault: ReadFault) -> Option<T> {
        self.findings.push(at, self.element, field, &fault);
        None
    }

    fn wrong<T>(&mut self, value: &Value, field: &str, expected: &str) -> Option<T> {
        if value.data == Data::Faulty {
            return None;
        }
        self.report(value.at, field, ReadFault::WrongType { expected: expected.into(), found: value.data.kind() })
    }

    pub(super) fn read_one(&mut self, field: &'static Field, value: &Value) -> Option<Read> {
        let name = field.name;
        let spatial = self.dimension == Dimension::Spatial;
        let size = if spatial { 3 } else { 2 };
        match field.kind {
            FieldKind::Quantity { unit, range } => self.number(value, name, unit, range).map(Read::Quantity),
            FieldKind::QuantityOf { .. } => self.number(value, name, "*", Range::ANY).map(Read::Quantity),
            FieldKind::Vector { unit } => self.list(value, name, unit, &[size]).map(Read::List),
            FieldKind::Numbers { unit, least: 1 } if value.as_list().is_none() => {
                self.number(value, name, unit, Range::ANY).map(|q| Read::List(vec![q]))
            }
            FieldKind::Numbers { unit, least } => self.long_list(value, name, unit, least).map(Read::List),
            FieldKind::Vectors { unit, least } => self.several_vectors(value, name, unit, least, size).map(Read::Vectors),
            FieldKind::Direction => self.unit_vector(value, name, size).map(Read::Direction),
            FieldKind::Directions { count: 1 } => self.unit_vector(value, name, 3).map(|d| Read::Directions(vec![[d[0], d[1], d[2]]])),
            FieldKind::Directions { count } => self.unit_vectors(value, name, count).map(Read::Directions),
            FieldKind::Inertia if spatial => self.list(value, name, "kg m^2", &[3, 6]).map(Read::List),
            FieldKind::Inertia => self.number(value, name, "kg m^2", Range::NON_NEGATIVE).map(|q| Read::List(vec![q])),
            FieldKind::Function { value: unit } => self.one_function(value, name, unit).map(Read::Function),
            FieldKind::Functions { value: unit, planar, spatial: many } => {
                self.several_functions(value, name, unit, if spatial { many } else { planar }).map(Read::Functions)
            }
            FieldKind::Place => self.one_place(value, name, false).map(|p| Read::Places(vec![p])),
            FieldKind::Body
            | FieldKind::Joint
            | FieldKind::Path
            | FieldKind::Wrap
            | FieldKind::Coordinate
            | FieldKind::Surface
            | FieldKind::Material => self.one_name(value, name).map(|n| Read::Names(vec![n])),
            FieldKind::Stops(_) => self.several_stops(value, name).map(Read::Stops),
            FieldKind::Coefficients => self.table_of_numbers(value, name).map(Read::Coefficients),
            FieldKind::Choice(choices) => self.one_choice(value, name, choices).map(Read::Choice),
            FieldKind::Text => self.plain_text(value, name).map(|_| Read::Any),
            FieldKind::Names => self.several_names(value, name).map(Read::Names),
            FieldKind::NameOrNames if value.as_text().is_some() => self.one_name(value, name).map(|n| Read::Names(vec![n])),
            FieldKind::NameOrNames => self.several_names(value, name).map(Read::Names),
            FieldKind::Law => self.one_law(value, name).map(Read::Law),
            FieldKind::Rotations => self.several_rotations(value, name).map(Read::Rotations),
            FieldKind::Points { unit } => self.named_vectors(value, name, unit, size).map(Read::Points),
            FieldKind::Tables => self.named_tables(value, field.name, false).map(Read::Tables),
            FieldKind::Named(_) => self.named_tables(value, field.name, true).map(Read::Tables),
            FieldKind::Table(_) => self.single_table(value, field.name).map(|t| Read::Tables(vec![t])),
            FieldKind::List(_) => self.listed_tables(value, field.name).map(Read::Tables),
            FieldKind::WordOf(words) => self.one_choice(value, name, &words()).map(Read::Choice),
            FieldKind::Flag => self.truth(value, name).map(Read::Flag),
            FieldKind::Count { least } => self.whole(value, name, least).map(Read::Quantity),
            FieldKind::Texts => self.several_texts(value, name).map(Read::Texts),
            FieldKind::Pairs => self.several_pairs(value, name).map(Read::Pairs),
            FieldKind::NamesByName => self.keyed_names(value, name).map(Read::Pairs),
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

    fn keyed<'v>(&mut self, value: &'v Value, field: &str) -> Option<&'v [Entry]> {
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

    /// A list of at least so many numbers.
    fn long_list(&mut self, value: &Value, field: &str, unit: &str, least: usize) -> Option<Vec<Quantity>> {
        let found = self.entries(value, field, "a list of numbers")?.len();
        if found < least {
            let expected = if least == 2 { "two or more" } else { "one or more" }.to_string();
            return self.report(value.at, field, ReadFault::WrongLength { found, expected });
        }
        self.list(value, field, unit, &[found])
    }

    /// A list of numbers whose length is one of `lengths`.
    fn list(&mut self, value: &Value, field: &str, unit: &str, lengths: &[usize]) -> Option<Vec<Quantity>> {
        let list = self.entries(value, field, "a list of numbers")?;
        if !lengths.contains(&list.len()) {
            let words: Vec<String> = lengths.iter().map(usize::to_string).collect();
            return self.report(value.at, field, ReadFault::WrongLength { found: list.len(), expected: words.join(" or ") });
        }
        let read: Vec<Option<Quantity>> = list.iter().map(|v| self.number(v, field, unit, Range::ANY)).collect();
        read.into_iter().collect()
    }

    fn several_vectors(&mut self, value: &Value, field: &str, unit: &str, least: usize, size: usize) -> Option<Vec<Vec<Quantity>>> {
        let list = self.entries(value, field, "a list of points")?;
        if list.len() < least {
            return self.report(value.at, field, ReadFault::WrongLength { found: list.len(), expected: format!("{least} or more") });
        }
        let read: Vec<_> = list.iter().map(|v| self.list(v, field, unit, &[size])).collect();
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

    fn one_law(&mut self, value: &Value, field: &str) -> Option<LawRef> {
        match &value.data {
            Data::Table(fields) => {
                let name = format!("{}.{field}", self.element.name);
                Some(LawRef::Inline(Element { section: "law", name, at: value.at, fields: fields.clone() }))
            }
            Data::Text(_) => self.one_name(value, field).map(|(name, at)| LawRef::Named(name, at)),
            _ => self.wrong(value, field, "a law: a name or a table"),
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

    fn one_place(&mut self, value: &Value, field: &str, nodes: bool) -> Option<(PlaceRef, Span)> {
        let text = self.plain_text(value, field)?;
        let (body, spot) = text.split_once('.').map_or((text, None), |(body, spot)| (body, Some(spot)));
        // A node of a soft part has its boundary and its number, `liner.outer.3`; lists of places are those of paths, which may run over nodes.
        let named = |spot: &str| match spot.split_once('.') {
            Some((boundary, node)) => nodes && is_name(boundary) && !node.is_empty() && node.bytes().all(|b| b.is_ascii_alphanumeric()),
            None => is_name(spot),
        };
        if !is_name(body) || !spot.is_none_or(named) {
            return self.report(value.at, field, ReadFault::BadName { name: text.into() });
        }
        Some((PlaceRef { body: body.to_string(), spot: spot.map(str::to_string) }, value.at))
    }

    fn several_stops(&mut self, value: &Value, field: &str) -> Option<Vec<StopRef>> {
        let list = self.entries(value, field, "a list of places")?;
        if list.len() < 2 {
            return self.report(value.at, field, ReadFault::WrongLength { found: list.len(), expected: "two or more".into() });
        }
        let read: Vec<_> = list.iter().map(|v| self.one_stop(v, field)).collect();
        read.into_iter().collect()
    }

    /// A place, or a table that keeps the name of its element.
    fn one_stop(&mut self, value: &Value, field: &str) -> Option<StopRef> {
        match value.as_table() {
            Some(fields) => {
                let Element { section, name, .. } = self.element;
                Some(StopRef::Table(Element { section, name: name.clone(), at: value.at, fields: fields.to_vec() }))
            }
            None => self.one_place(value, field, true).map(|(place, at)| StopRef::Place(place, at)),
        }
    }

    fn table_of_numbers(&mut self, value: &Value, field: &str) -> Option<Vec<(String, Span, Quantity)>> {
        let table = self.keyed(value, field)?;
        let read: Vec<_> = table
            .iter()
            .map(|e| {
                let q = self.number(&e.value, field, "*", Range::ANY)?;
                Some((e.key.clone(), e.key_at, q))
            })
            .collect();
        read.into_iter().collect()
    }

    fn one_choice(&mut self, value: &Value, field: &str, choices: &[&'static str]) -> Option<&'static str> {
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
        let table = self.keyed(value, field)?;
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
        let table = self.keyed(value, field)?;
        let read = table.iter().map(|e| {
            let label = format!("{field}.{}", e.key);
            self.list(&e.value, &label, unit, &[size]).map(|list| (e.key.clone(), e.key_at, list))
        });
        // faulty points are reported and left out; the others stay usable
        Some(read.collect::<Vec<_>>().into_iter().flatten().collect())
    }

    /// Tables by name; with `section` they are elements of a section of that name, else parts of this element.
    fn named_tables(&mut self, value: &Value, field: &'static str, section: bool) -> Option<Vec<(String, Span, Element)>> {
        let table = self.keyed(value, field)?;
        let mut elements = Vec::new();
        for e in table {
            let Some(fields) = e.value.as_table() else {
                self.wrong::<()>(&e.value, &format!("{field}.{}", e.key), "a table");
                continue;
            };
            if section && !is_name(&e.key) {
                self.findings.push(e.key_at, field, "", &ReadFault::BadName { name: e.key.clone() });
                continue;
            }
            let (section, name) = match section {
                true => (field, e.key.clone()),
                false => (self.element.section, format!("{}.{field}.{}", self.element.name, e.key).trim_start_matches('.').to_string()),
            };
            let element = Element { section, name, at: e.key_at, fields: fields.to_vec() };
            elements.push((e.key.clone(), e.key_at, element));
        }
        Some(elements)
    }

    /// One table, as the only element of a section.
    fn single_table(&mut self, value: &Value, field: &'static str) -> Option<(String, Span, Element)> {
        let fields = self.keyed(value, field)?.to_vec();
        let at = self.element.get(field).map_or(value.at, |entry| entry.key_at);
        Some((field.to_string(), at, Element { section: field, name: String::new(), at, fields }))
    }

    /// Tables of a list, called by their `name` or their number.
    fn listed_tables(&mut self, value: &Value, field: &'static str) -> Option<Vec<(String, Span, Element)>> {
        let expected = "a list of tables";
        let list = self.entries(value, field, expected)?;
        let mut elements = Vec::new();
        for (k, item) in list.iter().enumerate() {
            let Some(fields) = item.as_table() else {
                self.wrong::<()>(item, field, expected);
                continue;
            };
            let given = fields.iter().find(|e| e.key == "name").and_then(|e| e.value.as_text()).map(str::to_string);
            let name = given.unwrap_or_else(|| (k + 1).to_string());
            elements.push((name.clone(), item.at, Element { section: field, name, at: item.at, fields: fields.to_vec() }));
        }
        Some(elements)
    }

    fn truth(&mut self, value: &Value, field: &str) -> Option<bool> {
        match value.data {
            Data::Bool(flag) => Some(flag),
            _ => self.wrong(value, field, "true or false"),
        }
    }

    fn whole(&mut self, value: &Value, field: &str, least: usize) -> Option<Quantity> {
        // beyond this a number has no places left to tell whole ones apart
        let range = Range::between(least as f64, 9_007_199_254_740_992.0);
        let q = self.number(value, field, "1", range)?;
        if q.value.fract() == 0.0 { Some(q) } else { self.wrong(value, field, "a whole number") }
    }

    fn several_texts(&mut self, value: &Value, field: &str) -> Option<Vec<(String, Span)>> {
        let list = self.entries(value, field, "a list of texts")?;
        let read: Vec<_> = list.iter().map(|v| self.plain_text(v, field).map(|text| (text.to_string(), v.at))).collect();
        read.into_iter().collect()
    }

    fn keyed_names(&mut self, value: &Value, field: &str) -> Option<Vec<[(String, Span); 2]>> {
        let table = self.keyed(value, field)?;
        let read: Vec<_> = table.iter().map(|e| Some([(e.key.clone(), e.key_at), self.one_name(&e.value, field)?])).collect();
        read.into_iter().collect()
    }

    fn several_pairs(&mut self, value: &Value, field: &str) -> Option<Vec<[(String, Span); 2]>> {
        const EXPECTED: &str = "a list of pairs: [[\"a\", \"b\"]]";
        let list = self.entries(value, field, EXPECTED)?;
        let mut pairs = Vec::with_capacity(list.len());
        for item in list {
            let texts = if item.as_list().is_some() { self.several_texts(item, field)? } else { self.wrong(item, field, EXPECTED)? };
            match <[(String, Span); 2]>::try_from(texts) {
                Ok(pair) => pairs.push(pair),
                Err(texts) => {
                    return self.report(item.at, field, ReadFault::WrongLength { found: texts.len(), expected: "2 names".into() });
                }
            }
        }
        Some(pairs)
    }
}
