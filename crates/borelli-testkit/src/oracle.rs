//! An independent oracle of rigid-body dynamics for open trees: Lagrange's equations from body positions alone.
//! Not here: velocities, spatial algebra or recursions of any kind, loops, force laws; nothing of the engine.
//! In: a tree described in its own plain types, q, v, generalised forces. Out: accelerations, mass matrix, energies, momentum.
//!
//! # Equations
//!
//! A particle of body b sits at `x = r(q) + R(q) u`: r the mass centre in the world (m), R the rotation body to world, u fixed
//! in the body with `∫ u dm = 0` and second moment `E = ∫ u uᵀ dm` (kg m²). The inertia tensor about the mass centre is
//! `I = tr(E) 1 - E`, hence `E = tr(I)/2 1 - I`.
//!
//! Lagrange's equations for `L = T - V` are `d/dt ∂T/∂q'_i - ∂T/∂q_i = τ_i - ∂V/∂q_i`. With `T = ½ ∫ x'·x' dm`,
//! `∂x'/∂q'_i = ∂x/∂q_i` and `d/dt ∂x/∂q_i = ∂x'/∂q_i`, the left side is
//!
//! ```text
//! ∫ (d/dt (x'·∂x/∂q_i) - x'·∂x'/∂q_i) dm = ∫ x''·∂x/∂q_i dm          (d'Alembert's form)
//! ```
//!
//! so differentiating T - V and projecting the accelerations of all particles are the same statement. Put `x = r + R u` in; the
//! terms linear in u vanish and those quadratic in u collect into E:
//!
//! ```text
//! Σ_b m r''·∂r/∂q_i + tr(∂R/∂q_i E R''ᵀ) = τ_i + Σ_b m g·∂r/∂q_i
//! ```
//!
//! Along a motion, `r'' = Σ_j ∂r/∂q_j q''_j + (second derivative of r along the straight line q + s v)`, and R'' likewise:
//!
//! ```text
//! M_ij = Σ_b m ∂r/∂q_i·∂r/∂q_j + tr(∂R/∂q_i E ∂R/∂q_jᵀ)
//! bias_i = Σ_b m ∂r/∂q_i·r_ss + tr(∂R/∂q_i E R_ssᵀ)
//! M q'' = τ - bias + Σ_b m g·∂r/∂q_i
//! ```
//!
//! All derivatives are those of [`Jet`] numbers walked along a line: one per coordinate and one along v.
//!
//! # Balls
//!
//! Around the given quaternion the rotation is `R0 exp([ξ])` with ξ = 0 now; ξ are the coordinates. With
//! `exp([ξ]) = 1 + [ξ] + [ξ]²/2 + ...`, at ξ = 0: `R' = R0 [ξ']` and `R'' = R0 ([ξ''] + [ξ']²)`; the cubic and higher
//! terms have no second derivative there. Rigid kinematics with the angular velocity w in body axes says `R' = R [w]`,
//! `R'' = R ([w'] + [w]²)`. Hence `w = ξ'` and `w' = ξ''`: the chart's rates are the speeds, its accelerations theirs, and the conjugate
//! generalised force is the moment in body axes.
//!
//! Source: Lagrange, Mécanique analytique (1788), second part; any textbook, such as Goldstein, Classical Mechanics, section 1.4.
//! Limits: open trees; mass and inertia such that M is positive definite. Cost: cubic in the coordinates, meant for tests.
//! Tests: closed forms, Lagrange's equations by differences, conservation, three models on which other programs agree (`peers`).

use crate::jet::Jet;
use nalgebra::{DMatrix, DVector};

/// A function of one coordinate: value, slope and second derivative.
pub type FunctionOf = Box<dyn Fn(f64) -> [f64; 3]>;

/// Position (m, world axes) and rotation (rows, body to world) of a body frame.
pub type Pose = ([f64; 3], [[f64; 3]; 3]);

/// No rotation.
pub const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Rigid bodies hanging on each other and on the world; parents stand before their children.
pub struct Tree {
    /// Acceleration of gravity in world axes, m/s².
    pub gravity: [f64; 3],
    /// The bodies.
    pub bodies: Vec<Body>,
}

/// A body and the joint it hangs on: fixed pose F in the parent, motions from F to M, fixed pose of the body in M.
pub struct Body {
    /// Index of the parent body; none is the world.
    pub parent: Option<usize>,
    /// `p_PF`: origin of the joint frame F in the parent's frame, m.
    pub offset: [f64; 3],
    /// `R_PF` by rows: rotation from F to the parent's axes.
    pub rest: [[f64; 3]; 3],
    /// What leads from F to M, in order; none is a weld.
    pub motions: Vec<Motion>,
    /// `p_MB` in m and `R_MB` by rows: pose of the body frame in M.
    pub child: Pose,
    /// Mass, kg.
    pub mass: f64,
    /// Mass centre in the body frame, m.
    pub center: [f64; 3],
    /// Inertia tensor about the mass centre in body axes, kg m².
    pub inertia: [[f64; 3]; 3],
}

/// A massless body welded to the world, to be filled by `Body { mass: 2.0, ..Body::default() }`.
impl Default for Body {
    fn default() -> Self {
        Body {
            parent: None,
            offset: [0.0; 3],
            rest: IDENTITY,
            motions: Vec::new(),
            child: ([0.0; 3], IDENTITY),
            mass: 0.0,
            center: [0.0; 3],
            inertia: [[0.0; 3]; 3],
        }
    }
}

/// An elementary motion. Axes are unit vectors in the frame reached by the motions before.
pub enum Motion {
    /// Turns right-handed about an axis: one coordinate, rad.
    Turn {
        /// Unit vector.
        axis: [f64; 3],
    },
    /// Slides along an axis: one coordinate, m.
    Slide {
        /// Unit vector.
        axis: [f64; 3],
    },
    /// Turns freely: four coordinates w x y z (any length but zero), three speeds (angular velocity in the axes reached after it, rad/s).
    Ball,
    /// A pose that follows from one coordinate: first the translation, then the turns in order.
    Function {
        /// Translation along the axes of the frame reached before, m.
        translation: [FunctionOf; 3],
        /// Axes, each in the frame reached before it, and angles in rad.
        turns: Vec<([f64; 3], FunctionOf)>,
    },
}

impl Motion {
    /// Three slides along X, Y, Z and a ball: a free joint.
    pub fn free() -> Vec<Motion> {
        IDENTITY.into_iter().map(|axis| Motion::Slide { axis }).chain([Motion::Ball]).collect()
    }

    fn coordinates(&self) -> usize {
        if matches!(self, Motion::Ball) { 4 } else { 1 }
    }

    fn speeds(&self) -> usize {
        if matches!(self, Motion::Ball) { 3 } else { 1 }
    }
}

type JetVector = [Jet; 3];
type JetMatrix = [[Jet; 3]; 3];

/// Where a body is along a line through the coordinates.
struct Place {
    /// Origin of the body frame.
    p: JetVector,
    /// Rotation body to world, rows.
    R: JetMatrix,
    /// Mass centre.
    r: JetVector,
}

impl Place {
    /// First derivatives of mass centre and rotation.
    fn first(&self) -> Pose {
        (self.r.map(|x| x.first), self.R.map(|row| row.map(|x| x.first)))
    }

    /// Second derivatives of mass centre and rotation.
    fn second(&self) -> Pose {
        (self.r.map(|x| x.second), self.R.map(|row| row.map(|x| x.second)))
    }
}

impl Tree {
    /// Number of entries of q.
    pub fn coordinates(&self) -> usize {
        self.bodies.iter().flat_map(|b| &b.motions).map(Motion::coordinates).sum()
    }

    /// Number of entries of v.
    pub fn speeds(&self) -> usize {
        self.bodies.iter().flat_map(|b| &b.motions).map(Motion::speeds).sum()
    }

    /// Accelerations v' under generalised forces `tau` and gravity.
    pub fn accelerations(&self, q: &[f64], v: &[f64], tau: &[f64]) -> Vec<f64> {
        let n = self.speeds();
        assert_eq!(tau.len(), n, "generalised forces");
        if n == 0 {
            return Vec::new();
        }
        let tangents = self.tangents(q);
        let along = self.places(q, v);
        let net = DVector::from_fn(n, |i, _| {
            let mut sum = tau[i];
            for ((body, tangent), place) in self.bodies.iter().zip(&tangents[i]).zip(&along) {
                sum += body.mass * dot(self.gravity, tangent.0) - body.inertial(tangent, &place.second());
            }
            sum
        });
        let M = self.assemble(&tangents);
        let factor = M.clone().cholesky();
        // A pivot that is only rounding would give numbers without meaning.
        let factor = factor.filter(|f| (0..n).all(|i| f.l_dirty()[(i, i)].powi(2) > 1e-12 * M[(i, i)]));
        factor.expect("every coordinate must move some mass of its own").solve(&net).as_slice().to_vec()
    }

    /// Mass matrix M(q).
    pub fn mass_matrix(&self, q: &[f64]) -> DMatrix<f64> {
        self.assemble(&self.tangents(q))
    }

    /// Kinetic energy, J: `½ Σ m r'·r' + tr(R' E R'ᵀ)`.
    pub fn kinetic_energy(&self, q: &[f64], v: &[f64]) -> f64 {
        let places = self.places(q, v);
        self.bodies.iter().zip(&places).map(|(body, place)| 0.5 * body.inertial(&place.first(), &place.first())).sum()
    }

    /// Potential energy of gravity, J, zero when all mass centres are at the world's origin: `-Σ m g·r`.
    pub fn potential_energy(&self, q: &[f64]) -> f64 {
        let places = self.places(q, &vec![0.0; self.speeds()]);
        -self.bodies.iter().zip(&places).map(|(body, place)| body.mass * dot(self.gravity, place.r.map(|x| x.value))).sum::<f64>()
    }

    /// Linear momentum (N s) and angular momentum about the world's origin (N m s), world axes.
    ///
    /// `Σ m r'` and `Σ m r × r' + h`, where the spin `h = ∫ R u × R' u dm` has entries `h_k = ε_kij (R E R'ᵀ)_ij`.
    pub fn momentum(&self, q: &[f64], v: &[f64]) -> ([f64; 3], [f64; 3]) {
        let (mut linear, mut angular) = ([0.0; 3], [0.0; 3]);
        for (body, place) in self.bodies.iter().zip(self.places(q, v)) {
            let r = place.r.map(|x| x.value);
            let R = place.R.map(|row| row.map(|x| x.value));
            let (r_rate, R_rate) = place.first();
            let E = body.second_moment();
            let spread = |i: usize, j: usize| -> f64 { (0..3).map(|k| R[i][k] * dot(E[k], R_rate[j])).sum() };
            for k in 0..3 {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                linear[k] += body.mass * r_rate[k];
                angular[k] += body.mass * (r[i] * r_rate[j] - r[j] * r_rate[i]) + spread(i, j) - spread(j, i);
            }
        }
        (linear, angular)
    }

    /// Pose of every body frame in the world.
    pub fn body_pose(&self, q: &[f64]) -> Vec<Pose> {
        let places = self.places(q, &vec![0.0; self.speeds()]);
        places.iter().map(|place| (place.p.map(|x| x.value), place.R.map(|row| row.map(|x| x.value)))).collect()
    }

    /// Rates q' for speeds v: the same numbers, but for a quaternion `½ q (0, w)`.
    pub fn coordinate_rates(&self, q: &[f64], v: &[f64]) -> Vec<f64> {
        self.check(q, v);
        let (mut q, mut v, mut rates) = (q, v, Vec::with_capacity(q.len()));
        for motion in self.bodies.iter().flat_map(|b| &b.motions) {
            match motion {
                Motion::Ball => {
                    let (w, x, y, z) = (0.5 * q[0], 0.5 * q[1], 0.5 * q[2], 0.5 * q[3]);
                    rates.push(-x * v[0] - y * v[1] - z * v[2]);
                    rates.push(w * v[0] + y * v[2] - z * v[1]);
                    rates.push(w * v[1] + z * v[0] - x * v[2]);
                    rates.push(w * v[2] + x * v[1] - y * v[0]);
                }
                _ => rates.push(v[0]),
            }
            (q, v) = (&q[motion.coordinates()..], &v[motion.speeds()..]);
        }
        rates
    }

    /// Generalised force of a force (N) at a point of a body and a moment (N m), both in world axes.
    ///
    /// `Q_i = f·∂p/∂q_i + moment·w_i` with `[w_i] = ∂R/∂q_i Rᵀ`: the virtual work of the wrench per unit of speed i.
    pub fn generalized_force(&self, q: &[f64], body: usize, point_B: [f64; 3], force_W: [f64; 3], moment_W: [f64; 3]) -> Vec<f64> {
        let work = |i: usize| {
            let place = &self.places(q, &unit(self.speeds(), i))[body];
            let point = add(place.p, apply(&place.R, constants(point_B)));
            let spin = |a: usize, b: usize| -> f64 { (0..3).map(|k| place.R[a][k].first * place.R[b][k].value).sum() };
            // The skew part alone, so that rounding in R does not enter.
            let turning = [spin(2, 1) - spin(1, 2), spin(0, 2) - spin(2, 0), spin(1, 0) - spin(0, 1)];
            dot(force_W, point.map(|x| x.first)) + 0.5 * dot(moment_W, turning)
        };
        (0..self.speeds()).map(work).collect()
    }

    /// First derivatives of all mass centres and rotations by coordinate i.
    fn tangents(&self, q: &[f64]) -> Vec<Vec<Pose>> {
        let n = self.speeds();
        (0..n).map(|i| self.places(q, &unit(n, i)).iter().map(Place::first).collect()).collect()
    }

    fn assemble(&self, tangents: &[Vec<Pose>]) -> DMatrix<f64> {
        let n = tangents.len();
        let mut M = DMatrix::zeros(n, n);
        for i in 0..n {
            for j in 0..=i {
                let entry = self.bodies.iter().zip(&tangents[i]).zip(&tangents[j]).map(|((body, a), b)| body.inertial(a, b)).sum();
                M[(i, j)] = entry;
                M[(j, i)] = entry;
            }
        }
        M
    }

    fn check(&self, q: &[f64], v: &[f64]) {
        assert_eq!(q.len(), self.coordinates(), "coordinates");
        assert_eq!(v.len(), self.speeds(), "speeds");
        for (k, body) in self.bodies.iter().enumerate() {
            assert!(body.parent.is_none_or(|parent| parent < k), "body {k} stands before its parent");
        }
    }

    /// Places of all bodies on the line through q with direction d (per speed).
    fn places(&self, q: &[f64], d: &[f64]) -> Vec<Place> {
        self.check(q, d);
        let (mut q, mut d) = (q, d);
        let mut places: Vec<Place> = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            let (mut p, mut R) = match body.parent {
                Some(parent) => (places[parent].p, places[parent].R),
                None => (constants([0.0; 3]), IDENTITY.map(constants)),
            };
            shift(&mut p, &mut R, constants(body.offset), &body.rest.map(constants));
            for motion in &body.motions {
                let (translation, rotation) = motion.pose(q, d);
                shift(&mut p, &mut R, translation, &rotation);
                (q, d) = (&q[motion.coordinates()..], &d[motion.speeds()..]);
            }
            shift(&mut p, &mut R, constants(body.child.0), &body.child.1.map(constants));
            places.push(Place { p, R, r: add(p, apply(&R, constants(body.center))) });
        }
        places
    }
}

impl Body {
    /// `E = tr(I)/2 1 - I`: second moment of the mass about its centre.
    fn second_moment(&self) -> [[f64; 3]; 3] {
        let half_trace = 0.5 * (self.inertia[0][0] + self.inertia[1][1] + self.inertia[2][2]);
        let mut E = self.inertia.map(|row| row.map(|x| -x));
        (0..3).for_each(|k| E[k][k] += half_trace);
        E
    }

    /// `m a·b + tr(A E Bᵀ)` for changes (a, A) and (b, B) of mass centre and rotation.
    fn inertial(&self, (a, A): &Pose, (b, B): &Pose) -> f64 {
        let E = self.second_moment();
        let turning: f64 = (0..3).map(|i| (0..3).map(|k| A[i][k] * dot(E[k], B[i])).sum::<f64>()).sum();
        self.mass * dot(*a, *b) + turning
    }
}

impl Motion {
    /// Translation and rotation from the frame before to the frame after, on the line q + s d.
    fn pose(&self, q: &[f64], d: &[f64]) -> (JetVector, JetMatrix) {
        let still = constants([0.0; 3]);
        match self {
            Motion::Turn { axis } => (still, turn(*axis, Jet::line(q[0], d[0]))),
            Motion::Slide { axis } => {
                assert_unit(*axis);
                (axis.map(|a| Jet::line(q[0], d[0]) * a), IDENTITY.map(constants))
            }
            Motion::Ball => {
                let X = skew([Jet::line(0.0, d[0]), Jet::line(0.0, d[1]), Jet::line(0.0, d[2])]);
                let X2 = times(&X, &X);
                let mut exponential = IDENTITY.map(constants);
                (0..3).for_each(|i| (0..3).for_each(|j| exponential[i][j] = exponential[i][j] + X[i][j] + X2[i][j] * 0.5));
                (still, times(&quaternion([q[0], q[1], q[2], q[3]]).map(constants), &exponential))
            }
            Motion::Function { translation, turns } => {
                let x = Jet::line(q[0], d[0]);
                let mut R = IDENTITY.map(constants);
                for (axis, angle) in turns {
                    R = times(&R, &turn(*axis, x.chain(angle(q[0]))));
                }
                ([0, 1, 2].map(|k| x.chain(translation[k](q[0]))), R)
            }
        }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn unit(n: usize, i: usize) -> Vec<f64> {
    let mut d = vec![0.0; n];
    d[i] = 1.0;
    d
}

fn assert_unit(axis: [f64; 3]) {
    assert!((dot(axis, axis) - 1.0).abs() < 1e-9, "an axis must be a unit vector: {axis:?}");
}

fn constants(a: [f64; 3]) -> JetVector {
    a.map(Jet::constant)
}

fn add(a: JetVector, b: JetVector) -> JetVector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn apply(A: &JetMatrix, x: JetVector) -> JetVector {
    A.map(|row| row[0] * x[0] + row[1] * x[1] + row[2] * x[2])
}

fn times(A: &JetMatrix, B: &JetMatrix) -> JetMatrix {
    A.map(|row| [0, 1, 2].map(|j| row[0] * B[0][j] + row[1] * B[1][j] + row[2] * B[2][j]))
}

/// Moves a frame by a translation in its own axes, then turns it.
fn shift(p: &mut JetVector, R: &mut JetMatrix, translation: JetVector, rotation: &JetMatrix) {
    *p = add(*p, apply(R, translation));
    *R = times(R, rotation);
}

/// `[x]` with `[x] y = x × y`.
fn skew(x: JetVector) -> JetMatrix {
    let zero = Jet::default();
    [[zero, zero - x[2], x[1]], [x[2], zero, zero - x[0]], [zero - x[1], x[0], zero]]
}

/// Rotation about a unit vector a: `1 + sin [a] + (1 - cos) [a]²`.
fn turn(axis: [f64; 3], angle: Jet) -> JetMatrix {
    assert_unit(axis);
    let A = skew(constants(axis));
    let A2 = times(&A, &A);
    let (s, t) = (angle.sin(), Jet::constant(1.0) - angle.cos());
    let mut R = IDENTITY.map(constants);
    (0..3).for_each(|i| (0..3).for_each(|j| R[i][j] = R[i][j] + s * A[i][j] + t * A2[i][j]));
    R
}

/// Rotation matrix, by rows, of a quaternion w x y z of any length but zero.
pub fn quaternion([w, x, y, z]: [f64; 4]) -> [[f64; 3]; 3] {
    let k = 2.0 / (w * w + x * x + y * y + z * z);
    assert!(k.is_finite(), "a quaternion of length zero or of no finite length is no rotation");
    [
        [1.0 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y)],
        [k * (x * y + w * z), 1.0 - k * (x * x + z * z), k * (y * z - w * x)],
        [k * (x * z - w * y), k * (y * z + w * x), 1.0 - k * (x * x + y * y)],
    ]
}

#[cfg(test)]
mod tests;
