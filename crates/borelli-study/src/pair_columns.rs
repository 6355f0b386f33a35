//! Columns of one pair of surfaces: their names and units, and their values from what the pair does alone.
//! Not here: contacts as a whole, work lost (`contact_columns`); what a pair does (`borelli_dynamics::contact`).
//! In: what a pair does, over any scalar. Out: the value of a column.

use borelli_dynamics::contact::Touching;
use borelli_math::{Real, Vec3};

/// An axis of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    X,
    Y,
    Z,
}

/// A column of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairColumn {
    Depth,
    Rate,
    Slip,
    NormalForce,
    Friction(Axis),
    Point(Axis),
    Couple(Axis),
    Volume,
    Area,
    Stored,
}

use Axis::{X, Y, Z};
use PairColumn::{Area, Couple, Depth, Friction, NormalForce, Point, Rate, Slip, Stored, Volume};

/// Those of a pair in the plane and in space, where its law is one of a point; then the same where it is one of volumes.
const PLANAR: &[PairColumn] = &[Depth, Rate, Slip, NormalForce, Friction(X), Friction(Y), Point(X), Point(Y), Stored];
const SPATIAL: &[PairColumn] =
    &[Depth, Rate, Slip, NormalForce, Friction(X), Friction(Y), Friction(Z), Point(X), Point(Y), Point(Z), Stored];
const PLANAR_VOLUME: &[PairColumn] =
    &[Depth, Rate, Slip, NormalForce, Friction(X), Friction(Y), Point(X), Point(Y), Couple(Z), Volume, Area, Stored];
const SPATIAL_VOLUME: &[PairColumn] = &[
    Depth,
    Rate,
    Slip,
    NormalForce,
    Friction(X),
    Friction(Y),
    Friction(Z),
    Point(X),
    Point(Y),
    Point(Z),
    Couple(X),
    Couple(Y),
    Couple(Z),
    Volume,
    Area,
    Stored,
];

impl Axis {
    fn name(self) -> &'static str {
        match self {
            X => "x",
            Y => "y",
            Z => "z",
        }
    }

    fn of<S: Real>(self, x: Vec3<S>) -> S {
        match self {
            X => x.x,
            Y => x.y,
            Z => x.z,
        }
    }
}

/// The length of a vector; that of none has no slope.
fn length<S: Real>(x: Vec3<S>) -> S {
    if x.dot(x).value() > 0.0 { x.norm() } else { S::ZERO }
}

impl PairColumn {
    /// Columns of a pair, in their order.
    pub(crate) fn list(planar: bool, has_volume: bool) -> &'static [PairColumn] {
        match (planar, has_volume) {
            (true, false) => PLANAR,
            (false, false) => SPATIAL,
            (true, true) => PLANAR_VOLUME,
            (false, true) => SPATIAL_VOLUME,
        }
    }

    /// What follows the name of the pair, and the unit.
    pub(crate) fn words(self) -> (String, &'static str) {
        let along = |name: &str, axis: Axis| format!("{name}.{}", axis.name());
        match self {
            Depth => ("depth".into(), "m"),
            Rate => ("rate".into(), "m/s"),
            Slip => ("slip".into(), "m/s"),
            NormalForce => ("normal_force".into(), "N"),
            Friction(axis) => (along("friction", axis), "N"),
            Point(axis) => (along("point", axis), "m"),
            Couple(axis) => (along("couple", axis), "N m"),
            Volume => ("volume".into(), "m^3"),
            Area => ("area".into(), "m^2"),
            Stored => ("stored".into(), "J"),
        }
    }

    /// Its value.
    #[inline]
    pub(crate) fn of<S: Real>(self, pair: &Touching<S>) -> S {
        match self {
            Depth => pair.depth,
            Rate => pair.rate,
            Slip => length(pair.slip),
            NormalForce => pair.normal_force,
            Friction(axis) => axis.of(pair.friction),
            Point(axis) => axis.of(pair.point),
            Couple(axis) => axis.of(pair.couple),
            Volume => pair.volume,
            Area => pair.area,
            Stored => pair.stored,
        }
    }

    /// Whether it changes with the places of surfaces that are apart; the others are zero there and stay so.
    pub(crate) fn is_seen_apart(self) -> bool {
        matches!(self, Depth | Point(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_said_to_be_seen_apart_differs_from_zero_there() {
        let one = Vec3 { x: 1.0, y: 1.0, z: 1.0 };
        // What contacts fill in of a pair that is apart.
        let apart = Touching { depth: -1.0, normal: one, point: one, foot: one, ..Touching::NONE };
        for column in SPATIAL_VOLUME {
            assert_eq!(column.of(&apart) != 0.0, column.is_seen_apart(), "{column:?}");
        }
    }
}
