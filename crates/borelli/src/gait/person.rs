//! The model of a session made as large as the person of its static trial, and written down.
//! Not here: factors and marker places (`borelli-study`, `borelli-dynamics`), folders.
//! In: a generic model, a static trial, the mass. Out: the text of the scaled model, a table of what was measured, remarks.

use super::session::{Measured, Refused, Request};
use super::study_text::seen_from;
use crate::report::gait::{PlainTable, Weight};
use borelli_data::landmark::MarkerMap;
use borelli_dynamics::{System, compile};
use borelli_model::Model;
use borelli_study::subject::{Person, ScaledModel, scale_to_person};
use serde_json::{Value, json};
use std::path::Path;

/// A model of a person.
pub(super) struct Scaled {
    /// Text of the model file.
    pub text: String,
    /// What was done, in a sentence.
    pub methods: String,
    /// What was measured.
    pub table: PlainTable,
    /// The same for programs.
    pub json: Value,
    /// Remarks.
    pub remarks: Vec<(Weight, String)>,
}

/// Scales the model of a request; nothing where it has no measurements, which is told.
pub(super) fn scaled(
    request: &Request,
    model: &Model,
    standing: &Measured,
    mass: Option<f64>,
    map: Option<&MarkerMap>,
    out: &Path,
) -> Result<Result<Scaled, String>, Refused> {
    let system = compile(model).map_err(|rejected| Refused(rejected.to_string()))?;
    if system.measurements.is_empty() {
        return Ok(Err(format!(
            "the model `{}` has no measurements ([measurement.NAME]): it keeps its size and the places of its markers, and the static trial serves to compare lengths and to find the mass only",
            model.name
        )));
    }
    let label = |name: &str| Some((name.to_string(), map?.marker(name)?.to_string()));
    let person = Person {
        recording: &standing.recording,
        name: &standing.name,
        names: standing.recording.points.iter().filter_map(|point| label(&point.name)).collect(),
        mass,
        preserve_distribution: request.preserve_distribution,
        inertia: request.inertia,
    };
    let found = scale_to_person(&system, &person).map_err(|fault| Refused::of(&standing.name, &fault))?;
    let text = text(model, &system, &found, &standing.name, out)?;
    let range =
        found.measured.iter().fold((f64::INFINITY, 0.0_f64), |(least, most), (own, _)| (least.min(own.factor), most.max(own.factor)));
    let methods = format!(
        "The generic model `{}` was scaled to the person by {} measurements between markers of `{}` (factors {:.3} to {:.3}); its markers were then put where they were measured in that trial. ",
        model.name,
        found.measured.len(),
        standing.name,
        range.0,
        range.1
    );
    let mut remarks: Vec<(Weight, String)> = found
        .notices
        .iter()
        .map(|(message, hint)| (Weight::Warning, hint.as_ref().map_or(message.clone(), |hint| format!("{message} ({hint})"))))
        .collect();
    let farthest =
        found.moved.first().map_or(String::new(), |(marker, distance)| format!(", `{marker}` farthest, by {:.1} mm", 1e3 * distance));
    remarks.push((
        Weight::Note,
        format!(
            "markers of the scaled model lie {:.1} mm (rms) from those of `{}`; {} were moved{farthest}",
            1e3 * found.rms,
            standing.name,
            found.moved.len()
        ),
    ));
    if mass.is_none() {
        remarks.push((
            Weight::Warning,
            "the mass of the person is not known: masses follow the size of the model; give it with --mass".into(),
        ));
    }
    Ok(Ok(Scaled { text, methods, table: table(&system, &found), json: json(&found), remarks }))
}

/// The text of the scaled model, read again to be sure that it says what it is to say.
fn text(model: &Model, system: &System, found: &ScaledModel, from: &str, out: &Path) -> Result<String, Refused> {
    let fault =
        |message: String| Refused::plain("cannot-write-model", &message, "write the numbers of this element into the model file itself");
    let mut scaled = model.clone();
    scaled.name = format!("{}-{from}", model.name);
    for (path, value) in &found.changes {
        if !scaled.set(path, *value) {
            return Err(fault(format!("the scaled model cannot be written: `{path}` stands nowhere in `{}`", model.name)));
        }
    }
    let text = scaled.text(&|path| seen_from(out, Path::new(path)));
    let text = format!("# {}, scaled to the person of the static trial `{from}` by borelli.\n{text}", model.name);
    let load = |path: &str| std::fs::read(out.join(path));
    let again = Model::parse_with("model.toml", &text, &load)
        .and_then(|model| compile(&model))
        .map_err(|rejected| Refused(rejected.to_string()))?;
    let wanted = |path: &str, own: f64| found.changes.iter().find(|(changed, _)| changed == path).map_or(own, |(_, value)| *value);
    let same = |path: &str, value: f64| again.parameter(path).is_some_and(|k| again.parameters[k].value == value);
    match system.parameters.iter().find(|parameter| !same(&parameter.path, wanted(&parameter.path, parameter.value))) {
        Some(parameter) => Err(fault(format!("the scaled model cannot be written: `{}` reads back as another number", parameter.path))),
        None => Ok(text),
    }
}

fn table(system: &System, found: &ScaledModel) -> PlainTable {
    let mut rows = Vec::new();
    for (own, pairs) in &found.measured {
        let rule = system.measurements.iter().find(|rule| rule.name == own.name);
        let bodies = rule.map_or(String::new(), |rule| {
            let names: Vec<&str> = rule.bodies.iter().map(|body| system.names.bodies[*body as usize].as_str()).collect();
            let axes: String = "xyz".chars().zip(rule.axes).filter(|(_, on)| *on).map(|(axis, _)| axis).collect();
            format!("{} along {axes}", names.join(", "))
        });
        for (k, (pair, (measured, model))) in pairs.iter().zip(&own.distances).enumerate() {
            let once = |text: String| if k == 0 { text } else { String::new() };
            rows.push(vec![
                once(own.name.clone()),
                pair.clone(),
                format!("{:.1}", 1e3 * measured),
                format!("{:.1}", 1e3 * model),
                once(format!("{:.4}", own.factor)),
                once(bodies.clone()),
            ]);
        }
    }
    let heads = ["measurement", "markers", "measured / mm", "generic model / mm", "factor", "scales"];
    PlainTable { caption: "Size of the person against the generic model".into(), heads: heads.map(String::from).to_vec(), rows }
}

fn json(found: &ScaledModel) -> Value {
    let pair = |(name, (measured, model)): (&String, &(f64, f64))| json!({ "pair": name, "measured_m": measured, "model_m": model });
    let one = |(own, pairs): &(borelli_dynamics::kinematics::scaling::Measured, Vec<String>)| {
        let pairs: Vec<Value> = pairs.iter().zip(&own.distances).map(pair).collect();
        json!({ "measurement": own.name, "factor": own.factor, "pairs": pairs })
    };
    let moved: serde_json::Map<String, Value> = found.moved.iter().map(|(marker, distance)| (marker.clone(), json!(distance))).collect();
    json!({ "measurements": found.measured.iter().map(one).collect::<Vec<_>>(), "static_rms_m": found.rms, "moved_m": moved })
}
