//! Contact without friction of a node with a rigid target on a carrier: forces, wrench, tangent, status.
//! Not here: the target's shape (`target`), which nodes may touch what, Newton's iteration.
//! In: positions, a multiplier, r. Out: residual and tangent in the order (node x, y; carrier x, y, angle; multiplier).
//!
//! With the foot y, the normal n into the rigid body, the gap g = (y - x) · n and L = λ + r g, a node touches if L <= 0. Residuals have the
//! sign of internal forces: the node gets -n L, the carrier n L and the moment ζ L about its origin, ζ = (y - origin) · t. The row of the
//! multiplier is g while touching and -λ/r while open. A multiplier is a force in N, negative while it pushes. Its result does not depend
//! on r; a penalty has no multiplier, L = r g, and lets the node sink in by L/r.

use crate::target::{NotCovered, Target};

/// A node beside a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Whether it touches. Callers may set it, to keep a status for an iteration.
    pub touching: bool,
    /// Gap, m: negative when the node is inside the rigid body.
    pub gap: f64,
    /// Unit normal into the rigid body, in world axes: where the node pushes.
    pub normal: [f64; 2],
    /// Foot on the target, in world axes.
    pub foot: [f64; 2],
    /// Parameter of the target, a hint for the next call.
    pub at: f64,
    curvature: f64,
    /// From the carrier's origin to the foot, world axes.
    arm: [f64; 2],
    multiplier: f64,
    r: f64,
}

impl Contact {
    /// A node at `x` in the world, with multiplier and r > 0 in N/m, beside a target on a carrier at `pose` (x, y, angle).
    pub fn new(target: &Target, x: [f64; 2], pose: [f64; 3], multiplier: f64, r: f64, hint: Option<f64>) -> Result<Contact, NotCovered> {
        let (s, c) = pose[2].sin_cos();
        let from_origin = [x[0] - pose[0], x[1] - pose[1]];
        let local = [c * from_origin[0] + s * from_origin[1], -s * from_origin[0] + c * from_origin[1]];
        let foot = target.project(local, hint)?;
        let world = |v: [f64; 2]| [c * v[0] - s * v[1], s * v[0] + c * v[1]];
        let arm = world(foot.y);
        Ok(Contact {
            touching: multiplier + r * foot.gap <= 0.0,
            gap: foot.gap,
            normal: world(foot.normal),
            foot: [pose[0] + arm[0], pose[1] + arm[1]],
            at: foot.at,
            curvature: foot.curvature,
            arm,
            multiplier,
            r,
        })
    }

    /// The same without multiplier: a force r g while g <= 0. Only `forces` and `stiffness` apply.
    pub fn penalty(target: &Target, x: [f64; 2], pose: [f64; 3], r: f64, hint: Option<f64>) -> Result<Contact, NotCovered> {
        Contact::new(target, x, pose, 0.0, r, hint)
    }

    /// L, N: the force between both, negative while they push; zero while open.
    pub fn push(&self) -> f64 {
        if self.touching { self.multiplier + self.r * self.gap } else { 0.0 }
    }

    /// Forces on the node and wrench on the carrier about its origin, in the sign of internal forces.
    pub fn forces(&self) -> [f64; 5] {
        self.slope_of_gap().map(|slope| self.push() * slope)
    }

    /// Forces, then the row of the multiplier.
    pub fn residual(&self) -> [f64; 6] {
        let [fx, fy, X, Y, m] = self.forces();
        [fx, fy, X, Y, m, if self.touching { self.gap } else { -self.multiplier / self.r }]
    }

    /// Derivative of the forces by the positions of node and carrier; symmetric.
    pub fn stiffness(&self) -> [[f64; 5]; 5] {
        let mut k = [[0.0; 5]; 5];
        if !self.touching {
            return k;
        }
        let [n1, n2] = self.normal;
        let t = [n2, -n1];
        let L = self.push();
        let along = self.arm[0] * t[0] + self.arm[1] * t[1]; // ζ
        let across = self.arm[0] * n1 + self.arm[1] * n2; // p · n
        let stretch = 1.0 + self.curvature * self.gap;
        let bend = L * self.curvature / stretch;
        let turn = (1.0 + self.curvature * across) / stretch;
        for i in 0..2 {
            for j in 0..2 {
                let a = bend * (t[i] * t[j]) + self.r * (self.normal[i] * self.normal[j]);
                k[i][j] = a;
                k[2 + i][2 + j] = a;
                k[i][2 + j] = -a;
                k[2 + i][j] = -a;
            }
            // The target turns with its carrier: without these two terms the tangent is not the slope of the forces.
            let b = L * turn * t[i] - self.r * along * self.normal[i];
            k[i][4] = b;
            k[4][i] = b;
            k[2 + i][4] = -b;
            k[4][2 + i] = -b;
        }
        k[4][4] = -L * (self.gap - across) * turn + self.r * along * along;
        #[cfg(feature = "fault-injection")]
        crate::fault_injection::forget_turn(&mut k);
        k
    }

    /// Derivative of the residual; symmetric.
    pub fn tangent(&self) -> [[f64; 6]; 6] {
        let mut k = [[0.0; 6]; 6];
        if !self.touching {
            k[5][5] = -1.0 / self.r;
            return k;
        }
        let slope = self.slope_of_gap();
        for (i, row) in self.stiffness().iter().enumerate() {
            k[i][..5].copy_from_slice(row);
            k[i][5] = slope[i];
            k[5][i] = slope[i];
        }
        k
    }

    /// Derivative of the gap by the positions of node and carrier.
    fn slope_of_gap(&self) -> [f64; 5] {
        let [n1, n2] = self.normal;
        [-n1, -n2, n1, n2, n2 * self.arm[0] - n1 * self.arm[1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::{Circle, Ellipse, Hermite, Line, Side};
    use borelli_math::random::Random;
    use borelli_testkit::{assert_close, central_difference};

    fn targets() -> Vec<Target> {
        let egg: Vec<[f64; 2]> = (0..40)
            .map(|k| {
                let (s, c) = (std::f64::consts::TAU * f64::from(k) / 40.0).sin_cos();
                [(1.0 + 0.15 * c) * c, 0.7 * s]
            })
            .collect();
        vec![
            Ellipse::new([0.3, -0.2], [1.0, 0.6], 0.4, Side::Solid).expect("an ellipse").into(),
            Ellipse::new([-0.2, 0.1], [1.0, 0.8], 1.0, Side::Cavity).expect("an ellipse").into(),
            Hermite::closed(&egg, Hermite::ALPHA, Side::Solid).expect("an egg").into(),
            Circle::new([0.2, 0.1], 0.9, Side::Cavity).expect("a circle").into(),
            Line::through([0.1, 0.2], [1.0, 0.9]).expect("a line").into(),
        ]
    }

    /// A node within 0.1 of the target, well inside one segment of a curve of segments.
    fn near(target: &Target, pose: [f64; 3], open: bool, random: &mut Random) -> [f64; 2] {
        loop {
            let x = [pose[0] + random.uniform(-1.5, 1.5), pose[1] + random.uniform(-1.5, 1.5)];
            if let Ok(c) = Contact::new(target, x, pose, 0.0, 1.0, None)
                && c.gap.abs() < 0.1
                && (c.gap > 0.0) == open
                && (!matches!(target, Target::Hermite(_)) || (c.at.fract() - 0.5).abs() < 0.3)
            {
                return x;
            }
        }
    }

    fn at(target: &Target, s: &[f64], r: f64) -> Contact {
        let mut contact = Contact::new(target, [s[0], s[1]], [s[2], s[3], s[4]], s[5], r, None).expect("covered");
        contact.touching = true; // differences of one branch
        contact
    }

    fn columns(f: impl Fn(&[f64]) -> Vec<f64>, s: &[f64; 6], count: usize) -> Vec<f64> {
        (0..count)
            .flat_map(|k| {
                let mut moved = |h: f64| {
                    let mut s = *s;
                    s[k] += h;
                    f(&s)
                };
                central_difference(&mut moved, 1e-4)
            })
            .collect()
    }

    #[test]
    fn the_tangent_is_the_slope_of_the_residual_on_turned_targets_open_and_sunk_in() {
        let mut random = Random::new(21);
        for target in targets() {
            for open in [true, false] {
                for _ in 0..20 {
                    let pose = [random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-3.0, 3.0)];
                    let x = near(&target, pose, open, &mut random);
                    let s = [x[0], x[1], pose[0], pose[1], pose[2], random.uniform(-5.0, -4.0)];
                    let r = random.uniform(1.0, 20.0);
                    let contact = at(&target, &s, r);
                    let tangent = contact.tangent();
                    for i in 0..6 {
                        for j in 0..6 {
                            assert_eq!(tangent[i][j].to_bits(), tangent[j][i].to_bits(), "symmetric to the last bit");
                        }
                    }
                    let differences = columns(|s| at(&target, s, r).residual().to_vec(), &s, 6);
                    assert_close(tangent.as_flattened(), &differences, 1e-7, &format!("{target:?} open {open}"));
                    // The penalty is the same with no multiplier.
                    let s = [s[0], s[1], s[2], s[3], s[4], 0.0];
                    let differences = columns(|s| at(&target, s, r).forces().to_vec(), &s, 5);
                    assert_close(at(&target, &s, r).stiffness().as_flattened(), &differences, 1e-7, "penalty");
                }
            }
        }
    }

    #[test]
    fn without_the_turn_of_the_target_the_tangent_is_wrong() {
        let mut random = Random::new(22);
        let target = &targets()[0];
        let pose = [0.4, -0.3, 0.8];
        let x = near(target, pose, true, &mut random);
        let s = [x[0], x[1], pose[0], pose[1], pose[2], -5.0];
        let mut tangent = at(target, &s, 10.0).tangent();
        for k in 0..5 {
            tangent[4][k] = 0.0;
            tangent[k][4] = 0.0;
        }
        let differences = columns(|s| at(target, s, 10.0).residual().to_vec(), &s, 6);
        let worst = tangent.as_flattened().iter().zip(&differences).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst > 1.0, "{worst}");
    }

    #[test]
    fn the_wrench_on_the_carrier_balances_the_force_on_the_node() {
        let mut random = Random::new(23);
        for target in targets() {
            for open in [true, false] {
                let pose = [random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-3.0, 3.0)];
                let x = near(&target, pose, open, &mut random);
                let contact = Contact::new(&target, x, pose, -8.0, 10.0, None).expect("covered");
                assert!(contact.touching);
                let [fx, fy, X, Y, m] = contact.forces();
                // Moments about the world's origin: the node's force acts at the node, on the normal through the foot.
                let sum = [fx + X, fy + Y, x[0] * fy - x[1] * fx + m + pose[0] * Y - pose[1] * X];
                assert_close(&sum, &[0.0; 3], 1e-13, "balance");
                // The node is pushed out of the body: against the normal. Residuals are internal forces, so the force is their negative.
                assert!(-(fx * contact.normal[0] + fy * contact.normal[1]) < 0.0);
            }
        }
    }

    #[test]
    fn a_ball_that_sinks_into_the_ground_is_pushed_up_and_an_open_one_left_alone() {
        // Ground below y = 0: walking along -x, it lies on the left.
        let ground: Target = Line::through([0.0, 0.0], [-1.0, 0.0]).expect("a line").into();
        let sunk = Contact::penalty(&ground, [0.3, -0.001], [0.0; 3], 1e4, None).expect("covered");
        assert_close(&[sunk.gap], &[-0.001], 1e-15, "gap");
        // Internal force is the negative of the force of 10 N upwards; the carrier gets it downwards, with a moment of 3 N m clockwise.
        assert_close(&sunk.forces(), &[0.0, -10.0, 0.0, 10.0, 3.0], 1e-12, "forces");
        let open = Contact::new(&ground, [0.3, 0.001], [0.0; 3], -2.0, 1e4, None).expect("covered");
        assert!(!open.touching);
        assert_close(&open.residual(), &[0.0, 0.0, 0.0, 0.0, 0.0, 2e-4], 1e-16, "residual");
        let mut expected = [[0.0; 6]; 6];
        expected[5][5] = -1e-4;
        assert_eq!(open.tangent(), expected);
        // The multiplier may hold a node that has opened a little.
        assert!(Contact::new(&ground, [0.3, 0.001], [0.0; 3], -10.1, 1e4, None).expect("covered").touching);
    }
}
