//! A mixed problem put to a system: the choice of unknowns, and the values of what is known, from quantities, formulas and columns of a motion.
//! Not here: the equations (`borelli-dynamics`), time.
//! In: a plan with `mixed`. Out: a formulation whose columns are all variables of the chain; what does not fit is reported at its place.

use crate::channels::explain;
use crate::column_formula::Names;
use crate::curve::Curve;
use crate::plan::{KnownValue, Mixed as Wanted, Motion, MotionSource, Plan};
use crate::plan_fault::PlanFault;
use borelli_data::Column;
use borelli_dynamics::System;
use borelli_dynamics::constraint::RowControl;
use borelli_dynamics::formulation::segment_chain::{ChoiceFault, Labels, Mixed, Preset, Quantity, TaskFault, Variable};
use borelli_dynamics::formulation::{Evaluation, Failure, Formulation, Input};
use borelli_dynamics::system::Measure;
use borelli_math::function::Formula;
use borelli_model::{Dim, Findings, Span, parse_quantity, parse_unit, suggest};

/// A number that may change.
enum Value {
    Constant(f64),
    /// What has the value, its formula as it is written and as it is read.
    Formula(String, String, Formula),
    Curve(Curve),
}

impl Value {
    /// At a state: time, coordinates, their rates.
    fn at(&self, state: &[f64]) -> f64 {
        match self {
            Value::Constant(value) => *value,
            Value::Formula(_, _, formula) => formula.eval(state),
            Value::Curve(curve) => curve.jet(state[0])[0],
        }
    }

    /// Why a value that is no finite number is none; of a formula only, since quantities and tables are finite.
    fn not_finite(&self, value: f64, t: f64) -> Option<Failure> {
        match self {
            Value::Formula(name, text, _) if !value.is_finite() => {
                let hint = "keep the formula where it is defined: no roots and logarithms of negative numbers, no division by zero";
                Some(Failure::Undetermined { reason: format!("the value of `{name}`, `{text}`, is {value} at {t} s\n  hint: {hint}") })
            }
            _ => None,
        }
    }
}

/// A mixed problem, with memory.
pub struct MixedSolver {
    mixed: Mixed,
    least_squares: bool,
    known: Vec<Value>,
    rights: Vec<Value>,
    /// What formulas see: time, coordinates, rates.
    state: Vec<f64>,
    given: Vec<f64>,
    right: Vec<f64>,
}

impl MixedSolver {
    /// Puts the problem of a plan to a system; why it does not fit is reported.
    pub fn new(system: &System, plan: &Plan, findings: &mut Findings) -> Option<MixedSolver> {
        let wanted = plan.mixed.clone().unwrap_or_default();
        let before = findings.counts().0;
        let mixed = match Mixed::new(system, &wanted.task) {
            Ok(mixed) => mixed,
            Err(fault) => {
                tell(&fault, &wanted, findings);
                return None;
            }
        };
        if plan.motion.is_none() {
            accelerations_given(&wanted, &mixed, findings);
        }
        let state = State::new(system);
        let known = known_values(&wanted, mixed.labels(), &state, plan.motion.as_ref(), findings);
        let rights = right_sides(&wanted, mixed.labels(), &state, findings);
        if findings.counts().0 > before {
            return None;
        }
        Some(MixedSolver {
            least_squares: wanted.task.least_squares,
            state: vec![0.0; state.names.len()],
            given: vec![0.0; known.len()],
            right: vec![0.0; rights.len()],
            mixed,
            known,
            rights,
        })
    }

    /// Solves at a state, with accelerations of a motion or none.
    pub fn solve(&mut self, system: &System, input: Input, vdot: &[f64], out: &mut Evaluation) -> Result<(), Failure> {
        let (time, rest) = self.state.split_at_mut(1);
        let (q, v) = rest.split_at_mut(input.q.len());
        time[0] = input.t;
        q.copy_from_slice(input.q);
        v.copy_from_slice(input.v);
        let mut fault = None;
        for (cell, value) in self.given.iter_mut().zip(&self.known).chain(self.right.iter_mut().zip(&self.rights)) {
            *cell = value.at(&self.state);
            fault = fault.or_else(|| value.not_finite(*cell, input.t));
        }
        // The matrix does not depend on the values, and may be asked for even then; what follows from a faulty value is not to blame.
        let solved = self.mixed.evaluate(system, input, vdot, &self.given, &self.right, out);
        fault.map_or(solved, Err)
    }

    /// By name what is wrong with the choice of unknowns at the last state, if anything is.
    pub fn examine(&mut self, plan: &Plan, findings: &mut Findings) {
        if let Err(fault) = self.mixed.examine() {
            tell(&TaskFault::Choice(fault), &plan.mixed.clone().unwrap_or_default(), findings);
        }
    }

    /// Condition of the equations at the last state; nothing with least squares and where there is no inverse.
    pub fn condition(&mut self) -> Option<f64> {
        self.mixed.examine().ok().map(|quality| quality.condition).filter(|condition| condition.is_finite())
    }

    /// Names of all that is unknown.
    pub fn unknowns(&self) -> Vec<String> {
        self.mixed.unknowns().iter().map(|variable| self.mixed.labels().name(*variable)).collect()
    }

    /// `chain.NAME` of all variables, and how well they were found.
    pub fn columns(&self) -> Vec<Column> {
        let labels = self.mixed.labels();
        let mut list: Vec<Column> = Vec::new();
        for variable in labels.layout().variables() {
            // Parts of one body are told apart by a mark that names of columns cannot have.
            let mut name = format!("chain.{}", labels.name(variable).replace('#', "_"));
            while list.iter().any(|known| known.name == name) {
                name.push('_');
            }
            list.push(Column::new(name, variable.quantity().unit()));
        }
        let quality: &[&str] = if self.least_squares { &["residual", "left_over"] } else { &["residual", "condition"] };
        list.extend(quality.iter().map(|what| Column::new(format!("chain.{what}"), "1")));
        list
    }

    /// How many columns there are.
    pub fn columns_count(&self) -> usize {
        self.mixed.values().len() + 2
    }

    /// Writes the columns after a solve.
    pub fn fill(&mut self, out: &mut [f64]) -> Result<(), Failure> {
        let (variables, quality) = out.split_at_mut(self.mixed.values().len());
        variables.copy_from_slice(self.mixed.values());
        quality[0] = self.mixed.residual();
        quality[1] = if self.least_squares {
            self.mixed.fit().left_over
        } else {
            let examined = self.mixed.examine().map_err(|fault| Failure::Undetermined { reason: fault.to_string() })?;
            examined.condition
        };
        Ok(())
    }
}

impl Formulation for MixedSolver {
    fn evaluate(&mut self, system: &System, input: Input, out: &mut Evaluation) -> Result<(), Failure> {
        self.solve(system, input, &[], out)
    }

    fn set_row_control(&mut self, control: &RowControl) {
        self.mixed.set_row_control(control);
    }

    fn whole_power(&self, system: &System) -> Option<f64> {
        Some(self.mixed.power(system))
    }
}

/// What formulas may name, with units.
struct State {
    names: Vec<(String, &'static str)>,
}

impl State {
    fn new(system: &System) -> State {
        let unit = |measure: Measure, angle: &'static str, length: &'static str| match measure {
            Measure::Angle => angle,
            Measure::Length => length,
            Measure::Quaternion => "1",
        };
        let mut names = vec![("time".to_string(), "s")];
        names.extend(system.names.coordinates.iter().map(|c| (format!("coord.{}.value", c.name), unit(c.measure, "rad", "m"))));
        names.extend(system.names.speeds.iter().map(|s| (format!("coord.{}.rate", s.name), unit(s.measure, "rad/s", "m/s"))));
        State { names }
    }

    /// A quantity or a formula, of a dimension if one is expected. A formula of pure numbers is SI.
    fn read(&self, text: &str, name: &str, expected: Option<Dim>) -> Result<Value, PlanFault> {
        let fits = |found: Dim| match expected {
            Some(expected) if found != Dim::NONE && !found.fits(expected) => {
                Err(PlanFault::VariableUnit { name: name.into(), found, expected })
            }
            _ => Ok(()),
        };
        if let Ok((value, dim)) = parse_quantity(text) {
            return fits(dim).map(|()| Value::Constant(value));
        }
        let names = Names {
            count: self.names.len(),
            index: &|name| self.names.iter().position(|(known, _)| known == name),
            dim: &|k| parse_unit(self.names[k].1).ok().map(|(_, dim)| dim),
        };
        let (formula, dim) = names.formula(text).map_err(|fault| explain(text, fault, self.names.iter().map(|(name, _)| name.as_str())))?;
        dim.map_or(Ok(()), fits).map(|()| Value::Formula(name.to_string(), text.to_string(), formula))
    }
}

/// Values of known variables; faults are reported where they are written.
fn known_values(wanted: &Wanted, labels: &Labels, state: &State, motion: Option<&Motion>, findings: &mut Findings) -> Vec<Value> {
    let mut values = Vec::new();
    let mut seen: Vec<Variable> = Vec::new();
    for (k, ((name, _), value)) in wanted.task.known.iter().zip(&wanted.known).enumerate() {
        let places = wanted.places.known.get(k).copied();
        // The task has been put to the model, so that its names are known.
        let Some(variable) = labels.find(name) else { continue };
        if seen.contains(&variable) {
            findings.push(places.map(|(at, _)| at), "mixed.known", "variable", &PlanFault::KnownTwice { name: name.clone() });
        }
        seen.push(variable);
        let unit = variable.quantity().unit();
        let read = match value {
            KnownValue::Formula(text) => state.read(text, name, Some(Dim::of(unit))),
            KnownValue::Column(column) => curve(motion, column, unit).map(Value::Curve),
            KnownValue::OfMotion if motion.is_some() && variable.is_acceleration() => Ok(Value::Constant(0.0)),
            KnownValue::OfMotion => Err(PlanFault::NoValue { name: name.clone() }),
        };
        let field = match value {
            KnownValue::Formula(_) => "value",
            KnownValue::Column(_) => "column",
            KnownValue::OfMotion => "variable",
        };
        match read {
            Ok(value) => values.push(value),
            Err(fault) => findings.push(places.map(|(_, at)| at), "mixed.known", field, &fault),
        }
    }
    values
}

/// A column of the motion.
fn curve(motion: Option<&Motion>, column: &str, unit: &'static str) -> Result<Curve, PlanFault> {
    let Some(Motion { source: MotionSource::Table(table), derivatives }) = motion else {
        return Err(PlanFault::ColumnWithoutMotion { column: column.into() });
    };
    if table.index(column).is_none() {
        let nearest = suggest(column, table.columns().iter().map(|own| own.name.as_str())).map(str::to_string);
        return Err(PlanFault::NoMotionColumn { column: column.into(), nearest });
    }
    Curve::new(table, column, unit, *derivatives)
}

/// The dimension of a row: that of its terms with their weights, which must be one. The names and dimensions of two terms that differ, else.
fn row_dimension(labels: &Labels, terms: &[(String, f64)], weights: &[Dim]) -> Result<Option<Dim>, Box<[(String, Dim); 2]>> {
    // A length times an angular acceleration is an acceleration, whether the length is written in m or in m/rad.
    let turned = |a: Dim, b: Dim| a.over(Dim::ANGLE).is_some_and(|less| less.fits(b));
    let agree = |a: Dim, b: Dim| a.fits(b) || b.fits(a) || turned(a, b) || turned(b, a);
    let mut own: Option<(&str, Dim)> = None;
    for (k, (name, _)) in terms.iter().enumerate() {
        let quantity = labels.find(name).map_or(Quantity::Acceleration, Variable::quantity);
        let plain = Dim::of(quantity.unit());
        let weight = weights.get(k).copied().unwrap_or(Dim::NONE);
        let dim = plain.times(weight).unwrap_or(plain);
        match own {
            Some((first, known)) if !agree(dim, known) => return Err(Box::new([(first.to_string(), known), (name.clone(), dim)])),
            // A term without a weight of its own has its unit as it is commonly written.
            Some(_) if weight != Dim::NONE => {}
            _ => own = Some((name, dim)),
        }
    }
    Ok(own.map(|(_, dim)| dim))
}

/// Right sides of rows, in the unit of their terms.
fn right_sides(wanted: &Wanted, labels: &Labels, state: &State, findings: &mut Findings) -> Vec<Value> {
    let mut values = Vec::new();
    for (k, (row, text)) in wanted.task.rows.iter().zip(&wanted.rights).enumerate() {
        let weights = wanted.weights.get(k).map_or(&[][..], Vec::as_slice);
        let expected = match row_dimension(labels, &row.terms, weights) {
            Ok(expected) => expected,
            Err(terms) => {
                let at = wanted.places.rows.get(k).map(|(terms, _, _)| *terms);
                let fault = PlanFault::RowTerms { row: row.name.clone(), terms };
                findings.push(at, format!("mixed.{}", row.name), "terms", &fault);
                continue;
            }
        };
        match state.read(text, &row.name, expected) {
            Ok(value) => values.push(value),
            Err(fault) => {
                let at = wanted.places.rows.get(k).map(|(_, _, right)| *right);
                findings.push(at, format!("mixed.{}", row.name), "right", &fault);
            }
        }
    }
    values
}

/// Without a motion every known acceleration needs a value, but for that of a base on the world, which is zero.
fn accelerations_given(wanted: &Wanted, mixed: &Mixed, findings: &mut Findings) {
    if wanted.task.preset == Preset::Forward {
        return;
    }
    let labels = mixed.labels();
    let given = |variable: &Variable| wanted.task.known.iter().any(|(name, _)| labels.find(name) == Some(*variable));
    let without: Vec<String> = labels
        .layout()
        .variables()
        .into_iter()
        .filter(|variable| variable.is_acceleration() && !mixed.unknowns().contains(variable) && !given(variable))
        .map(|variable| format!("`{}`", labels.name(variable)))
        .collect();
    if !without.is_empty() {
        let preset = Preset::ALL.iter().find(|(_, preset)| *preset == wanted.task.preset).map_or("", |(name, _)| name);
        findings.push(None, "mixed", "preset", &PlanFault::NoAcceleration { preset, names: without });
    }
}

/// Reports what is wrong with a choice of unknowns, where it is written.
fn tell(fault: &TaskFault, wanted: &Wanted, findings: &mut Findings) {
    let (at, element, field) = place(fault, wanted);
    findings.push(at, element, field, &PlanFault::from(fault));
}

/// Where a fault is written: its place, element and field.
fn place(fault: &TaskFault, wanted: &Wanted) -> (Option<Span>, String, &'static str) {
    let known = |name: &str| {
        let k = wanted.task.known.iter().position(|(own, _)| own == name);
        (k.and_then(|k| wanted.places.known.get(k)).map(|(at, _)| *at), "mixed.known".to_string(), "variable")
    };
    let row = |row: &str, found: Option<&str>| {
        let k = wanted.task.rows.iter().position(|own| own.name == row);
        let frees = k.is_some_and(|k| found.is_none() || wanted.task.rows[k].frees.as_deref() == found);
        let at = k.and_then(|k| wanted.places.rows.get(k)).map(|(terms, freed, _)| if frees { *freed } else { *terms });
        (at, format!("mixed.{row}"), if frees { "frees" } else { "terms" })
    };
    match fault {
        TaskFault::Declined { .. } => (None, String::new(), "analysis"),
        TaskFault::UnknownName { found, place, .. }
        | TaskFault::Reserved { name: found, place }
        | TaskFault::BaseHeld { name: found, place, .. } => match place.as_str() {
            "known" => known(found),
            "unknown" => {
                let k = wanted.task.unknown.iter().position(|own| own == found);
                (k.and_then(|k| wanted.places.unknown.get(k)).copied(), "mixed".into(), "unknown")
            }
            "base" => (None, "mixed".into(), "base"),
            "end" => (None, "mixed".into(), "end"),
            other => row(other.trim_start_matches("row `").trim_end_matches('`'), Some(found)),
        },
        TaskFault::KnownAndUnknown { name } | TaskFault::KnownTwice { name } => known(name),
        TaskFault::Choice(ChoiceFault::AlreadyUnknown { row: name, .. } | ChoiceFault::Claimed { row: name, .. }) => row(name, None),
        TaskFault::Choice(ChoiceFault::Idle { .. }) => (None, "mixed".into(), "loops"),
        TaskFault::Choice(ChoiceFault::Weight { row: name, .. }) => row(name, Some("")),
        TaskFault::Choice(_) => (None, "mixed".into(), "unknown"),
    }
}
