//! A smooth curve through points: cubic segments with one tangent at each point, closed or open.
//! Not here: circles and ellipses, which are exact (`circle`, `ellipse`).
//! In: points, the tension α. Out: the nearest point of all segments.
//!
//! Between points P1 and P2 with neighbours P0 and P3, for ξ from 0 to 1,
//!
//!     s(ξ) = P1 + α (P2 - P0) ξ + (2α P0 + (α-3) P1 + (3-2α) P2 - α P3) ξ² + (-α P0 + (2-α) P1 + (α-2) P2 + α P3) ξ³
//!
//! The tangent is continuous, the curvature jumps at points. A circle of n points with α = 1/2 is too small by about 0.023 (2π/n)⁴ of its
//! radius: use 96 points or more where pressures matter.

use super::{BadTarget, Foot, NotCovered, Side, dot, finite, left_normal, minus};

/// The curve. Its parameter is the number of the segment plus ξ.
#[derive(Clone, Debug, PartialEq)]
pub struct Hermite {
    segments: Vec<Segment>,
    closed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Segment {
    /// Coefficients of 1, ξ, ξ², ξ³.
    a: [[f64; 2]; 4],
    /// A circle around the segment: it holds the control points, so it holds the curve.
    middle: [f64; 2],
    reach: f64,
}

impl Hermite {
    /// The usual α.
    pub const ALPHA: f64 = 0.5;

    /// A closed curve through points in either sense; `side` says where the body is.
    pub fn closed(points: &[[f64; 2]], alpha: f64, side: Side) -> Result<Hermite, BadTarget> {
        check(points, alpha, 3)?;
        let count = points.len();
        for k in 0..count {
            // The tangent at a point is along the way between its neighbours.
            if points[k] == points[(k + 1) % count] || points[k] == points[(k + 2) % count] {
                return Err(BadTarget::SamePoint { point: k });
            }
        }
        let area: f64 = (0..count).map(|k| cross(points[k], points[(k + 1) % count])).sum();
        // The body must lie on the left.
        let ordered: Vec<[f64; 2]> =
            if (area > 0.0) == (side == Side::Solid) { points.to_vec() } else { points.iter().rev().copied().collect() };
        let segments = (0..count).map(|k| Segment::new([k + count - 1, k, k + 1, k + 2].map(|k| ordered[k % count]), alpha)).collect();
        Ok(Hermite { segments, closed: true })
    }

    /// An open curve with the body on its left. The tangents at the ends need a neighbour before the first and one behind the last
    /// point; where none are given, a parabola through three points goes on beyond each end.
    pub fn open(points: &[[f64; 2]], alpha: f64, neighbours: Option<[[f64; 2]; 2]>) -> Result<Hermite, BadTarget> {
        check(points, alpha, 2)?;
        for number in neighbours.iter().flatten().flatten() {
            finite("neighbours", *number)?;
        }
        let count = points.len();
        let beyond = |p: [f64; 2], q: [f64; 2], r: Option<[f64; 2]>| match r {
            Some(r) => [3.0 * (p[0] - q[0]) + r[0], 3.0 * (p[1] - q[1]) + r[1]],
            None => [2.0 * p[0] - q[0], 2.0 * p[1] - q[1]],
        };
        let [before, behind] = neighbours.unwrap_or_else(|| {
            let third = |k: usize| (count > 2).then(|| points[k]);
            [beyond(points[0], points[1], third(2.min(count - 1))), beyond(points[count - 1], points[count - 2], third(count.max(3) - 3))]
        });
        let mut all = vec![before];
        all.extend_from_slice(points);
        all.push(behind);
        for k in 1..=count {
            if all[k - 1] == all[k + 1] || (k < count && all[k] == all[k + 1]) {
                return Err(BadTarget::SamePoint { point: k - 1 });
            }
        }
        let segments = all.windows(4).map(|p| Segment::new([p[0], p[1], p[2], p[3]], alpha)).collect();
        Ok(Hermite { segments, closed: false })
    }

    pub(super) fn nearest(&self, point: [f64; 2], hint: Option<f64>) -> Result<Foot, NotCovered> {
        let count = self.segments.len();
        // The hint says where to begin: a short distance found early rules out most other segments.
        let first = hint.filter(|at| *at >= 0.0 && *at < count as f64).map_or_else(|| self.closest_middle(point), |at| at as usize);
        let mut best = Nearest { segment: first, xi: 0.0, distance: f64::INFINITY };
        for k in 0..count {
            let segment = (first + k) % count;
            let way = minus(self.segments[segment].middle, point);
            if way[0].hypot(way[1]) - self.segments[segment].reach < best.distance {
                self.segments[segment].search(segment, point, &mut best);
            }
        }
        if !self.closed {
            self.check_ends(point, &best)?;
        }
        Ok(self.foot(point, &best))
    }

    fn closest_middle(&self, point: [f64; 2]) -> usize {
        let mut best = (0, f64::INFINITY);
        for (k, segment) in self.segments.iter().enumerate() {
            let way = minus(segment.middle, point);
            if dot(way, way) < best.1 {
                best = (k, dot(way, way));
            }
        }
        best.0
    }

    fn check_ends(&self, point: [f64; 2], best: &Nearest) -> Result<(), NotCovered> {
        let first = best.segment == 0 && best.xi == 0.0;
        let last = best.segment + 1 == self.segments.len() && best.xi == 1.0;
        if !(first || last) {
            return Ok(());
        }
        let segment = &self.segments[best.segment];
        let t = segment.slope(best.xi);
        let beyond = dot(minus(point, segment.point(best.xi)), t) / t[0].hypot(t[1]) * if first { -1.0 } else { 1.0 };
        if beyond > 1e-12 * segment.reach { Err(NotCovered::BeyondEnd { first, by: beyond }) } else { Ok(()) }
    }

    fn foot(&self, point: [f64; 2], best: &Nearest) -> Foot {
        let segment = &self.segments[best.segment];
        let (y, t, bend) = (segment.point(best.xi), segment.slope(best.xi), segment.bend(best.xi));
        let normal = left_normal(t);
        Foot { y, normal, gap: dot(minus(y, point), normal), curvature: dot(bend, normal) / dot(t, t), at: best.segment as f64 + best.xi }
    }
}

/// The best point so far.
struct Nearest {
    segment: usize,
    xi: f64,
    distance: f64,
}

impl Segment {
    fn new([p0, p1, p2, p3]: [[f64; 2]; 4], alpha: f64) -> Segment {
        let mut a = [[0.0; 2]; 4];
        for i in 0..2 {
            a[0][i] = p1[i];
            a[1][i] = alpha * (p2[i] - p0[i]);
            a[2][i] = 2.0 * alpha * p0[i] + (alpha - 3.0) * p1[i] + (3.0 - 2.0 * alpha) * p2[i] - alpha * p3[i];
            a[3][i] = -alpha * p0[i] + (2.0 - alpha) * p1[i] + (alpha - 2.0) * p2[i] + alpha * p3[i];
        }
        let third =
            |p: [f64; 2], from: [f64; 2], to: [f64; 2]| [p[0] + alpha / 3.0 * (to[0] - from[0]), p[1] + alpha / 3.0 * (to[1] - from[1])];
        let control = [p1, third(p1, p0, p2), third(p2, p3, p1), p2];
        let middle = [0, 1].map(|i| 0.25 * control.iter().map(|c| c[i]).sum::<f64>());
        let reach = control.iter().map(|&c| minus(c, middle)).fold(0.0, |r: f64, d| r.max(d[0].hypot(d[1])));
        // A little more, so that rounding never shuts out a point of the curve.
        Segment { a, middle, reach: reach * (1.0 + 1e-12) }
    }

    fn point(&self, xi: f64) -> [f64; 2] {
        [0, 1].map(|i| self.a[0][i] + xi * (self.a[1][i] + xi * (self.a[2][i] + xi * self.a[3][i])))
    }

    fn slope(&self, xi: f64) -> [f64; 2] {
        [0, 1].map(|i| self.a[1][i] + xi * (2.0 * self.a[2][i] + 3.0 * xi * self.a[3][i]))
    }

    fn bend(&self, xi: f64) -> [f64; 2] {
        [0, 1].map(|i| 2.0 * self.a[2][i] + 6.0 * xi * self.a[3][i])
    }

    /// Looks at both ends and at every minimum of the distance between them.
    ///
    /// Half the slope of the squared distance is a polynomial of degree five. Its Bernstein coefficients change sign at least as often
    /// as it has zeros: no change rules a piece out, one change from minus to plus holds exactly one minimum, more are cut in half.
    fn search(&self, segment: usize, point: [f64; 2], best: &mut Nearest) {
        let mut consider = |xi: f64| {
            let way = minus(self.point(xi), point);
            let distance = way[0].hypot(way[1]);
            if distance < best.distance {
                *best = Nearest { segment, xi, distance };
            }
        };
        consider(0.0);
        consider(1.0);
        // Halves that wait; each level of cuts leaves one behind.
        let mut waiting = [([0.0; 6], 0.0, 0.0); DEPTH + 1];
        waiting[0] = (self.slope_of_distance(point), 0.0, 1.0);
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let (b, low, high) = waiting[count];
            let changes = b.windows(2).filter(|w| (w[0] < 0.0) != (w[1] < 0.0)).count();
            if changes == 0 || (changes == 1 && !(b[0] < 0.0)) {
                continue;
            }
            if changes == 1 || high - low < SHORTEST {
                consider(self.minimum_between(point, low, high));
                continue;
            }
            let (left, right) = halves(b);
            let middle = 0.5 * (low + high);
            waiting[count] = (right, middle, high);
            waiting[count + 1] = (left, low, middle);
            count += 2;
        }
    }

    /// Bernstein coefficients of (s - point) · s'.
    fn slope_of_distance(&self, point: [f64; 2]) -> [f64; 6] {
        let s = [minus(self.a[0], point), self.a[1], self.a[2], self.a[3]];
        let mut powers = [0.0; 6];
        for (i, &s_i) in s.iter().enumerate() {
            for (j, &s_j) in s.iter().enumerate().skip(1) {
                powers[i + j - 1] += j as f64 * dot(s_i, s_j);
            }
        }
        // From powers: b_k = sum over i of C(k, i) / C(5, i) p_i.
        const CHOOSE: [[f64; 6]; 6] = [
            [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [1.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            [1.0, 2.0, 1.0, 0.0, 0.0, 0.0],
            [1.0, 3.0, 3.0, 1.0, 0.0, 0.0],
            [1.0, 4.0, 6.0, 4.0, 1.0, 0.0],
            [1.0, 5.0, 10.0, 10.0, 5.0, 1.0],
        ];
        [0, 1, 2, 3, 4, 5].map(|k| (0..=k).map(|i| CHOOSE[k][i] / CHOOSE[5][i] * powers[i]).sum())
    }

    /// Newton's steps on (s - point) · s' = 0, kept between two bounds where it is negative and positive.
    fn minimum_between(&self, point: [f64; 2], mut low: f64, mut high: f64) -> f64 {
        let mut xi = 0.5 * (low + high);
        for _ in 0..100 {
            let (way, t) = (minus(self.point(xi), point), self.slope(xi));
            let slope = dot(way, t);
            if slope < 0.0 {
                low = xi;
            } else {
                high = xi;
            }
            let newton = xi - slope / (dot(t, t) + dot(self.bend(xi), way));
            let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
            let step = (next - xi).abs();
            xi = next;
            if step < 1e-16 {
                break;
            }
        }
        xi
    }
}

/// Pieces are cut in half so often at most; below `SHORTEST` two zeros are one.
const DEPTH: usize = 20;
const SHORTEST: f64 = 1.0 / (1 << (DEPTH - 1)) as f64;

/// Bernstein coefficients of both halves, by de Casteljau.
fn halves(b: [f64; 6]) -> ([f64; 6], [f64; 6]) {
    let (mut row, mut left, mut right) = (b, [0.0; 6], [0.0; 6]);
    for k in 0..6 {
        left[k] = row[0];
        right[5 - k] = row[5 - k];
        for i in 0..5 - k {
            row[i] = 0.5 * (row[i] + row[i + 1]);
        }
    }
    (left, right)
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn check(points: &[[f64; 2]], alpha: f64, needed: usize) -> Result<(), BadTarget> {
    if !(alpha > 0.0 && alpha <= 1.0) {
        return Err(BadTarget::BadNumber { name: "alpha", found: alpha });
    }
    if points.len() < needed {
        return Err(BadTarget::TooFew { found: points.len(), needed });
    }
    for point in points {
        finite("points", point[0])?;
        finite("points", point[1])?;
    }
    Ok(())
}
