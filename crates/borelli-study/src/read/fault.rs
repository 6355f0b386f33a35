//! What can be wrong with a study file beyond the faults of reading values.
//! Not here: wrong types, units, ranges, words and missing fields (`borelli-model`).
//! In: facts. Out: code, message and hint through [`Explain`].

use borelli_model::{Explain, suggest};

/// A fault of a study. Each variant carries the facts; its code is its name in kebab-case.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum StudyFault {
    /// A path that names neither a setting of the study nor anything of a model.
    UnknownPath { path: String, nearest: Option<String> },
    /// A setting of the study in the table for parameters of the model.
    SettingInSet { path: String },
    /// A path given twice.
    PathTwice { path: String },
    /// Lists of a sweep that should go side by side but differ in length.
    UnequalSweep { path: String, found: usize, first: String, expected: usize },
    /// A list without values, or a sweep without lists.
    EmptySweep,
    /// More cases than make sense.
    TooManyCases { found: usize, limit: usize },
    /// Names of cases, more or fewer than there are cases.
    UnequalCases { found: usize, expected: usize },
    /// A case without a name that can be a file's name.
    BadCaseName { name: String },
    /// Two cases of one name.
    DuplicateCase { name: String },
    /// A case that does not exist.
    UnknownCase { name: String, known: Vec<String> },
    /// A case is named where there is no sweep.
    NoSweep { name: String },
    /// A sweep, but no word on which case is meant.
    CaseMissing { known: Vec<String> },
    /// The end does not come after the start.
    EmptyTime { start: f64, end: f64 },
    /// An analysis needs to know until when.
    EndMissing { analysis: &'static str },
    /// Samples further apart than the whole run is long.
    SampleTooLong { sample: f64, whole: f64 },
    /// A method with fixed steps needs a step.
    StepMissing { method: String },
    /// Both tolerances are zero.
    NoTolerance,
    /// Baumgarte's numbers without Baumgarte.
    IdleDrift { field: &'static str, control: &'static str },
    /// How a balance is sought, without one.
    IdleBalance { field: &'static str },
    /// Baumgarte without its numbers.
    DriftMissing { field: &'static str },
    /// A table that the analysis needs.
    TableMissing { table: &'static str, analysis: &'static str },
    /// A table that the analysis has no use for.
    IdleTable { table: &'static str, analysis: &'static str, wanted: &'static str },
    /// Not the name of a start value.
    BadUnknown { path: String },
    /// An empty list where something is to be found.
    NothingListed { what: &'static str },
    /// The step of an order is the same in all cases.
    NotSwept { path: String },
    /// More unknowns than conditions.
    Underdetermined { unknowns: usize, targets: usize },
    /// A name that is no name.
    BadName { name: String },
    /// The same name twice.
    NameTwice { what: &'static str, name: String },
    /// A field without the action it belongs to, or the action without it.
    ActionMismatch { field: &'static str, action: &'static str, given: bool },
    /// Neither a loop nor a guide.
    BadRow { found: String },
    /// A formula that cannot be read.
    BadFormula { reason: String, advice: String },
    /// A unit that is not SI.
    NotSi { unit: String, si: String },
    /// None or several of the fields that name what is measured.
    SubjectCount { found: usize },
    /// A field that needs another one, or cannot stand with it.
    WrongField { field: &'static str, measure: String, advice: &'static str },
    /// A field that a measure needs.
    FieldForMeasure { field: &'static str, measure: String, advice: &'static str },
    /// A value with a unit and a tolerance without, or the reverse.
    ToleranceUnit { value: String, tolerance: String },
    /// No tolerance where one is needed.
    ToleranceMissing,
    /// A plot over what no sweep gives numbers of one unit for.
    NoSweptNumber { path: String, known: Vec<String> },
    /// A plot that does not exist.
    UnknownPlot { found: String, count: usize },
    /// A table file that cannot be used.
    BadMotion { path: String, reason: String, advice: String },
    /// A recording that cannot be used.
    BadRecording { path: String, reason: String, advice: String },
    /// A recording without what it is asked for.
    NothingMeasured { path: String, what: &'static str },
    /// Forces that act nowhere.
    ForcesWithoutPoints { path: String, plate: String },
    /// A table of motion beside markers, from which a motion follows, too.
    MotionTwice,
    /// Axes that are no axes.
    BadAxes { found: String, reason: String },
    /// A cut-off, threshold or value that is neither a quantity of its unit nor one of the words.
    BadWord { found: String, unit: &'static str, words: &'static [&'static str] },
    /// A filter without a cut-off, or with two.
    CutoffCount { found: usize },
    /// A field that the kind of filter has no use for.
    IdleFilter { field: &'static str, kind: &'static str },
    /// A rate for a file that states its own.
    IdleRate { path: String },
    /// A filter of markers without markers.
    NoMarkersToFilter,
    /// A load that names no plate, or two.
    PlateCount { found: usize },
    /// A plate that is not there.
    UnknownPlate { found: String, known: Vec<String> },
    /// A list beside a table that is not there.
    ListWithoutTable { list: &'static str, table: &'static str },
    /// None or several of the ways to say where a motion comes from.
    MotionCount { found: usize },
    /// A field that only a simulated motion has a use for.
    IdleInterval,
    /// Several of the ways to give a value.
    TwoValues,
    /// Parts of an offset where there is none.
    TimesWithoutOffset,
    /// A length of blocks where nothing is drawn in blocks.
    BlockWithoutBootstrap,
    /// A power of residuals below one.
    PowerBelowOne { power: f64 },
    /// Weights that are not as many as terms.
    WeightCount { found: usize, terms: usize },
    /// An unknown of a fit that is not listed.
    UnknownUnknown { name: String, nearest: Option<String> },
    /// A name that no constraint has.
    UnknownConstraint { name: String, nearest: Option<String> },
    /// A name of `trials` that no trial has.
    UnknownTrial { name: String, nearest: Option<String> },
    /// A term of neither or both of a column and a mat.
    TermOf { both: bool },
    /// What a term over a mat does not take.
    NotOfMat { what: &'static str },
    /// A weight below zero.
    NegativeWeight { weight: f64 },
    /// A seed that is no whole number of 32 bits.
    SeedTooLarge,
    /// A factor of zero.
    ZeroFactor,
    /// A distribution without a number that it needs.
    ShapeNeeds { distribution: &'static str, field: &'static str },
    /// A number that a distribution has no use for.
    IdleShape { distribution: &'static str, field: &'static str },
    /// Not two inputs, or two that were given before.
    TwoInputs,
    /// An input that is not listed.
    UnknownInput { name: String, nearest: Option<String> },
    /// A correlation that is none.
    NoCorrelation { value: f64 },
    /// Two ways to draw the same samples.
    SameDraws { method: &'static str, other: &'static str },
    /// A ranking without a result.
    NothingToRank { method: &'static str },
    /// A ranking of inputs that go together.
    RankedTogether { method: &'static str },
    /// Noise that fades and lasts.
    TwoMemories,
    /// None or both of the ways to say which parameters an unknown is.
    PathCount { found: usize },
    /// Factors that are not as many as parameters.
    FactorCount { found: usize, paths: usize },
    /// One of two bounds.
    OneBound,
    /// A logarithmic scale without ends.
    LogWithoutBounds,
    /// A field that the kind of picture has no use for.
    IdlePicture { field: &'static str, kind: &'static str },
}

use StudyFault::*;

/// `known` for hints, shortened.
fn list(known: &[String]) -> String {
    const SHOWN: usize = 20;
    let more = if known.len() > SHOWN { ", ..." } else { "" };
    format!("{}{more}", known.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", "))
}

impl Explain for StudyFault {
    fn code(&self) -> &'static str {
        match self {
            UnknownPath { .. } => "unknown-path",
            SettingInSet { .. } => "setting-in-set",
            PathTwice { .. } => "path-twice",
            UnequalSweep { .. } => "unequal-sweep",
            EmptySweep => "empty-sweep",
            TooManyCases { .. } => "too-many-cases",
            UnequalCases { .. } => "unequal-cases",
            BadCaseName { .. } => "bad-case-name",
            DuplicateCase { .. } => "duplicate-case",
            UnknownCase { .. } => "unknown-case",
            NoSweep { .. } => "no-sweep",
            CaseMissing { .. } => "case-missing",
            EmptyTime { .. } => "empty-time",
            EndMissing { .. } => "end-missing",
            SampleTooLong { .. } => "sample-too-long",
            StepMissing { .. } => "step-missing",
            NoTolerance => "no-tolerance",
            IdleDrift { .. } => "idle-drift",
            IdleBalance { .. } => "idle-balance",
            DriftMissing { .. } => "drift-missing",
            TableMissing { .. } => "table-missing",
            IdleTable { .. } => "idle-table",
            BadUnknown { .. } => "bad-unknown",
            NothingListed { .. } => "nothing-listed",
            TimesWithoutOffset => "times-without-offset",
            BlockWithoutBootstrap => "block-without-bootstrap",
            PowerBelowOne { .. } => "power-below-one",
            WeightCount { .. } => "weight-count",
            UnknownUnknown { .. } => "unknown-unknown",
            UnknownConstraint { .. } => "unknown-constraint",
            UnknownTrial { .. } => "unknown-trial",
            TermOf { .. } => "term-of",
            NotOfMat { .. } => "not-of-mat",
            NegativeWeight { .. } => "negative-weight",
            SeedTooLarge => "seed-too-large",
            ZeroFactor => "zero-factor",
            ShapeNeeds { .. } => "distribution-needs",
            IdleShape { .. } => "idle-distribution-field",
            TwoInputs => "two-inputs",
            UnknownInput { .. } => "unknown-input",
            NoCorrelation { .. } => "no-correlation",
            SameDraws { .. } => "same-draws",
            NothingToRank { .. } => "nothing-to-rank",
            RankedTogether { .. } => "ranked-together",
            TwoMemories => "two-memories",
            PathCount { .. } => "path-count",
            FactorCount { .. } => "factor-count",
            OneBound => "one-bound",
            LogWithoutBounds => "log-without-bounds",
            NotSwept { .. } => "not-swept",
            Underdetermined { .. } => "underdetermined",
            BadName { .. } => "bad-name",
            NameTwice { .. } => "name-twice",
            ActionMismatch { .. } => "action-mismatch",
            BadRow { .. } => "bad-row",
            BadFormula { .. } => "bad-formula",
            NotSi { .. } => "not-si",
            SubjectCount { .. } => "subject-count",
            WrongField { .. } => "wrong-field",
            FieldForMeasure { .. } => "field-for-measure",
            ToleranceUnit { .. } => "tolerance-unit",
            ToleranceMissing => "tolerance-missing",
            NoSweptNumber { .. } => "no-swept-number",
            UnknownPlot { .. } => "unknown-plot",
            BadMotion { .. } => "bad-motion",
            BadRecording { .. } => "bad-recording",
            NothingMeasured { .. } => "nothing-measured",
            ForcesWithoutPoints { .. } => "forces-without-points",
            MotionTwice => "motion-twice",
            BadAxes { .. } => "bad-axes",
            BadWord { .. } => "bad-word",
            CutoffCount { .. } => "cutoff-count",
            IdleFilter { .. } => "idle-filter",
            IdleRate { .. } => "idle-rate",
            NoMarkersToFilter => "no-markers-to-filter",
            PlateCount { .. } => "plate-count",
            UnknownPlate { .. } => "unknown-plate",
            ListWithoutTable { .. } => "list-without-table",
            MotionCount { .. } => "motion-count",
            IdleInterval => "idle-interval",
            TwoValues => "two-values",
            IdlePicture { .. } => "idle-picture",
        }
    }

    fn message(&self) -> String {
        match self {
            UnknownPath { path, .. } => format!("`{path}` is neither a setting of a study nor a path of a model"),
            SettingInSet { path } => format!("`{path}` is a setting of the study, not a parameter of the model"),
            PathTwice { path } => format!("`{path}` is given twice"),
            UnequalSweep { path, found, first, expected } => format!("`{path}` has {found} values, `{first}` has {expected}"),
            EmptySweep => "there is nothing to sweep over".into(),
            TooManyCases { found, limit } => format!("the sweep has {found} cases, more than the limit of {limit}"),
            UnequalCases { found, expected } => format!("{found} names for {expected} cases"),
            BadCaseName { name } => format!("`{name}` is not a name of a case"),
            DuplicateCase { name } => format!("two cases are called `{name}`"),
            UnknownCase { name, .. } => format!("there is no case `{name}`"),
            NoSweep { name } => format!("the case `{name}` is named, but nothing is swept"),
            CaseMissing { known } => format!("it does not say which of the {} cases is meant", known.len()),
            EmptyTime { start, end } => format!("the end, {end} s, does not come after the start, {start} s"),
            EndMissing { analysis } => format!("the analysis `{analysis}` needs to know until when: `time.end` is missing"),
            SampleTooLong { sample, whole } => format!("samples {sample} s apart do not fit into {whole} s"),
            StepMissing { method } => format!("`{method}` has fixed steps, but `integrator.step` is missing"),
            NoTolerance => "`rtol` and `atol` are both zero".into(),
            IdleDrift { field, control } => format!("`{field}` has no meaning with the drift control `{control}`"),
            IdleBalance { field } => format!("`{field}` has no meaning unless the start is an equilibrium"),
            DriftMissing { field } => format!("the drift control `baumgarte` needs `{field}`"),
            TableMissing { table, analysis } => format!("the analysis `{analysis}` needs a table `[{table}]`"),
            IdleTable { table, analysis, .. } => format!("the table `[{table}]` has no meaning for the analysis `{analysis}`"),
            BadUnknown { path } => format!("`{path}` is not a start value"),
            NothingListed { what } => format!("there is no {what}"),
            TimesWithoutOffset => "`times` says what each path gets of an offset, and this number is none".into(),
            BlockWithoutBootstrap => "`block` has no effect without `bootstrap`".into(),
            PowerBelowOne { power } => format!("the power of residuals is {power}"),
            WeightCount { found, terms } => format!("{found} weights are given for {terms} terms"),
            UnknownUnknown { name, .. } => format!("no unknown is called `{name}`"),
            UnknownConstraint { name, .. } => format!("no constraint is called `{name}`"),
            UnknownTrial { name, .. } => format!("no trial is called `{name}`"),
            TermOf { both: true } => "a term is of a column or of a mat, not of both".into(),
            TermOf { both: false } => "a term needs a `column` or a `mat`".into(),
            NotOfMat { what } => format!("a term over a mat takes no `{what}`"),
            NegativeWeight { weight } => format!("a weight is {weight}, below zero"),
            SeedTooLarge => format!("a seed is at most {}", u32::MAX),
            ZeroFactor => "a factor of zero ties a parameter to nothing".into(),
            ShapeNeeds { distribution, field } => format!("a {distribution} distribution needs `{field}`"),
            IdleShape { distribution, field } => format!("a {distribution} distribution has no use for `{field}`"),
            TwoInputs => "a correlation is between two different inputs, and each pair has one".into(),
            UnknownInput { name, .. } => format!("no input is called `{name}`"),
            NoCorrelation { value } => format!("a correlation lies between -1 and 1, and this is {value}"),
            SameDraws { method, other } if method == other => format!("`{method}` is given twice"),
            SameDraws { method, other } => format!("`{method}` and `{other}` draw the same distributions"),
            NothingToRank { method } => format!("`{method}` ranks inputs by what they do to a result, and there is none"),
            RankedTogether { method } => format!("`{method}` ranks inputs that are independent, and some of these go together"),
            TwoMemories => "noise that is the same all through a run is never forgotten".into(),
            PathCount { found: 0 } => "an unknown needs a parameter".into(),
            PathCount { .. } => "`path` and `paths` are both given".into(),
            FactorCount { found, paths } => format!("{found} factors are given for {paths} parameters"),
            OneBound => "an unknown has two bounds, or none".into(),
            LogWithoutBounds => "a logarithmic scale runs from `low` to `high`, which are missing".into(),
            NotSwept { path } => format!("`{path}` is not swept"),
            Underdetermined { unknowns, targets } => format!("there are {unknowns} unknowns, but {targets} `[[shoot.target]]`"),
            BadName { name } => format!("`{name}` is not a name"),
            NameTwice { what, name } => format!("two {what} are called `{name}`"),
            ActionMismatch { field, action, given: true } => format!("`{field}` is given, but the action is not `{action}`"),
            ActionMismatch { field, action, given: false } => format!("the action is `{action}`, but `{field}` is missing"),
            BadRow { found } => format!("`{found}` is neither a loop nor a guide"),
            BadFormula { reason, .. } => format!("the formula cannot be read: {reason}"),
            NotSi { unit, .. } => format!("columns are in SI units, `{unit}` is not"),
            SubjectCount { found: 0 } => "it does not say what is measured".into(),
            SubjectCount { .. } => "it says more than once what is measured".into(),
            WrongField { field, measure, .. } => format!("`{field}` has no meaning for {measure}"),
            FieldForMeasure { field, measure, .. } => format!("{measure} needs `{field}`"),
            ToleranceUnit { value, tolerance } => format!("the value is {value}, the tolerance {tolerance}"),
            ToleranceMissing => "there is no tolerance".into(),
            NoSweptNumber { path, .. } => format!("`{path}` has no number in one unit in every case of the plot"),
            UnknownPlot { found, .. } => format!("there is no plot `{found}`"),
            BadMotion { path, reason, .. } => format!("the motion `{path}` cannot be used: {reason}"),
            BadRecording { path, reason, .. } => format!("the recording `{path}` cannot be used: {reason}"),
            NothingMeasured { path, what } => format!("the recording `{path}` has no {what}"),
            ForcesWithoutPoints { path, plate } => {
                format!("`{path}`: the forces `{plate}` have no columns of where they act, the centre of pressure")
            }
            MotionTwice => "a motion is given, and another one follows from `[markers]`".into(),
            BadAxes { found, reason } => format!("`{found}` does not name axes: {reason}"),
            BadWord { found, unit, words } => {
                let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
                format!("`{found}` is neither a quantity in {unit} nor {}", words.join(" or "))
            }
            CutoffCount { found: 0 } => "it does not say where the filter cuts off".into(),
            CutoffCount { .. } => "it says twice where the filter cuts off".into(),
            IdleFilter { field, kind } => format!("`{field}` has no meaning for a filter of kind `{kind}`"),
            IdleRate { path } => format!("`{path}` states its own rate"),
            NoMarkersToFilter => "markers are to be filtered, and there are none".into(),
            PlateCount { found: 0 } => "it does not say which plate".into(),
            PlateCount { .. } => "it says twice which plate".into(),
            UnknownPlate { found, .. } => format!("the recording has no plate `{found}`"),
            ListWithoutTable { list, table } => format!("`[[{list}]]` stands without `[{table}]`"),
            MotionCount { found: 0 } => "it does not say where the motion comes from".into(),
            MotionCount { .. } => "it says twice where the motion comes from".into(),
            IdleInterval => "`interval` has no meaning for a motion of a file".into(),
            TwoValues => "the variable has more than one value".into(),
            IdlePicture { field, kind } => format!("`{field}` has no meaning for a picture of kind `{kind}`"),
        }
    }

    fn hint(&self) -> Option<String> {
        let fixed = |text: &str| Some(text.to_string());
        match self {
            UnknownPath { nearest: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            UnknownPath { .. } => fixed(
                "settings are `model`, `time.end`, `integrator.rtol`, ...; parameters `body.shank.mass`; start values `initial.speeds.knee`",
            ),
            SettingInSet { path } => match path.split_once('.') {
                Some((table, field)) => Some(format!("write `{field} = ...` below `[{table}]`")),
                None => Some(format!("write `{path} = ...` at the top of the file")),
            },
            PathTwice { .. } => fixed("take one of the two out"),
            UnequalSweep { .. } => fixed("lists go side by side and have equal length; write `combine = \"grid\"` for all combinations"),
            EmptySweep => fixed("write lists of values by path, such as `\"drift.alpha\" = [0, 5, 20]`, or take the table out"),
            TooManyCases { .. } => fixed("shorten the lists"),
            UnequalCases { .. } => fixed("name every case once, in the order of the lists; of a grid the last list changes fastest"),
            BadCaseName { .. } => fixed("a case is called by letters, digits, `.`, `_`, `+` and `-`; name them with `case = [...]`"),
            DuplicateCase { .. } => fixed("name the cases with `case = [...]`"),
            UnknownCase { name, known } => Some(match suggest(name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`? cases here: {}", list(known)),
                None => format!("cases here: {}", list(known)),
            }),
            NoSweep { .. } => fixed("take `case` out, or add a table `[sweep]`"),
            CaseMissing { known } => Some(format!("write `case = \"...\"` or `cases = \"all\"`; cases here: {}", list(known))),
            EmptyTime { .. } => fixed("write an `end` after `start`"),
            EndMissing { .. } => fixed("write `end = \"1 s\"` below `[time]`"),
            SampleTooLong { .. } => fixed("write a shorter `sample`, or leave it out"),
            StepMissing { .. } => fixed("write `step = \"1 ms\"` below `[integrator]`"),
            NoTolerance => fixed("write one of them above zero, such as `rtol = 1e-6`"),
            IdleDrift { .. } => fixed("write `control = \"baumgarte\"` below `[drift]`, or take it out"),
            IdleBalance { .. } => fixed("write `rule = \"equilibrium\"` below `[start]`, or take it out"),
            DriftMissing { field } => Some(format!("write `{field} = \"5 1/s\"` below `[drift]`")),
            TableMissing { table, .. } => Some(format!("add a table `[{table}]`, or choose another analysis")),
            IdleTable { wanted, .. } => Some(format!("write `analysis = \"{wanted}\"`, or take the table out")),
            BadUnknown { .. } => fixed("start values are `initial.coordinates.NAME` and `initial.speeds.NAME`"),
            NothingListed { .. } => fixed("list at least one"),
            TimesWithoutOffset => fixed("leave it out, or take apply = \"offset\""),
            BlockWithoutBootstrap => fixed("leave it out, or give bootstrap = 200"),
            PowerBelowOne { .. } => fixed("give 1 or more: 2 is least squares, 1 the sum of sizes"),
            WeightCount { .. } => fixed("give one for each [[fit.term]], in their order"),
            UnknownUnknown { nearest, .. } => {
                Some(nearest.as_ref().map_or_else(|| "take a name of a [[fit.unknown]]".into(), |near| format!("did you mean `{near}`?")))
            }
            UnknownConstraint { nearest: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            UnknownConstraint { .. } => fixed("take a name of a [[fit.constraint]]"),
            UnknownTrial { nearest: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            UnknownTrial { .. } => fixed("take a name of a [[fit.trial]]"),
            TermOf { .. } => fixed("name the column that is compared, or the pressure mat whose cells are"),
            NotOfMat { .. } => fixed("leave it out; frames are chosen by the file, `from` and `to`, and all their cells count"),
            NegativeWeight { .. } => fixed("give zero or more"),
            SeedTooLarge => fixed("take a smaller one"),
            ZeroFactor => fixed("take the path out, or give another factor"),
            ShapeNeeds { field: "sd", .. } => fixed("write such as sd = \"10 %\", a part of the mean, or a quantity"),
            ShapeNeeds { .. } => fixed("give both `low` and `high`"),
            IdleShape { .. } => fixed("take it out, or choose another `distribution`"),
            TwoInputs => fixed("write between = [\"one\", \"other\"]"),
            UnknownInput { nearest: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            UnknownInput { .. } => fixed("name inputs by their `name`, or by their path where they have none; noise goes with nothing"),
            NoCorrelation { .. } => fixed("two inputs that are one are tied with `paths`"),
            SameDraws { .. } => fixed("keep one of them"),
            NothingToRank { .. } => fixed("add [[uncertainty.result]] with name, column and measure"),
            RankedTogether { .. } => {
                fixed("take the correlations out, or rank by other means: method = \"latin-hypercube\" with samples.csv")
            }
            TwoMemories => fixed("take `constant` or `time_constant` out"),
            PathCount { found: 0 } => fixed("give `path`, such as \"law.sole.stiffness\""),
            PathCount { .. } => fixed("leave one of them out"),
            FactorCount { .. } => fixed("give one factor for each of `paths`"),
            OneBound => fixed("give both `low` and `high`, or leave both out"),
            LogWithoutBounds => fixed("give `low` and `high`, both above zero"),
            NotSwept { .. } => fixed("name a path of `[sweep]`"),
            Underdetermined { .. } => fixed("add a `[[shoot.target]]`, or take an unknown out"),
            BadName { .. } => fixed("a name begins with a letter and goes on with letters, digits, `_` and `-`"),
            NameTwice { .. } => fixed("give one of them another name"),
            ActionMismatch { action, given: true, .. } => Some(format!("write `action = \"{action}\"`, or take it out")),
            ActionMismatch { field, given: false, .. } => Some(format!("write `{field} = \"loop.NAME\"` or `{field} = \"guide.NAME\"`")),
            BadRow { .. } => fixed("write `loop.NAME` or `guide.NAME`"),
            BadFormula { advice, .. } | BadMotion { advice, .. } | BadRecording { advice, .. } => Some(advice.clone()),
            NothingMeasured { .. } => fixed("`borelli data FILE` tells what is in it"),
            ForcesWithoutPoints { plate, .. } => Some(format!("columns of places are named `{plate}px`, `{plate}py`, `{plate}pz`")),
            MotionTwice => fixed("take `[motion]` out, or `[markers]`"),
            BadAxes { .. } => fixed(
                "write two of them, such as \"x-forward, z-up\" or \"-y-forward, z-up\"; a walking direction is one axis, such as \"+y\"",
            ),
            BadWord { unit, .. } => Some(format!("write a number with its unit, such as \"6 {unit}\"")),
            CutoffCount { .. } => fixed("write either `cutoff = \"6 Hz\"`, or `pass` and `stop`"),
            IdleFilter { .. } => fixed("take it out, or write `kind = \"butterworth\"`"),
            IdleRate { .. } => fixed("take `rate` out; it is for tables (.csv, .mot, .sto)"),
            NoMarkersToFilter => fixed("add a table `[markers]`, or take `of` out"),
            PlateCount { .. } => fixed("write either `plate = 1`, or `columns = \"ground_force_r_\"`"),
            UnknownPlate { known, .. } => Some(format!("plates here: {}", list(known))),
            ListWithoutTable { table, .. } => Some(format!("add a table `[{table}]`, or take the list out")),
            NotSi { si, .. } => Some(format!("write `unit = \"{si}\"`; values and plots may be given in any unit")),
            SubjectCount { .. } => fixed("write one of `column`, `columns` and `formula`"),
            WrongField { advice, .. } | FieldForMeasure { advice, .. } => fixed(advice),
            ToleranceUnit { .. } => fixed("write both with a unit, or both without: bare numbers are SI"),
            ToleranceMissing => fixed("write `tolerance = \"0.01 deg\"`, absolute and with a unit where the value has one"),
            NoSweptNumber { known, .. } if known.is_empty() => {
                fixed("nothing that is a number is swept here: add `[sweep]`, or leave `over` out")
            }
            NoSweptNumber { known, .. } => {
                Some(format!("swept numbers are {}", known.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ")))
            }
            UnknownPlot { count, .. } => Some(format!("write its title or a number from 1 to {count}")),
            MotionCount { .. } => fixed("write either `file`, or `from = \"simulate\"`"),
            IdleInterval => fixed("it belongs to `from = \"simulate\"`; the samples of a file are what they are"),
            TwoValues => fixed("write one of `value`, `extra` (beside what the model exerts) and `column` (of the motion)"),
            IdlePicture { .. } => fixed("`plot` belongs to the kind `plot`; `times`, `interval` and `superposed` to the kind `strip`"),
        }
    }
}
