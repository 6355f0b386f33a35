//! An equation with a solve of its own: a ring of masses with nonlinear springs, whose matrix is block tridiagonal with a narrow border.
//! Not here: what schemes do with corrections; the same ring with a full matrix is the judge.
//! In: a number of masses. Out: motions and a balance that agree with the full matrix, at a cost that is counted and linear in the masses.
//!
//! Masses of 1 kg in a plane stand on a circle. Each has a weak spring to the place where it started, and each two neighbours have a spring N(e)
//! = k (e + κ e³) and a dashpot. The last and the first are kept apart by a rod, Φ = (|d|² − L²)/2 with d = p_last − p_first, or by one more
//! spring. With B = (1, 0, ..., 0, −1)ᵀ and T the block tridiagonal part, (2) of `residual` is
//!
//!     T x + B f = r        f = S z + d Δλ        z = Bᵀ x        dᵀ z = Φ/c                                   (1)
//!
//! S is the slope of what closes the ring: −c λ of the rod, or b D + c K of the spring. Two solves with T give W = T⁻¹ B, and with H = Bᵀ W
//! there remain three equations, (1 + H S) z + H d Δλ = Bᵀ T⁻¹ r and the last of (1).

use super::implicit::schemes;
use super::*;
use crate::equilibrium::{AtRest, DenseAtRest, EquilibriumFault, Seek, Statics, equilibrium};
use crate::integrate::{
    DenseNewton, Flow, Implicit, Linearised, Motion, Newton, Residual, Step, Tangents, Trial, Trouble, Weights, integrate_implicit,
};
use std::cell::Cell;

type Give<T> = Result<T, formulation::Failure>;
type Block = [[f64; 2]; 2];
type Pair = [f64; 2];

const STIFFNESS: f64 = 50.0;
const CUBIC: f64 = 3.0;
const DAMPING: f64 = 0.2;
const GROUND: f64 = 0.5;
const WEIGHT: f64 = 0.05;
/// Springs are shorter than the way between neighbours, so that all pull.
const REST: f64 = 0.95;

fn at(list: &[f64], mass: usize) -> Pair {
    [list[2 * mass], list[2 * mass + 1]]
}

fn add(list: &mut [f64], mass: usize, x: Pair, by: f64) {
    list[2 * mass] += by * x[0];
    list[2 * mass + 1] += by * x[1];
}

fn minus(a: Pair, b: Pair) -> Pair {
    [a[0] - b[0], a[1] - b[1]]
}

fn times(m: Block, x: Pair) -> Pair {
    [m[0][0] * x[0] + m[0][1] * x[1], m[1][0] * x[0] + m[1][1] * x[1]]
}

fn product(a: Block, b: Block) -> Block {
    [times([[b[0][0], b[1][0]], [b[0][1], b[1][1]]], a[0]), times([[b[0][0], b[1][0]], [b[0][1], b[1][1]]], a[1])]
}

/// `b D + c K` of a spring whose stiffness is `k`.
fn weighted(k: Block, b: f64, c: f64) -> Block {
    [[b * DAMPING + c * k[0][0], c * k[0][1]], [c * k[1][0], b * DAMPING + c * k[1][1]]]
}

struct Ring {
    masses: usize,
    /// A rod closes the ring; else a spring.
    rod: bool,
    home: Vec<f64>,
    length: f64,
    /// The judge: solves with full matrices.
    full: Option<(DenseNewton, DenseSlopes)>,
    /// Stiffness of each spring where forces were last asked for, and where slopes were last taken.
    stiffness: Vec<Block>,
    kept: Vec<Block>,
    blocks: Blocks,
    /// T⁻¹ B.
    W: [Vec<f64>; 2],
    /// Slope S of what closes the ring, and d of its rod.
    closing: (Block, Pair),
    weights: Weights,
    force: Vec<f64>,
    gap: f64,
    /// Blocks that were worked on.
    operations: Cell<usize>,
}

/// T as its blocks, with the inverse of each pivot after `factor`.
struct Blocks {
    diagonal: Vec<Block>,
    beside: Vec<Block>,
}

impl Blocks {
    fn factor(&mut self) -> Result<(), Trouble> {
        for i in 0..self.diagonal.len() {
            if i > 0 {
                let past = product(product(self.beside[i - 1], self.diagonal[i - 1]), self.beside[i - 1]);
                (0..4).for_each(|k| self.diagonal[i][k / 2][k % 2] -= past[k / 2][k % 2]);
            }
            let [[a, b], [c, d]] = self.diagonal[i];
            let size = a * d - b * c;
            if !(size.is_finite() && size != 0.0) {
                return Err(Trouble::Singular { entry: 2 * i });
            }
            self.diagonal[i] = [[d / size, -b / size], [-c / size, a / size]];
        }
        Ok(())
    }

    fn solve(&self, x: &mut [f64]) {
        let n = self.diagonal.len();
        for i in 1..n {
            add(x, i, times(self.beside[i - 1], times(self.diagonal[i - 1], at(x, i - 1))), -1.0);
        }
        for i in (0..n).rev() {
            if i + 1 < n {
                add(x, i, times(self.beside[i], at(x, i + 1)), -1.0);
            }
            let value = times(self.diagonal[i], at(x, i));
            (x[2 * i], x[2 * i + 1]) = (value[0], value[1]);
        }
    }
}

impl Ring {
    fn new(masses: usize, rod: bool, full: bool) -> Self {
        let radius = 0.5 / (std::f64::consts::PI / masses as f64).sin();
        let home: Vec<f64> = (0..masses)
            .flat_map(|k| {
                let (s, c) = (2.0 * std::f64::consts::PI * k as f64 / masses as f64).sin_cos();
                [radius * c, radius * s]
            })
            .collect();
        let none = [[0.0; 2]; 2];
        let d = minus(at(&home, masses - 1), at(&home, 0));
        let newton = || DenseNewton::new(2 * masses, 0, usize::from(rod));
        Ring {
            masses,
            rod,
            length: d[0].hypot(d[1]),
            full: full.then(|| (newton(), DenseSlopes::new(4 * masses))),
            stiffness: vec![none; masses],
            kept: vec![none; masses],
            blocks: Blocks { diagonal: vec![none; masses], beside: vec![none; masses - 1] },
            W: [vec![0.0; 2 * masses], vec![0.0; 2 * masses]],
            closing: (none, d),
            weights: Weights { a: 1.0, b: 0.0, c: 0.0 },
            force: vec![0.0; 2 * masses],
            gap: 0.0,
            operations: Cell::new(0),
            home,
        }
    }

    /// At its place, with a wave running round.
    fn start(&self) -> Vec<f64> {
        let mut y = [&self.home[..], &vec![0.0; 2 * self.masses]].concat();
        for k in 1..self.masses - 1 {
            let (s, c) = (0.7 * k as f64).sin_cos();
            add(&mut y, self.masses + k, [0.3 * s, 0.2 * c], 1.0);
        }
        y
    }

    /// Springs between neighbours, with the one that closes the ring if there is one.
    fn springs(&self) -> std::ops::Range<usize> {
        0..if self.rod { self.masses - 1 } else { self.masses }
    }

    fn pull(&mut self, q: &[f64], v: &[f64], out: &mut [f64]) {
        self.operations.set(self.operations.get() + self.masses);
        for k in 0..self.masses {
            (out[2 * k], out[2 * k + 1]) = (0.0, -WEIGHT);
            add(out, k, minus(at(&self.home, k), at(q, k)), GROUND);
        }
        for i in self.springs() {
            let j = (i + 1) % self.masses;
            let (d, speed) = (minus(at(q, j), at(q, i)), minus(at(v, j), at(v, i)));
            let l = d[0].hypot(d[1]);
            let (e, u) = (l - REST, [d[0] / l, d[1] / l]);
            let (N, slope) = (STIFFNESS * (e + CUBIC * e.powi(3)), STIFFNESS * (1.0 + 3.0 * CUBIC * e * e));
            for (mass, sign) in [(i, 1.0), (j, -1.0)] {
                add(out, mass, u, sign * N);
                add(out, mass, speed, sign * DAMPING);
            }
            let across = N / l;
            let along = |a: usize, b: usize| (slope - across) * u[a] * u[b];
            self.stiffness[i] = [[along(0, 0) + across, along(0, 1)], [along(1, 0), along(1, 1) + across]];
        }
    }

    /// d from the first mass to the last.
    fn across(&self, q: &[f64]) -> Pair {
        minus(at(q, self.masses - 1), at(q, 0))
    }

    /// K x with the slopes that are kept, rod included.
    fn stiffness_times(&self, x: &[f64]) -> Vec<f64> {
        self.operations.set(self.operations.get() + self.masses);
        let mut out: Vec<f64> = x.iter().map(|x| GROUND * x).collect();
        for i in self.springs() {
            let j = (i + 1) % self.masses;
            let k = times(self.kept[i], minus(at(x, i), at(x, j)));
            add(&mut out, i, k, 1.0);
            add(&mut out, j, k, -1.0);
        }
        if self.rod {
            let f = times(self.closing.0, minus(at(x, 0), at(x, self.masses - 1)));
            add(&mut out, 0, f, 1.0 / self.weights.c);
            add(&mut out, self.masses - 1, f, -1.0 / self.weights.c);
        }
        out
    }

    /// Factors the matrix with these weights, of the slopes that are kept.
    fn assemble(&mut self, Weights { a, b, c }: Weights, d: Pair, lambda: f64) -> Result<(), Trouble> {
        self.weights = Weights { a, b, c };
        self.operations.set(self.operations.get() + 4 * self.masses);
        for block in &mut self.blocks.diagonal {
            *block = [[a + c * GROUND, 0.0], [0.0, a + c * GROUND]];
        }
        for i in 0..self.masses - 1 {
            let k = weighted(self.kept[i], b, c);
            for (r, s) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                self.blocks.diagonal[i][r][s] += k[r][s];
                self.blocks.diagonal[i + 1][r][s] += k[r][s];
                self.blocks.beside[i][r][s] = -k[r][s];
            }
        }
        let S = if self.rod { [[-c * lambda, 0.0], [0.0, -c * lambda]] } else { weighted(self.kept[self.masses - 1], b, c) };
        self.closing = (S, d);
        self.blocks.factor()?;
        for k in 0..2 {
            self.W[k].fill(0.0);
            (self.W[k][k], self.W[k][2 * self.masses - 2 + k]) = (1.0, -1.0);
            self.blocks.solve(&mut self.W[k]);
        }
        Ok(())
    }

    /// Solves (1) in place for a right side and a gap of the rod; Δλ.
    fn solve_ring(&self, x: &mut [f64], gap: f64) -> Result<f64, Trouble> {
        self.operations.set(self.operations.get() + 3 * self.masses);
        self.blocks.solve(x);
        let last = self.masses - 1;
        let (S, d) = self.closing;
        let z0 = minus(at(x, 0), at(x, last));
        let H = {
            let [w0, w1] = [0, 1].map(|k| minus(at(&self.W[k], 0), at(&self.W[k], last)));
            [[w0[0], w1[0]], [w0[1], w1[1]]]
        };
        let HS = product(H, S);
        let Hd = times(H, d);
        let mut m =
            [[1.0 + HS[0][0], HS[0][1], Hd[0], z0[0]], [HS[1][0], 1.0 + HS[1][1], Hd[1], z0[1]], [d[0], d[1], 0.0, gap / self.weights.c]];
        if !self.rod {
            m[2] = [0.0, 0.0, 1.0, 0.0];
            (m[0][2], m[1][2]) = (0.0, 0.0);
        }
        for k in 0..3 {
            let best = (k..3).max_by(|a, b| m[*a][k].abs().total_cmp(&m[*b][k].abs())).unwrap_or(k);
            m.swap(k, best);
            if m[k][k] == 0.0 {
                return Err(Trouble::SingularRow { row: 0 });
            }
            for r in (0..3).filter(|r| *r != k) {
                let factor = m[r][k] / m[k][k];
                (0..4).for_each(|c| m[r][c] -= factor * m[k][c]);
            }
        }
        let [z0, z1, more] = [0, 1, 2].map(|k| m[k][3] / m[k][k]);
        let f = times(S, [z0, z1]);
        for k in 0..2 {
            let part = f[k] + d[k] * more;
            x.iter_mut().zip(&self.W[k]).for_each(|(x, w)| *x -= part * w);
        }
        Ok(more)
    }

    /// R, Φ and slopes as full matrices.
    fn fill(&self, q: &[f64], lambda: &[f64], out: &mut Tangents) {
        let n = 2 * self.masses;
        [&mut out.by_a, &mut out.by_v, &mut out.by_q].into_iter().for_each(|list| list.fill(0.0));
        for i in 0..n {
            (out.by_a[i * n + i], out.by_q[i * n + i]) = (1.0, GROUND);
        }
        let mut couple = |i: usize, j: usize, k: Block, damping: f64| {
            for (a, b, sign) in [(i, i, 1.0), (j, j, 1.0), (i, j, -1.0), (j, i, -1.0)] {
                for r in 0..2 {
                    (0..2).for_each(|s| out.by_q[(2 * a + r) * n + 2 * b + s] += sign * k[r][s]);
                    out.by_v[(2 * a + r) * n + 2 * b + r] += sign * damping;
                }
            }
        };
        for i in self.springs() {
            couple(i, (i + 1) % self.masses, self.stiffness[i], DAMPING);
        }
        if self.rod {
            couple(0, self.masses - 1, [[-lambda[0], 0.0], [0.0, -lambda[0]]], 0.0);
            let d = self.across(q);
            out.G.fill(0.0);
            add(&mut out.G, 0, d, -1.0);
            add(&mut out.G, self.masses - 1, d, 1.0);
            out.effect.copy_from_slice(&out.G);
            out.position[0] = self.gap;
        }
        out.force.copy_from_slice(&self.force);
    }
}

impl Residual for Ring {
    fn coords(&self) -> usize {
        2 * self.masses
    }

    fn dofs(&self) -> usize {
        2 * self.masses
    }

    fn rows(&self) -> usize {
        usize::from(self.rod)
    }

    fn rate(&self, _: &[f64], v: &[f64], qdot: &mut [f64]) {
        qdot.copy_from_slice(v);
    }

    fn retract(&self, q: &mut [f64], step: &[f64]) {
        q.iter_mut().zip(step).for_each(|(q, s)| *q += s);
    }

    fn accelerations(&mut self, _: f64, q: &[f64], v: &[f64], a: &mut [f64], lambda: &mut [f64]) -> Give<()> {
        self.pull(q, v, a);
        if self.rod {
            let (d, speed, last) = (self.across(q), self.across(v), self.masses - 1);
            let apart = self.across(a);
            lambda[0] =
                -(d[0] * apart[0] + d[1] * apart[1] + speed[0] * speed[0] + speed[1] * speed[1]) / (2.0 * (d[0] * d[0] + d[1] * d[1]));
            add(a, 0, d, -lambda[0]);
            add(a, last, d, lambda[0]);
        }
        Ok(())
    }

    fn residual(&mut self, _: f64, at: Motion, lambda: &[f64], force: &mut [f64], position: &mut [f64]) -> Give<()> {
        self.pull(at.q, at.v, force);
        force.iter_mut().zip(at.a).for_each(|(r, a)| *r = a - *r);
        if self.rod {
            let d = self.across(at.q);
            add(force, 0, d, lambda[0]);
            add(force, self.masses - 1, d, -lambda[0]);
            position[0] = 0.5 * (d[0] * d[0] + d[1] * d[1] - self.length * self.length);
        }
        Ok(())
    }

    fn linearise(&mut self, trial: &Trial) -> Result<Linearised, Trouble> {
        let (mut force, mut position) = (std::mem::take(&mut self.force), [0.0]);
        let rows = self.rows();
        let evaluated = self.residual(trial.t, trial.at, trial.lambda, &mut force, &mut position[..rows]);
        (self.force, self.gap) = (force, position[0]);
        evaluated?;
        if let Some((mut newton, slopes)) = self.full.take() {
            self.fill(trial.at.q, trial.lambda, &mut newton.tangents);
            let report = newton.factor(trial, |_| true, |_, _| {});
            self.full = Some((newton, slopes));
            return report;
        }
        let report = Linearised::of(&self.force, &position[..rows], |_| true)?;
        self.kept.copy_from_slice(&self.stiffness);
        self.assemble(trial.weights, self.across(trial.at.q), trial.lambda.first().copied().unwrap_or(0.0))?;
        Ok(report)
    }

    fn solve(&mut self, correction: &mut [f64], multipliers: &mut [f64]) -> Result<bool, Trouble> {
        if let Some((newton, _)) = &mut self.full {
            newton.solve(correction, multipliers);
            return Ok(true);
        }
        correction.iter_mut().zip(&self.force).for_each(|(x, force)| *x = -force);
        let more = self.solve_ring(correction, self.gap)?;
        multipliers.iter_mut().for_each(|l| *l = more);
        Ok(true)
    }
}

/// y = (q, v); with the weights (s, 1, 1/s) the same matrix serves: (s − J) (x, w) = (r, ρ) is (s + D + K/s) w = ρ − K r/s and x = (r + w)/s.
impl Ode for Ring {
    fn dim(&self) -> usize {
        4 * self.masses
    }

    fn rates(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Give<()> {
        let (q, v) = y.split_at(2 * self.masses);
        let (qdot, a) = dy.split_at_mut(2 * self.masses);
        qdot.copy_from_slice(v);
        self.pull(q, v, a);
        Ok(())
    }

    fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64], dt: &mut [f64]) -> Give<bool> {
        let n = 2 * self.masses;
        self.rates(t, y, dt)?;
        let mut tangents = Tangents::new(n, 0);
        self.fill(&y[..n], &[], &mut tangents);
        jac.fill(0.0);
        dt.fill(0.0);
        for i in 0..n {
            jac[i * 2 * n + n + i] = 1.0;
            for k in 0..n {
                jac[(n + i) * 2 * n + k] = -tangents.by_q[i * n + k];
                jac[(n + i) * 2 * n + n + k] = -tangents.by_v[i * n + k];
            }
        }
        Ok(true)
    }

    fn dense(&mut self) -> Option<&mut DenseSlopes> {
        self.full.as_mut().map(|(_, slopes)| slopes)
    }

    fn prepare(&mut self, t: f64, y: &[f64], dy: &mut [f64], dt: &mut [f64]) -> Result<(), Trouble> {
        if self.dense().is_some() {
            // The default of the trait, by way of a type that has no other.
            return Full(self).prepare(t, y, dy, dt);
        }
        self.rates(t, y, dy)?;
        dt.fill(0.0);
        self.kept.copy_from_slice(&self.stiffness);
        Ok(())
    }

    fn factor(&mut self, shift: f64) -> Result<(), Trouble> {
        match self.dense() {
            Some(slopes) => slopes.factor(shift),
            None => self.assemble(Weights { a: shift, b: 1.0, c: 1.0 / shift }, [0.0; 2], 0.0),
        }
    }

    fn solve(&mut self, x: &mut [f64]) {
        if let Some(slopes) = self.dense() {
            return slopes.solve(x);
        }
        let shift = self.weights.a;
        let (r, w) = x.split_at_mut(2 * self.masses);
        w.iter_mut().zip(self.stiffness_times(r)).for_each(|(w, k)| *w -= k / shift);
        let solved = self.solve_ring(w, 0.0);
        assert!(solved.is_ok(), "{solved:?}");
        r.iter_mut().zip(w).for_each(|(r, w)| *r = (*r + *w) / shift);
    }
}

/// A ring whose slopes are a full matrix.
struct Full<'a>(&'a mut Ring);

impl Ode for Full<'_> {
    fn dim(&self) -> usize {
        self.0.dim()
    }
    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Give<()> {
        self.0.rates(t, y, dy)
    }
    fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64], dt: &mut [f64]) -> Give<bool> {
        self.0.jacobian(t, y, jac, dt)
    }
    fn dense(&mut self) -> Option<&mut DenseSlopes> {
        self.0.dense()
    }
}

/// The ring at rest: steps by the same solve.
struct RingAtRest {
    force: Vec<f64>,
    rows: [(usize, f64); 1],
    d: Pair,
    closing: Vec<f64>,
    downhill: Vec<f64>,
    /// K times both steps.
    bent: [Vec<f64>; 2],
    lowest: f64,
}

impl Statics for Ring {
    fn at_rest(&mut self, t: f64, q: &[f64], _z: &[f64], lambda: &[f64]) -> Result<Box<dyn AtRest>, EquilibriumFault> {
        let n = 2 * self.masses;
        let (still, mut force, mut position) = (vec![0.0; n], vec![0.0; n], [0.0]);
        self.residual(t, Motion { q, v: &still, a: &still }, lambda, &mut force, &mut position).map_err(EquilibriumFault::Refused)?;
        if self.full.is_some() {
            let mut tangents = Tangents::new(n, 1);
            (self.force, self.gap) = (force, position[0]);
            self.fill(q, lambda, &mut tangents);
            return Ok(Box::new(DenseAtRest::new(&tangents, |_| true, &[], (0, &[]))?));
        }
        let singular = |trouble: Trouble| {
            let reason = format!("{trouble:?}");
            EquilibriumFault::Refused(formulation::Failure::Undetermined { reason })
        };
        let (d, gap) = (self.across(q), position[0]);
        self.kept.copy_from_slice(&self.stiffness);
        self.assemble(Weights { a: 0.0, b: 0.0, c: 1.0 }, d, lambda[0]).map_err(singular)?;
        let mut closing = vec![0.0; n];
        let square = 2.0 * (d[0] * d[0] + d[1] * d[1]);
        add(&mut closing, 0, d, gap / square);
        add(&mut closing, self.masses - 1, d, -gap / square);
        let bent = self.stiffness_times(&closing);
        let mut downhill: Vec<f64> = force.iter().zip(&bent).map(|(r, k)| -r - k).collect();
        self.solve_ring(&mut downhill, 0.0).map_err(singular)?;
        let bent = [bent, self.stiffness_times(&downhill)];
        // The lowest eigenvalue of what the rod leaves free, by inverse iteration.
        let (mut x, mut lowest) = ((0..n).map(|k| (1.3 * k as f64).sin()).collect::<Vec<_>>(), 0.0);
        for _ in 0..400 {
            self.solve_ring(&mut x, 0.0).map_err(singular)?;
            let size = x.iter().map(|x| x * x).sum::<f64>().sqrt();
            x.iter_mut().for_each(|x| *x /= size);
            lowest = x.iter().zip(self.stiffness_times(&x)).map(|(x, k)| x * k).sum();
        }
        Ok(Box::new(RingAtRest { force, rows: [(0, gap)], d, closing, downhill, bent, lowest }))
    }
}

impl AtRest for RingAtRest {
    fn force(&self) -> &[f64] {
        &self.force
    }
    fn open_rows(&self) -> &[(usize, f64)] {
        &self.rows
    }
    fn closing_step(&self) -> &[f64] {
        &self.closing
    }
    fn downhill_step(&self) -> &[f64] {
        &self.downhill
    }
    fn multipliers(&self, closing: f64, downhill: f64) -> Vec<f64> {
        // (G Gᵀ)⁻¹ G (R + K x).
        let along = |list: &[f64]| {
            let apart = minus(at(list, list.len() / 2 - 1), at(list, 0));
            (self.d[0] * apart[0] + self.d[1] * apart[1]) / (2.0 * (self.d[0] * self.d[0] + self.d[1] * self.d[1]))
        };
        vec![along(&self.force) + closing * along(&self.bent[0]) + downhill * along(&self.bent[1])]
    }
    fn unbalanced(&self) -> Vec<f64> {
        self.force.clone()
    }
    fn free(&self) -> usize {
        self.force.len() - 1
    }
    fn lowest(&self) -> Option<f64> {
        Some(self.lowest)
    }
}

/// A run by an implicit scheme: state, last multiplier, cost.
fn swing(ring: &mut Ring, scheme: crate::integrate::Scheme, steps: usize) -> (Vec<f64>, f64, Statistics) {
    let (mut method, mut statistics, mut y, mut lambda) =
        (Implicit::new(scheme, Newton::default(), ring), Statistics::default(), ring.start(), 0.0);
    let mut look = |step: &Step| {
        lambda = step.found.expect("multipliers").lambda[1][0];
        Flow::Continue
    };
    let end = 0.05 * steps as f64;
    integrate_implicit(&mut method, ring, (0.0, end), &mut y, &Settings::fixed(0.05), &mut statistics, &mut look).unwrap();
    (y, lambda, statistics)
}

#[test]
fn a_structured_solve_gives_the_motion_of_the_full_matrix() {
    for scheme in schemes() {
        let [(full, pull, many), (narrow, other, few)] = [true, false].map(|full| swing(&mut Ring::new(9, true, full), scheme, 20));
        // Conditioning of the matrix and of the motion over 20 steps leaves 1e-12; multipliers lose two digits by 1/h².
        assert!(largest_difference(&full, &narrow) < 1e-11, "{scheme:?}: {:e}", largest_difference(&full, &narrow));
        assert!((pull - other).abs() < 1e-9 && pull.abs() > 0.1, "{scheme:?}: {pull} {other}");
        // The slopes are right: Newton's iteration is quadratic.
        assert_eq!(many.iterations, few.iterations, "{scheme:?}");
        assert!(few.iterations <= 5 * few.accepted && few.accepted == 20, "{scheme:?}: {few:?}");
    }
    let settings = Settings::tolerance(1e-9);
    let [full, narrow] = [true, false].map(|full| {
        let (mut ring, mut statistics) = (Ring::new(9, false, full), Statistics::default());
        let (mut y, mut method) = (ring.start(), (find("rosenbrock").expect("it").build)(36));
        integrate(&mut *method, &mut ring, (0.0, 1.0), &mut y, &settings, &mut statistics, &mut Unobserved).unwrap();
        (y, statistics)
    });
    // The lengths of steps follow an error that is a small difference, and part by more than rounding.
    assert_eq!((full.1.accepted, full.1.evaluations), (narrow.1.accepted, narrow.1.evaluations));
    assert!(largest_difference(&full.0, &narrow.0) < 1e-11, "{:e}", largest_difference(&full.0, &narrow.0));
    // And it is the motion of the same ring by a method without slopes.
    let (mut ring, mut statistics) = (Ring::new(9, false, false), Statistics::default());
    let (mut y, mut method) = (ring.start(), (find("adams").expect("it").build)(36));
    integrate(&mut *method, &mut ring, (0.0, 1.0), &mut y, &Settings::tolerance(1e-12), &mut statistics, &mut Unobserved).unwrap();
    assert!(largest_difference(&y, &narrow.0) < 1e-7, "{:e}", largest_difference(&y, &narrow.0));
}

#[test]
fn two_thousand_masses_cost_twice_as_much_as_one_thousand() {
    for scheme in schemes() {
        let [one, two] = [1000, 2000].map(|masses| {
            let mut ring = Ring::new(masses, true, false);
            let (y, _, statistics) = swing(&mut ring, scheme, 4);
            assert!(y.iter().all(|y| y.is_finite()) && statistics.accepted == 4);
            let apart = ring.across(&y);
            assert!((apart[0].hypot(apart[1]) - ring.length).abs() < 1e-12, "the rod keeps its length");
            ring.operations.get() as f64 / statistics.evaluations as f64
        });
        assert!((two / one - 2.0).abs() < 0.01 && one < 20.0 * 1000.0, "{scheme:?}: {one} {two}");
    }
    let [one, two] = [1000, 2000].map(|masses| {
        let (mut ring, mut statistics) = (Ring::new(masses, false, false), Statistics::default());
        let (mut y, mut method) = (ring.start(), (find("rosenbrock").expect("it").build)(4 * masses));
        integrate(&mut *method, &mut ring, (0.0, 0.2), &mut y, &equal_steps(0.05), &mut statistics, &mut Unobserved).unwrap();
        assert_eq!((statistics.accepted, statistics.rejected), (4, 0));
        ring.operations.get() as f64
    });
    assert!((two / one - 2.0).abs() < 0.01 && one < 4.0 * 100.0 * 1000.0, "{one} {two}");
}

#[test]
fn a_structured_solve_finds_the_balance_of_the_full_matrix() {
    let [full, narrow] = [true, false].map(|full| {
        let mut ring = Ring::new(9, true, full);
        let start = ring.home.clone();
        equilibrium(&mut ring, 0.0, &start, &[], &Seek::default()).unwrap_or_else(|fault| panic!("{fault}"))
    });
    assert!(largest_difference(&full.q, &narrow.q) < 1e-12, "{:e}", largest_difference(&full.q, &narrow.q));
    assert!((full.lambda[0] - narrow.lambda[0]).abs() < 1e-10, "{:?} {:?}", full.lambda, narrow.lambda);
    assert_eq!((full.iterations, full.free), (narrow.iterations, narrow.free));
    let [a, b] = [full, narrow].map(|found| found.lowest.expect("free directions"));
    assert!((a - b).abs() < 1e-6 * a && a > 0.0, "{a} {b}");
}

#[test]
fn a_structured_solve_names_the_entry_that_is_singular() {
    // Without mass, springs and ground the first pivot is zero.
    let mut ring = Ring::new(5, false, false);
    assert_eq!(ring.assemble(Weights { a: 0.0, b: 0.0, c: 0.0 }, [0.0; 2], 0.0), Err(Trouble::Singular { entry: 0 }));
    // A rod of no length has no direction.
    let mut ring = Ring::new(5, true, false);
    ring.assemble(Weights { a: 1.0, b: 0.0, c: 0.0 }, [0.0; 2], 0.0).unwrap();
    assert_eq!(ring.solve_ring(&mut [0.0; 10], 0.0), Err(Trouble::SingularRow { row: 0 }));
}
