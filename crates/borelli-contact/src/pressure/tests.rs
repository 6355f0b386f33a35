//! Pressures summed over grids against the closed forms of `volume`.

use super::*;
use crate::friction::Friction;
use crate::volume::{Overlap, PatchMotion, SecondMoment, SemiAxes, Volumetric};
use borelli_math::random::Random;
use borelli_math::{Dual, Mat3, Real, Vec3, vec3};

const UP: Vec3<f64> = Vec3 { x: 0.0, y: 0.0, z: 1.0 };

/// A tilted ellipsoid moving over the plane z = 0.
struct Scene {
    law: Volumetric<f64>,
    shape: SemiAxes<f64>,
    R: Mat3<f64>,
    centre: Vec3<f64>,
    twist: Twist<f64>,
}

impl Scene {
    /// Tilted by `tilt` about an oblique axis, at the dimensionless depth `d`.
    fn new(tilt: f64, d: f64, dissipation: f64) -> Self {
        Scene::turned(borelli_math::rotation_vector(vec3(0.8, 0.6, 0.0).scale(tilt)), d, dissipation)
    }

    /// The heel of Brown 2017, Table 5.6, in any orientation.
    fn turned(R: Mat3<f64>, d: f64, dissipation: f64) -> Self {
        let shape = SemiAxes { a: 0.0354, b: 0.054, c: 0.0226 };
        let h = shape.overlap(R.transpose_mul(UP), 0.0, SecondMoment::Weighted).unwrap().support;
        let centre = vec3(0.003, -0.002, h * (1.0 - d));
        // Slow enough that no point of the patch parts faster than the bed follows.
        let twist = Twist { at: centre, velocity: vec3(0.2, -0.1, -0.3), angular: vec3(3.0, -4.0, 2.0) };
        let law = Volumetric::new(&[("stiffness", 1.6e7), ("dissipation", dissipation)]).unwrap();
        Scene { law, shape, R, centre, twist }
    }

    fn presser(&self) -> Presser<f64, f64> {
        Presser::new(self.law, &self.shape, &self.R, self.centre, UP, self.twist).unwrap()
    }

    fn overlap(&self) -> Overlap<f64> {
        self.shape.overlap(self.R.transpose_mul(UP), -self.centre.z, SecondMoment::Weighted).unwrap().rotated(&self.R)
    }

    /// Centroid in world axes.
    fn centroid(&self) -> Vec3<f64> {
        self.centre + self.overlap().centroid
    }

    fn motion(&self) -> PatchMotion<f64> {
        PatchMotion { normal: UP, velocity: self.twist.velocity_at(self.centroid()), angular: self.twist.angular }
    }

    /// `count` by `count` cells with one point each, 13 cm wide, shifted by a part of a cell.
    fn grid(&self, count: usize, shift: [f64; 2]) -> Grid {
        let pitch = 0.13 / count as f64;
        let corner = vec3(self.centre.x - 0.065 + shift[0] * pitch, self.centre.y - 0.065 + shift[1] * pitch, 0.0);
        Grid::new(corner, [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0)], [pitch, pitch], [count, count], 1).unwrap()
    }
}

/// Root mean square over shifts of the grid of the relative errors in force, first moment and rolling moment.
fn errors(scene: &Scene, count: usize, depth: impl Fn(&Presser<f64, f64>, Vec3<f64>) -> f64) -> [f64; 3] {
    let (presser, overlap, centroid) = (scene.presser(), scene.overlap(), scene.centroid());
    let load = scene.law.load(&overlap, &scene.motion(), None);
    let (length, n) = (overlap.gyration(), UP);
    let mean_rate = scene.motion().velocity.dot(n);
    // All shifts of a sixth of a cell: the error is a periodic function of the shift, so this averages it well.
    let shifts = 36;
    let mut squares = [0.0; 3];
    for k in 0..shifts {
        let shift = [(k % 6) as f64 / 6.0, (k / 6) as f64 / 6.0];
        let (mut force, mut still, mut first, mut moment) = (0.0, 0.0, Vec3::ZERO, Vec3::ZERO);
        for (x, area) in scene.grid(count, shift).all_points() {
            let rate = scene.twist.velocity_at(x).dot(n);
            let elastic = scene.law.stiffness * depth(&presser, x) * area;
            let arm = vec3(x.x - centroid.x, x.y - centroid.y, 0.0);
            (force, still) = (force + elastic * (1.0 - scene.law.dissipation * rate), still + elastic);
            first += arm.scale(elastic);
            // What the damping adds to the pressure because the patch turns.
            moment += arm.cross(n).scale(-elastic * scene.law.dissipation * (rate - mean_rate));
        }
        let rolling = (moment - load.rolling).norm() / load.rolling.norm();
        for (sum, error) in squares.iter_mut().zip([force / load.normal_force - 1.0, first.norm() / still / length, rolling]) {
            *sum += error * error / shifts as f64;
        }
    }
    squares.map(f64::sqrt)
}

/// Slope of log error over log pitch, fitted over four grids, and the errors on the finest.
fn orders(scene: &Scene, depth: impl Fn(&Presser<f64, f64>, Vec3<f64>) -> f64) -> ([f64; 3], [f64; 3]) {
    let runs = [25, 50, 100, 200].map(|count| errors(scene, count, &depth));
    // Abscissae −1.5 … 1.5 in halvings: Σx² = 5.
    let slope = |k: usize| -[-1.5, -0.5, 0.5, 1.5].iter().zip(&runs).map(|(x, run)| x * run[k].log2()).sum::<f64>() / 5.0;
    ([slope(0), slope(1), slope(2)], runs[3])
}

/// Depth of the lower surface inside the patch only: what overhangs is missing however fine the grid.
fn in_patch_only(p: &Presser<f64, f64>, x: Vec3<f64>) -> f64 {
    match p.chord(x) {
        Some((low, high)) if low < 0.0 && high > 0.0 => -low,
        _ => 0.0,
    }
}

#[test]
fn the_grid_has_the_force_the_moment_and_the_rolling_moment_of_the_closed_form() {
    // The depth ends with a square root where it overhangs: midpoints then err with the second power of the pitch, else with 2.5.
    for (tilt, d, overhangs) in [(0.5, 0.4, false), (0.9, 0.8, true), (1.2, 0.7, true), (1.2, 1.3, true)] {
        let scene = Scene::new(tilt, d, 0.565);
        let (order, finest) = orders(&scene, |p, x| p.depth(x));
        assert!(order.iter().all(|&order| order > 1.9) && finest.iter().all(|&error| error < 5e-4), "{tilt} {d}: {order:?} {finest:?}");
        let (order, finest) = orders(&scene, in_patch_only);
        let missing = order.iter().all(|&order| order < 0.3) && finest.iter().all(|&error| error > 1e-2);
        assert_eq!(missing, overhangs, "{tilt} {d}: {order:?} {finest:?}");
    }
}

#[test]
fn the_heel_of_table_5_6_tilted_by_30_degrees_keeps_its_resultants_at_order_2_only_with_what_overhangs() {
    let about = |axis: Vec3<f64>, angle: f64| borelli_math::rotation_vector(axis.scale(angle));
    let [x, y, z] = [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0)];
    // α, β, γ of the table, then toe up about the axis to the right; the last depth has the middle of the ellipsoid below the plane.
    let heel = about(x, 30_f64.to_radians()) * about(x, 0.329) * about(y, 0.201) * about(z, 0.101);
    for d in [0.7, 0.9, 1.1] {
        let scene = Scene::turned(heel, d, 0.565);
        let (order, finest) = orders(&scene, |p, x| p.depth(x));
        assert!(order.iter().all(|order| (order - 2.0).abs() < 0.3), "{d}: {order:?} {finest:?}");
        assert!(finest.iter().all(|&error| error < 5e-4), "{d}: {order:?} {finest:?}");
        let (order, finest) = orders(&scene, in_patch_only);
        assert!(order.iter().all(|&order| order < 0.3) && finest.iter().all(|&error| error > 1e-2), "{d}: {order:?} {finest:?}");
    }
}

#[test]
fn the_summed_foundation_is_the_closed_form_load() {
    let scene = Scene::new(0.9, 0.8, 0.565);
    let load = scene.law.load(&scene.overlap(), &scene.motion(), None);
    let sum = foundation(&scene.grid(400, [0.0, 0.0]), &scene.presser(), 0.0, None, scene.centroid());
    assert!((sum.normal_force / load.normal_force - 1.0).abs() < 1e-4);
    assert!((sum.moment - load.moment).norm() < 1e-4 * load.normal_force * scene.overlap().gyration());
    // Fast parting: no pressure pulls.
    let parting = Scene { twist: Twist { velocity: vec3(0.0, 0.0, 5.0), ..scene.twist }, ..scene };
    assert_eq!(foundation(&parting.grid(50, [0.0, 0.0]), &parting.presser(), 0.0, None, parting.centre).normal_force, 0.0);
}

#[test]
fn pressure_never_exceeds_that_of_the_lowest_point() {
    for (tilt, d, reached) in [(0.0, 0.6, true), (0.3, 0.9, true), (0.9, 1.0, true), (0.9, 1.3, false), (0.9, 1.8, false)] {
        let scene = Scene::new(tilt, d, 0.0);
        let (presser, bound) = (scene.presser(), scene.law.stiffness * scene.overlap().support * d);
        for (x, _) in scene.grid(200, [0.3, 0.7]).all_points() {
            assert!(presser.pressure(x) <= bound * (1.0 + 1e-12));
        }
        // The lowest point −S²n/h; its vertical leaves the ellipsoid above the plane or not.
        let lowest = {
            let n = scene.R.transpose_mul(UP);
            let SSn = vec3(n.x * scene.shape.a.powi(2), n.y * scene.shape.b.powi(2), n.z * scene.shape.c.powi(2));
            scene.centre - scene.R * SSn.scale(1.0 / scene.overlap().support)
        };
        let foot = vec3(lowest.x, lowest.y, 0.0);
        let through = presser.chord(foot).is_some_and(|(_, high)| high > 0.0);
        assert_eq!(through, reached, "{tilt} {d}");
        assert_eq!((presser.pressure(foot) / bound - 1.0).abs() < 1e-9, through, "{tilt} {d}");
    }
}

#[test]
fn sub_samples_take_out_the_error_of_a_coarse_mat() {
    let scene = Scene::new(0.4, 0.5, 0.0);
    let force = scene.law.load(&scene.overlap(), &scene.motion(), None).normal_force;
    let mut random = Random::new(8);
    let mut worst = [0.0_f64; 2];
    for _ in 0..50 {
        let corner = vec3(random.uniform(-0.0075, 0.0) - 0.06, random.uniform(-0.0075, 0.0) - 0.146, 0.0);
        for (samples, worst) in [1, 3].into_iter().zip(&mut worst) {
            let mat = Grid::new(corner, [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0)], [0.0075, 0.0075], [16, 39], samples).unwrap();
            let mut pressures = vec![0.0; mat.len()];
            mat.add_pressures(&scene.presser(), &mut pressures);
            let (total, centre) = mat.total(&pressures);
            *worst = worst.max((total / force - 1.0).abs());
            let off = centre.unwrap() - scene.centroid();
            assert!(off.x.hypot(off.y) < 5e-4, "{off:?}");
        }
    }
    assert!(worst[0] > 5e-3 && worst[1] < 0.2 * worst[0] && worst[1] < 2e-3, "{worst:?}");
}

#[test]
fn a_mat_that_the_ellipsoid_only_partly_covers_has_the_pressure_of_every_point() {
    let scene = Scene::new(0.9, 0.8, 0.565);
    let presser = scene.presser();
    let turned = [vec3(0.8, 0.6, 0.0), vec3(-0.6, 0.8, 0.0)];
    for corner in [vec3(-0.1, -0.1, 0.0), vec3(0.0, 0.0, 0.0), vec3(0.3, 0.0, 0.0), vec3(-0.02, -0.3, 0.0)] {
        let mat = Grid::new(corner, turned, [0.005, 0.008], [30, 20], 1).unwrap();
        let mut pressures = vec![0.0; mat.len()];
        mat.add_pressures(&presser, &mut pressures);
        for (cell, &p) in pressures.iter().enumerate() {
            assert_eq!(p, presser.pressure(mat.middle(cell)), "{cell}");
        }
    }
}

#[test]
fn spinning_friction_is_that_of_the_summed_patch() {
    // A sphere spinning fast on Coulomb friction: the lever is 0.924 radii of gyration when shallow, 0.93 at half depth.
    let coulomb = Friction::new("coulomb", &[("friction", 0.5)]).unwrap();
    for (d, lever, digits) in [(0.02, 8.0 / (5.0 * 3.0_f64.sqrt()), 2e-3), (1.0, 0.93, 5e-3)] {
        let shape = SemiAxes { a: 0.05, b: 0.05, c: 0.05 };
        let centre = vec3(0.0, 0.0, 0.05 * (1.0 - d));
        let twist = Twist { at: centre, velocity: Vec3::ZERO, angular: vec3(0.0, 0.0, 5.0) };
        let law = Volumetric::new(&[("stiffness", 1e7)]).unwrap();
        let overlap = shape.overlap(UP, -centre.z, SecondMoment::Weighted).unwrap();
        let half = (d * (2.0 - d)).sqrt() * 0.0501;
        let side = [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0)];
        let grid = Grid::new(vec3(-half, -half, 0.0), side, [half / 100.0; 2], [200; 2], 1).unwrap();
        let presser = Presser::new(law, &shape, &Mat3::IDENTITY, centre, UP, twist).unwrap();
        let sum = foundation(&grid, &presser, 0.0, Some(&coulomb), centre);
        let got = -sum.moment.z / (0.5 * sum.normal_force * overlap.gyration());
        assert!((got - lever).abs() < digits, "{d}: {got}");
    }
}

#[test]
fn parts_of_friction_that_do_not_grow_with_the_load_count_once() {
    let mut scene = Scene::new(0.4, 0.5, 0.0);
    scene.twist = Twist { at: scene.centre, velocity: vec3(0.3, 0.0, 0.0), angular: Vec3::ZERO };
    let law = Friction::new("tanh-viscous", &[("friction", 0.5), ("transition", 0.01), ("viscosity", 40.0)]).unwrap();
    for count in [50, 100] {
        let sum = foundation(&scene.grid(count, [0.0, 0.0]), &scene.presser(), 0.0, Some(&law), scene.centre);
        let wanted = law.drag(0.3, sum.normal_force).force;
        assert!((sum.force.x + wanted).abs() < 1e-10 * wanted, "{count}");
    }
}

#[test]
fn only_a_free_moment_is_left_at_the_centre_of_pressure() {
    let mut random = Random::new(9);
    for _ in 0..100 {
        let n = Vec3::from_array(random.direction());
        let mut vector = || Vec3::from_array(random.direction());
        let (g, force, moment) = (vector(), n.scale(300.0) + vector().scale(50.0), vector().scale(40.0));
        let centre = centre_of_pressure(force, moment, g, n, 20.0).unwrap();
        let left = moment - (centre.point - g).cross(force);
        assert!((left - n.scale(centre.free_moment)).norm() < 1e-12 * 40.0);
        assert!((centre.point - g).dot(n).abs() < 1e-15);
        assert!(centre_of_pressure(force.scale(-1.0), moment, g, n, 20.0).is_none());
    }
}

#[test]
fn pressures_carry_slopes_by_the_pose() {
    let scene = Scene::new(0.7, 0.6, 0.565);
    let x = vec3(0.01, -0.004, 0.0);
    let at = |z: f64| Scene { centre: vec3(scene.centre.x, scene.centre.y, z), ..Scene::new(0.7, 0.6, 0.565) }.presser().pressure(x);
    let lifted = vec3(Dual::<1>::from_f64(scene.centre.x), Dual::from_f64(scene.centre.y), Dual::variable(scene.centre.z, 0));
    // The twist keeps its reference point, so that only the shape moves.
    let twist =
        Twist { at: Vec3::lift(scene.twist.at), velocity: Vec3::lift(scene.twist.velocity), angular: Vec3::lift(scene.twist.angular) };
    let presser = Presser::new(scene.law, &scene.shape, &Mat3::lift(&scene.R), lifted, Vec3::lift(UP), twist).unwrap();
    let (got, h) = (presser.pressure(Vec3::lift(x)), 1e-6);
    let want = (at(scene.centre.z + h) - at(scene.centre.z - h)) / (2.0 * h);
    assert!(got.re > 0.0 && (got.eps[0] / want - 1.0).abs() < 1e-6, "{got:?} {want}");
}

#[test]
fn a_grid_or_a_plane_that_makes_no_sense_is_refused() {
    let sides = [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0)];
    assert!(Grid::new(Vec3::ZERO, sides, [0.01, 0.0], [3, 3], 1).is_err());
    assert!(Grid::new(Vec3::ZERO, sides, [0.01, f64::NAN], [3, 3], 1).is_err());
    assert!(Grid::new(Vec3::ZERO, sides, [0.01, 0.01], [3, 3], 0).is_err());
    assert!(Grid::new(Vec3::ZERO, [sides[0], vec3(0.6, 0.8, 0.0)], [0.01, 0.01], [3, 3], 1).is_err());
    assert!(Grid::new(Vec3::ZERO, [UP.scale(2.0), sides[1]], [0.01, 0.01], [3, 3], 1).is_err());
    let scene = Scene::new(0.1, 0.5, 0.0);
    assert!(Presser::new(scene.law, &scene.shape, &scene.R, scene.centre, UP.scale(1.1), scene.twist).is_err());
}
