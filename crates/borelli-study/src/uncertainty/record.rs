//! What is to be known of uncertain results afterwards: inputs, runs, bands, numbers with their rankings.
//! Not here: how it was found, files and pages.

use borelli_data::Column;
use borelli_fit::uncertainty::bands::Band;

/// An uncertain input, or a noise.
#[derive(Clone, Debug, PartialEq)]
pub struct InputRecord {
    /// Name.
    pub name: String,
    /// What depends on it.
    pub paths: Vec<String>,
    /// Its distribution or size, in words.
    pub words: String,
    /// SI unit of its values; empty for a noise, which has none.
    pub unit: String,
}

/// A column with its band.
#[derive(Clone, Debug, PartialEq)]
pub struct BandColumn {
    /// Name and unit.
    pub column: Column,
    /// By time: what samples say; nothing where no run has a value, and where none were drawn.
    pub bands: Vec<Option<Band>>,
    /// By time: value of the run at the means; NaN where it has none.
    pub nominal: Vec<f64>,
    /// By time: standard deviation by slopes; NaN where there is none.
    pub linear_sd: Vec<f64>,
}

/// What one input does to a result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rank {
    /// Sobol: share of the variance by itself, and its standard error.
    pub first: Option<[f64; 2]>,
    /// Sobol: share together with all others, and its standard error.
    pub total: Option<[f64; 2]>,
    /// Morris: mean size of what it does from end to end of what is likely, and its standard deviation.
    pub effect: Option<[f64; 2]>,
    /// Linear: share of the variance, of inputs that are independent.
    pub linear_share: Option<f64>,
}

/// A number of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRecord {
    /// Name.
    pub name: String,
    /// What it is.
    pub words: String,
    /// SI unit.
    pub unit: String,
    /// In the run at the means.
    pub nominal: f64,
    /// What samples say.
    pub band: Option<Band>,
    /// Standard deviation by slopes.
    pub linear_sd: Option<f64>,
    /// Runs that ended well without having this number.
    pub without: usize,
    /// By input, then by noise.
    pub ranks: Vec<Rank>,
}

/// A run with drawn inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleRecord {
    /// Method.
    pub method: &'static str,
    /// Number among those of its method, from 1.
    pub number: usize,
    /// Values of all inputs.
    pub inputs: Vec<f64>,
    /// Values of all results; NaN where there is none.
    pub results: Vec<f64>,
    /// How it ended: empty where it ended well.
    pub trouble: String,
}

/// What linear propagation took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinearRecord {
    /// Evaluations of the equations of motion with slopes, or of all columns with slopes.
    pub evaluations: usize,
    /// Looks at columns.
    pub looks: usize,
    /// Both over those of the run at the means.
    pub ratio: f64,
}

/// How uncertain results are.
#[derive(Clone, Debug, PartialEq)]
pub struct UncertaintyRecord {
    /// Methods, one after the other.
    pub methods: Vec<&'static str>,
    /// Seed.
    pub seed: u32,
    /// Inputs, then noises.
    pub inputs: Vec<InputRecord>,
    /// How many of them are inputs.
    pub input_count: usize,
    /// Runs that were to be made, that were made, and that failed.
    pub runs: [usize; 3],
    /// Why the first of them failed: method, number, reason.
    pub failures: Vec<(&'static str, usize, String)>,
    /// Times of bands, s.
    pub times: Vec<f64>,
    /// By time: runs that reached it, of those that bands are taken of.
    pub reached: Vec<usize>,
    /// Columns with their bands.
    pub columns: Vec<BandColumn>,
    /// Numbers of a run.
    pub results: Vec<ResultRecord>,
    /// Runs with drawn inputs.
    pub samples: Vec<SampleRecord>,
    /// What linear propagation took.
    pub linear: Option<LinearRecord>,
}
