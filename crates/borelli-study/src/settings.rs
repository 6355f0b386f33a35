//! Parameters and start values set from outside: `--set`, `[set]`, sweeps.
//! Not here: settings of a study (`read`), refilling the system (`borelli-dynamics`).
//! In: a system and settings. Out: the changed system, or every fault.

use crate::plan::Setting;
use borelli_dynamics::System;
use borelli_dynamics::compile::{Fault, Misfit, misfits};
use borelli_dynamics::contact::MatFault;
use borelli_dynamics::system::{CoordinateName, Measure, Parameter, Start};
use borelli_math::function::Function;
use borelli_model::{Dim, Explain, FULL_TURN, Findings, Range, ReadFault, Span, in_range, parse_quantity, parse_unit, suggest};

/// What is wrong with a setting.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields of a variant are the facts its own line names
pub enum SetFault {
    /// No `=`.
    NotAssignment { text: String },
    /// No such parameter.
    UnknownParameter { path: String, nearest: Option<String>, count: usize },
    /// A control that follows a function: there is no one number to set.
    ControlIsFunction { path: String },
    /// No such start value.
    UnknownStart { path: String, nearest: Option<String>, known: Vec<String> },
    /// A point of a table that has none.
    NoPoint { path: String },
    /// A table whose values were changed so that it cannot be what it was.
    BadPoints { function: String, reason: String },
    /// No body can be like this.
    NotPhysical { body: String },
}

impl Explain for SetFault {
    fn code(&self) -> &'static str {
        match self {
            SetFault::NotAssignment { .. } => "set-not-assignment",
            SetFault::UnknownParameter { .. } => "unknown-parameter",
            SetFault::ControlIsFunction { .. } => "control-is-function",
            SetFault::UnknownStart { .. } => "unknown-start",
            SetFault::NoPoint { .. } => "no-point",
            SetFault::BadPoints { .. } => "bad-points",
            SetFault::NotPhysical { .. } => "set-not-physical",
        }
    }

    fn message(&self) -> String {
        match self {
            SetFault::NotAssignment { text } => format!("`--set {text}` is not of the form path=value"),
            SetFault::UnknownParameter { path, .. } => format!("the model has no parameter `{path}`"),
            SetFault::ControlIsFunction { path } => format!("the control `{path}` is a function in this model, not a number"),
            SetFault::UnknownStart { path, .. } => format!("the model has no start value `{path}`"),
            SetFault::NoPoint { path } => format!("`{path}` is no parameter: the table has no values that can be set"),
            SetFault::BadPoints { function, reason } => format!("with its new values the table `{function}` cannot be used: {reason}"),
            SetFault::NotPhysical { body } => format!("the settings give body `{body}` a negative mass or moment of inertia"),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            SetFault::NotAssignment { .. } => Some("write for instance --set body.shank.mass='3.1 kg'".into()),
            SetFault::UnknownParameter { nearest: Some(nearest), .. } | SetFault::UnknownStart { nearest: Some(nearest), .. } => {
                Some(format!("did you mean `{nearest}`?"))
            }
            SetFault::UnknownParameter { count, .. } => Some(format!("`borelli check --parameters` lists all {count}")),
            SetFault::ControlIsFunction { path } => Some(format!(
                "replace the whole control: `\"{path}\" = ...` below `[control]` of a study, or --set control.{path}=VALUE of `run`"
            )),
            SetFault::UnknownStart { known, .. } => Some(format!("names here: {}", known.join(", "))),
            SetFault::NoPoint { .. } => {
                let most = borelli_dynamics::compile::MOST_POINTS;
                Some(format!("tables of fifth degree and those with more than {most} points have none; take `spline` with fewer points"))
            }
            SetFault::BadPoints { .. } => {
                Some("arrive level at the ends of a held table, and without bend at those of a tangent one".into())
            }
            SetFault::NotPhysical { .. } => Some("set moments of inertia that belong together, about the mass centre".into()),
        }
    }
}

/// Path and value of a setting written as `path=value`.
pub fn assignment(text: &str) -> Result<(String, String), SetFault> {
    match text.split_once('=') {
        Some((path, value)) => Ok((path.trim().to_string(), unquoted(value.trim()).to_string())),
        None => Err(SetFault::NotAssignment { text: text.into() }),
    }
}

/// The system with some parameters and start values changed; the last setting of a path counts.
pub fn apply_settings(system: System, settings: &[Setting]) -> Result<System, Findings> {
    if settings.is_empty() {
        return Ok(system);
    }
    let mut findings = Findings::new();
    let mut values = system.values();
    let mut start = system.start.clone();
    let mut turned = Vec::new();
    for setting in settings {
        match of_start(&system, &setting.path) {
            Some((of, name, names, units)) => {
                if let Some((k, value)) = start_value(setting, name, names, units, &mut findings) {
                    of.list(&mut start)[k] = value;
                    turned.extend((names[k].measure == Measure::Quaternion).then_some((k, setting)));
                }
            }
            None => {
                if let Some((k, value)) = parameter(&system, setting, &mut findings) {
                    values[k] = value;
                }
            }
        }
    }
    normalise(&system, &mut start.q, &turned, &mut findings);
    let mut changed = system;
    changed.refill(&values);
    changed.start = start;
    // Slack lengths follow their references, and the start where those are known, unless they are set themselves.
    let is_set = |path: &str| settings.iter().any(|setting| setting.path == path);
    let moved = settings.iter().any(|setting| setting.path.starts_with("initial.coordinates."));
    changed.resolve_references(|slack, reference| !is_set(slack) && (moved || is_set(reference)));
    let tree = &changed.numbers.tree;
    for body in 1..tree.mass.len() {
        let inertia = &tree.I_Bo_B[body];
        if [tree.mass[body], inertia.xx, inertia.yy, inertia.zz].iter().any(|x| *x < 0.0) {
            let (name, at) =
                (changed.names.bodies[body].clone(), place_of_last(settings, &format!("body.{}.", changed.names.bodies[body])));
            findings.push(at, "", "", &SetFault::NotPhysical { body: name });
        }
    }
    for (lower, path) in changed.parameters.iter().enumerate().filter_map(|(k, p)| Some((k, p.path.strip_suffix(".lower")?))) {
        if let Some(upper) = changed.parameter(&format!("{path}.upper"))
            && values[lower] >= values[upper]
        {
            let at = place_of_last(settings, &format!("{path}."));
            findings.push(at, path, "upper", &Fault::EmptyRange { lower: values[lower], upper: values[upper], unit: "rad" });
        }
    }
    if let Some((mat, lean)) = changed.numbers.contacts.leaning_mat(&tree.place_R) {
        let at = settings.last().and_then(|setting| setting.at);
        findings.push(at, format!("sensor.{mat}"), "at", &MatFault::Leans { degrees: lean.to_degrees() });
    }
    for (function, name) in changed.numbers.functions.iter().zip(&changed.names.functions) {
        let Function::Points(points) = function else { continue };
        let reason = match points.table() {
            Ok(table) if table.continuity() < points.base().continuity() => "it is less smooth than in the file".to_string(),
            Ok(_) => continue,
            Err(fault) => fault.to_string().lines().next().unwrap_or_default().to_string(),
        };
        let at = place_of_last(settings, &format!("function.{name}."));
        findings.push(at, format!("function.{name}"), "y", &SetFault::BadPoints { function: name.clone(), reason });
    }
    for misfit in misfits(&changed) {
        blame(settings, &misfit, &mut findings);
    }
    if findings.has_errors() { Err(findings) } else { Ok(changed) }
}

/// Which list of the start a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OfStart {
    /// `initial.coordinates.NAME`.
    Coordinates,
    /// `initial.speeds.NAME`.
    Speeds,
}

impl OfStart {
    fn list(self, start: &mut Start) -> &mut [f64] {
        match self {
            OfStart::Coordinates => &mut start.q,
            OfStart::Speeds => &mut start.v,
        }
    }
}

/// A path of a start value: which list, the name behind the prefix, the names of the list and their units by measure. Nothing for parameters.
fn of_start<'p, 's>(system: &'s System, path: &'p str) -> Option<(OfStart, &'p str, &'s [CoordinateName], [&'static str; 3])> {
    let (coordinates, speeds) = (&system.names.coordinates[..], &system.names.speeds[..]);
    let of_coordinates = path.strip_prefix("initial.coordinates.").map(|name| (OfStart::Coordinates, name, coordinates, ["rad", "m", "1"]));
    of_coordinates.or_else(|| Some((OfStart::Speeds, path.strip_prefix("initial.speeds.")?, speeds, ["rad/s", "m/s", "1"])))
}

/// What a path sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A parameter.
    Parameter(usize),
    /// An entry of the start.
    Start(OfStart, usize),
}

/// A parameter or a start value that can be set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settable {
    pub slot: Slot,
    /// As the system has it.
    pub value: f64,
    /// SI unit.
    pub unit: String,
    pub range: Range,
    /// Whether it is part of a quaternion.
    pub turns: bool,
}

/// What a path sets; one that nothing has is reported.
pub(crate) fn settable(system: &System, path: &str, at: Span, findings: &mut Findings) -> Option<Settable> {
    let setting = Setting { path: path.into(), text: "0".into(), at: Some(at) };
    if let Some((of, name, names, units)) = of_start(system, path) {
        let (k, _) = start_value(&setting, name, names, units, findings)?;
        let (unit, turns) = (units[names[k].measure as usize].to_string(), names[k].measure == Measure::Quaternion);
        let value = of.list(&mut system.start.clone())[k];
        return Some(Settable { slot: Slot::Start(of, k), value, unit, range: Range::ANY, turns });
    }
    let (slot, _) = parameter_within(system, &setting, Some(Range::ANY), findings)?;
    let Parameter { value, unit, range, .. } = &system.parameters[slot];
    Some(Settable { slot: Slot::Parameter(slot), value: *value, unit: unit.clone(), range: *range, turns: false })
}

/// Reports numbers that do not go together at the settings that changed them.
fn blame(settings: &[Setting], Misfit { paths, fault }: &Misfit, findings: &mut Findings) {
    let set: Vec<&str> = paths.iter().map(String::as_str).filter(|path| settings.iter().any(|setting| setting.path == *path)).collect();
    let element = set.first().map_or("", |path| element_and_field(path).0);
    let fields: Vec<&str> = set.iter().map(|path| element_and_field(path).1).collect();
    let last = settings.iter().rev().find(|setting| set.contains(&setting.path.as_str()));
    findings.push(last.and_then(|setting| setting.at), element, &fields.join(", "), fault);
}

/// Where the last setting stands whose path begins so.
fn place_of_last(settings: &[Setting], prefix: &str) -> Option<borelli_model::Span> {
    settings.iter().rev().find(|setting| setting.path.starts_with(prefix)).and_then(|setting| setting.at)
}

/// A parameter and what is added to it, in SI: any size and sign. A reference of a ligament changes its slack length.
pub(crate) fn change_of(system: &System, setting: &Setting, findings: &mut Findings) -> Option<(usize, f64)> {
    let (slot, change) = parameter_within(system, setting, Some(Range::ANY), findings)?;
    Some(system.follows_reference(slot).map_or((slot, change), |(slack, slope)| (slack, slope * change)))
}

pub(crate) fn parameter(system: &System, setting: &Setting, findings: &mut Findings) -> Option<(usize, f64)> {
    parameter_within(system, setting, None, findings)
}

/// A parameter and its value in SI, in a range in place of its own.
fn parameter_within(system: &System, setting: &Setting, other: Option<Range>, findings: &mut Findings) -> Option<(usize, f64)> {
    let path = setting.path.as_str();
    let Some(index) = system.parameter(path) else {
        if system.names.controls.iter().any(|control| control.column() == path) {
            findings.push(setting.at, "", "", &SetFault::ControlIsFunction { path: path.into() });
            return None;
        }
        let of_table = |name: &&String| path.strip_prefix(&format!("function.{name}.y.")).is_some_and(|k| k.parse::<usize>().is_ok());
        let own = |name: &String| system.parameter(&format!("function.{name}.y.1")).is_none();
        if system.names.functions.iter().filter(of_table).any(own) {
            findings.push(setting.at, "", "", &SetFault::NoPoint { path: path.into() });
            return None;
        }
        let nearest = suggest(path, system.parameters.iter().map(|p| p.path.as_str())).map(str::to_string);
        let fault = SetFault::UnknownParameter { path: path.into(), nearest, count: system.parameters.len() };
        findings.push(setting.at, "", "", &fault);
        return None;
    };
    let Parameter { unit, range, .. } = &system.parameters[index];
    match si_value(&setting.text, unit, other.unwrap_or(*range)) {
        Ok(si) => return Some((index, si)),
        Err(fault) => {
            let (element, field) = element_and_field(path);
            findings.push(setting.at, element, field, &fault);
        }
    }
    None
}

fn start_value(setting: &Setting, name: &str, names: &[CoordinateName], units: [&str; 3], findings: &mut Findings) -> Option<(usize, f64)> {
    let Some(k) = names.iter().position(|known| known.name == name) else {
        let prefix = setting.path.strip_suffix(name).unwrap_or("");
        let nearest = suggest(name, names.iter().map(|c| c.name.as_str())).map(|near| format!("{prefix}{near}"));
        let known = names.iter().map(|c| c.name.clone()).collect();
        findings.push(setting.at, "", "", &SetFault::UnknownStart { path: setting.path.clone(), nearest, known });
        return None;
    };
    match si_value(&setting.text, units[names[k].measure as usize], Range::ANY) {
        Ok(si) => return Some((k, si)),
        Err(fault) => {
            let field = setting.path.strip_prefix("initial.").unwrap_or("");
            findings.push(setting.at, "initial", field, &fault);
        }
    }
    None
}

/// Gives quaternions that were set the length one.
fn normalise(system: &System, q: &mut [f64], turned: &[(usize, &Setting)], findings: &mut Findings) {
    let names = &system.names.coordinates;
    let mut done = None;
    for (k, setting) in turned {
        let joint = names[*k].joint;
        if done == Some(joint) {
            continue;
        }
        done = Some(joint);
        let own = |c: &&CoordinateName| c.measure == Measure::Quaternion && c.joint == joint;
        let Some(first) = names.iter().position(|c| own(&c)) else { continue };
        let part = &mut q[first..first + 4];
        let length = part.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length < 1e-9 {
            let fault = Fault::ZeroQuaternion { joint: system.names.joints[joint as usize].clone() };
            findings.push(setting.at, "initial", "coordinates", &fault);
        } else {
            part.iter_mut().for_each(|x| *x /= length);
        }
    }
}

/// The SI value of a quantity that is typed or set, under the rules that hold for files: a bare number is SI.
pub fn si_value(text: &str, unit: &str, range: Range) -> Result<f64, ReadFault> {
    let text = unquoted(text);
    let (value, found) = parse_quantity(text).map_err(|fault| ReadFault::of_unit(text, unit, fault))?;
    // A bare number is SI; a parameter without a unit takes any.
    let bare = text.parse::<f64>().is_ok();
    match parse_unit(unit) {
        Ok((_, expected)) if !unit.is_empty() && !bare && !found.fits(expected) => return Err(ReadFault::WrongUnit { found, expected }),
        Ok((_, Dim::ANGLE)) if bare && value.abs() > FULL_TURN => return Err(ReadFault::BareDegrees { value }),
        _ => {}
    }
    in_range(value, range, unit)
}

/// A value typed with the quotes that it has in a file, without them.
fn unquoted(text: &str) -> &str {
    let between = |mark: char| text.strip_prefix(mark)?.strip_suffix(mark);
    between('"').or_else(|| between('\'')).map_or(text, str::trim)
}

/// `body.shank.center.x` as element `body.shank` and field `center.x`; `gravity.x` as `gravity` and `x`.
fn element_and_field(path: &str) -> (&str, &str) {
    let dots: Vec<usize> = path.match_indices('.').map(|(k, _)| k).collect();
    let owned = !matches!(path.split('.').next(), Some("gravity" | "subject" | "world"));
    match dots.get(usize::from(owned)) {
        Some(dot) => (&path[..*dot], &path[dot + 1..]),
        None => (path, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_dynamics::compile;
    use borelli_model::Model;

    fn system(model: &str) -> System {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(model);
        compile(&Model::read(&path).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"))
    }

    fn set(system: &System, list: &[(&str, &str)]) -> Result<System, Vec<(&'static str, String)>> {
        let settings: Vec<Setting> =
            list.iter().map(|(path, text)| Setting { path: path.to_string(), text: text.to_string(), at: None }).collect();
        apply_settings(system.clone(), &settings).map_err(|findings| {
            findings.iter().map(|f| (f.code, format!("{}|{}|{}", f.element, f.field, f.hint.clone().unwrap_or_default()))).collect()
        })
    }

    /// A slider whose coordinate is the length of a ligament with a strain of 0.04 at the start.
    const TIED: &str = "borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 1\ninertia = 1\n[joint.x]\ntype = \"slider\"\nparent = \"world\"\n\
        child = \"a\"\naxis = [1, 0]\n[path.p]\npoints = [\"world\", \"a\"]\n[ligament.l]\npath = \"p\"\nstiffness = 4000\nreference_strain = 0.04\n\
        [initial]\ncoordinates = { x = 0.052 }\n";

    #[test]
    fn slack_lengths_follow_a_reference_and_a_start_that_are_set() {
        let tied = compile(&Model::parse("tied.toml", TIED).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
        let slack = |list: &[(&str, &str)]| {
            let changed = set(&tied, list).expect("good settings");
            changed.values()[changed.parameter("ligament.l.slack_length").expect("it")]
        };
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        let (strain, start) = ("ligament.l.reference_strain", "initial.coordinates.x");
        near(slack(&[(strain, "0.3")]), 0.04);
        near(slack(&[(start, "104 mm")]), 0.1);
        near(slack(&[(strain, "0.3"), (start, "65 mm")]), 0.05);
        // What is set itself stays, and nothing else moves it.
        near(slack(&[(strain, "0.3"), ("ligament.l.slack_length", "45 mm")]), 0.045);
        near(slack(&[("ligament.l.stiffness", "5000 N")]), 0.05);
        assert!(set(&tied, &[(strain, "-1.5")]).is_err());
    }

    #[test]
    fn a_value_may_keep_the_quotes_that_it_has_in_a_file() {
        let system = system("double-pendulum.toml");
        let name = format!("initial.coordinates.{}", system.names.coordinates[0].name);
        for text in ["\"-1.57 rad\"", "'-1.57 rad'", "-1.57 rad"] {
            assert_eq!(set(&system, &[(&name, text)]).expect("a good value").start.q[0], -1.57, "{text}");
        }
        assert!(set(&system, &[(&name, "\"-1.57 rad")]).is_err());
        assert!(set(&system, &[(&name, "\"")]).is_err());
    }

    #[test]
    fn parameters_and_start_values_take_their_units_and_the_last_one_counts() {
        let system = system("double-pendulum.toml");
        let (coordinate, speed) = (system.names.coordinates[1].name.clone(), system.names.speeds[0].name.clone());
        let body = system.names.bodies[1].clone();
        let changed = set(
            &system,
            &[
                (&format!("body.{body}.mass"), "1"),
                (&format!("body.{body}.mass"), "2500 g"),
                (&format!("initial.coordinates.{coordinate}"), "30 deg"),
                (&format!("initial.speeds.{speed}"), "-1.2 rad/s"),
            ],
        )
        .expect("good settings");
        assert_eq!(changed.parameters[changed.parameter(&format!("body.{body}.mass")).unwrap()].value, 2.5);
        assert!((changed.numbers.tree.mass[1] - 2.5).abs() < 1e-15);
        assert!((changed.start.q[1] - 30_f64.to_radians()).abs() < 1e-15);
        assert_eq!(changed.start.v[0], -1.2);
        assert_eq!(changed.start.q[0], system.start.q[0], "what is not set stays");
    }

    #[test]
    fn faults_of_settings_are_told_all_at_once_with_what_was_probably_meant() {
        let system = system("double-pendulum.toml");
        let (coordinate, body) = (system.names.coordinates[0].name.clone(), system.names.bodies[1].clone());
        let faults = set(
            &system,
            &[
                (&format!("body.{body}.masss"), "1"),
                (&format!("initial.speeds.{coordinate}x"), "1"),
                (&format!("initial.coordinates.{coordinate}"), "90"),
                (&format!("initial.coordinates.{coordinate}"), "2 m"),
                (&format!("body.{body}.mass"), "-1"),
                ("initial.speeds.", "1"),
            ],
        )
        .expect_err("six faults");
        let codes: Vec<&str> = faults.iter().map(|(code, _)| *code).collect();
        assert_eq!(codes, ["unknown-parameter", "unknown-start", "bare-degrees", "wrong-unit", "out-of-range", "unknown-start"]);
        assert!(faults[0].1.contains(&format!("did you mean `body.{body}.mass`?")), "{faults:?}");
        assert!(faults[1].1.contains(&format!("did you mean `initial.speeds.{coordinate}`?")), "{faults:?}");
        assert!(faults[2].1.starts_with(&format!("initial|coordinates.{coordinate}|")), "{faults:?}");
    }

    #[test]
    fn quotes_as_in_a_file_count_for_nothing() {
        for (text, value) in [
            ("a.b=\"-1.57 rad\"", "-1.57 rad"),
            ("a.b = '2 m' ", "2 m"),
            ("a.b=3", "3"),
            ("a.b=[\"x\", \"y\"]", "[\"x\", \"y\"]"),
            ("a.b=\"x", "\"x"),
        ] {
            assert_eq!(assignment(text).expect("a setting"), ("a.b".to_string(), value.to_string()));
        }
    }

    #[test]
    fn no_parameter_and_no_start_value_can_be_infinite() {
        let system = system("double-pendulum.toml");
        let mut paths: Vec<String> = system.parameters.iter().map(|p| p.path.clone()).collect();
        paths.push(format!("initial.speeds.{}", system.names.speeds[0].name));
        for path in &paths {
            for text in ["inf", "-inf", "NaN", "1e999"] {
                let codes: Vec<&str> = set(&system, &[(path, text)]).expect_err("not finite").iter().map(|(code, _)| *code).collect();
                assert_eq!(codes, ["not-finite"], "{path} = {text}");
            }
        }
        for x in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert!(system.parameters.iter().all(|p| p.range.contains(p.value) && !p.range.contains(x)));
        }
    }

    #[test]
    fn a_quaternion_that_is_set_has_length_one_and_cannot_be_zero() {
        let system = system("top.toml");
        let names: Vec<String> =
            system.names.coordinates.iter().filter(|c| c.measure == Measure::Quaternion).map(|c| c.name.clone()).collect();
        let first = system.names.coordinates.iter().position(|c| c.measure == Measure::Quaternion).unwrap();
        let paths: Vec<String> = names.iter().map(|name| format!("initial.coordinates.{name}")).collect();
        let all = |values: [&'static str; 4]| paths.iter().map(String::as_str).zip(values).collect::<Vec<_>>();
        let changed = set(&system, &all(["3", "0", "4", "0"])).expect("a turn");
        let expected = [0.6, 0.0, 0.8, 0.0];
        (0..4).for_each(|k| assert!((changed.start.q[first + k] - expected[k]).abs() < 1e-15));
        let faults = set(&system, &all(["0", "0", "0", "0"])).expect_err("no turn");
        assert_eq!(faults.iter().map(|(code, _)| *code).collect::<Vec<_>>(), ["zero-quaternion"]);
    }

    /// A brick over a floor, its friction in place, and a ball whose friction is a law of its own that two contacts share.
    const CONTACTS: &str = r#"
borelli = 1
dimension = "spatial"
[body.brick]
mass = 2.0
inertia = [0.1, 0.1, 0.1]
[joint.brick]
type = "free"
parent = "world"
child = "brick"
[body.ball]
mass = 1.0
inertia = [0.1, 0.1, 0.1]
[joint.ball]
type = "free"
parent = "world"
child = "ball"
[surface.floor]
type = "half-space"
at = "world"
[surface.brick]
type = "superellipsoid"
at = "brick"
a = 0.1
b = 0.1
c = 0.1
p = 4
r = 4
[surface.ball]
type = "sphere"
at = "ball"
radius = 0.1
[law.grip]
type = "stepwise"
static_friction = 0.8
dynamic_friction = 0.6
transition = "0.01 m/s"
[contact.brick]
a = "brick"
b = "floor"
normal = { type = "hooke", stiffness = "1e4 N/m" }
friction = { type = "stepwise", static_friction = 0.8, dynamic_friction = 0.6, transition = "0.01 m/s" }
[contact.ball]
a = "ball"
b = "floor"
normal = { type = "hooke", stiffness = "1e4 N/m" }
friction = "grip"
[contact.both]
a = "ball"
b = "brick"
normal = { type = "hooke", stiffness = "1e4 N/m" }
friction = "grip"
"#;

    #[test]
    fn numbers_that_are_set_must_go_together_as_those_of_a_file_must() {
        let system = compile(&Model::parse("contacts.toml", CONTACTS).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
        let faults = |list: &[(&str, &str)]| -> Vec<String> {
            let told = set(&system, list).err().unwrap_or_default();
            told.into_iter().map(|(code, text)| format!("{code}|{}", text.rsplit_once('|').map_or("", |(place, _)| place))).collect()
        };
        // A floor without a direction, poles without a curvature, friction that grows once it slips.
        assert_eq!(faults(&[("surface.floor.ny", "0")]), ["bad-shape|surface.floor|ny"]);
        assert_eq!(faults(&[("surface.brick.r", "2")]), ["bad-shape|surface.brick|r"]);
        assert_eq!(faults(&[("surface.brick.r", "2"), ("surface.brick.p", "3")]), ["bad-shape|surface.brick|p, r"]);
        assert_eq!(faults(&[("contact.brick.friction.static_friction", "0.5")]), ["law-order|contact.brick|friction.static_friction"]);
        assert_eq!(faults(&[("law.grip.dynamic_friction", "0.9")]), ["law-order|law.grip|dynamic_friction"]);
        // Each is right where another number goes with it.
        let good = [
            ("surface.floor.ny", "0"),
            ("surface.floor.nx", "2"),
            ("surface.brick.r", "2"),
            ("surface.brick.p", "2"),
            ("law.grip.dynamic_friction", "0.9"),
            ("law.grip.static_friction", "0.9"),
        ];
        assert_eq!(faults(&good), [""; 0]);
    }

    #[test]
    fn an_assignment_needs_its_sign() {
        assert_eq!(assignment(" time.end = 2 s "), Ok(("time.end".into(), "2 s".into())));
        assert_eq!(assignment("time.end").map_err(|f| f.code()), Err("set-not-assignment"));
    }
}
