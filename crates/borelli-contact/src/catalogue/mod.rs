//! All laws in one list, for tables, pages and pictures: families, what the doc comments say, curves.
//! Not here: any law; text for people; where curves are drawn.
//! In: the lists of the families. Out: names, texts, numbers.

mod about;
pub mod impact;
mod portrait;

pub use about::About;
pub use portrait::{Curve, Panel, Quantity};

use crate::friction::Friction;
use crate::friction::spin::Spin;
use crate::law::{Fault, Kind};
use crate::normal::Normal;
use crate::volume::Volumetric;

/// A family of laws.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// What its laws are for, in one line.
    pub doc: &'static str,
    /// What its laws are asked: symbol, meaning and unit.
    pub asked: &'static [[&'static str; 3]],
    /// Its laws.
    pub kinds: &'static [Kind],
    /// Curves of a law with its typical numbers.
    pub portrait: fn(&Kind) -> Result<Vec<Panel>, Fault>,
}

/// All families.
pub static FAMILIES: [Family; 4] = [
    Family {
        name: "friction",
        doc: "force along the surface, from slip and normal force",
        asked: &[["v", "slip", "m/s"], ["F_n", "normal force", "N"]],
        kinds: Friction::<f64>::KINDS,
        portrait: portrait::friction,
    },
    Family {
        name: "spin",
        doc: "friction of a patch that slides and spins, from a friction law",
        asked: &[
            ["v_t", "slip at the centroid", "m/s"],
            ["ω_n", "spin about the normal", "rad/s"],
            ["F_n", "normal force", "N"],
            ["r_g", "radius of gyration of the patch", "m"],
        ],
        kinds: Spin::<f64>::KINDS,
        portrait: portrait::spin,
    },
    Family {
        name: "normal",
        doc: "force of a point of contact, from depth and its rate",
        asked: &[
            ["δ", "depth", "m"],
            ["δ̇", "rate of the depth", "m/s"],
            ["v₀", "speed of the first touch, for laws that remember it", "m/s"],
        ],
        kinds: Normal::<f64>::KINDS,
        portrait: portrait::normal,
    },
    Family {
        name: "volume",
        doc: "force and moment of an overlap of an ellipsoid and a half-space",
        asked: &[
            ["V", "volume of the overlap", "m^3"],
            ["z_c", "depth of its centroid", "m"],
            ["J", "its second moment", "m^5"],
            ["v_n", "speed of separation at the centroid", "m/s"],
            ["ω_t", "rolling", "rad/s"],
        ],
        kinds: &[Volumetric::<f64>::KIND],
        portrait: portrait::volume,
    },
];

/// Every law with its family, in the order of the lists.
pub fn laws() -> impl Iterator<Item = (&'static Family, &'static Kind)> {
    FAMILIES.iter().flat_map(|family| family.kinds.iter().map(move |kind| (family, kind)))
}

/// The law of that name.
pub fn find(name: &str) -> Option<(&'static Family, &'static Kind)> {
    laws().find(|(_, kind)| kind.name == name)
}

#[cfg(test)]
mod tests;
