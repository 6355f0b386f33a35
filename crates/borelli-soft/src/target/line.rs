//! A straight line: the rigid body lies on its left.
//! Not here: curves.
//! In: two points. Out: the perpendicular foot.

use super::{BadTarget, Foot, NotCovered, dot, finite, left_normal, minus};

/// A straight line. Its parameter is the distance from its first point, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    start: [f64; 2],
    direction: [f64; 2],
    /// None: endless in both directions.
    length: Option<f64>,
}

impl Line {
    /// The part between two points; the body lies on the left of the way from the first to the second.
    pub fn between(from: [f64; 2], to: [f64; 2]) -> Result<Line, BadTarget> {
        let line = Line::through(from, to)?;
        let way = minus(to, from);
        Ok(Line { length: Some(way[0].hypot(way[1])), ..line })
    }

    /// The endless line through two points; the body lies on the left of the way from the first to the second.
    pub fn through(from: [f64; 2], to: [f64; 2]) -> Result<Line, BadTarget> {
        for (name, number) in [("from", from[0]), ("from", from[1]), ("to", to[0]), ("to", to[1])] {
            finite(name, number)?;
        }
        let way = minus(to, from);
        let length = way[0].hypot(way[1]);
        if !(length > 0.0) {
            return Err(BadTarget::SamePoint { point: 0 });
        }
        Ok(Line { start: from, direction: [way[0] / length, way[1] / length], length: None })
    }

    pub(super) fn nearest(&self, point: [f64; 2], _hint: Option<f64>) -> Result<Foot, NotCovered> {
        let at = dot(minus(point, self.start), self.direction);
        if let Some(length) = self.length {
            let rounding = 1e-12 * length;
            if at < -rounding {
                return Err(NotCovered::BeyondEnd { first: true, by: -at });
            }
            if at > length + rounding {
                return Err(NotCovered::BeyondEnd { first: false, by: at - length });
            }
        }
        let y = [self.start[0] + at * self.direction[0], self.start[1] + at * self.direction[1]];
        let normal = left_normal(self.direction);
        Ok(Foot { y, normal, gap: dot(minus(self.start, point), normal), curvature: 0.0, at })
    }
}
