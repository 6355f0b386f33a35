//! Channels: time, the columns of a system, what was measured beside them and columns derived from all, as one list that formulas can name.
//! Not here: the columns themselves (`columns`), when to look (`run`).
//! In: formulas as text. Out: formulas over channels with their units, and the values of all channels at a state.

use crate::column_formula::{FormulaFault, Names};
use crate::columns::{Columns, Look};
use crate::plan::Derived;
use crate::plan_fault::PlanFault;
use borelli_data::{Column, Trajectory};
use borelli_dynamics::constraint::RowControl;
use borelli_dynamics::contact::{MatReading, Touching};
use borelli_dynamics::formulation::Failure;
use borelli_math::function::{Crossing, ExpressionFault, Formula};
use borelli_model::{Dim, Findings, parse_unit, suggest};

/// Number of the channel of time.
pub const TIME: usize = 0;

/// Everything formulas can name, and its values at the last look.
pub struct Channels<'s> {
    columns: Columns<'s>,
    /// Columns and derived ones; channel k + 1 is entry k.
    list: Vec<Column>,
    /// Tables whose columns stand beside those of the system, and memory for a row of each.
    beside: Vec<(Trajectory, Vec<f64>)>,
    derived: Vec<Formula>,
    values: Vec<f64>,
}

impl<'s> Channels<'s> {
    /// Columns of a system, those of tables beside it and those derived from them; a derived one may use those before it. Faults are reported.
    pub fn new(columns: Columns<'s>, beside: &[Trajectory], derived: &[Derived], findings: &mut Findings) -> Channels<'s> {
        let list = columns.list().iter().chain(beside.iter().flat_map(|table| table.columns())).cloned().collect();
        let beside = beside.iter().map(|table| (table.clone(), vec![0.0; table.columns().len() + 1])).collect();
        let mut channels = Channels { list, beside, derived: Vec::new(), values: Vec::new(), columns };
        for wanted in derived {
            let element = format!("column.{}", wanted.name);
            match channels.formula(&wanted.formula).and_then(|(formula, dim)| Ok((formula, unit_of(dim, wanted.unit.as_deref())?))) {
                Ok((formula, unit)) => {
                    channels.list.push(Column::new(format!("derived.{}", wanted.name), unit));
                    channels.derived.push(formula);
                }
                Err(fault) => findings.push(wanted.at, element, "formula", &fault),
            }
        }
        channels.values = vec![0.0; channels.list.len() + 1];
        channels
    }

    /// Names and units, time not among them.
    pub fn list(&self) -> &[Column] {
        &self.list
    }

    /// Number of a channel.
    pub fn index(&self, name: &str) -> Option<usize> {
        if name == "time" { Some(TIME) } else { self.list.iter().position(|column| column.name == name).map(|k| k + 1) }
    }

    /// The dimension of a channel.
    pub fn dim(&self, channel: usize) -> Option<Dim> {
        let unit = if channel == TIME { Some("s") } else { self.list[channel - 1].unit.as_deref() };
        unit.and_then(|unit| parse_unit(unit).ok()).map(|(_, dim)| dim)
    }

    /// Reads a formula over channels; its dimension is nothing where it cannot be known.
    pub fn formula(&self, text: &str) -> Result<(Formula, Option<Dim>), PlanFault> {
        self.read(text, |names, text| names.formula(text))
    }

    /// Reads a formula or a comparison whose crossing is meant.
    pub fn crossing(&self, text: &str) -> Result<Crossing, PlanFault> {
        self.read(text, |names, text| names.crossing(text))
    }

    fn read<T>(&self, text: &str, read: impl Fn(&Names, &str) -> Result<T, FormulaFault>) -> Result<T, PlanFault> {
        let names = Names { count: self.list.len() + 1, index: &|name| self.index(name), dim: &|channel| self.dim(channel) };
        read(&names, text).map_err(|fault| explain(text, fault, self.list.iter().map(|column| column.name.as_str())))
    }

    /// Which rows hold, and what they ask for.
    pub fn set_row_control(&mut self, control: &RowControl) {
        self.columns.set_row_control(control);
    }

    /// Values of all channels at a state.
    pub fn look(&mut self, look: Look) -> Result<&[f64], Failure> {
        let own = self.columns.list().len();
        self.values[TIME] = look.t;
        self.values[1..=own].copy_from_slice(self.columns.fill(look)?);
        let mut next = own + 1;
        for (table, row) in &mut self.beside {
            // What was measured ends where it ends: beyond, the last sample stands.
            let (Some(first), Some(last)) = (table.time().first(), table.time().last()) else { continue };
            // Between the ends there is a row.
            let _ = table.fill_row_at(look.t.clamp(*first, *last), row);
            self.values[next..next + row.len() - 1].copy_from_slice(&row[1..]);
            next += row.len() - 1;
        }
        for (k, formula) in self.derived.iter().enumerate() {
            self.values[next + k] = formula.eval(&self.values);
        }
        Ok(&self.values)
    }

    /// What pairs of surfaces did at the last look.
    pub fn touching(&self) -> &[Touching<f64>] {
        self.columns.touching()
    }

    /// What all pressure mats show at the last look.
    pub fn mats(&self) -> &[MatReading] {
        self.columns.mats()
    }

    /// Values of all channels at the last look.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}

/// What is wrong with a formula, and which name may have been meant.
pub(crate) fn explain<'n>(text: &str, fault: FormulaFault, known: impl Iterator<Item = &'n str>) -> PlanFault {
    let fault = match fault {
        FormulaFault::Text(fault) => fault,
        FormulaFault::Units(fault) => return PlanFault::FormulaUnits { text: text.into(), fault },
    };
    let told = fault.to_string();
    let (cause, hint) = told.split_once("\n  hint: ").unwrap_or((&told, ""));
    let nearest = match &fault {
        ExpressionFault::UnknownVariable { name, hyphenated: None, .. } => suggest(name, known),
        _ => None,
    };
    let hint = nearest.map_or_else(|| hint.to_string(), |name| format!("did you mean `{name}`?"));
    PlanFault::Formula { text: text.into(), cause: cause.into(), hint }
}

/// The unit of a derived column: as asked for, if that fits, else that of the formula.
fn unit_of(dim: Option<Dim>, wanted: Option<&str>) -> Result<String, PlanFault> {
    match (dim, wanted) {
        (None | Some(Dim::NONE), None) => Ok("1".into()),
        (Some(dim), None) => Ok(dim.to_string()),
        (dim, Some(wanted)) => {
            let (factor, expected) = parse_unit(wanted).map_err(|_| PlanFault::UnknownUnit { unit: wanted.into() })?;
            if factor != 1.0 {
                return Err(PlanFault::UnitNotSi { unit: wanted.into(), si: expected.to_string() });
            }
            match dim {
                Some(found) if !found.fits(expected) && found != Dim::NONE => Err(PlanFault::WrongUnit { found, expected }),
                _ => Ok(wanted.into()),
            }
        }
    }
}
