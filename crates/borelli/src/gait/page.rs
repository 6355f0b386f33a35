//! From walks to what the page shows: grids of curves with means and bands, tables of numbers, methods.
//! Not here: drawing (`plot`), the page itself (`report`).

use super::curves::{CURVES, CurveKind, Joint, ROWS};
use super::{CycleCurve, Quantity, Walk, gathered};
use crate::plot::{FloorLine, ForceVectors, GridCell, GridCurve, LEFT, Mark, NEITHER, RIGHT};
use crate::report::gait::{GaitPage, PlainTable, Remark, SIGN_HEADS, SidedNumber};
use borelli_data::Recording;
use borelli_data::gait::{Spread, ensemble, summary};
use borelli_data::recording::{EventKind, Side};

/// What is known of a session beside its walks.
#[derive(Clone, Debug, Default)]
pub struct SessionFacts {
    /// Who and what: subject, mass, model, axes, filter.
    pub facts: Vec<(String, String)>,
    /// Leg length, m, for numbers without dimension.
    pub leg_length: Option<f64>,
    /// Remarks of reading, building and running.
    pub remarks: Vec<Remark>,
    /// Marker errors, residuals and the like.
    pub quality: Vec<PlainTable>,
    /// What bands of errors hold; empty without them.
    pub bands: String,
    /// What was done, in sentences.
    pub methods: String,
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::Left => LEFT,
        Side::Right => RIGHT,
    }
}

fn percent() -> Vec<f64> {
    (0..=100).map(f64::from).collect()
}

/// A curve over a cycle or stance, with its band where errors were drawn.
struct Drawn<'c> {
    values: &'c [f64],
    band: Option<&'c [Vec<f64>; 2]>,
}

impl<'c> Drawn<'c> {
    fn of(curve: &'c CycleCurve) -> Drawn<'c> {
        Drawn { values: &curve.values, band: curve.band.as_ref() }
    }
}

/// Thin single curves and, of several, the thick mean with its band: that of errors, where they were drawn, else one standard deviation of the cycles.
fn side_curves(curves: &[Drawn], side: Side) -> Vec<GridCurve> {
    let one = |y: &[f64], mean: bool, band: Vec<[f64; 2]>| GridCurve { colour: colour(side), x: percent(), y: y.to_vec(), mean, band };
    match curves {
        [] => Vec::new(),
        [single] => vec![one(single.values, true, mean_band(curves).unwrap_or_default())],
        _ => {
            let mut list: Vec<GridCurve> = curves.iter().map(|curve| one(curve.values, false, Vec::new())).collect();
            let all: Vec<Vec<f64>> = curves.iter().map(|curve| curve.values.to_vec()).collect();
            if let Some(own) = ensemble(&all) {
                let of_cycles = || {
                    let sd = own.sd.clone().unwrap_or_default();
                    own.mean.iter().zip(sd).map(|(mean, sd)| [mean - sd, mean + sd]).collect()
                };
                list.push(one(&own.mean, true, mean_band(curves).unwrap_or_else(of_cycles)));
            }
            list
        }
    }
}

/// The mean of the bands of errors: errors that all cycles share do not cancel in their mean, so that nothing is taken off.
fn mean_band(curves: &[Drawn]) -> Option<Vec<[f64; 2]>> {
    let bands: Vec<&[Vec<f64>; 2]> = curves.iter().map(|curve| curve.band).collect::<Option<_>>()?;
    let count = bands.len() as f64;
    let mean = |end: usize, k: usize| bands.iter().map(|band| band[end][k]).sum::<f64>() / count;
    Some((0..curves[0].values.len()).map(|k| [mean(0, k), mean(1, k)]).collect())
}

/// Mean foot off of each side, and events of the other side dashed, in per cent of the cycle.
fn marks(walks: &[Walk]) -> Vec<Mark> {
    let mut list = Vec::new();
    for side in Side::BOTH {
        let own = || walks.iter().flat_map(|walk| &walk.cycles).map(|(cycle, _)| cycle).filter(move |cycle| cycle.side == side);
        let mean = |times: Vec<f64>| (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64);
        let at = |list: Vec<Option<f64>>| mean(list.into_iter().flatten().collect());
        let offs = at(own().map(|cycle| cycle.off.map(|t| cycle.percent(t))).collect());
        list.extend(offs.map(|x| Mark { x, colour: colour(side), dashed: false }));
        for other in [
            at(own().map(|c| c.other_off.map(|t| c.percent(t))).collect()),
            at(own().map(|c| c.other_strike.map(|t| c.percent(t))).collect()),
        ] {
            list.extend(other.map(|x| Mark { x, colour: colour(side), dashed: true }));
        }
    }
    list
}

fn cell(walks: &[Walk], kind: &CurveKind, quantity: Quantity, marks: &[Mark]) -> Option<GridCell> {
    let mut curves = Vec::new();
    for side in Side::BOTH {
        let own: Vec<Drawn> = gathered(walks, kind, quantity, side).into_iter().map(Drawn::of).collect();
        curves.extend(side_curves(&own, side));
    }
    if curves.is_empty() {
        return None;
    }
    let joint = kind.title.split(' ').next().unwrap_or_default();
    let (title, [up, down]) = match quantity {
        Quantity::Angle => (kind.title.to_string(), kind.words),
        Quantity::Moment => (kind.moment_title(), kind.moment_words.unwrap_or(["", ""])),
        Quantity::Power => (format!("{joint} power"), ["Gen", "Abs"]),
    };
    Some(GridCell { title, unit: quantity.unit().into(), up: up.into(), down: down.into(), curves, marks: marks.to_vec() })
}

/// Everything that the page shows of a session.
pub fn page(walks: &[Walk], recordings: &[&Recording], facts: SessionFacts) -> GaitPage {
    let marks = marks(walks);
    let at = |joint: Joint, plane: usize| CURVES.iter().find(|kind| kind.joint == joint && kind.plane == plane);
    let kinematics = ROWS.iter().flat_map(|joint| (0..3).map(move |plane| (*joint, plane)));
    let kinematics = kinematics.map(|(joint, plane)| cell(walks, at(joint, plane)?, Quantity::Angle, &marks)).collect();
    let kinetics = [Joint::Hip, Joint::Knee, Joint::Ankle].into_iter().flat_map(|joint| {
        [Quantity::Angle, Quantity::Moment, Quantity::Power].map(|quantity| cell(walks, at(joint, 0)?, quantity, &marks))
    });
    let kinetics: Vec<Option<GridCell>> = kinetics.collect();
    let loaded = walks.iter().flat_map(|walk| &walk.curves).any(|curve| curve.quantity == Quantity::Moment);
    let mut remarks: Vec<Remark> = facts.remarks.into_iter().chain(walks.iter().flat_map(|walk| walk.remarks.clone())).collect();
    remarks.sort_by_key(|remark| remark.weight);
    let mut quality = facts.quality;
    quality.insert(0, residual_table(walks));
    quality.push(events_table(walks));
    GaitPage {
        facts: facts.facts,
        trials: trials_table(walks),
        numbers: numbers(walks, facts.leg_length),
        kinematics,
        kinetics: if loaded { kinetics } else { Vec::new() },
        ground: ground(walks),
        vectors: vectors(walks),
        floor: floor(walks, recordings),
        remarks,
        quality,
        bands: facts.bands,
        methods: facts.methods,
        signs: signs_table(walks),
    }
}

/// Forward, up and to the right, over stance.
fn ground(walks: &[Walk]) -> Vec<Option<GridCell>> {
    let words = [("Forward force", ["Propulsion", "Braking"]), ("Vertical force", ["Up", ""]), ("Force to the right", ["Right", "Left"])];
    let axis = |k: usize| {
        let mut curves = Vec::new();
        for side in Side::BOTH {
            let own = walks.iter().flat_map(|walk| &walk.stances).filter(|s| s.side == side);
            let own: Vec<Drawn> = own.map(|s| Drawn { values: &s.force[k], band: None }).collect();
            curves.extend(side_curves(&own, side));
        }
        let (title, [up, down]) = words[k];
        (!curves.is_empty()).then(|| GridCell {
            title: title.into(),
            unit: "% BW".into(),
            up: up.into(),
            down: down.into(),
            curves,
            marks: Vec::new(),
        })
    };
    (0..3).map(axis).collect()
}

/// Diagrams shown at most; all stances are in the tables.
const MOST_DIAGRAMS: usize = 6;

fn vectors(walks: &[Walk]) -> Vec<ForceVectors> {
    let all = walks.iter().flat_map(|walk| walk.stances.iter().map(move |stance| (walk, stance)));
    let one = |(walk, stance): (&Walk, &super::Stance)| ForceVectors {
        title: format!("{}, {} foot, {:.2} s", walk.name, stance.side.word(), stance.span.0),
        colour: colour(stance.side),
        at: stance.vectors.iter().map(|(at, _)| at[0]).collect(),
        force: stance.vectors.iter().map(|(_, force)| *force).collect(),
    };
    all.take(MOST_DIAGRAMS).map(one).collect()
}

/// Plates of the first trial, and centres of pressure of all.
fn floor(walks: &[Walk], recordings: &[&Recording]) -> Vec<FloorLine> {
    let plates = recordings.first().map_or(&[][..], |recording| &recording.plates[..]);
    let outline = |(k, corners): (usize, &[borelli_math::Vec3<f64>; 4])| FloorLine {
        name: format!("plate {}", k + 1),
        colour: NEITHER,
        points: corners.map(|c| [c.x, c.z]).to_vec(),
        closed: true,
    };
    let corners = plates.iter().enumerate().filter_map(|(k, plate)| Some((k, plate.corners.as_ref()?)));
    let mut lines: Vec<FloorLine> = corners.map(outline).collect();
    let paths = walks.iter().flat_map(|walk| &walk.stances);
    lines.extend(paths.map(|stance| FloorLine {
        name: String::new(),
        colour: colour(stance.side),
        points: stance.vectors.iter().map(|(at, _)| *at).collect(),
        closed: false,
    }));
    lines
}

fn numbers(walks: &[Walk], leg_length: Option<f64>) -> Vec<SidedNumber> {
    let all: Vec<_> = walks.iter().flat_map(|walk| walk.numbers.iter().cloned()).collect();
    let side = |spread: &Option<Spread>| spread.as_ref().map(|s| (s.mean, s.sd, s.count));
    let mut list = Vec::new();
    for own in summary(&all, leg_length) {
        if own.left.is_none() && own.right.is_none() {
            continue;
        }
        let (quantity, unit) = (own.number.name.replace('_', " "), own.number.unit.to_string());
        list.push(SidedNumber { quantity, unit, sides: [side(&own.left), side(&own.right)], symmetry: own.symmetry_index });
    }
    list
}

fn trials_table(walks: &[Walk]) -> PlainTable {
    let count = |walk: &Walk, side: Side| {
        let (all, on): (usize, usize) =
            walk.cycles.iter().filter(|(c, _)| c.side == side).fold((0, 0), |(all, on), (_, plates)| (all + 1, on + usize::from(*plates)));
        format!("{all} ({on})")
    };
    let stances = |walk: &Walk, side: Side| walk.stances.iter().filter(|stance| stance.side == side).count().to_string();
    let row = |walk: &Walk| {
        vec![walk.name.clone(), count(walk, Side::Left), count(walk, Side::Right), stances(walk, Side::Left), stances(walk, Side::Right)]
    };
    let heads = ["trial", "left cycles (on plates)", "right cycles (on plates)", "left stances on a plate", "right stances on a plate"];
    PlainTable { caption: "Trials".into(), heads: heads.map(String::from).to_vec(), rows: walks.iter().map(row).collect() }
}

/// As people read it.
pub(super) fn event_word(kind: &EventKind) -> String {
    match kind {
        EventKind::FootStrike => "foot strike".into(),
        EventKind::FootOff => "foot off".into(),
        EventKind::Other(name) => name.clone(),
    }
}

fn events_table(walks: &[Walk]) -> PlainTable {
    let mut rows = Vec::new();
    for walk in walks {
        for event in &walk.events.events {
            let side = event.event.side.map_or("", Side::word);
            let same = |d: &&borelli_data::gait::Difference| {
                d.kind == event.event.kind && Some(d.side) == event.event.side && d.time == event.event.time
            };
            let others: Vec<String> =
                walk.events.differences.iter().filter(same).map(|d| format!("{} {:+.0} ms", d.other, 1e3 * d.late)).collect();
            rows.push(vec![
                walk.name.clone(),
                side.into(),
                event_word(&event.event.kind),
                format!("{:.4}", event.event.time),
                event.method.to_string(),
                others.join(", "),
            ]);
        }
    }
    let heads = ["trial", "side", "event", "time / s", "found by", "others"];
    PlainTable {
        caption: "Events, how each was found, and how much later other methods place it".into(),
        heads: heads.map(String::from).to_vec(),
        rows,
    }
}

fn residual_table(walks: &[Walk]) -> PlainTable {
    let row = |walk: &Walk| {
        let own = walk.residual.as_ref()?;
        let ((force, moment), (good_force, good_moment)) = (own.percent(), own.good());
        let verdict = |good: bool| if good { "good" } else { "look closer" };
        Some(vec![
            walk.name.clone(),
            own.samples.to_string(),
            format!("{:.1} ({:.1})", own.force.0, own.force.1),
            format!("{force:.1} (allowed: 5): {}", verdict(good_force)),
            format!("{:.1} ({:.1})", own.moment.0, own.moment.1),
            format!("{moment:.1} (allowed: 1): {}", verdict(good_moment)),
        ])
    };
    let heads = [
        "trial",
        "samples",
        "force: rms (peak) / N",
        "peak in % of the ground reaction",
        "moment: rms (peak) / N m",
        "peak in % of ground reaction times height of the mass centre",
    ];
    PlainTable {
        caption: "What is left at the root of the model, where every foot on the ground stands on a plate of its own".into(),
        heads: heads.map(String::from).to_vec(),
        rows: walks.iter().filter_map(row).collect(),
    }
}

fn signs_table(walks: &[Walk]) -> PlainTable {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (coordinate, title, sign) in walks.iter().flat_map(|walk| &walk.signs) {
        let moment = CURVES.iter().find(|kind| kind.title == *title).map_or(String::new(), CurveKind::moment_title);
        let sign_word = if sign.factor < 0.0 { "-1" } else { "+1" };
        let row = vec![title.to_string(), coordinate.clone(), sign_word.into(), sign.basis.into(), moment];
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    let heads = SIGN_HEADS;
    PlainTable {
        caption: "Signs: every curve is positive in the direction it is named after. The sign turns the coordinate of the model into the angle; moments are internal and have the other sign".into(),
        heads: heads.map(String::from).to_vec(),
        rows,
    }
}
