//! The residual, the tangent and the condensed view of carriers against differences, with everything at once: cells, ties and contacts.

use super::{Held, block, body, boundary, material};
use crate::definition::{Contact, Definition, Load, LoadKind, Method, Partner, Tie};
use crate::mesh::Shape;
use crate::problem::{Following, Pose, Problem, Statuses};
use crate::target::{Ellipse, Side};
use borelli_math::random::Random;

/// A block tied to one carrier below, touched by an ellipse on another above.
fn scene(method: Method) -> (Problem, Vec<Pose>) {
    let mut definition = Definition { carriers: ["world", "base", "head"].map(String::from).to_vec(), ..Definition::default() };
    let mut part = body(block([0.04, 0.02], [4, 2], Shape::Q4), material("robust", 1e6, 0.3), 0.01);
    (part.carrier, part.placement) = (1, [-0.02, 0.01, 0.1]);
    definition.bodies.push(part);
    let (bottom, top) = (boundary(&definition, "bottom"), boundary(&definition, "top"));
    let stiffness = 3e3;
    definition.ties.push(Tie { name: "base".into(), of: bottom, to: Partner::Carrier(1), method, stiffness });
    definition.loads.push(Load { name: "side".into(), of: boundary(&definition, "right"), kind: LoadKind::Traction });
    let target = Ellipse::new([0.002, -0.001], [0.05, 0.03], 0.3, Side::Solid).unwrap().into();
    definition.contacts.push(Contact { name: "head".into(), of: top, carrier: 2, target, method, stiffness });
    let poses = vec![[0.0; 3], [0.3, -0.2, 0.4], [0.29, -0.135, -0.7]];
    (Problem::new(definition, &poses).unwrap(), poses)
}

/// R and w in one list.
fn forces(problem: &mut Problem, held: &Held) -> Vec<f64> {
    problem.evaluate(&held.at(), None, Statuses::Same).unwrap();
    [problem.residual(), problem.wrench()].concat()
}

#[test]
fn tangent_is_the_slope_of_the_residual_and_of_the_wrenches() {
    for method in [Method::Augmented, Method::Penalty] {
        let (mut problem, poses) = scene(method);
        let mut held = Held::new(&problem, &poses);
        held.load[0] = [2e3, -1e3];
        let mut random = Random::new(7);
        held.x.iter_mut().for_each(|x| *x += random.uniform(-5e-4, 5e-4));
        held.lambda.iter_mut().for_each(|x| *x = random.uniform(-4.0, 0.0));
        problem.evaluate(&held.at(), Some(Following::default()), Statuses::Decided).unwrap();
        problem.factor().unwrap();
        let (unknowns, dofs, columns) = (problem.residual.len(), problem.dofs(), problem.wrench.len());
        let values = problem.scratch.values.clone();
        let pattern = problem.solver.pattern().clone();
        let (border, direct) = (problem.border.clone(), problem.direct.clone());
        let scale = values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for variable in 0..unknowns + columns {
            let slope = |step: f64, problem: &mut Problem| {
                let mut sides = [1.0, -1.0].map(|sign| {
                    let mut moved = Held::new(problem, &poses);
                    (moved.x, moved.lambda, moved.load) = (held.x.clone(), held.lambda.clone(), held.load.clone());
                    let h = sign * step;
                    match variable {
                        k if k < dofs => moved.x[k] += h,
                        k if k < unknowns => moved.lambda[k - dofs] += h,
                        k => moved.poses[1 + (k - unknowns) / 3][(k - unknowns) % 3] += h,
                    }
                    forces(problem, &moved)
                });
                let down = sides[1].clone();
                sides[0].iter_mut().zip(&down).for_each(|(up, down)| *up = (*up - down) / (2.0 * step));
                sides[0].clone()
            };
            let step = if (dofs..unknowns).contains(&variable) { 1e-3 } else { 1e-7 };
            let found = slope(step, &mut problem);
            for row in 0..unknowns + columns {
                let exact = match (row < unknowns, variable < unknowns) {
                    (true, true) => pattern.slot(row, variable).map_or(0.0, |slot| values[slot]),
                    (true, false) => border[(variable - unknowns) * unknowns + row],
                    (false, true) => border[(row - unknowns) * unknowns + variable],
                    (false, false) => direct[(row - unknowns) * columns + variable - unknowns],
                };
                assert!((found[row] - exact).abs() < 2e-7 * scale, "{method:?} ({row}, {variable}): {} and {exact}", found[row]);
            }
        }
    }
}

#[test]
fn wrenches_of_ties_and_contacts_balance_the_loads() {
    let (mut problem, poses) = scene(Method::Augmented);
    let mut held = Held::new(&problem, &poses);
    held.load[0] = [2e3, -1e3];
    held.solve(&mut problem, &mut |_| vec![0.0; 6]).unwrap();
    let w = problem.wrench();
    // Traction times the area of the side it acts on.
    let force = [2e3 * 0.02 * 0.01, -1e3 * 0.02 * 0.01];
    for k in 0..2 {
        assert!((w[k] + w[3 + k] + force[k]).abs() < 1e-9, "{w:?}");
    }
    assert!(problem.contact(0).touching > 0, "the ellipse touches");
    let about = |k: usize, [x, y, _]: Pose| x * w[k + 1] - y * w[k] + w[k + 2];
    let moments = about(0, poses[1]) + about(3, poses[2]);
    // The load acts where the side is now, half at each end of each edge.
    let edges = &problem.definition.bodies[0].mesh.boundary("right").unwrap().edges;
    let point = |node: u32| [held.x[2 * node as usize], held.x[2 * node as usize + 1]];
    let share = force.map(|f| f / (2 * edges.len()) as f64);
    let moment: f64 = edges.iter().flat_map(|edge| edge.ends).map(|node| point(node)[0] * share[1] - point(node)[1] * share[0]).sum();
    assert!((moments + moment).abs() < 1e-10, "{moments} and {moment}");
}
