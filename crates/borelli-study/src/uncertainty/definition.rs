//! What is uncertain, and what is asked about it. Plain data, as a study says it.
//! Not here: reading it (`read::uncertainty`), whether it goes with a model (`inputs`, `noise`).

use crate::expect::{Chosen, Subject};
use crate::plan::Analysis;
use borelli_fit::uncertainty::noise::Memory;
use borelli_model::Span;

/// Uncertain inputs of an analysis, and what is asked about its results.
#[derive(Clone, Debug)]
pub struct Uncertainty {
    /// The analysis.
    pub of: Analysis,
    /// How inputs are propagated, one way after the other.
    pub methods: Vec<Method>,
    /// Samples of Monte Carlo and Latin hypercube, base samples of Sobol.
    pub samples: usize,
    /// Paths of Morris.
    pub trajectories: usize,
    /// Seed of all random numbers.
    pub seed: u32,
    /// Uncertain numbers.
    pub inputs: Vec<Input>,
    /// Which of them go together.
    pub correlations: Vec<Correlation>,
    /// Noise of tables.
    pub noises: Vec<Noise>,
    /// Numbers of a run that are looked at beside its columns.
    pub results: Vec<Sought>,
}

/// How uncertainty is propagated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By slopes of one run.
    Linear,
    /// By runs with values drawn at random.
    MonteCarlo,
    /// By runs with values of which each input has one in each of as many cells.
    LatinHypercube,
    /// Shares of the variance of results that inputs have, by runs.
    Sobol,
    /// What steps of inputs do to results, by few runs.
    Morris,
}

impl Method {
    /// All, with their names in files.
    pub const ALL: [(&'static str, Method); 5] = [
        ("linear", Method::Linear),
        ("monte-carlo", Method::MonteCarlo),
        ("latin-hypercube", Method::LatinHypercube),
        ("sobol", Method::Sobol),
        ("morris", Method::Morris),
    ];

    /// Name in files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, method)| *method == self).map_or("", |(name, _)| name)
    }

    /// Whether it draws values as they are distributed, for bands.
    pub fn draws(self) -> bool {
        matches!(self, Method::MonteCarlo | Method::LatinHypercube)
    }

    /// Whether it ranks inputs by runs.
    pub fn ranks(self) -> bool {
        matches!(self, Method::Sobol | Method::Morris)
    }
}

/// What an uncertain number does to its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// It is their value.
    Value,
    /// Their own values are multiplied by it.
    Factor,
    /// It is added to their own values.
    Offset,
}

/// Shape of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Normal, by mean and standard deviation.
    Normal,
    /// Its logarithm is normal; mean and standard deviation are those of the number itself.
    LogNormal,
    /// Anywhere between two ends.
    Uniform,
    /// Between two ends, with a most likely value.
    Triangular,
}

impl Shape {
    /// All, with their names in files.
    pub const ALL: [(&'static str, Shape); 4] =
        [("normal", Shape::Normal), ("log-normal", Shape::LogNormal), ("uniform", Shape::Uniform), ("triangular", Shape::Triangular)];

    /// Name in files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, shape)| *shape == self).map_or("", |(name, _)| name)
    }
}

/// An uncertain number.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Name: as given, else its path.
    pub name: String,
    /// Parameters and start values that depend on it.
    pub paths: Vec<String>,
    /// What each of them gets of an offset; one for each path.
    pub times: Vec<f64>,
    /// How.
    pub applied: Applied,
    /// How it is distributed.
    pub shape: Shape,
    /// Mean as it is written; nothing: as the model has it.
    pub mean: Option<String>,
    /// Standard deviation as it is written; `10 %` is a part of the mean.
    pub sd: Option<String>,
    /// Least value, as it is written.
    pub low: Option<String>,
    /// Most likely value, as it is written.
    pub mode: Option<String>,
    /// Largest value, as it is written.
    pub high: Option<String>,
    /// Where it stands.
    pub at: Span,
}

/// Two inputs that go together.
#[derive(Clone, Debug, PartialEq)]
pub struct Correlation {
    /// Names of the inputs.
    pub between: [String; 2],
    /// Correlation of the normal numbers that they are drawn from.
    pub value: f64,
    /// Where it stands.
    pub at: Span,
}

/// What noise is put on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upon {
    /// Coordinates of a table of motion.
    Motion,
    /// Markers, in each direction.
    Markers,
    /// Forces of measured loads, in each direction; a part of the force: all directions together.
    Forces,
    /// Points at which measured loads act, in each direction.
    Points,
    /// Couples of measured loads, in each direction.
    Couples,
}

impl Upon {
    /// All, with their names in files.
    pub const ALL: [(&'static str, Upon); 5] = [
        ("motion", Upon::Motion),
        ("markers", Upon::Markers),
        ("forces", Upon::Forces),
        ("points", Upon::Points),
        ("couples", Upon::Couples),
    ];

    /// Name in files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, upon)| *upon == self).map_or("", |(name, _)| name)
    }
}

/// Noise of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Noise {
    /// Name.
    pub name: String,
    /// What it is put on.
    pub upon: Upon,
    /// Patterns of the coordinates, markers or loads it is put on; empty: all.
    pub columns: Vec<String>,
    /// Standard deviation as it is written; of forces also a part such as `1 %`.
    pub sd: String,
    /// How long it remembers.
    pub memory: Memory,
    /// Where it stands.
    pub at: Span,
}

impl Noise {
    /// Its size and memory in words.
    pub fn words(&self) -> String {
        let memory = match self.memory {
            Memory::None => "new at every sample".to_string(),
            Memory::Fading(constant) => format!("with a time constant of {constant} s"),
            Memory::Lasting => "the same all through a run".into(),
        };
        format!("normal noise on {}, sd {}, {memory}", self.upon.name(), self.sd)
    }
}

/// A number of a run that is looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// Name.
    pub name: String,
    /// A column, a formula over columns, or, without a measure, a number of the whole run.
    pub subject: Subject,
    /// Name of the measure; nothing for a number of the whole run.
    pub measure: Option<&'static str>,
    /// Values of the fields of the measure.
    pub options: Vec<Chosen>,
    /// Where it stands.
    pub at: Span,
}

impl Sought {
    /// What it is, in words.
    pub fn words(&self) -> String {
        let what = match &self.subject {
            Subject::Column(name) => format!("`{name}`"),
            Subject::Formula(text) => format!("`{text}`"),
            Subject::Columns(names) => names.join(", "),
        };
        self.measure.map_or(what.clone(), |measure| format!("{measure} of {what}"))
    }
}
