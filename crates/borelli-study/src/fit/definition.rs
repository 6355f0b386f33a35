//! What a fit is: unknowns, what they are judged by, and how they are searched for. Plain data, as a study says it.
//! Not here: reading it (`read::fit`), whether it goes with a model (`problem`).

use super::measured_map::MeasuredMap;
use crate::pattern::fits;
use crate::plan::{Analysis, MotionFile, Setting};
use borelli_data::Trajectory;
use borelli_dynamics::System;
use borelli_dynamics::system::CoordinateName;
use borelli_fit::covariance::Noise;
use borelli_math::function::Interpolation;
use borelli_model::Span;

/// A search for parameters that make a model agree with what was measured.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The analysis that is fitted.
    pub of: Analysis,
    /// How slopes by the unknowns are found.
    pub derivatives: SlopeRule,
    /// Searches, one after the other; each begins where the one before ended.
    pub methods: Vec<Method>,
    /// p of sum |e|^p.
    pub power: f64,
    /// Factor of the sum of all terms.
    pub scale: f64,
    /// Starts of the first search.
    pub starts: usize,
    /// Rounds of searches from several starts; those after the first begin near the best point found.
    pub rounds: usize,
    /// Restarts of CMA-ES, each with twice the population.
    pub restarts: usize,
    /// Seed of all random numbers.
    pub seed: u32,
    /// Most evaluations of each search.
    pub evaluations: usize,
    /// Projected gradient, over 1 + J, at which searches with slopes end; of CMA-ES the range of its best values.
    pub tolerance: f64,
    /// Individuals in a generation; nothing: as the method likes it.
    pub population: Option<usize>,
    /// Generations of NSGA-II, stage by stage; the last number counts for those that are missing.
    pub generations: Vec<usize>,
    /// Objectives of the point from which the volume that a front dominates is measured; nothing: it is not.
    pub reference: Option<Vec<f64>>,
    /// Whether weights stand for the noise of the data.
    pub noise: Noise,
    /// What is asked when the search is over.
    pub afterwards: Afterwards,
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

/// What is asked of a fit when its search is over: further searches from the best point.
#[derive(Clone, Debug, Default)]
pub struct Afterwards {
    /// Whether each trial is left out once.
    pub leave_one_out: bool,
    /// Unknowns of which profiles are taken, by name or pattern, with their places.
    pub profile: Vec<(String, Span)>,
    /// How often frames are drawn anew, and how long a block of them is, s.
    pub bootstrap: Option<(usize, f64)>,
}

impl Afterwards {
    /// The fields of `[fit]` that ask for something.
    pub(crate) fn fields(&self) -> Vec<&'static str> {
        let all = [("leave_one_out", self.leave_one_out), ("profile", !self.profile.is_empty()), ("bootstrap", self.bootstrap.is_some())];
        all.into_iter().filter_map(|(name, asked)| asked.then_some(name)).collect()
    }
}

/// What a star of a pattern stands for, seen from the first one.
fn tail<'p>(path: &'p str, pattern: &str) -> &'p str {
    let head = pattern.find('*').unwrap_or(0);
    path.get(head..).unwrap_or(path)
}

/// A number for people, to six decimals.
fn short(x: f64) -> String {
    if (1e-3..1e6).contains(&x.abs()) { ((x * 1e6).round() / 1e6).to_string() } else { format!("{x:e}") }
}

/// Paths of all parameters, then of all start values, where a pattern must begin as they do.
fn settable_paths(system: &System) -> impl Iterator<Item = String> {
    let start = |kind: &'static str, list: &[CoordinateName]| -> Vec<String> {
        list.iter().map(|own| format!("initial.{kind}.{}", own.name)).collect()
    };
    let parameters = system.parameters.iter().map(|parameter| parameter.path.clone());
    parameters.chain(start("coordinates", &system.names.coordinates)).chain(start("speeds", &system.names.speeds))
}

impl Fit {
    /// Whether a search takes slopes.
    pub(crate) fn takes_slopes(&self) -> bool {
        self.methods.iter().any(|method| method.takes_slopes())
    }

    /// The fit with an unknown for every parameter that a pattern stands for, in the order of the model, and one for every fitted trial where each has its own.
    pub(crate) fn expanded(&self, system: &System) -> Fit {
        let mut unknowns = Vec::new();
        for unknown in &self.unknowns {
            let pattern = unknown.paths.first().map(|(path, _)| path).filter(|path| unknown.paths.len() == 1 && path.contains('*'));
            let found: Vec<Unknown> = match pattern {
                Some(pattern) => {
                    let known = settable_paths(system).filter(|path| fits(pattern, path));
                    let named = |path: &String| {
                        if unknown.name == *pattern { path.clone() } else { format!("{}.{}", unknown.name, tail(path, pattern)) }
                    };
                    known
                        .map(|path| Unknown { name: named(&path), paths: vec![(path.clone(), unknown.paths[0].1)], ..unknown.clone() })
                        .collect()
                }
                None => vec![unknown.clone()],
            };
            // What stands for nothing stays, to be refused by its name.
            let found = if found.is_empty() { vec![unknown.clone()] } else { found };
            let fitted: Vec<(usize, &str)> =
                self.trials.iter().enumerate().filter(|(_, trial)| trial.is_fitted).map(|(k, trial)| (k, trial.name.as_str())).collect();
            if unknown.per_trial && !fitted.is_empty() {
                let own = |(k, trial): &(usize, &str), one: &Unknown| Unknown {
                    name: format!("{}.{trial}", one.name),
                    trial: Some(*k),
                    ..one.clone()
                };
                unknowns.extend(fitted.iter().flat_map(|trial| found.iter().map(|one| own(trial, one)).collect::<Vec<_>>()));
            } else {
                unknowns.extend(found);
            }
        }
        Fit { unknowns, ..self.clone() }
    }

    /// The trials; without any the run itself is one.
    pub(crate) fn trials_or_run(&self) -> Vec<Trial> {
        let run = || Trial {
            name: "run".into(),
            tables: Vec::new(),
            maps: Vec::new(),
            motion: None,
            rest_at: None,
            is_fitted: true,
            settings: Vec::new(),
            at: None,
        };
        if self.trials.is_empty() { vec![run()] } else { self.trials.clone() }
    }

    /// The first trial that is fitted, by number.
    pub(crate) fn first_fitted(&self) -> usize {
        self.trials.iter().position(|trial| trial.is_fitted).unwrap_or(0)
    }

    /// Stages of the search.
    pub(crate) fn stages(&self) -> usize {
        self.unknowns.iter().map(|unknown| unknown.stage).max().unwrap_or(1)
    }

    /// Whether a search by squares comes before one for a front: it lowers the sum over all samples and objectives, and what it finds is put into the first
    /// population.
    pub(crate) fn eases(&self) -> bool {
        self.methods.first() == Some(&Method::LeastSquares) && self.methods.last() == Some(&Method::Nsga2)
    }

    /// What J is, in words: `J = 0.5 × (sum of |e|^2 over terms and samples) + extra, with extra = …`.
    pub fn words(&self) -> String {
        let scale = if self.scale == 1.0 { String::new() } else { format!("{} × ", short(self.scale)) };
        let power = if self.power == 1.0 { String::new() } else { format!("^{}", short(self.power)) };
        let (extra, told) =
            self.extra.as_ref().map_or((String::new(), String::new()), |(text, _)| (" + extra".into(), format!(", with extra = {text}")));
        format!("J = {scale}(sum of |e|{power} over terms and samples){extra}{told}")
    }
}

impl Term {
    /// What its residual is, in words; the column first, in backticks.
    pub fn words(&self) -> String {
        let weight = if self.weight == 1.0 { String::new() } else { format!("{} × ", short(self.weight)) };
        // The map of a mat has its name, if no other is given.
        let measured = self.data.as_ref().or(self.mat.as_ref()).map_or(String::new(), |data| format!(" less measured `{data}`"));
        let over = match &self.normalise {
            Normalise::Max => "the largest value measured".to_string(),
            Normalise::MaxAbs => "the largest size measured".into(),
            Normalise::Rms => "the root mean square measured".into(),
            Normalise::Range => "the range measured".into(),
            Normalise::Together(list) => format!("the largest size measured of `{}` together", list.join("`, `")),
            Normalise::By(text) => text.clone(),
        };
        let reduce = match self.reduce {
            Reduce::Sum => "",
            Reduce::Mean if self.mat.is_some() => "; the mean over frames counts",
            Reduce::Mean => "; the mean over samples counts",
            Reduce::Max => "; the largest sample counts",
        };
        let gate = self.fade.as_ref().map_or(String::new(), |_| ", times a gate between 0 and 1".into());
        let only = self.condition.as_ref().map_or(String::new(), |(text, _)| format!("; samples where {text}"));
        let what = match &self.mat {
            Some(mat) => format!("`sensor.{mat}.force`, each cell by itself,"),
            None => format!("`{}`", self.column),
        };
        format!("{what}{measured}; e = {weight}that over {over}{gate}{reduce}{only}")
    }
}

/// How slopes by the unknowns are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SlopeRule {
    /// Exactly.
    #[default]
    Exact,
    /// By central differences of runs.
    Differences,
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

    /// Whether it takes slopes.
    pub fn takes_slopes(self) -> bool {
        matches!(self, Method::LeastSquares | Method::QuasiNewton)
    }

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
    /// Whether every trial that is fitted has its own.
    pub per_trial: bool,
    /// The trial that it belongs to, by number; nothing: all.
    pub trial: Option<usize>,
    /// Weight of a residual (x − x₀)/half range that draws it to the value of the model.
    pub pull: Option<f64>,
    /// Stage of a search in which it is searched for first, from 1.
    pub stage: usize,
    /// The unknown whose value it has before that stage; nothing: it stays at its start.
    pub before: Option<String>,
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
    /// Root of the sum of the squares of the largest sizes of some measured columns: of parts of a vector.
    Together(Vec<String>),
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
    /// Column; empty where a mat is compared.
    pub column: String,
    /// Pressure mat whose cells are compared, in place of a column.
    pub mat: Option<String>,
    /// Column of the trial's data, or one of its maps; nothing: zero is measured.
    pub data: Option<String>,
    /// How data run between their samples.
    pub interpolation: Interpolation,
    /// Times between which data have values, s; beyond, the nearest is held.
    pub knots: (Option<f64>, Option<f64>),
    /// Weight, inside the power.
    pub weight: f64,
    /// What the difference is divided by.
    pub normalise: Normalise,
    /// Largest difference that counts as good, as it is written; `20 %` is a part of what differences are divided by.
    pub accept: Option<String>,
    /// Comparison over `data.NAME` that leaves samples out where it does not hold.
    pub condition: Option<(String, Span)>,
    /// Gate by a simulated quantity.
    pub fade: Option<Fade>,
    /// How samples become one number.
    pub reduce: Reduce,
    /// Name that terms share whose |e| are added up at each sample before the largest counts.
    pub together: Option<String>,
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
    /// Measured maps of pressure mats.
    pub maps: Vec<MeasuredMap>,
    /// Its own motion, and where that is written; nothing: that of the plan.
    pub motion: Option<(MotionFile, Span)>,
    /// Time at which it is at rest, s, and where that is written; nothing: the start of the plan.
    pub rest_at: Option<(f64, Span)>,
    /// Whether it is fitted, or only compared with the result.
    pub is_fitted: bool,
    /// Parameters of this trial only.
    pub settings: Vec<Setting>,
    /// Where it is written.
    pub at: Option<Span>,
}
