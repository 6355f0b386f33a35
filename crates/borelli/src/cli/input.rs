//! From the words of the command line to a system: a file or a name of the gallery, and `--set path=value`.
//! Not here: reading and compiling themselves.
//! In: words. Out: model and system, or every fault.

use borelli::gallery;
use borelli_dynamics::compile::Fault;
use borelli_dynamics::system::Parameter;
use borelli_dynamics::{System, compile};
use borelli_model::{Dim, Explain, FULL_TURN, Findings, Model, ReadFault, Rejected, parse_quantity, parse_unit, suggest};
use std::path::Path;
use std::sync::Arc;

/// Reads a file; a word that is no file may name a model of the gallery.
pub fn read(word: &str) -> Result<Model, Rejected> {
    if !Path::new(word).exists()
        && let Some(model) = gallery::read(word)
    {
        return model;
    }
    if !Path::new(word).exists() {
        let mut findings = Findings::new();
        let names: Vec<&'static str> = gallery::names().collect();
        findings.push(
            None,
            "",
            "",
            &NoSuchModel { word: word.into(), nearest: suggest(word.trim_end_matches(".toml"), names.into_iter()) },
        );
        return Err(Rejected { findings, sources: Arc::default() });
    }
    Model::read(Path::new(word))
}

/// Reads, compiles, and sets parameters.
pub fn load(word: &str, settings: &[String]) -> Result<(Model, System), Rejected> {
    let model = read(word)?;
    let system = compile(&model)?;
    let system = with_settings(system, settings).map_err(|findings| Rejected { findings, sources: model.sources.clone() })?;
    Ok((model, system))
}

/// Neither a file nor a model of the gallery.
struct NoSuchModel {
    word: String,
    nearest: Option<&'static str>,
}

impl Explain for NoSuchModel {
    fn code(&self) -> &'static str {
        "cannot-read-file"
    }

    fn message(&self) -> String {
        format!("cannot read `{}`: there is no such file, and no model of that name in the gallery", self.word)
    }

    fn hint(&self) -> Option<String> {
        Some(match self.nearest {
            Some(name) => format!("did you mean `{name}` of the gallery?"),
            None => format!("give the path of a file, or one of: {}", gallery::names().collect::<Vec<_>>().join(", ")),
        })
    }
}

/// What is wrong with a `--set`.
enum SetFault {
    /// No `=`.
    NotAssignment { text: String },
    /// No such parameter.
    UnknownParameter { path: String, nearest: Option<String>, count: usize },
    /// No body can be like this.
    NotPhysical { body: String },
}

impl Explain for SetFault {
    fn code(&self) -> &'static str {
        match self {
            SetFault::NotAssignment { .. } => "set-not-assignment",
            SetFault::UnknownParameter { .. } => "unknown-parameter",
            SetFault::NotPhysical { .. } => "set-not-physical",
        }
    }

    fn message(&self) -> String {
        match self {
            SetFault::NotAssignment { text } => format!("`--set {text}` is not of the form path=value"),
            SetFault::UnknownParameter { path, .. } => format!("the model has no parameter `{path}`"),
            SetFault::NotPhysical { body } => format!("the settings give body `{body}` a negative mass or moment of inertia"),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            SetFault::NotAssignment { .. } => Some("write for instance --set body.shank.mass='3.1 kg'".into()),
            SetFault::UnknownParameter { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            SetFault::UnknownParameter { count, .. } => Some(format!("`borelli check --parameters` lists all {count}")),
            SetFault::NotPhysical { .. } => Some("set moments of inertia that belong together, about the mass centre".into()),
        }
    }
}

/// The system with some parameters changed; the last setting of a parameter counts.
fn with_settings(system: System, settings: &[String]) -> Result<System, Findings> {
    if settings.is_empty() {
        return Ok(system);
    }
    let mut findings = Findings::new();
    let mut values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
    for text in settings {
        if let Some((index, value)) = setting(&system, text, &mut findings) {
            values[index] = value;
        }
    }
    let changed = system.with_parameters(&values);
    let tree = &changed.numbers.tree;
    for body in 1..tree.mass.len() {
        let inertia = &tree.I_Bo_B[body];
        if [tree.mass[body], inertia.xx, inertia.yy, inertia.zz].iter().any(|x| *x < 0.0) {
            findings.push(None, "", "", &SetFault::NotPhysical { body: changed.names.bodies[body].clone() });
        }
    }
    for (lower, path) in system.parameters.iter().enumerate().filter_map(|(k, p)| Some((k, p.path.strip_suffix(".lower")?))) {
        if let Some(upper) = system.parameter(&format!("{path}.upper"))
            && values[lower] >= values[upper]
        {
            findings.push(None, path, "upper", &Fault::EmptyRange { lower: values[lower], upper: values[upper] });
        }
    }
    if findings.has_errors() { Err(findings) } else { Ok(changed) }
}

fn setting(system: &System, text: &str, findings: &mut Findings) -> Option<(usize, f64)> {
    let Some((path, value)) = text.split_once('=') else {
        findings.push(None, "", "", &SetFault::NotAssignment { text: text.into() });
        return None;
    };
    let (path, value) = (path.trim(), value.trim());
    let Some(index) = system.parameter(path) else {
        let nearest = suggest(path, system.parameters.iter().map(|p| p.path.as_str())).map(str::to_string);
        findings.push(None, "", "", &SetFault::UnknownParameter { path: path.into(), nearest, count: system.parameters.len() });
        return None;
    };
    let parameter = &system.parameters[index];
    match set_to(parameter, value) {
        Ok(si) => return Some((index, si)),
        Err(fault) => {
            let (element, field) = element_and_field(path);
            findings.push(None, element, field, &fault);
        }
    }
    None
}

/// The SI value of a setting, under the rules that hold for the file.
fn set_to(parameter: &Parameter, text: &str) -> Result<f64, ReadFault> {
    let unit = &parameter.unit;
    let (value, found) = parse_quantity(text).map_err(|fault| ReadFault::of_unit(text, unit, fault))?;
    // A bare number is SI; a parameter without a unit takes any.
    let bare = text.parse::<f64>().is_ok();
    match parse_unit(unit) {
        Ok((_, expected)) if !unit.is_empty() && !bare && !found.fits(expected) => return Err(ReadFault::WrongUnit { found, expected }),
        Ok((_, Dim::ANGLE)) if bare && value.abs() > FULL_TURN => return Err(ReadFault::BareDegrees { value }),
        _ => {}
    }
    if !parameter.range.contains(value) {
        return Err(ReadFault::OutOfRange { value, range: parameter.range, unit: unit.clone() });
    }
    Ok(value)
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
