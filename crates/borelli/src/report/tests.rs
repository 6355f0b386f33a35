//! Pages against what they were made from: every bit of the samples, escaped names, all parts, all column sets.

mod contact;
pub(super) mod json;
mod page;
mod scene;

use super::*;
use crate::recorded::{motion, system};
use borelli_data::Column;
use json::Json;

/// A report of one motion with something in every part.
pub(super) fn report<'a>(title: &str, figure: Figure, trajectory: &'a Trajectory) -> Report<'a> {
    let end = trajectory.time().last().copied().unwrap_or(0.0);
    let row = |quantity: &str, expected: f64, computed: f64, ok: Option<bool>| Expectation {
        quantity: quantity.into(),
        unit: "N".into(),
        basis: "published".into(),
        expected: Some(expected),
        computed: ok.map(|_| computed),
        bound: "",
        tolerance: Some(0.1),
        ok,
        source: "table 3 of the source".into(),
        note: "after the first second".into(),
    };
    let case = Case {
        name: String::new(),
        about: String::new(),
        figure,
        facts: Facts::default(),
        courses: Courses::default(),
        trajectory,
        pressure: &[],
        soft: &crate::recorded::soft::NONE,
        events: vec![Event { time: 0.5 * end, name: "half".into(), action: "note".into(), text: "half of the time is over".into() }],
        scalars: vec![Scalar { name: "run.evaluations".into(), value: 1234.0, unit: "1".into() }],
        health: vec![Health {
            key: "energy_balance".into(),
            label: "energy balance".into(),
            value: Some(1.5e-9),
            unit: "J".into(),
            verdict: Verdict::Good,
            part: None,
            text: "change of energy minus work, largest over the run".into(),
        }],
        method: vec![("integrator".into(), "dopri5".into()), ("relative tolerance".into(), "1e-8".into())],
        fit: None,
        uncertainty: None,
        unmeasured: Vec::new(),
        notice: None,
    };
    Report {
        title: title.into(),
        description: "A motion of the gallery.".into(),
        source: "The gallery of models.".into(),
        cases: vec![case],
        expectations: vec![
            row("peak force", 77.7, 77.68, Some(true)),
            row("least force", 1.0, 3.0, Some(false)),
            row("force at the end", 2.0, 2.0, None),
        ],
        method: vec![("model".into(), title.into())],
        outcome: "Simulated.".into(),
        ..Report::default()
    }
}

/// The data of a page.
fn data_of(page: &str) -> Json {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("the data");
    Json::parse(rest.split_once("</script>").expect("its end").0)
}

/// Writes a page to the folder `BORELLI_PAGES`, for eyes.
fn keep(name: &str, page: &str) {
    if let Some(folder) = std::env::var_os("BORELLI_PAGES") {
        std::fs::write(std::path::Path::new(&folder).join(name).with_extension("html"), page).expect("a file");
    }
}

#[test]
fn poses_and_columns_in_the_page_are_those_of_the_trajectory() {
    let models = [
        ("ballistic-gait", 0.6),
        ("andrews", 0.03),
        ("human3d", 0.3),
        ("top", 10.0),
        ("path-muscles", 1.2),
        ("projectile", 4.0),
        ("double-pendulum-rods", 3.0),
        ("slider-crank", 0.5),
        ("double-pendulum-pins", 1.0),
        ("guided-arm", 1.0),
    ];
    for (name, end) in models {
        let system = system(name);
        let table = motion(&system, end, 401);
        let page = html(&report(&system.name, Figure::of(&system), &table));
        keep(name, &page);
        let data = data_of(&page);
        let case = &data["cases"][0];
        let (times, columns) = (case["time"].numbers(), case["columns"].list());
        assert_eq!(columns.len(), table.columns().len());
        for k in (0..10).map(|k| k * 400 / 9) {
            let sample = times.iter().position(|t| t.to_bits() == table.time()[k].to_bits()).expect("the time");
            for (j, column) in columns.iter().enumerate() {
                assert_eq!(column["name"].text(), table.columns()[j].name);
                assert_eq!(Some(column["unit"].text()), table.columns()[j].unit.as_deref());
                let (found, held) = (column["values"].numbers()[sample], table.values(j)[k]);
                assert_eq!(found.to_bits(), held.to_bits(), "{name} {} at {}", table.columns()[j].name, times[sample]);
            }
        }
        let bodies = data["figures"][0]["bodies"].list();
        assert_eq!(bodies.len(), system.names.bodies.len());
        assert_eq!(data["figures"][0]["planar"].truth(), system.skeleton.planar);
        // Loops and guides stand at the places of the figure.
        let (figure, holds) = (Figure::of(&system), data["figures"][0]["holds"].list());
        assert_eq!(holds.len(), figure.holds.len());
        for (hold, held) in holds.iter().zip(&figure.holds) {
            let spot = |s: &crate::figure::Spot| vec![s.body as f64, s.at[0], s.at[1], s.at[2]];
            assert_eq!((hold["element"].text(), hold["kind"].text()), (held.element.as_str(), held.kind));
            assert_eq!((hold["b"].numbers(), held.a.map(|_| hold["a"].numbers())), (spot(&held.b), held.a.as_ref().map(spot)));
        }
        for body in &bodies[1..] {
            let pose = format!("body.{}.x", body["name"].text());
            assert!(columns.iter().any(|column| column["name"].text() == pose), "{name}: no {pose}");
        }
    }
}

#[test]
fn a_long_trajectory_is_thinned_to_exact_samples_and_keeps_its_extremes() {
    let mut table = Trajectory::new(vec![Column::new("coord.a.value", "rad"), Column::new("coord.b.value", "m")]).expect("columns");
    for k in 0..100_000 {
        let t = k as f64 * 1e-3;
        let spike = if k == 77_777 { 40.0 } else { 0.0 };
        table.push_row(&[t, (7.0 * t).sin() + spike, 0.1 * t]).expect("a row");
    }
    let system = system("pendulum");
    let mut report = report("long", Figure::of(&system), &table);
    report.cases[0].events[0].time = 12.3456;
    let page = html(&report);
    let data = data_of(&page);
    let case = &data["cases"][0];
    let (times, frames, values) = (case["time"].numbers(), case["frame"].numbers(), case["columns"][0]["values"].numbers());
    assert!(times.len() <= MOST_FRAMES && times.len() > MOST_FRAMES - 10, "{}", times.len());
    assert_eq!((frames[0], frames[frames.len() - 1]), (0.0, 99_999.0));
    for ((frame, t), value) in frames.iter().zip(&times).zip(&values) {
        let k = *frame as usize;
        assert_eq!((t.to_bits(), value.to_bits()), (table.time()[k].to_bits(), table.values(0)[k].to_bits()));
    }
    // Both neighbours of the event are kept.
    assert!([12345.0, 12346.0].iter().all(|k| frames.contains(k)));
    assert!(page.contains(&format!("{} of 100000 samples", times.len())));
    assert_eq!(case["samples"].number(), 100_000.0);
    let extra = &case["columns"][0]["extra"];
    let (at, peaks) = (extra["t"].numbers(), extra["v"].numbers());
    let spike = peaks.iter().position(|v| *v > 39.0).expect("the spike");
    assert_eq!((at[spike], peaks[spike]), (table.time()[77_777], table.values(0)[77_777]));
    assert!(case["columns"][1]["extra"].is_null(), "a straight line needs no more than its frames");
    assert_eq!(case["columns"][0]["high"].number(), table.values(0)[77_777]);
    let (page_of_few, viewer) = (page.len(), viewer::script().map_or(0, str::len));
    assert!(page_of_few - viewer < 400_000, "{}", page.len());
}

#[test]
fn missing_values_are_not_a_number_and_cases_share_a_figure() {
    let columns = vec![Column::optional("ground.cop.x", "m"), Column::new("ground.cop.valid", "1")];
    let mut table = Trajectory::new(columns).expect("columns");
    table.push_row(&[0.0, f64::NAN, 0.0]).expect("a row");
    table.push_row(&[1.0, 0.25, 1.0]).expect("a row");
    let empty = Trajectory::new(vec![Column::new("coord.a.value", "rad")]).expect("columns");
    let system = system("pendulum");
    let mut report = report("gaps", Figure::of(&system), &table);
    let mut second = report.cases[0].clone();
    (report.cases[0].name, second.name, second.trajectory) = ("stiff".into(), "soft".into(), &empty);
    second.scalars[0].value = 99.0;
    second.method[0].1 = "heun".into();
    report.cases.push(second);
    let page = html(&report);
    keep("cases", &page);
    let data = data_of(&page);
    let column = &data["cases"][0]["columns"][0];
    let values = column["values"].numbers();
    assert!(values[0].is_nan() && values[1] == 0.25 && column["low"].number() == 0.25 && column["high"].number() == 0.25);
    assert!(data["cases"][1]["columns"][0]["low"].is_null(), "no sample, no limits");
    assert_eq!((data["figures"].list().len(), data["cases"].list().len()), (1, 2));
    // Shared settings stand once, others per case.
    assert!(page.contains("<td class=\"\">relative tolerance</td><td class=\"\">1e-8</td></tr>"));
    assert!(page.contains("<td class=\"\">integrator</td><td class=\"\">dopri5</td><td class=\"\">heun</td></tr>"));
}

#[test]
fn every_case_of_a_sweep_has_the_figure_of_its_own_numbers() {
    let system = system("ballistic-gait");
    let slot = system.parameter("body.swing.mass").expect("a parameter");
    let of_mass = |factor: f64| {
        let mut values: Vec<f64> = system.parameters.iter().map(|p| p.value).collect();
        values[slot] *= factor;
        system.with_parameters(&values)
    };
    let systems = [of_mass(1.0), of_mass(0.5), of_mass(1.0)];
    let tables = [0, 1, 2].map(|k| motion(&systems[k], 0.6, 101));
    let mut page = report("sweep", Figure::of(&systems[0]), &tables[0]);
    for k in [1, 2] {
        let mut case = page.cases[0].clone();
        (case.figure, case.trajectory) = (Figure::of(&systems[k]), &tables[k]);
        page.cases.push(case);
    }
    for (case, name) in page.cases.iter_mut().zip(["whole leg", "light leg", "whole leg again"]) {
        case.name = name.into();
    }
    let text = html(&page);
    keep("sweep", &text);
    let data = data_of(&text);
    let figures: Vec<f64> = data["cases"].list().iter().map(|case| case["figure"].number()).collect();
    assert_eq!(figures, [0.0, 1.0, 0.0]);
    let mass =
        |figure: usize| data["figures"][figure]["bodies"].list().iter().find(|b| b["name"].text() == "swing").expect("it")["mass"].number();
    assert_eq!((mass(0), mass(1)), (11.72, 5.86));
}

#[test]
fn default_plots_hold_each_telling_column_once_and_one_unit_each() {
    for (name, end) in [("ballistic-gait", 0.6), ("human3d", 0.1), ("path-muscles", 0.5), ("projectile", 1.0)] {
        let system = system(name);
        let table = motion(&system, end, 11);
        let groups = default_groups(&report(name, Figure::of(&system), &table).cases[0]);
        let mut seen: Vec<&String> = groups.iter().flat_map(|group| &group.columns).collect();
        let count = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), count, "{name}");
        for group in &groups {
            let unit = |column: &String| table.columns()[table.index(column).expect("a column")].unit.clone();
            assert!(group.columns.len() <= 8 && group.columns.iter().all(|column| unit(column) == unit(&group.columns[0])), "{group:?}");
        }
        assert!(groups.len() <= 14 && groups.iter().any(|group| group.title == "Energy"), "{name} {groups:?}");
    }
    let system = system("ballistic-gait");
    let table = motion(&system, 0.6, 3);
    let mut asked = report("asked", Figure::of(&system), &table);
    let columns = vec!["coord.trunk.*".into(), "coord.*.value".into()];
    asked.groups = vec![Group { title: "mine".into(), columns, ..Group::default() }];
    let data = data_of(&html(&asked));
    let columns: Vec<&str> = data["groups"][0]["columns"].list().iter().map(Json::text).collect();
    assert_eq!(columns, ["coord.trunk.value", "coord.trunk.rate", "coord.stance.value", "coord.swing.value"]);
    let mut foreign = Trajectory::foreign(vec![Column { name: "pelvis_tilt".into(), unit: None, optional: false }]).expect("columns");
    foreign.push_row(&[0.0, 1.0]).expect("a row");
    let groups = default_groups(&report("foreign", Figure::of(&system), &foreign).cases[0]);
    assert_eq!(groups, [Group { title: "Columns".into(), columns: vec!["pelvis_tilt".into()], ..Group::default() }]);
}

#[test]
fn both_sides_of_a_person_stand_in_one_plot_left_first() {
    let figure = Figure::of(&system("human3d"));
    let coordinates = [
        "hip_flex_r",
        "hip_add_r",
        "hip_rot_r",
        "knee_r",
        "ankle_r",
        "subtalar_r",
        "hip_flex_l",
        "hip_add_l",
        "hip_rot_l",
        "knee_l",
        "ankle_l",
        "subtalar_l",
        "lumbar_flex",
    ];
    let columns = coordinates.map(|name| Column::new(format!("coord.{name}.value"), "rad"));
    let mut table = Trajectory::new(columns.to_vec()).expect("columns");
    // the subtalar joint moves least
    let moves = [5.0, 2.0, 3.0, 6.0, 4.0, 1.0];
    for t in [0.0, 1.0] {
        let row: Vec<f64> = [t].into_iter().chain(moves.iter().chain(&moves).chain(&[1.0]).map(|size| size * (t + 0.1))).collect();
        table.push_row(&row).expect("a row");
    }
    let groups = default_groups(&report("sides", figure, &table).cases[0]);
    let titles: Vec<&str> = groups.iter().map(|group| group.title.as_str()).collect();
    assert_eq!(titles, ["Hip flexion", "Hip adduction", "Hip rotation", "Knee angle", "Ankle angle", "Joint angles"]);
    assert_eq!(groups[3].columns, ["coord.knee_l.value", "coord.knee_r.value"]);
    assert_eq!(groups[5].columns, ["coord.subtalar_r.value", "coord.subtalar_l.value", "coord.lumbar_flex.value"]);
    // paths that are called by their side only
    let disc = Figure::of(&crate::recorded::system("pendulum"));
    let mut table = Trajectory::new(vec![Column::new("path.left.force", "N"), Column::new("path.right.force", "N")]).expect("columns");
    table.push_row(&[0.0, 1.0, 2.0]).expect("a row");
    let groups = default_groups(&report("paths", disc, &table).cases[0]);
    assert_eq!((groups.len(), groups[0].title.as_str(), groups[0].columns.len()), (1, "Tension", 2));
}

#[test]
fn a_plot_of_chosen_cases_keeps_them_and_others_follow_the_choice() {
    let system = system("pendulum");
    let table = motion(&system, 0.5, 3);
    let empty = Trajectory::new(vec![Column::new("coord.a.value", "rad")]).expect("columns");
    let mut page = report("plots", Figure::of(&system), &table);
    for (k, name) in ["fine", "broken", "coarse", "other"].into_iter().enumerate() {
        if k > 0 {
            page.cases.push(page.cases[0].clone());
        }
        page.cases[k].name = name.into();
    }
    page.cases[1].trajectory = &empty;
    let plot = |cases: &[&str]| borelli_study::read::Plot {
        across: None,
        across_at: None,
        title: "angle".into(),
        columns: vec!["coord.*.value".into()],
        cases: cases.iter().map(|name| name.to_string()).collect(),
        over: None,
        at: borelli_model::Span { file: 0, start: 0, end: 0 },
    };
    page.groups = [plot(&["coarse", "fine", "broken"]), plot(&["broken"]), plot(&[])].iter().map(Group::from).collect();
    let text = html(&page);
    keep("chosen-cases", &text);
    let data = data_of(&text);
    // In the order of the cases, without those that hold no samples.
    assert_eq!(data["groups"][0]["cases"].numbers(), [0.0, 2.0]);
    assert!(data["groups"][1]["cases"].list().is_empty());
    let last = &data["groups"][2];
    assert!(last["cases"].is_null() && last["kind"].text() == "time");
    assert_eq!(last["columns"].list().iter().map(Json::text).collect::<Vec<_>>(), ["coord.pivot.value", "coord.a.value"]);
}
