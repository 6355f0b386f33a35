//! A string over several obstacles, or over surfaces without closed forms: one Newton iteration for all of them.
//! Not here: shapes and geodesics. In: two points, obstacles with their poses between them. Out: where the string touches, and how that changes.
//!
//! Unknown of each obstacle that is touched: a shift δs along t and δβ along b of T1, a turn δθ there, and a change δℓ of the arc. With a, a', ρ, ρ' of the arc
//!
//! ```text
//! T1: δx = t δs + b δβ    δn = (κδs + τδβ) t + (τδs + κ_b δβ) b    δb = −(τδs + κ_b δβ) n − t δθ                      (1)
//! T2: the same with δs → δs + δℓ,  δβ → a δβ + ρ δθ,  δθ → a' δβ + ρ' δθ                                         (2)
//! 0 = e_in·n₁ = e_in·b₁ = e_out·n₂ = e_out·b₂        δe = (1 − e eᵀ)(δx_end − δx_begin)/l                        (3)
//! ```
//!
//! After convergence one step in the numbers of the caller, with the matrix of plain numbers, carries their slopes (implicit function theorem). The
//! string is the shortest near it as long as the lateral field that starts at P, j = l₁ a + ρ, j' = l₁ a' + ρ' behind one obstacle, stays positive
//! up to Q; where it vanishes the matrix is singular and the string slides off. Which obstacles are touched is found by closed forms, each between
//! its neighbours, in turn; the search begins there, or at the geodesic that the last one ended with if that is near, for whose first step no other
//! must be followed. Whatever it begins with, it ends with a last step from one and the same geodesic (`Start::on_grid`): the same string to the
//! bit. Source: Scholz et al. 2016. Departure: matrices are dense, since a string meets few obstacles at once.
//! Tests: `the_table_of_an_ellipsoid_is_met`, `the_table_of_two_obstacles_is_met`, `a_warm_start_changes_no_answer`.

use super::geodesic::{Jacobi, follow};
use super::surface::Lay;
use super::{Bend, MOST, Manner, Obstacle, Pose, Trouble, bend};
use borelli_math::{Real, Vec3};

/// Unknown of all obstacles.
const WIDTH: usize = 4 * MOST;
/// Newton's iterations before a string is said not to be found.
const ITERATIONS: usize = 40;
/// A step below this, in rad, is the last: what it misses is of the order of its square, and fields of the geodesic before it are right to about so much, on which
/// slopes depend. With slopes one more is taken in the numbers of the caller.
const SMALL: f64 = 3e-9;
/// Geodesics begin at points, directions and lengths that are multiples of this part of the obstacle's size: a search ends with the multiples next
/// to the string, and its last step from there, to the bit, wherever it began. Less than `SMALL` by so much that the way from the nearest multiples
/// is a last step.
const GRID: f64 = 1.0 / (1 << 30) as f64;
/// A step turns no more than this, rad.
const LARGEST: f64 = 0.4;
/// A remembered start is taken where both of its ends are this near to those of a fresh one, in parts of the obstacle's size.
const NEAR: f64 = 0.4;
/// Rounds of closed forms, each obstacle between its neighbours, before Newton's iteration, and how near they come, in parts of an obstacle's size.
const ROUNDS: usize = 60;
const ROUGH: f64 = 1e-6;

/// An obstacle between the two points of a string.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Met<S> {
    pub(crate) obstacle: Obstacle<S>,
    pub(crate) manner: Manner<S>,
    pub(crate) pose: Pose<S>,
}

impl<S: Real> Met<S> {
    fn values(&self) -> Met<f64> {
        Met { obstacle: self.obstacle.map(&mut |x| x.value()), manner: self.manner.map(&mut |x| x.value()), pose: self.pose.values() }
    }

    fn bend(&self, from: Vec3<S>, to: Vec3<S>) -> Result<Option<Bend<S>>, Trouble> {
        bend(&self.obstacle, &self.manner, self.pose.inside(from), self.pose.inside(to))
    }

    /// How the string touches, by a closed form.
    pub(crate) fn touch(&self, from: Vec3<S>, to: Vec3<S>) -> Result<Option<Touch<S>>, Trouble> {
        let outside = |Bend { ends, arc, turn }: Bend<S>| Touch { ends: ends.map(|x| self.pose.outside(x)), arc, turn, jacobi: [0.0; 4] };
        Ok(self.bend(from, to)?.map(outside))
    }
}

/// How a string touches an obstacle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch<S> {
    /// T1 and T2 in space, m.
    pub(crate) ends: [Vec3<S>; 2],
    /// Length on the surface, m.
    pub(crate) arc: S,
    /// Angle by which the string turns on it, rad.
    pub(crate) turn: f64,
    /// a, a', ρ, ρ' at T2, where the surface has no closed form.
    pub(crate) jacobi: Jacobi<f64>,
}

impl<S: Real> Touch<S> {
    pub(crate) fn values(&self) -> Touch<f64> {
        Touch { ends: self.ends.map(|x| x.values()), arc: self.arc.value(), turn: self.turn, jacobi: self.jacobi }
    }
}

impl Met<f64> {
    /// Points between T1 and T2 on the surface, for drawings, with the direction in which the string comes.
    pub(crate) fn drawn(&self, touch: &Touch<f64>, e: Vec3<f64>, count: usize) -> Vec<Vec3<f64>> {
        let start = Lay::at(&self.obstacle, self.pose.inside(touch.ends[0]), self.pose.R.transpose_mul(e));
        let part = touch.arc / (count + 1) as f64;
        let points = (1..=count).filter_map(|k| follow(&self.obstacle, &start, part * k as f64));
        points.map(|(lay, _)| self.pose.outside(lay.x)).collect()
    }
}

/// A geodesic by its start, in the frame of its obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Start {
    x: Vec3<f64>,
    t: Vec3<f64>,
    length: f64,
}

impl Start {
    /// The nearest one on the grid of an obstacle of this size. The direction is a unit vector.
    fn on_grid(&self, size: f64) -> Start {
        // Adding 1.5 · 2⁵² multiples and taking them away leaves the nearest one; the size is taken as the power of two below it.
        let many = |size: f64| 1.5 * (1u64 << 52) as f64 * GRID * size;
        let near = |x: f64, many: f64| (x + many) - many;
        let power_of_two = f64::from_bits(size.to_bits() & (0x7ff << 52));
        let [lengths, directions] = [power_of_two, 1.0].map(many);
        let all = |v: Vec3<f64>, many: f64| Vec3::from_array(v.to_array().map(|x| near(x, many)));
        Start { x: all(self.x, lengths), t: all(self.t, directions), length: near(self.length, lengths) }
    }
}

/// A geodesic that was followed, in the frame of its obstacle: where a search begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    start: Start,
    arc: Arc<f64>,
}

impl Known {
    /// Follows the geodesic from a start on the grid.
    fn draw(obstacle: &Obstacle<f64>, start: Start) -> Option<Known> {
        Arc::draw(obstacle, &start).map(|arc| Known { start, arc })
    }
}

/// How the string lies on one obstacle: at both ends, in space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc<S> {
    ends: [Lay<S>; 2],
    jacobi: Jacobi<f64>,
}

impl<S: Real> Arc<S> {
    /// In the frame of the obstacle.
    fn draw(obstacle: &Obstacle<S>, start: &Start) -> Option<Self> {
        let first = Lay::at(obstacle, lifted(start.x), lifted(start.t));
        let (last, jacobi) = follow(obstacle, &first, S::from_f64(start.length))?;
        Some(Arc { ends: [first, last], jacobi: jacobi.map(Real::value) })
    }

    /// In space.
    fn outside(&self, pose: &Pose<S>) -> Self {
        Arc { ends: [self.ends[0].outside(pose), self.ends[1].outside(pose)], jacobi: self.jacobi }
    }

    /// Changes of point, normal and binormal at both ends by one of the four unknowns.
    fn varied(&self, unknown: usize) -> [[Vec3<f64>; 3]; 2] {
        let mut z = [0.0; 4];
        z[unknown] = 1.0;
        let [a, a1, r, r1] = self.jacobi;
        let [first, last] = &self.ends;
        [first.varied(z[0], z[1], z[2]), last.varied(z[0] + z[3], a * z[1] + r * z[2], a1 * z[1] + r1 * z[2])]
    }

    /// How both ends move on the surface by a change of the unknowns.
    fn slip(&self, z: &[S]) -> [Vec3<S>; 2] {
        let [a, _, r, _] = self.jacobi;
        let [first, last] = &self.ends;
        [first.t.scale(z[0]) + first.b.scale(z[1]), last.t.scale(z[0] + z[3]) + last.b.scale(z[1] * a + z[2] * r)]
    }
}

impl Arc<f64> {
    /// In the numbers of the caller.
    fn lifted<S: Real>(&self) -> Arc<S> {
        Arc { ends: [self.ends[0].lifted(), self.ends[1].lifted()], jacobi: self.jacobi }
    }

    /// The arc of a string that was found: between straight parts along the unit vectors `e`.
    pub(crate) fn of(met: &Met<f64>, touch: &Touch<f64>, e: [Vec3<f64>; 2]) -> Self {
        let lay = |k: usize| {
            let (x, along) = (met.pose.inside(touch.ends[k]), met.pose.R.transpose_mul(e[k]));
            Lay::at(&met.obstacle, x, along).outside(&met.pose)
        };
        let jacobi = match met.obstacle {
            Obstacle::Sphere { radius } => {
                let (s, c) = (touch.arc / radius).sin_cos();
                [c, -s / radius, radius * s, c]
            }
            Obstacle::Cylinder { .. } => [1.0, 0.0, touch.arc, 1.0],
            _ => touch.jacobi,
        };
        Arc { ends: [lay(0), lay(1)], jacobi }
    }
}

fn lifted<S: Real>(v: Vec3<f64>) -> Vec3<S> {
    Vec3::from_array(v.to_array().map(S::from_f64))
}

/// A straight part: unit vector and length.
#[inline(always)]
fn straight<S: Real>(from: Vec3<S>, to: Vec3<S>) -> (Vec3<S>, S) {
    let d = to - from;
    let length = d.norm();
    (d.scale(length.recip()), length)
}

/// The straight part before each arc, and that behind the last.
fn part<S: Real>(k: usize, from: Vec3<S>, arcs: &[Arc<S>], to: Vec3<S>) -> (Vec3<S>, S) {
    let begin = if k == 0 { from } else { arcs[k - 1].ends[1].x };
    straight(begin, arcs.get(k).map_or(to, |arc| arc.ends[0].x))
}

/// What is left of (3).
fn errors<S: Real>(from: Vec3<S>, arcs: &[Arc<S>], to: Vec3<S>) -> [S; WIDTH] {
    let mut r = [S::ZERO; WIDTH];
    for k in 0..=arcs.len() {
        let (e, _) = part(k, from, arcs, to);
        if k > 0 {
            let Lay { n, b, .. } = arcs[k - 1].ends[1];
            (r[4 * k - 2], r[4 * k - 1]) = (e.dot(n), e.dot(b));
        }
        if k < arcs.len() {
            let Lay { n, b, .. } = arcs[k].ends[0];
            (r[4 * k], r[4 * k + 1]) = (e.dot(n), e.dot(b));
        }
    }
    r
}

/// The matrix of (3) by the unknowns of (1) and (2), factored, for a string over arcs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tie {
    n: usize,
    matrix: [[f64; WIDTH]; WIDTH],
    pivot: [usize; WIDTH],
}

/// How what holds a string moves: a point, and for an obstacle the turn of its frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    /// Displacement of T1 and T2, as points fixed to the obstacle.
    pub(crate) ends: [Vec3<f64>; 2],
    /// Turn of the obstacle.
    pub(crate) turn: Vec3<f64>,
}

impl Tie {
    const EMPTY: Tie = Tie { n: 0, matrix: [[0.0; WIDTH]; WIDTH], pivot: [0; WIDTH] };

    /// Nothing where the matrix is singular.
    pub(crate) fn new<S: Real>(from: Vec3<S>, arcs: &[Arc<S>], to: Vec3<S>) -> Option<Self> {
        let mut tie = Tie::EMPTY;
        tie.set(from, arcs, to).then_some(tie)
    }

    /// Sets the matrix and factors it; false where it is singular.
    fn set<S: Real>(&mut self, from: Vec3<S>, arcs: &[Arc<S>], to: Vec3<S>) -> bool {
        self.n = 4 * arcs.len();
        (0..self.n).for_each(|row| self.matrix[row][..4 * arcs.len()].fill(0.0));
        for (k, arc) in arcs.iter().enumerate() {
            let parts = [part(k, from, arcs, to), part(k + 1, from, arcs, to)].map(|(e, length)| (e.values(), length.value()));
            for unknown in 0..4 {
                let column = 4 * k + unknown;
                for (side, [dx, dn, db]) in arc.varied(unknown).into_iter().enumerate() {
                    let (e, length) = parts[side];
                    // The part before an obstacle ends at its T1, the part behind it begins at its T2.
                    let sign = if side == 0 { 1.0 } else { -1.0 };
                    let de = (dx - e.scale(e.dot(dx))).scale(sign / length);
                    let own = 4 * k + 2 * side;
                    self.matrix[own][column] += e.dot(dn);
                    self.matrix[own + 1][column] += e.dot(db);
                    for (row, lay) in Self::of_part(k + side, arcs) {
                        self.matrix[row][column] += de.dot(lay.n.values());
                        self.matrix[row + 1][column] += de.dot(lay.b.values());
                    }
                }
            }
        }
        self.factor()
    }

    /// Rows that see a straight part: those of T2 where it begins and of T1 where it ends.
    fn of_part<S: Real>(part: usize, arcs: &[Arc<S>]) -> impl Iterator<Item = (usize, &Lay<S>)> {
        let begin = part.checked_sub(1).map(|k| (4 * k + 2, &arcs[k].ends[1]));
        let end = arcs.get(part).map(|arc| (4 * part, &arc.ends[0]));
        begin.into_iter().chain(end)
    }

    /// Gauss with row pivots.
    fn factor(&mut self) -> bool {
        let n = self.n;
        for k in 0..n {
            let best = (k..n).max_by(|a, b| self.matrix[*a][k].abs().total_cmp(&self.matrix[*b][k].abs())).unwrap_or(k);
            self.pivot[k] = best;
            self.matrix.swap(k, best);
            let pivot = self.matrix[k][k];
            if !(pivot.abs() > 1e-300) {
                return false;
            }
            for i in k + 1..n {
                let factor = self.matrix[i][k] / pivot;
                self.matrix[i][k] = factor;
                if factor != 0.0 {
                    for j in k + 1..n {
                        self.matrix[i][j] -= factor * self.matrix[k][j];
                    }
                }
            }
        }
        true
    }

    /// The change of the unknowns that takes errors away, in place of them.
    fn correct<S: Real>(&self, r: &mut [S; WIDTH]) {
        let n = self.n;
        (0..n).for_each(|k| r.swap(k, self.pivot[k]));
        for i in 0..n {
            (0..i).for_each(|j| r[i] -= r[j] * self.matrix[i][j]);
        }
        for i in (0..n).rev() {
            (i + 1..n).for_each(|j| r[i] -= r[j] * self.matrix[i][j]);
            r[i] = r[i] * (1.0 / self.matrix[i][i]);
        }
        (0..n).for_each(|k| r[k] = -r[k]);
    }

    /// How T1 and T2 of each arc move on their obstacles when these and the ends of the string are carried along.
    pub(crate) fn slips(
        &self,
        (from, d_from): (Vec3<f64>, Vec3<f64>),
        arcs: &[Arc<f64>],
        carried: &[Carried],
        (to, d_to): (Vec3<f64>, Vec3<f64>),
    ) -> [[Vec3<f64>; 2]; MOST] {
        let mut r = [0.0; WIDTH];
        for k in 0..=arcs.len() {
            let (e, length) = part(k, from, arcs, to);
            let begin = if k == 0 { d_from } else { carried[k - 1].ends[1] };
            let d = carried.get(k).map_or(d_to, |own| own.ends[0]) - begin;
            let de = (d - e.scale(e.dot(d))).scale(1.0 / length);
            for (row, lay) in Self::of_part(k, arcs) {
                let turn = carried[row / 4].turn;
                r[row] = de.dot(lay.n) + e.dot(turn.cross(lay.n));
                r[row + 1] = de.dot(lay.b) + e.dot(turn.cross(lay.b));
            }
        }
        self.correct(&mut r);
        std::array::from_fn(|k| arcs.get(k).map_or([Vec3::ZERO; 2], |arc| arc.slip(&r[4 * k..][..4])))
    }
}

/// Whether the string is the shortest near it: the lateral field that starts at its first point has no zero up to the last.
fn is_shortest<S: Real>(from: Vec3<S>, arcs: &[Arc<S>], to: Vec3<S>) -> bool {
    let (mut j, mut slope) = (0.0, 1.0);
    for k in 0..=arcs.len() {
        j += part(k, from, arcs, to).1.value() * slope;
        if j <= 0.0 {
            return false;
        }
        if let Some(Arc { jacobi: [a, a1, r, r1], .. }) = arcs.get(k) {
            (j, slope) = (a * j + r * slope, a1 * j + r1 * slope);
        }
    }
    true
}

/// Where a string touches obstacles, one entry for each.
pub(crate) type Wound<S> = [Option<Touch<S>>; MOST];

/// Last point before, and first point behind an obstacle, on what is touched or the ends of the string.
fn neighbours(ends: [Vec3<f64>; 2], touches: &Wound<f64>, k: usize) -> [Vec3<f64>; 2] {
    let before = touches[..k].iter().rev().flatten().next().map_or(ends[0], |touch| touch.ends[1]);
    [before, touches[k + 1..].iter().flatten().next().map_or(ends[1], |touch| touch.ends[0])]
}

/// Where a string from `from` to `to` touches one or more obstacles; `memory` holds where the last search ended, one entry for each.
pub(crate) fn wind<S: Real>(from: Vec3<S>, met: &[Met<S>], to: Vec3<S>, memory: &mut [Option<Known>]) -> Result<Wound<S>, Trouble> {
    let plain: [Met<f64>; MOST] = std::array::from_fn(|k| met[k.min(met.len() - 1)].values());
    let ends = [from.values(), to.values()];
    let mut touches = rounds(ends, &plain[..met.len()])?;
    // Each obstacle may come or go once, and once more.
    for _ in 0..=2 * met.len() {
        let mut out = [None; MOST];
        let first = touches.iter().position(Option::is_some);
        match (touches.iter().flatten().count(), first) {
            (0, _) | (_, None) => {
                memory.fill(None);
                return Ok(out);
            }
            (1, Some(k)) if met[k].obstacle.is_closed() => out[k] = met[k].touch(from, to)?,
            _ => match newton(from, met, to, &plain[..met.len()], &touches, memory)? {
                Ok(found) => out = found,
                Err(gone) => {
                    touches[gone] = None;
                    continue;
                }
            },
        }
        // Those that are free must be free of the string that was found.
        let found: Wound<f64> = std::array::from_fn(|k| out[k].as_ref().map(Touch::values));
        let mut come = false;
        for k in (0..met.len()).filter(|k| found[*k].is_none()) {
            let [before, behind] = neighbours(ends, &found, k);
            let touch = plain[k].touch(before, behind)?;
            if let Some(touch) = touch.filter(|touch| touch.arc > ROUGH * plain[k].obstacle.size()) {
                touches = found;
                (touches[k], come) = (Some(touch), true);
                break;
            }
        }
        if !come {
            // Where obstacles reach into each other the way would lead along their seam, which is no geodesic of either.
            let inside = |k: usize, x: Vec3<f64>| plain[k].obstacle.holds(plain[k].pose.inside(x));
            let crossed =
                |k: usize| found.iter().enumerate().any(|(i, own)| i != k && own.is_some_and(|own| own.ends.iter().any(|x| inside(k, *x))));
            return if (0..met.len()).any(crossed) { Err(Trouble::ThroughAnother) } else { Ok(out) };
        }
    }
    Err(Trouble::NotFound)
}

/// Closed forms, each obstacle between its neighbours, until nothing moves: what is touched, and about where.
fn rounds(ends: [Vec3<f64>; 2], met: &[Met<f64>]) -> Result<Wound<f64>, Trouble> {
    let mut touches = [None; MOST];
    for _ in 0..ROUNDS {
        let mut change = 0.0_f64;
        for (k, own) in met.iter().enumerate() {
            let [before, behind] = neighbours(ends, &touches, k);
            let found = own.touch(before, behind)?;
            change = change.max(match (&found, &touches[k]) {
                (Some(new), Some(old)) => {
                    let moved = |i: usize| (new.ends[i] - old.ends[i]).norm();
                    moved(0).max(moved(1)) / own.obstacle.size()
                }
                (None, None) => 0.0,
                _ => 1.0,
            });
            touches[k] = found;
        }
        if met.len() == 1 || change < ROUGH {
            break;
        }
    }
    Ok(touches)
}

/// Where the search for a geodesic begins: at the one that the last search ended with if that is near, else at the closed form.
fn begin(met: &Met<f64>, touch: &Touch<f64>, before: Vec3<f64>, memory: &Option<Known>) -> Option<Known> {
    let ends = touch.ends.map(|x| met.pose.inside(x));
    let near = NEAR * met.obstacle.size();
    if let Some(known) = memory
        && (0..2).all(|k| (known.arc.ends[k].x - ends[k]).norm() < near)
    {
        return Some(*known);
    }
    let along = ends[0] - met.pose.inside(before);
    let start = Start { x: ends[0], t: along.scale(1.0 / along.norm()), length: touch.arc };
    Known::draw(&met.obstacle, start.on_grid(met.obstacle.size()))
}

/// Newton's iteration over the obstacles that are touched; or the one that is touched no longer.
fn newton<S: Real>(
    from: Vec3<S>,
    met: &[Met<S>],
    to: Vec3<S>,
    plain: &[Met<f64>],
    touches: &Wound<f64>,
    memory: &mut [Option<Known>],
) -> Result<Result<Wound<S>, usize>, Trouble> {
    let ends = [from.values(), to.values()];
    let (mut which, mut count) = ([0; MOST], 0);
    let mut knowns: [Option<Known>; MOST] = [None; MOST];
    for (k, touch) in touches.iter().enumerate() {
        if let Some(touch) = touch {
            let [before, _] = neighbours(ends, touches, k);
            knowns[count] = begin(&plain[k], touch, before, &memory[k]);
            which[count] = k;
            count += 1;
        }
    }
    let which = &which[..count];
    let (mut tie, mut nearly) = (Tie::EMPTY, false);
    for _ in 0..ITERATIONS {
        let Some(first) = &knowns[0] else { return Err(Trouble::NotFound) };
        let alone = [first.arc.outside(&plain[which[0]].pose)];
        let together: [Arc<f64>; MOST];
        // Arcs are long lists of numbers, of which a string over one obstacle needs no more.
        let arcs = if count == 1 {
            &alone[..]
        } else {
            together = std::array::from_fn(|i| match (which.get(i), &knowns[i]) {
                (Some(k), Some(known)) => known.arc.outside(&plain[*k].pose),
                _ => alone[0],
            });
            &together[..count]
        };
        if !tie.set(ends[0], arcs, ends[1]) {
            return Err(Trouble::SlidesOff);
        }
        let mut z = errors(ends[0], arcs, ends[1]);
        tie.correct(&mut z);
        let largest = (0..count).map(|i| {
            let size = plain[which[i]].obstacle.size();
            let [s, beta, theta, length] = [0, 1, 2, 3].map(|u| z[4 * i + u].abs());
            (s.max(beta).max(length) / size).max(theta)
        });
        let largest = largest.fold(0.0, f64::max);
        if !largest.is_finite() {
            return Err(Trouble::NotFound);
        }
        let damped = if largest > LARGEST { LARGEST / largest } else { 1.0 };
        let (mut starts, mut on_grid, mut stays) = ([first.start; MOST], [first.start; MOST], true);
        for i in 0..count {
            let Some(Known { start, arc }) = &knowns[i] else { return Err(Trouble::NotFound) };
            let lay = &arc.ends[0];
            let [s, beta, theta, length] = [0, 1, 2, 3].map(|u| damped * z[4 * i + u]);
            let [dx, _, _] = lay.varied(s, beta, theta);
            let [along, twist, _] = lay.curved;
            let dt = lay.b.scale(theta) - lay.n.scale(along * s + twist * beta);
            starts[i] = Start { x: lay.x + dx, t: lay.t + dt, length: start.length + length };
            on_grid[i] = starts[i].on_grid(plain[which[i]].obstacle.size());
            stays &= on_grid[i] == *start;
        }
        // Halfway between two multiples rounding may lead from each to the other: the second small step is the last.
        if largest < SMALL && (stays || nearly) {
            (0..count).for_each(|i| memory[which[i]] = knowns[i]);
            (0..met.len()).filter(|k| !which.contains(k)).for_each(|k| memory[k] = None);
            if !S::PLAIN {
                return finish(from, met, to, which, &starts);
            }
            let lengths: [f64; MOST] = std::array::from_fn(|i| knowns[i].map_or(0.0, |known| known.start.length));
            let z: [S; WIDTH] = z.map(S::from_f64);
            if let [arc] = arcs {
                return wound(from, &[arc.lifted()], to, which, &lengths, &z);
            }
            let arcs: [Arc<S>; MOST] = std::array::from_fn(|i| arcs[i.min(count - 1)].lifted());
            return wound(from, &arcs[..count], to, which, &lengths, &z);
        }
        nearly = largest < SMALL;
        for i in 0..count {
            knowns[i] = Known::draw(&plain[which[i]].obstacle, on_grid[i]);
        }
    }
    Err(Trouble::NotFound)
}

/// One more step, in the numbers of the caller.
fn finish<S: Real>(
    from: Vec3<S>,
    met: &[Met<S>],
    to: Vec3<S>,
    which: &[usize],
    starts: &[Start; MOST],
) -> Result<Result<Wound<S>, usize>, Trouble> {
    let draw = |i: usize| Some(Arc::draw(&met[*which.get(i)?].obstacle, &starts[i])?.outside(&met[which[i]].pose));
    let first = draw(0).ok_or(Trouble::NotFound)?;
    let mut all = [first; MOST];
    for (i, arc) in all.iter_mut().enumerate().take(which.len()).skip(1) {
        *arc = draw(i).ok_or(Trouble::NotFound)?;
    }
    let arcs = &all[..which.len()];
    let tie = Tie::new(from, arcs, to).ok_or(Trouble::SlidesOff)?;
    let mut z = errors(from, arcs, to);
    tie.correct(&mut z);
    wound(from, arcs, to, which, &starts.map(|start| start.length), &z)
}

/// The string behind the last step; or the obstacle that is touched no longer.
fn wound<S: Real>(
    from: Vec3<S>,
    arcs: &[Arc<S>],
    to: Vec3<S>,
    which: &[usize],
    lengths: &[f64; MOST],
    z: &[S; WIDTH],
) -> Result<Result<Wound<S>, usize>, Trouble> {
    if let Some(gone) = (0..which.len()).find(|i| lengths[*i] + z[4 * i + 3].value() < 0.0) {
        return Ok(Err(which[gone]));
    }
    if !is_shortest(from, arcs, to) {
        return Err(Trouble::SlidesOff);
    }
    let mut out = [None; MOST];
    for (i, &k) in which.iter().enumerate() {
        let [first, last] = arcs[i].slip(&z[4 * i..][..4]);
        let [a, b] = &arcs[i].ends;
        let turn = a.t.dot(b.t).value().clamp(-1.0, 1.0).acos();
        out[k] = Some(Touch { ends: [a.x + first, b.x + last], arc: z[4 * i + 3] + lengths[i], turn, jacobi: arcs[i].jacobi });
    }
    Ok(Ok(out))
}
