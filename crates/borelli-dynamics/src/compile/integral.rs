//! Integrals of the user's own from their tables.
//! Not here: what becomes of them (`integral`), their formulas (`formula`).
//! In: elements of section `integral`. Out: states behind those of the force elements, with the numbers of the formulas for their rates.

use super::context::Context;
use super::fault::Fault;
use super::formula::FormulaOf;
use crate::integral::Integral;
use crate::system::InsideName;
use borelli_model::{Dim, Element, Field, FieldKind, Fields, Findings, Need, Range, ReadFault, number, parse_unit};

/// Fields of an integral.
pub(super) static INTEGRAL: &[Field] = &[
    Field {
        name: "rate",
        kind: FieldKind::Text,
        need: Need::Required,
        doc: "formula over time, coordinates, speeds, paths, states and controls of force elements, and integrals",
    },
    Field { name: "unit", kind: FieldKind::Text, need: Need::Required, doc: "SI unit of the integral, such as J" },
    number("start", "*", Range::ANY, Need::Default(0.0), "value at the start"),
];

/// Reads all integrals, as states behind those of force elements.
pub(super) fn read(elements: &[Element], context: &mut Context, findings: &mut Findings) -> Vec<Integral> {
    let mut list = Vec::new();
    for element in elements {
        let mut fields = Fields::read(element, &[INTEGRAL], context.dimension, findings);
        let Some(unit) = unit(&mut fields) else { continue };
        let Some(start) = fields.quantity_in("start", &unit) else { continue };
        if let Some((text, at)) = fields.text("rate") {
            let (state, expected) = (context.states.len() as u32, Dim::of(&unit).over(Dim::TIME).unwrap_or(Dim::NONE));
            let rate = context.formula(&fields, "rate", (text.to_string(), at), expected, FormulaOf::Rate, &[]);
            list.push(Integral { state, rate });
        }
        let slot = context.parameter(format!("{}.start", element.path()), start.value, &unit);
        context.states.push((InsideName { element: element.path(), name: "", unit }, slot));
    }
    list
}

/// The unit of an integral, which is kept in SI.
fn unit(fields: &mut Fields) -> Option<String> {
    let unit = fields.text("unit")?.0.trim().to_string();
    match parse_unit(&unit) {
        Ok((1.0, _)) => Some(unit),
        Ok((_, dim)) => {
            let si = if dim == Dim::NONE { "1".to_string() } else { dim.to_string() };
            fields.fault("unit", &Fault::IntegralNotSi { unit, si });
            None
        }
        Err(fault) => {
            fields.fault("unit", &ReadFault::of_unit(&unit, "*", fault));
            None
        }
    }
}
