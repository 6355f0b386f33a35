//! A plan: one run, every choice made. What a study file, a model alone, or the command line come down to.
//! Not here: reading files (`read`), running (`run`).
//! In: numbers in SI, names as text. Out: nothing; plain data that can be compared and printed.

use crate::fit::Fit;
use crate::measured::{Filter, LoadFile, Markers};
use crate::uncertainty::Uncertainty;
use borelli_data::Trajectory;
use borelli_data::format::AngleBasis;
use borelli_dynamics::formulation::segment_chain::Task;
use borelli_dynamics::integrate::{Direction, Form, Settings, StartAcceleration};
use borelli_dynamics::movement::DriftControl;
use borelli_model::{Dim, Sources, Span, Value};
use std::sync::Arc;

/// What is asked of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// Integrates the motion from the start.
    Simulate,
    /// Computes everything along a prescribed motion, without integrating.
    Evaluate,
    /// The generalised forces that a prescribed motion needs.
    Inverse,
    /// Finds start values for which the motion ends as asked.
    Shoot,
    /// Finds an equilibrium.
    Statics,
    /// Solves a planar chain for any choice of unknown forces, moments and accelerations.
    Mixed,
    /// Finds the coordinates that bring the markers of the model to where they were measured.
    Kinematics,
    /// Integrates the motion and finds how largest values of columns change with parameters.
    Sensitivity,
    /// Finds parameters for which another analysis agrees with what was measured.
    Fit,
    /// Finds how uncertain the results of another analysis are.
    Uncertainty,
}

impl Analysis {
    /// All, with their names in files.
    pub const ALL: [(&'static str, Analysis); 10] = [
        ("simulate", Analysis::Simulate),
        ("evaluate", Analysis::Evaluate),
        ("inverse", Analysis::Inverse),
        ("shoot", Analysis::Shoot),
        ("statics", Analysis::Statics),
        ("mixed", Analysis::Mixed),
        ("kinematics", Analysis::Kinematics),
        ("sensitivity", Analysis::Sensitivity),
        ("fit", Analysis::Fit),
        ("uncertainty", Analysis::Uncertainty),
    ];

    /// Name in files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, analysis)| *analysis == self).map_or("", |(name, _)| name)
    }
}

/// Which model is run.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelSource {
    /// The one the caller has.
    Given,
    /// A model of the gallery.
    Gallery {
        /// Its name.
        name: String,
        /// Where it is named.
        at: Span,
    },
    /// A model file.
    File {
        /// Its path, seen from where the path of the study is seen from.
        path: String,
        /// Where it is named.
        at: Span,
    },
}

/// A value given to a parameter (`body.shank.mass`) or to a start value (`initial.speeds.knee`): checked against the compiled model.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Path.
    pub path: String,
    /// As it is written: a number in SI, or a number with its unit.
    pub text: String,
    /// Where it stands in a file, if in one.
    pub at: Option<Span>,
}

/// A control of a force element that is replaced; checked when the model is compiled with it.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlSetting {
    /// Path: `force.motor.command`.
    pub path: String,
    /// A number, a function by name, or a function in place, as in a model file; it stands in the texts of the plan.
    pub value: Value,
}

/// When.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// Start, s.
    pub start: f64,
    /// End, s.
    pub end: f64,
    /// Interval between recorded samples, s; nothing: a two-hundredth of the whole.
    pub sample: Option<f64>,
}

impl Time {
    /// How far beyond start and end a measured sample may lie that is meant to be there, s: files round times to 1 ms, that of the sample and that of
    /// the first, from which even ones are counted.
    const ROUNDED: f64 = 1e-3 + 1e-9;

    /// Whether a measured sample lies in it; `interval` is that of its neighbours, s.
    pub(crate) fn holds(&self, t: f64, interval: f64) -> bool {
        let near = Time::ROUNDED.min(0.5 * interval);
        (self.start - near..=self.end + near).contains(&t)
    }
}

/// How time is advanced.
#[derive(Clone, Debug, PartialEq)]
pub struct Integrator {
    /// Name in the list of explicit or implicit methods; nothing: chosen by the model.
    pub method: Option<String>,
    /// Tolerances and steps.
    pub settings: Settings,
    /// Newmark's β.
    pub beta: f64,
    /// Newmark's γ.
    pub gamma: f64,
    /// Spectral radius at infinite frequency of generalised-α.
    pub rho: f64,
    /// What an implicit method iterates on.
    pub form: Form,
    /// What an implicit method starts from.
    pub start_acceleration: StartAcceleration,
    /// Whether soft parts carry the forces of the motion from the start.
    pub settle_soft: bool,
    /// Steps in which statics puts loads on soft parts.
    pub load_steps: usize,
    /// Steps end where functions of time change their polynomial.
    pub stop_at_breakpoints: bool,
}

/// What of the start is made to satisfy loops and guides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartRule {
    /// Coordinates and velocities are assembled.
    Assemble,
    /// Only coordinates are; velocities are taken as given.
    Positions,
    /// Only velocities are, at coordinates that are taken as given.
    Speeds,
    /// Everything is taken as given.
    AsGiven,
    /// Nothing moves, and all forces balance: the equilibrium downhill of the assembled start, sought as `Rest` says.
    Equilibrium,
}

/// How the balance of a start is sought.
#[derive(Clone, Debug, PartialEq)]
pub struct Rest {
    /// Coordinates that stay as the model starts them, whatever force that takes.
    pub hold: Vec<String>,
    /// Whether gravity acts in the balance; in the motion it does.
    pub gravity: bool,
}

impl Default for Rest {
    fn default() -> Self {
        Rest { hold: Vec::new(), gravity: true }
    }
}

/// What happens at an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// It is noted.
    Note,
    /// The run ends.
    Stop,
    /// A loop or guide (`loop.pin`, `guide.hand`) is let go.
    Release(String),
    /// A loop or guide that was let go is held again, where it is then.
    Engage {
        /// Which: `loop.coupling`.
        target: String,
        /// Largest rate of a row at which it can be held without an impact, m/s or rad/s.
        tolerance: f64,
        /// Dimension it is written in; nothing for a bare number, which is SI.
        dim: Option<Dim>,
    },
}

/// A zero crossing to be watched for.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRule {
    /// Name.
    pub name: String,
    /// Formula over columns whose zero is the event.
    pub when: String,
    /// Which way it must cross.
    pub direction: Direction,
    /// What then.
    pub action: Action,
    /// Where the formula stands.
    pub at: Option<Span>,
}

/// A further column, computed from others.
#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    /// Name; the column is `derived.NAME`.
    pub name: String,
    /// Formula over columns.
    pub formula: String,
    /// SI unit; nothing: that of the formula.
    pub unit: Option<String>,
    /// Where the formula stands.
    pub at: Option<Span>,
}

/// What the end of the motion must be.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Formula over columns.
    pub formula: String,
    /// Value at the end, SI or with its unit, as it is written.
    pub value: String,
    /// Where it stands.
    pub at: Option<Span>,
}

/// A boundary-value problem solved by shooting.
#[derive(Clone, Debug, PartialEq)]
pub struct Shoot {
    /// Start values to be found: `initial.speeds.stance`, `initial.coordinates.knee`.
    pub unknowns: Vec<String>,
    /// End conditions.
    pub targets: Vec<Target>,
    /// Largest residual that counts as met, SI.
    pub tolerance: f64,
    /// Most iterations.
    pub iterations: usize,
}

/// A largest value of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// Name.
    pub name: String,
    /// Column.
    pub column: String,
    /// First time looked at, s; nothing: the start.
    pub from: Option<f64>,
    /// Last time looked at, s; nothing: the end.
    pub to: Option<f64>,
    /// Where the column is named.
    pub at: Option<Span>,
}

/// A change of parameters that something is differentiated by.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Name.
    pub name: String,
    /// Parameters, with what is added to each.
    pub settings: Vec<Setting>,
}

/// What derivatives of a motion are asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivities {
    /// Of what.
    pub of: Vec<Peak>,
    /// By what.
    pub by: Vec<Change>,
    /// Whether they are held against differences of whole motions.
    pub differences: bool,
}

/// How velocities and accelerations of a prescribed motion are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Derivatives {
    /// From not-a-knot cubic splines through the values.
    #[default]
    Spline,
    /// From natural quintic splines through the values, whose third and fourth derivatives vanish at the ends.
    Quintic,
    /// They stand beside the values; the motion is known at its own times only.
    Exact,
}

/// A prescribed motion.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Where it comes from.
    pub source: MotionSource,
    /// Its velocities and accelerations.
    pub derivatives: Derivatives,
}

/// How the speed of a touchdown between two samples of a prescribed motion is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Touchdown {
    /// At the zero of the cubic with overlap and rate of both samples.
    #[default]
    Cubic,
    /// The rate at the zero of the straight line between the overlaps, itself on a straight line.
    Line,
}

/// A function of the model that is added to a coordinate of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct CorrectionRule {
    /// Name of the coordinate.
    pub coordinate: String,
    /// Name of the function.
    pub function: String,
    /// Where it is written.
    pub at: Option<Span>,
}

/// Where a prescribed motion comes from.
#[derive(Clone, Debug)]
pub enum MotionSource {
    /// A table with columns `coord.NAME.value`, in SI.
    Table(Trajectory),
    /// A table as its file has it: names and units are settled when it meets a model.
    File(MotionFile),
    /// The coordinates that follow from the markers of the plan.
    Markers,
    /// The model is simulated first, and recorded at an interval, s; nothing: that of the samples.
    Simulated {
        /// Between samples.
        interval: Option<f64>,
    },
}

/// A table of motion as it stands in its file.
#[derive(Clone, Debug)]
pub struct MotionFile {
    /// Path, for messages.
    pub path: String,
    /// The table; SI where the file gives units.
    pub table: Trajectory,
    /// What the file says of angles without a unit.
    pub angles: Angles,
}

/// What a file says of angles without a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Angles {
    /// Whether they are in degrees.
    pub degrees: bool,
    /// Why; nothing for formats that have no word for it.
    pub basis: Option<AngleBasis>,
}

/// The value of a known variable of a mixed problem.
#[derive(Clone, Debug, PartialEq)]
pub enum KnownValue {
    /// A quantity, or a formula over time, coordinates and their rates, as it is written.
    Formula(String),
    /// A column of the prescribed motion.
    Column(String),
    /// An acceleration of the prescribed motion.
    OfMotion,
}

/// What is known and unknown of a chain, with the values of what is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mixed {
    /// By names.
    pub task: Task,
    /// Values of `task.known`, in its order.
    pub known: Vec<KnownValue>,
    /// Right sides of `task.rows`, in their order: quantities or formulas as they are written.
    pub rights: Vec<String>,
    /// Dimensions of the weights of `task.rows`, in the order of rows and terms; what is missing is a pure number.
    pub weights: Vec<Vec<Dim>>,
    /// Where known variables, rows and unknown variables are written, in their order.
    pub places: MixedPlaces,
}

/// Where parts of a mixed problem are written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MixedPlaces {
    /// Of each known variable: its name, its value.
    pub known: Vec<(Span, Span)>,
    /// Of each row: its terms, what it frees, its right side.
    pub rows: Vec<(Span, Span, Span)>,
    /// Of each unknown variable.
    pub unknown: Vec<Span>,
}

/// When maps of pressure mats are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PressureFrames {
    /// So many, evenly from the start to the end.
    Count(usize),
    /// At an interval, s.
    Interval(f64),
}

/// One run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Which model.
    pub model: ModelSource,
    /// What is asked.
    pub analysis: Analysis,
    /// Formulation that computes it.
    pub formulation: String,
    /// Parameters and start values, in order; the last of a path counts.
    pub settings: Vec<Setting>,
    /// Controls of force elements that are not those of the model.
    pub controls: Vec<ControlSetting>,
    /// When.
    pub time: Time,
    /// How.
    pub integrator: Integrator,
    /// What is done about drift.
    pub drift: DriftControl,
    /// What is done to the start.
    pub start: StartRule,
    /// How a start in balance is sought.
    pub rest: Rest,
    /// Loops and guides (`loop.coupling`) that are not held at the start.
    pub released: Vec<String>,
    /// Events.
    pub events: Vec<EventRule>,
    /// Further columns.
    pub derived: Vec<Derived>,
    /// Prescribed motion of `evaluate`, `inverse` and `mixed`; nothing: the guides of the model, or in `mixed` what follows from the start.
    pub motion: Option<Motion>,
    /// Functions of the model that are added to coordinates of the motion, with their slopes.
    pub corrections: Vec<CorrectionRule>,
    /// How laws that remember the speed of a touchdown find it along a prescribed motion.
    pub touchdown: Touchdown,
    /// Measured markers, of `kinematics` and of a motion that follows from them.
    pub markers: Option<Markers>,
    /// What is done to measured coordinates or markers before they are differentiated.
    pub filter: Option<Filter>,
    /// Measured loads.
    pub loads: Option<LoadFile>,
    /// Boundary-value problem of `shoot`.
    pub shoot: Option<Shoot>,
    /// Derivatives of `sensitivity`.
    pub sensitivity: Option<Sensitivities>,
    /// Search of `fit`.
    pub fit: Option<Fit>,
    /// Uncertain inputs of `uncertainty`.
    pub uncertainty: Option<Uncertainty>,
    /// Choice of unknowns of `mixed`.
    pub mixed: Option<Mixed>,
    /// Maps of pressure mats.
    pub pressure: PressureFrames,
    /// Tables that were measured beside the motion, whose columns are recorded with it.
    pub beside: Vec<Trajectory>,
    /// Spans of time, s, whose numbers are not judged: ends of filters, times without known loads.
    pub unjudged: Vec<(f64, f64)>,
    /// Samples are the rows of the motion's table, not those of `time`.
    pub at_rows: bool,
    /// Patterns of the columns to be recorded (`coord.*`); empty: all.
    pub columns: Vec<String>,
    /// Where settings of the study are written: `integrator.method`, `columns`, and tables by their name.
    pub places: Vec<(String, Span)>,
    /// The texts that all places of this plan point into: the study, then one text per setting of the command line.
    pub sources: Arc<Sources>,
}

impl Plan {
    /// Whether time is advanced by an integrator, from a start that may be that of another run.
    pub fn integrates(&self) -> bool {
        match self.analysis {
            Analysis::Simulate | Analysis::Shoot | Analysis::Sensitivity => true,
            Analysis::Mixed => self.motion.is_none(),
            Analysis::Evaluate | Analysis::Inverse | Analysis::Statics | Analysis::Kinematics | Analysis::Fit | Analysis::Uncertainty => {
                false
            }
        }
    }

    /// Whether loops and guides of the model are left out from the start.
    pub fn leaves_rows_out(&self) -> bool {
        self.analysis == Analysis::Mixed && self.mixed.as_ref().is_some_and(|mixed| mixed.task.without_rows)
    }

    /// Where a field of a table is written, else the table; nothing where neither is.
    pub fn place(&self, table: &str, field: &str) -> Option<Span> {
        let find = |path: &str| self.places.iter().find(|(known, _)| known == path).map(|(_, at)| *at);
        let whole = if table.is_empty() { field.to_string() } else { format!("{table}.{field}") };
        find(&whole).or_else(|| find(table))
    }
}

impl Default for Plan {
    /// One second of simulation with the defaults of the program.
    fn default() -> Self {
        Plan {
            model: ModelSource::Given,
            analysis: Analysis::Simulate,
            formulation: "articulated".into(),
            settings: Vec::new(),
            controls: Vec::new(),
            time: Time { start: 0.0, end: 1.0, sample: None },
            integrator: Integrator::default(),
            drift: DriftControl::Projection,
            start: StartRule::Assemble,
            rest: Rest::default(),
            released: Vec::new(),
            events: Vec::new(),
            derived: Vec::new(),
            motion: None,
            corrections: Vec::new(),
            touchdown: Touchdown::default(),
            markers: None,
            filter: None,
            loads: None,
            shoot: None,
            sensitivity: None,
            fit: None,
            uncertainty: None,
            mixed: None,
            pressure: PressureFrames::Count(15),
            beside: Vec::new(),
            unjudged: Vec::new(),
            at_rows: false,
            columns: Vec::new(),
            places: Vec::new(),
            sources: Arc::default(),
        }
    }
}

impl Default for Integrator {
    fn default() -> Self {
        Integrator {
            method: None,
            settings: Settings::default(),
            // The damped set of a published code for deformable joints: β = (γ + ½)²/4.
            beta: 0.3025,
            gamma: 0.6,
            rho: 0.8,
            form: Form::Displacement,
            start_acceleration: StartAcceleration::Consistent,
            settle_soft: false,
            load_steps: 1,
            stop_at_breakpoints: true,
        }
    }
}
