//! Tidying of points: what a file shows as seen although it was not.
//! Not here: gaps and how they are filled (`signal`), single bad cells, which readers know.
//! In: points over time. Out: masks, and a line for every point that was touched.

use super::{PointSeries, Repair};
use borelli_math::Vec3;

/// A marker at the origin jumped there if it was farther away just before or after, m.
const FAR: f64 = 0.2;
/// Repeated values from which on a marker counts as frozen, frames.
const FROZEN: usize = 5;
/// How fast the middle one of the other markers must move at that time, m/s: standing sways at millimetres a second, limbs go at decimetres.
const MOVING: f64 = 0.05;

/// Runs of frames `[from, to)` in which something holds.
fn runs(count: usize, holds: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let (mut list, mut k) = (Vec::new(), 0);
    while k < count {
        let from = k;
        while k < count && holds(k) {
            k += 1;
        }
        if k > from {
            list.push((from, k));
        }
        k += 1;
    }
    list
}

/// A number of frames in words.
fn frames(count: usize) -> String {
    if count == 1 { "1 frame".into() } else { format!("{count} frames") }
}

/// Takes a point for not seen in some frames.
fn lose(point: &mut PointSeries, from: usize, to: usize) {
    point.seen[from..to].fill(false);
    point.position[from..to].fill(Vec3::ZERO);
}

/// Three zeros mean "not seen" where they stand at an end of the recording, or where the marker was farther than 0.2 m from there just before
/// or after.
pub fn drop_zeros(points: &mut [PointSeries]) -> Vec<Repair> {
    let mut repairs = Vec::new();
    for point in points {
        let zero = |k: usize| point.seen[k] && point.position[k] == Vec3::ZERO;
        let seen = |k: usize| point.seen[k] && point.position[k] != Vec3::ZERO;
        let count = point.seen.len();
        let (first, last) = ((0..count).find(|k| seen(*k)), (0..count).rfind(|k| seen(*k)));
        let mut lost = 0;
        for (from, to) in runs(count, zero) {
            let inside = first.is_some_and(|first| first < from) && last.is_some_and(|last| last >= to);
            let near = |k: Option<usize>| k.is_some_and(|k| point.position[k].norm() <= FAR);
            let neighbours = || near((0..from).rfind(|k| point.seen[*k])) && near((to..count).find(|k| point.seen[*k]));
            if !inside || !neighbours() {
                lose(point, from, to);
                lost += to - from;
            }
        }
        if lost > 0 {
            repairs.push(Repair::new(format!("marker {}", point.name), format!("three zeros in {}", frames(lost)), "not seen there"));
        }
    }
    repairs
}

/// A marker that keeps exactly one place for five frames or more while others move was not seen: tools repeat the last place they knew. The
/// first of the equal frames stays, unless the recording begins with them. Others move when the median of their speeds, each the mean over the
/// equal frames of displacements from one frame to the fourth after it, exceeds 0.05 m/s: in quiet standing a marker may well stay where it is.
pub fn drop_frozen(points: &mut [PointSeries], rate: f64) -> Vec<Repair> {
    let mut repairs = Vec::new();
    let frozen: Vec<Vec<(usize, usize)>> = points.iter().map(equal_runs).collect();
    let mut found = Vec::new();
    for (m, list) in frozen.iter().enumerate() {
        for &(from, to) in list {
            let others = points.iter().enumerate().filter(|(k, _)| *k != m);
            let mut speeds: Vec<f64> = others.filter_map(|(_, other)| speed(other, from, to, rate)).collect();
            speeds.sort_by(f64::total_cmp);
            if speeds.get(speeds.len() / 2).is_some_and(|speed| *speed > MOVING) {
                found.push((m, from, to));
            }
        }
    }
    for (m, point) in points.iter_mut().enumerate() {
        let own: Vec<(usize, usize)> = found.iter().filter(|(k, ..)| *k == m).map(|(_, from, to)| (*from, *to)).collect();
        let mut lost = 0;
        for (from, to) in own {
            let from = if from == 0 { 0 } else { from + 1 };
            lose(point, from, to);
            lost += to - from;
        }
        if lost > 0 {
            repairs.push(Repair::new(
                format!("marker {}", point.name),
                format!("frozen in {} while others move", frames(lost)),
                "not seen there",
            ));
        }
    }
    repairs
}

/// Mean speed of a point over frames `[from, to)`, m/s, from displacements over four frames; nothing where it was not seen.
fn speed(point: &PointSeries, from: usize, to: usize, rate: f64) -> Option<f64> {
    let steps = (from..to.saturating_sub(FROZEN - 1)).map(|k| (k, k + FROZEN - 1)).filter(|(a, b)| point.seen[*a] && point.seen[*b]);
    let (sum, count) = steps.fold((0.0, 0), |(sum, count), (a, b)| (sum + (point.position[b] - point.position[a]).norm(), count + 1));
    (count > 0).then(|| sum / count as f64 * rate / (FROZEN - 1) as f64)
}

/// Runs of at least [`FROZEN`] frames in which a point is seen at exactly one place.
fn equal_runs(point: &PointSeries) -> Vec<(usize, usize)> {
    let same = |k: usize| k + 1 < point.seen.len() && point.seen[k] && point.seen[k + 1] && point.position[k] == point.position[k + 1];
    runs(point.seen.len(), same).into_iter().map(|(from, to)| (from, to + 1)).filter(|(from, to)| to - from >= FROZEN).collect()
}

/// Gives every name once: the second `KNEE` becomes `KNEE_2`, and a point without a name `*3` by its place.
pub fn name_apart(names: &mut [String]) -> Vec<Repair> {
    let mut repairs = Vec::new();
    let mut taken = std::collections::BTreeSet::new();
    for (k, name) in names.iter_mut().enumerate() {
        if name.is_empty() {
            *name = format!("*{}", k + 1);
            repairs.push(Repair::new(format!("point {}", k + 1), "no name", format!("called `{name}`")));
        }
        if taken.contains(name) {
            let free = (2..).map(|n| format!("{name}_{n}")).find(|free| !taken.contains(free)).unwrap_or_default();
            repairs.push(Repair::new(format!("point {}", k + 1), format!("a second `{name}`"), format!("called `{free}`")));
            *name = free;
        }
        taken.insert(name.clone());
    }
    repairs
}

/// Names without what stands before a colon: `Subject:RASI` becomes `RASI`. Where that would give two the same name, all keep theirs.
pub fn strip_prefixes(names: &mut [String]) -> Vec<Repair> {
    let bare = |name: &str| name.rsplit_once(':').map_or(name, |(_, bare)| bare).trim().to_string();
    let stripped: Vec<String> = names.iter().map(|name| bare(name)).collect();
    let mut unique: Vec<&String> = stripped.iter().collect();
    unique.sort_unstable();
    unique.dedup();
    if unique.len() < names.len() || stripped.iter().any(String::is_empty) {
        return vec![Repair::new("names", "without their prefixes two points have the same name, or none", "the prefixes were kept")];
    }
    let count = names.iter().zip(&stripped).filter(|(name, bare)| name != bare).count();
    names.clone_from_slice(&stripped);
    if count == 0 {
        Vec::new()
    } else {
        vec![Repair::new("names", format!("{count} names with a prefix"), "cut off up to the colon, as asked for")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_math::vec3::vec3;

    fn point(name: &str, x: &[f64]) -> PointSeries {
        let position: Vec<Vec3<f64>> = x.iter().map(|x| vec3(*x, 0.0, 0.0)).collect();
        PointSeries { name: name.into(), seen: vec![true; x.len()], position, residual: Vec::new() }
    }

    fn mask(point: &PointSeries) -> String {
        point.seen.iter().map(|seen| if *seen { '+' } else { '-' }).collect()
    }

    #[test]
    fn three_zeros_are_missing_at_the_ends_and_after_a_jump_only() {
        let mut points = [
            point("ends", &[0.0, 0.0, 0.1, 0.1, 0.0]),
            point("jump", &[0.9, 0.9, 0.0, 0.9, 0.9]),
            point("through", &[-0.1, -0.05, 0.0, 0.05, 0.1]),
            point("never", &[0.0; 5]),
            point("one-sided", &[0.1, 0.0, 0.0, 0.5, 0.6]),
        ];
        let repairs = drop_zeros(&mut points);
        let masks: Vec<String> = points.iter().map(mask).collect();
        assert_eq!(masks, ["--++-", "++-++", "+++++", "-----", "+--++"]);
        assert_eq!(repairs.len(), 4);
        assert_eq!(repairs[0], Repair::new("marker ends", "three zeros in 3 frames", "not seen there"));
    }

    #[test]
    fn a_frozen_marker_is_missing_while_others_move() {
        let walk: Vec<f64> = (0..12).map(|k| 0.01 * k as f64).collect();
        let stop = |from: usize, to: usize| {
            walk.iter().enumerate().map(|(k, x)| if (from..to).contains(&k) { walk[from] } else { *x }).collect::<Vec<_>>()
        };
        let mut points = [point("a", &walk), point("b", &stop(3, 8)), point("c", &stop(3, 7)), point("d", &stop(0, 6))];
        let repairs = drop_frozen(&mut points, 100.0);
        assert_eq!(mask(&points[0]), "++++++++++++");
        assert_eq!(mask(&points[1]), "++++----++++", "the first of five equal frames was seen");
        assert_eq!(mask(&points[2]), "++++++++++++", "four are not enough");
        assert_eq!(mask(&points[3]), "------++++++");
        assert_eq!(repairs[0], Repair::new("marker b", "frozen in 4 frames while others move", "not seen there"));
        // a quiet subject is not frozen
        let mut still = [point("a", &[1.0; 9]), point("b", &[2.0; 9])];
        assert!(drop_frozen(&mut still, 100.0).is_empty());
        let mut sways = [point("a", &[1.0; 12]), point("b", &walk.iter().map(|x| 1e-3 * x).collect::<Vec<_>>())];
        assert!(drop_frozen(&mut sways, 100.0).is_empty(), "1 mm/s is standing");
    }

    #[test]
    fn names_are_told_apart_and_lose_their_prefixes() {
        let mut names = ["KNEE", "", "KNEE", "KNEE_2", "KNEE"].map(String::from);
        assert_eq!(name_apart(&mut names).len(), 4);
        assert_eq!(names, ["KNEE", "*2", "KNEE_2", "KNEE_2_2", "KNEE_3"]);
        let mut names = ["Ann:RASI", "Ann:LASI", "*12"].map(String::from);
        assert_eq!(strip_prefixes(&mut names).len(), 1);
        assert_eq!(names, ["RASI", "LASI", "*12"]);
        let mut two = ["Ann:RASI", "Bob:RASI"].map(String::from);
        assert!(strip_prefixes(&mut two)[0].done.contains("kept") && two[0] == "Ann:RASI");
        assert!(strip_prefixes(&mut ["RASI".to_string()]).is_empty());
    }
}
