//! Pictures against what they were made from: places of curves, units, escaped names, the same text twice.

use super::*;
use crate::figure::{Courses, Figure, Solid};
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
        let strip = Strip {
            title: &system.name,
            figure: &figure,
            trajectory: &table,
            courses: &Courses::default(),
            times: &[],
            count,
            superposed: false,
        };
        let picture = figure_strip(&strip);
        assert_eq!(picture.matches(" s</text>").count(), count);
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
        assert_eq!(picture, figure_strip(&strip));
        if let Some(folder) = std::env::var_os("BORELLI_PAGES") {
            std::fs::write(std::path::Path::new(&folder).join(format!("{}.svg", system.name)), &picture).expect("a file");
        }
    }
    // Two paths at each of two times, in front of the pegs that carry their ends.
    let pendulum = system("actuator-pendulum");
    let (figure, table) = (Figure::of(&pendulum), motion(&pendulum, 1.0, 21));
    let picture = figure_strip(&Strip {
        title: "",
        figure: &figure,
        trajectory: &table,
        courses: &Courses::default(),
        times: &[0.0, 1.0],
        count: 0,
        superposed: false,
    });
    assert_eq!(picture.matches("<path class=\"pull\"").count(), 2 * 2);
    assert_eq!(picture.matches("<path class=\"body").count(), 2 * (2 + 4));
    // The stance leg is 0.898 m long between the middles of its round ends in every picture: compare it with the scale bar.
    let (figure, table) = (Figure::of(&gait), motion(&gait, 0.6, 121));
    let picture = figure_strip(&Strip {
        title: "",
        figure: &figure,
        trajectory: &table,
        courses: &Courses::default(),
        times: &[0.0, 0.19, 0.4, 0.6],
        count: 0,
        superposed: false,
    });
    assert!([">0 s<", ">0.19 s<", ">0.4 s<", ">0.6 s<"].iter().all(|time| picture.contains(time)));
    let [Solid::Cone(leg)] = figure.bodies[1].solids[..] else { panic!("{:?}", figure.bodies[1].solids) };
    let legs: Vec<&str> = picture.lines().filter(|row| row.starts_with("<path class=\"body0\"")).collect();
    assert_eq!(legs.len(), 4);
    for row in legs {
        let points = points_of(row);
        let farthest = points.iter().flat_map(|p| points.iter().map(move |q| (p[0] - q[0]).hypot(p[1] - q[1]))).fold(0.0, f64::max);
        // Written to 0.1 px of some 300; the bar to 0.1 px of some 70.
        assert!((farthest / pixels_per_metre(&picture) - (0.898 + leg.ra + leg.rb)).abs() < 5e-3, "{farthest}");
    }
}

/// Corners of a path.
fn points_of(row: &str) -> Vec<[f64; 2]> {
    let d = row.split(" d=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a path");
    let numbers: Vec<f64> = d.trim_matches(['M', 'Z']).split(' ').map(|x| x.parse().expect("a number")).collect();
    numbers.chunks(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// The scale of a picture by its bar, which is the last line.
fn pixels_per_metre(picture: &str) -> f64 {
    let part = |row: &str, key: &str| -> f64 {
        row.split(&format!(" {key}=\"")).nth(1).and_then(|rest| rest.split('"').next()).expect("it").parse().expect("a number")
    };
    let bar = picture.lines().rev().find(|row| row.starts_with("<line")).expect("a bar");
    let text = picture.lines().rev().find(|row| row.ends_with(" m</text>")).and_then(|row| row.split('>').nth(1)).expect("its text");
    (part(bar, "x2") - part(bar, "x1")) / text.trim_end_matches(" m</text").parse::<f64>().expect("a length")
}

#[test]
fn a_motion_without_poses_says_so() {
    let mut table = Trajectory::new(vec![Column::new("coord.a.value", "rad")]).expect("columns");
    let figure = Figure::of(&system("pendulum"));
    let draw = |table: &Trajectory| {
        figure_strip(&Strip {
            title: "x",
            figure: &figure,
            trajectory: table,
            courses: &Courses::default(),
            times: &[],
            count: 3,
            superposed: false,
        })
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
    for superposed in [false, true] {
        let strip =
            Strip { title: "foot", figure: &figure, trajectory: &table, courses: &Courses::default(), times: &times, count: 0, superposed };
        let picture = figure_strip(&strip);
        if let Some(folder) = std::env::var_os("BORELLI_PAGES") {
            std::fs::write(std::path::Path::new(&folder).join(format!("strip-{superposed}.svg")), &picture).expect("a file");
        }
        // Four bounded surfaces of the foot at each time, or at the last in full colours; the ball is its surface. The foot ends on the floor, whose
        // hatched line they reach to within their depth.
        let outlines: Vec<&str> = picture.lines().filter(|row| row.starts_with("<path class=\"surface\"")).collect();
        assert_eq!(outlines.len(), if superposed { 4 } else { 20 });
        let hatched = picture.lines().find(|row| row.starts_with("<path d=") && row.contains(SOFT)).expect("a hatched floor");
        let floor: f64 = hatched.split(['M', 'L', ' ']).nth(3).expect("a height").parse().expect("a number");
        let lowest = outlines[outlines.len() - 4..].iter().flat_map(|row| points_of(row)).map(|p| p[1]).fold(0.0, f64::max);
        assert!((lowest - floor).abs() < 6.0, "{lowest} {floor}");
        // The samples nearest to the times are 1 ms apart.
        let told = if superposed {
            vec![">0, 0.12, 0.239, 0.359, 0.478 s<"]
        } else {
            vec![">0 s<", ">0.12 s<", ">0.239 s<", ">0.359 s<", ">0.478 s<"]
        };
        assert!(told.iter().all(|time| picture.contains(time)), "{picture}");
    }
}

#[test]
fn a_still_shows_every_pose_and_follows_the_page() {
    let run = |name: &str, end: f64| {
        let system = system(name);
        (Figure::of(&system), motion(&system, end, 121))
    };
    for (name, end) in
        [("human3d", 0.6), ("walker7-contact", 0.5), ("ballistic-gait", 0.6), ("andrews", 0.02), ("top", 4.0), ("foot-13dof", 0.3)]
    {
        let (figure, table) = run(name, end);
        let samples = spread(&table, 7);
        assert_eq!(samples, [0, 20, 40, 60, 80, 100, 120]);
        for main in [None, Some(60)] {
            let picture =
                still(&figure, &table, &samples, &Still { id: "a-", courses: &Courses::default(), main, width: 900.0, height: 420.0 });
            assert_eq!(
                picture,
                still(&figure, &table, &samples, &Still { id: "a-", courses: &Courses::default(), main, width: 900.0, height: 420.0 })
            );
            let solids: usize = figure.bodies.iter().map(|body| body.solids.len()).sum();
            let full = picture.lines().filter(|row| row.starts_with("<path class=") && row.contains("fill=\"url(#a-")).count();
            let pale = picture.matches("<path class=\"a-ghost-").count();
            assert!(full + pale == 7 * solids && (full == solids || full == 7 * solids), "{name} {full} {pale} {solids}");
            assert!(!picture.contains("NaN") && !picture.contains("inf") && picture.contains("var(--text,#1b1f24)"), "{name}");
            // All that is flesh is inside.
            let outlines = picture.lines().filter(|row| row.starts_with("<path class=") && !row.contains("force"));
            let inside = |p: &[f64; 2]| p[0] > 0.0 && p[0] < 900.0 && p[1] > 0.0 && p[1] < 420.0;
            assert!(outlines.flat_map(points_of).all(|p| inside(&p)), "{name}");
            if let Some(folder) = std::env::var_os("BORELLI_PAGES") {
                let file = std::path::Path::new(&folder).join(format!("still-{name}-{}.html", main.is_some()));
                std::fs::write(file, format!("<body style=\"margin:0;background:#f7f9fb\">{picture}</body>")).expect("a file");
            }
        }
    }
    let (figure, _) = run("pendulum", 0.1);
    assert_eq!(
        still(
            &figure,
            &Trajectory::new(Vec::new()).expect("a table"),
            &[],
            &Still { id: "", courses: &Courses::default(), main: None, width: 9.0, height: 9.0 }
        ),
        ""
    );
}

#[test]
fn one_who_travels_stands_where_he_was_pale_but_for_one_pose() {
    let mut person = system("human3d");
    // Along X and up, so that he is seen in the air.
    (person.start.v[0], person.start.v[1]) = (5.0, 3.0);
    let (figure, table) = (Figure::of(&person), motion(&person, 0.6, 121));
    let samples = spread(&table, 7);
    let picture =
        still(&figure, &table, &samples, &Still { id: "b", courses: &Courses::default(), main: Some(60), width: 900.0, height: 420.0 });
    let solids: usize = figure.bodies.iter().map(|body| body.solids.len()).sum();
    assert_eq!(picture.matches("<path class=\"bghost-").count(), 6 * solids);
    assert!(picture.contains("t = 0.3 s") && picture.contains("color-mix(in srgb,var(--neither,#c9cdd3) 30%,var(--stage,#f7f9fb))"));
    // The pale ones first, then the one; every pose farther to the right than the one before.
    let tops: Vec<f64> = (picture.lines().filter(|row| row.contains("ghost-neither\"")))
        .map(|row| points_of(row)[0][0])
        .collect::<Vec<f64>>()
        .chunks(figure.bodies.iter().filter(|body| body.side.is_none()).map(|body| body.solids.len()).sum())
        .map(|chunk| chunk[0])
        .collect();
    assert!(tops.len() == 6 && tops.windows(2).all(|pair| pair[0] < pair[1]), "{tops:?}");
    if let Some(folder) = std::env::var_os("BORELLI_PAGES") {
        for (name, style) in [
            ("light", "background:#f7f9fb"),
            ("dark", "background:#14181d;--stage:#14181d;--text:#e8eaed;--soft:#9aa4af;--grid:#343b44;--shadow:#0c0f13;--neither:#aeb4bc"),
        ] {
            let file = std::path::Path::new(&folder).join(format!("still-travel-{name}.html"));
            std::fs::write(file, format!("<body style=\"margin:0;{style}\">{picture}</body>")).expect("a file");
        }
    }
}

#[test]
fn a_person_is_red_on_the_left_blue_on_the_right_and_the_near_leg_hides_the_far_one() {
    let walker = system("walker7-contact");
    let (figure, table) = (Figure::of(&walker), motion(&walker, 0.1, 5));
    let picture = figure_strip(&Strip {
        title: "",
        figure: &figure,
        trajectory: &table,
        courses: &Courses::default(),
        times: &[0.0],
        count: 0,
        superposed: false,
    });
    let order: Vec<&str> =
        (picture.lines().filter(|row| row.contains("fill=\"url(#"))).map(|row| row.split('"').nth(1).expect("a class")).collect();
    // From far to near: the left leg, the neck behind trunk and head, the right leg.
    assert_eq!(order, ["left", "left", "left", "neither", "neither", "neither", "right", "right", "right"]);
    assert!(picture.contains(">left<") && picture.contains(">right<"));
}

#[test]
fn an_impact_does_not_set_the_scale_of_forces_and_long_arrows_are_cut() {
    let walker = system("walker7-contact");
    let (figure, table) = (Figure::of(&walker), motion(&walker, 0.5, 501));
    let sizes: Vec<f64> = (0..figure.pairs.len())
        .filter_map(|pair| crate::figure::PairColumns::find(&figure, pair, &table))
        .flat_map(|pair| (0..table.len()).filter_map(move |k| pair.at(k)).map(|found| found.force.norm()).collect::<Vec<_>>())
        .collect();
    let most = sizes.iter().copied().fold(0.0, f64::max);
    let mut shown: Vec<f64> = sizes.into_iter().filter(|size| *size > 0.01 * most).collect();
    shown.sort_by(f64::total_cmp);
    let usual = shown[shown.len() * 95 / 100];
    assert!(most > 2.0 * usual, "{most} {usual}");
    let height = figure.height(&table, 0).expect("a height");
    let forces = paint::force::Forces::of(&figure, &table, height);
    assert!((forces.scale * usual / (0.45 * height) - 1.0).abs() < 1e-12);
    let view = paint::view::View::side(&figure);
    let arrows: Vec<_> = (0..table.len()).flat_map(|k| forces.arrows(k, &view)).collect();
    let length = |arrow: &paint::force::Arrow| (arrow.to[0] - arrow.from[0]).hypot(arrow.to[1] - arrow.from[1]);
    let longest = arrows.iter().map(length).fold(0.0, f64::max);
    assert!((longest / (0.9 * height) - 1.0).abs() < 1e-12);
    assert!(arrows.iter().all(|arrow| arrow.cut == (length(arrow) > 0.899999 * height)));
}

#[test]
fn a_silhouette_reaches_as_far_as_its_solid_on_all_sides() {
    use borelli_math::{Vec3, rotation_vector, vec3};
    let mut random = borelli_testkit::Random::new(11);
    for name in ["human3d", "walker7-contact", "andrews", "foot-13dof"] {
        let figure = Figure::of(&system(name));
        for solid in figure.bodies.iter().flat_map(|body| &body.solids) {
            for _ in 0..20 {
                let [p, turn, axis] = [0, 1, 2].map(|_| Vec3::from_array(random.direction()));
                let pose = crate::figure::Pose { p, R: rotation_vector(turn.scale(2.0)) };
                let [u, v] = {
                    let u = axis.cross(vec3(0.3, -0.5, 0.8));
                    let u = u.scale(1.0 / u.norm());
                    [u, axis.cross(u)]
                };
                let seen = paint::silhouette::silhouette(solid, &pose, &paint::view::View::along_axes(u, v, axis));
                let still = crate::figure::Pose { p: Vec3::ZERO, R: pose.R };
                let size = {
                    let [low, high] = solid.bounds(&still);
                    [0, 1, 2].map(|k| high[k] - low[k]).into_iter().fold(0.0, f64::max)
                };
                for k in 0..16 {
                    let (sine, cosine) = (k as f64 * std::f64::consts::TAU / 16.0).sin_cos();
                    let n = u.scale(cosine) + v.scale(sine);
                    let far = p.dot(n) + solid.reach(pose.R.transpose_mul(n));
                    let drawn = seen.outline.iter().map(|q| q[0] * cosine + q[1] * sine).fold(f64::NEG_INFINITY, f64::max);
                    // Corners stand on the outline; between them, chords cut off a little.
                    assert!(drawn < far + 1e-9 && drawn > far - 0.012 * size, "{name} {solid:?} {far} {drawn}");
                }
            }
        }
    }
}

#[test]
fn no_two_curves_of_a_panel_look_the_same() {
    for count in [1, 8, 9, 16, 17, 40] {
        let series = |k: usize| Series { label: format!("curve-{k}"), x: vec![0.0, 1.0], y: vec![k as f64, k as f64 + 1.0], marks: false };
        let plot = Plot { title: "many".into(), series: (0..count).map(series).collect(), ..Plot::default() };
        let parts = legible(&plot);
        assert_eq!(parts.iter().flat_map(|part| &part.series).cloned().collect::<Vec<_>>(), plot.series);
        assert!(parts.len() == 1 || parts[0].title == format!("many part 1 of {}", parts.len()));
        for part in &parts {
            // The strokes in the legend, as written.
            let picture = svg(part);
            let pens: Vec<&str> = picture
                .lines()
                .filter(|line| line.contains("h24\""))
                .map(|line| &line[line.find("stroke=").expect("a stroke")..])
                .collect();
            let mut different = pens.clone();
            different.sort_unstable();
            different.dedup();
            assert_eq!((pens.len(), different.len()), (part.series.len(), part.series.len()), "{count}");
        }
    }
}
