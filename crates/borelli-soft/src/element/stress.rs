//! Stress and strain at a place, and the numbers that are read from them.

/// Cauchy stress, Pa, in world axes; those not named are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stress {
    /// Along x.
    pub xx: f64,
    /// Along y.
    pub yy: f64,
    /// In shear.
    pub xy: f64,
    /// Out of the plane.
    pub zz: f64,
}

impl Stress {
    /// Von Mises stress √(½[(xx − yy)² + (yy − zz)² + (zz − xx)²] + 3xy²), Pa.
    pub fn von_mises(&self) -> f64 {
        let Stress { xx, yy, xy, zz } = *self;
        (0.5 * ((xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2)) + 3.0 * xy * xy).sqrt()
    }

    /// Hydrostatic pressure −(xx + yy + zz)/3, Pa; positive when pressed.
    pub fn hydrostatic(&self) -> f64 {
        -(self.xx + self.yy + self.zz) / 3.0
    }

    pub(super) fn add(&mut self, share: f64, other: &Stress) {
        self.xx += share * other.xx;
        self.yy += share * other.yy;
        self.xy += share * other.xy;
        self.zz += share * other.zz;
    }
}

/// Green strain ½(FᵀF − 1) in the axes of the reference placement; of the small-strain law sym F − 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strain {
    /// Along x.
    pub xx: f64,
    /// Along y.
    pub yy: f64,
    /// In shear, half the loss of the right angle.
    pub xy: f64,
}

impl Strain {
    /// Of a deformation gradient, row by row; `small`: as the small-strain law has it.
    pub fn of([a, b, c, d]: [f64; 4], small: bool) -> Strain {
        if small {
            return Strain { xx: a - 1.0, yy: d - 1.0, xy: 0.5 * (b + c) };
        }
        Strain { xx: 0.5 * (a * a + c * c - 1.0), yy: 0.5 * (b * b + d * d - 1.0), xy: 0.5 * (a * b + c * d) }
    }

    /// Principal strains in the plane, largest first, each with its unit direction in the reference placement.
    pub fn principal(&self) -> [(f64, [f64; 2]); 2] {
        let Strain { xx, yy, xy } = *self;
        let (mean, half) = (0.5 * (xx + yy), 0.5 * (xx - yy));
        let (radius, angle) = (half.hypot(xy), 0.5 * xy.atan2(half));
        let (sine, cosine) = angle.sin_cos();
        [(mean + radius, [cosine, sine]), (mean - radius, [-sine, cosine])]
    }
}
