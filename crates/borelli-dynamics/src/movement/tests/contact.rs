//! Movements with contacts: slopes of all rates, those of lost work included.

use super::*;
use crate::contact::Gaps;
use crate::twin::random_state;

/// A body over a floor and beside another, in space or in the plane.
fn pair(dimension: &str, one: &str, other: &str, contact: &str) -> System {
    let [inertia, place, shift] = if dimension == "planar" {
        ["0.3", "origin = [0.05, -0.1]\nangle = 0.4", "center = [0.1, 0.05]"]
    } else {
        ["[0.1, 0.12, 0.09]", "origin = [0.05, -0.1, 0.08]\nangles = [0.3, -0.4, 0.7]", "center = [0.1, 0.05, -0.02]"]
    };
    let body = |name: &str, surface: &str| {
        format!(
            "[body.{name}]\nmass = 2\n{shift}\ninertia = {inertia}\n[body.{name}.frame.place]\n{place}\n[joint.{name}]\ntype = \"free\"\n\
             parent = \"world\"\nchild = \"{name}\"\n[surface.{name}]\nat = \"{name}.place\"\n{surface}\n"
        )
    };
    parse(&format!(
        "borelli = 1\ndimension = \"{dimension}\"\n{}{}[contact.touch]\na = \"one\"\nb = \"other\"\n{contact}\n",
        body("one", one),
        body("other", other)
    ))
}

#[test]
fn the_jacobian_of_a_movement_with_contacts_is_the_slope_of_its_rates() {
    let rub = "friction = { type = \"tanh\", friction = 0.7, transition = 0.8 }";
    let point = format!("normal = {{ type = \"flores\", stiffness = 4e3, restitution = 0.7 }}\n{rub}");
    let bed = format!("normal = {{ type = \"volumetric\", stiffness = 1e4, dissipation = 0.2 }}\n{rub}\nspin = {{ type = \"coupled\" }}");
    let egg = "type = \"ellipsoid\"\na = 0.4\nb = 0.6\nc = 0.5";
    let soap = "type = \"superellipsoid\"\na = 0.4\nb = 0.6\nc = 0.5\np = 2.6\nr = 3.2";
    let (board, edge) = ("type = \"half-space\"\nnx = 0.3\nnz = -0.2", "type = \"half-space\"\nnx = 0.3");
    let oval = "type = \"ellipse\"\na = 0.4\nb = 0.7";
    let mut random = Random::new(8);
    for (name, system) in [
        ("egg on board", pair("spatial", egg, board, &point)),
        ("patch on board", pair("spatial", egg, board, &bed)),
        ("egg on egg", pair("spatial", egg, egg, &point)),
        ("soap on egg", pair("spatial", soap, egg, &point)),
        ("oval on edge", pair("planar", oval, edge, &point)),
        ("oval on oval", pair("planar", oval, oval, &point)),
    ] {
        for _ in 0..2 {
            let (q, v) = loop {
                let (q, v, _) = random_state(&system, &mut random);
                let mut gaps = Gaps::new(&system);
                gaps.look(&system, &q, &v);
                if (0.03..0.12).contains(&gaps.depth()[0]) {
                    break (q, v);
                }
            };
            let mut movement = Movement::new(&system, Options { audit: true, ..Options::default() }).unwrap();
            movement.recall(&Memory::touching(&[Touch::at(1.3)])).unwrap();
            let y = movement.state(&system, &q, &v);
            slopes::assert_slopes(name, &system, &mut movement, 0.0, &y);
            // The row of lost work has slopes of its own.
            let (dim, mut dt) = (y.len(), vec![0.0; y.len()]);
            let mut jac = vec![0.0; dim * dim];
            movement.jacobian(&system, 0.0, &y, &mut jac, &mut dt).unwrap();
            assert_eq!(movement.lost(&y).map(<[f64]>::len), Some(1));
            assert!(jac[(dim - 1) * dim..].iter().any(|slope| slope.abs() > 1.0), "{name}");
        }
    }
}
