//! Moments in joints: their power is that of the efforts they come from, and only they have it.

use super::*;
use borelli_dynamics::system::Measure;
use borelli_math::random::Random;

/// M·ω = Σ τ q̇ for efforts τ and rates of any size, with the angular velocity of the child in its parent from the kinematics of the engine.
#[test]
fn a_moment_has_the_power_of_its_efforts() {
    let mut random = Random::new(7);
    for name in ["ballistic-gait", "human3d", "lower-limb", "spatial-arm", "spatial-four-bar", "top"] {
        let system = system(name);
        let figure = Figure::of(&system);
        let skeleton = &system.skeleton;
        let (mut q, mut v) = (system.start.q.clone(), vec![0.0; skeleton.dofs()]);
        let mut seen = 0;
        for _ in 0..20 {
            for (x, coordinate) in q.iter_mut().zip(&system.names.coordinates) {
                *x = if coordinate.measure == Measure::Quaternion { random.uniform(0.1, 1.0) } else { random.uniform(-1.2, 1.2) };
            }
            v.iter_mut().for_each(|x| *x = random.uniform(-2.0, 2.0));
            normalise(&system, &mut q);
            let mut frames = Frames::<f64>::new(skeleton);
            frames.fill::<f64, false>(skeleton, &system.numbers.tree, &q, &v, &vec![0.0; v.len()]);
            for (b, joint) in figure.joints.iter().enumerate().map(|(k, joint)| (k + 1, joint)).filter(|(_, joint)| !joint.turns.is_empty())
            {
                let coordinate = |name: &str| system.names.coordinates.iter().position(|own| own.name == name).expect("a coordinate");
                let speed = |name: &str| system.names.speeds.iter().position(|own| own.name == name).expect("a speed");
                let angles: Vec<f64> =
                    joint.turns.iter().map(|turn| turn.coordinate.as_ref().map_or(0.0, |name| q[coordinate(name)])).collect();
                let efforts: Vec<f64> = joint.turns.iter().map(|_| random.uniform(-50.0, 50.0)).collect();
                let power: f64 = joint.turns.iter().zip(&efforts).map(|(turn, effort)| effort * v[speed(&turn.speed)]).sum();
                let R = frames.R[b] * system.numbers.tree.R_KB[b];
                let Some(moment) = moment(&joint.turns, &angles, &efforts) else { continue };
                let M = R * moment;
                let w = frames.w[b] - frames.w[skeleton.parent[b] as usize];
                assert!((M.dot(w) - power).abs() < 1e-11 * (1.0 + M.norm() * w.norm()), "{name} {}: {} and {power}", joint.name, M.dot(w));
                if joint.turns.len() == 1 {
                    assert!(M.cross(w).norm() < 1e-12 * M.norm() * w.norm(), "{name} {}", joint.name);
                }
                seen += 1;
            }
        }
        assert!(seen > 15, "{name} {seen}");
    }
}

/// Quaternions of length one.
fn normalise(system: &System, q: &mut [f64]) {
    let mut parts: Vec<usize> = Vec::new();
    for (k, coordinate) in system.names.coordinates.iter().enumerate() {
        if coordinate.measure == Measure::Quaternion {
            parts.push(k);
        }
    }
    for four in parts.chunks(4) {
        let length = four.iter().map(|k| q[*k] * q[*k]).sum::<f64>().sqrt();
        four.iter().for_each(|k| q[*k] /= length);
    }
}

#[test]
fn joints_that_slide_or_float_have_no_moment_and_a_gimbal_lock_none() {
    let human = Figure::of(&system("human3d"));
    assert!(human.joints.iter().all(|joint| joint.turns.is_empty() == (joint.floats() || joint.kind == "weld")));
    let cyclist = Figure::of(&system("restitution-balls"));
    assert!(cyclist.joints.iter().all(|joint| joint.turns.is_empty()));
    let turn = |axis| FigureTurn { speed: "a".into(), coordinate: Some("a".into()), axis };
    let gimbal = [turn([0.0, 0.0, 1.0]), turn([1.0, 0.0, 0.0]), turn([0.0, 1.0, 0.0])];
    assert!(moment(&gimbal, &[0.0, std::f64::consts::FRAC_PI_2, 0.3], &[1.0, 2.0, 3.0]).is_none());
    assert_eq!(moment(&gimbal, &[0.0; 3], &[1.0, 2.0, 3.0]).map(Vec3::to_array), Some([2.0, 3.0, 1.0]));
    assert_eq!(moment(&gimbal[..2], &[0.0; 2], &[1.0, 2.0]).map(Vec3::to_array), Some([2.0, 0.0, 1.0]));
}
