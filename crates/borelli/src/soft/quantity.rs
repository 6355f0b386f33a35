//! Numbers at nodes that pictures colour and files hold, with what they are called and the unit they are told in.
//! Not here: stresses themselves (the engine).
//! In: a record, an instant, a body. Out: one number for each node.

use super::ArcValues;
use borelli_study::soft_record::{SoftRecord, hydrostatic, von_mises};

/// What a picture may be coloured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Von Mises stress.
    VonMises,
    /// Hydrostatic pressure.
    Hydrostatic,
    /// Pressure of contacts.
    Contact,
}

impl Quantity {
    /// Those that a record has; contact pressure only where something may touch.
    pub fn of(record: &SoftRecord) -> Vec<Quantity> {
        let mut list = vec![Quantity::VonMises, Quantity::Hydrostatic];
        list.extend(record.arcs.iter().any(|arc| arc.contact).then_some(Quantity::Contact));
        list
    }

    /// Key for scripts.
    pub fn key(self) -> &'static str {
        match self {
            Quantity::VonMises => "mises",
            Quantity::Hydrostatic => "hydrostatic",
            Quantity::Contact => "contact",
        }
    }

    /// For people.
    pub fn label(self) -> &'static str {
        match self {
            Quantity::VonMises => "Von Mises stress",
            Quantity::Hydrostatic => "Hydrostatic pressure",
            Quantity::Contact => "Contact pressure",
        }
    }

    /// What it means to somebody who has never seen it.
    pub fn meaning(self) -> &'static str {
        match self {
            Quantity::VonMises => {
                "how hard the material is being distorted, as one number: compare it with the stress at which the material yields"
            }
            Quantity::Hydrostatic => "the part of the load that only squeezes (positive) or pulls apart (negative)",
            Quantity::Contact => {
                "what presses on the surface. It acts on the boundary only, so inside the part it has no meaning and its colour fades"
            }
        }
    }

    /// Values at the nodes of a body at an instant, Pa.
    pub fn values(self, record: &SoftRecord, frame: usize, body: usize) -> Vec<f64> {
        let own = &record.frames[frame].bodies[body];
        match self {
            Quantity::VonMises => own.stress.iter().map(|s| von_mises(*s)).collect(),
            Quantity::Hydrostatic => own.stress.iter().map(|s| hydrostatic(*s)).collect(),
            Quantity::Contact => nodal(record, frame, body, true, |arc| &arc.pressure),
        }
    }
}

/// A value of contacts or of ties at the nodes of a body, zero where there is none. On a node of two boundaries it is the larger one.
pub fn nodal(record: &SoftRecord, frame: usize, body: usize, contact: bool, of: ArcValues) -> Vec<f64> {
    let mut list = vec![0.0_f64; record.bodies[body].points.len()];
    let arcs = record.arcs.iter().zip(&record.frames[frame].arcs).filter(|(arc, _)| arc.body == body && arc.contact == contact);
    for (arc, own) in arcs {
        for (node, value) in arc.nodes.iter().zip(of(own)) {
            let known = &mut list[*node as usize];
            *known = if value.abs() > known.abs() { *value } else { *known };
        }
    }
    list
}

/// Principal strains in the plane, the larger first, with unit vectors along which they act.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Principal {
    /// Strains.
    pub values: [f64; 2],
    /// Directions, in the axes of the part as it was at the start.
    pub directions: [[f64; 2]; 2],
}

/// Principal values of a symmetric tensor xx, yy, xy: m ± r with m the mean of xx and yy; the first axis is turned by φ with tan 2φ = 2 xy/(xx − yy).
pub fn principal([xx, yy, xy]: [f64; 3]) -> Principal {
    let (mean, half) = (0.5 * (xx + yy), 0.5 * (xx - yy));
    let radius = half.hypot(xy);
    let (sine, cosine) = (0.5 * xy.atan2(half)).sin_cos();
    Principal { values: [mean + radius, mean - radius], directions: [[cosine, sine], [-sine, cosine]] }
}

/// A unit of stress and the factor to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Its name.
    pub name: &'static str,
    /// Of a value in Pa.
    pub factor: f64,
}

/// The unit in which stresses up to a size are told.
pub fn unit_for(largest: f64) -> Unit {
    match largest.abs() {
        x if x >= 1e5 => Unit { name: "MPa", factor: 1e-6 },
        x if x >= 100.0 => Unit { name: "kPa", factor: 1e-3 },
        _ => Unit { name: "Pa", factor: 1.0 },
    }
}
