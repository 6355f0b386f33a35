//! Ties between soft bodies, and between a soft body and something rigid.

use super::{Held, block, body, boundary, material};
use crate::definition::{BoundaryIndex, Definition, Load, LoadKind, Method, Partner, Support, Tie};
use crate::mesh::Shape;
use crate::problem::{Problem, SetupFault};

/// Two blocks, one on the other, with as many cells along their common edge as given, pressed from above.
fn stack(along: [usize; 2], method: Method, stiffness: f64) -> Problem {
    let mut definition = Definition { carriers: vec!["world".into()], ..Definition::default() };
    for (k, cells) in along.into_iter().enumerate() {
        let mut part = body(block([0.04, 0.02], [cells, 2], Shape::Q4), material("linear", 1e6, 0.3), 0.01);
        part.placement = [0.0, 0.02 * k as f64, 0.0];
        definition.bodies.push(part);
    }
    let index = |body: usize, name: &str| BoundaryIndex { body, ..boundary(&definition, name) };
    let (floor, top, upper, lower) = (index(0, "bottom"), index(0, "top"), index(1, "top"), index(1, "bottom"));
    let wall = index(0, "left");
    definition.supports.push(Support { name: "floor".into(), of: floor, held: [false, true] });
    definition.supports.push(Support { name: "wall".into(), of: wall, held: [true, false] });
    definition.loads.push(Load { name: "push".into(), of: upper, kind: LoadKind::Traction });
    definition.ties.push(Tie { name: "seam".into(), of: lower, to: Partner::Boundary(top), method, stiffness });
    Problem::new(definition, &[[0.0; 3]]).unwrap()
}

#[test]
fn matching_blocks_tied_together_are_one_block() {
    for (method, stiffness) in [(Method::Augmented, 1e4), (Method::Lagrange, 0.0), (Method::Augmented, 1e7)] {
        let mut problem = stack([3, 3], method, stiffness);
        let mut held = Held::new(&problem, &[[0.0; 3]]);
        held.load[0] = [0.0, -1e3];
        held.solve(&mut problem, &mut |_| Vec::new()).unwrap();
        let (ex, ey) = (1e3 * 0.3 * 1.3 / 1e6, -1e3 * 0.91 / 1e6);
        for body in 0..2 {
            for (node, point) in problem.nodes_of(body).zip(&problem.definition.bodies[body].mesh.points) {
                let at = [point[0] * (1.0 + ex), (point[1] + 0.02 * body as f64) * (1.0 + ey)];
                for k in 0..2 {
                    assert!((held.x[2 * node + k] - at[k]).abs() < 1e-12, "{method:?}: {at:?}");
                }
            }
        }
    }
}

#[test]
fn meshes_that_do_not_match_transmit_the_whole_force() {
    let mut problem = stack([3, 5], Method::Augmented, 1e4);
    let mut held = Held::new(&problem, &[[0.0; 3]]);
    held.load[0] = [0.0, -1e3];
    held.solve(&mut problem, &mut |_| Vec::new()).unwrap();
    let force = problem.tie_force(0, &held.lambda, &held.x, &held.poses);
    assert!(force[0].abs() < 1e-10 && (force[1] + 0.4).abs() < 1e-10, "{force:?}");
    assert!((problem.support_force(0)[1] - 0.4).abs() < 1e-10);
}

#[test]
fn a_penalty_leaves_the_gap_that_its_stiffness_says() {
    let mut problem = stack([3, 3], Method::Penalty, 1e5);
    let mut held = Held::new(&problem, &[[0.0; 3]]);
    held.load[0] = [0.0, -1e3];
    held.solve(&mut problem, &mut |_| Vec::new()).unwrap();
    let force = problem.tie_force(0, &held.lambda, &held.x, &held.poses);
    assert!((force[1] + 0.4).abs() < 1e-10, "{force:?}");
}

#[test]
fn boundaries_that_do_not_meet_are_refused() {
    let problem = stack([3, 3], Method::Augmented, 1e4);
    let mut definition = problem.definition().clone();
    definition.bodies[1].placement[1] += 0.001;
    assert!(matches!(Problem::new(definition, &[[0.0; 3]]), Err(SetupFault::FarFromPartner { .. })));
}
