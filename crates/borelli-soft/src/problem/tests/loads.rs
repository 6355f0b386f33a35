//! Supports and loads on a block against closed forms, and what goes wrong.

use super::{Held, block, body, boundary, material};
use crate::definition::{Definition, Load, LoadKind, Support};
use crate::mesh::Shape;
use crate::problem::{Problem, SetupFault};

/// A block on a sliding floor and against a sliding wall.
fn pressed(shape: Shape, law: &str, kind: LoadKind) -> (Problem, Held) {
    let mut definition = Definition { carriers: vec!["world".into()], ..Definition::default() };
    definition.bodies.push(body(block([0.04, 0.02], [3, 2], shape), material(law, 1e6, 0.3), 0.01));
    for (name, held) in [("bottom", [false, true]), ("left", [true, false])] {
        definition.supports.push(Support { name: name.into(), of: boundary(&definition, name), held });
    }
    definition.loads.push(Load { name: "push".into(), of: boundary(&definition, "top"), kind });
    let problem = Problem::new(definition, &[[0.0; 3]]).unwrap();
    let held = Held::new(&problem, &[[0.0; 3]]);
    (problem, held)
}

#[test]
fn linear_block_under_pressure_has_the_closed_form() {
    for shape in [Shape::T3, Shape::Q4, Shape::T6, Shape::Q8] {
        for (kind, load) in [(LoadKind::Traction, [0.0, -1e3]), (LoadKind::Pressure, [1e3, 0.0])] {
            let (mut problem, mut held) = pressed(shape, "linear", kind);
            held.load[0] = load;
            held.solve(&mut problem, &mut |_| Vec::new()).unwrap();
            // Plane strain: ε_y = −p (1 − ν²)/E, ε_x = p ν (1 + ν)/E. A pressure follows the wider top: p (1 + ε_x) on the first area.
            let stretch = if kind == LoadKind::Pressure { 1.0 / (1.0 - 1e3 * 0.3 * 1.3 / 1e6) } else { 1.0 };
            let (ex, ey) = (stretch * 1e3 * 0.3 * 1.3 / 1e6, -stretch * 1e3 * (1.0 - 0.09) / 1e6);
            for (point, x) in problem.definition.bodies[0].mesh.points.iter().zip(held.x.chunks_exact(2)) {
                assert!((x[0] - point[0] * (1.0 + ex)).abs() < 1e-13, "{shape:?} {kind:?}: {x:?} from {point:?}");
                assert!((x[1] - point[1] * (1.0 + ey)).abs() < 1e-13, "{shape:?} {kind:?}: {x:?} from {point:?}");
            }
            let up = problem.support_force(0);
            assert!((up[1] - stretch * 1e3 * 0.04 * 0.01).abs() < 1e-10, "{up:?}");
        }
    }
}

#[test]
fn given_displacements_are_met_and_their_force_is_a_slope_of_the_energy() {
    for law in ["robust", "kirchhoff", "neo-hookean"] {
        let at = |down: f64| {
            let (mut problem, _) = pressed(Shape::Q4, law, LoadKind::Traction);
            let mut definition = problem.definition().clone();
            definition.supports.push(Support { name: "lid".into(), of: boundary(&definition, "top"), held: [false, true] });
            problem = Problem::new(definition, &[[0.0; 3]]).unwrap();
            let mut held = Held::new(&problem, &[[0.0; 3]]);
            held.displacement[2] = [0.0, -down];
            held.solve(&mut problem, &mut |_| Vec::new()).unwrap();
            (problem.energy(&held.x), problem.support_force(2)[1])
        };
        let (h, down) = (1e-6, 2e-3);
        let slope = (at(down + h).0 - at(down - h).0) / (2.0 * h);
        let force = at(down).1;
        assert!((slope + force).abs() < 1e-7 * force.abs(), "{law}: {slope} and {force}");
    }
}

#[test]
fn weight_is_carried_by_the_floor() {
    let (problem, _) = pressed(Shape::Q4, "linear", LoadKind::Traction);
    let mut definition = problem.definition().clone();
    definition.bodies[0].density = vec![1000.0];
    let mut problem = Problem::new(definition, &[[0.0; 3]]).unwrap();
    let mut held = Held::new(&problem, &[[0.0; 3]]);
    held.gravity = [0.0, -9.81];
    held.solve(&mut problem, &mut |_| Vec::new()).unwrap();
    let weight = 1000.0 * 0.04 * 0.02 * 0.01 * 9.81;
    assert!((problem.support_force(0)[1] - weight).abs() < 1e-12, "{:?}", problem.support_force(0));
}

#[test]
fn a_block_that_nothing_holds_is_refused_and_one_that_slides_is_named() {
    let mut definition = Definition { carriers: vec!["world".into()], ..Definition::default() };
    definition.bodies.push(body(block([0.04, 0.02], [3, 2], Shape::Q4), material("robust", 1e6, 0.3), 0.01));
    assert!(matches!(Problem::new(definition.clone(), &[[0.0; 3]]), Err(SetupFault::Loose { .. })));
    definition.supports.push(Support { name: "floor".into(), of: boundary(&definition, "bottom"), held: [false, true] });
    let mut problem = Problem::new(definition, &[[0.0; 3]]).unwrap();
    let mut held = Held::new(&problem, &[[0.0; 3]]);
    let fault = held.solve(&mut problem, &mut |_| Vec::new()).unwrap_err();
    assert!(fault.to_string().contains("moves without resistance"), "{fault}");
    assert_eq!(fault.element(), "soft.part");
}
