//! Labels of `[report.label]`: what reports call elements of a model instead of the words of their names.
//! Not here: words of names (`borelli::label`).
//! In: the table `[report]`, all names. Out: labels by `section.NAME`.

use super::fault::Fault;
use borelli_model::{Data, Element, Findings, Model, ReadFault, Value, suggest};

/// Reads labels; what they name must exist.
pub(super) fn read(model: &Model, coordinates: &[&str], findings: &mut Findings) -> Vec<(String, String)> {
    let Some((report, value)) = model.report.as_ref().and_then(|report| Some((report, report.value("label")?))) else { return Vec::new() };
    let known = |list: &'_ [Element]| list.iter().map(|element| element.name.clone()).collect::<Vec<String>>();
    let sections: [(&'static str, Vec<String>); 13] = [
        ("body", known(&model.bodies)),
        ("joint", known(&model.joints)),
        ("coordinate", coordinates.iter().map(|name| name.to_string()).collect()),
        ("loop", known(&model.loops)),
        ("guide", known(&model.guides)),
        ("path", known(&model.paths)),
        ("surface", known(&model.surfaces)),
        ("muscle", known(&model.muscles)),
        ("ligament", known(&model.ligaments)),
        ("contact", known(&model.contacts)),
        ("sensor", known(&model.sensors)),
        ("joint_angles", known(&model.joint_angles)),
        ("marker", known(&model.markers)),
    ];
    let mut wrong = |value: &Value, expected: &str| {
        if value.data != Data::Faulty {
            findings.push(value.at, report, "label", &ReadFault::WrongType { expected: expected.into(), found: value.data.kind() });
        }
    };
    let Data::Table(tables) = &value.data else {
        wrong(value, "a table of tables, such as `{ body = { hat = \"upper body\" } }`");
        return Vec::new();
    };
    let (mut labels, mut unknown) = (Vec::new(), Vec::new());
    for table in tables {
        let Some((section, names)) = sections.iter().find(|(section, _)| *section == table.key) else {
            let nearest = suggest(&table.key, sections.iter().map(|(section, _)| *section)).map(str::to_string);
            unknown.push((table.key_at, Fault::UnknownLabelled { section: None, found: table.key.clone(), nearest }));
            continue;
        };
        let Data::Table(entries) = &table.value.data else {
            wrong(&table.value, "a table of texts by name");
            continue;
        };
        for entry in entries {
            match &entry.value.data {
                _ if !names.contains(&entry.key) => {
                    let nearest = suggest(&entry.key, names.iter().map(String::as_str)).map(str::to_string);
                    unknown.push((entry.key_at, Fault::UnknownLabelled { section: Some(section), found: entry.key.clone(), nearest }));
                }
                Data::Text(text) if !text.trim().is_empty() => labels.push((format!("{section}.{}", entry.key), text.trim().to_string())),
                _ => wrong(&entry.value, "a text"),
            }
        }
    }
    unknown.iter().for_each(|(at, fault)| findings.push(*at, report, "label", fault));
    labels
}

#[cfg(test)]
mod tests {
    use crate::compile;
    use borelli_model::Model;

    const LEG: &str = r#"
borelli = 1
dimension = "planar"
[body.thigh]
mass = 8
inertia = 0.1
center = [0, -0.2]
[joint.hip]
type = "hinge"
parent = "world"
child = "thigh"
coordinates = ["hip_angle"]
"#;

    #[test]
    fn labels_stand_by_section_and_name() {
        let text = format!(
            "{LEG}[report.label]\nbody.thigh = \"Upper leg\"\ncoordinate.hip_angle = \" Hip flexion \"\n[report.label.joint]\nhip = \"Hip joint\"\n"
        );
        let system = compile(&Model::parse("leg.toml", &text).unwrap_or_else(|rejected| panic!("{rejected}")))
            .unwrap_or_else(|rejected| panic!("{rejected}"));
        let labels: Vec<(&str, &str)> = system.report_labels.iter().map(|(key, label)| (key.as_str(), label.as_str())).collect();
        assert_eq!(labels, [("body.thigh", "Upper leg"), ("coordinate.hip_angle", "Hip flexion"), ("joint.hip", "Hip joint")]);
    }

    #[test]
    fn labels_of_nothing_and_labels_that_are_no_text_are_refused() {
        for (line, words) in [
            ("body.thihg = \"x\"", "did you mean `thigh`?"),
            ("jiont.hip = \"x\"", "did you mean `joint`?"),
            ("joint.hip = 3", "expected a text, found a number"),
            ("joint.hip = \"\"", "expected a text"),
            ("joint = \"hip\"", "expected a table of texts by name"),
        ] {
            let text = format!("{LEG}[report.label]\n{line}\n");
            let rejected = Model::parse("leg.toml", &text).and_then(|model| compile(&model)).err().map(|rejected| rejected.to_string());
            assert!(rejected.as_ref().is_some_and(|told| told.contains(words) && told.contains("leg.toml:")), "{line}: {rejected:?}");
        }
    }
}
