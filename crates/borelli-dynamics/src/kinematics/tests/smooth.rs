//! All frames at once: closed form, gaps, noise, refusals.

use super::super::trajectory::{SmoothRefusal, Smoothness, smooth};
use super::super::{Options, Solver, Target};
use super::{apart, gallery, parsed, planar_legs, positions, seen, swing};
use borelli_math::Vec3;
use borelli_testkit::Random;
use nalgebra::{DMatrix, DVector};

fn never() -> bool {
    false
}

/// A slider with one marker: everything is linear.
const SLIDER: &str = "borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 1\ninertia = 1\n[joint.s]\ntype = \"slider\"\nparent = \"world\"\nchild = \"a\"\n[marker.m]\nbody = \"a\"\nlocation = [0, 0]\n";

/// Second differences of so many numbers.
fn second_differences(count: usize) -> DMatrix<f64> {
    DMatrix::from_fn(count - 2, count, |i, j| {
        if j == i + 1 {
            -2.0
        } else if j == i || j == i + 2 {
            1.0
        } else {
            0.0
        }
    })
}

fn along_x(x: &[f64]) -> Vec<Vec<Target>> {
    x.iter().map(|x| vec![Target { marker: 0, position: Vec3 { x: *x, y: 0.0, z: 0.0 }, weight: 3.0 }]).collect()
}

/// Σ r² = σ² (N − tr A), with A of the linear problem by dense algebra, and an error near that of the best of all μ.
#[test]
fn a_stated_noise_leaves_what_degrees_of_freedom_leave_of_it() {
    let across = "[body.b]\nmass = 1\ninertia = 1\n[joint.t]\ntype = \"slider\"\nparent = \"a\"\nchild = \"b\"\naxis = [0, 1]\n[marker.m]\nbody = \"b\"";
    let system = parsed(&SLIDER.replace("[marker.m]\nbody = \"a\"", across));
    let (count, dt, noise) = (150, 0.01_f64, 0.02);
    let way = |k: usize| [0.3 * (0.05 * k as f64).sin() + 0.1 * (0.11 * k as f64).cos(), 0.2 * (0.07 * k as f64).cos()];
    let truth: [DVector<f64>; 2] = [0, 1].map(|axis| DVector::from_fn(count, |k, _| way(k)[axis]));
    let D = second_differences(count);
    let bend = D.transpose() * &D;
    let smoother = |mu: f64| (DMatrix::identity(count, count) + &bend * (mu / dt.powi(3))).try_inverse().unwrap();
    let grid: Vec<DMatrix<f64>> = (0..25).map(|k| smoother(10_f64.powf(-10.0 + 0.25 * f64::from(k)))).collect();
    for seed in 1..=5 {
        let mut random = Random::new(seed);
        let mut normal = || (0..12).map(|_| random.uniform(0.0, 1.0)).sum::<f64>() - 6.0;
        let measured = truth.clone().map(|axis| axis.map(|x| x + noise * normal()));
        let target = |k: usize| vec![Target { marker: 0, position: Vec3 { x: measured[0][k], y: measured[1][k], z: 0.0 }, weight: 3.0 }];
        let targets: Vec<Vec<Target>> = (0..count).map(target).collect();
        let start = vec![vec![0.0, 0.0]; count];
        let found = smooth(&system, dt, &targets, &start, Smoothness::Noise(noise), &never).unwrap().unwrap();
        let excess = |mu: f64| {
            let A = smoother(mu);
            let left: f64 = measured.iter().map(|x| (x - &A * x).norm_squared()).sum();
            left - noise * noise * 2.0 * (count as f64 - A.trace())
        };
        // The program knows μ to 12 % and tr A to some per cent.
        assert!(excess(found.mu / 1.6) < 0.0 && excess(1.6 * found.mu) > 0.0, "{seed}: {:e}", found.mu);
        let error = |A: &DMatrix<f64>| measured.iter().zip(&truth).map(|(x, truth)| (A * x - truth).norm_squared()).sum::<f64>().sqrt();
        let best = grid.iter().map(error).fold(f64::INFINITY, f64::min);
        let own = error(&smoother(found.mu));
        assert!(own < 1.3 * best, "{seed}: {own} for {best}");
    }
}

#[test]
fn smoothing_ends_when_it_is_told_to() {
    let system = parsed(SLIDER);
    let found = smooth(&system, 0.01, &along_x(&[0.0, 1.0, 0.0]), &vec![vec![0.0]; 3], Smoothness::CrossValidation, &|| true).unwrap();
    assert!(found.is_none());
}

#[test]
fn a_linear_problem_has_its_closed_form() {
    // One slider, one marker: (1 + μ/dt³ DᵀD) q = x.
    let system = parsed(SLIDER);
    let (count, dt, mu) = (30, 0.02, 3e-5);
    let mut random = Random::new(1);
    let x: Vec<f64> = (0..count).map(|_| random.uniform(-1.0, 1.0)).collect();
    let found = smooth(&system, dt, &along_x(&x), &vec![vec![0.0]; count], Smoothness::Given(mu), &never).unwrap().unwrap();
    let D = second_differences(count);
    let A = DMatrix::identity(count, count) + D.transpose() * &D * (mu / dt.powi(3));
    let expected = A.lu().solve(&DVector::from_vec(x)).unwrap();
    for (q, expected) in found.q.iter().zip(expected.iter()) {
        assert!((q[0] - expected).abs() < 1e-10, "{} {expected}", q[0]);
    }
    assert!(found.converged);
}

#[test]
fn a_gap_is_bridged_and_noise_is_smoothed() {
    let system = planar_legs();
    let (count, dt, noise) = (60, 0.01, 0.004);
    let truth: Vec<Vec<f64>> = (0..count).map(|k| swing(&system, dt * k as f64)).collect();
    let mut random = Random::new(6);
    // Normal noise by the sum of twelve uniform numbers.
    let mut normal = || (0..12).map(|_| random.uniform(0.0, 1.0)).sum::<f64>() - 6.0;
    let mut frames: Vec<Vec<Target>> = truth.iter().map(|q| seen(&system, q)).collect();
    for target in frames.iter_mut().flatten() {
        target.position += Vec3 { x: noise * normal(), y: noise * normal(), z: 0.0 };
    }
    frames[30..34].iter_mut().for_each(Vec::clear);
    let mut solver = Solver::new(&system, Options::default());
    let mut q = truth[0].clone();
    let single: Vec<Vec<f64>> = frames
        .iter()
        .map(|targets| {
            solver.solve(&system, 0.0, targets, &[], &mut q).unwrap();
            q.clone()
        })
        .collect();
    let off = |found: &[Vec<f64>], skip: bool| {
        let frames = (0..count).filter(|k| !skip || !(30..34).contains(k));
        let errors: Vec<f64> =
            frames.flat_map(|k| found[k].iter().zip(&truth[k]).map(|(a, b)| (a - b).powi(2)).collect::<Vec<_>>()).collect();
        (errors.iter().sum::<f64>() / errors.len() as f64).sqrt()
    };
    for smoothness in [Smoothness::Noise(noise), Smoothness::CrossValidation] {
        let found = smooth(&system, dt, &frames, &single, smoothness, &never).unwrap().unwrap();
        assert!(found.converged, "{smoothness:?}");
        // Half the error of single frames or less; the gap is bridged about as well as the rest.
        assert!(off(&found.q, true) < 0.6 * off(&single, true), "{smoothness:?}: {} {}", off(&found.q, true), off(&single, true));
        assert!(off(&found.q, false) < 0.7 * off(&single, true), "{smoothness:?}");
        assert!(found.rms > 0.5 * noise && found.rms < 2.5 * noise, "{smoothness:?} {}", found.rms);
    }
    // Without smoothness worth the name: single frames.
    let plain: Vec<Vec<Target>> = frames[..10].to_vec();
    let found = smooth(&system, dt, &plain, &single[..10], Smoothness::Given(1e-18), &never).unwrap().unwrap();
    assert!(found.q.iter().zip(&single).all(|(a, b)| apart(a, b) < 1e-7));
}

#[test]
fn ranges_and_locks_hold_and_the_rest_is_refused() {
    let text = "borelli = 1\ndimension = \"planar\"\n[body.a]\nmass = 1\ninertia = 1\npoint.end = [1, 0]\n[body.b]\nmass = 1\ninertia = 1\n[joint.a]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"a\"\n\
        [joint.b]\ntype = \"hinge\"\nparent = \"a.end\"\nchild = \"b\"\n[marker.m]\nbody = \"b\"\nlocation = [1, 0]\n[marker.n]\nbody = \"a\"\nlocation = [0.5, 0]\n[coordinate.b]\nrange = [0, 0.5]\nclamp = true\n";
    let system = parsed(text);
    let truth: Vec<Vec<f64>> = (0..40).map(|k| vec![0.1 * (0.2 * k as f64).sin(), 0.6 * (0.15 * k as f64).sin()]).collect();
    let frames: Vec<Vec<Target>> = truth.iter().map(|q| seen(&system, q)).collect();
    let start = vec![vec![0.0, 0.1]; 40];
    let found = smooth(&system, 0.02, &frames, &start, Smoothness::Given(1e-12), &never).unwrap().unwrap();
    assert!(found.converged && found.q.iter().all(|q| (0.0..=0.5).contains(&q[1])));
    assert!(found.q.iter().any(|q| q[1] == 0.5) && found.q.iter().zip(&truth).any(|(q, t)| (q[1] - t[1]).abs() < 1e-3));
    let locked = parsed(&text.replace("range = [0, 0.5]\nclamp = true", "lock = true"));
    let found = smooth(&locked, 0.02, &frames, &start, Smoothness::Given(1e-9), &never).unwrap().unwrap();
    assert!(found.converged && found.q.iter().all(|q| q[1] == 0.1));
    assert_eq!(positions(&system, &truth[0]).len(), 2);
    let refusal = |smoothness, dt, poses: usize| smooth(&system, dt, &frames, &start[..poses], smoothness, &never).unwrap_err();
    assert!(matches!(refusal(Smoothness::Given(-1.0), 0.02, 40), SmoothRefusal::BadSmoothness { .. }));
    assert!(matches!(refusal(Smoothness::CrossValidation, 0.0, 40), SmoothRefusal::BadStep { .. }));
    assert!(matches!(refusal(Smoothness::CrossValidation, 0.02, 39), SmoothRefusal::WrongCount { .. }));
    assert_eq!(smooth(&gallery("human3d"), 0.02, &[], &[], Smoothness::Given(1.0), &never).unwrap_err(), SmoothRefusal::Quaternions);
    assert_eq!(smooth(&gallery("four-bar"), 0.02, &[], &[], Smoothness::Given(1.0), &never).unwrap_err(), SmoothRefusal::Loops);
}
