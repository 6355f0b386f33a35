//! The script that both stages share, run by node where it is installed: poses, arrows and framing against numbers that are known otherwise.

use super::{data_of, report};
use crate::figure::Figure;
use crate::recorded::{SPATIAL_FOOT, motion, parsed, system};
use crate::report::{SCENE, data, html};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// What the script prints on a page's data, line by line; nothing where node is not installed.
fn asked(page: &str, question: &str) -> Option<Vec<Vec<f64>>> {
    if !Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success()) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: the page's poses and arrows were not compared; node is not installed");
        return None;
    }
    let json = page.split_once("id=\"data\">").expect("the data").1.split_once("</script>").expect("its end").0;
    let script = format!(
        "{}\nconst data = borelliScene.decode(JSON.parse(require(\"fs\").readFileSync(0, \"utf8\")));\n\
         const say = (...list) => console.log(list.flat(3).join(\" \"));\n{question}",
        SCENE
    );
    let mut node = Command::new("node")
        .arg("-e")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("node");
    node.stdin.take().expect("its input").write_all(json.as_bytes()).expect("written");
    let output = node.wait_with_output().expect("node runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(told.lines().map(|row| row.split(' ').map(|x| x.parse().expect("a number")).collect()).collect())
}

#[test]
fn poses_of_the_script_are_those_of_the_figure() {
    for (name, end) in [("ballistic-gait", 0.6), ("human3d", 0.3), ("top", 2.0)] {
        let system = system(name);
        let (figure, table) = (Figure::of(&system), motion(&system, end, 101));
        let page = html(&report(name, figure.clone(), &table));
        let question = "for (const k of [0, 50, 100]) data.figures[0].bodies.forEach((body, b) => b && say(borelliScene.place(borelliScene.pose(data, 0, b, k), [0.1, -0.2, 0.05])));\n\
                        for (const k of [0, 50, 100]) say(borelliScene.centre(data, 0, k));";
        let Some(told) = asked(&page, question) else { return };
        let samples = [0, 50, 100];
        let places = samples.iter().flat_map(|k| (1..figure.bodies.len()).map(move |b| (b, *k)));
        let known: Vec<[f64; 3]> = places.map(|(b, k)| figure.pose(b, &table, k).expect("a pose").place([0.1, -0.2, 0.05])).collect();
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-12);
        assert!(told.iter().zip(&known).all(|(a, b)| near(a, b)), "{name}");
        for (row, k) in told[known.len()..].iter().zip(samples) {
            let column = |axis: &str| table.column(&format!("system.center.{axis}")).map(|values| values[k]);
            let Some((x, y)) = column("x").zip(column("y")) else { continue };
            assert!((row[0] - x).abs() < 1e-9 && (row[1] - y).abs() < 1e-9, "{name}: the mass centre");
        }
    }
}

#[test]
fn arrows_have_the_length_of_their_force_and_a_blow_does_not_set_the_scale() {
    let system = parsed(SPATIAL_FOOT);
    let table = motion(&system, 0.5, 301);
    let page = html(&report("foot", Figure::of(&system), &table));
    // A made-up list: ninety-nine forces of 100 N and one of 5 kN; H is 2 m.
    let question = "const made = [{ at: () => [0, 0, 0], of: (k) => [0, k === 7 ? 5000 : 100, 0] }];\n\
                    const scale = borelliScene.forceScale(made, 2, 100);\n\
                    say(scale.f95, scale.metresPerNewton, scale.longest, scale.legendNewtons);\n\
                    say(borelliScene.arrow(scale, made[0], 0).to, Number(borelliScene.arrow(scale, made[0], 0).cut));\n\
                    say(borelliScene.arrow(scale, made[0], 7).to, Number(borelliScene.arrow(scale, made[0], 7).cut));\n\
                    const own = borelliScene.forces(data, 0);\n\
                    for (const force of own) say(force.of(200), force.at(200));";
    let Some(told) = asked(&page, question) else { return };
    let known: [&[f64]; 3] = [&[100.0, 0.009, 1.8, 50.0], &[0.0, 0.9, 0.0, 0.0], &[0.0, 1.8, 0.0, 1.0]];
    for (row, known) in told.iter().zip(known) {
        assert!(row.iter().zip(known).all(|(a, b)| (a - b).abs() < 1e-12), "{row:?} {known:?}");
    }
    // Those of the page are the forces of its pairs, as they act on the body that is not the world.
    let contacts = data_of(&page)["cases"][0]["contacts"].list().len();
    assert_eq!(told.len() - 3, contacts);
    let figure = Figure::of(&system);
    for (k, row) in told[3..].iter().enumerate() {
        let found = crate::figure::PairColumns::find(&figure, k, &table).expect("columns").at(200);
        let first = figure.surfaces[figure.pairs[k].first].spot.body;
        let sign = if first == 0 { -1.0 } else { 1.0 };
        let Some(found) = found.filter(|found| found.force.norm() > 0.0) else { continue };
        assert!(row[..3].iter().zip(found.force.to_array()).all(|(a, b)| (a - sign * b).abs() < 1e-9), "{row:?}");
        assert!(row[3..].iter().zip(found.point.to_array()).all(|(a, b)| (a - b).abs() < 1e-9), "{row:?}");
    }
}

#[test]
fn the_framed_box_holds_every_place_of_the_figure_and_its_edge_is_the_height() {
    let system = system("human3d");
    let (figure, table) = (Figure::of(&system), motion(&system, 0.3, 61));
    let page = html(&report("person", figure.clone(), &table));
    let question = "const all = borelliScene.box(data, 0, 61); say(all.low, all.high, all.travel);\n\
                    const first = borelliScene.box(data, 0, [0], { arrows: false }); say(first.low, first.high);\n\
                    say(data.figures[0].height);";
    let Some(told) = asked(&page, question) else { return };
    let (low, high) = (&told[0][..3], &told[0][3..6]);
    for k in 0..table.len() {
        for (b, body) in figure.bodies.iter().enumerate().skip(1) {
            let at = figure.pose(b, &table, k).expect("a pose").place(body.center);
            assert!((0..3).all(|i| low[i] <= at[i] && at[i] <= high[i]), "{} at sample {k}", body.name);
        }
    }
    let edge = (0..3).map(|i| told[1][3 + i] - told[1][i]).fold(0.0, f64::max);
    assert!((edge - told[2][0]).abs() < 1e-6, "{edge} {}", told[2][0]);
    assert!((told[2][0] - data::height_of(&figure, &report("person", figure.clone(), &table).cases)).abs() < 1e-12);
}
