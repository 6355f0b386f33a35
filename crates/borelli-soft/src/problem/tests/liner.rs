//! The liner of a hip under the pressed head: published and independent numbers, and the independence of regularisation.

use super::{Held, body, boundary, material};
use crate::definition::{Contact, Definition, Method, Partner, Support, Tie};
use crate::mesh::{Annulus, Shape};
use crate::problem::{Pose, Problem};
use crate::target::{Circle, Side};

/// A liner of half an annulus held at its outside, and a head on a carrier of its own.
fn liner(divisions: [usize; 2], young: f64, poisson: f64, method: Method, r: f64, tied: Option<f64>) -> Problem {
    let mesh = Annulus { around: divisions[0], through: divisions[1], ..Annulus::default() }.mesh(Shape::Q4).unwrap();
    let mut definition = Definition { carriers: vec!["world".into(), "head".into()], ..Definition::default() };
    definition.bodies.push(body(mesh, material("robust", young, poisson), 0.01));
    let (outer, inner) = (boundary(&definition, "outer"), boundary(&definition, "inner"));
    match tied {
        None => definition.supports.push(Support { name: "cup".into(), of: outer, held: [true; 2] }),
        Some(stiffness) => {
            let method = if stiffness == 0.0 { Method::Lagrange } else { Method::Augmented };
            definition.ties.push(Tie { name: "cup".into(), of: outer, to: Partner::Carrier(0), method, stiffness });
        }
    }
    let target = Circle::new([0.0; 2], 0.014, Side::Solid).unwrap().into();
    definition.contacts.push(Contact { name: "hip".into(), of: inner, carrier: 1, target, method, stiffness: r });
    Problem::new(definition, &[[0.0; 3]; 2]).unwrap()
}

/// Pushes the head up with a force, its other coordinates held; gives the largest pressure and the travel.
fn press(problem: &mut Problem, force: f64) -> (f64, f64, Held) {
    let poses: [Pose; 2] = [[0.0; 3]; 2];
    let mut held = Held::new(problem, &poses);
    let mut up = |problem: &Problem| {
        // R_y = w_y − force = 0 along y alone.
        let (w, c) = (problem.condensed_wrench()[1], problem.condensed_stiffness()[4]);
        vec![0.0, -(w - force) / c, 0.0]
    };
    held.solve(problem, &mut up).unwrap();
    (problem.contact(0).peak, held.poses[1][1], held)
}

#[test]
fn static_liner_has_the_reference_pressure_and_travel() {
    let mut problem = liner([48, 8], 1.4e9, 0.3, Method::Augmented, 2e4, None);
    let (peak, travel, _) = press(&mut problem, 3000.0);
    // An independent program on this mesh: 13.669 MPa, with arcs in place of our straight edges as the length of a node, and 0.05261 mm.
    let half: f64 = 0.5 * std::f64::consts::PI / 48.0;
    assert!((peak * half.sin() / half - 13.669e6).abs() < 0.0006e6, "{peak}");
    assert!((travel - 0.05261e-3).abs() < 0.00001e-3, "{travel}");
    let [fx, fy] = problem.contact(0).force;
    assert!(fx.abs() < 1e-6 && (fy + 3000.0).abs() < 3e-6, "{fx} {fy}");
    let [rx, ry] = problem.support_force(0);
    assert!(rx.abs() < 3e-6 && (ry + 3000.0).abs() < 3e-6, "{rx} {ry}");
}

#[test]
fn liner_at_mid_stance() {
    let mut problem = liner([48, 8], 974e6, 0.46, Method::Augmented, 2e4, Some(1e5));
    let (peak, travel, held) = press(&mut problem, 607.18);
    assert!((peak - 2.776e6).abs() < 0.0006e6, "{peak}");
    assert!((travel - 0.0070e-3).abs() < 0.00006e-3, "{travel}");
    let pull = problem.tie_force(0, &held.lambda, &held.x, &held.poses);
    assert!(pull[0].abs() < 1e-6 && (pull[1] - 607.18).abs() < 1e-6, "{pull:?}");
}

#[test]
fn result_does_not_depend_on_regularisation() {
    let reference = press(&mut liner([24, 4], 974e6, 0.46, Method::Augmented, 2e4, Some(1e5)), 607.18);
    for (r, tied) in [(2e3, 1e5), (2e5, 1e5), (2e4, 0.0), (2e4, 1e3), (2e4, 1e7)] {
        let found = press(&mut liner([24, 4], 974e6, 0.46, Method::Augmented, r, Some(tied)), 607.18);
        assert!((found.0 / reference.0 - 1.0).abs() < 1e-8, "r {r}, tie {tied}: {} and {}", found.0, reference.0);
        assert!((found.1 / reference.1 - 1.0).abs() < 1e-8, "r {r}, tie {tied}: {} and {}", found.1, reference.1);
    }
}

#[test]
fn regularisation_that_is_far_too_large_is_made_smaller() {
    let reference = press(&mut liner([24, 4], 974e6, 0.46, Method::Augmented, 2e4, Some(1e5)), 607.18);
    // Statuses go round in circles of six and of three looks.
    for r in [2e12, 2e14] {
        let mut problem = liner([24, 4], 974e6, 0.46, Method::Augmented, r, Some(1e5));
        let found = press(&mut problem, 607.18);
        assert!(problem.reductions() > 0 && problem.regularisation()[0] < 0.2 * r, "r {r}: {:?}", problem.regularisation());
        assert!((found.0 / reference.0 - 1.0).abs() < 1e-8 && (found.1 / reference.1 - 1.0).abs() < 1e-8, "r {r}: {} {}", found.0, found.1);
    }
}
