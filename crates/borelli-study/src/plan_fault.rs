//! What does not fit between a plan and the system it is put to.
//! Not here: faults of the text of study files (`read`), failures of a run that has begun (`Status`).
//! In: facts. Out: code, message and hint.

use crate::formula_dimension::DimensionFault;
use borelli_model::{Dim, Explain, Span};

/// A plan that cannot be carried out with this system.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum PlanFault {
    /// A formula that cannot be read.
    Formula { text: String, cause: String, hint: String },
    /// A formula whose units make no sense.
    FormulaUnits { text: String, fault: DimensionFault },
    /// A unit nobody knows.
    UnknownUnit { unit: String },
    /// A unit that is not SI where only SI may stand.
    UnitNotSi { unit: String, si: String },
    /// A value of another dimension than asked for.
    WrongUnit { found: Dim, expected: Dim },
    /// A value that is no quantity.
    NotQuantity { text: String },
    /// A formulation that declined.
    Declined { formulation: String, reason: String },
    /// A formulation that what is asked for cannot use.
    FormulationUnused { formulation: String, used: &'static str, by: &'static str },
    /// An integrator nobody knows.
    UnknownMethod { name: String, known: Vec<&'static str> },
    /// Parameters of an implicit scheme that are out of range.
    BadScheme { reason: String },
    /// A fixed-step method without a step.
    StepMissing { method: String },
    /// A loop or guide that is not there.
    UnknownRow { found: String, action: &'static str, known: Vec<String> },
    /// A pattern that no column matches.
    NoColumn { pattern: String, nearest: Option<String> },
    /// A start that cannot be assembled.
    Unassembled { reason: String },
    /// A start that was to be in balance.
    Unbalanced { element: String, reason: String },
    /// A start in balance where it is not available.
    BalanceUnused { what: String },
    /// A coordinate to be held that is not there, or is part of a quaternion.
    UnknownHeld { found: String, quaternion: bool, nearest: Option<String> },
    /// A coordinate or speed that is not there.
    UnknownStart { path: String, nearest: Option<String> },
    /// Shooting without unknowns or targets, or with fewer targets than unknowns.
    ShootIncomplete { unknowns: usize, targets: usize },
    /// A target that uses something whose slope is not known.
    TargetColumn { column: String },
    /// A prescribed motion is needed: of a file, or of guides that leave nothing free.
    NoMotion { free: usize },
    /// A file of motion without a coordinate.
    MotionColumn { column: String },
    /// A column of motion in another unit than its coordinate has.
    MotionUnit { column: String, unit: String, expected: &'static str },
    /// A column of motion without a value at a time.
    MotionGap { column: String, time: f64 },
    /// A column of motion that cannot be interpolated.
    MotionValues { column: String, cause: String },
    /// A file of motion without a single coordinate of the model.
    MotionOfAnother { path: String, columns: Vec<String>, coordinates: Vec<String> },
    /// An angle said to be in radians that is too large.
    MotionAngle { column: String, extent: f64 },
    /// A table of motion that cannot be brought to SI.
    MotionTable { reason: String },
    /// A signal that cannot be filtered as asked for.
    FilterFault { signal: String, reason: String },
    /// Markers by the filter of OpenSim, which is for coordinates.
    ForeignMarkers,
    /// A recording without a single marker of the model.
    MarkersOfAnother { path: String, points: Vec<String>, markers: Vec<String> },
    /// A label that the recording does not have.
    NoSuchPoint { label: String, path: String },
    /// A task on a coordinate that is not there.
    UnknownTask { coordinate: String, nearest: Option<String> },
    /// Fewer than two frames in the time that is asked for.
    NoFrames { start: f64, end: f64 },
    /// Frames of which none tells where the body is.
    NothingSeen { frames: usize },
    /// A frame that cannot be fitted.
    FrameRefused { time: f64, reason: String },
    /// Frames that cannot be smoothed together.
    NotSmoothed { reason: String },
    /// A way from markers to coordinates that there is not.
    MethodMissing { method: &'static str, reason: String },
    /// A load whose samples cannot be interpolated.
    LoadValues { load: String, cause: String },
    /// A load that the system does not take.
    LoadRefused { reason: String },
    /// A load on a body that is not there.
    LoadBody { body: String, nearest: Option<String> },
    /// Plates without bodies where feet are not known.
    NoFeet { feet: usize, motion: bool },
    /// A plate that was not recorded all the time.
    LoadTime { plate: String, from: f64, to: f64, start: f64, end: f64 },
    /// Plates under one foot that were sampled at different times.
    LoadClocks,
    /// A time outside a file of motion.
    MotionTime { from: f64, to: f64, start: f64, end: f64 },
    /// A saved state of another model.
    ForeignState { what: &'static str, expected: usize, found: usize },
    /// An analysis that an implicit method cannot do.
    ExplicitOnly { analysis: &'static str, method: String },
    /// An end that is not after the start.
    NoTime { start: f64, end: f64 },
    /// An event that changes the motion that shooting looks at.
    ShootEvent { event: String },
    /// Pairs of surfaces whose force remembers their touchdown, or begins there at once.
    ShootTouch { pairs: Vec<String>, remembers: bool, analysis: &'static str },
    /// Derivatives that cannot be had.
    NoSlopes { reason: String },
    /// Rows that are not held at the start of an analysis that needs all of them.
    ReleasedUnused { analysis: &'static str },
    /// A saved state where none can be gone on from.
    NoRestart { analysis: &'static str },
    /// Going on from a saved state with soft parts.
    SoftRestart,
    /// Events in a run with soft parts.
    SoftEvents,
    /// A method that cannot move soft parts.
    SoftNeedsImplicit { method: String },
    /// An analysis that has no place for soft parts.
    SoftAnalysis { analysis: &'static str },
    /// An element has a state of its own, and the motion is known at its rows only.
    StatesBetweenRows { element: String },
    /// A method that needs slopes of equations that are not those of the model.
    NoJacobian { analysis: &'static str, method: String },
    /// A choice of unknowns that does not fit the model: what is wrong, and what to do.
    Task { code: &'static str, message: String, hint: String },
    /// The same variable given twice.
    KnownTwice { name: String },
    /// An event that lets go or holds a loop or guide where they are left out.
    RowsLeftOut { event: String },
    /// An event of a simulated motion over a variable that is found along it.
    EventOfChain { event: String, column: String },
    /// A row whose terms are not of one unit.
    RowTerms { row: String, terms: Box<[(String, Dim); 2]> },
    /// A tolerance in a unit that no row of what is held is measured in.
    EngageUnit { target: String, found: Dim, expected: &'static str },
    /// A variable that is known but has no value.
    NoValue { name: String },
    /// Accelerations that are known but have no value.
    NoAcceleration { preset: &'static str, names: Vec<String> },
    /// A column of the motion where there is no motion.
    ColumnWithoutMotion { column: String },
    /// A column that the motion does not have.
    NoMotionColumn { column: String, nearest: Option<String> },
    /// A coordinate that a function cannot be added to.
    NoCorrected { coordinate: String, nearest: Option<String> },
    /// A function that the model does not have.
    NoFunction { function: String, nearest: Option<String> },
    /// A value of a variable in another unit.
    VariableUnit { name: String, found: Dim, expected: Dim },
    /// More numbers than fit into memory; intervals from the given one on would do, s.
    TooManySamples { samples: f64, columns: usize, interval: f64 },
    /// Maps of a model without pressure mats.
    NoMat,
    /// Maps that do not fit into memory.
    TooManyFrames { frames: f64, cells: usize, limit: f64 },
}

/// A fault with its place: where it is written, or the field of a table it speaks of.
#[derive(Clone, Debug)]
pub(crate) struct Misfit {
    /// Where it is written, where that is known.
    pub at: Option<Span>,
    /// Table.
    pub table: &'static str,
    /// Its field, or empty.
    pub field: &'static str,
    /// What is wrong.
    pub fault: Box<PlanFault>,
}

impl Misfit {
    /// A fault of a field.
    pub(crate) fn of(table: &'static str, field: &'static str, fault: PlanFault) -> Misfit {
        Misfit { at: None, table, field, fault: Box::new(fault) }
    }

    /// The same where it is written.
    pub(crate) fn at(mut self, at: Option<Span>) -> Misfit {
        self.at = at;
        self
    }
}

use PlanFault::*;

/// The first names of a list.
fn shortened(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    format!("{}{more}", names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", "))
}

impl Explain for PlanFault {
    fn code(&self) -> &'static str {
        match self {
            Formula { .. } => "bad-formula",
            FormulaUnits { fault, .. } => fault.code(),
            UnknownUnit { .. } => "unknown-unit",
            UnitNotSi { .. } => "unit-not-si",
            WrongUnit { .. } => "wrong-unit",
            NotQuantity { .. } => "not-a-quantity",
            Declined { .. } => "formulation-declined",
            FormulationUnused { .. } => "formulation-not-used",
            UnknownMethod { .. } => "unknown-integrator",
            BadScheme { .. } => "bad-scheme",
            StepMissing { .. } => "step-missing",
            UnknownRow { .. } => "unknown-row",
            NoColumn { .. } => "no-such-column",
            Unassembled { .. } => "start-not-assembled",
            Unbalanced { .. } => "start-not-balanced",
            BalanceUnused { .. } => "start-balance-not-used",
            UnknownHeld { .. } => "unknown-held-coordinate",
            UnknownStart { .. } => "unknown-start-value",
            ShootIncomplete { .. } => "shoot-incomplete",
            TargetColumn { .. } => "target-not-a-state",
            NoMotion { .. } => "motion-not-prescribed",
            MotionColumn { .. } => "motion-column-missing",
            MotionUnit { .. } => "motion-unit",
            MotionGap { .. } => "motion-gap",
            MotionValues { .. } => "motion-values",
            MotionOfAnother { .. } => "motion-of-another-model",
            MotionAngle { .. } => "motion-angle",
            MotionTable { .. } => "motion-table",
            FilterFault { .. } => "cannot-filter",
            ForeignMarkers => "foreign-filter-of-markers",
            MarkersOfAnother { .. } => "markers-of-another-model",
            NoSuchPoint { .. } => "no-such-point",
            UnknownTask { .. } => "unknown-task",
            NoFrames { .. } => "no-frames",
            NothingSeen { .. } => "nothing-seen",
            FrameRefused { .. } => "frame-refused",
            NotSmoothed { .. } => "not-smoothed",
            MethodMissing { .. } => "method-missing",
            LoadValues { .. } => "load-values",
            LoadRefused { .. } => "load-refused",
            LoadBody { .. } => "unknown-load-body",
            NoFeet { .. } => "no-feet",
            LoadTime { .. } => "loads-too-short",
            LoadClocks => "load-clocks",
            MotionTime { .. } => "motion-too-short",
            ForeignState { .. } => "state-of-another-model",
            ExplicitOnly { .. } => "explicit-only",
            NoTime { .. } => "no-time",
            ShootEvent { .. } => "event-while-shooting",
            ShootTouch { .. } => "touchdown-while-shooting",
            NoSlopes { .. } => "no-derivatives",
            ReleasedUnused { .. } => "released-not-used",
            NoRestart { .. } => "no-restart",
            SoftRestart => "soft-restart",
            SoftEvents => "soft-events",
            SoftNeedsImplicit { .. } => "soft-needs-implicit",
            SoftAnalysis { .. } => "soft-analysis",
            StatesBetweenRows { .. } => "states-between-rows",
            NoJacobian { .. } => "no-jacobian",
            Task { code, .. } => code,
            KnownTwice { .. } => "known-twice",
            RowsLeftOut { .. } => "rows-left-out",
            EventOfChain { .. } => "event-of-chain",
            RowTerms { .. } => "row-units",
            EngageUnit { .. } => "wrong-unit",
            NoValue { .. } => "no-value",
            NoAcceleration { .. } => "acceleration-not-given",
            ColumnWithoutMotion { .. } => "column-without-motion",
            NoMotionColumn { .. } => "no-motion-column",
            NoCorrected { .. } => "no-corrected-coordinate",
            NoFunction { .. } => "no-function",
            VariableUnit { .. } => "wrong-unit",
            TooManySamples { .. } => "too-many-samples",
            NoMat => "no-pressure-mat",
            TooManyFrames { .. } => "too-many-frames",
        }
    }

    fn message(&self) -> String {
        match self {
            Formula { text, cause, .. } => format!("formula `{text}`: {cause}"),
            FormulaUnits { text, fault } => format!("formula `{text}`: {}", fault.message()),
            UnknownUnit { unit } => format!("unknown unit `{unit}`"),
            UnitNotSi { unit, .. } => format!("columns are kept in SI, `{unit}` is not"),
            WrongUnit { found, expected } => format!("is in {found}, expected {expected}"),
            NotQuantity { text } => format!("`{text}` is no number with a unit"),
            Declined { formulation, reason } => format!("formulation `{formulation}` does not take this model: {reason}"),
            FormulationUnused { formulation, used, by } => {
                format!("`{by}` is computed with the formulation `{used}` only, not with `{formulation}`")
            }
            UnknownMethod { name, .. } => format!("there is no integrator `{name}`"),
            BadScheme { reason } => reason.split("\n  hint:").next().unwrap_or_default().to_string(),
            StepMissing { method } => format!("`{method}` takes steps of a fixed length, and none is given"),
            UnknownRow { found, action, .. } => format!("the model has no `{found}` to {action}"),
            NoColumn { pattern, .. } => format!("no column is called `{pattern}`"),
            Unassembled { reason } => format!("the start cannot be assembled: {reason}"),
            Unbalanced { element, reason } => {
                let at = if element.is_empty() { String::new() } else { format!(" at `{element}`") };
                format!("no balance to start from is found{at}: {}", reason.lines().next().unwrap_or_default())
            }
            BalanceUnused { what } => format!("a start in balance is for `simulate` and `statics` of rigid bodies, not for {what}"),
            UnknownHeld { found, quaternion: true, .. } => format!("`{found}` is part of a quaternion and cannot be held alone"),
            UnknownHeld { found, .. } => format!("the model has no coordinate `{found}` to hold"),
            UnknownStart { path, .. } => format!("the model has no start value `{path}`"),
            ShootIncomplete { unknowns, targets } => {
                format!("shooting needs at least one unknown and as many targets; there are {unknowns} and {targets}")
            }
            TargetColumn { column } => format!("a target may use values and rates of coordinates only, not `{column}`"),
            NoMotion { free } => format!("no motion is prescribed: guides and loops leave {free} degrees of freedom"),
            MotionColumn { column } => format!("the motion has no column `{column}`"),
            MotionUnit { column, unit, expected } => {
                format!("column `{column}` of the motion is in `{unit}`, the coordinate is in `{expected}`")
            }
            MotionGap { column, time } => format!("column `{column}` of the motion has no value at {time} s"),
            MotionValues { column, cause } => format!("column `{column}` of the motion cannot be interpolated: {cause}"),
            MotionOfAnother { path, .. } => format!("no column of `{path}` is a coordinate of the model"),
            MotionAngle { column, extent } => format!("column `{column}` is taken to be in radians and reaches {extent:.3} rad"),
            MotionTable { reason } => format!("the motion cannot be used: {}", reason.lines().next().unwrap_or_default()),
            FilterFault { signal, reason } => format!("`{signal}` cannot be filtered: {reason}"),
            ForeignMarkers => "the filter `opensim` is for coordinates, not for markers".into(),
            MarkersOfAnother { path, markers, .. } if markers.is_empty() => {
                format!("the model has no markers, those of `{path}` fit nothing")
            }
            MarkersOfAnother { path, points, markers } => {
                format!("no marker of the model is in `{path}`: the model has {}; the file has {}", shortened(markers), shortened(points))
            }
            NoSuchPoint { label, path } => format!("`{path}` has no marker `{label}`"),
            UnknownTask { coordinate, .. } => format!("the model has no coordinate `{coordinate}`"),
            NoFrames { start, end } => format!("there are fewer than two frames between {start} and {end} s"),
            NothingSeen { frames } => format!("in none of {frames} frames are there markers enough to tell where the body is"),
            FrameRefused { time, reason } => format!("the frame at {time} s cannot be fitted: {reason}"),
            NotSmoothed { reason } => format!("frames cannot be smoothed together: {reason}"),
            MethodMissing { method, reason } => format!("the method `{method}` does not take this model: {reason}"),
            LoadValues { load, cause } => format!("load `{load}` cannot be interpolated: {cause}"),
            LoadRefused { reason } => reason.clone(),
            LoadBody { body, .. } => format!("the model has no body `{body}` to load"),
            NoFeet { motion: false, .. } => "without a motion it cannot be found which foot stands on which plate".into(),
            NoFeet { feet: 0, .. } => "no marker of the model is known to be a heel, so that plates have no foot".into(),
            NoFeet { .. } => "the motion does not tell where the feet are".into(),
            LoadTime { plate, from, to, start, end } => {
                format!("plate `{plate}` was recorded from {from} to {to} s, asked for is {start} to {end} s")
            }
            LoadClocks => "a foot stands on two plates that were sampled at different times".into(),
            MotionTime { from, to, start, end } => format!("the motion is given from {from} to {to} s, asked for is {start} to {end} s"),
            ForeignState { what, expected, found } => format!("the saved state has {found} {what}, the model has {expected}"),
            ExplicitOnly { analysis, method } => format!("analysis `{analysis}` cannot use the integrator `{method}`"),
            NoTime { start, end } => format!("the run would end at {end} s and start at {start} s"),
            ShootEvent { event } => format!("event `{event}` stops or changes the motion, and shooting needs it whole"),
            ShootTouch { pairs, remembers, analysis } => {
                let why = if *remembers { "remembers the speed of touchdown" } else { "begins with a jump at touchdown" };
                format!("the force of `{}` {why}, and the analysis `{analysis}` sees no touchdown", pairs.join("`, `"))
            }
            NoSlopes { reason } => format!("there are no derivatives: {reason}"),
            ReleasedUnused { analysis } => format!("analysis `{analysis}` holds all loops and guides"),
            SoftRestart => {
                "a run with soft parts does not go on from a saved state: which of their nodes touch, and with what force, is not saved"
                    .into()
            }
            SoftEvents => "events are not looked for in runs with soft parts: what soft parts do is known at the ends of steps only".into(),
            SoftNeedsImplicit { method } => {
                format!("`{method}` cannot move soft parts: their nodes, ties and contacts are solved for in each step")
            }
            SoftAnalysis { analysis } => format!("analysis `{analysis}` cannot take models with soft parts"),
            NoRestart { analysis } => format!("analysis `{analysis}` does not go on from a saved state"),
            StatesBetweenRows { element } => {
                format!(
                    "`{element}` has a state of its own, which is integrated along the motion; with exact derivatives that is known at its rows only"
                )
            }
            NoJacobian { analysis, method } => format!("analysis `{analysis}` has no slopes, which the integrator `{method}` needs"),
            Task { message, .. } => message.clone(),
            KnownTwice { name } => format!("`{name}` is given twice"),
            RowsLeftOut { event } => format!("event `{event}` lets go or holds a loop or guide, and all of them are left out"),
            EventOfChain { event, column } => {
                format!(
                    "event `{event}` watches `{column}`, which is not there while the motion is simulated: it is found along it afterwards"
                )
            }
            RowTerms { row, terms } => {
                let [(first, unit), (other, found)] = &**terms;
                format!("row `{row}` adds what is not of one unit: `{first}` with its weight is in {unit}, `{other}` in {found}")
            }
            EngageUnit { target, found, expected } => format!("rows of `{target}` move in {expected}, the tolerance is in {found}"),
            NoValue { name } => format!("`{name}` is known, but it has no value"),
            NoAcceleration { preset, names } => {
                format!("preset `{preset}` takes accelerations as known, and no motion gives them: {}", names.join(", "))
            }
            ColumnWithoutMotion { column } => format!("`{column}` is to be a column of a motion, and none is prescribed"),
            NoMotionColumn { column, .. } => format!("the motion has no column `{column}`"),
            NoCorrected { coordinate, .. } => format!("the model has no coordinate `{coordinate}` that a function can be added to"),
            NoFunction { function, .. } => format!("the model has no function `{function}`"),
            VariableUnit { name, found, expected } => format!("`{name}` is in {expected}, its value in {found}"),
            TooManySamples { samples, columns, .. } => format!("{samples:.3e} samples of {columns} columns do not fit into memory"),
            NoMat => "the model has no pressure mat".into(),
            TooManyFrames { frames, cells, limit } => format!("{frames:.3e} maps of {cells} cells are more than {limit:.0e} numbers"),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            NoCorrected { nearest: Some(near), .. } | NoFunction { nearest: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            NoCorrected { .. } => Some("name a coordinate that is an angle or a length".into()),
            NoFunction { .. } => Some("name a function of the model, [function.NAME]".into()),
            Formula { hint, .. } => Some(hint.clone()).filter(|hint| !hint.is_empty()),
            FormulaUnits { fault, .. } => fault.hint(),
            UnknownUnit { .. } | NotQuantity { .. } => Some("write for instance \"20 deg\", \"1.4 cm\", \"5 1/s\"".into()),
            UnitNotSi { si, .. } => Some(format!("write \"{si}\"; reports show degrees on their own")),
            WrongUnit { .. } | Declined { .. } | ForeignState { .. } => None,
            FormulationUnused { used, .. } => Some(format!("write formulation = \"{used}\", or leave it out")),
            UnknownMethod { known, .. } => Some(format!("known are {}", known.join(", "))),
            BadScheme { reason } => reason.split_once("\n  hint: ").map(|(_, hint)| hint.to_string()),
            StepMissing { .. } => Some("give [integrator] step = \"1 ms\"".into()),
            UnknownRow { known, .. } if known.is_empty() => Some("it has neither loops nor guides".into()),
            UnknownRow { known, .. } => Some(format!("it has {}", known.join(", "))),
            NoColumn { pattern, .. } if pattern.starts_with("system.work") || pattern == "system.energy.balance" => {
                Some("work is integrated with a motion: in `simulate`, `shoot`, and `mixed` without a motion of its own".into())
            }
            NoColumn { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            NoColumn { .. } => Some("a `*` stands for any text: `coord.*`, `*.reaction.force.x`".into()),
            Unassembled { .. } => Some("`borelli check` says more about the start".into()),
            Unbalanced { .. } => Some("start nearer to the balance, or hold a coordinate: [start] hold = [\"knee\"]".into()),
            BalanceUnused { .. } => Some("write [start] rule = \"assemble\", or leave it out".into()),
            UnknownHeld { quaternion: true, .. } => Some("give the free joint rotation = \"angles\", and hold one of these".into()),
            UnknownHeld { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            UnknownHeld { .. } => Some("`borelli check` lists the coordinates of a model".into()),
            UnknownStart { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            UnknownStart { .. } => Some("write `initial.coordinates.NAME` or `initial.speeds.NAME`".into()),
            ShootIncomplete { .. } => Some("give [shoot] unknowns and [[shoot.target]]".into()),
            TargetColumn { .. } => Some("exact slopes are known for `coord.NAME.value` and `coord.NAME.rate`".into()),
            NoMotion { .. } => Some("guide every coordinate, or give [motion] file".into()),
            MotionColumn { .. } => Some("a motion needs `coord.NAME.value` of every coordinate".into()),
            MotionUnit { .. } => Some("is it the column of another quantity?".into()),
            MotionGap { .. } => Some("a motion needs a value at every time of its table: fill the gap, or leave the row out".into()),
            MotionValues { .. } => Some("a motion needs at least two times, and numbers of a sensible size".into()),
            MotionOfAnother { columns, coordinates, .. } => {
                Some(format!("the model has {}; the file has {}", shortened(coordinates), shortened(columns)))
            }
            MotionAngle { .. } => Some("if the numbers are degrees, the header must say inDegrees=yes, or the column `[deg]`".into()),
            MotionTable { .. } => None,
            FilterFault { .. } => Some("`borelli data FILE` tells rate and gaps; a cut-off lies below half the rate".into()),
            ForeignMarkers => Some("write kind = \"butterworth\", or of = \"coordinates\"".into()),
            MarkersOfAnother { markers, .. } if markers.is_empty() => Some("add [marker.NAME] tables to the model".into()),
            MarkersOfAnother { .. } => Some("[markers] names = { FILE = \"MODEL\" } says which is which".into()),
            NoSuchPoint { .. } => Some("`names` is { LABEL OF THE FILE = \"label of the model\" }".into()),
            UnknownTask { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            UnknownTask { .. } => Some("`borelli check` lists the coordinates of a model".into()),
            NoFrames { .. } => Some("set [time] start and end within the recording, or leave them out".into()),
            NothingSeen { .. } => {
                Some("`borelli data FILE` tells which markers are seen; the labels of the model's markers must be those of the file".into())
            }
            FrameRefused { .. } => Some("`borelli data FILE` tells what is in it".into()),
            NotSmoothed { .. } => Some("write trajectory = \"frames\"".into()),
            MethodMissing { .. } => Some("write method = \"markers\"".into()),
            LoadValues { .. } => Some("`borelli data FILE` tells what is in it".into()),
            LoadRefused { .. } => Some("give the force element of the model another name, or the load another body".into()),
            LoadBody { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            LoadBody { .. } => Some("`borelli check` lists the bodies of a model".into()),
            NoFeet { .. } => Some("write [[load]] with plate and body".into()),
            LoadTime { .. } => Some("set [time] start and end within the loads, or say outside = \"unloaded\" in [loads]".into()),
            LoadClocks => Some("write [[load]] with plate and body for each".into()),
            MotionTime { .. } => Some("set [time] start and end within the motion".into()),
            ExplicitOnly { .. } => Some("use dopri5, adams or rosenbrock".into()),
            NoTime { .. } => Some("set [time] end after its start".into()),
            ShootEvent { .. } => Some("let it only note, and say with [time] end when the targets are to be met".into()),
            NoSlopes { .. } => {
                Some("analysis `sensitivity` takes trees of bodies with forces and smooth contacts, and events that note or stop".into())
            }
            ShootTouch { remembers: true, .. } => {
                Some("take a normal law without memory, such as { type = \"hunt-crossley\", ... }; `borelli laws` lists them".into())
            }
            ShootTouch { .. } => Some(
                "take a normal law that grows from zero, such as { type = \"hunt-crossley\", ... }, and friction without a viscous part"
                    .into(),
            ),
            ReleasedUnused { .. } => Some("leave it out; `simulate` and `statics` begin with loops and guides let go".into()),
            SoftRestart => Some("leave out the restart, and run from the start".into()),
            SoftEvents => Some("leave the events out, and look at the columns".into()),
            SoftNeedsImplicit { .. } => Some("write method = \"newmark\" or \"generalised-alpha\", with a step".into()),
            SoftAnalysis { .. } => Some("`simulate` and `statics` take them, with formulation = \"coupled\"".into()),
            NoRestart { .. } => Some("leave out the restart; `simulate` goes on from one, `statics` searches from one".into()),
            StatesBetweenRows { .. } => Some("write derivatives = \"spline\" or \"quintic\", or leave the element out".into()),
            NoJacobian { .. } => Some("use dopri5, adams, heun or rk4".into()),
            Task { hint, .. } => Some(hint.clone()),
            KnownTwice { .. } => Some("a name and a symbol may mean the same variable".into()),
            RowsLeftOut { .. } => Some("write [mixed] loops = \"keep\", or let the event note or stop".into()),
            EventOfChain { .. } => Some("watch a column of `simulate`, such as `coord.NAME.value` or `joint.NAME.reaction.force.y`".into()),
            RowTerms { .. } => Some("give weights their units, such as \"0.3 m/rad\" for a length times an angular acceleration".into()),
            EngageUnit { expected, .. } => Some(format!("write it in {expected}; a bare number is SI")),
            NoValue { .. } => Some("write `value`, `extra` or `column`; only accelerations along a [motion] have one already".into()),
            NoAcceleration { .. } => Some("give [motion], or let preset = \"forward\" find them".into()),
            ColumnWithoutMotion { .. } => Some("give [motion] file or from = \"simulate\", or write `value`".into()),
            NoMotionColumn { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            NoMotionColumn { .. } => {
                Some("columns of a simulated motion are those of `simulate`, such as `joint.NAME.reaction.force.x`".into())
            }
            VariableUnit { expected, .. } => Some(format!("write a quantity such as \"1.5 {expected}\"; a bare number is SI")),
            TooManySamples { interval, .. } => {
                Some(format!("give [time] sample = \"{interval:.1e} s\" or more, or record fewer [columns]"))
            }
            NoMat => Some("take the table out, or give the model a [sensor.NAME] of type = \"pressure-mat\"".into()),
            TooManyFrames { .. } => Some("keep fewer frames, or take fewer and larger cells".into()),
        }
    }
}
