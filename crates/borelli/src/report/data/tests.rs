//! Format 2 against what it was made from: keys, places of columns, limits of thinning, figures that come back bit for bit.

use super::*;
use crate::recorded::{CORNER, PLANAR_FOOT, SPATIAL_FOOT, motion, parsed, system};
use crate::report::tests::json::Json;
use crate::report::{Courses, Event};
use crate::{compile, gallery};
use borelli_data::{Column, Trajectory};
use borelli_dynamics::System;
use borelli_study::plan::{Analysis, Plan, PressureFrames, Time};
use borelli_study::run::{Outcome, Unwatched, run};
use serde_json::Value;

fn case<'a>(system: &System, trajectory: &'a Trajectory) -> Case<'a> {
    Case {
        name: "one".into(),
        about: String::new(),
        figure: Figure::of(system),
        facts: Facts::of(system, &[]),
        courses: Courses::of(system, trajectory),
        trajectory,
        pressure: &[],
        soft: &crate::recorded::soft::NONE,
        events: Vec::new(),
        scalars: Vec::new(),
        health: Vec::new(),
        method: Vec::new(),
        fit: None,
        uncertainty: None,
        unmeasured: Vec::new(),
        notice: None,
    }
}

#[test]
fn courses_come_back_bit_for_bit_and_only_where_they_fit() {
    let system = system("knee-extensor");
    let table = motion(&system, 0.5, 12);
    let (figure, courses) = (Figure::of(&system), Courses::of(&system, &table));
    assert_eq!(courses.0.len(), 2);
    let text: Value = serde_json::from_str(&courses_json(&courses).to_string()).expect("JSON");
    assert_eq!(courses_of(&text, &figure, table.len()), Ok(courses.clone()));
    assert!(courses_of(&text, &figure, table.len() + 1).is_err_and(|wrong| wrong.contains("samples")));
    let mut wrong = text.clone();
    wrong["paths"][0]["bodies"][0] = serde_json::json!(9);
    assert_eq!(courses_of(&wrong, &figure, table.len()), Err("there is no body 9.0".replace(".0", "")));
    // In a page there is a course for each path, at the samples that it keeps.
    let shown = page(vec![case(&system, &table)]);
    let own = &shown["cases"][0];
    assert_eq!(own["courses"].as_array().map(Vec::len), Some(2));
    assert_eq!(own["courses"][0]["bodies"].as_array().map(Vec::len), Some(courses.0[0].bodies.len()));
    assert_eq!(own["tones"].as_array().map(Vec::len), Some(2));
    assert_eq!(shown["figures"][0]["wraps"][0]["name"], "condyle");
}

fn page(cases: Vec<Case>) -> Value {
    serde_json::from_str(&json(&Report { title: "page".into(), cases, ..Report::default() })).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    f64s_of(value).expect("packed numbers")
}

fn outcome(system: &System, plan: &Plan) -> Outcome {
    run(system, plan, None, &mut Unwatched).unwrap_or_else(|findings| panic!("{:?}", findings.iter().collect::<Vec<_>>()))
}

#[test]
fn a_page_has_exactly_the_agreed_keys() {
    let system = system("path-muscles");
    let table = motion(&system, 0.2, 5);
    let data = page(vec![case(&system, &table)]);
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&data), "format figures cases groups opening poster");
    assert_eq!(data["format"], 2);
    let figure = &data["figures"][0];
    assert_eq!(
        keys(figure),
        "planar up forward right gravity height machine sided bodies meshes notes joints paths rods wraps holds surfaces pairs markers"
    );
    assert_eq!(keys(&figure["bodies"][1]), "name label side mass center inertia points depth solids");
    assert_eq!(keys(&figure["joints"][0]), "name label side kind parent child turns");
    assert_eq!(keys(&figure["paths"][0]), "name label side element points");
    let case = &data["cases"][0];
    assert_eq!(
        keys(case),
        "run name label about fitted unmeasured figure samples time frame columns pose events contacts moments loads markers tensions tones courses pressure softContacts soft"
    );
    assert_eq!(keys(&case["columns"][0]), "name label path unit side values extra band low high");
    assert_eq!(keys(&data["groups"][0]), "title note columns cases kind");
    assert_eq!(case["label"], "One");
    let tension = case["tensions"][0].as_u64().expect("a column") as usize;
    assert_eq!(case["columns"][tension]["name"], format!("path.{}.force", system.names.paths[0]));
}

/// The torque of Andrews' squeezer is a force element: 0.033 N m on a crank that starts at rest, against a spring that gives back what it stores.
#[test]
fn the_account_of_energy_adds_up_and_names_what_drives() {
    let system = system("andrews");
    let plan = Plan { time: Time { start: 0.0, end: 0.02, sample: Some(1e-3) }, ..Plan::default() };
    let outcome = outcome(&system, &plan);
    let case = Case::of("", &system, &outcome);
    let data = page(vec![case.clone()]);
    let columns = data["cases"][0]["columns"].as_array().expect("columns");
    let of = |name: &str| columns.iter().find(|column| column["name"] == name).map(|column| numbers(&column["values"]));
    let (change, work) = (of("account.change").expect("a change"), of("account.elements").expect("a drive"));
    let parts: Vec<Vec<f64>> =
        ["elements", "efforts", "rows", "contacts", "open"].iter().filter_map(|part| of(&format!("account.{part}"))).collect();
    let beta = outcome.trajectory.column("coord.beta.value").expect("the crank");
    for k in 0..beta.len() {
        let torque = 0.033 * (beta[k] - beta[0]);
        assert!((work[k] - torque).abs() < 1e-6 * (1.0 + torque.abs()), "{k}: {} and {torque}", work[k]);
        let sum: f64 = parts.iter().map(|part| part[k]).sum();
        assert!((change[k] - sum).abs() < 1e-12, "{k}: {} and {sum}", change[k]);
    }
    assert!(work.last().is_some_and(|work| *work > 0.05), "{work:?}");
    assert!(of("account.efforts").is_none() && of("account.contacts").is_none(), "parts that are nothing are left out");
    let groups = data["groups"].as_array().expect("groups");
    assert!(groups.iter().any(|group| group["columns"][0] == "account.change" && group["note"] != ""), "{groups:?}");
    // A pendulum keeps its energy: nothing comes or goes.
    let swinging = crate::recorded::system("pendulum");
    let kept = super::tests::outcome(&swinging, &plan);
    assert!(!account::tells(&Case::of("", &swinging, &kept)));
}

#[test]
fn poses_name_the_columns_of_their_bodies() {
    for name in ["ballistic-gait", "human3d", "spatial-arm"] {
        let system = system(name);
        let table = motion(&system, 0.1, 4);
        let figure = Figure::of(&system);
        let data = page(vec![case(&system, &table)]);
        let case = &data["cases"][0];
        let value = |place: &Value, sample: usize| place.as_u64().map_or(0.0, |k| numbers(&case["columns"][k as usize]["values"])[sample]);
        assert!(case["pose"][0].is_null(), "the world does not move");
        for b in 1..figure.bodies.len() {
            let (pose, shown) = (figure.pose(b, &table, 2).expect("a pose"), &case["pose"][b]);
            assert_eq!([0, 1, 2].map(|k| value(&shown["at"][k], 2)), pose.p.to_array(), "{name} {b}");
            if figure.planar {
                let angle = value(&shown["angle"], 2);
                assert!((pose.R.x.x - angle.cos()).abs() < 1e-15 && (pose.R.x.y - angle.sin()).abs() < 1e-15);
            } else {
                // the first column of the rotation of a quaternion
                let [w, x, y, z] = [0, 1, 2, 3].map(|k| value(&shown["turn"][k], 2));
                let first = [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)];
                assert!(first.iter().zip(pose.R.x.to_array()).all(|(a, b)| (a - b).abs() < 1e-12), "{name} {b}");
            }
        }
    }
}

#[test]
fn figures_come_back_from_their_json_bit_for_bit() {
    let systems = gallery::names()
        .map(|name| compile(&gallery::read(name).expect("it").unwrap_or_else(|r| panic!("{r}"))).unwrap_or_else(|r| panic!("{r}")));
    let feet = [parsed(PLANAR_FOOT), parsed(SPATIAL_FOOT)];
    let mut count = 0;
    for system in systems.chain(feet).chain([crate::recorded::meshed(CORNER)]) {
        let (figure, facts) = (Figure::of(&system), Facts::of(&system, &[]));
        let text = serde_json::to_string(&figure_json(&figure, 1.5, facts.given())).expect("text");
        let back = figure_of(&serde_json::from_str(&text).expect("JSON")).unwrap_or_else(|wrong| panic!("{}: {wrong}", system.name));
        assert_eq!(back, figure, "{}", system.name);
        assert_eq!(figure_json(&back, 1.5, facts.given()).to_string(), text, "{}", system.name);
        let told: Value = serde_json::from_str(&facts.to_json().to_string()).expect("JSON");
        assert_eq!(Facts::from_json(&told, &back), Ok(facts.clone()), "{}", system.name);
        count += 1;
    }
    assert!(count > 50, "{count}");
}

#[test]
fn a_damaged_figure_is_refused_by_name() {
    let system = parsed(SPATIAL_FOOT);
    let whole = figure_json(&Figure::of(&system), 1.0, crate::label::Given::default());
    type Damage = (fn(&mut Value), &'static str);
    let damages: [Damage; 10] = [
        (|v| *v = Value::Null, "`meshes` is missing"),
        (|v| v["planar"] = Value::Null, "`planar` is not true or false"),
        (|v| v["joints"][0]["child"][0] = 99.into(), "there is no body 99"),
        (|v| v["joints"][0]["child"][0] = 0.5.into(), "there is no body 0.5"),
        (|v| v["pairs"][0]["first"] = 99.into(), "`first` is not a whole number below"),
        (|v| v["surfaces"][0]["kind"] = "cube".into(), "there is no surface `cube`"),
        (|v| v["bodies"][1]["solids"][0]["kind"] = "cube".into(), "there is no solid `cube`"),
        (
            |v| v["meshes"] = serde_json::json!([{ "vertices": { "f32": "" }, "triangles": { "u32": "AAAAAAEAAAACAAAA" } }]),
            "`meshes` hold no triangles",
        ),
        (|v| v["bodies"][1]["solids"][0] = serde_json::json!({ "kind": "mesh", "mesh": 0 }), "`mesh` is not a whole number below 0"),
        (|v| v["bodies"][1]["center"] = serde_json::json!([1.0, 2.0]), "`center` is not a list of 3 numbers"),
    ];
    for (damage, words) in damages {
        let mut broken = whole.clone();
        damage(&mut broken);
        let wrong = figure_of(&broken).expect_err(words);
        assert!(wrong.contains(words), "{wrong}");
    }
}

#[test]
fn the_height_is_the_largest_edge_of_the_figure_at_the_first_sample() {
    let system = system("human3d");
    let (table, empty) = (motion(&system, 0.1, 3), Trajectory::new(vec![Column::new("coord.a.value", "rad")]).expect("columns"));
    let (mut first, second) = (case(&system, &empty), case(&system, &table));
    first.name = "none".into();
    let data = page(vec![first, second]);
    let height = data["figures"][0]["height"].as_f64().expect("a number");
    // a person of the model stands upright, some 1.8 m
    assert!((1.7..1.9).contains(&height), "{height}");
    assert_eq!(data["figures"].as_array().map(Vec::len), Some(1));
    assert_eq!(data["cases"][0]["samples"], 0);
}

#[test]
fn joints_that_turn_every_way_have_rotation_vectors() {
    let system = system("top");
    let table = motion(&system, 20.0, 801);
    let data = page(vec![case(&system, &table)]);
    let columns = data["cases"][0]["columns"].as_array().expect("columns");
    let joint = &system.names.joints[1];
    let find = |axis: &str| {
        let name = format!("derived.{joint}.rotation.{axis}");
        let found = columns.iter().find(|column| column["name"] == name.as_str()).unwrap_or_else(|| panic!("no {name}"));
        (numbers(&found["values"]), found["path"][0].as_str().expect("a branch").to_string())
    };
    let axes = ["x", "y", "z"].map(|axis| find(axis).0);
    assert_eq!(find("x").1, "Joint rotations");
    // Rodrigues: a vector turned by the rotation vector is the vector turned by the pose
    let figure = Figure::of(&system);
    for k in (0..table.len()).step_by(40) {
        let r = borelli_math::vec3(axes[0][k], axes[1][k], axes[2][k]);
        let (angle, v) = (r.norm(), borelli_math::vec3(0.3, -0.5, 0.8));
        let u = if angle > 0.0 { r.scale(1.0 / angle) } else { r };
        let turned = v.scale(angle.cos()) + u.cross(v).scale(angle.sin()) + u.scale(u.dot(v) * (1.0 - angle.cos()));
        let pose = figure.pose(1, &table, k).expect("a pose");
        assert!((turned - pose.R * v).norm() < 1e-9, "{k}");
    }
}

#[test]
fn extremes_of_all_columns_are_in_the_page_and_limits_hold() {
    let system = parsed(PLANAR_FOOT);
    let plan = Plan { time: Time { start: 0.0, end: 1.0, sample: Some(2e-4) }, ..Plan::default() };
    let outcome = outcome(&system, &plan);
    let mut own = case(&system, &outcome.trajectory);
    own.events = outcome
        .events
        .iter()
        .map(|event| Event { time: event.t, name: event.name.clone(), action: String::new(), text: String::new() })
        .collect();
    assert!(own.trajectory.len() > 5000 && !own.events.is_empty());
    let data = page(vec![own]);
    let case = &data["cases"][0];
    let columns = case["columns"].as_array().expect("columns");
    let frames = numbers(&case["time"]).len();
    assert!((100..=2000).contains(&frames) && frames * (columns.len() + 1) <= 400_000, "{frames}");
    let mut extras = 0;
    // Those that are made for the page have no samples elsewhere.
    for (k, column) in columns.iter().take(outcome.trajectory.columns().len()).enumerate() {
        let mut kept = numbers(&column["values"]);
        if !column["extra"].is_null() {
            let (t, v) = (numbers(&column["extra"]["t"]), numbers(&column["extra"]["v"]));
            assert!(t.len() == v.len() && t.windows(2).all(|w| w[0] < w[1]));
            extras += v.len();
            kept.extend(v);
        }
        let all = outcome.trajectory.values(k);
        let known = |list: &[f64]| {
            list.iter().copied().filter(|x| x.is_finite()).fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x), b.max(x)])
        };
        assert_eq!(known(&kept), known(all), "{}", column["name"]);
        if let (Some(low), Some(high)) = (column["low"].as_f64(), column["high"].as_f64()) {
            assert_eq!([low, high], known(all), "{}", column["name"]);
        }
    }
    assert!(extras > 0 && extras <= 100_000, "{extras}");
}

#[test]
fn many_cases_share_the_room_and_none_has_fewer_than_a_hundred_frames() {
    let system = system("pendulum");
    let mut table = Trajectory::new((0..20).map(|k| Column::new(format!("coord.c{k}.value"), "rad")).collect()).expect("columns");
    for k in 0..3000 {
        let mut row = vec![k as f64 * 1e-3];
        row.extend((0..20).map(|c| ((k * (c + 3)) as f64 * 1e-2).sin()));
        table.push_row(&row).expect("a row");
    }
    for (count, frames) in [(1, 2000), (20, 400_000 / (20 * 21)), (300, 100)] {
        let cases: Vec<Case> = (0..count).map(|_| case(&system, &table)).collect();
        let kept = kept_samples(&Report { title: String::new(), cases, ..Report::default() });
        assert!(kept.iter().all(|list| list.len() == frames), "{count} {}", kept[0].len());
    }
}

#[test]
fn maps_of_pressure_lie_where_the_mat_is_and_keep_the_pressures() {
    let system = system("heel-mat");
    let time = Time { start: 0.0, end: 0.2, sample: Some(0.005) };
    let plan = Plan { analysis: Analysis::Evaluate, time, pressure: PressureFrames::Count(15), ..Plan::default() };
    let outcome = outcome(&system, &plan);
    let mut own = case(&system, &outcome.trajectory);
    own.pressure = &outcome.pressure;
    let data = page(vec![own]);
    let (map, shown) = (&outcome.pressure[0], &data["cases"][0]["pressure"][0]);
    assert_eq!((shown["cells"][0].as_u64(), shown["cells"][1].as_u64()), (Some(map.cells[0] as u64), Some(map.cells[1] as u64)));
    let high = shown["high"].as_f64().expect("a pressure");
    assert_eq!(high, map.peak.iter().copied().fold(0.0, f64::max));
    let cells = |value: &Value| Json::parse(&value.to_string()).numbers();
    let maps = cells(&shown["maps"]);
    for (p, part) in map.pressure.iter().zip(&maps) {
        assert!((p - part / 65535.0 * high).abs() <= high / 65535.0 && (*p > 0.0) == (*part > 0.0), "{p} {part}");
    }
    assert_eq!(cells(&shown["highest"]).into_iter().fold(0.0, f64::max), 65535.0);
    // the contact itself tells the centre of pressure in the world
    let centre = ["x", "z"].map(|axis| outcome.trajectory.column(&format!("contact.heel.cop.{axis}")).expect("a column"));
    for (k, t) in map.time.iter().enumerate() {
        let sample = outcome.trajectory.time().iter().position(|x| x == t).expect("a sample");
        let cop = &shown["cop"][k];
        // cells are 2.5 mm wide
        assert!(
            (cop[0].as_f64().expect("x") - centre[0][sample]).abs() < 2.5e-3
                && (cop[2].as_f64().expect("z") - centre[1][sample]).abs() < 2.5e-3
        );
    }
    let line = shown["outline"][0].as_array().expect("an outline");
    assert!(line.len() > 20 && line.iter().all(|p| p[1].as_f64().is_some_and(|y| y.abs() < 1e-12)), "it lies on the floor");
    assert!(shown["side"].is_null() && shown["forward"].is_null());
}

#[test]
fn loads_know_their_bodies() {
    let system = system("running-load");
    let facts = Facts::of(&system, &[("load plate acts on".into(), "`leg`, as told".into())]);
    let load = &system.numbers.forces.load[0];
    assert_eq!(facts.body_of(&load.name), Some(load.item.body()));
    assert_eq!(facts.body_of("nothing"), None);
    let plan = Plan { time: Time { start: 0.0, end: 0.05, sample: None }, ..Plan::default() };
    let outcome = outcome(&system, &plan);
    let data = page(vec![case(&system, &outcome.trajectory)]);
    let shown = &data["cases"][0]["loads"][0];
    assert_eq!((shown["name"].as_str(), shown["body"].as_u64()), (Some(load.name.as_str()), Some(load.item.body() as u64)));
    let column =
        |k: &Value| data["cases"][0]["columns"][k.as_u64().expect("a column") as usize]["name"].as_str().expect("a name").to_string();
    assert_eq!(column(&shown["force"][1]), format!("load.{}.force.y", load.name));
    assert_eq!(column(&shown["point"][0]), format!("load.{}.point.x", load.name));
}

#[test]
fn what_a_model_calls_its_elements_stands_in_figure_columns_and_folder() {
    let plain = gallery::file("pendulum.toml").expect("the model");
    let system = parsed(&format!("{plain}\n[report.label]\nbody.bob = \"Iron <ball>\"\njoint.pivot = \"Nail\"\n"));
    let table = motion(&system, 0.1, 3);
    let own = case(&system, &table);
    assert_eq!(Facts::from_json(&own.facts.to_json(), &own.figure), Ok(own.facts.clone()));
    let data = page(vec![own]);
    assert_eq!(
        (data["figures"][0]["bodies"][1]["label"].as_str(), data["figures"][0]["joints"][0]["label"].as_str()),
        (Some("Iron <ball>"), Some("Nail"))
    );
    let labels: Vec<&str> =
        data["cases"][0]["columns"].as_array().expect("columns").iter().filter_map(|column| column["label"].as_str()).collect();
    assert!(labels.contains(&"Iron <ball>: angle in space") && labels.contains(&"Nail: joint force, up"), "{labels:?}");
}
