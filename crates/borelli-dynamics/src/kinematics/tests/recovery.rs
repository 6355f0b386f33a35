//! Known motions found again, in the plane and in space, from the first frame on.

use super::super::{Options, Refusal, Solver, Target, Task, extrapolate};
use super::{apart, coordinate, gallery, marker, parsed, planar_legs, positions, seen, solver, swing};
use crate::retract::normalise;
use borelli_math::Vec3;
use borelli_testkit::{Random, count_allocations};

#[test]
fn a_motion_in_the_plane_and_in_space_is_recovered() {
    for system in [planar_legs(), gallery("lower-limb-markers")] {
        let mut solver = solver(&system);
        let mut q = system.start.q.clone();
        let at = |k: usize| swing(&system, 0.02 * k as f64);
        solver.begin(&system, &seen(&system, &at(0)), &mut q).unwrap();
        for k in 0..60 {
            let fit = solver.solve(&system, 0.0, &seen(&system, &at(k)), &[], &mut q).unwrap();
            assert!(fit.converged && fit.unobserved.is_empty() && fit.swap.is_none(), "{k}: {fit:?}");
            assert!(apart(&q, &at(k)) < 1e-9, "{k}: {:e}", apart(&q, &at(k)));
            assert!(fit.rms < 1e-9);
        }
    }
}

#[test]
fn the_root_is_found_wherever_it_is() {
    let mut random = Random::new(3);
    let angles = gallery("lower-limb-markers");
    let text =
        std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/lower-limb-markers.toml")).unwrap();
    let text = text.replace("rotation = \"angles\"\nsequence = \"zxy\"\n", "");
    let names = "coordinates = [\"pelvis_tx\", \"pelvis_ty\", \"pelvis_tz\", \"pelvis_tilt\", \"pelvis_list\", \"pelvis_rotation\"]";
    let quaternion = parsed(&text.replace(names, "").replace("[coordinate.pelvis_ty]\ndefault = \"0.9 m\"\n", ""));
    for system in [&angles, &quaternion] {
        let joints = system.skeleton.coord_start[2] as usize;
        for _ in 0..40 {
            let mut truth = system.start.q.clone();
            truth[..joints].iter_mut().for_each(|x| *x = random.uniform(-3.0, 3.0));
            truth[joints..].iter_mut().for_each(|x| *x += random.uniform(-0.2, 0.05));
            normalise(&system.skeleton, &mut truth);
            let mut solver = solver(system);
            let mut q = system.start.q.clone();
            let targets = seen(system, &truth);
            solver.begin(system, &targets, &mut q).unwrap();
            let fit = solver.solve(system, 0.0, &targets, &[], &mut q).unwrap();
            assert!(fit.converged && fit.rms < 1e-9, "{fit:?} {truth:?}");
            for (a, b) in positions(system, &q).into_iter().zip(positions(system, &truth)) {
                assert!((a - b).norm() < 1e-9);
            }
        }
    }
}

#[test]
fn the_minimum_is_reached_also_with_noise() {
    // Slopes at the minimum vanish; a second search from elsewhere finds the same.
    let system = gallery("lower-limb-markers");
    let mut random = Random::new(8);
    let truth = swing(&system, 0.1);
    let mut targets = seen(&system, &truth);
    targets.iter_mut().for_each(|t| t.position += Vec3::from_array([0; 3].map(|_| random.uniform(-0.01, 0.01))));
    let mut solver = Solver::new(&system, Options { swaps: false, ..Options::default() });
    let (mut a, mut b) = (system.start.q.clone(), truth.clone());
    solver.begin(&system, &targets, &mut a).unwrap();
    let first = solver.solve(&system, 0.0, &targets, &[], &mut a).unwrap().clone();
    let second = solver.solve(&system, 0.0, &targets, &[], &mut b).unwrap().clone();
    assert!(first.converged && second.converged && first.rms > 3e-3);
    assert!(apart(&a, &b) < 1e-8, "{:e}", apart(&a, &b));
    // Objective by its definition.
    let whole: f64 = targets.iter().map(|t| t.weight).sum();
    let sum: f64 = positions(&system, &a).iter().zip(&targets).map(|(p, t)| t.weight * (*p - t.position).dot(*p - t.position)).sum();
    assert!((first.objective - sum / whole).abs() < 1e-15);
    for (error, (p, t)) in first.error.iter().zip(positions(&system, &a).iter().zip(&targets)) {
        assert!((*error - (*p - t.position)).norm() < 1e-15);
    }
    // Nowhere near is it lower.
    for k in 0..a.len() {
        for h in [-1e-4, 1e-4] {
            let mut q = a.clone();
            q[k] += h;
            let at = positions(&system, &q);
            let near: f64 = at.iter().zip(&targets).map(|(p, t)| t.weight * (*p - t.position).dot(*p - t.position)).sum();
            let range = system.coordinates[k].range.filter(|_| system.coordinates[k].clamp);
            assert!(near > sum || range.is_some_and(|(low, high)| q[k] < low || q[k] > high), "{k}");
        }
    }
}

#[test]
fn a_task_weighs_against_the_mean_of_the_markers() {
    // One point at the end of a rod of length l: f = l² (2 − 2 cos(q − θ)) + w (q − ref)², whatever the weight of the marker.
    let system = parsed(
        "borelli = 1\ndimension = \"planar\"\n[body.rod]\nmass = 1\ninertia = 1\n[joint.pivot]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"rod\"\n\
         [marker.tip]\nbody = \"rod\"\nlocation = [0.5, 0]\nweight = 7\n",
    );
    let mut solver = solver(&system);
    let mut q = vec![0.0];
    let targets = seen(&system, &[0.3]);
    let task = Task { coordinate: 0, weight: 0.25, value: 0.0 };
    solver.solve(&system, 0.0, &targets, &[task], &mut q).unwrap();
    assert!((0.25 * (q[0] - 0.3).sin() + 0.25 * q[0]).abs() < 1e-14, "{}", q[0]);
    let fit = solver.solve(&system, 0.0, &targets, &[Task { weight: 0.0, ..task }], &mut q).unwrap();
    assert!((q[0] - 0.3).abs() < 1e-12 && fit.objective < 1e-20);
}

#[test]
fn weights_draw_the_pose_and_zero_weights_do_not() {
    let system = planar_legs();
    let truth = swing(&system, 0.0);
    let mut targets = seen(&system, &truth);
    let wrong = marker(&system, "shank_r_1") as usize;
    targets[wrong].position.x += 0.05;
    targets[wrong].position.z = f64::NAN; // not looked at in the plane
    targets[wrong].weight = 0.0;
    let mut q = truth.clone();
    let mut solver = Solver::new(&system, Options { swaps: false, ..Options::default() });
    let fit = solver.solve(&system, 0.0, &targets, &[], &mut q).unwrap();
    assert!(apart(&q, &truth) < 1e-9 && fit.rms < 1e-9 && (fit.error[wrong].norm() - 0.05).abs() < 1e-9);
    let off = |weight: f64, solver: &mut Solver| {
        let (mut targets, mut q) = (targets.clone(), truth.clone());
        targets[wrong].weight = weight;
        solver.solve(&system, 0.0, &targets, &[], &mut q).unwrap().error[wrong].norm()
    };
    assert!(off(10.0, &mut solver) < off(1.0, &mut solver) && off(1.0, &mut solver) < 0.05);
}

#[test]
fn exchanged_markers_are_found() {
    let system = gallery("lower-limb-markers");
    let mut solver = solver(&system);
    let mut q = system.start.q.clone();
    let mut random = Random::new(4);
    for k in 0..20 {
        let truth = swing(&system, 0.01 * k as f64);
        let mut targets = seen(&system, &truth);
        targets.iter_mut().for_each(|t| t.position += Vec3::from_array([0; 3].map(|_| random.uniform(-0.003, 0.003))));
        let pair = (marker(&system, "knee_lateral_r"), marker(&system, "knee_medial_r"));
        let swapped = k == 0 || k == 12;
        if swapped {
            let first = targets[pair.0 as usize].position;
            targets[pair.0 as usize].position = targets[pair.1 as usize].position;
            targets[pair.1 as usize].position = first;
        }
        if k == 0 {
            q.copy_from_slice(&truth);
        }
        let found = solver.solve(&system, 0.0, &targets, &[], &mut q).unwrap().swap;
        let found = found.map(|(a, b)| (a.min(b), a.max(b)));
        assert_eq!(found, swapped.then_some((pair.0.min(pair.1), pair.0.max(pair.1))), "frame {k}");
        q.copy_from_slice(&truth);
    }
}

#[test]
fn what_cannot_be_fitted_is_refused_by_name() {
    let system = gallery("lower-limb-markers");
    let mut solver = solver(&system);
    let mut q = system.start.q.clone();
    let good = Target { marker: 0, position: Vec3::ZERO, weight: 1.0 };
    let mut refusal =
        |target: Target, task: Option<Task>, q: &mut [f64]| solver.solve(&system, 0.0, &[target], task.as_slice(), q).unwrap_err();
    let nan = Vec3 { x: f64::NAN, ..Vec3::ZERO };
    assert_eq!(refusal(Target { position: nan, ..good }, None, &mut q), Refusal::TargetNotFinite { marker: "asis_r".into() });
    assert!(matches!(refusal(Target { weight: -1.0, ..good }, None, &mut q), Refusal::BadWeight { .. }));
    assert!(matches!(refusal(Target { weight: f64::NAN, ..good }, None, &mut q), Refusal::BadWeight { .. }));
    assert!(matches!(refusal(Target { marker: 99, ..good }, None, &mut q), Refusal::NoMarker { index: 99, .. }));
    let task = Task { coordinate: 3, weight: 1.0, value: f64::INFINITY };
    assert!(matches!(refusal(good, Some(task), &mut q), Refusal::TaskNotFinite { .. }));
    assert!(matches!(refusal(good, Some(Task { coordinate: 99, ..task }), &mut q), Refusal::NoCoordinate { .. }));
    assert!(matches!(refusal(good, None, &mut [0.0]), Refusal::WrongLength { .. }));
    let mut bad = q.clone();
    bad[4] = f64::NAN;
    assert_eq!(refusal(good, None, &mut bad), Refusal::StartNotFinite { coordinate: "pelvis_list".into() });
    for k in [nan, Vec3 { z: f64::INFINITY, ..Vec3::ZERO }] {
        assert!(solver.begin(&system, &[Target { position: k, ..good }], &mut q).is_err());
    }
}

#[test]
fn a_frame_asks_for_no_memory() {
    let system = gallery("lower-limb-markers");
    let mut solver = Solver::new(&system, Options { swaps: false, ..Options::default() });
    let mut q = swing(&system, 0.0);
    let frames: Vec<Vec<Target>> = (0..20).map(|k| seen(&system, &swing(&system, 0.02 * k as f64))).collect();
    let task = Task { coordinate: coordinate(&system, "mtp_angle_r") as u32, weight: 0.01, value: 0.0 };
    let (_, requests) = count_allocations(|| {
        for (k, frame) in frames.iter().enumerate() {
            // Now and then most of a leg is missing.
            let seen = if k % 3 == 0 { &frame[..30] } else { &frame[..] };
            solver.solve(&system, 0.0, seen, &[task], &mut q).unwrap();
        }
    });
    assert_eq!(requests, 0);
}

#[test]
fn a_motion_goes_on_as_it_went() {
    let system = parsed(
        "borelli = 1\ndimension = \"spatial\"\n[body.top]\nmass = 1\ninertia = [1, 1, 1]\n[joint.root]\ntype = \"free\"\nparent = \"world\"\nchild = \"top\"\n",
    );
    // A turn about z of 0.2 and 0.5: next 0.8.
    let pose = |x: f64, angle: f64| vec![x, 0.0, 0.0, (angle / 2.0).cos(), 0.0, 0.0, (angle / 2.0).sin()];
    let mut next = vec![0.0; 7];
    extrapolate(&system.skeleton, &pose(1.0, 0.2), &pose(1.5, 0.5), &mut next);
    assert!(apart(&next, &pose(2.0, 0.8)) < 1e-15);
}
