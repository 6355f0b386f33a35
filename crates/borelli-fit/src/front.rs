//! Trade-offs between objectives: who dominates whom, fronts, crowding, hypervolume.
//! Not here: how points are found.
//! Source: Deb, Pratap, Agarwal, Meyarivan (2002), IEEE Trans Evol Comp 6:182.

/// What is known about a point when it is compared with others.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Numbers to be small.
    pub objectives: Vec<f64>,
    /// How far constraints are violated.
    pub violation: f64,
}

impl Standing {
    /// Whether this point is better than `other`: less violated, or both feasible and nowhere worse and somewhere better.
    ///
    /// What is not a number is never better.
    pub fn dominates(&self, other: &Standing) -> bool {
        let (mine, theirs) = (self.violation.max(0.0), other.violation.max(0.0));
        if mine > 0.0 || theirs > 0.0 {
            return mine < theirs;
        }
        let pairs = || self.objectives.iter().zip(&other.objectives);
        if other.objectives.iter().any(|f| f.is_nan()) && self.objectives.iter().all(|f| !f.is_nan()) {
            return true;
        }
        pairs().all(|(a, b)| a <= b) && pairs().any(|(a, b)| a < b)
    }
}

/// Indices in fronts: nobody in the first is dominated, nobody in the second but by the first, and so on.
pub fn fronts(points: &[Standing]) -> Vec<Vec<usize>> {
    let n = points.len();
    let mut beaten_by = vec![0usize; n];
    let mut beats: Vec<Vec<usize>> = vec![Vec::new(); n];
    for a in 0..n {
        for b in a + 1..n {
            if points[a].dominates(&points[b]) {
                beats[a].push(b);
                beaten_by[b] += 1;
            } else if points[b].dominates(&points[a]) {
                beats[b].push(a);
                beaten_by[a] += 1;
            }
        }
    }
    let mut front: Vec<usize> = (0..n).filter(|&k| beaten_by[k] == 0).collect();
    let mut all = Vec::new();
    while !front.is_empty() {
        let mut next = Vec::new();
        for &a in &front {
            for &b in &beats[a] {
                beaten_by[b] -= 1;
                if beaten_by[b] == 0 {
                    next.push(b);
                }
            }
        }
        next.sort_unstable();
        all.push(std::mem::replace(&mut front, next));
    }
    all
}

/// Room around each point of one front: the sides of the box between its neighbours, infinite at the ends.
pub fn crowding(points: &[Standing], front: &[usize]) -> Vec<f64> {
    let objectives = front.first().map_or(0, |&k| points[k].objectives.len());
    let mut room = vec![0.0; front.len()];
    for m in 0..objectives {
        let value = |place: usize| points[front[place]].objectives[m];
        let mut order: Vec<usize> = (0..front.len()).collect();
        order.sort_by(|&a, &b| value(a).total_cmp(&value(b)).then(front[a].cmp(&front[b])));
        let (Some(&first), Some(&last)) = (order.first(), order.last()) else { continue };
        let range = value(last) - value(first);
        room[first] = f64::INFINITY;
        room[last] = f64::INFINITY;
        if range > 0.0 {
            for three in order.windows(3) {
                room[three[1]] += (value(three[2]) - value(three[0])) / range;
            }
        }
    }
    room
}

/// Volume between feasible points and `reference`, of two or three objectives; others have none.
///
/// Two objectives: exact, by strips. Three: by slices along the third.
pub fn hypervolume(points: &[Standing], reference: &[f64]) -> Option<f64> {
    let inside: Vec<&[f64]> = points
        .iter()
        .filter(|point| point.violation <= 0.0 && point.objectives.iter().zip(reference).all(|(f, limit)| f < limit))
        .map(|point| point.objectives.as_slice())
        .collect();
    match *reference {
        [a, b] => Some(area(&inside, [a, b])),
        [a, b, c] => {
            let mut heights: Vec<f64> = inside.iter().map(|f| f[2]).collect();
            heights.sort_by(f64::total_cmp);
            heights.push(c);
            let slices = heights.windows(2).map(|pair| {
                let below: Vec<&[f64]> = inside.iter().copied().filter(|f| f[2] <= pair[0]).collect();
                area(&below, [a, b]) * (pair[1] - pair[0])
            });
            Some(slices.sum())
        }
        _ => None,
    }
}

fn area(points: &[&[f64]], reference: [f64; 2]) -> f64 {
    let mut order: Vec<&[f64]> = points.to_vec();
    order.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let mut least = reference[1];
    let mut total = 0.0;
    for point in order {
        if point[1] < least {
            total += (reference[0] - point[0]) * (least - point[1]);
            least = point[1];
        }
    }
    total
}

/// The feasible point nearest the ideal one, in units of the front's own ranges: its knee; none without feasible points.
pub fn knee(points: &[Standing]) -> Option<usize> {
    let feasible: Vec<usize> = (0..points.len()).filter(|&k| points[k].violation <= 0.0).collect();
    let objectives = points.first()?.objectives.len();
    let range = |m: usize| {
        feasible.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &k| {
            (low.min(points[k].objectives[m]), high.max(points[k].objectives[m]))
        })
    };
    let ranges: Vec<(f64, f64)> = (0..objectives).map(range).collect();
    let distance = |k: usize| -> f64 {
        let parts = points[k].objectives.iter().zip(&ranges);
        parts.map(|(f, (low, high))| if high > low { ((f - low) / (high - low)).powi(2) } else { 0.0 }).sum()
    };
    feasible.into_iter().min_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feasible(objectives: &[f64]) -> Standing {
        Standing { objectives: objectives.to_vec(), violation: 0.0 }
    }

    #[test]
    fn fronts_crowding_and_knee_of_a_small_set_worked_by_hand() {
        let mut points =
            vec![feasible(&[0.0, 4.0]), feasible(&[1.0, 1.0]), feasible(&[4.0, 0.0]), feasible(&[2.0, 2.0]), feasible(&[5.0, 5.0])];
        points.push(Standing { objectives: vec![-9.0, -9.0], violation: 0.1 });
        points.push(Standing { objectives: vec![0.0, 0.0], violation: 0.2 });
        assert_eq!(fronts(&points), vec![vec![0, 1, 2], vec![3], vec![4], vec![5], vec![6]]);
        assert_eq!(crowding(&points, &[0, 1, 2]), vec![f64::INFINITY, 2.0, f64::INFINITY]);
        assert_eq!(knee(&points[..3]), Some(1));
        assert_eq!(hypervolume(&points, &[5.0, 5.0]), Some(5.0 + 4.0 * 3.0 + 1.0));
    }

    #[test]
    fn what_is_not_a_number_is_dominated_by_what_is() {
        let (nan, good) = (feasible(&[f64::NAN, 0.0]), feasible(&[9.0, 9.0]));
        assert!(good.dominates(&nan) && !nan.dominates(&good));
        assert_eq!(hypervolume(&[nan], &[10.0, 10.0]), Some(0.0));
    }

    #[test]
    fn equal_points_share_a_front_and_leave_no_volume_twice() {
        let points = vec![feasible(&[1.0, 1.0]); 3];
        assert_eq!(fronts(&points), vec![vec![0, 1, 2]]);
        assert_eq!(hypervolume(&points, &[2.0, 2.0]), Some(1.0));
    }

    #[test]
    fn the_volume_of_three_objectives_is_that_of_boxes() {
        assert_eq!(hypervolume(&[feasible(&[0.0, 0.0, 0.0])], &[1.0, 2.0, 3.0]), Some(6.0));
        let two = [feasible(&[0.0, 0.5, 0.0]), feasible(&[0.5, 0.0, 0.5])];
        // Boxes 1 x 0.5 x 1 and 0.5 x 1 x 0.5 share 0.5 x 0.5 x 0.5.
        assert!((hypervolume(&two, &[1.0; 3]).unwrap() - 0.625).abs() < 1e-15);
        assert_eq!(hypervolume(&two, &[1.0; 4]), None);
    }
}
