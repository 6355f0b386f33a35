//! Formulas of force elements and integrals from their texts: names to what is seen, units checked.
//! Not here: what becomes of them (`formula`), how formulas over names are read (`borelli-model`).
//! In: texts with the units they must have, noted while elements are read. Out: all formulas, once every state and control that they may name is known.

use super::context::Context;
use super::fault::Fault;
use crate::force::Forces;
use crate::formula::{Formulas, Seen};
use crate::parts::Slot;
use crate::system::{CoordinateName, Measure};
use borelli_math::function::ExpressionFault;
use borelli_model::column_formula::{FormulaFault, Names, names_in};
use borelli_model::{Dim, Element, Explain, Fields, Findings, ReadFault, Span, suggest};

/// What a formula belongs to: how it is called, and what it may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormulaOf {
    /// A force, which sees no force.
    Force,
    /// The rate of an integral.
    Rate,
}

/// A name, what it stands for, and its dimension where that is known.
pub(crate) type Visible = (String, Seen, Option<Dim>);

/// A formula that waits until everything it may name is known.
pub(super) struct Waiting {
    element: Element,
    field: &'static str,
    text: (String, Span),
    expected: Dim,
    of: FormulaOf,
    /// What only this element sees.
    own: Vec<Visible>,
}

/// What formulas may name, for messages.
const VISIBLE: &str = "a formula sees `time`, `coord.NAME.value`, `coord.NAME.rate`, `path.NAME.length`, `path.NAME.rate`, states and controls of force elements \
                       (`force.NAME.creep`) and `integral.NAME`; the rate of an integral sees `path.NAME.force`, too, a force its own `numbers`, and at a place `x`, \
                       `vx` and so on";

impl Context<'_> {
    /// Notes a formula; its number.
    pub(crate) fn formula(
        &mut self,
        fields: &Fields,
        field: &'static str,
        text: (String, Span),
        expected: Dim,
        of: FormulaOf,
        own: &[Visible],
    ) -> u32 {
        self.formulas.push(Waiting { element: fields.element().clone(), field, text, expected, of, own: own.to_vec() });
        self.formulas.len() as u32 - 1
    }

    /// Why a formula can do nothing with a path, if it runs over nodes of soft parts: what it does there has no slopes.
    pub(crate) fn runs_over_nodes(&self, path: u32) -> Option<Fault> {
        let soft = self.soft_paths.iter().find(|soft| soft.path == path)?;
        Some(Fault::FormulaOnSoftPath { path: soft.name.clone() })
    }
}

/// The field `numbers`: numbers that formulas of an element call by name. They are parameters `force.NAME.numbers.k`.
pub(crate) fn named_numbers(fields: &mut Fields, context: &mut Context) -> Option<Vec<Visible>> {
    let mut list: Vec<Visible> = Vec::new();
    for (name, at, number) in fields.coefficients("numbers").unwrap_or_default() {
        let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let taken = ["time", "x", "y", "z", "vx", "vy", "vz"].contains(&name.as_str());
        if !plain || taken || names_in(&name) != [name.clone()] {
            let element = fields.element();
            fields.findings().push(at, element, "numbers", &Fault::BadNumberName { name });
            return None;
        }
        let unit = number.dim.map_or(String::new(), |dim| dim.to_string());
        let slot = context.parameter(format!("{}.numbers.{name}", fields.element().path()), number.value, &unit);
        context.named.push(slot);
        // A bare number is in the SI unit that the formula needs, whatever that is.
        list.push((name, Seen::Number(context.named.len() as u32 - 1), number.dim));
    }
    Some(list)
}

/// Reads all formulas that wait. All elements have declared their states, controls and paths.
pub(super) fn read(speeds: &[CoordinateName], forces: &Forces<Slot>, context: &mut Context, findings: &mut Findings) -> Formulas {
    let waiting = std::mem::take(&mut context.formulas);
    let mut out = Formulas::default();
    if waiting.is_empty() {
        return out;
    }
    let all = visible(speeds, context);
    out.seen.extend(all.iter().map(|(_, seen, _)| *seen));
    for Waiting { element, field, text: (text, at), expected, of, own } in waiting {
        let first = out.seen.len();
        out.seen.extend(own.iter().map(|(_, seen, _)| *seen));
        let refused = |seen: Seen| match seen {
            // The tension of an element that pulls by itself has no slopes of its own.
            Seen::Tension(path) => of == FormulaOf::Force || forces.has_own_pull(path),
            Seen::Length(path) | Seen::Rate(path) => of == FormulaOf::Force && context.runs_over_nodes(path).is_some(),
            _ => false,
        };
        let index = |name: &str| {
            let of_own = own.iter().position(|(known, ..)| known == name).map(|k| first + k);
            of_own.or_else(|| all.iter().position(|(known, seen, _)| known == name && !refused(*seen)))
        };
        let dim = |k: usize| if k < first { all.get(k)?.2 } else { own[k - first].2 };
        let names = Names { count: out.seen.len(), index: &index, dim: &dim };
        match names.formula(&text) {
            Ok((formula, found)) => {
                // Pure numbers are SI, as in other formulas.
                if let Some(found) = found.filter(|found| *found != Dim::NONE && !found.fits(expected)) {
                    findings.push(at, &element, field, &ReadFault::WrongUnit { found, expected });
                }
                out.list.push(formula);
            }
            Err(fault) => {
                let known = own.iter().chain(all.iter().filter(|(_, seen, _)| !refused(*seen))).map(|(name, ..)| name.as_str());
                findings.push(at, &element, field, &explain(fault, of, known));
            }
        }
    }
    out
}

/// Everything that a formula may name, whatever it belongs to.
fn visible(speeds: &[CoordinateName], context: &Context) -> Vec<Visible> {
    let mut list: Vec<Visible> = vec![("time".to_string(), Seen::Time, Some(Dim::TIME))];
    let mut add = |name: String, seen: Seen, unit: &str| list.push((name, seen, Some(Dim::of(unit))));
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
        add(format!("path.{name}.force"), Seen::Tension(*path), "N");
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

/// What is wrong with a formula, and what may have been meant.
fn explain<'n>(fault: FormulaFault, of: FormulaOf, known: impl Iterator<Item = &'n str>) -> Fault {
    let (reason, advice) = match fault {
        FormulaFault::Units(fault) => (fault.message(), fault.hint().unwrap_or_else(|| VISIBLE.into())),
        FormulaFault::Text(fault) => {
            let text = fault.to_string();
            let (reason, hint) = text.split_once("\n  hint: ").unwrap_or((&text, VISIBLE));
            let advice = match &fault {
                ExpressionFault::UnknownVariable { name, hyphenated: None, .. } => {
                    suggest(name, known).map_or_else(|| VISIBLE.to_string(), |near| format!("did you mean `{near}`?"))
                }
                _ => hint.to_string(),
            };
            (reason.to_string(), advice)
        }
    };
    match of {
        FormulaOf::Force => Fault::BadFormula { reason, advice },
        FormulaOf::Rate => Fault::BadRate { reason, advice },
    }
}
