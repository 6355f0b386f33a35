//! What may stand in a study file: every key and table with its fields, and which of them a sweep or the command line may set.
//! Not here: what the values mean together (`interpret`), the fields of measures (`measure`).
//! In: the lists of analyses, formulations, integrators and measures. Out: static tables for reader, schema and manual.

use crate::fit::Method;
use crate::measure::MEASURES;
use crate::plan::Analysis;
use crate::uncertainty::{Shape, Upon};
use borelli_dynamics::compile::sections;
use borelli_dynamics::formulation::FORMULATIONS;
use borelli_dynamics::formulation::segment_chain::Preset;
use borelli_dynamics::integrate::{INTEGRATORS, SCHEMES};
use borelli_model::{Field, FieldKind, Need, Range, json_schema_of, number, suggest};

const fn field(name: &'static str, kind: FieldKind, need: Need, doc: &'static str) -> Field {
    Field { name, kind, need, doc }
}

use FieldKind::{Any, Choice, Count, Flag, List, Named, Table, Text, Texts, WordOf};
use Need::{Default, Optional, Required};

/// Names of all analyses.
fn analyses() -> Vec<&'static str> {
    Analysis::ALL.iter().map(|(name, _)| *name).collect()
}

/// Names of all formulations.
fn formulations() -> Vec<&'static str> {
    FORMULATIONS.iter().map(|entry| entry.name).collect()
}

/// Names of all presets of mixed problems.
fn presets() -> Vec<&'static str> {
    Preset::ALL.iter().map(|(name, _)| *name).collect()
}

/// Names of all integrators.
pub fn methods() -> Vec<&'static str> {
    INTEGRATORS.iter().map(|entry| entry.name).chain(SCHEMES.iter().map(|entry| entry.name)).collect()
}

/// Names of all measures.
fn measures() -> Vec<&'static str> {
    MEASURES.iter().map(|measure| measure.name).collect()
}

/// `[time]`.
pub static TIME: &[Field] = &[
    number("start", "s", Range::ANY, Default(0.0), "time at which it begins"),
    number("end", "s", Range::ANY, Optional, "time at which it ends; needed unless the analysis is `statics` or a motion is given"),
    number("sample", "s", Range::POSITIVE, Optional, "interval between recorded samples; a two-hundredth of the whole if left out"),
];

/// `[integrator]`.
pub static INTEGRATOR: &[Field] = &[
    field("method", WordOf(methods), Optional, "how time is advanced; chosen by the model if left out"),
    number("rtol", "1", Range::UNIT, Default(1e-6), "error allowed per step, relative to the size of each entry of the state"),
    number("atol", "1", Range::NON_NEGATIVE, Default(1e-9), "error allowed per step, in the SI unit of each entry of the state"),
    number("step", "s", Range::POSITIVE, Optional, "step of methods with fixed steps, which need it; first step of the others"),
    number("max_step", "s", Range::POSITIVE, Optional, "longest step"),
    number("min_step", "s", Range::NON_NEGATIVE, Default(1e-14), "step below which a method gives up"),
    field("max_steps", Count { least: 1 }, Default(1e7), "most attempts"),
    number("beta", "1", Range::POSITIVE, Default(0.3025), "β of `newmark`"),
    number("gamma", "1", Range::POSITIVE, Default(0.6), "γ of `newmark`"),
    number("rho", "1", Range::UNIT, Default(0.8), "spectral radius at infinite frequency of `generalised-alpha`"),
    field("unknown", Choice(&["u", "v", "a"]), Optional, "what an implicit method iterates on: positions (u), velocities or accelerations"),
    field(
        "start_acceleration",
        Choice(&["consistent", "zero", "settled"]),
        Optional,
        "accelerations an implicit method starts from: those of the equations of motion, zero, or those with soft parts that carry the forces already",
    ),
    field("load_steps", Count { least: 1 }, Default(1.0), "equal steps in which `statics` puts loads on soft parts"),
    field("stop_at_breakpoints", Flag, Optional, "whether steps end where functions of time change their polynomial; true if left out"),
];

/// `[drift]`.
pub static DRIFT: &[Field] = &[
    field(
        "control",
        Choice(&["projection", "baumgarte", "none"]),
        Optional,
        "what is done about drift away from loops and guides; `projection` if left out",
    ),
    number("alpha", "1/s", Range::NON_NEGATIVE, Optional, "α of Baumgarte: Φ̈ + 2αΦ̇ + β²Φ = 0"),
    number("beta", "1/s", Range::NON_NEGATIVE, Optional, "β of Baumgarte"),
];

/// `[start]`.
pub static START: &[Field] = &[
    field(
        "rule",
        Choice(&["assemble", "positions", "speeds", "as-given", "equilibrium"]),
        Optional,
        "what of the start is made to satisfy loops and guides: all of it, only the coordinates, or nothing; or a balance at rest; `assemble` if left out",
    ),
    field("hold", Texts, Optional, "with `equilibrium`: coordinates that stay as the model starts them; none if left out"),
    field("gravity", Flag, Optional, "with `equilibrium`: whether gravity acts in the balance; true if left out"),
    field("released", Texts, Optional, "loops and guides that are not held at the start, such as `loop.coupling`; none if left out"),
];

/// Rate of a row that counts as none where it is held again, m/s or rad/s.
pub const STANDSTILL: f64 = 1e-6;

/// `[[event]]`.
pub static EVENT: &[Field] = &[
    field("name", Text, Required, "name of the event"),
    field("when", Text, Required, "formula over columns whose zero is the event"),
    field("direction", Choice(&["any", "rising", "falling"]), Optional, "which way it crosses zero; `any` if left out"),
    field("action", Choice(&["note", "stop", "release", "engage"]), Optional, "what then happens; `note` if left out"),
    field("release", Text, Optional, "the loop or guide that is let go, such as `loop.pin`"),
    field("engage", Text, Optional, "the loop or guide that is held again where it is then, such as `loop.coupling`"),
    number("tolerance", "*", Range::POSITIVE, Default(STANDSTILL), "largest rate of a row at which it can be held, m/s or rad/s"),
];

/// `[column.NAME]`.
pub static COLUMN: &[Field] =
    &[field("formula", Text, Required, "formula over columns"), field("unit", Text, Optional, "SI unit the formula is checked against")];

/// `[[shoot.target]]`.
pub static TARGET: &[Field] = &[
    field("formula", Text, Required, "formula over columns, taken at the end of the motion"),
    number("value", "*", Range::ANY, Required, "what it must be"),
];

/// `[shoot]`.
pub static SHOOT: &[Field] = &[
    field("unknowns", Texts, Required, "start values to be found, such as `initial.speeds.knee`"),
    number("tolerance", "1", Range::POSITIVE, Default(1e-10), "largest residual that counts as met, SI"),
    field("iterations", Count { least: 1 }, Default(50.0), "most iterations"),
    field("target", List(|| TARGET.to_vec()), Required, "what the end of the motion must be"),
];

/// `[[sensitivity.of]]`.
pub static SENSITIVITY_OF: &[Field] = &[
    field("name", Text, Required, "name of the largest value"),
    field("column", Text, Required, "recorded column that it is the largest value of"),
    number("from", "s", Range::ANY, Optional, "first time looked at"),
    number("to", "s", Range::ANY, Optional, "last time looked at"),
];

/// `[[sensitivity.by]]`.
pub static SENSITIVITY_BY: &[Field] = &[
    field("name", Text, Required, "name of the change"),
    field("change", Any, Required, "parameters by path, with what is added to each: { \"body.shank.mass\" = \"0.1 kg\" }"),
];

/// `[sensitivity]`.
pub static SENSITIVITY: &[Field] = &[
    field("of", List(|| SENSITIVITY_OF.to_vec()), Required, "largest values of columns"),
    field("by", List(|| SENSITIVITY_BY.to_vec()), Required, "changes of parameters"),
    field("differences", Flag, Optional, "whether the derivatives are held against differences of whole motions; false if left out"),
];

/// Names of all searches of a fit.
fn searches() -> Vec<&'static str> {
    Method::ALL.iter().map(|(name, _)| *name).collect()
}

/// `[[fit.unknown]]`.
pub static FIT_UNKNOWN: &[Field] = &[
    field("name", Text, Optional, "name in tables and in `search`; its path if left out"),
    field(
        "path",
        Text,
        Optional,
        "parameter that is searched for, such as `law.sole.stiffness`; with `*` all that fit, each for itself, such as `function.dx.y.*`",
    ),
    field("paths", Texts, Optional, "parameters that have its value together, in place of `path`"),
    field("times", FieldKind::Numbers { unit: "1", least: 1 }, Optional, "factor of each of `paths`; one if left out"),
    number("low", "*", Range::ANY, Optional, "least value; none if left out"),
    number("high", "*", Range::ANY, Optional, "largest value; none if left out"),
    field("scale", Choice(&["linear", "log"]), Optional, "scale on which it is searched for; `linear` if left out"),
    number("start", "*", Range::ANY, Optional, "where the search begins; at the value of the model if left out"),
    field("per_trial", Flag, Optional, "whether every trial that is fitted has one of its own; false if left out"),
    number(
        "pull",
        "1",
        Range::POSITIVE,
        Optional,
        "weight of a residual that draws it to the value of the model: the distance from it over half the range between the bounds; none if left out",
    ),
    field("stage", Count { least: 1 }, Default(1.0), "stage of the search from which on it is searched for"),
    field("before", Text, Optional, "unknown whose place between its bounds it has before its stage; its own start if left out"),
];

/// `[fit.term.fade]`.
pub static FIT_FADE: &[Field] = &[
    field("by", Text, Required, "column that opens the gate"),
    number("low", "*", Range::ANY, Required, "below, samples count nothing"),
    number("high", "*", Range::ANY, Required, "above, samples count fully"),
];

/// `[[fit.term]]`.
pub static FIT_TERM: &[Field] = &[
    field("name", Text, Required, "name of the term"),
    field("column", Text, Optional, "column that is compared"),
    field("mat", Text, Optional, "pressure mat whose cells are compared, in place of a column"),
    field(
        "data",
        Text,
        Optional,
        "measured column it is compared with, zero if left out; of a mat one of the `maps` of the trial, that of its own name if left out",
    ),
    field(
        "interpolation",
        Choice(&["linear", "spline", "pchip", "makima", "natural", "akima"]),
        Optional,
        "how measured values run between their times; `linear` if left out",
    ),
    number("knots_from", "s", Range::ANY, Optional, "first time at which the measured column has a value; before, that value is held"),
    number("knots_to", "s", Range::ANY, Optional, "last time at which the measured column has a value; beyond, that value is held"),
    number("weight", "1", Range::NON_NEGATIVE, Default(1.0), "weight of the term, inside the power"),
    field(
        "normalise",
        Any,
        Optional,
        "what differences are divided by: `max`, `max-abs`, `rms` or `range` of what was measured, a quantity, or a list of measured columns: the root of the sum of the squares of their largest sizes; one SI unit if left out",
    ),
    field(
        "accept",
        Any,
        Optional,
        "largest difference that counts as good, for reports: a quantity, or a part of `normalise` such as `20 %`",
    ),
    field("where", Text, Optional, "comparison over measured columns, such as `data.fy > [20 N]`: other samples do not count"),
    field("fade", Table(FIT_FADE), Optional, "smooth gate by a simulated quantity"),
    field("reduce", Choice(&["sum", "mean", "max"]), Optional, "how samples become one number; `sum` if left out"),
    field(
        "together",
        Text,
        Optional,
        "of terms with `reduce = \"max\"`: those that share this name are added up at each sample before the largest counts",
    ),
    field("objective", Count { least: 1 }, Default(1.0), "objective that the term belongs to, where there are several"),
    number("from", "s", Range::ANY, Optional, "first time that counts"),
    number("to", "s", Range::ANY, Optional, "last time that counts"),
];

/// `[[fit.number]]`.
pub static FIT_NUMBER: &[Field] = &[
    field("name", Text, Required, "name in `extra`"),
    field("column", Text, Required, "column it is taken of"),
    field("of", Choice(&["max", "min"]), Required, "largest or least value"),
    number("from", "s", Range::ANY, Optional, "first time that counts"),
    number("to", "s", Range::ANY, Optional, "last time that counts"),
];

/// `[[fit.constraint]]`.
pub static FIT_CONSTRAINT: &[Field] = &[
    field("name", Text, Required, "name of the constraint"),
    field("column", Text, Required, "column that must stay below"),
    number("at_most", "*", Range::ANY, Required, "its largest value"),
    field("met_by", Text, Optional, "unknown that gives way, in which the column is linear: the constraint is then met exactly"),
    number("from", "s", Range::ANY, Optional, "first time that counts"),
    number("to", "s", Range::ANY, Optional, "last time that counts"),
];

/// `[[fit.trial]]`.
pub static FIT_TRIAL: &[Field] = &[
    field("name", Text, Required, "name of the trial"),
    field("data", Texts, Required, "files with measured columns, relative to this file"),
    field("maps", Any, Optional, "measured maps of pressure mats by name, relative to this file: `{ mat = \"pressure.csv\" }`"),
    number("rate", "Hz", Range::POSITIVE, Optional, "samples a second of files whose times are rounded"),
    field("motion", Text, Optional, "table of coordinates of this trial, relative to this file; that of `[motion]` if left out"),
    number(
        "rest_at",
        "s",
        Range::ANY,
        Optional,
        "of `statics`: time at which it is at rest, and at which its data are read; the start if left out",
    ),
    field("role", Choice(&["fit", "validate"]), Optional, "whether it is fitted, or only compared with the result; `fit` if left out"),
    field("set", Any, Optional, "parameters of this trial by path"),
];

/// `[fit]`.
pub static FIT: &[Field] = &[
    field("of", Choice(&["evaluate", "inverse", "simulate", "statics"]), Required, "analysis that is fitted"),
    field(
        "derivatives",
        Choice(&["exact", "differences"]),
        Optional,
        "slopes by the unknowns: `exact`, or central differences of whole runs; `exact` if left out",
    ),
    field("method", WordOf(searches), Optional, "search; `least-squares` if left out"),
    field("then", WordOf(searches), Optional, "second search, from where the first ended"),
    number("power", "1", Range::POSITIVE, Default(2.0), "p of the sum of |e|^p"),
    number("scale", "1", Range::POSITIVE, Default(1.0), "factor of the sum of all terms"),
    field("weights", FieldKind::Numbers { unit: "1", least: 1 }, Optional, "weights of all terms in their order, in place of their own"),
    field("search", Texts, Optional, "names of the unknowns that are searched for, `*` for any part of one; all if left out"),
    field("trials", Texts, Optional, "names of the trials that are looked at, `*` for any part of one; all if left out"),
    field("hold", Texts, Optional, "names of the constraints that are to hold, `*` for any part of one; all if left out"),
    field("starts", Count { least: 1 }, Default(1.0), "starts: that of the unknowns, the others spread between their bounds"),
    field("rounds", Count { least: 1 }, Default(1.0), "rounds of searches; those after the first begin near the best point found"),
    field("restarts", Count { least: 0 }, Default(0.0), "restarts of `cma-es`, each with twice the population"),
    field("seed", Count { least: 0 }, Default(1.0), "seed of random numbers"),
    field("evaluations", Count { least: 1 }, Default(100_000.0), "most evaluations of each search"),
    number(
        "tolerance",
        "1",
        Range::POSITIVE,
        Default(1e-10),
        "projected gradient, over 1 + J, at which a search ends; of `cma-es` the range of values",
    ),
    field("population", Count { least: 4 }, Optional, "individuals in a generation"),
    field(
        "generations",
        FieldKind::Numbers { unit: "1", least: 1 },
        Optional,
        "generations of `nsga2`, stage by stage; the last number counts for further stages; 300 if left out",
    ),
    field(
        "reference",
        FieldKind::Numbers { unit: "1", least: 2 },
        Optional,
        "objectives of the point from which the volume that the front of `nsga2` dominates is measured",
    ),
    field(
        "noise",
        Choice(&["estimated", "known"]),
        Optional,
        "size of the noise, for intervals: from what remains of J, or one where each difference is over its standard deviation; `estimated` if left out",
    ),
    field(
        "leave_one_out",
        Flag,
        Optional,
        "whether each trial is left out once, and told how well the others foretell it; false if left out",
    ),
    field("profile", Texts, Optional, "unknowns that are held at 15 values each while the others are fitted, `*` for any part of a name"),
    field("bootstrap", Count { least: 2 }, Optional, "how often frames are drawn anew and fitted, such as 200; never if left out"),
    number("block", "s", Range::POSITIVE, Optional, "with `bootstrap`: how long a stretch of frames stays together; 0.1 s if left out"),
    field("extra", Text, Optional, "formula over `number.NAME` that is added to the terms"),
    field("unknown", List(|| FIT_UNKNOWN.to_vec()), Required, "what is searched for"),
    field("term", List(|| FIT_TERM.to_vec()), Required, "what is to be small"),
    field("number", List(|| FIT_NUMBER.to_vec()), Optional, "numbers of the whole run, for `extra`"),
    field("constraint", List(|| FIT_CONSTRAINT.to_vec()), Optional, "what must hold"),
    field("trial", List(|| FIT_TRIAL.to_vec()), Optional, "measured data"),
];

/// Names of all shapes of distributions.
fn shapes() -> Vec<&'static str> {
    Shape::ALL.iter().map(|(name, _)| *name).collect()
}

/// Names of all that noise can be put on.
fn noisy() -> Vec<&'static str> {
    Upon::ALL.iter().map(|(name, _)| *name).collect()
}

/// `[[uncertainty.input]]`.
pub static UNCERTAINTY_INPUT: &[Field] = &[
    field("name", Text, Optional, "name in tables and correlations; its path if left out"),
    field("path", Text, Optional, "parameter or start value, such as `body.shank.mass` or `initial.speeds.knee`"),
    field("paths", Texts, Optional, "several that depend on one uncertain number, in place of `path`"),
    field(
        "times",
        FieldKind::Numbers { unit: "1", least: 1 },
        Optional,
        "with `apply = \"offset\"`: what each of `paths` gets of it; one if left out",
    ),
    field(
        "apply",
        Choice(&["value", "factor", "offset"]),
        Optional,
        "whether the number is their value, multiplies their own values, or is added to them; `value` if left out",
    ),
    field("distribution", WordOf(shapes), Optional, "how it is distributed; `normal` if left out"),
    number("mean", "*", Range::ANY, Optional, "mean; the value of the model if left out, 1 of a factor, 0 of an offset"),
    number("sd", "*", Range::ANY, Optional, "standard deviation; `10 %` is a part of the mean"),
    number("low", "*", Range::ANY, Optional, "least value"),
    number("mode", "*", Range::ANY, Optional, "most likely value; the value of the model if left out"),
    number("high", "*", Range::ANY, Optional, "largest value"),
];

/// `[[uncertainty.correlation]]`.
pub static UNCERTAINTY_CORRELATION: &[Field] = &[
    field("between", Texts, Required, "names of two inputs"),
    number("value", "1", Range::ANY, Required, "their correlation, between -1 and 1"),
];

/// `[[uncertainty.noise]]`.
pub static UNCERTAINTY_NOISE: &[Field] = &[
    field("name", Text, Required, "name in tables"),
    field("on", WordOf(noisy), Required, "what it is put on: coordinates of a table of motion, markers, or parts of measured loads"),
    field("columns", Texts, Optional, "patterns of the coordinates, markers or plates it is put on; all if left out"),
    number("sd", "*", Range::ANY, Required, "standard deviation; of `forces` also a part such as `1 %`"),
    number("time_constant", "s", Range::POSITIVE, Optional, "time after which it is forgotten; every sample is drawn anew if left out"),
    field("constant", Flag, Optional, "whether it is the same all through a run; false if left out"),
];

/// `[[uncertainty.result]]`, without the fields of measures.
pub static UNCERTAINTY_RESULT: &[Field] = &[
    field("name", Text, Required, "name of the number"),
    field(
        "column",
        Text,
        Optional,
        "column it is measured of, or without `measure` a number of the whole run such as `event.landing.time`",
    ),
    field("formula", Text, Optional, "formula over columns it is measured of, in place of `column`"),
    field("measure", WordOf(measures), Optional, "how the column becomes one number"),
];

/// Fields of `[[uncertainty.result]]` with those of all measures, for the schema.
fn result_with_measures() -> Vec<Field> {
    with_measures(UNCERTAINTY_RESULT)
}

/// `[uncertainty]`.
pub static UNCERTAINTY: &[Field] = &[
    field("of", Choice(&["simulate", "evaluate", "inverse", "statics", "kinematics"]), Required, "analysis whose results are uncertain"),
    field(
        "method",
        Any,
        Optional,
        "`linear`, `monte-carlo`, `latin-hypercube`, `sobol` or `morris`, or a list of them; `latin-hypercube` if left out",
    ),
    field(
        "samples",
        Count { least: 2 },
        Default(200.0),
        "samples that are drawn; base samples of `sobol`, which takes as many times inputs + 2 runs",
    ),
    field("trajectories", Count { least: 2 }, Default(20.0), "paths of `morris`, which takes as many times inputs + 1 runs"),
    field("seed", Count { least: 0 }, Default(1.0), "seed of random numbers"),
    field("input", List(|| UNCERTAINTY_INPUT.to_vec()), Optional, "uncertain parameters and start values"),
    field("correlation", List(|| UNCERTAINTY_CORRELATION.to_vec()), Optional, "inputs that go together"),
    field("noise", List(|| UNCERTAINTY_NOISE.to_vec()), Optional, "noise of the tables of the study"),
    field(
        "result",
        List(result_with_measures),
        Optional,
        "numbers of a run that are looked at beside its columns, and that inputs are ranked by",
    ),
];

/// `[motion]`.
pub static MOTION: &[Field] = &[
    field(
        "file",
        Text,
        Optional,
        "table of coordinates, relative to this file: columns `coord.NAME.value`, `NAME`, or paths that end with `NAME/value`",
    ),
    field("from", Choice(&["simulate"]), Optional, "the model is simulated first, and that motion is followed"),
    field(
        "derivatives",
        Choice(&["spline", "quintic", "exact"]),
        Optional,
        "velocities and accelerations: of cubic or natural quintic splines through the values, or as recorded beside them; `spline` if left out, with `[markers]` `quintic`",
    ),
    number(
        "interval",
        "s",
        Range::POSITIVE,
        Optional,
        "interval between samples of the simulated motion; that of `time.sample` if left out",
    ),
    field(
        "add",
        Any,
        Optional,
        "functions of the model that are added to coordinates, with their slopes, by the name of the coordinate: { heel_x = \"dx\" }",
    ),
    field(
        "touchdown",
        Choice(&["cubic", "line"]),
        Optional,
        "how the speed of a touchdown between two samples is found, for laws that remember it: on the cubic with overlaps and rates of both, or on straight lines; `cubic` if left out",
    ),
];

/// `[markers]`.
pub static MARKERS: &[Field] = &[
    field("file", Text, Required, "recording with markers (.trc, .c3d, .csv), relative to this file"),
    field(
        "axes",
        Text,
        Optional,
        "axes of the laboratory, such as \"x-forward, z-up\"; those that the file says or that its format usually has if left out",
    ),
    field(
        "forward",
        Text,
        Optional,
        "walking direction as an axis of the laboratory, such as \"+y\"; as `axes` says if left out, \"auto\" finds it",
    ),
    field(
        "weights",
        Any,
        Optional,
        "weights of markers by label or pattern: { \"R.Heel\" = 2, \"*.Thigh*\" = 0.5 }; those of the model if left out",
    ),
    field("names", Any, Optional, "labels of the file and those of the model they mean: { RASI = \"R.ASIS\" }"),
    number(
        "rate",
        "1/s",
        Range::POSITIVE,
        Optional,
        "samples per second of a .csv, .mot or .sto file whose times are rounded; found from the times if left out",
    ),
    field("strip_prefix", Flag, Optional, "whether labels lose what stands before a colon; false if left out"),
    number("max_gap", "s", Range::NON_NEGATIVE, Default(0.1), "longest gap of a marker that is filled"),
    field("trajectory", Choice(&["frames", "smooth"]), Optional, "every frame by itself, or all frames together; `frames` if left out"),
    number(
        "noise",
        "m",
        Range::POSITIVE,
        Optional,
        "with `smooth`: noise of markers in each direction; found by leaving points out if left out",
    ),
    field(
        "method",
        Choice(&["markers", "angles"]),
        Optional,
        "least squares of markers, or one reference point and angles of segments; `markers` if left out",
    ),
    field("swaps", Choice(&["tell", "mend"]), Optional, "whether exchanged markers are only told, or put back; `tell` if left out"),
];

/// `[[task]]`.
pub static TASK: &[Field] = &[
    field("coordinate", Text, Required, "coordinate that is drawn to a value while markers are fitted"),
    number("weight", "1", Range::NON_NEGATIVE, Default(1.0), "its weight, m^2/rad^2, beside the mean square of the errors of markers"),
    field("value", Any, Optional, "\"default\", or a number with its unit; the default of the model if left out"),
];

/// `[filter]`.
pub static FILTER: &[Field] = &[
    field(
        "kind",
        Choice(&["butterworth", "opensim", "spline", "none"]),
        Optional,
        "zero-lag Butterworth, the filter of OpenSim, a smoothing spline, or nothing; `butterworth` if left out",
    ),
    field("of", Choice(&["coordinates", "markers"]), Optional, "what is filtered; `coordinates` if left out"),
    field("cutoff", Any, Optional, "cut-off such as \"6 Hz\", or \"residual\": proposed for each channel by the analysis of residuals"),
    number("pass", "1/s", Range::POSITIVE, Optional, "pass band, instead of the cut-off"),
    number("stop", "1/s", Range::POSITIVE, Optional, "stop band, with `pass`"),
    number("loss", "1", Range::POSITIVE, Default(20.0), "loss in the stop band, dB, of both passes together"),
    field("order", Count { least: 1 }, Default(2.0), "order of one pass; there are two"),
    field(
        "correction",
        Choice(&["exact", "frequency", "none"]),
        Optional,
        "how the cut-off of one pass is set so that both together have it; `exact` if left out",
    ),
    field(
        "pad",
        Count { least: 1 },
        Optional,
        "samples that each end is lengthened by, by point reflection; three for each coefficient of a pass if left out",
    ),
];

/// `[loads]`.
pub static LOADS: &[Field] = &[
    field(
        "file",
        Text,
        Required,
        "recording with force plates (.c3d), columns of forces (.mot, .sto, .csv), or external loads of OpenSim (.xml), relative to this file",
    ),
    field("axes", Text, Optional, "axes of the laboratory, as in `[markers]`; those of the markers if they are of the same file"),
    field("forward", Text, Optional, "walking direction, as in `[markers]`"),
    field(
        "threshold",
        Any,
        Optional,
        "normal load below which there is none; \"20 N\" if left out, \"none\": all samples count as they are",
    ),
    number("rate", "1/s", Range::POSITIVE, Optional, "samples per second, as in `[markers]`"),
    field("baseline", Any, Optional, "what an unloaded plate shows: \"auto\", \"file\", \"none\" or [from, to]; `auto` if left out"),
    field(
        "cutoff",
        Any,
        Optional,
        "low-pass filter of the loads, such as \"50 Hz\", or \"none\"; 0.45 of the rate of the motion if left out",
    ),
    field(
        "interpolation",
        Choice(&["linear", "natural"]),
        Optional,
        "between samples: straight, or natural cubic splines; `linear` if left out",
    ),
    field(
        "outside",
        Choice(&["refuse", "unloaded"]),
        Optional,
        "times at which the loads were not recorded: refused, or without load, which is told; `refuse` if left out",
    ),
];

/// `[[load]]`.
pub static LOAD: &[Field] = &[
    field("plate", Any, Optional, "number of the plate in the file, from 1"),
    field("columns", Text, Optional, "prefix of its columns, such as `ground_force_r_`, instead of the number"),
    field("body", Text, Optional, "body it loads; found from the markers of the feet if left out"),
];

/// `[[mixed.known]]`.
pub static KNOWN: &[Field] = &[
    field("variable", Text, Required, "name or symbol of the variable"),
    field("value", Any, Optional, "all of it: a quantity, or a formula over time, coordinates and their rates"),
    field("extra", Any, Optional, "the same, beside what the model exerts"),
    field("column", Text, Optional, "all of it, a column of the motion"),
];

/// `[[mixed.row]]`.
pub static ROW: &[Field] = &[
    field("name", Text, Required, "name of the row, for messages"),
    field(
        "terms",
        Any,
        Required,
        "variables and accelerations of points, each with its weight, a number or a quantity; products of one unit",
    ),
    field("right", Any, Optional, "what their sum must be: a quantity or a formula; 0 if left out"),
    field("frees", Text, Optional, "variable that becomes unknown for it; it may be a support of the solver"),
];

/// `[mixed]`.
pub static MIXED: &[Field] = &[
    field("preset", WordOf(presets), Optional, "what is unknown to begin with; `forward` if left out"),
    field("unknown", Texts, Optional, "variables that are unknown beside those of the preset"),
    field(
        "loops",
        Choice(&["keep", "leave-out"]),
        Optional,
        "loops and guides of the model; `leave-out` if left out with a motion, else `keep`",
    ),
    field("least_squares", Flag, Optional, "whether least squares are taken where unknowns are not as many as equations"),
    field("base", Text, Optional, "body that the chain begins with"),
    field("end", Text, Optional, "body that the chain ends with"),
    field("known", List(|| KNOWN.to_vec()), Optional, "variables that are known beside those of the preset, with their values"),
    field("row", List(|| ROW.to_vec()), Optional, "equations beside those of Newton and Euler"),
];

/// `[pressure]`.
pub static PRESSURE: &[Field] = &[
    field(
        "frames",
        Count { least: 2 },
        Default(15.0),
        "maps of each pressure mat, evenly from the start to the end, each at the nearest sample",
    ),
    number("interval", "s", Range::POSITIVE, Optional, "interval between maps, instead of their number"),
];

/// `[[plot]]`.
pub static PLOT: &[Field] = &[
    field("title", Text, Required, "title of the plot"),
    field("columns", Texts, Required, "columns it shows, over time; patterns such as `coord.*.value` may be used"),
    field("case", Text, Optional, "case of the sweep; all of them if left out"),
    field("cases", Texts, Optional, "several cases of the sweep"),
    field("across", Text, Optional, "column that the columns are plotted over, sample by sample, instead of time"),
    field("over", Text, Optional, "path of `[sweep]` that the columns are plotted over, one point for each case, instead of time"),
    field(
        "measure",
        Choice(&["last", "first", "min", "max", "mean", "rms", "peak"]),
        Optional,
        "with `over`: which number of a column each case gives; `last` if left out",
    ),
];

/// `[picture]`.
pub static PICTURE: &[Field] = &[
    field("kind", Choice(&["plot", "strip"]), Required, "a plot of this file, or figures of the body at several times"),
    field("plot", Any, Optional, "number (from 1) or title of the plot; the first if left out"),
    field("times", FieldKind::Numbers { unit: "s", least: 1 }, Optional, "times of the figures"),
    number("interval", "s", Range::POSITIVE, Optional, "time from one figure to the next, from the first sample on, in place of `times`"),
    field("superposed", Flag, Optional, "whether figures that cover each other stay where they are; moved apart if left out"),
    field("case", Text, Optional, "case of the sweep; the first if left out"),
];

/// `against` of `[[expect]]`.
pub static AGAINST: &[Field] = &[
    field("case", Text, Optional, "another case of the sweep"),
    field("study", Text, Optional, "another study, by its name"),
    field("column", Text, Optional, "column there; the same if left out"),
    field("columns", Texts, Optional, "columns there, in the order of `columns`"),
    field("formula", Text, Optional, "formula there"),
    field("file", Text, Optional, "table below the reference folder; without it there is no verdict"),
    field("file_column", Text, Optional, "column of the file; the same if left out"),
    field("file_columns", Texts, Optional, "columns of the file, in the order of `columns`"),
    number("file_rate", "1/s", Range::POSITIVE, Optional, "samples per second of a file whose times are rounded; its times if left out"),
    number("value", "*", Range::ANY, Optional, "a number"),
];

/// `[[expect]]`, without the fields of measures.
pub static EXPECT: &[Field] = &[
    field("quantity", Text, Required, "what is expected, in words"),
    field("column", Text, Optional, "column it is measured of, or a number of the whole run such as `run.evaluations`"),
    field("columns", Texts, Optional, "columns it is measured of, where a measure takes several"),
    field("formula", Text, Optional, "formula over columns it is measured of"),
    field("case", Text, Optional, "case of the sweep"),
    field("cases", Any, Optional, "\"all\", or a list of cases: one verdict for each"),
    field("measure", WordOf(measures), Optional, "how the column becomes one number; left out for a number of the whole run"),
    field("of", WordOf(measures), Optional, "measure of each side of a `ratio`, of each case of an `order`"),
    field("over", Text, Optional, "swept setting or parameter that is the step of an `order`"),
    number("value", "*", Range::ANY, Required, "expected value"),
    number("tolerance", "*", Range::NON_NEGATIVE, Optional, "absolute tolerance, with a unit where the value has one"),
    field("bound", Choice(&["within", "at-least", "at-most"]), Optional, "whether the value is met from both sides; `within` if left out"),
    field(
        "reached",
        Flag,
        Optional,
        "`false` for a number of others that the model is known to miss: shown, not counted; true if left out",
    ),
    field("against", Table(AGAINST), Optional, "what it is compared with, for `ratio`, `distance` and `order`"),
    field(
        "basis",
        Choice(&["published", "reference", "closed-form", "benchmark", "consistency", "fitted", "requirement"]),
        Required,
        "where the expected value comes from",
    ),
    field("source", Text, Optional, "where exactly"),
    field("note", Text, Optional, "what a reader should know"),
];

/// Fields of `[[expect]]` with those of all measures, for the schema.
fn expect_with_measures() -> Vec<Field> {
    with_measures(EXPECT)
}

/// Some fields with those of all measures.
fn with_measures(fields: &[Field]) -> Vec<Field> {
    let mut all = fields.to_vec();
    for own in MEASURES.iter().flat_map(|measure| measure.fields) {
        if all.iter().all(|known| known.name != own.name) {
            all.push(Field { need: Optional, ..*own });
        }
    }
    all
}

/// The top level, without `borelli`.
pub static TOP: &[Field] = &[
    field("title", Text, Required, "what the study shows, in one line"),
    field("description", Text, Optional, "the same, in more words"),
    field("source", Text, Optional, "where the problem comes from"),
    field("model", Text, Required, "a model of the gallery, or a file (`x.toml`, `folder/x.toml`) relative to this one"),
    field("analysis", WordOf(analyses), Optional, "what is asked of the model; `simulate` if left out"),
    field("formulation", WordOf(formulations), Optional, "equations of motion; `articulated` if left out, `segment-chain` for `mixed`"),
    field("columns", Texts, Optional, "patterns of the columns to be recorded; all if left out"),
    field("set", Any, Optional, "values of parameters and start values, by path"),
    field("control", Any, Optional, "controls of force elements, by path: numbers or functions in place of those of the model"),
    field("time", Table(TIME), Optional, "when"),
    field("integrator", Table(INTEGRATOR), Optional, "how time is advanced"),
    field("drift", Table(DRIFT), Optional, "what is done about drift"),
    field("start", Table(START), Optional, "what is done to the start"),
    field("event", List(|| EVENT.to_vec()), Optional, "zero crossings to be watched for"),
    field("column", Named(COLUMN), Optional, "further columns `derived.NAME`"),
    field("shoot", Table(SHOOT), Optional, "boundary-value problem of the analysis `shoot`"),
    field("sensitivity", Table(SENSITIVITY), Optional, "derivatives of the analysis `sensitivity`"),
    field("fit", Table(FIT), Optional, "unknowns, terms and data of the analysis `fit`"),
    field("uncertainty", Table(UNCERTAINTY), Optional, "uncertain inputs of the analysis `uncertainty`"),
    field("motion", Table(MOTION), Optional, "prescribed motion of the analyses `evaluate`, `inverse` and `mixed`"),
    field("markers", Table(MARKERS), Optional, "measured markers, for `kinematics`, or in place of a motion"),
    field("task", List(|| TASK.to_vec()), Optional, "coordinates that are drawn to values while markers are fitted"),
    field("filter", Table(FILTER), Optional, "what is done to measured coordinates or markers before they are differentiated"),
    field("loads", Table(LOADS), Optional, "measured loads, for all analyses that move"),
    field("load", List(|| LOAD.to_vec()), Optional, "which plate loads which body"),
    field("mixed", Table(MIXED), Optional, "what is known and unknown in the analysis `mixed`"),
    field("pressure", Table(PRESSURE), Optional, "when maps of pressure mats are kept"),
    field("sweep", Any, Optional, "lists of values by path: one run for each"),
    field("about", Any, Optional, "what a case of the sweep is, in a sentence, by its name"),
    field("plot", List(|| PLOT.to_vec()), Optional, "plots of the report"),
    field("picture", Table(PICTURE), Optional, "what the picture of the study shows"),
    number(
        "poster",
        "s",
        Range::ANY,
        Optional,
        "time at which the report opens and that its still picture shows; the report chooses if left out",
    ),
    field("expect", List(expect_with_measures), Optional, "what must come out"),
];

/// Keys of the top level that can be set by path.
const KEYS: [&str; 3] = ["model", "analysis", "formulation"];
/// Tables whose plain fields can be set by path.
const TABLES: [&str; 13] =
    ["time", "integrator", "drift", "start", "shoot", "fit", "uncertainty", "motion", "markers", "filter", "loads", "mixed", "pressure"];

/// Paths of all settings of a study that a sweep or the command line can give a value: `time.end`, `model`.
pub fn setting_paths() -> Vec<String> {
    let mut paths: Vec<String> = KEYS.iter().map(|key| key.to_string()).collect();
    for field in TOP.iter().filter(|field| TABLES.contains(&field.name)) {
        if let Table(own) = field.kind {
            // Problems of one chain differ in their lists, and so do starts and fits: those of `mixed` and `start` can be swept, entry by entry, and of a fit what is searched for.
            let swept = |f: &&Field| match field.name {
                "mixed" | "start" => true,
                "fit" => !matches!(f.kind, List(_)),
                _ => !matches!(f.kind, Texts | List(_)),
            };
            let plain = own.iter().filter(swept);
            paths.extend(plain.map(|f| format!("{}.{}", field.name, f.name)));
        }
    }
    paths
}

/// The SI unit that a setting has where it is written as a bare number; nothing for pure numbers, and for what is no setting.
pub fn setting_unit(path: &str) -> Option<&'static str> {
    let (table, name) = path.split_once('.')?;
    let table = TOP.iter().find(|field| field.name == table && TABLES.contains(&field.name))?;
    let Table(own) = table.kind else { return None };
    match own.iter().find(|field| field.name == name)?.kind {
        FieldKind::Quantity { unit, .. } => Some(unit).filter(|unit| !["1", "*"].contains(unit)),
        _ => None,
    }
}

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A setting of the study.
    Setting,
    /// A parameter or a start value; only the compiled model knows whether it exists.
    Parameter,
    /// A control of a force element, by its own path.
    Control(String),
    /// Nothing; the nearest path, if one is near.
    Nothing(Option<String>),
}

/// What a path names, as far as the study can tell.
pub fn place_of(path: &str) -> Place {
    let settings = setting_paths();
    if settings.iter().any(|known| known == path) {
        return Place::Setting;
    }
    if let Some(control) = path.strip_prefix("control.") {
        return Place::Control(control.to_string());
    }
    let roots: Vec<&str> = sections().iter().map(|section| section.name).chain(["gravity"]).collect();
    let (root, rest) = path.split_once('.').unwrap_or((path, ""));
    if roots.contains(&root) && !rest.is_empty() {
        return Place::Parameter;
    }
    let near = suggest(path, settings.iter().map(String::as_str)).map(str::to_string);
    let other_root = || suggest(root, roots.into_iter()).filter(|_| !rest.is_empty()).map(|near| format!("{near}.{rest}"));
    Place::Nothing(near.or_else(other_root))
}

/// A JSON schema of study files.
pub fn study_schema() -> String {
    json_schema_of("borelli study file", TOP)
}
