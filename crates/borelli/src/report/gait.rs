//! What the page of a gait session shows beside the motion: who walked, how, curves over the cycle, forces, and how far to trust it.
//! Not here: computing any of it (`crate::gait`), drawing (`plot`).

use super::data::Clinical;
use crate::plot::{FloorLine, ForceVectors, GridCell};

/// Heads of the table of signs.
pub const SIGN_HEADS: [&str; 5] = ["curve", "coordinate of the model", "sign", "known from", "its moment"];

/// How much a remark matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Results cannot be trusted before this is understood.
    Severe,
    /// Look at it.
    Warning,
    /// Good to know.
    Note,
}

impl Weight {
    /// As people read it.
    pub fn word(self) -> &'static str {
        match self {
            Weight::Severe => "severe",
            Weight::Warning => "warning",
            Weight::Note => "note",
        }
    }
}

/// Something the reader should know about the data or the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// How much it matters.
    pub weight: Weight,
    /// Trial it is about; empty for the session.
    pub trial: String,
    /// What.
    pub text: String,
}

/// A number of both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct SidedNumber {
    /// What it is.
    pub quantity: String,
    /// Unit.
    pub unit: String,
    /// Mean, standard deviation (none for one value), and count of left and right.
    pub sides: [Option<(f64, Option<f64>, usize)>; 2],
    /// Symmetry index, %.
    pub symmetry: Option<f64>,
}

/// A table as people read it: heads, then rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlainTable {
    /// Caption.
    pub caption: String,
    /// Heads of columns.
    pub heads: Vec<String>,
    /// Rows of texts.
    pub rows: Vec<Vec<String>>,
}

/// Everything of a gait session that the page shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GaitPage {
    /// Who and what: subject, mass, model, axes, filter.
    pub facts: Vec<(String, String)>,
    /// Trials with what each gave.
    pub trials: PlainTable,
    /// Spatio-temporal numbers.
    pub numbers: Vec<SidedNumber>,
    /// Angles: five rows of three.
    pub kinematics: Vec<Option<GridCell>>,
    /// Angle, moment and power of hip, knee and ankle: three rows of three.
    pub kinetics: Vec<Option<GridCell>>,
    /// Components of the ground reaction over stance.
    pub ground: Vec<Option<GridCell>>,
    /// Force vectors of stances.
    pub vectors: Vec<ForceVectors>,
    /// Plates, feet and centres of pressure from above.
    pub floor: Vec<FloorLine>,
    /// Remarks, severe ones first.
    pub remarks: Vec<Remark>,
    /// Marker errors, events by method, residuals: tables in this order.
    pub quality: Vec<PlainTable>,
    /// What bands of curves hold, where errors of measurement were drawn; else empty, and bands are those of several cycles.
    pub bands: String,
    /// What was done, in sentences that can go into a paper.
    pub methods: String,
    /// What positive means, curve by curve.
    pub signs: PlainTable,
}

impl GaitPage {
    /// How coordinates are shown, from the table of signs: it is what files keep.
    pub(super) fn clinical(&self) -> Vec<Clinical> {
        let row = |row: &Vec<String>| {
            let [title, coordinate, sign, _, rest @ ..] = &row[..] else { return None };
            let factor = sign.parse().ok().filter(|factor: &f64| factor.abs() == 1.0)?;
            Some(Clinical {
                coordinate: coordinate.clone(),
                title: title.clone(),
                factor,
                moment: rest.first().cloned().unwrap_or_default(),
            })
        };
        self.signs.rows.iter().filter_map(row).collect()
    }
}
