//! How a string lies on what it bends around. One obstacle per file; chains of obstacles in `chain`.
//! Not here: bodies, paths, tensions. This room knows shapes, poses and points only, and imports nothing of the engine.
//! In: an obstacle, where the string comes from and goes to. Out: where it meets and leaves the surface, and how long it is in between.
//!
//! A string without friction that is pulled tight is straight where it is free and a geodesic where it touches, and the two meet without a kink. Because it is the
//! shortest, first derivatives of its length do not see how T1 and T2 move: for rates and forces they are points fixed to the obstacle. Second derivatives do.
//!
//! | f(x) = 0 surface, f > 0 outside | g = ∇f | H = ∇∇f | n = g/|g| outward normal | t unit tangent along the string | b = n × t |
//! | --- | --- | --- | --- | --- | --- |
//! | κ = tᵀHt/|g| | τ = bᵀHt/|g| | κ_b = bᵀHb/|g| | K Gaussian curvature | T1, T2 first and last point on the surface | |
//!
//! Why a room of its own inside the engine: it needs nothing but numbers and vectors, and nothing but paths needs it.
//! Sources: Scholz, Sherman, Stavness, Delp, Kecskemethy 2016, Multibody System Dynamics 36:195, for several obstacles and surfaces without closed forms.

pub(crate) mod chain;
mod cylinder;
mod ellipsoid;
mod geodesic;
mod sphere;
mod surface;
#[cfg(test)]
mod tests;
mod torus;

use borelli_math::{Constant, Mat3, Real, Vec3};

/// A point counts as on a surface if it is no deeper inside than this part of its size.
const ROUNDING: f64 = 1e-9;

/// Most obstacles between two points of a path.
pub(crate) const MOST: usize = 4;

/// What a string may bend around, in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Obstacle<N> {
    /// About the origin.
    Sphere {
        /// Radius, m.
        radius: N,
    },
    /// About the axis Z, as long as need be; a circle in the plane.
    Cylinder {
        /// Radius, m.
        radius: N,
    },
    /// About the origin.
    Ellipsoid {
        /// Semi-axes along X, Y, Z, m.
        axes: [N; 3],
    },
    /// A ring about the axis Z, through which the string goes.
    Torus {
        /// Radius of the middle of the tube, m.
        ring: N,
        /// Radius of the tube, m.
        tube: N,
    },
}

impl<N> Obstacle<N> {
    /// The same with other numbers.
    pub fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> Obstacle<M> {
        match self {
            Obstacle::Sphere { radius } => Obstacle::Sphere { radius: number(radius) },
            Obstacle::Cylinder { radius } => Obstacle::Cylinder { radius: number(radius) },
            Obstacle::Ellipsoid { axes: [a, b, c] } => Obstacle::Ellipsoid { axes: [number(a), number(b), number(c)] },
            Obstacle::Torus { ring, tube } => Obstacle::Torus { ring: number(ring), tube: number(tube) },
        }
    }

    /// As it is called in model files.
    pub fn word(&self) -> &'static str {
        match self {
            Obstacle::Sphere { .. } => "sphere",
            Obstacle::Cylinder { .. } => "cylinder",
            Obstacle::Ellipsoid { .. } => "ellipsoid",
            Obstacle::Torus { .. } => "torus",
        }
    }
}

impl<C: Real> Obstacle<C> {
    /// As a shape over the scalar of a computation.
    #[inline(always)]
    pub(crate) fn lift<S: Real>(&self) -> Obstacle<S>
    where
        C: Constant<S>,
    {
        self.map(&mut |number| number.lift())
    }
}

/// On which side a string goes round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner<N> {
    /// A direction in the obstacle's frame in which the string goes round it; nothing: the shorter way.
    pub side: Option<Vec3<f64>>,
    /// About the axis of a cylinder: 1 turns from X to Y, −1 from Y to X.
    pub sense: f64,
    /// The angle about the axis from the first to the last point lies between this and a full turn more, rad.
    pub least_turn: N,
}

impl<N> Manner<N> {
    /// The same with other numbers.
    pub fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> Manner<M> {
        Manner { side: self.side, sense: self.sense, least_turn: number(&self.least_turn) }
    }
}

/// Where an obstacle is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pose<S> {
    /// Axes.
    pub(crate) R: Mat3<S>,
    /// Origin, m.
    pub(crate) p: Vec3<S>,
}

impl<S: Real> Pose<S> {
    /// A point of space in the obstacle's frame.
    #[inline(always)]
    pub(crate) fn inside(&self, point: Vec3<S>) -> Vec3<S> {
        self.R.transpose_mul(point - self.p)
    }

    /// A point of the obstacle's frame in space.
    #[inline(always)]
    pub(crate) fn outside(&self, point: Vec3<S>) -> Vec3<S> {
        self.p + self.R * point
    }

    pub(crate) fn values(&self) -> Pose<f64> {
        Pose { R: self.R.values(), p: self.p.values() }
    }
}

/// How a string lies on an obstacle that it touches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bend<S> {
    /// T1 and T2 in the obstacle's frame, m.
    pub(crate) ends: [Vec3<S>; 2],
    /// Length on the surface, m.
    pub(crate) arc: S,
    /// Angle by which the string turns on it, rad.
    pub(crate) turn: f64,
}

/// Why a string has no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The straight line goes through the centre of a sphere: every way round is as short as every other.
    ThroughCentre,
    /// The point before the obstacle, or else the one behind it, lies inside.
    EndInside {
        /// Whether it is the one before.
        before: bool,
    },
    /// The string lies on one obstacle where that is inside another.
    ThroughAnother,
    /// Shorter ways are near on both sides: the string slides off.
    SlidesOff,
    /// No place was found.
    NotFound,
}

impl Trouble {
    /// What happened, of a string on an obstacle of this name.
    pub fn words(self, wrap: &str) -> String {
        match self {
            Trouble::ThroughCentre => format!("goes through the centre of wrap `{wrap}`, so that it could bend any way round"),
            Trouble::EndInside { before } => {
                format!("has its point {} wrap `{wrap}` inside that wrap", if before { "before" } else { "behind" })
            }
            Trouble::ThroughAnother => format!("would have to pass through wrap `{wrap}`, into which another wrap of the path reaches"),
            Trouble::SlidesOff => format!("slides off wrap `{wrap}`: shorter ways are near on both sides"),
            Trouble::NotFound => format!("has no place on wrap `{wrap}` that could be found"),
        }
    }

    /// What to do.
    pub fn hint(self) -> &'static str {
        match self {
            Trouble::ThroughCentre => "give the wrap a `side`, move it, or take a cylinder, whose sense is fixed",
            Trouble::EndInside { .. } => {
                "make the wrap smaller or move the point, so that it stays outside over the whole motion; `borelli paths` shows the motion's range"
            }
            Trouble::ThroughAnother => "take the wraps apart, or let the path bend around one of them only",
            Trouble::SlidesOff => {
                "let a cylinder take the place of the wrap, or add a point that holds the path; the pose may be out of reach, too"
            }
            Trouble::NotFound => "check `side`, and whether an end of the path lies inside; the pose may be out of reach, too",
        }
    }
}

/// How a string from `from` to `to`, in the obstacle's frame, lies on an obstacle that has a closed form; nothing where it is free.
///
/// Points inside an obstacle are taken as if they were on its surface: searches pass such points, strings do not end with them (`Obstacle::holds`).
#[inline(always)]
pub(crate) fn bend<S: Real>(obstacle: &Obstacle<S>, manner: &Manner<S>, from: Vec3<S>, to: Vec3<S>) -> Result<Option<Bend<S>>, Trouble> {
    match *obstacle {
        Obstacle::Sphere { radius } => sphere::bend(radius, manner.side, from, to),
        Obstacle::Cylinder { radius } => Ok(cylinder::bend(radius, manner.sense, manner.least_turn.value(), from, to)),
        Obstacle::Ellipsoid { axes } => ellipsoid::guess(axes, manner.side, from, to),
        Obstacle::Torus { ring, tube } => Ok(torus::guess(ring, tube, from, to)),
    }
}

impl<S: Real> Obstacle<S> {
    /// A length to compare others with: the radius, that of the tube, or the largest semi-axis.
    pub(crate) fn size(&self) -> f64 {
        match self {
            Obstacle::Sphere { radius } | Obstacle::Cylinder { radius } | Obstacle::Torus { tube: radius, .. } => radius.value(),
            Obstacle::Ellipsoid { axes } => axes.iter().fold(0.0, |most: f64, axis| most.max(axis.value())),
        }
    }

    /// Whether a point lies inside by more than rounding leaves.
    #[inline(always)]
    pub(crate) fn holds(&self, x: Vec3<S>) -> bool {
        const LEFT: f64 = 1.0 - 2.0 * ROUNDING;
        let x = x.values();
        match self.map(&mut |number| number.value()) {
            Obstacle::Sphere { radius } => x.dot(x) < LEFT * radius * radius,
            Obstacle::Cylinder { radius } => x.x * x.x + x.y * x.y < LEFT * radius * radius,
            Obstacle::Ellipsoid { axes: [a, b, c] } => (x.x / a).powi(2) + (x.y / b).powi(2) + (x.z / c).powi(2) < LEFT,
            Obstacle::Torus { ring, tube } => (x.x.hypot(x.y) - ring).powi(2) + x.z * x.z < LEFT * tube * tube,
        }
    }

    /// Whether `bend` is exact, not only where a search begins.
    #[inline(always)]
    pub(crate) fn is_closed(&self) -> bool {
        matches!(self, Obstacle::Sphere { .. } | Obstacle::Cylinder { .. })
    }
}

/// The sense in which a string from `from` goes round the axis Z on a side: 1 or −1; nothing where the side points along or against it.
pub fn sense(from: Vec3<f64>, side: Vec3<f64>) -> Option<f64> {
    let z = from.x * side.y - from.y * side.x;
    let size = (from.x.hypot(from.y)) * (side.x.hypot(side.y));
    (z.abs() > 1e-9 * size).then(|| z.signum())
}

/// 1/x² of a point outside, times r, and 1/(x r) inside: times r it draws the point in to where a string over it touches, or out to the surface.
#[inline(always)]
fn draw<S: Real>(square: S, radius: S) -> S {
    if square.value() >= radius.value() * radius.value() { radius * square.recip() } else { square.sqrt().recip() }
}

/// √(x² − r²) and whether there is one: of a point inside the surface nothing, and no slope.
#[inline(always)]
fn leg<S: Real>(square: S, radius: S) -> S {
    let rest = square - radius * radius;
    if rest.value() > 0.0 { rest.sqrt() } else { S::ZERO }
}
