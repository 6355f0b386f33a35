//! Lines of pull as they are drawn, against the lengths that runs record.

use crate::figure::{Courses, Figure, Spot, TURN, ToneKind, distance, tones};
use crate::recorded::system;
use borelli_data::Trajectory;
use borelli_dynamics::System;
use borelli_study::plan::{Plan, Time};
use borelli_study::run::{Unwatched, run};

fn moved(system: &System, end: f64) -> Trajectory {
    let plan = Plan { time: Time { start: 0.0, end, sample: Some(end / 40.0) }, ..Plan::default() };
    run(system, &plan, None, &mut Unwatched).unwrap_or_else(|found| panic!("{:?}", found.iter().collect::<Vec<_>>())).trajectory
}

#[test]
fn a_drawn_line_is_as_long_as_its_path_but_for_the_chords_of_its_arcs() {
    // Chords of an angle δ are shorter than their arc by δ²/24 of it and less than δ⁴/1920 more; single precision adds some 1e-7 m.
    let (mut arcs, mut moving) = (0, 0);
    for (name, end) in [("strings-over-solids", 1.0), ("spring-over-cylinder", 0.8), ("knee-extensor", 0.8)] {
        let system = system(name);
        let table = moved(&system, end);
        let (figure, courses) = (Figure::of(&system), Courses::of(&system, &table));
        assert!(!courses.0.is_empty(), "{name}");
        for (index, path) in figure.paths.iter().enumerate() {
            let lengths = table.column(&format!("path.{}.length", path.name)).expect("a column");
            let on_wraps = |sample: usize| -> f64 {
                let own = |column: &&borelli_data::Column| {
                    column.name.starts_with(&format!("path.{}.", path.name)) && column.name.ends_with(".arc")
                };
                table.columns().iter().filter(own).map(|column| table.column(&column.name).expect("it")[sample]).sum()
            };
            for (sample, length) in lengths.iter().enumerate() {
                let place = |spot: &Spot| figure.pose(spot.body, &table, sample).expect("a pose").place(spot.at);
                let drawn: f64 =
                    courses.drawn(&figure, index, sample).windows(2).map(|ends| distance(place(&ends[0]), place(&ends[1]))).sum();
                let arc = on_wraps(sample);
                let short = length - drawn;
                assert!(
                    short > -2e-7 && short < arc * TURN * TURN / 24.0 * 1.001 + 2e-7,
                    "{name} {} {sample}: {short:e} of {arc}",
                    path.name
                );
                arcs += usize::from(arc > 0.0);
                moving += usize::from(arc == 0.0);
            }
        }
    }
    // Both kinds of instants were seen: strings that touch and strings that do not.
    assert!(arcs > 50 && moving > 20, "{arcs} {moving}");
}

#[test]
fn points_on_an_arc_lie_on_their_obstacle() {
    let system = system("spring-over-cylinder");
    let table = moved(&system, 0.8);
    let (figure, courses) = (Figure::of(&system), Courses::of(&system, &table));
    let [wrap] = &figure.wraps[..] else { panic!("one wrap") };
    let [crate::figure::Solid::Cone(rod)] = &wrap.solids[..] else { panic!("a cylinder is a rod") };
    let middle = [0, 1, 2].map(|k| 0.5 * (rod.a[k] + rod.b[k]));
    let mut seen = 0;
    for sample in 0..table.len() {
        let points = courses.points(0, sample).expect("a bent path");
        for spot in &points[1..points.len() - 1] {
            assert_eq!(spot.body, wrap.body);
            let away = (spot.at[0] - middle[0]).hypot(spot.at[1] - middle[1]);
            // Of an obstacle that is not touched all points lie where the line begins.
            let idle = distance(spot.at, points[0].at) < 1e-6;
            assert!(idle || (away - rod.ra).abs() < 1e-7, "{sample}: {away} {}", rod.ra);
            seen += usize::from(!idle);
        }
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn muscles_are_coloured_by_activation_ligaments_by_strain_and_cords_by_tension() {
    let elbow = system("elbow-muscles");
    let (figure, table) = (Figure::of(&elbow), moved(&elbow, 0.2));
    let found = tones(&figure, &table);
    let of = |name: &str| {
        let k = figure.paths.iter().position(|path| path.name == name).expect("a path");
        found[k].as_ref().expect("a tone")
    };
    assert_eq!((of("flexor").kind, of("flexor").column.as_str(), of("flexor").most), (ToneKind::Muscle, "muscle.flexor.activation", 1.0));
    assert_eq!((of("anterior").kind, of("anterior").column.as_str()), (ToneKind::Ligament, "ligament.anterior.strain"));
    assert!((of("flexor").part(&table, 0) - 0.33).abs() < 1e-12);
    // Slack ligaments have no colour.
    assert_eq!(of("anterior").part(&table, 0), 0.0);
    let cords = system("strings-over-solids");
    let (figure, table) = (Figure::of(&cords), moved(&cords, 1.0));
    let found = tones(&figure, &table);
    let parts = found.iter().flatten().flat_map(|tone| (0..table.len()).map(|k| tone.part(&table, k)));
    assert!(found.iter().flatten().all(|tone| tone.kind == ToneKind::Cord) && (parts.fold(0.0, f64::max) - 1.0).abs() < 1e-12);
}
