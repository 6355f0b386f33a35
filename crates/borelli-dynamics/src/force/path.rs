//! Paths: straight lines from place to place along which elements pull. Shared by the path laws; no law itself.
//! Not here: what makes the tension.
//! In: a `Scene`; then the sum of tensions of each path. Out: lengths and rates; the forces of the tensions on bodies.
//!
//! For a path over points 1 … n with dᵢ = pᵢ₊₁ − pᵢ, lᵢ = ‖dᵢ‖ and unit vectors eᵢ = dᵢ/lᵢ:
//!
//! ```text
//! l = Σ lᵢ        l̇ = Σ eᵢ·(vᵢ₊₁ − vᵢ)                                                      (1)
//! f₁ = N e₁        fᵢ = N (eᵢ − eᵢ₋₁)        fₙ = −N eₙ₋₁                                     (2)
//! ```
//!
//! | l path length m | l̇ its rate m/s | N tension, positive when it shortens the path, N | fᵢ force on the body of point i, N |
//!
//! The power of (2) is −N l̇: lengths, rates and forces belong to one virtual work. The tension is the same along the path (no friction at
//! via points).
//!
//! Limits: a segment of zero length has no direction. Its unit vector is taken as zero: it adds nothing to l and l̇ and pulls at nothing, so
//! that nothing becomes NaN. Across such an instant the forces of (2) jump to the other side; the law N = c l̇ of a dashpot, f = −c e eᵀ v, does
//! not see the sign of e and goes on smoothly but for the instant itself.
//!
//! Source: elementary. Tests: `every_path_law_acts_and_reacts`, `the_rate_of_a_path_is_the_slope_of_its_length`,
//! `a_segment_of_zero_length_pulls_at_nothing`.

use crate::scene::{Point, Scene};
use borelli_math::{Constant, Real, Vec3};
use borelli_model::{Field, FieldKind, Need};

/// The field `path` of every path law.
pub(super) const PATH: Field = Field { name: "path", kind: FieldKind::Path, need: Need::Required, doc: "path it pulls along" };

/// Length and unit vector from `a` to `b`; none where they coincide.
#[inline]
pub(super) fn segment<S: Real>(a: &Point<S>, b: &Point<S>) -> Option<(S, Vec3<S>)> {
    let d = b.p_W - a.p_W;
    let square = d.dot(d);
    // Compared with zero exactly, so that NaN is not taken for a missing segment.
    if square.value() == 0.0 {
        return None;
    }
    let length = square.sqrt();
    Some((length, d.scale(length.recip())))
}

/// A straight piece of a path.
#[derive(Clone, Copy, Debug)]
pub struct Segment<S> {
    /// Where it begins and ends.
    pub ends: [Point<S>; 2],
    /// Length, m.
    pub length: S,
    /// Unit vector from the first end to the second, or zero where they coincide.
    pub e: Vec3<S>,
}

/// Paths at one instant: found once, and shared by all laws along them.
#[derive(Clone, Debug)]
pub struct Lines<S> {
    /// Length of each path, m. Filled by `fill`.
    pub length: Vec<S>,
    /// Rate of each length, m/s. Filled by `fill`.
    pub rate: Vec<S>,
    /// Sum of the tensions of the laws along each path, N. Filled by `Forces::apply`.
    pub pulled: Vec<S>,
    /// The same with the tension of elements that pull at the path's ends by themselves, for reports.
    pub tension: Vec<S>,
    /// Segments of all paths. Filled by `fill`.
    segments: Vec<Segment<S>>,
    /// First segment of each path, and one past the last.
    start: Vec<u32>,
    /// Paths over nodes of soft parts, which pull at nothing here: length and rate as given from outside.
    given: Vec<(u32, [S; 2])>,
}

impl<S: Real> Lines<S> {
    /// Memory for paths given as lists of places.
    pub fn new(paths: &[Vec<u32>]) -> Self {
        let nowhere = Point { body: 0, r_W: Vec3::ZERO, p_W: Vec3::ZERO, v_W: Vec3::ZERO };
        let mut start = vec![0];
        for path in paths {
            start.push(start[start.len() - 1] + path.len().saturating_sub(1) as u32);
        }
        let segments = start[paths.len()] as usize;
        let zeros = vec![S::ZERO; paths.len()];
        Lines {
            length: zeros.clone(),
            rate: zeros.clone(),
            pulled: zeros.clone(),
            tension: zeros,
            segments: vec![Segment { ends: [nowhere; 2], length: S::ZERO, e: Vec3::ZERO }; segments],
            start,
            given: Vec::new(),
        }
    }

    /// Length and rate of a path that runs over nodes of soft parts, for all looks until they are given anew.
    pub fn give(&mut self, path: u32, along: [S; 2]) {
        match self.given.iter_mut().find(|(known, _)| *known == path) {
            Some((_, own)) => *own = along,
            None => self.given.push((path, along)),
        }
    }

    /// Segments of a path.
    #[inline(always)]
    pub fn segments(&self, path: usize) -> &[Segment<S>] {
        &self.segments[self.start[path] as usize..self.start[path + 1] as usize]
    }

    /// Equation (1) for every path, with or without an element on it; nothing pulls yet.
    #[inline]
    pub(super) fn fill<C: Constant<S>>(&mut self, scene: &Scene<S, C>) {
        let mut next = 0;
        for (path, places) in scene.numbers.paths.iter().enumerate() {
            let (mut length, mut rate) = (S::ZERO, S::ZERO);
            let mut places = places.iter();
            if let Some(first) = places.next() {
                let mut a = scene.point(*first);
                for place in places {
                    let b = scene.point(*place);
                    let (l, e) = segment(&a, &b).unwrap_or((S::ZERO, Vec3::ZERO));
                    length += l;
                    rate += e.dot(b.v_W - a.v_W);
                    self.segments[next] = Segment { ends: [a, b], length: l, e };
                    next += 1;
                    a = b;
                }
            }
            (self.length[path], self.rate[path], self.pulled[path]) = (length, rate, S::ZERO);
        }
        for (path, [length, rate]) in &self.given {
            (self.length[*path as usize], self.rate[*path as usize]) = (*length, *rate);
        }
    }

    /// Equation (2): pulls along every path with the sum of the tensions of its laws.
    #[inline]
    pub(super) fn pull(&mut self, force: &mut [Vec3<S>], moment: &mut [Vec3<S>]) {
        self.tension.copy_from_slice(&self.pulled);
        for (path, tension) in self.pulled.iter().enumerate() {
            for Segment { ends: [a, b], e, .. } in self.segments(path) {
                let f = e.scale(*tension);
                force[a.body] += f;
                moment[a.body] += a.r_W.cross(f);
                force[b.body] -= f;
                moment[b.body] -= b.r_W.cross(f);
            }
        }
    }
}
