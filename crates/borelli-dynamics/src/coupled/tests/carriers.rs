//! Poses of carriers against differences, over every kind of planar joint.

use super::system;
use crate::coupled::carriers::Carriers;
use borelli_math::random::Random;

/// A chain over a slider, a hinge, a function joint and a planar joint, with body frames away from the joints.
const CHAIN: &str = r#"
borelli = 1
dimension = "planar"

[body.cart]
mass = 1
inertia = 1

[body.arm]
mass = 1
inertia = 1
point.end = [0.3, 0.1]

[body.cam]
mass = 1
inertia = 1
point.tip = [0.1, -0.2]

[body.hand]
mass = 1
inertia = 1
point.wrist = [-0.1, 0.05]

[joint.rail]
type = "slider"
axis = [0.6, 0.8]
parent = "world"
child = "cart"

[joint.shoulder]
type = "hinge"
parent = "cart"
child = "arm"

[joint.cam]
type = "function"
parent = "arm.end"
child = "cam"
x = { type = "polynomial", coefficients = [0, 0.1, 0.05] }
angle = { type = "polynomial", coefficients = [0, 0.7, -0.2] }

[joint.wrist]
type = "planar"
coordinates = ["wx", "wy", "wa"]
parent = "cam.tip"
child = "hand.wrist"
"#;

#[test]
fn slopes_and_bends_of_poses_are_those_of_differences() {
    let system = system(CHAIN);
    let n = system.skeleton.dofs();
    let mut carriers = Carriers::new(&system, &[0, 4, 2]);
    let mut random = Random::new(11);
    let q = random.uniforms(n, -0.5, 0.5);
    let w = random.uniforms(6, -1.0, 1.0);
    let still = vec![0.0; n];
    let force = |carriers: &mut Carriers, q: &[f64]| {
        carriers.fill(&system, q, &still);
        let mut force = vec![0.0; n];
        carriers.add_force(&w, &mut force);
        (carriers.poses().to_vec(), force)
    };
    carriers.fill(&system, &q, &still);
    let jacobian = carriers.jacobian().to_vec();
    let mut bend = vec![0.0; n * n];
    carriers.add_stiffness(&system, &[0.0; 36], &w, &q, &mut bend, n);
    let h = 1e-6;
    for j in 0..n {
        let [up, down] = [h, -h].map(|h| {
            let mut q = q.clone();
            q[j] += h;
            force(&mut carriers, &q)
        });
        for row in 0..6 {
            let slope = (up.0[1 + row / 3][row % 3] - down.0[1 + row / 3][row % 3]) / (2.0 * h);
            assert!((slope - jacobian[row * n + j]).abs() < 1e-9, "pose {row} by {j}: {slope} and {}", jacobian[row * n + j]);
        }
        for i in 0..n {
            let slope = (up.1[i] - down.1[i]) / (2.0 * h);
            assert!((slope - bend[i * n + j]).abs() < 1e-9, "({i}, {j}): {slope} and {}", bend[i * n + j]);
        }
    }
}
