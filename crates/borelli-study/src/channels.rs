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
use borelli_dynamics::scene::Push;
use borelli_math::function::{Crossing, ExpressionFault, Formula};
use borelli_model::{Dim, Findings, parse_unit, suggest};

/// Number of the channel of time.
pub const TIME: usize = 0;

/// Everything formulas can name, and its values at the last look.
pub struct Channels<'s> {
    columns: Columns<'s>,
    /// Columns and derived ones; channel k + 1 is entry k.
    list: Vec<Column>,
    /// Tables whose columns stand beside those of the system.
    beside: Vec<Beside>,
    derived: Vec<DerivedChannel>,
    /// NaN where nobody has asked.
    values: Vec<f64>,
}

/// A table beside the columns of a system.
struct Beside {
    table: Trajectory,
    /// Memory for a row.
    row: Vec<f64>,
    asked: bool,
}

/// A channel that is a formula over others.
struct DerivedChannel {
    formula: Formula,
    asked: bool,
}

impl<'s> Channels<'s> {
    /// Columns of a system, those of tables beside it and those derived from them; a derived one may use those before it. Faults are reported.
    pub fn new(columns: Columns<'s>, beside: &[Trajectory], derived: &[Derived], findings: &mut Findings) -> Channels<'s> {
        let list = columns.list().iter().chain(beside.iter().flat_map(|table| table.columns())).cloned().collect();
        let row = |table: &Trajectory| vec![0.0; table.columns().len() + 1];
        let beside = beside.iter().map(|table| Beside { row: row(table), table: table.clone(), asked: false }).collect();
        let mut channels = Channels { list, beside, derived: Vec::new(), values: Vec::new(), columns };
        for wanted in derived {
            let element = format!("column.{}", wanted.name);
            match channels.formula(&wanted.formula).and_then(|(formula, dim)| Ok((formula, unit_of(dim, wanted.unit.as_deref())?))) {
                Ok((formula, unit)) => {
                    channels.list.push(Column::new(format!("derived.{}", wanted.name), unit));
                    channels.derived.push(DerivedChannel { formula, asked: false });
                }
                Err(fault) => findings.push(wanted.at, element, "formula", &fault),
            }
        }
        channels.values = vec![f64::NAN; channels.list.len() + 1];
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

    /// Channels that are formulas over others.
    pub(crate) fn derived(&self) -> impl Iterator<Item = (usize, &Formula)> {
        let first = self.list.len() + 1 - self.derived.len();
        self.derived.iter().enumerate().map(move |(k, derived)| (first + k, &derived.formula))
    }

    /// Which rows hold, and what they ask for.
    pub fn set_row_control(&mut self, control: &RowControl) {
        self.columns.set_row_control(control);
    }

    /// What soft parts show, store and do to the bodies at the next look.
    pub fn set_soft(&mut self, values: &[f64], energy: f64, pushes: &[Push], paths: &[(u32, [f64; 2])]) {
        self.columns.set_soft(values, energy, pushes, paths);
    }

    /// Asks for a channel, and for those it is derived from. Whoever reads a value has asked for it before the first look; nothing else is computed.
    pub fn ask(&mut self, channel: usize) {
        let Some(column) = channel.checked_sub(1) else { return };
        let own = self.columns.list().len();
        if column < own {
            return self.columns.ask(column);
        }
        let mut next = own;
        for beside in &mut self.beside {
            next += beside.table.columns().len();
            if column < next {
                beside.asked = true;
                return;
            }
        }
        let derived = &mut self.derived[column - next];
        if !std::mem::replace(&mut derived.asked, true) {
            let variables = derived.formula.variables().to_vec();
            variables.into_iter().for_each(|variable| self.ask(variable));
        }
    }

    /// Asks for everything that a formula looks at.
    pub fn ask_of(&mut self, formula: &Formula) {
        formula.variables().iter().for_each(|channel| self.ask(*channel));
    }

    /// Asks for what pairs of surfaces do.
    pub fn ask_touching(&mut self) {
        self.columns.ask_touching();
    }

    /// Asks for what pressure mats show.
    pub fn ask_mats(&mut self) {
        self.columns.ask_mats();
    }

    /// Values of all channels at a state; only those that were asked for have a meaning.
    pub fn look(&mut self, look: Look) -> Result<&[f64], Failure> {
        let own = self.columns.list().len();
        self.values[TIME] = look.t;
        self.columns.fill(look, &mut self.values[1..=own])?;
        let mut next = own + 1;
        for Beside { table, row, asked } in &mut self.beside {
            let cells = next..next + row.len() - 1;
            next = cells.end;
            // What was measured ends where it ends: beyond, the last sample stands.
            if let (true, Some(first), Some(last)) = (*asked, table.time().first(), table.time().last()) {
                // Between the ends there is a row.
                let _ = table.fill_row_at(look.t.clamp(*first, *last), row);
                self.values[cells].copy_from_slice(&row[1..]);
            }
        }
        for (k, derived) in self.derived.iter().enumerate().filter(|(_, derived)| derived.asked) {
            self.values[next + k] = derived.formula.eval(&self.values);
        }
        Ok(&self.values)
    }

    /// What pairs of surfaces did at the last look, if that was asked for.
    pub fn touching(&self) -> &[Touching<f64>] {
        self.columns.touching()
    }

    /// What all pressure mats show at the last look, if they were asked for.
    pub fn mats(&self) -> &[MatReading] {
        self.columns.mats()
    }

    /// Values of all channels at the last look; only those that were asked for have a meaning.
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
