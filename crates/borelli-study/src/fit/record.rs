//! What is to be known of a fit afterwards: unknowns with how sure they are, residuals, history, starts, fronts.
//! Not here: how it was found (`search`), files and pages.

use super::afterwards::Wider;

/// An unknown at the end of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct UnknownRecord {
    /// Name.
    pub name: String,
    /// Parameters that have its value.
    pub paths: Vec<String>,
    /// SI unit.
    pub unit: String,
    /// Bounds, if it has any.
    pub bounds: Option<(f64, f64)>,
    /// Whether it was searched for on a logarithmic scale.
    pub log: bool,
    /// Where the search began.
    pub start: f64,
    /// Where it ended.
    pub best: f64,
    /// The bound it ended at: `low` or `high`, else nothing.
    pub at_bound: Option<&'static str>,
    /// Standard deviation, and ends of the 95 % interval; nothing at a bound and where data do not determine it.
    pub spread: Option<(f64, [f64; 2])>,
    /// What its bound costs; nothing where it is at none.
    pub multiplier: Option<Multiplier>,
}

/// How much J would fall if a bound or a limit gave way, to first order; below zero where J would rise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Multiplier {
    /// For each SI unit that it gives way.
    pub by_unit: f64,
    /// Where it gives way by as much as the unknown is wide between its bounds, on the scale on which it is searched for.
    pub by_width: f64,
}

/// A constraint that an unknown gives way to.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitRecord {
    /// Name.
    pub name: String,
    /// Unknown that gives way.
    pub unknown: String,
    /// SI unit of what is limited.
    pub unit: String,
    /// What it costs, by the unit of what is limited.
    pub multiplier: Multiplier,
}

/// A term at one sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Residual {
    /// Trial.
    pub trial: String,
    /// Whether it was fitted.
    pub is_fitted: bool,
    /// Term.
    pub term: String,
    /// Time, s.
    pub time: f64,
    /// What was measured, SI.
    pub measured: f64,
    /// What was computed, SI.
    pub computed: f64,
    /// e, weighted and normalised.
    pub error: f64,
}

/// How a search from one start ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The objective at its end.
    pub objective: f64,
    /// Why it ended, in words; of a start that others left behind, that.
    pub end: &'static str,
}

/// A direction of unknowns that the data determine badly.
#[derive(Clone, Debug, PartialEq)]
pub struct Weak {
    /// Its singular value over the largest.
    pub share: f64,
    /// Whether data say nothing at all about it.
    pub undetermined: bool,
    /// Its largest parts, by unknown.
    pub parts: Vec<(String, f64)>,
}

/// One round of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// Iterations or generations.
    pub iterations: usize,
    /// Evaluations so far.
    pub evaluations: usize,
    /// The best objective so far.
    pub objective: f64,
    /// Length of the last step.
    pub step: f64,
    /// Damping, width of a distribution, or penalty.
    pub control: f64,
    /// Projected gradient.
    pub gradient: f64,
    /// Volume that the front dominates, as far as the reference point; nothing where there is none.
    pub volume: Option<f64>,
}

/// A point of a front.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontPoint {
    /// Objectives.
    pub objectives: Vec<f64>,
    /// How far constraints are violated.
    pub violation: f64,
    /// Values of the unknowns, SI.
    pub unknowns: Vec<f64>,
}

/// A finished fit.
#[derive(Clone, Debug, PartialEq)]
pub struct FitRecord {
    /// Searches, one after the other.
    pub methods: Vec<&'static str>,
    /// Why the last one ended, in words.
    pub stop: &'static str,
    /// Whether it found what it looked for.
    pub found: bool,
    /// The objective where the search began.
    pub objective_at_start: f64,
    /// The objective at the end.
    pub objective: f64,
    /// What is extra in it.
    pub extra: f64,
    /// Name of each term, with its value at start and end.
    pub terms: Vec<(String, f64, f64)>,
    /// Of terms over pressure mats, name and root mean square over frames of the sum of |difference| over cells, over what it is divided by, at start and end.
    pub mismatches: Vec<(String, f64, f64)>,
    /// Number of residuals.
    pub residual_count: usize,
    /// Evaluations with and without slopes.
    pub evaluations: usize,
    /// Evaluations with slopes.
    pub jacobians: usize,
    /// Largest over smallest singular value of the slopes; nothing where that was not asked.
    pub condition: Option<f64>,
    /// Singular values, the largest first.
    pub singular: Vec<f64>,
    /// Directions that the data do not determine well.
    pub weak: Vec<Weak>,
    /// Unknowns.
    pub unknowns: Vec<UnknownRecord>,
    /// Correlation of free unknowns, by their numbers in `unknowns`, row after row.
    pub correlation: (Vec<usize>, Vec<f64>),
    /// Terms at all samples.
    pub residuals: Vec<Residual>,
    /// Rounds of all searches.
    pub history: Vec<Round>,
    /// Starts.
    pub starts: Vec<Start>,
    /// Front of several objectives, from the least first one on.
    pub front: Vec<FrontPoint>,
    /// Its point nearest the least values of all objectives, by number: the one that the run shows.
    pub middle: Option<usize>,
    /// Volume that the front dominates at the end of each stage.
    pub volumes: Vec<f64>,
    /// Constraints that do not hold at the end, with how far they are exceeded, SI.
    pub exceeded: Vec<(String, f64)>,
    /// Constraints that unknowns give way to at the end.
    pub limits: Vec<LimitRecord>,
    /// Root of r'r/(m - n) of weighted residuals, where m - n is above zero: of known noise about 1; with m - n.
    pub scatter: Option<(f64, usize)>,
    /// Rise of J at the ends of a 95 % interval; nothing where intervals are not told.
    pub rise: Option<f64>,
    /// Largest differences that count as good, by trial and term, SI, where they are said.
    pub accepts: Vec<(String, String, f64)>,
    /// Terms at the ends of a front and in its middle: number of the point, and the same as `residuals`.
    pub front_curves: Vec<(usize, Vec<Residual>)>,
    /// What further searches found.
    pub wider: Wider,
    /// Evaluations that had no value, and why the first of them had none.
    pub rejected: usize,
    /// See `rejected`.
    pub rejected_because: Option<String>,
}
