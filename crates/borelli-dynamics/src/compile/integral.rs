//! Integrals of the user's own from their tables.
//! Not here: what becomes of them (`integral`), formulas (`borelli-model`).
//! In: elements of section `integral`. Out: states behind those of the force elements, with formulas for their rates.

use super::context::Context;
use super::fault::Fault;
use crate::force::Forces;
use crate::integral::{Integral, Integrals, Seen};
use crate::parts::Slot;
use crate::system::{CoordinateName, InsideName, Measure};
use borelli_math::function::ExpressionFault;
use borelli_model::column_formula::{FormulaFault, Names};
use borelli_model::{Dim, Element, Explain, Field, FieldKind, Fields, Findings, Need, Range, ReadFault, number, parse_unit, suggest};

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

/// What rates may name, for messages.
const VISIBLE: &str = "a rate sees `time`, `coord.NAME.value`, `coord.NAME.rate`, `path.NAME.length`, `.rate` and `.force`, states and controls of force \
                       elements (`force.NAME.creep`), and `integral.NAME`";

/// Reads all integrals. Force elements have declared their states, controls and paths.
pub(super) fn read(
    elements: &[Element],
    speeds: &[CoordinateName],
    forces: &Forces<Slot>,
    context: &mut Context,
    findings: &mut Findings,
) -> Integrals {
    let mut rates = Vec::new();
    for element in elements {
        let mut fields = Fields::read(element, &[INTEGRAL], context.dimension, findings);
        let rate = fields.text("rate").map(|(text, at)| (text.to_string(), at));
        let Some(unit) = unit(&mut fields) else { continue };
        let Some(start) = fields.quantity_in("start", &unit) else { continue };
        let state = context.states.len() as u32;
        let slot = context.parameter(format!("{}.start", element.path()), start.value, &unit);
        rates.extend(rate.map(|(text, at)| (element, text, at, state, Dim::of(&unit))));
        context.states.push((InsideName { element: element.path(), name: "", unit }, slot));
    }
    if rates.is_empty() {
        return Integrals::default();
    }
    let visible = visible(speeds, forces, context);
    let names =
        Names { count: visible.len(), index: &|name| visible.iter().position(|(known, ..)| known == name), dim: &|k| Some(visible[k].2) };
    let mut list = Vec::new();
    for (element, text, at, state, dim) in rates {
        match names.formula(&text) {
            Ok((rate, found)) => {
                // Pure numbers are SI, as in other formulas.
                let expected = dim.over(Dim::TIME).unwrap_or(Dim::NONE);
                match found.filter(|found| *found != Dim::NONE && !found.fits(expected)) {
                    Some(found) => findings.push(at, element, "rate", &ReadFault::WrongUnit { found, expected }),
                    None => list.push(Integral { state, rate }),
                }
            }
            Err(fault) => findings.push(at, element, "rate", &explain(fault, visible.iter().map(|(name, ..)| name.as_str()))),
        }
    }
    Integrals { seen: visible.into_iter().map(|(_, seen, _)| seen).collect(), list }
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

/// Everything that a rate may name.
fn visible(speeds: &[CoordinateName], forces: &Forces<Slot>, context: &Context) -> Vec<(String, Seen, Dim)> {
    let mut list = vec![("time".to_string(), Seen::Time, Dim::TIME)];
    let mut add = |name: String, seen: Seen, unit: &str| list.push((name, seen, Dim::of(unit)));
    let unit = |measure: Measure, angle: &'static str, length: &'static str| if measure == Measure::Angle { angle } else { length };
    for (name, own) in &context.coordinates {
        add(format!("coord.{name}.value"), Seen::Coordinate { coord: own.coord, dof: own.dof }, unit(own.measure, "rad", "m"));
    }
    for (dof, speed) in speeds.iter().enumerate() {
        add(format!("coord.{}.rate", speed.name), Seen::Speed(dof as u32), unit(speed.measure, "rad/s", "m/s"));
    }
    for (name, path) in &context.paths {
        add(format!("path.{name}.length"), Seen::Length(*path), "m");
        add(format!("path.{name}.rate"), Seen::Rate(*path), "m/s");
        // The tension of an element that pulls by itself has no slopes of its own.
        if !forces.has_own_pull(*path) {
            add(format!("path.{name}.force"), Seen::Tension(*path), "N");
        }
    }
    for (z, (state, _)) in context.states.iter().enumerate() {
        add(state.column(), Seen::State(z as u32), &state.unit);
    }
    for (u, (control, _)) in context.controls.iter().enumerate() {
        add(control.column(), Seen::Control(u as u32), &control.unit);
    }
    // Names of a hash table come in no order; the numbers of a formula must not depend on it.
    list.sort_by(|a, b| a.0.cmp(&b.0));
    list
}

/// What is wrong with a rate, and what may have been meant.
fn explain<'n>(fault: FormulaFault, known: impl Iterator<Item = &'n str>) -> Fault {
    match fault {
        FormulaFault::Units(fault) => Fault::BadRate { reason: fault.message(), advice: fault.hint().unwrap_or_else(|| VISIBLE.into()) },
        FormulaFault::Text(fault) => {
            let text = fault.to_string();
            let (reason, hint) = text.split_once("\n  hint: ").unwrap_or((&text, VISIBLE));
            let advice = match &fault {
                ExpressionFault::UnknownVariable { name, hyphenated: None, .. } => {
                    suggest(name, known).map_or_else(|| VISIBLE.to_string(), |near| format!("did you mean `{near}`?"))
                }
                _ => hint.to_string(),
            };
            Fault::BadRate { reason: reason.to_string(), advice }
        }
    }
}
