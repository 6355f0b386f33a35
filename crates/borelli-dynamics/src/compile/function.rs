//! Functions of one variable from their tables. One kind per entry of `KINDS`.
//! Not here: interpolation and expressions themselves (`borelli_math::function`).
//! In: an element of section `function`, or an inline table. Out: a `FunctionPart` with what is known of its units.

use super::context::Context;
use super::fault::{Fault, FunctionSide};
use crate::parts::{FunctionPart, PointSlots, Slot};
use borelli_data::even_times;
use borelli_math::function::{Continuity, Expression, Function, Interpolation, Outside, Table};
use borelli_model::{
    DataFile, Dim, Dimension, Element, Exponent, FULL_TURN, Field, FieldKind, Fields, Findings, Kind, Need, Quantity, Range, ReadFault,
    in_range, number, parse_unit, suggest,
};
use std::sync::Arc;

/// A number in the unit of the argument or of the value, or of one over the other.
const fn free(name: &'static str, need: Need, doc: &'static str) -> Field {
    number(name, "*", Range::ANY, need, doc)
}

/// Fields of every function.
pub static COMMON: &[Field] = &[
    Field { name: "argument_unit", kind: FieldKind::Text, need: Need::Optional, doc: "unit of bare numbers of the argument" },
    Field { name: "value_unit", kind: FieldKind::Text, need: Need::Optional, doc: "unit of bare numbers of the value" },
];

/// All kinds of functions.
pub static KINDS: &[Kind] = &[
    Kind {
        name: "constant",
        doc: "The same value everywhere",
        fields: &[free("constant", Need::Required, "the value")],
        planar: true,
        spatial: true,
    },
    Kind {
        name: "polynomial",
        doc: "Sum of c_k (x - origin)^k",
        fields: &[
            Field { name: "coefficients", kind: FieldKind::Numbers { unit: "*", least: 1 }, need: Need::Required, doc: "c_0, c_1, ..." },
            free("origin", Need::Default(0.0), "argument where only c_0 counts"),
        ],
        planar: true,
        spatial: true,
    },
    Kind {
        name: "sine",
        doc: "offset + amplitude sin(2 pi frequency x + phase)",
        fields: &[
            free("amplitude", Need::Required, "amplitude"),
            free("frequency", Need::Required, "periods per unit of the argument"),
            number("phase", "rad", Range::ANY, Need::Default(0.0), "angle at argument zero"),
            free("offset", Need::Default(0.0), "mean value"),
        ],
        planar: true,
        spatial: true,
    },
    Kind {
        name: "fourier",
        doc: "mean + sum of a_k cos(2 pi k x/period) + b_k sin(2 pi k x/period)",
        fields: &[
            free("period", Need::Required, "period"),
            free("mean", Need::Default(0.0), "mean value"),
            Field { name: "cosines", kind: FieldKind::Numbers { unit: "*", least: 1 }, need: Need::Optional, doc: "a_1, a_2, ..." },
            Field { name: "sines", kind: FieldKind::Numbers { unit: "*", least: 1 }, need: Need::Optional, doc: "b_1, b_2, ..." },
        ],
        planar: true,
        spatial: true,
    },
    Kind {
        name: "table",
        doc: "Piecewise between given points",
        fields: &[
            Field { name: "x", kind: FieldKind::Numbers { unit: "*", least: 2 }, need: Need::Optional, doc: "arguments, increasing" },
            Field { name: "y", kind: FieldKind::Numbers { unit: "*", least: 2 }, need: Need::Optional, doc: "values" },
            Field { name: "file", kind: FieldKind::Text, need: Need::Optional, doc: "a file that has the points, in place of x and y" },
            Field { name: "column", kind: FieldKind::Text, need: Need::Optional, doc: "column of the file that has the values" },
            Field {
                name: "argument",
                kind: FieldKind::Text,
                need: Need::Optional,
                doc: "column of the file that has the arguments; default time",
            },
            number(
                "rate",
                "1/s",
                Range::POSITIVE,
                Need::Optional,
                "samples per second of a file whose times are rounded; default its times",
            ),
            Field {
                name: "interpolation",
                kind: FieldKind::Choice(&["linear", "spline", "pchip", "makima", "natural", "akima", "quintic", "simm"]),
                need: Need::Optional,
                doc: "between the points; default spline (not-a-knot, C2)",
            },
            Field {
                name: "outside",
                kind: FieldKind::Choice(&["error", "hold", "extrapolate", "tangent", "periodic"]),
                need: Need::Optional,
                doc: "beyond the ends; default error",
            },
        ],
        planar: true,
        spatial: true,
    },
    Kind {
        name: "expression",
        doc: "An expression in x (or t)",
        fields: &[Field { name: "expression", kind: FieldKind::Text, need: Need::Required, doc: "such as 0.6*sin(2*pi*0.9*x)" }],
        planar: true,
        spatial: true,
    },
];

/// Most points of a table that are parameters: more are a recording.
pub const MOST_POINTS: usize = 1000;

/// What is known of a function beside its numbers.
#[derive(Clone, Debug)]
pub struct FunctionInfo {
    /// Name for messages.
    pub name: String,
    /// The element of the file that it stands in: `function.hip`, `path.vasti`.
    pub element: String,
    /// Smoothness.
    pub continuity: Continuity,
    value: Known,
    argument: Known,
}

/// What is known of the unit of an argument or a value.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    dim: Option<Dim>,
    /// Largest size of a number without a unit.
    largest_bare: f64,
    /// The numbers come from a file whose angles are in degrees and that does not say whether they are angles.
    degrees: bool,
}

impl Known {
    /// The fault if it cannot be in `unit`, of dimension `wanted`.
    fn check(&self, function: &str, side: FunctionSide, wanted: Dim, unit: &str) -> Option<Fault> {
        let function = function.to_string();
        match self.dim {
            Some(found) if !found.fits(wanted) => {
                Some(Fault::FunctionUnit { function, side, found: found.to_string(), expected: unit.to_string() })
            }
            None if wanted == Dim::ANGLE && self.largest_bare > FULL_TURN => {
                Some(Fault::FunctionBareAngle { function, side, largest: self.largest_bare })
            }
            _ => None,
        }
    }
}

impl FunctionInfo {
    /// A constant whose unit has been checked already.
    pub fn constant(name: &str) -> Self {
        FunctionInfo {
            name: name.to_string(),
            element: String::new(),
            continuity: Continuity::Smooth,
            value: Known::default(),
            argument: Known::default(),
        }
    }

    /// The fault if the values cannot be in `unit`.
    pub fn check_value(&self, wanted: Dim, unit: &str) -> Option<Fault> {
        self.value.check(&self.name, FunctionSide::Value, wanted, unit)
    }

    /// The same function in radians, where a rotation is wanted of numbers that are in degrees if they are one.
    pub(super) fn in_radians(&self, wanted: Dim) -> Option<FunctionInfo> {
        let over_time = |dim: Dim| dim.over(Dim::TIME);
        let rotations = [Some(Dim::ANGLE), over_time(Dim::ANGLE), over_time(Dim::ANGLE).and_then(over_time)];
        let value = Known { dim: Some(wanted), largest_bare: 0.0, degrees: false };
        (self.value.degrees && rotations.contains(&Some(wanted))).then(|| FunctionInfo { value, ..self.clone() })
    }

    /// The fault if the argument cannot be in `unit`.
    pub fn check_argument(&self, wanted: Dim, unit: &str) -> Option<Fault> {
        self.argument.check(&self.name, FunctionSide::Argument, wanted, unit)
    }
}

/// One side of a function, argument or value: the unit of bare numbers, and the dimension once known.
struct Side {
    /// Field that declares the unit.
    unit_field: &'static str,
    factor: f64,
    declared: Option<Dim>,
    seen: Option<Dim>,
    largest_bare: f64,
    degrees: bool,
    /// First bare number other than zero, which is zero in every unit: its field, and its place in a list.
    bare: Option<(&'static str, Option<usize>, Quantity)>,
}

impl Side {
    fn of(fields: &mut Fields, name: &'static str) -> Side {
        let mut side = Side { unit_field: name, factor: 1.0, declared: None, seen: None, largest_bare: 0.0, degrees: false, bare: None };
        if let Some((text, _)) = fields.text(name) {
            match parse_unit(text) {
                Ok((factor, dim)) => (side.factor, side.declared) = (factor, Some(dim)),
                Err(fault) => fields.fault(name, &ReadFault::of_unit(text, text, fault)),
            }
        }
        side
    }

    /// SI value of a number on this side; its unit must agree with what was seen before.
    fn si(&mut self, fields: &mut Fields, field: &'static str, entry: Option<usize>, q: &Quantity) -> Option<f64> {
        let result = match (self.declared, q.dim) {
            (Some(dim), _) => q.expect_scaled(self.factor, dim),
            (None, Some(found)) => match self.seen {
                Some(seen) if !found.fits(seen) => Err(ReadFault::WrongUnit { found, expected: seen }),
                _ => {
                    self.seen = Some(found);
                    Ok(q.value)
                }
            },
            (None, None) => {
                self.largest_bare = self.largest_bare.max(q.value.abs());
                if q.value != 0.0 && self.bare.is_none() {
                    self.bare = Some((field, entry, *q));
                }
                Ok(q.value)
            }
        };
        let element = fields.element();
        result.map_err(|fault| fields.findings().push(q.at, element, field, &fault)).ok()
    }

    /// Bare numbers beside numbers with a unit leave open which unit is meant, unless it is declared.
    fn unmixed(&self, fields: &mut Fields) -> Option<()> {
        match (self.seen, &self.bare) {
            (Some(_), Some((field, entry, q))) if self.declared.is_none() => {
                let fault = ReadFault::MixedUnits { value: q.value, entry: entry.map(|k| k + 1), declare: self.unit_field };
                let element = fields.element();
                fields.findings().push(q.at, element, field, &fault);
                None
            }
            _ => Some(()),
        }
    }

    fn known(&self) -> Known {
        Known { dim: self.dim(), largest_bare: self.largest_bare, degrees: self.degrees }
    }

    fn dim(&self) -> Option<Dim> {
        self.declared.or(self.seen)
    }

    /// Takes the dimension that a derived quantity of dimension `found` gives this side, unless another is known already.
    fn agree(&mut self, fields: &mut Fields, field: &str, implied: Option<Dim>, found: Dim) -> Option<()> {
        match (self.dim(), implied) {
            (_, None) => Some(()),
            (None, Some(dim)) => {
                self.seen = Some(dim);
                Some(())
            }
            (Some(known), Some(dim)) if dim.fits(known) => Some(()),
            (Some(known), _) => {
                let expected = Dim::NONE.over(known).unwrap_or(Dim::NONE);
                fields.fault(field, &ReadFault::WrongUnit { found, expected });
                None
            }
        }
    }
}

/// SI value of a coefficient c_k, k > 0, that carries a unit: value over argument to the k, as far as these are known.
fn coefficient(fields: &mut Fields, q: &Quantity, found: Dim, k: usize, value: &Side, argument: &mut Side) -> Option<f64> {
    let Some(of_value) = value.dim() else { return Some(q.value) };
    if argument.dim().is_none() && k == 1 {
        argument.seen = of_value.over(found);
    }
    let power = argument.dim().and_then(|a| a.power(Exponent::new(k as i64, 1)?));
    match power.and_then(|p| of_value.over(p)) {
        Some(expected) if !found.fits(expected) => {
            fields.fault("coefficients", &ReadFault::WrongUnit { found, expected });
            None
        }
        _ => Some(q.value),
    }
}

/// Reads a function; `path` starts the paths of its parameters.
pub(super) fn read(element: &Element, path: &str, dimension: Dimension, context: &mut Context, findings: &mut Findings) -> Option<u32> {
    let kinds: Vec<&Kind> = KINDS.iter().collect();
    let kind = Kind::find(element, &kinds, dimension, findings)?;
    let mut fields = Fields::read(element, &[COMMON, kind.fields], dimension, findings);
    let mut argument = Side::of(&mut fields, "argument_unit");
    let mut value = Side::of(&mut fields, "value_unit");
    let fields = &mut fields;
    let part = match kind.name {
        "constant" => FunctionPart::Constant(one(fields, context, path, "constant", &mut value)?),
        "polynomial" => {
            let origin = one(fields, context, path, "origin", &mut argument);
            let numbers = fields.numbers("coefficients")?;
            if value.declared.is_none()
                && numbers.iter().any(|q| q.dim.is_some())
                && let Some(k) = numbers.iter().position(|q| q.dim.is_none() && q.value != 0.0)
            {
                let fault = ReadFault::MixedUnits { value: numbers[k].value, entry: Some(k + 1), declare: value.unit_field };
                fields.findings().push(numbers[k].at, element, "coefficients", &fault);
                return None;
            }
            let mut slots = Vec::new();
            let mut scale = 1.0;
            for (k, q) in numbers.iter().enumerate() {
                // A bare c_k is in value unit per argument unit to the k.
                let si = match (k, q.dim) {
                    (0, _) => value.si(fields, "coefficients", Some(0), q)?,
                    (_, None) => finite(fields, "coefficients", q, q.value * value.factor / scale)?,
                    (_, Some(found)) => coefficient(fields, q, found, k, &value, &mut argument)?,
                };
                slots.push(context.parameter(format!("{path}.coefficients.{k}"), si, ""));
                scale *= argument.factor;
            }
            FunctionPart::Polynomial(origin?, slots)
        }
        "sine" => {
            let amplitude = one(fields, context, path, "amplitude", &mut value);
            let offset = one(fields, context, path, "offset", &mut value);
            let q = fields.quantity("frequency")?;
            let frequency = match q.dim {
                Some(found) => {
                    argument.agree(fields, "frequency", Dim::NONE.over(found), found)?;
                    q.value
                }
                None => finite(fields, "frequency", &q, q.value / argument.factor)?,
            };
            let frequency = context.parameter(format!("{path}.frequency"), frequency, "");
            let phase = context.quantity_at(fields, path, "phase", "rad");
            FunctionPart::Sine([amplitude?, frequency, phase?, offset?])
        }
        "fourier" => {
            let period = fields.quantity("period").and_then(|q| argument.si(fields, "period", None, &q))?;
            if let Err(fault) = in_range(period, Range::POSITIVE, "") {
                fields.fault("period", &fault);
                return None;
            }
            let period = context.parameter_in(format!("{path}.period"), period, "", Range::POSITIVE);
            let mean = one(fields, context, path, "mean", &mut value);
            let cosines = list(fields, context, path, "cosines", &mut value);
            let sines = list(fields, context, path, "sines", &mut value);
            FunctionPart::Fourier(period, mean?, cosines?, sines?)
        }
        "table" => {
            let (x, y) = points(fields, context, &mut argument, &mut value)?;
            let interpolation = match fields.choice("interpolation") {
                Some("linear") => Interpolation::Linear,
                Some("pchip") => Interpolation::Pchip,
                Some("makima") => Interpolation::Makima,
                Some("natural") => Interpolation::Natural,
                Some("akima") => Interpolation::Akima,
                Some("quintic") => Interpolation::Quintic,
                Some("simm") => Interpolation::Simm,
                _ => Interpolation::Spline,
            };
            let outside = match fields.choice("outside") {
                Some("hold") => Outside::Hold,
                Some("extrapolate") => Outside::Extrapolate,
                Some("tangent") => Outside::Tangent,
                Some("periodic") => Outside::Periodic,
                _ => Outside::Error,
            };
            match Table::new(x, y.clone(), interpolation, outside) {
                Ok(table) => {
                    let slots = point_slots(context, path, &table, y, &value);
                    FunctionPart::Table(Arc::new(table), slots.map(Arc::new))
                }
                Err(fault) => {
                    let (reason, advice) = in_two(&fault);
                    let place = if fields.has("file") { "file" } else { "x" };
                    fields.fault(place, &Fault::BadTable { reason, advice });
                    return None;
                }
            }
        }
        _ => {
            let (text, _) = fields.text("expression")?;
            match Expression::parse(text) {
                Ok(expression) => FunctionPart::Expression(Arc::new(expression.scaled(value.factor, argument.factor))),
                Err(fault) => {
                    let (reason, advice) = in_two(&fault);
                    fields.fault("expression", &Fault::BadExpression { reason, advice });
                    return None;
                }
            }
        }
    };
    value.unmixed(fields).and(argument.unmixed(fields))?;
    let name = if element.name.is_empty() { path.to_string() } else { element.name.clone() };
    let continuity = match &part {
        FunctionPart::Table(table, _) => table.continuity(),
        FunctionPart::Expression(expression) => expression.continuity(),
        _ => Function::<f64>::Constant(0.0).continuity(),
    };
    // Its parameters are called by section, element and field.
    let element = path.splitn(3, '.').take(2).collect::<Vec<_>>().join(".");
    let info = FunctionInfo { name, element, continuity, value: value.known(), argument: argument.known() };
    Some(context.add_function(part, info))
}

/// Makes the points of a table parameters, `PATH.y.K` with K from 1. Tables of fifth degree and long recordings have none.
fn point_slots(context: &mut Context, path: &str, table: &Table, mut y: Vec<f64>, side: &Side) -> Option<PointSlots> {
    if table.interpolation() == Interpolation::Quintic || y.len() > MOST_POINTS {
        return None;
    }
    if table.outside() == Outside::Periodic {
        y.pop();
    }
    let unit = side.dim().map_or(String::new(), |dim| if dim == Dim::NONE { String::new() } else { dim.to_string() });
    let slots: Vec<Slot> = y.iter().enumerate().map(|(k, value)| context.parameter(format!("{path}.y.{}", k + 1), *value, &unit)).collect();
    let first = slots.first()?.index()? as u32;
    Some(PointSlots { first, values: y, factor: 1.0 })
}

/// Message and hint of a fault that shows them as two lines.
fn in_two(fault: &impl std::fmt::Display) -> (String, String) {
    let text = fault.to_string();
    let (reason, advice) = text.split_once("\n  hint: ").unwrap_or((&text, "see the manual on functions"));
    (reason.to_string(), advice.to_string())
}

/// What a bare number in its declared unit is in SI; reports one that is too large to be represented.
fn finite(fields: &mut Fields, field: &'static str, q: &Quantity, si: f64) -> Option<f64> {
    let element = fields.element();
    q.finite(si).map_err(|fault| fields.findings().push(q.at, element, field, &fault)).ok()
}

fn one(fields: &mut Fields, context: &mut Context, path: &str, name: &'static str, side: &mut Side) -> Option<Slot> {
    let q = fields.quantity(name)?;
    let si = side.si(fields, name, None, &q)?;
    Some(context.parameter(format!("{path}.{name}"), si, ""))
}

fn values(fields: &mut Fields, name: &'static str, side: &mut Side) -> Option<Vec<f64>> {
    let numbers = fields.numbers(name)?;
    numbers.iter().enumerate().map(|(k, q)| side.si(fields, name, Some(k), q)).collect()
}

/// Arguments and values of a table: typed in, or columns of a file.
fn points(fields: &mut Fields, context: &Context, argument: &mut Side, value: &mut Side) -> Option<(Vec<f64>, Vec<f64>)> {
    let missing = |fields: &mut Fields, name: &str, doc: &str| {
        let fault = ReadFault::MissingField { name: name.into(), doc: doc.into() };
        let element = fields.element();
        fields.findings().push(element.at, element, "", &fault);
    };
    if !fields.has("file") {
        for (name, doc) in [("x", "`x`: arguments, increasing; or `file` and `column`"), ("y", "`y`: values")] {
            if !fields.has(name) {
                missing(fields, name, doc);
            }
        }
        if let Some(name) = ["column", "argument", "rate"].into_iter().find(|name| fields.has(name)) {
            missing(fields, "file", &format!("`file`: the file that `{name}` speaks of"));
        }
        let (x, y) = (values(fields, "x", argument), values(fields, "y", value));
        return Some((x?, y?));
    }
    for field in ["x", "y"] {
        if fields.has(field) {
            fields.fault(field, &Fault::TableTwice { field });
        }
    }
    if !fields.has("column") {
        missing(fields, "column", "`column`: the column of the file that has the values");
    }
    let (_, place) = fields.text("file")?;
    let file = context.data.at(place)?.clone();
    let x = column(fields, &file, "argument", argument).and_then(|x| evened(fields, x));
    let y = column(fields, &file, "column", value);
    Some((x?, y?))
}

/// Arguments at a known rate where the file has rounded them.
fn evened(fields: &mut Fields, x: Vec<f64>) -> Option<Vec<f64>> {
    let Some(rate) = fields.quantity("rate").map(|q| q.value) else { return Some(x) };
    let even = even_times(&x, rate);
    if even.is_none() {
        let measured = (x.len() - 1) as f64 / (x[x.len() - 1] - x[0]);
        fields.fault("rate", &Fault::NotTheRate { rate, measured });
    }
    even
}

/// A column of a file as one side of a function. The unit of the file counts; without one, numbers are in the declared unit, or bare.
fn column(fields: &mut Fields, file: &DataFile, field: &'static str, side: &mut Side) -> Option<Vec<f64>> {
    let (name, _) = match field {
        "argument" if !fields.has(field) => ("time", fields.span_of("file")),
        _ => fields.text(field)?,
    };
    let table = &file.table;
    let Some(numbers) = table.column(name) else {
        let known: Vec<String> = table.columns().iter().map(|column| column.name.clone()).collect();
        let nearest = suggest(name, known.iter().map(String::as_str)).map(str::to_string);
        fields.fault(field, &Fault::UnknownDataColumn { path: file.path.clone(), found: name.into(), nearest, known });
        return None;
    };
    if let Some(first) = numbers.iter().position(|x| x.is_nan()) {
        let missing = numbers.iter().filter(|x| x.is_nan()).count();
        let (path, column, first) = (file.path.clone(), name.to_string(), table.time()[first]);
        fields.fault(field, &Fault::ColumnHasGaps { path, column, missing, first });
        return None;
    }
    let unit = if name == "time" { Some("s") } else { table.index(name).and_then(|k| table.columns()[k].unit.as_deref()) };
    let declared = fields.text(side.unit_field).map(|(text, _)| text.to_string());
    let contradicts = |found: &str| Fault::ColumnUnit {
        column: name.to_string(),
        found: found.to_string(),
        field: side.unit_field,
        declared: declared.clone().unwrap_or_default(),
    };
    match (unit, side.declared) {
        (Some(unit), declared) => {
            let dim = parse_unit(unit).map_or(Dim::NONE, |(_, dim)| dim);
            if declared.is_some_and(|declared| !dim.fits(declared)) {
                let fault = contradicts(unit);
                fields.fault(side.unit_field, &fault);
                return None;
            }
            side.seen = Some(dim);
            Some(numbers.to_vec())
        }
        // A file in degrees speaks of its rotations: another unit for one of them contradicts it.
        (None, Some(dim)) if file.degrees && dim == Dim::ANGLE && (side.factor.to_degrees() - 1.0).abs() > 1e-12 => {
            let fault = contradicts("deg, as the file says of its angles");
            fields.fault(side.unit_field, &fault);
            None
        }
        (None, Some(_)) => Some(numbers.iter().map(|x| x * side.factor).collect()),
        (None, None) => {
            side.largest_bare = numbers.iter().fold(0.0, |most, x| x.abs().max(most));
            side.degrees = file.degrees;
            Some(numbers.to_vec())
        }
    }
}

fn list(fields: &mut Fields, context: &mut Context, path: &str, name: &'static str, side: &mut Side) -> Option<Vec<Slot>> {
    if !fields.has(name) {
        return Some(Vec::new());
    }
    let numbers = values(fields, name, side)?;
    Some(numbers.into_iter().enumerate().map(|(k, x)| context.parameter(format!("{path}.{name}.{}", k + 1), x, "")).collect())
}

#[cfg(test)]
#[path = "function_tests.rs"]
mod tests;
