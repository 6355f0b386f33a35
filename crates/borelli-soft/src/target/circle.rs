//! A circle: a solid disc touched from outside, or a round cavity touched from inside.
//! Not here: arcs (`hermite`).
//! In: centre, radius, side. Out: the radial foot.

use super::{BadTarget, Foot, NotCovered, Side, finite, minus, positive};

/// A circle. Its parameter is the angle from the carrier's x axis, rad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    centre: [f64; 2],
    radius: f64,
    side: Side,
}

impl Circle {
    /// The circle about a centre.
    pub fn new(centre: [f64; 2], radius: f64, side: Side) -> Result<Circle, BadTarget> {
        finite("centre", centre[0])?;
        finite("centre", centre[1])?;
        Ok(Circle { centre, radius: positive("radius", radius)?, side })
    }

    pub(super) fn nearest(&self, point: [f64; 2], _hint: Option<f64>) -> Result<Foot, NotCovered> {
        let arm = minus(point, self.centre);
        let distance = arm[0].hypot(arm[1]);
        if distance == 0.0 {
            return Err(NotCovered::Ambiguous);
        }
        let out = [arm[0] / distance, arm[1] / distance];
        let sign = self.side.sign();
        Ok(Foot {
            y: [self.centre[0] + self.radius * out[0], self.centre[1] + self.radius * out[1]],
            normal: [-sign * out[0], -sign * out[1]],
            gap: sign * (distance - self.radius),
            curvature: sign / self.radius,
            at: out[1].atan2(out[0]),
        })
    }
}
