//! What a fit is: unknowns, what they are judged by, and how they are searched for. Plain data, as a study says it.
//! Not here: reading it (`read::fit`), whether it goes with a model (`problem`).

use crate::plan::{Analysis, Setting};
use borelli_data::Trajectory;
use borelli_math::function::Interpolation;
use borelli_model::Span;

/// A search for parameters that make a model agree with what was measured.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The analysis that is fitted.
    pub of: Analysis,
    /// Searches, one after the other; each begins where the one before ended.
    pub methods: Vec<Method>,
    /// p of sum |e|^p.
    pub power: f64,
    /// Factor of the sum of all terms.
    pub scale: f64,
    /// Starts of the first search.
    pub starts: usize,
    /// Seed of all random numbers.
    pub seed: u32,
    /// Most evaluations of each search.
    pub evaluations: usize,
    /// Individuals in a generation; nothing: as the method likes it.
    pub population: Option<usize>,
    /// Generations of NSGA-II.
    pub generations: usize,
    /// What is searched for.
    pub unknowns: Vec<Unknown>,
    /// What is to be small.
    pub terms: Vec<Term>,
    /// Numbers of a whole run, for `extra`.
    pub numbers: Vec<RunNumber>,
    /// Formula over them that is added to the sum of terms.
    pub extra: Option<(String, Span)>,
    /// What must hold.
    pub limits: Vec<Limit>,
    /// Measured data.
    pub trials: Vec<Trial>,
}

/// How unknowns are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Bounded least squares of any power.
    LeastSquares,
    /// A quasi-Newton search between bounds.
    QuasiNewton,
    /// Evolution of a search distribution.
    CmaEs,
    /// Several objectives at once, by a population.
    Nsga2,
}

impl Method {
    /// All, with their names in files.
    pub const ALL: [(&'static str, Method); 4] = [
        ("least-squares", Method::LeastSquares),
        ("quasi-newton", Method::QuasiNewton),
        ("cma-es", Method::CmaEs),
        ("nsga2", Method::Nsga2),
    ];

    /// Name in files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, method)| *method == self).map_or("", |(name, _)| name)
    }
}

/// One number that is searched for.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// Name: as given, else its path.
    pub name: String,
    /// Parameters that have its value, each times a factor.
    pub paths: Vec<(String, f64)>,
    /// Least value, as it is written.
    pub low: Option<String>,
    /// Largest value, as it is written.
    pub high: Option<String>,
    /// Whether it is searched for on a logarithmic scale.
    pub log: bool,
    /// Where the search begins, as it is written; nothing: at the value of the model.
    pub start: Option<String>,
    /// Where it is written.
    pub at: Span,
}

/// What the difference between a column and its data is divided by.
#[derive(Clone, Debug, PartialEq)]
pub enum Normalise {
    /// The largest value measured.
    Max,
    /// The largest size measured.
    MaxAbs,
    /// The root of the mean square measured.
    Rms,
    /// Largest less least value measured.
    Range,
    /// A quantity, as it is written.
    By(String),
}

/// How the samples of a term become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduce {
    /// sum |e|^p.
    Sum,
    /// mean |e|^p.
    Mean,
    /// max |e|.
    Max,
}

/// A smooth gate by a simulated quantity: 0 below `low`, 1 above `high`.
#[derive(Clone, Debug, PartialEq)]
pub struct Fade {
    /// Column.
    pub by: String,
    /// Where it begins to open, as it is written.
    pub low: String,
    /// Where it is open, as it is written.
    pub high: String,
}

/// A column against measured data: e = weight gate (column - data)/normaliser at every sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Name.
    pub name: String,
    /// Column.
    pub column: String,
    /// Column of the trial's data; nothing: zero is measured.
    pub data: Option<String>,
    /// How data run between their samples.
    pub interpolation: Interpolation,
    /// Times between which data have values, s; beyond, the nearest is held.
    pub knots: (Option<f64>, Option<f64>),
    /// Weight, inside the power.
    pub weight: f64,
    /// What the difference is divided by.
    pub normalise: Normalise,
    /// Comparison over `data.NAME` that leaves samples out where it does not hold.
    pub condition: Option<(String, Span)>,
    /// Gate by a simulated quantity.
    pub fade: Option<Fade>,
    /// How samples become one number.
    pub reduce: Reduce,
    /// Objective that it belongs to, from 1.
    pub objective: usize,
    /// Times looked at, s.
    pub window: (Option<f64>, Option<f64>),
    /// Where it is written.
    pub at: Span,
}

/// What a number of a whole run is of its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The largest value.
    Max,
    /// The least value.
    Min,
}

/// A number of a whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunNumber {
    /// Name in `extra`.
    pub name: String,
    /// Column.
    pub column: String,
    /// What it is of the column.
    pub extreme: Extreme,
    /// Times looked at, s.
    pub window: (Option<f64>, Option<f64>),
    /// Where it is written.
    pub at: Span,
}

/// A condition that must hold at every sample of a window: column <= at_most.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Name.
    pub name: String,
    /// Column.
    pub column: String,
    /// Its largest value, as it is written.
    pub at_most: String,
    /// The unknown that gives way, in which the column is linear: the condition is then met exactly.
    pub met_by: Option<String>,
    /// Times looked at, s.
    pub window: (Option<f64>, Option<f64>),
    /// Where it is written.
    pub at: Span,
}

/// What was measured in one trial.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Name.
    pub name: String,
    /// Measured columns, each over its own times.
    pub tables: Vec<Trajectory>,
    /// Whether it is fitted, or only compared with the result.
    pub is_fitted: bool,
    /// Parameters of this trial only.
    pub settings: Vec<Setting>,
    /// Where it is written.
    pub at: Option<Span>,
}
