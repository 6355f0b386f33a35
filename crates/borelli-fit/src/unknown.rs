//! Unknowns and their scaled values: a solver sees numbers of the same size whatever their units.
//! Not here: names, units, where an unknown acts.

/// How an unknown x and its scaled value z belong together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// z = (x - low)/(high - low), between 0 and 1.
    Linear {
        /// Least value.
        low: f64,
        /// Largest value.
        high: f64,
    },
    /// z = ln(x/low)/ln(high/low), between 0 and 1; both ends are positive.
    Log {
        /// Least value.
        low: f64,
        /// Largest value.
        high: f64,
    },
    /// z = (x - origin)/unit, without bounds.
    Free {
        /// Where z is zero.
        origin: f64,
        /// How much x changes with z.
        unit: f64,
    },
}

/// Why a scale cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadScale {
    /// `low` is not below `high`.
    Crossed,
    /// A logarithmic scale whose lower end is not positive.
    NotPositive,
    /// The unit of a free unknown is zero, or an end is not a number.
    NoSize,
}

impl Scale {
    /// Whether this scale can be used.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(self) -> Result<(), BadScale> {
        match self {
            Scale::Linear { low, high } | Scale::Log { low, high } if !(low.is_finite() && high.is_finite()) => Err(BadScale::NoSize),
            Scale::Linear { low, high } | Scale::Log { low, high } if low >= high => Err(BadScale::Crossed),
            Scale::Log { low, .. } if low <= 0.0 => Err(BadScale::NotPositive),
            Scale::Free { origin, unit } if !origin.is_finite() || !unit.is_finite() || unit == 0.0 => Err(BadScale::NoSize),
            _ => Ok(()),
        }
    }

    /// The scaled value of `x`.
    pub fn scaled(self, x: f64) -> f64 {
        match self {
            Scale::Linear { low, high } => (x - low) / (high - low),
            Scale::Log { low, high } => (x / low).ln() / (high / low).ln(),
            Scale::Free { origin, unit } => (x - origin) / unit,
        }
    }

    /// The value at `z`; at 0 and 1 exactly the ends.
    pub fn value(self, z: f64) -> f64 {
        match self {
            Scale::Linear { low, .. } | Scale::Log { low, .. } if z == 0.0 => low,
            Scale::Linear { high, .. } | Scale::Log { high, .. } if z == 1.0 => high,
            Scale::Linear { low, high } => low + (high - low) * z,
            Scale::Log { low, high } => low * (z * (high / low).ln()).exp(),
            Scale::Free { origin, unit } => origin + unit * z,
        }
    }

    /// dx/dz at `z`.
    pub fn slope(self, z: f64) -> f64 {
        match self {
            Scale::Linear { low, high } => high - low,
            Scale::Log { low, high } => self.value(z) * (high / low).ln(),
            Scale::Free { unit, .. } => unit,
        }
    }

    /// Bounds of the scaled value.
    pub fn bounds(self) -> (f64, f64) {
        match self {
            Scale::Linear { .. } | Scale::Log { .. } => (0.0, 1.0),
            Scale::Free { .. } => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }
}

/// Least and largest values of a point; either may be infinite.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds {
    /// Least values.
    pub low: Vec<f64>,
    /// Largest values.
    pub high: Vec<f64>,
}

impl Bounds {
    /// The unit cube of `n` unknowns.
    pub fn unit(n: usize) -> Bounds {
        Bounds { low: vec![0.0; n], high: vec![1.0; n] }
    }

    /// No bounds on `n` unknowns.
    pub fn none(n: usize) -> Bounds {
        Bounds { low: vec![f64::NEG_INFINITY; n], high: vec![f64::INFINITY; n] }
    }

    /// Bounds of scaled values.
    pub fn of(scales: &[Scale]) -> Bounds {
        let (low, high) = scales.iter().map(|scale| scale.bounds()).unzip();
        Bounds { low, high }
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// Whether there are no unknowns.
    pub fn is_empty(&self) -> bool {
        self.low.is_empty()
    }

    /// Whether every unknown is bounded on both sides.
    pub fn are_finite(&self) -> bool {
        self.low.iter().chain(&self.high).all(|x| x.is_finite())
    }

    /// `z` of unknown `k`, moved to the nearest value inside.
    pub fn clipped(&self, k: usize, z: f64) -> f64 {
        z.max(self.low[k]).min(self.high[k])
    }

    /// Moves a point to the nearest one inside.
    pub fn clip(&self, point: &mut [f64]) {
        point.iter_mut().enumerate().for_each(|(k, z)| *z = self.clipped(k, *z));
    }

    /// Whether a step against the gradient `g` from `z` leaves unknown `k` inside.
    pub fn is_free(&self, k: usize, z: f64, g: f64) -> bool {
        !(z <= self.low[k] && g > 0.0 || z >= self.high[k] && g < 0.0)
    }

    /// Largest component of clip(z - g) - z: zero where no small step inside the bounds lowers the objective.
    pub fn projected_gradient(&self, z: &[f64], g: &[f64]) -> f64 {
        (0..z.len()).map(|k| (self.clipped(k, z[k] - g[k]) - z[k]).abs()).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALES: [Scale; 3] =
        [Scale::Linear { low: -0.09, high: 0.02 }, Scale::Log { low: 1e6, high: 1e8 }, Scale::Free { origin: 3.0, unit: -0.5 }];

    #[test]
    fn values_and_scaled_values_are_each_others_inverse() {
        for scale in SCALES {
            for z in [0.0, 0.125, 0.7, 1.0] {
                let x = scale.value(z);
                assert!((scale.scaled(x) - z).abs() < 1e-14, "{scale:?} {z}");
                let h = 1e-6;
                let difference = (scale.value(z + h) - scale.value(z - h)) / (2.0 * h);
                assert!((scale.slope(z) / difference - 1.0).abs() < 1e-8, "{scale:?} {z}");
            }
        }
        let Scale::Log { low, high } = SCALES[1] else { unreachable!() };
        assert_eq!((SCALES[1].value(0.0), SCALES[1].value(1.0)), (low, high));
        assert!((SCALES[1].value(0.5) / 1e7 - 1.0).abs() < 1e-14);
    }

    #[test]
    fn bad_scales_are_told_apart() {
        assert_eq!(Scale::Linear { low: 1.0, high: 1.0 }.check(), Err(BadScale::Crossed));
        assert_eq!(Scale::Log { low: 0.0, high: 1.0 }.check(), Err(BadScale::NotPositive));
        assert_eq!(Scale::Free { origin: 0.0, unit: 0.0 }.check(), Err(BadScale::NoSize));
        assert_eq!(Scale::Linear { low: f64::NAN, high: 1.0 }.check(), Err(BadScale::NoSize));
        assert!(SCALES.iter().all(|scale| scale.check().is_ok()));
    }

    #[test]
    fn the_projected_gradient_ignores_what_presses_against_a_bound() {
        let bounds = Bounds::unit(3);
        assert_eq!(bounds.projected_gradient(&[0.0, 1.0, 0.5], &[2.0, -3.0, 0.0]), 0.0);
        assert_eq!(bounds.projected_gradient(&[0.0, 1.0, 0.5], &[-0.25, -3.0, 0.0]), 0.25);
        assert!(!bounds.is_free(0, 0.0, 2.0) && bounds.is_free(0, 0.0, -2.0) && bounds.is_free(0, 0.5, 2.0));
    }
}
