//! Whether two recordings show the same person: distances of markers that cannot change.
//! Not here: building models.
//! In: two recordings with their landmarks. Out: distances in both, and a verdict.

use super::fault::{SubjectFault, SubjectNotice};
use borelli_data::landmark::{Landmarks, Part, Role};
use borelli_data::recording::{Recording, Side};

/// Share by which distances of one person may differ in the median.
const PERSON: f64 = 0.10;

/// Share by which one distance may differ before it is told.
const PAIR: f64 = 0.10;

/// Shorter distances say more about skin than about bones, m.
const SHORTEST: f64 = 0.10;

/// A distance of two markers in two recordings, means over the frames in which both are seen.
#[derive(Clone, Debug, PartialEq)]
pub struct LengthPair {
    /// `R.Heel to R.Toe.Tip`, by the names of the first recording.
    pub pair: String,
    /// In the first recording, m.
    pub first: f64,
    /// In the second, m.
    pub second: f64,
}

impl LengthPair {
    /// Second over first, less one.
    pub fn change(&self) -> f64 {
        self.second / self.first - 1.0
    }
}

/// Pairs of one segment, and pairs across a joint whose distance hardly changes with its angle.
fn pairs(first: &Landmarks, second: &Landmarks) -> Vec<(Role, Role)> {
    let shared: Vec<Role> =
        (0..first.names().len()).filter_map(|k| first.role(k)).filter(|role| role.part.unique() && second.index(*role).is_some()).collect();
    let mut list = Vec::new();
    for (k, a) in shared.iter().enumerate() {
        for b in &shared[k + 1..] {
            let pelvis = a.part.is_pelvis() && b.part.is_pelvis();
            let segment = a.part.segment() == b.part.segment() && a.side == b.side;
            if pelvis || segment {
                list.push((*a, *b));
            }
        }
    }
    for side in Side::BOTH {
        let across =
            [(Part::KneeLateral, Part::AnkleLateral), (Part::KneeMedial, Part::AnkleMedial), (Part::KneeCenter, Part::AnkleCenter)];
        let roles = across.map(|(a, b)| (Role::on(a, side), Role::on(b, side)));
        list.extend(roles.into_iter().filter(|(a, b)| shared.contains(a) && shared.contains(b)));
    }
    list
}

fn distance(recording: &Recording, landmarks: &Landmarks, a: Role, b: Role) -> Option<f64> {
    let both =
        (0..recording.clock.count).filter_map(|k| Some((landmarks.place(recording, a, k)? - landmarks.place(recording, b, k)?).norm()));
    let list: Vec<f64> = both.collect();
    (!list.is_empty()).then(|| list.iter().sum::<f64>() / list.len() as f64)
}

/// Distances that both recordings show. Axes do not matter, only lengths.
pub fn compare_lengths(first: (&Recording, &Landmarks), second: (&Recording, &Landmarks)) -> Vec<LengthPair> {
    let one = |(a, b): (Role, Role)| {
        let (x, y) = (distance(first.0, first.1, a, b)?, distance(second.0, second.1, a, b)?);
        let pair = format!("{} to {}", first.1.name(a)?, first.1.name(b)?);
        (x > SHORTEST).then_some(LengthPair { pair, first: x, second: y })
    };
    pairs(first.1, second.1).into_iter().filter_map(one).collect()
}

/// Whether distances can be those of one person: an error when they differ by more than a tenth in the median, notices for single ones that do.
/// Test: `a_static_trial_of_another_person_is_refused`.
pub fn same_person(pairs: &[LengthPair]) -> Result<Vec<SubjectNotice>, SubjectFault> {
    let mut changes: Vec<f64> = pairs.iter().map(|pair| pair.change().abs()).collect();
    changes.sort_by(f64::total_cmp);
    let median = changes.get(changes.len() / 2).copied().unwrap_or(0.0);
    if median > PERSON {
        let worst = pairs.iter().max_by(|a, b| a.change().abs().total_cmp(&b.change().abs()));
        let worst = worst.map_or(String::new(), |pair| format!("{} ({:.0} and {:.0} mm)", pair.pair, 1e3 * pair.first, 1e3 * pair.second));
        return Err(SubjectFault::AnotherPerson { median, worst });
    }
    let apart = pairs.iter().filter(|pair| pair.change().abs() > PAIR);
    Ok(apart.map(|pair| SubjectNotice::DistanceDiffers { pair: pair.pair.clone(), first: pair.first, second: pair.second }).collect())
}
