//! Rows on coordinates, put by hand into the formulation.
//! Not here: trees and loops (`against_balances`), comparison with other formulations, which the suite makes.

use super::Cartesian;
use crate::block_tree::Border;
use crate::constraint::Rows;
use crate::formulation::{Evaluation, Input};
use crate::row_system::RowStructure;
use crate::twin::{Twin, parse, random_state};
use borelli_testkit::{Random, assert_close};

#[test]
fn a_row_on_coordinates_is_held_by_efforts_on_them() {
    let mut random = Random::new(27);
    for _ in 0..10 {
        let twin = Twin::all_joints(&mut random, false);
        let system = parse(&twin.text);
        let (bodies, n) = (system.skeleton.parent.len(), system.skeleton.dofs());
        let (q, v, tau) = random_state(&system, &mut random);
        let mut cartesian = Cartesian::<6>::new(&system);
        let all: Vec<usize> = (1..bodies).collect();
        let structure = RowStructure::of_bodies(&system.skeleton, &[all.clone(), all]);
        (cartesian.held.border, cartesian.held.sight.rows) = (Border::new(structure, bodies), Rows::new(2, 2 * n));
        let input = Input { t: 0.0, q: &q, v: &v, tau: &tau, ..Input::default() };
        cartesian.held.look(&system, &input);
        // Each row binds all coordinates: c·v̇ + target = 0.
        let (c, targets) = ([random.uniforms(n, -1.0, 1.0), random.uniforms(n, -1.0, 1.0)], [3.0, -2.0]);
        for (c, target) in c.iter().zip(targets) {
            cartesian.held.sight.rows.push_on_dofs(c.iter().enumerate().map(|(dof, c)| (dof as u32, *c)), 0.0, 0.0, target);
        }
        let mut out = Evaluation { row_force: vec![0.0; 2], ..Evaluation::new(&system) };
        cartesian.set_up_bodies(&system, &mut out);
        cartesian.held.solve(&system, &cartesian.bodies, &input, &mut out).unwrap();
        let mut loads = tau.clone();
        for (k, c) in c.iter().enumerate() {
            let held: f64 = c.iter().zip(&out.vdot).map(|(c, a)| c * a).sum();
            let scale = out.vdot.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            assert!((held + targets[k]).abs() < 1e-11 * scale, "row {k} is {held}");
            loads.iter_mut().zip(c).for_each(|(load, c)| *load += c * out.row_force[k]);
        }
        assert_close(&out.vdot, &twin.tree.accelerations(&q, &v, &loads), 1e-9, "accelerations with the row's efforts");
    }
}
