//! Outline of a foot on a surface: the convex hull of its markers, widened.
//! Not here: which plate, when (`plate_foot`).
//! In: points in the plane of a plate, m. Out: whether a point lies in the widened outline.

/// How far the foot reaches beyond its markers, m.
pub const FOOT_MARGIN: f64 = 0.05;

/// A convex polygon in a plane, possibly a line or a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    corners: Vec<[f64; 2]>,
}

fn turn(o: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
}

impl Outline {
    /// Convex hull of points (monotone chain, A. M. Andrew 1979), counter-clockwise.
    pub fn of(points: &[[f64; 2]]) -> Outline {
        let mut sorted = points.to_vec();
        sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        sorted.dedup();
        if sorted.len() < 3 {
            return Outline { corners: sorted };
        }
        let mut corners: Vec<[f64; 2]> = Vec::new();
        for pass in 0..2 {
            let base = corners.len();
            for k in 0..sorted.len() {
                let point = if pass == 0 { sorted[k] } else { sorted[sorted.len() - 1 - k] };
                while corners.len() >= base + 2 && turn(corners[corners.len() - 2], corners[corners.len() - 1], point) <= 0.0 {
                    corners.pop();
                }
                corners.push(point);
            }
            corners.pop();
        }
        Outline { corners }
    }

    /// Distance of a point from the polygon, m; zero inside; infinite for no points. Test: `an_outline_is_widened_evenly`.
    pub fn distance(&self, p: [f64; 2]) -> f64 {
        let n = self.corners.len();
        let inside = n >= 3 && (0..n).all(|k| turn(self.corners[k], self.corners[(k + 1) % n], p) >= 0.0);
        if inside {
            return 0.0;
        }
        (0..n).map(|k| edge_distance(self.corners[k], self.corners[(k + 1) % n], p)).fold(f64::INFINITY, f64::min)
    }
}

fn edge_distance(a: [f64; 2], b: [f64; 2], p: [f64; 2]) -> f64 {
    let (d, e) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let square = d[0] * d[0] + d[1] * d[1];
    let s = if square > 0.0 { ((d[0] * e[0] + d[1] * e[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
    (e[0] - s * d[0]).hypot(e[1] - s * d[1])
}
