//! Why an integration ended early, with the time and the entry of the state that is to blame.
//! Not here: names of coordinates; whoever built the `Ode` turns an entry into a name.
//! In: facts from the methods. Out: text with a hint, in numbers or in names.

use crate::formulation;
use std::fmt;

/// Why one trial of a step could not be made. An adaptive method answers with a shorter step, an implicit scheme where its equation allows that.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// A rate is not a finite number.
    NotFinite {
        /// Entry of the state.
        entry: usize,
    },
    /// The equation itself refused.
    Refused(formulation::Failure),
    /// The matrix of an implicit step has no inverse.
    Singular {
        /// Column without a pivot.
        entry: usize,
    },
    /// A row of constraints is not a finite number.
    RowNotFinite {
        /// Row.
        row: usize,
    },
    /// The matrix of an implicit step has no inverse, in the multiplier of a row.
    SingularRow {
        /// Row.
        row: usize,
    },
    /// Newton's iteration did not settle.
    NotConverged {
        /// Iterations made.
        iterations: usize,
        /// Entry of the state with the largest last correction.
        entry: usize,
        /// Row that is open most, when there are rows.
        row: Option<usize>,
    },
    /// The equation wants a shorter step: before it, or after it was solved.
    TooLong {
        /// The step, s.
        step: f64,
    },
    /// The equation has no slopes to solve with.
    NoSlopes,
}

impl From<formulation::Failure> for Trouble {
    fn from(cause: formulation::Failure) -> Self {
        Trouble::Refused(cause)
    }
}

/// Why an integration ended before its end. The state handed in holds the last accepted step, at time `t`.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The end lies before the start.
    ReversedInterval {
        /// Start, s.
        from: f64,
        /// End, s.
        to: f64,
    },
    /// The state has another length than the equation or the method.
    WrongLength {
        /// Entries of the equation.
        expected: usize,
        /// Entries given.
        found: usize,
    },
    /// A setting is missing or out of range.
    BadSetting {
        /// Its name.
        name: &'static str,
        /// Its value; NaN when it is missing.
        value: f64,
    },
    /// The start holds a number that is not finite.
    StartNotFinite {
        /// Time, s.
        t: f64,
        /// Entry of the state.
        entry: usize,
    },
    /// Rates are not finite from here on.
    NotFinite {
        /// Time of the last accepted state, s.
        t: f64,
        /// Entry of the state.
        entry: usize,
    },
    /// The equation cannot be evaluated from here on.
    Refused {
        /// Time of the last accepted state, s.
        t: f64,
        /// Its reason.
        cause: formulation::Failure,
    },
    /// The matrix of an implicit step stays singular.
    Singular {
        /// Time of the last accepted state, s.
        t: f64,
        /// Column without a pivot.
        entry: usize,
    },
    /// The error stays too large even with the shortest step.
    StepTooSmall {
        /// Time of the last accepted state, s.
        t: f64,
        /// Step that would be needed, s.
        step: f64,
        /// Entry of the state with the largest error for its tolerance.
        entry: usize,
    },
    /// The number of attempts is used up.
    TooManySteps {
        /// Time of the last accepted state, s.
        t: f64,
        /// The limit.
        limit: usize,
    },
    /// A row of constraints is not finite from here on.
    RowNotFinite {
        /// Time of the last accepted state, s.
        t: f64,
        /// Row.
        row: usize,
    },
    /// The matrix of an implicit step is singular in the multiplier of a row.
    SingularRow {
        /// Time of the last accepted state, s.
        t: f64,
        /// Row.
        row: usize,
    },
    /// Newton's iteration did not settle.
    NotConverged {
        /// Time of the last accepted state, s.
        t: f64,
        /// Iterations made.
        iterations: usize,
        /// Entry of the state with the largest last correction.
        entry: usize,
        /// Row that is open most, when there are rows.
        row: Option<usize>,
    },
    /// The equation asks for steps shorter than a fixed-step scheme makes.
    StepTooLong {
        /// Time of the last accepted state, s.
        t: f64,
        /// The step that is too long, s.
        step: f64,
    },
    /// A step could not be made although it was cut again and again.
    CutInVain {
        /// The shortest step that was tried, s.
        step: f64,
        /// Why that one could not be made.
        cause: Box<Failure>,
    },
    /// The method needs a Jacobian and the equation has none.
    NoJacobian,
}

impl Failure {
    /// A trouble that a shorter step could not cure.
    pub fn of(trouble: Trouble, t: f64) -> Self {
        match trouble {
            Trouble::NotFinite { entry } => Failure::NotFinite { t, entry },
            Trouble::Refused(cause) => Failure::Refused { t, cause },
            Trouble::Singular { entry } => Failure::Singular { t, entry },
            Trouble::RowNotFinite { row } => Failure::RowNotFinite { t, row },
            Trouble::SingularRow { row } => Failure::SingularRow { t, row },
            Trouble::NotConverged { iterations, entry, row } => Failure::NotConverged { t, iterations, entry, row },
            Trouble::TooLong { step } => Failure::StepTooLong { t, step },
            Trouble::NoSlopes => Failure::NoJacobian,
        }
    }

    /// The failure itself, also where steps were cut in vain before it.
    pub fn cause(&self) -> &Failure {
        if let Failure::CutInVain { cause, .. } = self { cause.cause() } else { self }
    }

    /// Time of the last accepted state, when the integration had begun, s.
    pub fn time(&self) -> Option<f64> {
        match self.cause() {
            Failure::StartNotFinite { t, .. }
            | Failure::NotFinite { t, .. }
            | Failure::Refused { t, .. }
            | Failure::Singular { t, .. }
            | Failure::StepTooSmall { t, .. }
            | Failure::RowNotFinite { t, .. }
            | Failure::SingularRow { t, .. }
            | Failure::NotConverged { t, .. }
            | Failure::StepTooLong { t, .. }
            | Failure::TooManySteps { t, .. } => Some(*t),
            _ => None,
        }
    }

    /// Entry of the state that is to blame, when there is one.
    pub fn entry(&self) -> Option<usize> {
        match self.cause() {
            Failure::StartNotFinite { entry, .. }
            | Failure::NotFinite { entry, .. }
            | Failure::Singular { entry, .. }
            | Failure::NotConverged { entry, .. }
            | Failure::StepTooSmall { entry, .. } => Some(*entry),
            _ => None,
        }
    }

    /// Row of constraints that is to blame, when there is one.
    pub fn row(&self) -> Option<usize> {
        match self.cause() {
            Failure::RowNotFinite { row, .. } | Failure::SingularRow { row, .. } => Some(*row),
            Failure::NotConverged { row, .. } => *row,
            _ => None,
        }
    }
}

impl Failure {
    /// Why, with a hint; whoever built the equation gives entries of its state and rows their names.
    pub fn tell(&self, entry_name: &dyn Fn(usize) -> String, row_name: &dyn Fn(usize) -> String) -> String {
        match self {
            Failure::ReversedInterval { from, to } => format!(
                "the end {to} s lies before the start {from} s\n  hint: to go back in time, change the sign of the rates and of time"
            ),
            Failure::WrongLength { expected, found } => format!("the state has {found} entries, the equation has {expected}"),
            Failure::BadSetting { name, value } if value.is_nan() => format!("setting `{name}` is missing\n  hint: give a positive number"),
            Failure::BadSetting { name, value } => format!("setting `{name}` = {value} is out of range\n  hint: give a positive number"),
            Failure::StartNotFinite { t, entry } => format!("t = {t} s: {} of the start is not a finite number", entry_name(*entry)),
            Failure::NotFinite { t, entry } => format!(
                "t = {t} s: the rate of {} is not finite from here on\n  hint: a fixed step may be too long for a stiff element",
                entry_name(*entry)
            ),
            Failure::Refused { t, cause } => format!("t = {t} s: {cause}"),
            Failure::Singular { t, entry } => format!(
                "t = {t} s: the matrix of the step is singular in the column of {}\n  hint: check the Jacobian of this entry",
                entry_name(*entry)
            ),
            Failure::StepTooSmall { t, step, entry } => format!(
                "t = {t} s: the step would fall to {step:e} s; {} has the largest error\n  hint: a jump without a breakpoint or event, or a tolerance near rounding",
                entry_name(*entry)
            ),
            Failure::TooManySteps { t, limit } => {
                format!("t = {t} s: {limit} steps were not enough\n  hint: raise `max_steps`, or allow larger errors (`rtol`, `atol`)")
            }
            Failure::RowNotFinite { t, row } => format!("t = {t} s: {} is not finite from here on", row_name(*row)),
            Failure::SingularRow { t, row } => format!(
                "t = {t} s: the matrix of the step is singular in {}\n  hint: a singular position, or a row that follows from others",
                row_name(*row)
            ),
            Failure::NotConverged { t, iterations, entry, row } => {
                let open = row.map_or(String::new(), |row| format!(", {} is open most", row_name(row)));
                format!(
                    "t = {t} s: {iterations} iterations do not settle the next step; {} still moves most{open}\n  hint: a shorter step; with constraints a scheme that damps (`generalised-alpha`, or `newmark` with its damped set)",
                    entry_name(*entry)
                )
            }
            Failure::StepTooLong { t, step } => {
                format!("t = {t} s: the equations ask for a step shorter than {step:e} s\n  hint: a shorter `step`")
            }
            Failure::CutInVain { step, cause } => {
                let cause = cause.tell(entry_name, row_name);
                let (what, hint) =
                    cause.split_once('\n').map_or((cause.as_str(), String::new()), |(what, hint)| (what, format!("\n{hint}")));
                format!("{what}; the step was cut down to {step:e} s{hint}")
            }
            Failure::NoJacobian => "this method needs a Jacobian, and the equation has none\n  hint: use `dopri5` or `adams`".into(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tell(&|entry| format!("entry {entry}"), &|row| format!("row {row} of the constraints")))
    }
}

impl std::error::Error for Failure {}
