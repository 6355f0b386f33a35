//! Newton's and Euler's equations of a chain of segments: coefficients of unknown variables, and what known ones leave on the right.
//! Not here: which variables are unknown (`choice`), solving (`elimination`).
//! In: segments, a posture, values of known variables. Out: rows of a matrix with the right side in the last column.
//!
//! Segment i from joint i to joint i+1, with s, c the sine and cosine of its angle; its mass centre at g = (d c − e s, d s + e c) from joint i and
//! the next joint at h = l (c, s) − g from the mass centre:
//!
//!     Fr_i − Fr_{i+1} + Fext_i = m a_i                                                              (1)
//!     −g × Fr_i − h × Fr_{i+1} + M_i − M_{i+1} + Mext_i = j φ̈_i                                     (2)
//!     a_i = a_base + Σ_{k<i} l_k (φ̈_k (−s_k, c_k) − ω_k² (c_k, s_k)) + φ̈_i (−g_y, g_x) − ω_i² g_i      (3)
//!
//! | m mass | j moment of inertia about the mass centre | l length | d, e mass centre along and across the line of joints |
//!
//! Source: Casius, Bobbert & van Soest 2004, whose segments have e = 0. Rows: (1) along x of all segments, along y, then (2). Of the blocks of the
//! matrix only those of (3) and of the lever arms change with the posture; all others are written once, into a template.
//! Tests: two segments by hand, a pendulum, random chains against the other formulations.

use super::variables::Direction::{X, Y};
use super::variables::{Layout, Variable};

/// A segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Mass, kg.
    pub mass: f64,
    /// From joint to joint, m.
    pub length: f64,
    /// Mass centre from the proximal joint: along the line of joints, and across it to the left, m.
    pub center: [f64; 2],
    /// Moment of inertia about the mass centre, kg m².
    pub inertia: f64,
}

/// Angles of the segments, as cosines and sines, and their rates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Posture {
    /// Cosine of each angle.
    pub cos: Vec<f64>,
    /// Sine of each angle.
    pub sin: Vec<f64>,
    /// Angular velocity, rad/s.
    pub rate: Vec<f64>,
}

impl Posture {
    /// The posture of given angles (rad) and rates (rad/s).
    pub fn new(angle: &[f64], rate: &[f64]) -> Self {
        let (sin, cos) = angle.iter().map(|angle| angle.sin_cos()).unzip();
        Posture { cos, sin, rate: rate.to_vec() }
    }

    /// All segments along x, at rest.
    pub fn straight(segments: usize) -> Self {
        Posture { cos: vec![1.0; segments], sin: vec![0.0; segments], rate: vec![0.0; segments] }
    }
}

/// A vector in the plane.
pub(super) type Plane = [f64; 2];

/// Moment of a force at a lever arm.
#[inline(always)]
pub(super) fn cross(arm: Plane, force: Plane) -> f64 {
    arm[0] * force[1] - arm[1] * force[0]
}

/// Segments with what the posture makes of them.
#[derive(Clone, Debug)]
pub(super) struct Equations {
    pub segments: Vec<Segment>,
    pub layout: Layout,
    /// g of each segment.
    pub to_center: Vec<Plane>,
    /// l (c, s) of each segment.
    pub to_next: Vec<Plane>,
    /// Acceleration of each joint, the end included, with the accelerations that are known.
    pub joint_acceleration: Vec<Plane>,
    /// Acceleration of each mass centre, likewise.
    pub center_acceleration: Vec<Plane>,
    /// Square of each rate.
    rate_square: Vec<f64>,
}

impl Equations {
    pub(super) fn new(segments: Vec<Segment>) -> Self {
        let n = segments.len();
        Equations {
            layout: Layout { segments: n },
            to_center: vec![[0.0; 2]; n],
            to_next: vec![[0.0; 2]; n],
            joint_acceleration: vec![[0.0; 2]; n + 1],
            center_acceleration: vec![[0.0; 2]; n],
            rate_square: vec![0.0; n],
            segments,
        }
    }

    /// Calls with row, variable and value of each coefficient that no posture changes. Those of forces and moments are 1 or −1.
    pub(super) fn for_each_constant(&self, mut put: impl FnMut(usize, Variable, f64)) {
        use Variable::*;
        let n = self.segments.len();
        for (i, segment) in self.segments.iter().enumerate() {
            for (row, d) in [(i, X), (n + i, Y)] {
                for (variable, value) in [(JointForce(i, d), 1.0), (JointForce(i + 1, d), -1.0), (Force(i, d), 1.0)] {
                    put(row, variable, value);
                }
                for (variable, value) in [(JointSupport(i, d), 1.0), (Support(i, d), 1.0), (BaseAcceleration(d), -segment.mass)] {
                    put(row, variable, value);
                }
            }
            let row = 2 * n + i;
            for (variable, value) in [(JointMoment(i), 1.0), (JointMoment(i + 1), -1.0), (Moment(i), 1.0)] {
                put(row, variable, value);
            }
            put(row, JointSupportMoment(i), 1.0);
            put(row, SupportMoment(i), 1.0);
            if i > 0 {
                put(row - 1, JointSupportMoment(i), -1.0);
            }
            put(row, AngularAcceleration(i), -segment.inertia);
        }
    }

    /// Places of the coefficients that change with the posture.
    pub(super) fn changing_places(&self) -> Vec<(usize, Variable)> {
        use Variable::*;
        let n = self.segments.len();
        let mut places = Vec::new();
        for i in 0..n {
            for k in 0..=i {
                places.extend([(i, AngularAcceleration(k)), (n + i, AngularAcceleration(k))]);
            }
            for joint in [i, i + 1] {
                places.extend([(2 * n + i, JointForce(joint, X)), (2 * n + i, JointForce(joint, Y))]);
            }
            places.extend([(2 * n + i, JointSupport(i, X)), (2 * n + i, JointSupport(i, Y))]);
        }
        places
    }

    /// Takes over a posture.
    pub(super) fn look(&mut self, posture: &Posture) {
        for (i, segment) in self.segments.iter().enumerate() {
            let (c, s) = (posture.cos[i], posture.sin[i]);
            let [d, e] = segment.center;
            self.to_center[i] = [d * c - e * s, d * s + e * c];
            self.to_next[i] = [segment.length * c, segment.length * s];
            self.rate_square[i] = posture.rate[i] * posture.rate[i];
        }
    }

    /// From the mass centre to the next joint.
    #[inline(always)]
    fn beyond(&self, i: usize) -> Plane {
        [self.to_next[i][0] - self.to_center[i][0], self.to_next[i][1] - self.to_center[i][1]]
    }

    /// Writes the coefficients that change; `column` gives the column of an unknown, `width` is the length of a row.
    pub(super) fn fill_changing(&self, column: &[Option<u16>], width: usize, a: &mut [f64]) {
        use Variable::*;
        let (n, layout) = (self.segments.len(), self.layout);
        for k in 0..n {
            let Some(column) = column[layout.index(AngularAcceleration(k))] else { continue };
            let column = column as usize;
            let (g, next) = (self.to_center[k], self.to_next[k]);
            a[k * width + column] = self.segments[k].mass * g[1];
            a[(n + k) * width + column] = -self.segments[k].mass * g[0];
            for i in k + 1..n {
                a[i * width + column] = self.segments[i].mass * next[1];
                a[(n + i) * width + column] = -self.segments[i].mass * next[0];
            }
        }
        for i in 0..n {
            let row = &mut a[(2 * n + i) * width..][..width];
            let (g, h) = (self.to_center[i], self.beyond(i));
            let arms = [
                (JointForce(i, X), g[1]),
                (JointForce(i, Y), -g[0]),
                (JointForce(i + 1, X), h[1]),
                (JointForce(i + 1, Y), -h[0]),
                (JointSupport(i, X), g[1]),
                (JointSupport(i, Y), -g[0]),
            ];
            for (variable, value) in arms {
                if let Some(column) = column[layout.index(variable)] {
                    row[column as usize] = value;
                }
            }
        }
    }

    /// What known variables leave on the right, with unknown ones zero in `values`: m a − F, and j φ̈ − moments. `put(row, right side)`.
    pub(super) fn fill_right(&mut self, values: &[f64], mut put: impl FnMut(usize, f64)) {
        use Variable::*;
        let (n, layout) = (self.segments.len(), self.layout);
        let value = |variable: Variable| values[layout.index(variable)];
        let mut joint = [value(BaseAcceleration(X)), value(BaseAcceleration(Y))];
        let mut before = [value(JointForce(0, X)), value(JointForce(0, Y))];
        for i in 0..n {
            self.joint_acceleration[i] = joint;
            let (g, next, h) = (self.to_center[i], self.to_next[i], self.beyond(i));
            let (turn, square, segment) = (value(AngularAcceleration(i)), self.rate_square[i], &self.segments[i]);
            let acceleration = [joint[0] - turn * g[1] - square * g[0], joint[1] + turn * g[0] - square * g[1]];
            self.center_acceleration[i] = acceleration;
            joint = [joint[0] - turn * next[1] - square * next[0], joint[1] + turn * next[0] - square * next[1]];
            let after = [value(JointForce(i + 1, X)), value(JointForce(i + 1, Y))];
            let held = [value(JointSupport(i, X)), value(JointSupport(i, Y))];
            for (k, d) in [X, Y].into_iter().enumerate() {
                let force = before[k] - after[k] + value(Force(i, d)) + held[k] + value(Support(i, d));
                put(k * n + i, segment.mass * acceleration[k] - force);
            }
            let support = if i + 1 < n { value(JointSupportMoment(i + 1)) } else { 0.0 };
            let moment = value(JointMoment(i)) - value(JointMoment(i + 1)) + value(Moment(i)) + value(JointSupportMoment(i)) - support
                + value(SupportMoment(i))
                - cross(g, before)
                - cross(g, held)
                - cross(h, after);
            put(2 * n + i, segment.inertia * turn - moment);
            before = after;
        }
        self.joint_acceleration[n] = joint;
    }

    /// The largest single term of the equations, of forces (N) and of moments (N m): what a residual is measured by.
    pub(super) fn largest_terms(&self, values: &[f64]) -> [f64; 2] {
        use Variable::*;
        let (n, layout) = (self.segments.len(), self.layout);
        let value = |variable: Variable| values[layout.index(variable)].abs();
        let (mut forces, mut moments) = (0.0_f64, 0.0_f64);
        for i in 0..n {
            let arm = self.segments[i].length.max(self.to_center[i][0].hypot(self.to_center[i][1]));
            for d in [X, Y] {
                let force = value(JointForce(i, d)).max(value(JointForce(i + 1, d))).max(value(Force(i, d)));
                let force = force.max(value(JointSupport(i, d))).max(value(Support(i, d)));
                let inertial = self.segments[i].mass * self.center_acceleration[i][0].hypot(self.center_acceleration[i][1]);
                forces = forces.max(force).max(inertial);
                moments = moments.max(arm * force);
            }
            let moment = value(JointMoment(i)).max(value(JointMoment(i + 1))).max(value(Moment(i)));
            let moment = moment.max(value(JointSupportMoment(i))).max(value(SupportMoment(i)));
            moments = moments.max(moment).max(self.segments[i].inertia * value(AngularAcceleration(i)));
        }
        [forces, moments]
    }
}
