//! Rigid curves that nodes of soft bodies may touch, in the frame of the carrier that holds them. One file each, one line in the list.
//! Not here: forces (`contact`), where the carrier is.
//! In: a point, a hint. Out: the nearest point of the curve, the normal into the rigid body, the gap, the curvature.
//!
//! The nearest point of the whole curve is found each time, whatever the hint: a hint saves work and never changes the answer.

mod circle;
mod ellipse;
mod hermite;
mod line;
#[cfg(test)]
mod tests;

pub use circle::Circle;
pub use ellipse::Ellipse;
pub use hermite::Hermite;
pub use line::Line;

/// The point of a target nearest to a given one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    /// Where it is, m.
    pub y: [f64; 2],
    /// Unit normal of the curve there; points into the rigid body.
    pub normal: [f64; 2],
    /// (y - point) · normal, m: positive while open, negative when the point is inside the rigid body.
    pub gap: f64,
    /// Curvature, 1/m; positive where the rigid body is convex.
    pub curvature: f64,
    /// Parameter of the curve, a hint for the next search near by.
    pub at: f64,
}

impl Foot {
    /// 1 + κ g: how much faster the foot would run along the curve without curvature. Zero at a centre of curvature.
    pub fn stretch(&self) -> f64 {
        1.0 + self.curvature * self.gap
    }
}

/// Why a point has no foot on a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NotCovered {
    /// The nearest point is an end of the curve, and the point lies beyond it: the target should be longer.
    BeyondEnd {
        /// Whether it is the end at which the curve begins.
        first: bool,
        /// How far beyond, along the curve's direction at its end, m.
        by: f64,
    },
    /// The point lies at a centre of curvature: more than one point of the curve is nearest.
    Ambiguous,
    /// The point is not a pair of finite numbers.
    NotFinite,
}

impl std::fmt::Display for NotCovered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotCovered::BeyondEnd { first, by } => {
                write!(f, "a point lies {by:.3e} m beyond the {} end of the target", if *first { "first" } else { "last" })
            }
            NotCovered::Ambiguous => write!(f, "a point lies at the centre of curvature of the target, where no nearest point stands out"),
            NotCovered::NotFinite => write!(f, "a position is not finite"),
        }
    }
}

impl std::error::Error for NotCovered {}

/// Why a curve cannot be a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BadTarget {
    /// A number is not finite, or a length not positive.
    BadNumber {
        /// Which.
        name: &'static str,
        /// What was found.
        found: f64,
    },
    /// Too few points.
    TooFew {
        /// How many there are.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
    /// Points that must differ are the same, so that the curve would stop there.
    SamePoint {
        /// The first of them.
        point: usize,
    },
}

impl std::fmt::Display for BadTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadTarget::BadNumber { name, found } => write!(f, "`{name}` cannot be {found}"),
            BadTarget::TooFew { found, needed } => write!(f, "a curve through {found} points needs at least {needed}"),
            BadTarget::SamePoint { point } => write!(f, "point {point} coincides with a neighbour, or both its neighbours with each other"),
        }
    }
}

impl std::error::Error for BadTarget {}

/// On which side of a closed curve the rigid body lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Side {
    /// The body fills the curve: a ball, a head, a roller.
    #[default]
    Solid,
    /// The curve is a hole in the body: a socket, a bearing.
    Cavity,
}

impl Side {
    /// Turns the normal and the curvature of a solid body into those of this side.
    fn sign(self) -> f64 {
        match self {
            Side::Solid => 1.0,
            Side::Cavity => -1.0,
        }
    }
}

/// Writes the enum of all targets and hands a search on to the right one.
macro_rules! targets {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// A rigid curve, in the frame of its carrier.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Target {
            $($(#[$doc])* $name($name),)*
        }

        $(impl From<$name> for Target {
            fn from(target: $name) -> Self {
                Target::$name(target)
            }
        })*

        impl Target {
            fn nearest(&self, point: [f64; 2], hint: Option<f64>) -> Result<Foot, NotCovered> {
                match self {
                    $(Target::$name(target) => target.nearest(point, hint),)*
                }
            }
        }
    };
}

targets! {
    /// A straight line with the body on its left, endless or between two points.
    Line,
    /// A circle, solid or a cavity.
    Circle,
    /// An ellipse, solid or a cavity.
    Ellipse,
    /// A smooth curve through points, closed or open.
    Hermite,
}

/// Below this 1 + κ g, a point counts as lying at a centre of curvature.
const FOCAL: f64 = 1e-9;

impl Target {
    /// The point of the curve nearest to `point`, both in the frame of the carrier.
    pub fn project(&self, point: [f64; 2], hint: Option<f64>) -> Result<Foot, NotCovered> {
        if !(point[0].is_finite() && point[1].is_finite()) {
            return Err(NotCovered::NotFinite);
        }
        let foot = self.nearest(point, hint)?;
        // Also refuses NaN.
        if foot.stretch() > FOCAL { Ok(foot) } else { Err(NotCovered::Ambiguous) }
    }
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn minus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// The normal on the left of a direction, of length one.
fn left_normal(t: [f64; 2]) -> [f64; 2] {
    let length = t[0].hypot(t[1]);
    [-t[1] / length, t[0] / length]
}

fn finite(name: &'static str, number: f64) -> Result<f64, BadTarget> {
    if number.is_finite() { Ok(number) } else { Err(BadTarget::BadNumber { name, found: number }) }
}

fn positive(name: &'static str, number: f64) -> Result<f64, BadTarget> {
    if number.is_finite() && number > 0.0 { Ok(number) } else { Err(BadTarget::BadNumber { name, found: number }) }
}
