//! Pages of models with surfaces: what they hold of them, and their script's support points against those of the shapes.

use super::{data_of, keep, report};
use crate::figure::{Figure, PairColumns};
use crate::recorded::{PLANAR_FOOT, SPATIAL_FOOT, motion, parsed};
use crate::report::html;
use borelli_contact::shape::{Shape, Surface as _};
use borelli_math::Vec3;
use borelli_testkit::Random;
use std::io::Write as _;
use std::process::Command;

#[test]
fn surfaces_pairs_and_forces_in_the_page_are_those_of_the_figure() {
    for (text, name, end) in [(PLANAR_FOOT, "planar-foot", 0.6), (SPATIAL_FOOT, "spatial-foot", 0.5)] {
        let system = parsed(text);
        let (figure, table) = (Figure::of(&system), motion(&system, end, 301));
        let page = html(&report(&system.name, figure.clone(), &table));
        keep(name, &page);
        let data = data_of(&page);
        let (surfaces, pairs) = (data["figures"][0]["surfaces"].list(), data["figures"][0]["pairs"].list());
        assert_eq!((surfaces.len(), pairs.len()), (figure.surfaces.len(), figure.pairs.len()));
        for (shown, held) in surfaces.iter().zip(&figure.surfaces) {
            let kind = held.shape.kind();
            assert_eq!((shown["name"].text(), shown["kind"].text()), (held.name.as_str(), kind.name));
            assert_eq!(shown["parameters"].numbers(), held.shape.parameters()[..kind.parameters.len()]);
            // By rows, as the page turns vectors.
            let turned: Vec<f64> = shown["axes"].list().iter().map(|row| row.numbers()[1]).collect();
            assert_eq!(turned, held.R_BS.y.to_array());
            assert_eq!(shown["spot"].numbers(), [held.spot.body as f64, held.spot.at[0], held.spot.at[1], held.spot.at[2]]);
        }
        for (k, pair) in figure.pairs.iter().enumerate() {
            assert_eq!((pairs[k]["first"].number(), pairs[k]["second"].number()), (pair.first as f64, pair.second as f64));
            let (columns, shown) = (PairColumns::find(&figure, k, &table).expect("columns"), &data["cases"][0]["contacts"][k]);
            let [force, point] = ["force", "point"].map(|part| [0, 1, 2].map(|axis| shown[part][axis].numbers()));
            for sample in 0..table.len() {
                let held = columns.at(sample).expect("a force");
                if held.force.norm() == 0.0 {
                    assert!(force.iter().chain(&point).all(|list| list[sample].is_nan()), "an open pair has no force");
                } else {
                    assert_eq!(force.each_ref().map(|list| list[sample]), held.force.to_array());
                    assert_eq!(point.each_ref().map(|list| list[sample]), held.point.to_array());
                }
            }
        }
    }
}

#[test]
fn the_script_finds_the_support_points_of_the_shapes() {
    if !Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success()) {
        let _ = writeln!(std::io::stderr(), "SKIPPED: the page's support points were not compared; node is not installed");
        return;
    }
    let mut random = Random::new(11);
    let (mut asked, mut points) = (Vec::new(), Vec::new());
    for text in [PLANAR_FOOT, SPATIAL_FOOT] {
        let figure = Figure::of(&parsed(text));
        for surface in &figure.surfaces {
            let Shape::Smooth(smooth) = &surface.shape else { continue };
            for k in 0..50 {
                let mut n = random.direction();
                if figure.planar {
                    let length = n[0].hypot(n[1]);
                    n = [n[0] / length, n[1] / length, 0.0];
                } else if k < 3 {
                    n = [0.0; 3];
                    n[k] = -1.0;
                }
                let kind = smooth.kind();
                asked.push(format!("[{:?},{:?},{n:?}]", kind.name, &smooth.parameters()[..kind.parameters.len()]));
                points.push(smooth.support(Vec3::from_array(n)).point.to_array());
            }
        }
    }
    let scripts = concat!(include_str!("../page/geometry.js"), include_str!("../page/surfaces.js"));
    let ask = format!("console.log([{}].map(([kind, list, n]) => SUPPORTS[kind](list)(n).join(\" \")).join(\"\\n\"));", asked.join(","));
    let output = Command::new("node").arg("-e").arg(format!("{scripts}\n{ask}")).output().expect("node runs");
    let told = String::from_utf8_lossy(&output.stdout);
    let rows: Vec<Vec<f64>> = told.lines().map(|row| row.split(' ').map(|x| x.parse().expect("a number")).collect()).collect();
    assert_eq!(rows.len(), points.len(), "{}", String::from_utf8_lossy(&output.stderr));
    for ((row, point), question) in rows.iter().zip(&points).zip(&asked) {
        // Rounding of the powers; the shapes measure some 4 cm.
        assert!(row.iter().zip(point).all(|(a, b)| (a - b).abs() < 1e-15), "{question}: {row:?} {point:?}");
    }
}
