//! From the words of the command line to a system: a file or a name of the gallery, and `--set path=value`.
//! Not here: reading and compiling themselves.
//! In: words. Out: model and system, or every fault.

use borelli::gallery;
use borelli_dynamics::{System, compile};
use borelli_model::{Explain, Findings, Model, ReadFault, Rejected, parse_quantity, parse_unit, suggest};
use std::path::Path;

/// Reads a file; a word that is no file may name a model of the gallery.
pub fn read(word: &str) -> Result<Model, Rejected> {
    if !Path::new(word).exists()
        && let Some(model) = gallery::read(word)
    {
        return model;
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
            SetFault::NotPhysical { .. } => None,
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
    let unit = &system.parameters[index].unit;
    match parse_quantity(value) {
        Err(fault) => findings.push(None, path, "", &ReadFault::of_unit(value, unit, fault)),
        Ok((si, found)) => match parse_unit(unit) {
            // A bare number is SI; a parameter without a unit takes any.
            Ok((_, expected)) if !unit.is_empty() && value.parse::<f64>().is_err() && !found.fits(expected) => {
                findings.push(None, path, "", &ReadFault::WrongUnit { found, expected });
            }
            _ => return Some((index, si)),
        },
    }
    None
}
