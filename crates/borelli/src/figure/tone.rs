//! What colours a line of pull: the activation of its muscle, the strain of its ligament, else its tension.
//! Not here: colours (`plot`, `report/page/scene.js`).
//! In: a figure and a trajectory. Out: for each path a column, and what is full colour in it.

use super::Figure;
use borelli_data::Trajectory;

/// What the colour of a path tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToneKind {
    /// Activation of a muscle.
    Muscle,
    /// Strain of a ligament.
    Ligament,
    /// Tension over the largest of the run; negative where it pushes.
    Cord,
}

impl ToneKind {
    /// One word for scripts.
    pub fn word(self) -> &'static str {
        match self {
            ToneKind::Muscle => "muscle",
            ToneKind::Ligament => "ligament",
            ToneKind::Cord => "cord",
        }
    }
}

/// The colour of one path.
#[derive(Clone, Debug, PartialEq)]
pub struct Tone {
    /// What it tells.
    pub kind: ToneKind,
    /// The column that tells it.
    pub column: String,
    /// Its value at full colour; above zero.
    pub most: f64,
}

impl Tone {
    /// Part of full colour at a sample, from -1 to 1; nothing is zero.
    pub fn part(&self, trajectory: &Trajectory, sample: usize) -> f64 {
        let value = trajectory.column(&self.column).map_or(0.0, |values| values[sample]);
        if value.is_finite() { (value / self.most).clamp(if self.kind == ToneKind::Cord { -1.0 } else { 0.0 }, 1.0) } else { 0.0 }
    }
}

/// Least strain that is full colour: below it ligaments are slack but for rounding.
const LEAST_STRAIN: f64 = 1e-3;

/// For each path of a figure its tone; nothing where no column tells one.
pub fn tones(figure: &Figure, trajectory: &Trajectory) -> Vec<Option<Tone>> {
    let has = |column: &String| trajectory.column(column).is_some();
    let of = |path: &super::FigurePath| -> Option<(ToneKind, String)> {
        let element = path.element.as_deref().unwrap_or_default();
        let own = |part: &str| Some(format!("{element}.{part}")).filter(has);
        let tone = match element.split_once('.') {
            Some(("muscle", _)) => own("activation").or_else(|| own("excitation")).map(|column| (ToneKind::Muscle, column)),
            Some(("ligament", _)) => own("strain").map(|column| (ToneKind::Ligament, column)),
            _ => None,
        };
        tone.or_else(|| Some((ToneKind::Cord, format!("path.{}.force", path.name))).filter(|(_, column)| has(column)))
    };
    let found: Vec<Option<(ToneKind, String)>> = figure.paths.iter().map(of).collect();
    let largest = |kind: ToneKind| {
        let columns = found.iter().flatten().filter(|(own, _)| *own == kind).filter_map(|(_, column)| trajectory.column(column));
        columns.flatten().filter(|x| x.is_finite()).fold(0.0_f64, |most, x| most.max(if kind == ToneKind::Cord { x.abs() } else { *x }))
    };
    // The bar of strains ends at a round number of per cent.
    let strain = crate::plot::round_top(100.0 * largest(ToneKind::Ligament).max(LEAST_STRAIN)).0 / 100.0;
    let tension = largest(ToneKind::Cord);
    let most = |kind: ToneKind| match kind {
        ToneKind::Muscle => 1.0,
        ToneKind::Ligament => strain,
        ToneKind::Cord if tension > 0.0 => tension,
        ToneKind::Cord => 1.0,
    };
    found.into_iter().map(|own| own.map(|(kind, column)| Tone { most: most(kind), kind, column })).collect()
}
