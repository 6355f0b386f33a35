//! What makes the coordinates natural: a constant mass matrix, no angles, rigidity kept; loads and moments on them against closed forms.
//! Not here: trees and loops (`against_balances`), comparison with other formulations, which the suite makes.

use super::Natural;
use super::basics::{Basics, Moments};
use crate::block_tree::Block;
use crate::formulation::{Evaluation, Formulation, Input};
use crate::system::{Motion, System};
use crate::twin::{Twin, parse, random_state};
use borelli_math::{Mat3, Quat, Vec3, rotation_vector, vec3};
use borelli_testkit::{Random, assert_close};

/// A slider with a hinged rod on it, and a rod welded to that.
const PLANAR: &str = "borelli = 1\ndimension = \"planar\"\n\
    [body.cart]\nmass = 2\ncenter = [0.1, 0.05]\ninertia = 0.03\n\
    [body.rod]\nmass = 1.5\ncenter = [0.2, -0.1]\ninertia = 0.02\npoint = { end = [0.4, -0.2] }\n\
    [body.tip]\nmass = 0.5\ncenter = [0.1, 0]\ninertia = 0.004\n\
    [joint.x]\ntype = \"slider\"\nparent = \"world\"\nchild = \"cart\"\n\
    [joint.pivot]\ntype = \"hinge\"\nparent = \"cart\"\nchild = \"rod\"\n\
    [joint.glue]\ntype = \"weld\"\nparent = \"rod.end\"\nchild = \"tip\"\n";

/// Coordinates or rates as one list.
fn pack<const D: usize>(r: Vec3<f64>, x: &Mat3<f64>) -> [f64; D] {
    let all = [r, x.x, x.y, x.z].map(Vec3::to_array).concat();
    let kept: &[usize] = if D == 4 { &[0, 1, 3, 4] } else { &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] };
    let mut packed = [0.0; D];
    kept.iter().zip(&mut packed).for_each(|(from, to)| *to = all[*from]);
    packed
}

/// ½ q̇ᵀ M q̇ from the lower half of M.
fn energy<const D: usize>(mass: &Block<D>, rate: &[f64; D]) -> f64 {
    let entry = |i: usize, j: usize| mass[i.max(j)][i.min(j)];
    (0..D).map(|i| (0..D).map(|j| 0.5 * rate[i] * entry(i, j) * rate[j]).sum::<f64>()).sum()
}

/// The mass matrices of all bodies are the same to the last bit at 100 states, and give the kinetic energy there.
fn mass_matrix_stays<const D: usize>(system: &System, random: &mut Random, kinetic: impl Fn(&[f64], &[f64]) -> f64) {
    let mut natural = Natural::<D>::new(system);
    let mut out = Evaluation::new(system);
    let mut first: Option<Vec<u64>> = None;
    for _ in 0..100 {
        let (q, v, tau) = random_state(system, random);
        let input = Input { t: 0.0, q: &q, v: &v, tau: &tau, ..Input::default() };
        natural.look(system, &input);
        natural.set_up_bodies(system, &mut out);
        let bits: Vec<u64> = natural.held.tree.mass[1..].as_flattened().as_flattened().iter().map(|x| x.to_bits()).collect();
        let sum: f64 = (1..natural.bodies.basics.len())
            .map(|b| energy(&natural.held.tree.mass[b], &pack(natural.bodies.basics[b].r_rate, &natural.bodies.basics[b].x_rate)))
            .sum();
        assert_close(&[sum, out.kinetic_energy], &[kinetic(&q, &v); 2], 1e-12, "kinetic energy");
        assert_eq!(first.get_or_insert_with(|| bits.clone()), &bits);
        // The elimination overwrites the blocks; the next state must not see it.
        natural.held.solve(system, &natural.bodies, &input, &mut out).unwrap();
        assert_ne!(natural.held.tree.mass[1].as_flattened()[0].to_bits(), bits[0]);
    }
}

#[test]
fn the_mass_matrix_is_the_same_to_the_bit_at_a_hundred_states() {
    let mut random = Random::new(41);
    let twin = Twin::all_joints(&mut random, false);
    mass_matrix_stays::<12>(&parse(&twin.text), &mut random, |q, v| twin.tree.kinetic_energy(q, v));
    // Cart and rod by hand: v = (ẋ, 0) of the joint, mass centres of rod and tip beyond it.
    let planar = parse(PLANAR);
    mass_matrix_stays::<4>(&planar, &mut random, |q, v| {
        let at = |c: [f64; 2]| {
            let (s, k) = q[1].sin_cos();
            (v[0] - v[1] * (s * c[0] + k * c[1]), v[1] * (k * c[0] - s * c[1]))
        };
        let ((rx, ry), (tx, ty)) = (at([0.2, -0.1]), at([0.5, -0.2]));
        v[0] * v[0] + 0.75 * (rx * rx + ry * ry) + 0.25 * (tx * tx + ty * ty) + 0.5 * 0.024 * v[1] * v[1]
    });
}

/// Natural coordinates of all bodies at a position.
fn coordinates<const D: usize>(system: &System, natural: &mut Natural<D>, q: &[f64]) -> Vec<(String, f64)> {
    let zeros = vec![0.0; system.skeleton.dofs()];
    natural.look(system, &Input { t: 0.0, q, v: &zeros, tau: &zeros, ..Input::default() });
    natural.coordinates(system)
}

fn values(list: &[(String, f64)]) -> Vec<f64> {
    list.iter().map(|(_, value)| *value).collect()
}

/// Every coordinate is one of a point or of a unit vector, and as many as the mass matrices have columns.
fn points_and_unit_vectors_only<const D: usize>(system: &System, random: &mut Random) {
    let mut natural = Natural::<D>::new(system);
    let (q, ..) = random_state(system, random);
    let list = coordinates(system, &mut natural, &q);
    assert_eq!(list.len(), natural.held.tree.mass[1..].as_flattened().len());
    let axes = if D == 4 { 2 } else { 3 };
    for group in list.chunks(axes) {
        let (what, _) = group[0].0.rsplit_once('.').expect("a name with its axis");
        assert!(group.iter().zip(["x", "y", "z"]).all(|((name, _), axis)| *name == format!("{what}.{axis}")), "{group:?}");
        let (_, kind) = what.rsplit_once('.').expect("a name with its kind");
        if kind != "point" {
            assert!(kind.starts_with("vector"), "{what}");
            assert_close(&[values(group).iter().map(|x| x * x).sum()], &[1.0], 1e-14, what);
        }
    }
    let mut turned = q.clone();
    for motion in &system.skeleton.motions {
        if let Motion::Turn { coord, .. } = motion {
            turned[*coord as usize] += std::f64::consts::TAU;
        }
    }
    assert_ne!(q, turned);
    // An angle would have grown by a whole turn; lengths and directions come back, but for the rounding of the angle.
    let after = coordinates(system, &mut natural, &turned);
    assert_close(&values(&after), &values(&list), 1e-14, "coordinates after whole turns");
}

#[test]
fn no_coordinate_is_an_angle() {
    let mut random = Random::new(42);
    let twin = Twin::all_joints(&mut random, false);
    points_and_unit_vectors_only::<12>(&parse(&twin.text), &mut random);
    points_and_unit_vectors_only::<4>(&parse(PLANAR), &mut random);
}

#[test]
fn accelerations_keep_every_body_rigid_and_every_joint_closed() {
    let mut random = Random::new(43);
    for round in 0..10 {
        let system = parse(&Twin::all_joints(&mut random, round % 2 == 0).text);
        let mut natural = Natural::<12>::new(&system);
        let mut out = Evaluation::new(&system);
        let (q, v, tau) = random_state(&system, &mut random);
        let input = Input { t: 0.0, q: &q, v: &v, tau: &tau, ..Input::default() };
        natural.evaluate(&system, input, &mut out).unwrap();
        let tree = &natural.held.tree;
        let scale = tree.acceleration.as_flattened().iter().fold(1.0f64, |max, x| max.max(x.abs()));
        for b in 1..natural.bodies.basics.len() {
            let P = system.skeleton.parent[b] as usize;
            for i in 0..12 {
                let on_child: f64 = (0..12).map(|k| tree.child[b][k][i] * tree.acceleration[b][k]).sum();
                let on_parent: f64 = if P == 0 { 0.0 } else { (0..12).map(|k| tree.on_parent[b][i][k] * tree.acceleration[P][k]).sum() };
                let miss = on_child - on_parent - tree.gamma[b][i];
                assert!(miss.abs() < 1e-10 * scale, "row {i} of {}: {miss:e} of {scale:e}", system.names.joints[b]);
            }
        }
    }
}

#[test]
fn loads_do_the_power_of_their_force_and_moment() {
    let mut random = Random::new(44);
    let mut any = |size: f64| Vec3::from_array([0; 3].map(|_| random.uniform(-size, size)));
    for _ in 0..20 {
        let (force, moment, offset, w, v) = (any(5.0), any(5.0), any(0.5), any(3.0), any(2.0));
        let b = Basics::new(any(1.0), rotation_vector(any(2.0)), v, w);
        let row: [f64; 12] = b.on_load(offset, force, moment);
        let rate: [f64; 12] = pack(b.r_rate, &b.x_rate);
        let power: f64 = row.iter().zip(&rate).map(|(a, b)| a * b).sum();
        assert_close(&[power], &[force.dot(v + w.cross(offset)) + moment.dot(w)], 1e-13, "power");
        let (f, m) = b.wrench(&row);
        assert_close(
            &[f, m].map(Vec3::to_array).concat(),
            &[force, moment + offset.cross(force)].map(Vec3::to_array).concat(),
            1e-13,
            "wrench",
        );
        // In the plane.
        let flat = |a: Vec3<f64>| vec3(a.x, a.y, 0.0);
        let (spin, turn) = (vec3(0.0, 0.0, w.z), vec3(0.0, 0.0, moment.z));
        let b = Basics::new(flat(offset), rotation_vector(spin), flat(v), spin);
        let row: [f64; 4] = b.on_load(flat(offset), flat(force), turn);
        let rate: [f64; 4] = pack(b.r_rate, &b.x_rate);
        let power: f64 = row.iter().zip(&rate).map(|(a, b)| a * b).sum();
        assert_close(&[power], &[flat(force).dot(flat(v) + spin.cross(flat(offset))) + turn.dot(spin)], 1e-13, "power in the plane");
        let (f, m) = b.wrench(&row);
        let expected = [flat(force), turn + flat(offset).cross(flat(force))];
        assert_close(&[f, m].map(Vec3::to_array).concat(), &expected.map(Vec3::to_array).concat(), 1e-13, "wrench in the plane");
    }
}

#[test]
fn angular_acceleration_is_read_without_a_velocity_term() {
    let mut random = Random::new(45);
    let mut any = |size: f64| Vec3::from_array([0; 3].map(|_| random.uniform(-size, size)));
    for _ in 0..20 {
        let (w, alpha, a, offset) = (any(3.0), any(4.0), any(9.0), any(0.5));
        let b = Basics::new(any(1.0), Quat::from_rotation_vector(any(2.0)).to_rotation(), any(1.0), w);
        let rigid = |x: Vec3<f64>| alpha.cross(x) + w.cross(w.cross(x));
        let x = Mat3 { x: rigid(b.x.x), y: rigid(b.x.y), z: rigid(b.x.z) };
        let (at, turning) = b.read::<12>(offset, &pack(a, &x));
        assert_close(&at.to_array(), &(a + rigid(offset)).to_array(), 1e-13, "acceleration of a point");
        assert_close(&turning.to_array(), &alpha.to_array(), 1e-13, "angular acceleration");
    }
}

#[test]
fn a_uniform_bar_in_the_plane_has_the_textbook_matrix() {
    // Origin at one end, u along the bar: J = m l²/3, first moment m l/2; García de Jalón & Bayo 1994, (4.24) with r_j = r_i + l u.
    let (m, l) = (3.0, 0.8);
    let bar = parse(&format!(
        "borelli = 1\ndimension = \"planar\"\n[body.bar]\nmass = {m}\ncenter = [{}, 0]\ninertia = {}\n\
         [joint.end]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"bar\"\n",
        l / 2.0,
        m * l * l / 12.0
    ));
    let c = &bar.numbers.tree;
    let M: Block<4> = Moments::new(true, c.mass[1], c.mc_B[1], &c.I_Bo_B[1]).matrix();
    // By the two end points: r = r_i, u = (r_j − r_i)/l must give m/3, m/6, m/3.
    let (rr, ru, uu) = (M[0][0], M[2][0], M[2][2]);
    let ends = [rr - 2.0 * ru / l + uu / (l * l), ru / l - uu / (l * l), uu / (l * l)];
    assert_close(&ends, &[m / 3.0, m / 6.0, m / 3.0], 1e-14, "mass matrix by end points");
    assert_eq!((M[2][1], M[3][0], M[3][1], M[1][1], M[3][3]), (0.0, 0.0, ru, rr, uu));
}
