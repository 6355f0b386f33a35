//! How long a frame takes: run on request, in an optimised build, with `--nocapture`.

use super::super::{Options, Solver, extrapolate};
use super::{gallery, planar_legs, seen, swing};
use borelli_math::Vec3;
use borelli_testkit::Random;
use std::time::Instant;

#[test]
#[ignore = "a measurement, not a check"]
fn a_frame_takes_this_long() {
    for (name, system) in [("planar_legs", planar_legs()), ("lower-limb-markers", gallery("lower-limb-markers"))] {
        let mut random = Random::new(2);
        let noise = |random: &mut Random| Vec3::from_array([0; 3].map(|_| random.uniform(-0.004, 0.004)));
        let frame = |k: usize, random: &mut Random| {
            let mut targets = seen(&system, &swing(&system, 0.01 * k as f64));
            targets.iter_mut().for_each(|t| t.position += noise(random));
            targets
        };
        let frames: Vec<_> = (0..500).map(|k| frame(k, &mut random)).collect();
        let mut solver = Solver::new(&system, Options::default());
        let mut best = f64::INFINITY;
        let mut iterations = 0;
        for _ in 0..20 {
            let mut q = swing(&system, 0.0);
            let (mut before, mut last) = (q.clone(), q.clone());
            let start = Instant::now();
            iterations = 0;
            for (k, targets) in frames.iter().enumerate() {
                if k > 1 {
                    extrapolate(&system.skeleton, &before, &last, &mut q);
                }
                iterations += solver.solve(0.0, targets, &[], &mut q).map_or(0, |fit| fit.iterations);
                before.copy_from_slice(&last);
                last.copy_from_slice(&q);
            }
            best = best.min(start.elapsed().as_secs_f64() / frames.len() as f64);
        }
        let text = format!(
            "{name}: {} coordinates, {} markers, {:.2} us a frame, {:.2} steps",
            system.skeleton.coords(),
            system.markers.len(),
            1e6 * best,
            iterations as f64 / frames.len() as f64
        );
        std::fs::write(std::env::temp_dir().join(format!("borelli-speed-{name}.txt")), text).expect("writable");
    }
}
