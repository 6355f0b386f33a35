//! Pictures against what they were made from: places of curves, units, escaped names, the same text twice.

use super::*;
use crate::figure::Figure;
use crate::recorded::{SPATIAL_FOOT, motion, parsed, system};
use borelli_data::Column;

fn line(label: &str, x: &[f64], y: &[f64]) -> Series {
    Series { label: label.into(), x: x.to_vec(), y: y.to_vec(), marks: false }
}

/// All numbers of the curve with a colour, `h0.01` left out.
fn path_of(picture: &str, colour: &str) -> Vec<(f64, f64)> {
    let row = picture.lines().find(|row| row.contains("fill=\"none\"") && row.contains(colour)).expect("a curve");
    let text = row.split('"').nth(1).expect("its path").replace("h0.01", "").replace('M', "L");
    let point = |pair: &str| pair.split_once(' ').map(|(x, y)| (x.parse().expect("x"), y.parse().expect("y"))).expect("a pair");
    text.split('L').filter(|pair| !pair.is_empty()).map(point).collect()
}

/// Where the tick with a text stands.
fn tick_of(picture: &str, text: &str, anchor: &str) -> (f64, f64) {
    let row = picture
        .lines()
        .find(|row| row.contains(&format!("text-anchor=\"{anchor}\"")) && row.ends_with(&format!(">{text}</text>")))
        .unwrap_or_else(|| panic!("no tick {text}"));
    let part = |key: &str| {
        row.split(&format!(" {key}=\"")).nth(1).and_then(|rest| rest.split('"').next()).expect("a place").parse().expect("a number")
    };
    (part("x"), part("y"))
}

#[test]
fn a_curve_passes_where_the_ticks_say() {
    let plot = Plot {
        title: "A line".into(),
        x: Axis::new("time", "s"),
        y: Axis::new("angle", "deg"),
        series: vec![line("a", &[0.0, 1.0, 2.0], &[0.0, 10.0, -20.0]), line("b", &[0.0, 2.0], &[5.0, 5.0])],
    };
    let picture = svg(&plot);
    let points = path_of(&picture, COLOURS[0]);
    // Ticks are texts, 4.5 px above their base line; curves are written to 0.01 px and ticks to 0.1 px.
    assert!((points[1].0 - tick_of(&picture, "1.0", "middle").0).abs() < 0.06, "{points:?}");
    assert!((points[1].1 - (tick_of(&picture, "10", "end").1 - 4.5)).abs() < 0.06, "{points:?}");
    assert!((points[2].1 - (tick_of(&picture, "\u{2212}20", "end").1 - 4.5)).abs() < 0.06, "{points:?}");
    assert!(picture.contains(">time / s<") && picture.contains(">angle / deg<") && picture.contains(">A line<") && picture.contains(">b<"));
    assert_eq!(picture, svg(&plot));
}

#[test]
fn gaps_names_and_empty_plots_make_sound_pictures() {
    let gap = line("<&>", &[0.0, 1.0, 2.0, 3.0], &[1.0, f64::NAN, 2.0, 3.0]);
    let picture = svg(&Plot { series: vec![gap], ..Plot::default() });
    let curve = picture.lines().find(|row| row.contains("fill=\"none\"")).expect("a curve");
    assert_eq!((curve.matches('M').count(), curve.matches('L').count()), (2, 1));
    assert!(picture.contains("&lt;&amp;&gt;") && !picture.contains("NaN"));
    let empty = svg(&Plot::default());
    assert!(empty.ends_with("</svg>\n") && !empty.contains("NaN") && !empty.contains("inf"));
    let log = Plot {
        x: Axis { log: true, ..Axis::new("step", "s") },
        series: vec![line("e", &[1e-4, 0.0, 1e-1], &[1.0, 2.0, 3.0])],
        ..Plot::default()
    };
    assert_eq!(path_of(&svg(&log), COLOURS[0]).len(), 2);
}

#[test]
fn columns_become_one_panel_per_unit_with_angles_in_degrees() {
    let columns = ["rad", "N", "rad"].iter().enumerate().map(|(k, unit)| Column::new(format!("coord.c{k}.value"), *unit)).collect();
    let mut table = Trajectory::new(columns).expect("columns");
    table.push_row(&[0.0, 0.0, 5.0, std::f64::consts::PI]).expect("a row");
    let plots = Plot::of_columns(&table, &["coord.c0.value", "coord.c1.value", "coord.c2.value"]).expect("plots");
    assert_eq!(plots.iter().map(|plot| (plot.y.unit.as_str(), plot.series.len())).collect::<Vec<_>>(), [("deg", 2), ("N", 1)]);
    assert_eq!(plots[0].series[1].y, [180.0]);
    assert_eq!(Plot::of_columns(&table, &["coord.c2.value", "coord.*"]).expect("plots")[0].series[0].label, "coord.c2.value");
    let fault = Plot::of_columns(&table, &["coord.c9.value"]).expect_err("no such column");
    assert_eq!(fault.nearest.as_deref(), Some("coord.c0.value"));
    assert!(panels(&plots).contains(">coord.c1.value<"));
}

#[test]
fn a_strip_shows_every_instant_at_its_scale() {
    let (gait, top) = (system("ballistic-gait"), system("top"));
    for (system, end, count) in [(&gait, 0.6, 7), (&top, 8.0, 5)] {
        let (figure, table) = (Figure::of(system), motion(system, end, 121));
        let strip = Strip { title: &system.name, figure: &figure, trajectory: &table, times: &[], count, superposed: false };
        let picture = figure_strip(&strip);
        assert_eq!(picture.matches(" s</text>").count(), count);
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
        assert_eq!(picture, figure_strip(&strip));
        if let Some(folder) = std::env::var_os("BORELLI_PAGES") {
            std::fs::write(std::path::Path::new(&folder).join(format!("{}.svg", system.name)), &picture).expect("a file");
        }
    }
    // Two paths, and four thin lines that carry their ends.
    let pendulum = system("actuator-pendulum");
    let (figure, table) = (Figure::of(&pendulum), motion(&pendulum, 1.0, 21));
    let picture = figure_strip(&Strip { title: "", figure: &figure, trajectory: &table, times: &[0.0, 1.0], count: 0, superposed: false });
    let thin = picture.lines().filter(|row| row.starts_with("<path") && row.ends_with("stroke-width=\"1.5\"/>"));
    assert_eq!(thin.count(), 2 * (2 + 4));
    // The stance leg is 0.898 m long in every picture: compare it with the scale bar.
    let (figure, table) = (Figure::of(&gait), motion(&gait, 0.6, 121));
    let picture =
        figure_strip(&Strip { title: "", figure: &figure, trajectory: &table, times: &[0.0, 0.19, 0.4, 0.6], count: 0, superposed: false });
    assert!([">0 s<", ">0.19 s<", ">0.4 s<", ">0.6 s<"].iter().all(|time| picture.contains(time)));
    let numbers = |row: &str, keys: [&str; 2]| {
        keys.map(|key| {
            row.split(&format!(" {key}=\"")).nth(1).and_then(|r| r.split('"').next()).expect("it").parse::<f64>().expect("a number")
        })
    };
    let bar = picture.lines().rev().find(|row| row.starts_with("<line")).expect("a bar");
    let [x1, x2] = numbers(bar, ["x1", "x2"]);
    let metres: f64 = picture
        .lines()
        .rev()
        .find(|row| row.ends_with(" m</text>"))
        .and_then(|row| row.split('>').nth(1))
        .expect("its text")
        .trim_end_matches(" m</text")
        .parse()
        .expect("a length");
    let thick = format!("stroke=\"{}\" stroke-width=\"6\"", COLOURS[0]);
    let legs: Vec<&str> = picture.lines().filter(|row| row.starts_with("<path") && row.contains(&thick)).collect();
    assert_eq!(legs.len(), 4);
    for leg in legs {
        let text = leg.split('"').nth(1).expect("a path").replace('M', "").replace('L', " ");
        let p: Vec<f64> = text.split(' ').map(|x| x.parse().expect("a number")).collect();
        let length = (p[2] - p[0]).hypot(p[3] - p[1]) * metres / (x2 - x1);
        // The bar is written to 0.1 px of some 70, the leg to 0.01 px.
        assert!((length - 0.898).abs() < 3e-3, "{length}");
    }
}

#[test]
fn a_motion_without_poses_says_so() {
    let mut table = Trajectory::new(vec![Column::new("coord.a.value", "rad")]).expect("columns");
    let figure = Figure::of(&system("pendulum"));
    let draw = |table: &Trajectory| {
        figure_strip(&Strip { title: "x", figure: &figure, trajectory: table, times: &[], count: 3, superposed: false })
    };
    assert!(draw(&table).contains("nothing to draw"));
    table.push_row(&[0.0, 1.0]).expect("a row");
    assert!(draw(&table).contains("nothing to draw"));
}

#[test]
fn figures_with_surfaces_stand_on_their_ground_side_by_side_or_superposed() {
    let foot = parsed(SPATIAL_FOOT);
    let (figure, table) = (Figure::of(&foot), motion(&foot, 0.5, 501));
    let times = times_every(0.1196, table.time());
    assert_eq!(times.len(), 5);
    assert!((times[4] - 0.4784).abs() < 1e-15);
    let heights = |text: &str| -> Vec<f64> {
        let pairs = text.trim_end_matches('Z').split(['M', 'L']).filter(|pair| !pair.is_empty());
        pairs.map(|pair| pair.split_once(' ').expect("a pair").1.parse().expect("a number")).collect()
    };
    for superposed in [false, true] {
        let strip = Strip { title: "foot", figure: &figure, trajectory: &table, times: &times, count: 0, superposed };
        let picture = figure_strip(&strip);
        if let Some(folder) = std::env::var_os("BORELLI_PAGES") {
            std::fs::write(std::path::Path::new(&folder).join(format!("strip-{superposed}.svg")), &picture).expect("a file");
        }
        // Five bounded surfaces at each time; the foot ends on the floor, whose line they reach to within their depth.
        let outlines: Vec<&str> = picture.lines().filter(|row| row.contains("Z\" fill")).collect();
        assert_eq!(outlines.len(), 25);
        let hatched = picture.lines().find(|row| row.starts_with("<path") && row.contains(SOFT)).expect("a hatched floor");
        let floor = heights(hatched.split('"').nth(1).expect("strokes"))[0];
        let lowest = outlines[20..].iter().flat_map(|row| heights(row.split('"').nth(1).expect("a path"))).fold(0.0, f64::max);
        assert!((lowest - floor).abs() < 6.0, "{lowest} {floor}");
        // The samples nearest to the times are 1 ms apart.
        let told = if superposed {
            vec![">0, 0.12, 0.239, 0.359, 0.478 s<"]
        } else {
            vec![">0 s<", ">0.12 s<", ">0.239 s<", ">0.359 s<", ">0.478 s<"]
        };
        assert!(told.iter().all(|time| picture.contains(time)), "{picture}");
        assert_eq!(picture.matches("<g opacity").count(), if superposed { 5 } else { 0 });
    }
}
