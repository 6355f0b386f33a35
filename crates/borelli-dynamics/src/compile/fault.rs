//! Faults of compiling: what can be wrong with a model whose fields are well written.
//! Not here: faults of reading (`borelli_model::ReadFault`).

use crate::force::MarginKind;
use crate::wrap::Trouble;
use borelli_model::{Explain, Severity};

/// What compiling found; facts only.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // each variant's message says what its fields are
pub enum Fault {
    UnknownBody { found: String, nearest: Option<String>, known: Vec<String> },
    UnknownSpot { body: String, found: String, nearest: Option<String>, known: Vec<String> },
    UnknownCoordinate { found: String, nearest: Option<String> },
    UnknownJoint { found: String, nearest: Option<String> },
    UnknownFunction { found: String, nearest: Option<String> },
    UnknownPath { found: String, nearest: Option<String> },
    UnknownWrap { found: String, nearest: Option<String> },
    UnknownSurface { found: String, nearest: Option<String> },
    UnknownLaw { found: String, nearest: Option<String> },
    UnknownLabelled { section: Option<&'static str>, found: String, nearest: Option<String> },
    LawOfOtherFamily { is: &'static str, wanted: &'static str },
    OnlyWithVolume { field: &'static str, volume: bool },
    BadShape { reason: String, advice: String },
    LawOrder { greater: &'static str, lesser: &'static str, values: [f64; 2] },
    NoSurfaces,
    NoPairs,
    TooManyPoints { width: f64, pitch: f64, most: f64 },
    ContactNotFound { pair: String },
    Immersed { pair: String, full: bool, depth: f64 },
    PairImpossible { reason: &'static str, advice: &'static str },
    NoBodies,
    BodyWithoutJoint { body: String, image: Option<[String; 2]> },
    BodyWithTwoJoints { body: String, first: String, second: String },
    TreeCycle { bodies: Vec<String> },
    WorldAsChild,
    SameBody { body: String },
    BothGiven { one: &'static str, other: &'static str },
    NeitherGiven { one: &'static str, other: &'static str },
    GivenAlone { one: &'static str, other: &'static str },
    NeedsSubject { field: &'static str, wants: &'static str },
    NeedsLength,
    ImpossibleInertia { reason: InertiaReason, values: Vec<f64> },
    NoInertiaAtJoint { joint: String },
    TurnsWithoutInertia { joint: String },
    InertiaTooLarge { body: String },
    JointStandsStill { joint: String },
    StartNotComputable { joint: String },
    ControlNotFinite { value: f64 },
    LargeStrain { found: f64 },
    RowNotFinite { row: String, at: f64, slope: bool, value: f64 },
    WrongCount { what: &'static str, expected: usize, found: usize },
    DuplicateCoordinate { what: &'static str, name: String, first: String },
    NoSpeeds,
    DuplicateLabel { label: String, first: String },
    UnknownMarker { found: String, nearest: Option<String> },
    SameMarker { marker: String },
    NothingMeasured { what: &'static str },
    NeedsRange,
    OnlyWithAngles,
    DampingOfNoKind,
    NotASign { found: f64 },
    FrameNotOrthogonal { cosine: f64 },
    FrameTwoWays,
    FieldOfOtherDimension { field: &'static str, dimension: &'static str },
    BadTable { reason: String, advice: String },
    BadExpression { reason: String, advice: String },
    BadRate { reason: String, advice: String },
    BadFormula { reason: String, advice: String },
    BadNumberName { name: String },
    FormulaOnSoftPath { path: String },
    IntegralNotSi { unit: String, si: String },
    TableTwice { field: &'static str },
    NotTheRate { rate: f64, measured: f64 },
    UnknownDataColumn { path: String, found: String, nearest: Option<String>, known: Vec<String> },
    ColumnHasGaps { path: String, column: String, missing: usize, first: f64 },
    ColumnUnit { column: String, found: String, field: &'static str, declared: String },
    FunctionUnit { function: String, side: FunctionSide, found: String, expected: String },
    FunctionBareAngle { function: String, side: FunctionSide, largest: f64 },
    NotAngle { coordinate: String },
    Quaternion { coordinate: String },
    GuideNotSmooth { function: String },
    GuideOnlyC1 { function: String },
    FunctionJointNotSmooth { function: String },
    NothingGuided,
    BadSequence { found: String },
    EmptyRelation,
    CoincidentPathPoints { first: usize },
    BadPathEnd { wrap: bool, first: bool },
    BadStop,
    TableOnSoftPath,
    FieldOfOtherStop { field: String, of: String },
    TooManyWraps { most: usize },
    SideMissing { wrap: String },
    SideAlong { wrap: String, of_axis: bool },
    MovingWithout { field: &'static str },
    MovingPointNotSmooth { axis: &'static str, point: usize },
    ConditionalJump { point: usize, end: &'static str, jump: f64, hard: bool },
    EndInsideWrap { path: String, point: String, wrap: String, depth: f64, when: String },
    PathLost { path: String, wrap: String, trouble: Trouble },
    DoubtfulPath { path: String, wrap: String, kind: MarginKind, value: f64 },
    PathOnOneBody { path: String, body: String },
    PinchedPath { points: String, place: String, tension: f64 },
    NotAHinge { joint: String },
    HingeNotBetween { joint: String },
    NotTwoPoints { found: usize },
    EmptyRange { lower: f64, upper: f64, unit: &'static str },
    ZeroQuaternion { joint: String },
    OutsideTable { function: String, unit: &'static str, at: f64, from: f64, to: f64 },
    Unreachable { rows: Vec<(String, f64)> },
    Conflict { rows: Vec<(String, f64)> },
    Redundant { rows: Vec<String> },
    SingularStart { rows: Vec<String> },
    Singular { joint: String },
}

/// Argument or value of a function.
#[derive(Clone, Copy, Debug)]
pub enum FunctionSide {
    /// What it is asked at.
    Argument,
    /// What it answers.
    Value,
}

impl FunctionSide {
    fn word(self) -> &'static str {
        match self {
            FunctionSide::Argument => "argument",
            FunctionSide::Value => "values",
        }
    }

    fn unit_field(self) -> &'static str {
        match self {
            FunctionSide::Argument => "argument_unit",
            FunctionSide::Value => "value_unit",
        }
    }
}

/// Why no body can have an inertia.
#[derive(Clone, Copy, Debug)]
pub enum InertiaReason {
    /// A principal moment is negative.
    Negative,
    /// One principal moment exceeds the sum of the others.
    Triangle,
}

fn list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut text = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text += &format!(", and {} more", names.len() - SHOWN);
    }
    text
}

fn did_you_mean(nearest: &Option<String>, what: &str, known: &[String]) -> Option<String> {
    let others = if known.is_empty() { format!("the model has no {what}") } else { format!("{what} here: {}", list(known)) };
    Some(match nearest {
        Some(name) => format!("did you mean `{name}`? {others}"),
        None => others,
    })
}

fn nearest_or(nearest: &Option<String>, otherwise: &str) -> Option<String> {
    Some(nearest.as_ref().map_or_else(|| otherwise.to_string(), |name| format!("did you mean `{name}`?")))
}

/// Rows and what is left of them; of many only those that are off most.
fn with_size(rows: &[(String, f64)]) -> String {
    const SHOWN: usize = 12;
    let mut shown: Vec<&(String, f64)> = rows.iter().collect();
    if rows.len() > SHOWN {
        shown.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        shown.truncate(SHOWN);
    }
    let mut text = shown.into_iter().map(|(name, size)| format!("{name} (off by {size:.3e})")).collect::<Vec<_>>().join(", ");
    if rows.len() > SHOWN {
        text += &format!(", and {} more", rows.len() - SHOWN);
    }
    text
}

impl Explain for Fault {
    fn code(&self) -> &'static str {
        use Fault::*;
        match self {
            UnknownBody { .. } => "unknown-body",
            UnknownSpot { .. } => "unknown-place",
            UnknownCoordinate { .. } => "unknown-coordinate",
            UnknownJoint { .. } => "unknown-joint",
            UnknownFunction { .. } => "unknown-function",
            UnknownPath { .. } => "unknown-path",
            UnknownWrap { .. } => "unknown-wrap",
            UnknownSurface { .. } => "unknown-surface",
            UnknownLaw { .. } => "unknown-law",
            UnknownLabelled { .. } => "unknown-element",
            LawOfOtherFamily { .. } => "wrong-law",
            OnlyWithVolume { .. } => "field-of-other-law",
            BadShape { .. } => "bad-shape",
            LawOrder { .. } => "law-order",
            NoSurfaces => "no-surfaces",
            NoPairs => "no-pairs",
            TooManyPoints { .. } => "too-many-points",
            ContactNotFound { .. } => "contact-not-found",
            Immersed { .. } => "immersed",
            PairImpossible { .. } => "impossible-pair",
            NoBodies => "no-bodies",
            BodyWithoutJoint { .. } => "body-without-joint",
            BodyWithTwoJoints { .. } => "body-with-two-joints",
            TreeCycle { .. } => "tree-cycle",
            WorldAsChild => "world-as-child",
            SameBody { .. } => "same-body",
            BothGiven { .. } => "both-given",
            NeitherGiven { .. } => "neither-given",
            GivenAlone { .. } => "given-alone",
            NeedsSubject { .. } => "needs-subject",
            NeedsLength => "needs-length",
            ImpossibleInertia { .. } => "impossible-inertia",
            NoInertiaAtJoint { .. } => "no-inertia-at-joint",
            TurnsWithoutInertia { .. } => "turns-without-inertia",
            InertiaTooLarge { .. } => "inertia-too-large",
            JointStandsStill { .. } => "joint-stands-still",
            StartNotComputable { .. } => "start-not-computable",
            ControlNotFinite { .. } => "control-not-finite",
            LargeStrain { .. } => "large-strain",
            RowNotFinite { .. } => "row-not-finite",
            WrongCount { .. } => "wrong-count",
            DuplicateCoordinate { .. } => "duplicate-coordinate",
            NoSpeeds => "no-speeds",
            DuplicateLabel { .. } => "duplicate-label",
            UnknownMarker { .. } => "unknown-marker",
            SameMarker { .. } => "same-marker",
            NothingMeasured { .. } => "nothing-measured",
            NeedsRange => "needs-range",
            OnlyWithAngles => "only-with-angles",
            DampingOfNoKind => "damping-of-no-kind",
            NotASign { .. } => "not-a-sign",
            FrameNotOrthogonal { .. } => "frame-not-orthogonal",
            FrameTwoWays => "frame-two-ways",
            FieldOfOtherDimension { .. } => "field-of-other-dimension",
            TableTwice { .. } => "table-twice",
            NotTheRate { .. } => "not-the-rate",
            UnknownDataColumn { .. } => "unknown-data-column",
            ColumnHasGaps { .. } => "column-has-gaps",
            ColumnUnit { .. } => "column-unit",
            BadTable { .. } => "bad-table",
            BadExpression { .. } => "bad-expression",
            BadRate { .. } => "bad-rate",
            BadFormula { .. } => "bad-formula",
            BadNumberName { .. } => "bad-name",
            FormulaOnSoftPath { .. } => "formula-on-soft-path",
            IntegralNotSi { .. } => "unit-not-si",
            FunctionUnit { .. } | FunctionBareAngle { .. } => "function-unit",
            NotAngle { .. } => "not-an-angle",
            Quaternion { .. } => "quaternion-coordinate",
            GuideNotSmooth { .. } => "guide-not-smooth",
            GuideOnlyC1 { .. } => "guide-only-c1",
            FunctionJointNotSmooth { .. } => "function-joint-not-smooth",
            NothingGuided => "nothing-guided",
            BadSequence { .. } => "bad-sequence",
            EmptyRelation => "empty-relation",
            CoincidentPathPoints { .. } => "coincident-path-points",
            BadPathEnd { .. } => "bad-path-end",
            BadStop => "bad-path-point",
            TableOnSoftPath => "wrap-on-soft-path",
            FieldOfOtherStop { .. } => "field-of-other-point",
            TooManyWraps { .. } => "too-many-wraps",
            SideMissing { .. } => "side-missing",
            SideAlong { of_axis: false, .. } => "side-along-the-path",
            SideAlong { .. } => "side-along-the-axis",
            MovingWithout { .. } => "incomplete-moving-point",
            MovingPointNotSmooth { .. } => "moving-point-not-smooth",
            ConditionalJump { .. } => "length-jumps",
            EndInsideWrap { .. } => "point-inside-wrap",
            PathLost { .. } => "path-without-place",
            DoubtfulPath { kind: MarginKind::Slide, .. } => "path-near-sliding",
            DoubtfulPath { kind: MarginKind::Sphere, .. } => "sphere-far-round",
            DoubtfulPath { kind: MarginKind::Cut, .. } => "cylinder-near-cut",
            PathOnOneBody { .. } => "path-on-one-body",
            PinchedPath { .. } => "coincident-path-points",
            NotAHinge { .. } => "not-a-hinge",
            HingeNotBetween { .. } => "hinge-not-between",
            NotTwoPoints { .. } => "not-two-points",
            EmptyRange { .. } => "empty-range",
            ZeroQuaternion { .. } => "zero-quaternion",
            OutsideTable { .. } => "outside-table",
            Unreachable { .. } => "unreachable-assembly",
            Conflict { .. } => "conflicting-constraints",
            Redundant { .. } => "redundant-constraints",
            SingularStart { .. } => "singular-start",
            Singular { .. } => "singular-start",
        }
    }

    fn message(&self) -> String {
        use Fault::*;
        match self {
            UnknownBody { found, .. } => format!("body `{found}` does not exist"),
            UnknownSpot { body, found, .. } => format!("body `{body}` has no point or frame `{found}`"),
            UnknownCoordinate { found, .. } => format!("coordinate `{found}` does not exist"),
            UnknownJoint { found, .. } => format!("joint `{found}` does not exist"),
            UnknownFunction { found, .. } => format!("function `{found}` does not exist"),
            UnknownPath { found, .. } => format!("path `{found}` does not exist"),
            UnknownWrap { found, .. } => format!("wrap `{found}` does not exist"),
            UnknownSurface { found, .. } => format!("surface `{found}` does not exist"),
            UnknownLaw { found, .. } => format!("law `{found}` does not exist"),
            UnknownLabelled { section: Some(section), found, .. } => format!("{section} `{found}` does not exist"),
            UnknownLabelled { section: None, found, .. } => format!("there are no labels of `{found}`"),
            LawOfOtherFamily { is, wanted } => format!("this is a law of {is}, a law of {wanted} is needed"),
            OnlyWithVolume { field, volume: true } => format!("`{field}` needs the normal law `volumetric`"),
            OnlyWithVolume { field, volume: false } => format!("`{field}` has no meaning with a normal law of volumes"),
            BadShape { reason, .. } => reason.clone(),
            LawOrder { greater, lesser, values: [high, low] } => format!("`{greater}` is {high}, below `{lesser}`, which is {low}"),
            NoSurfaces => "no surface is named".into(),
            NoPairs => "`a` and `b` name the same surfaces, of which no two are on different bodies: no pair can touch".into(),
            TooManyPoints { width, pitch, most } => {
                format!("a shape {width} m wide has more than {most} points along a side at a pitch of {pitch} m")
            }
            ContactNotFound { pair } => format!("where the surfaces of `{pair}` touch cannot be found at the start"),
            Immersed { pair, full: false, depth } => {
                format!(
                    "`{pair}` starts more than three quarters of its height inside, {depth:.3e} m deep: no law of contact is meant for that"
                )
            }
            Immersed { pair, full: true, depth } => {
                format!("`{pair}` starts all inside the half-space, {depth:.3e} m deep: nothing resists any longer")
            }
            PairImpossible { reason, .. } => (*reason).into(),
            NoBodies => "the model has no body, and nothing else that could change".into(),
            BodyWithoutJoint { body, image: None } => format!("no joint has `{body}` as its child"),
            BodyWithoutJoint { body, image: Some([original, joint]) } => {
                format!("no joint has `{body}` as its child: it is the mirror image of `{original}`, whose joint `{joint}` is not mirrored")
            }
            BodyWithTwoJoints { body, first, second } => format!("body `{body}` is the child of two joints, `{first}` and `{second}`"),
            TreeCycle { bodies } => format!("the joints of {} form a cycle that never reaches the world", list(bodies)),
            WorldAsChild => "the world cannot be the child of a joint".into(),
            SameBody { body } => format!("both places are on `{body}`"),
            BothGiven { one, other } => format!("`{one}` and `{other}` are both given"),
            NeitherGiven { one, other } => format!("neither `{one}` nor `{other}` is given"),
            GivenAlone { one, other } => format!("`{one}` is given without `{other}`"),
            NeedsSubject { field, wants } => format!("`{field}` is a fraction of `subject.{wants}`, which is not given"),
            NeedsLength => "a fraction of the body's length is used, but the length is not given".into(),
            ImpossibleInertia { reason, values } => {
                let values = values.iter().map(|x| format!("{x:.6}")).collect::<Vec<_>>().join(", ");
                let why = match reason {
                    InertiaReason::Negative => "a principal moment of inertia is negative",
                    InertiaReason::Triangle => "one principal moment of inertia exceeds the sum of the other two",
                };
                format!("no body can have this inertia: {why} (principal moments {values} kg m^2)")
            }
            TurnsWithoutInertia { joint } => format!("joint `{joint}` turns the body, which has no inertia"),
            NoInertiaAtJoint { joint } => {
                format!("the body has no inertia against joint `{joint}`: its acceleration is not determined")
            }
            InertiaTooLarge { body } => format!("mass, mass centre and inertia of `{body}` are together too large to compute with"),
            JointStandsStill { joint } => format!("the pose of joint `{joint}` does not change with its coordinate at the start"),
            StartNotComputable { joint } => {
                format!("the motion cannot begin: the acceleration of joint `{joint}` is not finite at the start")
            }
            LargeStrain { found } => format!("a strain of {found} is {} %", (found * 1e10).round() / 1e8),
            ControlNotFinite { value } => format!("it is {value} at the start, not a finite number"),
            RowNotFinite { row, at, slope, value } => {
                let what = if *slope { "slope" } else { "value" };
                let whose = if row.starts_with("guide.") { "the function of " } else { "" };
                format!("{whose}`{row}` has no finite {what} at {at} s: it is {value}")
            }
            WrongCount { what, expected, found } => format!("{expected} {what} expected, {found} found"),
            DuplicateCoordinate { what, name, first } => format!("{what} `{name}` already belongs to joint `{first}`"),
            NoSpeeds => "the speeds of this joint are the rates of its coordinates and have no names of their own".into(),
            DuplicateLabel { label, first } => format!("the label `{label}` already belongs to marker `{first}`"),
            UnknownMarker { found, .. } => format!("there is no marker `{found}`"),
            SameMarker { marker } => format!("marker `{marker}` is no distance away from itself"),
            NothingMeasured { what } => format!("the measurement has no {what}"),
            NeedsRange => "`clamp` keeps to a range, which is not given".into(),
            DampingOfNoKind => "`damping` is given, and the kind of damping is none".into(),
            OnlyWithAngles => "`sequence` names the axes of angles, the orientation here is a quaternion".into(),
            NotASign { found } => format!("{found} is no sign"),
            FrameNotOrthogonal { cosine } => format!("the axes x and y are not at right angles (cosine {cosine:.6})"),
            FrameTwoWays => "the orientation is given in two ways".into(),
            FieldOfOtherDimension { field, dimension } => format!("`{field}` does not exist in a {dimension} model"),
            TableTwice { field } => format!("the points are in a file, and `{field}` gives them again"),
            NotTheRate { rate, measured } => {
                format!("the arguments of the file are not those of {rate} a second; their mean is {measured:.6}")
            }
            UnknownDataColumn { path, found, .. } => format!("`{path}` has no column `{found}`"),
            ColumnHasGaps { path, column, missing, first } => {
                format!("column `{column}` of `{path}` lacks {missing} values, the first at {first} s")
            }
            ColumnUnit { column, found, field, declared } => format!("column `{column}` is in {found}, but `{field}` is \"{declared}\""),
            BadTable { reason, .. } => format!("the table cannot be interpolated: {reason}"),
            BadExpression { reason, .. } => format!("the expression cannot be read: {reason}"),
            BadRate { reason, .. } => format!("the rate cannot be used: {reason}"),
            BadFormula { reason, .. } => format!("the formula cannot be used: {reason}"),
            BadNumberName { name } => format!("formulas cannot call a number `{name}`"),
            FormulaOnSoftPath { path } => format!("a formula cannot pull along `{path}`, which runs over nodes of soft parts"),
            IntegralNotSi { unit, .. } => format!("integrals are kept in SI, `{unit}` is not"),
            FunctionUnit { function, side, found, expected } => {
                format!("function `{function}` has its {} in {found}, {expected} is needed here", side.word())
            }
            FunctionBareAngle { function, side, largest } => {
                let word = side.word();
                format!("function `{function}` has bare numbers up to {largest} for its {word}, an angle: more than a full turn in rad")
            }
            NotAngle { coordinate } => format!("coordinate `{coordinate}` is not an angle"),
            Quaternion { coordinate } => format!("coordinate `{coordinate}` is part of a quaternion"),
            GuideNotSmooth { function } => format!("function `{function}` has kinks: a guide needs a continuous slope (C1)"),
            GuideOnlyC1 { function } => {
                format!("function `{function}` is only C1: guided accelerations and all loads will jump at its knots")
            }
            FunctionJointNotSmooth { function } => {
                format!("function `{function}` has kinks: a joint needs continuous velocities (C1)")
            }
            NothingGuided => "no direction is guided".into(),
            BadSequence { found } => format!("`{found}` is no sequence of three axes"),
            EmptyRelation => "the relation has no coefficient other than zero".into(),
            BadPathEnd { wrap, first } => {
                let (what, which) = (if *wrap { "a wrap" } else { "a conditional point" }, if *first { "begin" } else { "end" });
                format!("a path cannot {which} with {what}")
            }
            TableOnSoftPath => "a path over nodes of soft parts passes places only, no wraps and no moving or conditional points".into(),
            BadStop => "a point of a path given as a table must have one of `wrap`, `at` and `on`".into(),
            FieldOfOtherStop { field, of } => format!("`{field}` does not go with `{of}`"),
            TooManyWraps { most } => format!("more than {most} wraps stand between two points of the path"),
            SideMissing { wrap } => format!("`side` is missing: the path could go round `{wrap}` both ways"),
            SideAlong { wrap, of_axis: true } => {
                format!("`side` points along the axis Z of `{wrap}`: it does not tell on which side of it the path goes")
            }
            SideAlong { wrap, .. } => {
                format!("`side` points along the line from the axis of `{wrap}` to the point before it, so that both ways round are alike")
            }
            MovingPointNotSmooth { axis, point } => {
                format!("`{axis}` of moving point {point} has kinks: the moment arm of the path jumps there")
            }
            MovingWithout { field } => format!("the moving point has no `{field}`"),
            ConditionalJump { point, end, jump, .. } => {
                format!("the length of the path jumps by {:.3} mm where point {point} comes or goes at `{end}`", jump * 1e3)
            }
            EndInsideWrap { path, point, wrap, depth, when } => {
                format!("point {point} of path `{path}` lies {:.3} mm inside wrap `{wrap}` {when}", depth * 1e3)
            }
            PathLost { path, wrap, trouble } => format!("path `{path}` {} at the start", trouble.words(wrap)),
            DoubtfulPath { path, wrap, kind: MarginKind::Slide, value } => {
                format!("path `{path}` is near sliding off wrap `{wrap}` at the start: {value:.3}, where 1 is a plane and 0 no hold at all")
            }
            DoubtfulPath { path, wrap, kind: MarginKind::Sphere, value } => {
                format!(
                    "the points of path `{path}` beside sphere `{wrap}` are {:.1} deg apart about its centre at the start; at 180 deg the path could swing any way round",
                    value.to_degrees()
                )
            }
            DoubtfulPath { path, wrap, kind: MarginKind::Cut, value } => {
                format!("path `{path}` is {:.1} deg from where it would go round cylinder `{wrap}` the other way", value.to_degrees())
            }
            PathOnOneBody { path, body } => {
                format!("all of path `{path}` lies on `{body}`: no motion changes its length, and it moves nothing")
            }
            PinchedPath { points, place, tension } => {
                format!(
                    "{points} lie in one place at the start, {place}, and {tension:.3} N act along it: the line between them has no direction"
                )
            }
            CoincidentPathPoints { first } => format!("points {first} and {} of the path are the same place", first + 1),
            NotAHinge { joint } => format!("joint `{joint}` is not a hinge"),
            HingeNotBetween { joint } => format!("joint `{joint}` does not connect the bodies of the path's two points"),
            NotTwoPoints { found } => format!("a moment actuator needs a path of exactly two points, this one has {found}"),
            EmptyRange { lower, upper, unit } => {
                format!("lower end {} is not below upper end {}", in_words(*lower, unit), in_words(*upper, unit))
            }
            ZeroQuaternion { joint } => format!("the quaternion of joint `{joint}` is zero"),
            OutsideTable { function, unit, at, from, to } => {
                let [at, from, to] = [at, from, to].map(|x| in_words(*x, unit));
                format!("function `{function}` is asked for at {at}, outside its table from {from} to {to}")
            }
            Unreachable { rows } => format!("the model cannot be assembled: {} cannot be met", with_size(rows)),
            Conflict { rows } => format!("constraints contradict each other: {}", with_size(rows)),
            SingularStart { rows } => format!("the start is a singular position: only there other rows leave nothing of {}", list(rows)),
            Redundant { rows } => format!("redundant constraints, single reactions are not determined: {}", list(rows)),
            Singular { joint } => format!("joint `{joint}` is singular at the start: two of its axes are parallel"),
        }
    }

    fn hint(&self) -> Option<String> {
        use Fault::*;
        match self {
            UnknownBody { nearest, known, .. } => did_you_mean(nearest, "bodies", known),
            UnknownSpot { nearest, known, .. } => did_you_mean(nearest, "points and frames", known),
            UnknownCoordinate { nearest, .. } => {
                nearest_or(nearest, "coordinates have the name of their joint unless `coordinates` names them; `borelli check` lists them")
            }
            UnknownLabelled { nearest, .. } => {
                nearest_or(nearest, "labels stand by section and name: `[report.label]`, `joint.knee_r = \"Right knee\"`")
            }
            UnknownJoint { nearest, .. } => nearest_or(nearest, "joints are tables [joint.NAME]"),
            UnknownFunction { nearest, .. } => {
                nearest_or(nearest, "functions are tables [function.NAME]; a quantity such as \"3 N\" is a constant")
            }
            UnknownPath { nearest, .. } => nearest_or(nearest, "paths are tables [path.NAME] with `points`"),
            UnknownWrap { nearest, .. } => nearest_or(nearest, "wraps are tables [wrap.NAME] with `type` and `at`"),
            UnknownSurface { nearest, .. } => nearest_or(nearest, "surfaces are tables [surface.NAME] with `type` and `at`"),
            UnknownLaw { nearest, .. } => nearest_or(nearest, "laws are tables [law.NAME] with `type`, or stand in place: { type = \"hertz\", ... }"),
            LawOfOtherFamily { wanted, .. } => Some(format!("`borelli laws` lists the laws of {wanted}")),
            OnlyWithVolume { volume: true, .. } => Some("take the field out, or say normal = { type = \"volumetric\", ... }".into()),
            OnlyWithVolume { volume: false, .. } => Some("take the field out: a patch acts at the centroid of the overlap".into()),
            BadShape { advice, .. } => Some(advice.clone()),
            LawOrder { greater, lesser, .. } => Some(format!("`{greater}` must be at least `{lesser}`; did you swap the two?")),
            ContactNotFound { .. } => Some("move the bodies apart: centres may coincide, or one body may lie inside the other".into()),
            Immersed { .. } => Some("raise the body at the start; the free side of a half-space is that of its normal".into()),
            TooManyPoints { width, most, .. } => Some(format!("a pitch of at least {} m", width / most)),
            NoSurfaces => Some("name a surface, or several in a list".into()),
            NoPairs => Some("name other surfaces in `b`, or at least two on different bodies".into()),
            PairImpossible { advice, .. } => Some((*advice).into()),
            NoBodies => Some("add a table [body.NAME] with mass and inertia, and a [joint.NAME] that carries it; or an [integral.NAME]".into()),
            BodyWithoutJoint { image: Some([_, joint]), .. } => {
                Some(format!("only names that end in `from` of the mirror are copied: call joint `{joint}` so that it does"))
            }
            BodyWithoutJoint { body, .. } => {
                Some(format!("add a [joint.NAME] with child = \"{body}\"; use type = \"free\" for a body that floats"))
            }
            BodyWithTwoJoints { .. } => Some("keep one as the joint of the tree and make the other a [loop.NAME]".into()),
            TreeCycle { .. } => {
                Some("hang one of them on the world or on a body that reaches it, and close the ring with a [loop.NAME]".into())
            }
            WorldAsChild => Some("swap parent and child".into()),
            SameBody { .. } => Some("a connection needs two different bodies".into()),
            BothGiven { .. } => Some("keep one of the two".into()),
            NeitherGiven { one, .. } => Some(format!("give `{one}`")),
            GivenAlone { one, other } => Some(format!("give `{other}` as well, or take `{one}` out")),
            NeedsSubject { wants, .. } => Some(format!("add `{wants}` to the table [subject]")),
            NeedsLength => Some("give `length` or `length_fraction`".into()),
            ImpossibleInertia { .. } => {
                Some("the inertia is about the mass centre, in body axes; check units and the sign of products".into())
            }
            TurnsWithoutInertia { .. } => {
                Some("give `inertia` or `gyration_fraction`; of a point mass `inertia` is 0, in space [0, 0, 0]".into())
            }
            NoInertiaAtJoint { .. } => Some("give the body an inertia, or move its mass centre off the joint axis".into()),
            InertiaTooLarge { .. } => Some("check the units".into()),
            JointStandsStill { .. } => {
                Some("give it a function whose slope is not zero at the start, or use a `weld` joint where nothing is to move".into())
            }
            StartNotComputable { .. } => Some(
                "a force has no finite value at the start (a logarithm or root of a negative number, a path through its hinge), or axes are parallel"
                    .into(),
            ),
            LargeStrain { found } => Some(format!("did you mean a percentage? \"{found} %\" is {}", (found * 1e10).round() / 1e12)),
            ControlNotFinite { .. } | RowNotFinite { .. } => {
                Some("logarithms and roots need a positive argument from the start on; shift the time, as in ln(1 + t)".into())
            }
            FrameTwoWays => Some("give `rotation`, or `angles`, or `x` and `y`, not two of them".into()),
            FieldOfOtherDimension { dimension, .. } => Some(
                if *dimension == "planar" {
                    "planar models turn about Z only; frames are turned by `angle`"
                } else {
                    "spatial frames are turned by `rotation`, or by `x` and `y`"
                }
                .into(),
            ),
            GuideNotSmooth { .. } | FunctionJointNotSmooth { .. } | MovingPointNotSmooth { .. } => {
                Some("use interpolation = \"spline\" (C2), \"makima\" or \"pchip\" (C1), or a smooth expression".into())
            }
            GuideOnlyC1 { .. } => Some("use interpolation = \"spline\" when loads matter".into()),
            NothingGuided => Some("give at least one of x, y, z".into()),
            BadSequence { .. } => Some("write three letters of x, y, z, neighbours different, such as \"zxy\"".into()),
            NotAngle { .. } => Some("this element acts on angles only; see `coordinate-spring` for displacements".into()),
            Quaternion { .. } => Some(
                "parts of a quaternion have no force, guide or relation of their own; let an `effort` act on an angular velocity of the joint (`NAME_wx` and so on), use a gimbal joint, or guide the orientation".into(),
            ),
            FunctionUnit { side, .. } => {
                Some(format!("change the numbers' units or `{}`, or use another function here", side.unit_field()))
            }
            FunctionBareAngle { side, .. } => {
                Some(format!("say {0} = \"deg\" if degrees are meant, {0} = \"rad\" if not", side.unit_field()))
            }
            EmptyRange { .. } => Some("swap the two, or make the range wider".into()),
            HingeNotBetween { .. } => {
                Some("the first point must be on the hinge's parent body and the last on its child, or the other way round".into())
            }
            OutsideTable { .. } => Some("lengthen the table, or say outside = \"hold\", \"extrapolate\" or \"periodic\"".into()),
            Unreachable { .. } => Some("check lengths and start coordinates; free one of the coordinates in `hold`".into()),
            Conflict { .. } => Some("two of them prescribe the same thing differently; remove one".into()),
            SingularStart { .. } => Some("several branches of the motion meet there: start with a speed along the one that is meant, or beside the position".into()),
            Redundant { .. } => Some("motion and total loads are right; remove the rows named to make every reaction unique".into()),
            Singular { .. } => Some("start from other angles, or use a ball joint".into()),
            WrongCount { what, expected, .. } if what.starts_with("names") => {
                Some(format!("write {expected}, or leave the field out for names made from the joint's"))
            }
            WrongCount { what, expected, .. } => Some(format!("write a list of {expected} {what}")),
            DuplicateCoordinate { name, .. } => {
                Some(format!("names of coordinates and speeds are shared by the whole model; choose another, such as `{name}_2`"))
            }
            NoSpeeds => Some("take `speeds` out; the speeds bear the names of the coordinates".into()),
            DuplicateLabel { .. } => Some(
                "a recording has each name once; a mirror renames labels that end in its `from`, else write the marker for each side".into(),
            ),
            UnknownMarker { nearest, .. } => nearest_or(nearest, "name markers of the model, or their labels"),
            SameMarker { .. } => Some("a pair is two different markers".into()),
            NothingMeasured { .. } => Some("give pairs = [[\"asis_r\", \"asis_l\"]] and bodies = [\"pelvis\"]".into()),
            NeedsRange => Some("give range = [\"0 deg\", \"120 deg\"], or take `clamp` out".into()),
            DampingOfNoKind => Some("take `damping` out, or choose the kind \"ramp\" or \"lengthening\"".into()),
            OnlyWithAngles => Some("say rotation = \"angles\", or take `sequence` out".into()),
            NotASign { .. } => Some("write 1 or -1".into()),
            FrameNotOrthogonal { .. } => Some("write two directions at right angles, such as x = [1, 0, 0] and y = [0, 1, 0]".into()),
            TableTwice { .. } => Some("give either `file` and `column`, or `x` and `y`".into()),
            NotTheRate { .. } => Some("write the rate of the samples, or take `rate` out".into()),
            UnknownDataColumn { nearest: Some(near), .. } => Some(format!("did you mean `{near}`?")),
            UnknownDataColumn { known, .. } => Some(match known.len() {
                0..=12 => format!("columns are {}", known.join(", ")),
                more => format!("columns are {} and {} more", known[..12].join(", "), more - 12),
            }),
            ColumnHasGaps { .. } => Some("a table has a value at every point: fill the gaps first, or take another column".into()),
            ColumnUnit { field, .. } => Some(format!("the file tells the unit of this column: leave `{field}` out, or correct it")),
            BadTable { advice, .. } | BadExpression { advice, .. } | BadRate { advice, .. } | BadFormula { advice, .. } => {
                Some(advice.clone())
            }
            BadNumberName { .. } => {
                Some("use letters, digits and `_`, and no name that formulas know already: a function, `pi`, `time`, `x`, `vx` and so on".into())
            }
            FormulaOnSoftPath { .. } => Some("use one of the other path elements, such as `spring` or `actuator`".into()),
            IntegralNotSi { si, .. } => Some(format!("write \"{si}\"")),
            EmptyRelation => Some("write for instance coefficients = { knee = 1, hip = -2 }".into()),
            CoincidentPathPoints { .. } => Some("take one of the two out".into()),
            BadPathEnd { .. } => Some("begin and end with a place, such as \"femur.condyle\"; wraps and conditional points stand between".into()),
            TableOnSoftPath => Some("end one path at a place of a body, and begin another there".into()),
            BadStop => Some("write { wrap = \"NAME\", side = [1, 0, 0] }, { at = \"body.point\", when = { ... } } or { on = \"body\", x = ..., y = ..., of = \"coordinate\" }".into()),
            FieldOfOtherStop { .. } => Some("take it out, or give it a point of its own".into()),
            TooManyWraps { .. } => Some("add a place between them, or make two paths of it".into()),
            SideMissing { .. } => Some("give a direction in the frame of the wrap, such as side = [1, 0, 0]".into()),
            SideAlong { of_axis: true, .. } => {
                Some("give a direction across it, in X and Y of the wrap; turn the wrap by a frame if its axis is meant to be another".into())
            }
            SideAlong { .. } => Some("give the direction in which the path passes the axis".into()),
            MovingWithout { .. } => Some("a moving point needs `of`, a coordinate, and a function of it for every axis".into()),
            ConditionalJump { hard: false, .. } => {
                Some("move the end of the range to where the point lies on the line, or let a wrap take its place".into())
            }
            ConditionalJump { .. } => Some(
                "move the end of the range to where the point lies on the line, let a wrap take its place, or say jump = \"accept\"".into(),
            ),
            EndInsideWrap { .. } => Some("move the point out of the wrap, make the wrap smaller, or take it out of the path".into()),
            PathLost { trouble, .. } => Some(trouble.hint().into()),
            DoubtfulPath { kind: MarginKind::Slide, .. } => Some(Trouble::SlidesOff.hint().into()),
            DoubtfulPath { kind: MarginKind::Sphere, .. } => Some("let a cylinder take the place of the sphere: its sense is fixed".into()),
            DoubtfulPath { kind: MarginKind::Cut, .. } => {
                Some("give the path entry another `least_turn`, so that the cut lies where the motion never goes".into())
            }
            PinchedPath { .. } => Some("move one of the two, take it out, or start from another pose".into()),
            PathOnOneBody { .. } => Some("let one of its points lie on another body, or leave the path out".into()),
            NotAHinge { .. } => Some("name a joint of type = \"hinge\"".into()),
            NotTwoPoints { .. } => Some("write a path of two points, the origin and the insertion".into()),
            ZeroQuaternion { .. } => Some("no rotation is 1, 0, 0, 0; leave all four parts out to start there".into()),
        }
    }

    fn severity(&self) -> Severity {
        match self {
            Fault::GuideOnlyC1 { .. }
            | Fault::MovingPointNotSmooth { .. }
            | Fault::LargeStrain { .. }
            | Fault::Redundant { .. }
            | Fault::SingularStart { .. }
            | Fault::Singular { .. }
            | Fault::DoubtfulPath { .. }
            | Fault::PathOnOneBody { .. }
            | Fault::Immersed { full: false, .. }
            | Fault::ConditionalJump { hard: false, .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl Fault {
    /// Message and hint as text.
    pub(crate) fn write(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message())?;
        self.hint().map_or(Ok(()), |hint| write!(f, "\n  hint: {hint}"))
    }
}

/// A number with its unit; angles in degrees, as they are written.
pub(crate) fn in_words(x: f64, unit: &str) -> String {
    let shown = if unit == "rad" { x.to_degrees() } else { x };
    // Rounding of conversions and sums is not shown.
    let shown = if shown.abs() < 1e4 { (shown * 1e9).round() / 1e9 } else { shown };
    format!("{shown} {}", if unit == "rad" { "deg" } else { unit })
}
