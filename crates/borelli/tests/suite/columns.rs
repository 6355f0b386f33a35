//! The page of columns names every column of every model and every number of every study, with its unit, and nothing else.
//! Not here: what columns hold (`borelli-study`).

use crate::{root, system, systems};
use borelli::dynamics::formulation::segment_chain::Task;
use borelli::job::Job;
use borelli::studies::Studies;
use borelli::study::columns::Columns;
use borelli::study::plan::{Analysis, Mixed, Plan};
use borelli::study::run::check;
use std::collections::{BTreeMap, BTreeSet};

/// The name with `N` for that of its element; the name of a pair of surfaces or of its events may have several parts.
fn general(name: &str) -> String {
    let mut parts: Vec<&str> = name.split('.').collect();
    let tail = match parts[0] {
        "event" => 1,
        "contact" if parts.contains(&"total") => 3,
        // A surface may be called `point`, too.
        "contact"
            if ["depth", "rate", "slip", "normal_force", "stored", "dissipated", "volume", "area"].contains(&parts[parts.len() - 1]) =>
        {
            1
        }
        "contact" => 2,
        _ => 1,
    };
    if matches!(parts[0], "event" | "contact") {
        parts.splice(1..parts.len() - tail, ["N"]);
        return parts.join(".");
    }
    match parts[..] {
        ["fit", "end", ..] => return "fit.end.K.objective.M".into(),
        ["fit", "middle", ..] => return "fit.middle.objective.M".into(),
        // Names of unknowns may have several parts.
        ["fit", what, _, ..] => return format!("fit.{what}.N"),
        _ => {}
    }
    let place = match parts[0] {
        "coord" | "body" | "joint" | "loop" | "guide" | "path" | "sensor" | "joint_angles" | "marker" | "plate" | "load" | "force"
        | "muscle" | "ligament" | "integral" | "soft" | "soft_contact" | "tie" | "support" | "traction" => Some(1),
        "chain" if matches!(parts[1], "joint" | "body") => Some(2),
        "shoot" if parts[1] == "initial" => Some(3),
        "sensitivity" | "uncertainty" if parts.len() > 2 => Some(1),
        _ => None,
    };
    if let Some(part) = place.and_then(|k| parts.get_mut(k)) {
        *part = "N";
    }
    // Moment arms name a coordinate, what a path does on a wrap names that.
    match parts[..] {
        ["path", _, "arm", _] => parts[3] = "C",
        ["path", _, _, _] => parts[2] = "W",
        ["sensitivity", _, "by", _] | ["uncertainty", _, _, _] => parts[3] = "C",
        _ => {}
    }
    parts.join(".")
}

/// Names in the first cells of the tables of the page, with the units in the second.
fn page() -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(root().join("docs/src/columns.md")).expect("the page");
    let mut found = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let units: BTreeSet<String> = cells[2].split(" or ").flat_map(|unit| unit.split(", ")).map(str::to_string).collect();
        for name in cells[1].split('`').skip(1).step_by(2) {
            assert!(found.insert(name.to_string(), units.clone()).is_none(), "{name} stands twice");
        }
    }
    found
}

#[test]
fn the_page_of_columns_names_them_all_with_their_units() {
    let mut there: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut note = |name: &str, unit: &str| {
        there.entry(general(name)).or_default().insert(unit.to_string());
    };
    for (name, system) in systems().filter(|(_, system)| !system.has_soft()) {
        let columns = Columns::new(&system, "articulated", true).unwrap_or_else(|declined| panic!("{name}: {}", declined.reason));
        columns.list().iter().for_each(|column| note(&column.name, column.unit.as_deref().expect("a unit")));
    }
    let names = Studies::EMBEDDED.names().expect("names");
    for name in names.into_iter().filter(|name| Studies::EMBEDDED.lacks(name).is_empty()) {
        let job = Job::of_study(&Studies::EMBEDDED.path(&name), &Studies::EMBEDDED, &[]).unwrap_or_else(|rejected| panic!("{rejected}"));
        // Models that stand beside a study have columns that no model of the gallery has.
        if let Some(task) = job.tasks.first().filter(|task| !task.system.has_soft()) {
            let columns = Columns::new(&task.system, "articulated", true).unwrap_or_else(|declined| panic!("{name}: {}", declined.reason));
            let own = |name: &str| name.starts_with("integral."); // has the unit that its formula has
            for column in columns.list().iter().filter(|column| !own(&column.name)) {
                note(&column.name, column.unit.as_deref().expect("a unit"));
            }
        }
        for task in &job.tasks {
            let outline = check(&task.system, &task.plan).unwrap_or_else(|_| panic!("{name} cannot be run"));
            outline.scalars.iter().for_each(|scalar| note(&scalar.name, &scalar.unit));
            if task.system.has_soft() {
                outline.columns.iter().for_each(|column| note(&column.name, column.unit.as_deref().expect("a unit")));
            }
        }
    }
    let jumper = system("squat4");
    for least_squares in [false, true] {
        let task = Task { least_squares, ..Task::default() };
        let mixed = Some(Mixed { task, ..Mixed::default() });
        let plan = Plan { analysis: Analysis::Mixed, formulation: "segment-chain".into(), mixed, ..Plan::default() };
        let outline = check(&jumper, &plan).unwrap_or_else(|_| panic!("a mixed problem cannot be run"));
        outline.scalars.iter().for_each(|scalar| note(&scalar.name, &scalar.unit));
        outline.columns.iter().for_each(|column| note(&column.name, column.unit.as_deref().expect("a unit")));
    }
    let measured = crate::measured::outline();
    measured.scalars.iter().for_each(|scalar| note(&scalar.name, &scalar.unit));
    measured.columns.iter().for_each(|column| note(&column.name, column.unit.as_deref().expect("a unit")));
    // no study looks for coordinates at the start
    note("shoot.initial.coordinates.hip", "rad");
    let page = page();
    for (name, units) in &there {
        let said = page.get(name).unwrap_or_else(|| panic!("docs/src/columns.md does not name `{name}`"));
        assert!(units.is_subset(said), "{name}: {units:?}, and the page says {said:?}");
    }
    let gone: Vec<&String> = page.keys().filter(|name| !there.contains_key(*name)).collect();
    assert!(gone.is_empty(), "docs/src/columns.md names what no model and no study has: {gone:?}");
}
