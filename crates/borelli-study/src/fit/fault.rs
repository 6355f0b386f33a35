//! What can be wrong between a fit, its data and a model.
//! Not here: what is wrong with the text of `[fit]` (`read`).

use crate::plan_fault::PlanFault;
use borelli_model::Explain;

/// Why a fit cannot be done.
#[derive(Clone, Debug)]
pub(crate) enum FitFault {
    /// As for any plan.
    Plan(PlanFault),
    /// An unknown whose bounds or start cannot be.
    Unknown { unknown: String, reason: String },
    /// A measured column that no table has.
    NoMeasured { trial: String, column: String, nearest: Option<String> },
    /// A measured column that cannot be compared.
    BadMeasured { trial: String, column: String, reason: String },
    /// A quantity that cannot be.
    BadQuantity { found: String, reason: String },
    /// A condition that compares nothing.
    NoComparison { text: String },
    /// A term that looks at no sample.
    NoSample { trial: String, term: String },
    /// A term that is divided by nothing.
    ZeroNormaliser { trial: String, term: String },
    /// A column whose slopes are not known.
    NoSlope { column: String },
    /// A term that a method cannot take.
    MaxTerm { term: String },
    /// Several objectives for a method that takes one, or one where several are meant.
    Objectives { found: usize, method: &'static str },
    /// Constraints for a method that takes none.
    FreeConstraint { method: &'static str },
    /// NSGA-II without bounds.
    Unbounded { unknown: String, method: &'static str },
    /// A model that a fit cannot follow.
    Model { reason: String },
    /// The objective is no number where the search begins.
    NotANumber { term: String, time: Option<f64> },
    /// A constraint that cannot be met by its unknown.
    NotMet { constraint: String, unknown: String },
    /// An unknown that changes the motion.
    ChangesMotion { path: String },
    /// A trial that gives a value to what is searched for.
    TrialSetsUnknown { trial: String, path: String },
    /// Parameters of one unknown that are not of one kind.
    Unlike { unknown: String, first: String, other: String },
    /// A checkpoint that says too little.
    Checkpoint { entry: String },
    /// What an unknown is said to follow before its stage, and cannot.
    Before { unknown: String, reason: String, hint: String },
    /// A stage that searches for nothing that those before did not.
    IdleStage { stage: usize },
    /// Terms that cannot count together.
    Together { term: String, name: String, reason: String, hint: String },
    /// A reference point that does not go with the objectives.
    Reference { found: usize, objectives: usize },
    /// What is asked after the search and cannot be had.
    Afterwards { field: &'static str, reason: String, hint: String },
    /// A profile of an unknown that there is not.
    NoProfile { name: String, nearest: Option<String> },
    /// A run without values where the search begins.
    RunFails { trial: String, analysis: &'static str, reason: String },
    /// An analysis without exact slopes, for a method that takes them.
    NoSlopes { analysis: &'static str, method: &'static str, reason: String },
    /// A start value of an analysis that does not start from it.
    StartUnused { path: String, analysis: &'static str },
    /// A number that acts through the start of the model, along a motion that is prescribed.
    FollowsStart { path: String },
    /// A pressure mat that the model does not have.
    NoSuchMat { mat: String, nearest: Option<String> },
    /// A measured map that a trial does not have.
    NoMap { trial: String, map: String, nearest: Option<String> },
    /// A measured map that cannot be compared.
    BadMap { trial: String, map: String, reason: String },
    /// No trial to be fitted.
    NoTrial,
}

use FitFault::*;

impl From<PlanFault> for FitFault {
    fn from(fault: PlanFault) -> Self {
        Plan(fault)
    }
}

impl Explain for FitFault {
    fn code(&self) -> &'static str {
        match self {
            Plan(fault) => fault.code(),
            Unknown { .. } => "fit-unknown",
            NoMeasured { .. } => "no-measured-column",
            BadMeasured { .. } => "bad-measured-column",
            BadQuantity { .. } => "bad-quantity",
            NoComparison { .. } => "no-comparison",
            NoSample { .. } => "no-sample-counts",
            ZeroNormaliser { .. } => "zero-normaliser",
            NoSlope { .. } => "no-slope",
            MaxTerm { .. } => "max-in-least-squares",
            Objectives { .. } => "objectives",
            FreeConstraint { .. } => "constraint-not-taken",
            Unbounded { .. } => "unbounded-unknown",
            Model { .. } => "fit-of-this-model",
            NotANumber { .. } => "no-number-at-start",
            NotMet { .. } => "constraint-not-met",
            ChangesMotion { .. } => "changes-motion",
            TrialSetsUnknown { .. } => "trial-sets-unknown",
            Unlike { .. } => "unlike-parameters",
            Checkpoint { .. } => "checkpoint-malformed",
            Before { .. } => "bad-before",
            IdleStage { .. } => "idle-stage",
            Together { .. } => "not-together",
            Reference { .. } => "reference-point",
            Afterwards { .. } => "not-after-the-search",
            NoProfile { .. } => "no-such-unknown",
            RunFails { .. } => "no-run-at-start",
            NoSlopes { .. } => "no-exact-slopes",
            StartUnused { .. } => "start-value-unused",
            FollowsStart { .. } => "follows-start",
            NoSuchMat { .. } => "no-such-mat",
            NoMap { .. } => "no-measured-map",
            BadMap { .. } => "bad-measured-map",
            NoTrial => "no-trial",
        }
    }

    fn message(&self) -> String {
        match self {
            Plan(fault) => fault.message(),
            Unknown { unknown, reason } => format!("unknown `{unknown}`: {reason}"),
            NoMeasured { trial, column, .. } => format!("the data of trial `{trial}` have no column `{column}`"),
            BadMeasured { trial, column, reason } => format!("the column `{column}` of trial `{trial}` cannot be compared: {reason}"),
            BadQuantity { found, reason } => format!("`{found}`: {reason}"),
            NoComparison { text } => format!("`{text}` compares nothing"),
            NoSample { trial, term } => format!("no sample of trial `{trial}` counts for term `{term}`"),
            ZeroNormaliser { trial, term } => format!("what term `{term}` is divided by is not above zero in trial `{trial}`"),
            NoSlope { column } => format!("the column `{column}` cannot be fitted: it has no slopes"),
            MaxTerm { term } => format!("term `{term}` is a maximum, which `least-squares` cannot sum"),
            Objectives { found, method } => format!("there are {found} objectives, which `{method}` does not take"),
            FreeConstraint { method } => format!("`{method}` takes no constraint that is not met by an unknown"),
            Unbounded { unknown, method } => format!("`{method}` needs bounds, and unknown `{unknown}` has none"),
            Model { reason } => format!("this model cannot be fitted: {reason}"),
            NotANumber { term, time: Some(t) } => format!("the objective is no number where the search begins: term `{term}` at {t} s"),
            NotANumber { term, .. } => format!("the objective is no number where the search begins: {term}"),
            NotMet { constraint, unknown } => {
                format!("constraint `{constraint}` cannot be met by unknown `{unknown}` where the search begins")
            }
            ChangesMotion { path } => format!("the parameter `{path}` changes the motion, which a fit follows once only"),
            TrialSetsUnknown { trial, path } => format!("trial `{trial}` sets `{path}`, which is searched for"),
            Unlike { unknown, first, other } => format!("unknown `{unknown}`: `{first}` and `{other}` have different units"),
            Checkpoint { entry } => format!("the checkpoint cannot be taken up: it has no {entry}"),
            Before { unknown, reason, .. } => format!("unknown `{unknown}` follows another before its stage, and cannot: {reason}"),
            IdleStage { stage } => format!("no unknown is searched for from stage {stage} on"),
            Together { term, name, reason, .. } => format!("term `{term}` cannot count together with others as `{name}`: {reason}"),
            Reference { found, objectives } => {
                format!(
                    "the reference point has {found} numbers, and a volume is measured for two or three objectives; here are {objectives}"
                )
            }
            Afterwards { field, reason, .. } => format!("`{field}` cannot be had here: {reason}"),
            NoProfile { name, .. } => format!("no unknown is called `{name}`"),
            RunFails { trial, reason, .. } => {
                format!("the run of trial `{trial}` has no values to compare where the search begins: {reason}")
            }
            NoSlopes { analysis, method, reason } => {
                format!("`{method}` takes slopes, and this `{analysis}` has no exact ones: {reason}")
            }
            StartUnused { path, analysis } => format!("`{path}` cannot be searched for: `{analysis}` does not start from it"),
            FollowsStart { path } => format!("`{path}` acts through the start of the model, and here the motion is prescribed"),
            NoSuchMat { mat, .. } => format!("the model has no pressure mat `{mat}`"),
            NoMap { trial, map, .. } => format!("trial `{trial}` has no map `{map}`"),
            BadMap { trial, map, reason } => format!("the map `{map}` of trial `{trial}` cannot be compared: {reason}"),
            NoTrial => "no trial is fitted".into(),
        }
    }

    fn hint(&self) -> Option<String> {
        let fixed = |text: &str| Some(text.to_string());
        match self {
            Plan(fault) => fault.hint(),
            NoMeasured { nearest: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            NoMeasured { .. } => fixed("name a column of a file in [[fit.trial]] data"),
            BadMeasured { .. } => fixed("set [time], knots_from and knots_to within what was measured, and mend gaps in the file"),
            NoComparison { .. } => fixed("write such as data.fy > [20 N]"),
            NoSample { .. } => fixed("widen `where`, `from` and `to`"),
            ZeroNormaliser { .. } => fixed("take normalise = \"max-abs\", or give it a quantity above zero, such as \"700 N\""),
            NoSlope { .. } => fixed(
                "columns and pitches of mats, work since the start and columns of tables have none; compare another column, or cells of a mat by `mat`",
            ),
            MaxTerm { .. } => fixed("use method = \"cma-es\" or \"nsga2\", or reduce = \"sum\" with a high power"),
            Objectives { found: 1, .. } => fixed("give some terms objective = 2, or use method = \"least-squares\" or \"cma-es\""),
            Objectives { .. } => fixed("give all terms one objective, or use method = \"nsga2\""),
            FreeConstraint { .. } => {
                fixed("say with met_by which unknown gives way, or use method = \"quasi-newton\", \"cma-es\" or \"nsga2\"")
            }
            Unbounded { .. } => fixed("give `low` and `high`"),
            NotANumber { .. } => fixed("begin elsewhere with `start`, or look at the run with analysis = \"evaluate\""),
            NotMet { .. } => fixed(
                "take an unknown that moves the column in proportion, such as the radius of a circle for its depth, and give it room between its bounds",
            ),
            ChangesMotion { .. } => fixed(
                "take parameters of forces, contacts and masses; guides, loops, and with markers joints and places of markers stay as they are",
            ),
            TrialSetsUnknown { .. } => fixed("take it out of `set` of the trial, or out of the unknowns"),
            Unlike { .. } => fixed("tie parameters of one unit only"),
            Checkpoint { .. } => fixed("run the fit again without --resume; the file was damaged, or written by another version"),
            Before { hint, .. } | Together { hint, .. } | Afterwards { hint, .. } => fixed(hint),
            NoProfile { nearest: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            NoProfile { .. } => fixed("name an unknown of [[fit.unknown]]; `*` stands for any part of a name"),
            IdleStage { .. } => fixed("number stages from 1 without gaps; every stage needs an unknown of its own"),
            Reference { .. } => fixed("give as many numbers as there are objectives, or leave `reference` out"),
            RunFails { analysis, .. } => Some(format!(
                "begin elsewhere with `start`, let `to` of the terms end before the run does, or look at the run with analysis = \"{analysis}\""
            )),
            NoSlopes { .. } => fixed("give [fit] derivatives = \"differences\", or take method = \"cma-es\" or \"nsga2\", which need none"),
            StartUnused { .. } => fixed("search for start values with of = \"simulate\""),
            FollowsStart { .. } => fixed("take `slack_length` of the ligament itself"),
            NoSuchMat { nearest: Some(near), .. } | NoMap { nearest: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            NoSuchMat { .. } => fixed("name an element of section `sensor` of the model"),
            NoMap { .. } => fixed("give it in [[fit.trial]], such as maps = { mat = \"pressure.csv\" }"),
            BadMap { .. } => {
                fixed("set [time] sample so that frames fall on samples, narrow the term by `from` and `to`, or mend the file")
            }
            NoTrial => fixed("give a [[fit.trial]] with role = \"fit\", or leave `role` out"),
            Unknown { .. } | BadQuantity { .. } | Model { .. } => None,
        }
    }
}
