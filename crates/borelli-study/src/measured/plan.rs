//! What a plan says of measured data: markers, what is done to signals, loads. Plain data.
//! Not here: reading files (`read`), what becomes of it (`markers`, `filter`, `loads`).
//! In: numbers in SI, recordings in the axes of models. Out: nothing.

use borelli_data::Recording;
use borelli_math::{Mat3, Vec3};
use borelli_model::Span;
use std::sync::Arc;

/// How coordinates of neighbouring frames are tied together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Frames {
    /// Not at all: every frame is fitted by itself.
    #[default]
    Single,
    /// All frames at once, with a price on changes of velocity.
    Smooth {
        /// Noise of markers in each direction that is left, m; nothing: such that points left out are predicted best.
        noise: Option<f64>,
    },
}

/// How markers become coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Least squares of all markers.
    #[default]
    Markers,
    /// One reference point and the angles of segments, whose lengths are constant: planar chains.
    Angles,
}

/// What a coordinate is drawn to.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskValue {
    /// The default of the model.
    Default,
    /// A quantity as it is written: SI or with its unit.
    Quantity(String),
}

/// A coordinate that is drawn to a value while markers are fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct CoordinateTask {
    /// Name of the coordinate.
    pub coordinate: String,
    /// Weight, m²/rad² or a pure number, beside a weight of 1 of the mean square of marker errors.
    pub weight: f64,
    /// What it is drawn to.
    pub value: TaskValue,
    /// Where it stands.
    pub at: Span,
}

/// Measured markers.
#[derive(Clone, Debug)]
pub struct Markers {
    /// Path, for messages.
    pub path: String,
    /// What was measured, in the axes of models: x forward, y up, z to the right.
    pub recording: Arc<Recording>,
    /// Rotation from the axes of the laboratory to those of models.
    pub R_ML: Mat3<f64>,
    /// Weights by pattern of the label in the file; the last pattern that fits counts, and stands before the weight of the model.
    pub weights: Vec<(String, f64)>,
    /// Labels of the file and those of the model that they mean.
    pub names: Vec<(String, String)>,
    /// Longest gap that is filled, s.
    pub max_gap: f64,
    /// Coordinates that are drawn to values.
    pub tasks: Vec<CoordinateTask>,
    /// Whether frames are tied together.
    pub frames: Frames,
    /// How coordinates are found.
    pub method: Method,
    /// Exchanged markers are put back, not only told.
    pub mend_swaps: bool,
    /// What was decided on reading, for people: axes, walking direction, repairs.
    pub notes: Vec<(String, String)>,
}

/// What a filter works on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FilterOf {
    /// Coordinates of the motion.
    #[default]
    Coordinates,
    /// Markers, before coordinates are found.
    Markers,
}

/// Where a low-pass filter cuts off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cutoff {
    /// At a frequency, Hz.
    At(f64),
    /// Where the analysis of residuals proposes, for each channel.
    Residual,
    /// As pass band, Hz, stop band, Hz, and loss in the stop band, dB, ask for.
    Bands {
        /// Frequency at which half the power is left, Hz.
        pass: f64,
        /// Frequency at which the loss is reached, Hz.
        stop: f64,
        /// Loss there, dB, of all passes together.
        loss: f64,
    },
}

/// How the cut-off of one pass is set so that all passes together have theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Correction {
    /// By the analog edge: half the power is left exactly at the cut-off.
    #[default]
    Exact,
    /// By the frequency itself.
    Frequency,
    /// Not at all.
    None,
}

/// What is done to a signal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FilterRule {
    /// Nothing.
    None,
    /// A Butterworth filter forward and backward.
    Butterworth {
        /// Where it cuts off.
        cutoff: Cutoff,
        /// Order of one pass.
        order: usize,
        /// How passes are corrected.
        correction: Correction,
        /// Samples that each end is lengthened by; nothing: as the filter likes it.
        pad: Option<usize>,
    },
    /// The filter of OpenSim with its own habits.
    Foreign {
        /// Cut-off, Hz.
        cutoff: f64,
    },
    /// A quintic smoothing spline, its smoothness by generalised cross-validation.
    Spline,
}

impl FilterRule {
    /// Where it cuts off, Hz; nothing where that follows from the signal.
    pub fn cutoff(&self) -> Option<f64> {
        match self {
            FilterRule::Butterworth { cutoff: Cutoff::At(cutoff) | Cutoff::Bands { pass: cutoff, .. }, .. }
            | FilterRule::Foreign { cutoff } => Some(*cutoff),
            FilterRule::None | FilterRule::Spline | FilterRule::Butterworth { .. } => None,
        }
    }

    /// Whether it takes its cut-off from the signal itself.
    pub fn looks_at_signal(&self) -> bool {
        matches!(self, FilterRule::Spline | FilterRule::Butterworth { cutoff: Cutoff::Residual, .. })
    }
}

/// A filter and what it works on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filter {
    /// What it works on.
    pub of: FilterOf,
    /// What it does.
    pub rule: FilterRule,
}

/// How loads run between their samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadInterpolation {
    /// Straight.
    #[default]
    Linear,
    /// By natural cubic splines.
    Natural,
}

/// Low-pass filter of loads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LoadCutoff {
    /// 0.45 of the rate of the motion, where the loads are sampled faster.
    #[default]
    OfMotion,
    /// At a frequency, Hz.
    At(f64),
    /// None.
    None,
}

/// What holds at times at which loads were not recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadOutside {
    /// A run that needs them is refused.
    #[default]
    Refused,
    /// There is no load, and it is told.
    Unloaded,
}

/// Which body a plate loads.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadRule {
    /// The plate, by its name: its number in the file from one, or the prefix of its columns.
    pub plate: String,
    /// Body it loads; nothing: found from where the centre of pressure lies.
    pub body: Option<String>,
    /// Where it stands; nothing where the plan found it itself.
    pub at: Option<Span>,
}

/// What of a measured load noise is put on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadPart {
    /// Force.
    Force,
    /// Point of application.
    Point,
    /// Couple.
    Couple,
}

/// Noise that is put on the load of a plate before anything is done to it.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadNoise {
    /// Name of the plate.
    pub plate: String,
    /// What it is put on.
    pub part: LoadPart,
    /// What is added to each sample with a load, SI, axes of models.
    pub added: Vec<Vec3<f64>>,
    /// What each is multiplied by before that, less one.
    pub scaled: Vec<f64>,
}

/// Measured loads.
#[derive(Clone, Debug)]
pub struct LoadFile {
    /// Path, for messages.
    pub path: String,
    /// What was measured, in the axes of models; raw channels are in those of the laboratory.
    pub recording: Arc<Recording>,
    /// Rotation from the axes of the laboratory to those of models.
    pub R_ML: Mat3<f64>,
    /// Normal load below which there is no load at all, N; nothing: all samples count as they are.
    pub threshold: Option<f64>,
    /// Between samples.
    pub interpolation: LoadInterpolation,
    /// Before interpolation.
    pub cutoff: LoadCutoff,
    /// Before the first and after the last sample.
    pub outside: LoadOutside,
    /// Which plate loads which body; without any, all plates, to be assigned.
    pub rules: Vec<LoadRule>,
    /// What was decided on reading, for people.
    pub notes: Vec<(String, String)>,
    /// Noise that is put on it.
    pub noise: Vec<LoadNoise>,
}
