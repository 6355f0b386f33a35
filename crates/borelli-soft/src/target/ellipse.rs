//! An ellipse: solid or a cavity.
//! Not here: general smooth curves (`hermite`).
//! In: centre, half axes, angle, side. Out: the nearest point, by a bracketed search that has exactly one answer.

use super::{BadTarget, Foot, NotCovered, Side, dot, finite, minus, positive};
use std::f64::consts::FRAC_PI_2;

/// An ellipse. Its parameter is the eccentric angle, rad: the point is (a cos φ, b sin φ) along its axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    centre: [f64; 2],
    half_axes: [f64; 2],
    /// Cosine and sine of the angle from the carrier's x axis to the first half axis.
    turn: [f64; 2],
    side: Side,
}

impl Ellipse {
    /// The ellipse with two half axes; `angle` turns the first one from the carrier's x axis.
    pub fn new(centre: [f64; 2], half_axes: [f64; 2], angle: f64, side: Side) -> Result<Ellipse, BadTarget> {
        finite("centre", centre[0])?;
        finite("centre", centre[1])?;
        positive("half axis", half_axes[0])?;
        positive("half axis", half_axes[1])?;
        let (s, c) = finite("angle", angle)?.sin_cos();
        Ok(Ellipse { centre, half_axes, turn: [c, s], side })
    }

    pub(super) fn nearest(&self, point: [f64; 2], _hint: Option<f64>) -> Result<Foot, NotCovered> {
        let [c, s] = self.turn;
        let arm = minus(point, self.centre);
        let local = [c * arm[0] + s * arm[1], -s * arm[0] + c * arm[1]];
        let [a, b] = self.half_axes;
        // In the first quadrant of the ellipse, with the longer half axis first; the answer is mirrored back.
        let (cos, sin) = if a >= b {
            first_quadrant(a, b, local[0].abs(), local[1].abs())
        } else {
            let (cos, sin) = first_quadrant(b, a, local[1].abs(), local[0].abs());
            (sin, cos)
        };
        let (cos, sin) = (cos.copysign(local[0]), sin.copysign(local[1]));
        let world = |v: [f64; 2]| [c * v[0] - s * v[1], s * v[0] + c * v[1]];
        let y_local = [a * cos, b * sin];
        let speed = (a * sin).hypot(b * cos); // |t|
        let inward = [-b * cos / speed, -a * sin / speed];
        let sign = self.side.sign();
        let normal = world([sign * inward[0], sign * inward[1]]);
        let y = world(y_local);
        Ok(Foot {
            y: [self.centre[0] + y[0], self.centre[1] + y[1]],
            normal,
            gap: sign * dot(minus(y_local, local), inward),
            curvature: sign * a * b / (speed * speed * speed),
            at: sin.atan2(cos),
        })
    }
}

/// Cosine and sine of the eccentric angle φ of the nearest point, for a point (u, v) with u, v >= 0 and half axes a >= b.
///
/// Half the slope of the squared distance is `a u sin φ - b v cos φ - (a² - b²) sin φ cos φ`. Divided by `sin φ cos φ` it rises all the
/// way from minus to plus infinity, so there is exactly one zero between 0 and π/2, and it is the minimum.
fn first_quadrant(a: f64, b: f64, u: f64, v: f64) -> (f64, f64) {
    let excess = (a - b) * (a + b);
    if v == 0.0 {
        // On the long axis the slope at φ = 0 is zero; between the centres of curvature it is a maximum there.
        let cos = if a * u < excess { a * u / excess } else { 1.0 };
        return (cos, ((1.0 - cos) * (1.0 + cos)).sqrt());
    }
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    let mut angle = (a * v).atan2(b * u);
    for _ in 0..100 {
        let (s, c) = angle.sin_cos();
        let slope = a * u * s - b * v * c - excess * s * c;
        if slope == 0.0 {
            break;
        }
        if slope < 0.0 {
            low = angle;
        } else {
            high = angle;
        }
        let bend = a * u * c + b * v * s - excess * (c - s) * (c + s);
        let newton = angle - slope / bend;
        let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
        let step = (next - angle).abs();
        angle = next;
        if step <= 1e-16 {
            break;
        }
    }
    let (sin, cos) = angle.sin_cos();
    (cos, sin)
}
