//! Forces of the ground as arrows: those of contacts with the world, and measured loads.
//! Not here: forces of joints and muscles, which the page can show.
//! In: figure, trajectory. Out: arrows in the picture's plane, m, and their scale.
//!
//! A single impact must not set the scale: of all forces above a hundredth of the largest, the 95th percentile F95 is 0.45 of the figure's height long.
//! What is longer than 0.9 of it is cut and has a second head.

use super::view::View;
use crate::figure::{Figure, PairColumns};
use borelli_data::Trajectory;
use borelli_math::Vec3;

/// An arrow to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::plot) struct Arrow {
    pub from: [f64; 2],
    pub to: [f64; 2],
    /// It is longer than it is drawn.
    pub cut: bool,
}

/// Length of F95, and the longest arrow, over the height of the figure.
const USUAL: f64 = 0.45;
const LONGEST: f64 = 0.9;

/// Forces below this part of the largest do not count for the scale.
const COUNTS: f64 = 0.01;

/// Radius of a shaft over the height of the figure; a head is 2.4 radii wide and 6 long.
const SHAFT: f64 = 0.0065;
pub(in crate::plot) const HEAD: [f64; 2] = [2.4, 6.0];

/// The point and the vector of a force at each sample, m and N; none where it is not known.
type Course = Vec<Option<(Vec3<f64>, Vec3<f64>)>>;

/// What the ground does to a figure over a trajectory.
pub(in crate::plot) struct Forces {
    list: Vec<Course>,
    /// Metres per newton; zero where nothing pushes.
    pub scale: f64,
    /// Height of the figure, m.
    height: f64,
}

impl Forces {
    /// The forces of a trajectory on a figure of a height.
    pub fn of(figure: &Figure, trajectory: &Trajectory, height: f64) -> Forces {
        let mut list: Vec<Course> = Vec::new();
        for (k, pair) in figure.pairs.iter().enumerate() {
            let bodies = [pair.first, pair.second].map(|surface| figure.surfaces[surface].spot.body);
            let Some(columns) = PairColumns::find(figure, k, trajectory).filter(|_| bodies.contains(&0)) else { continue };
            // On the body that is not the world.
            let sign = if bodies[0] == 0 { -1.0 } else { 1.0 };
            list.push((0..trajectory.len()).map(|k| columns.at(k).map(|c| (c.point, c.force.scale(sign)))).collect());
        }
        list.extend(loads(trajectory));
        let mut sizes: Vec<f64> = list.iter().flatten().flatten().map(|(_, force)| force.norm()).filter(|x| x.is_finite()).collect();
        let most = sizes.iter().copied().fold(0.0, f64::max);
        sizes.retain(|size| *size > COUNTS * most);
        sizes.sort_by(f64::total_cmp);
        let usual = sizes.get((sizes.len() * 95) / 100).or(sizes.last()).copied().unwrap_or(0.0);
        Forces { list, scale: if usual > 0.0 { USUAL * height / usual } else { 0.0 }, height }
    }

    /// Arrows at a sample that are long enough to be seen.
    pub fn arrows(&self, sample: usize, view: &View) -> Vec<Arrow> {
        let now = self.list.iter().filter_map(|force| force[sample]);
        now.filter_map(|(point, force)| {
            let length = self.scale * force.norm();
            let finite = length.is_finite() && point.to_array().into_iter().all(f64::is_finite);
            if !finite || length < HEAD[0] * self.shaft() {
                return None;
            }
            let drawn = length.min(LONGEST * self.height);
            let tip = point + force.scale(drawn / force.norm());
            Some(Arrow { from: view.flat(point), to: view.flat(tip), cut: drawn < length })
        })
        .collect()
    }

    /// Radius of a shaft, m.
    pub fn shaft(&self) -> f64 {
        SHAFT * self.height
    }

    /// A round force and its length for the legend, N and m; none where nothing pushes.
    pub fn legend(&self) -> Option<(f64, f64)> {
        let force = crate::plot::axis::nice(0.6 * USUAL * self.height / self.scale);
        (self.scale > 0.0 && force.is_finite()).then_some((force, force * self.scale))
    }
}

/// Measured loads, from columns `load.<name>.force.…`; without a point where there is no force.
fn loads(trajectory: &Trajectory) -> Vec<Course> {
    let names = trajectory.columns().iter().filter_map(|column| column.name.strip_prefix("load.")?.strip_suffix(".force.x"));
    let one = |name: &str| {
        let axes = |part: &str| ["x", "y", "z"].map(|axis| trajectory.column(&format!("load.{name}.{part}.{axis}")));
        let (force, point) = (axes("force"), axes("point"));
        let at = |list: &[Option<&[f64]>; 3], k: usize| Vec3::from_array(list.map(|values| values.map_or(0.0, |values| values[k])));
        (0..trajectory.len()).map(|k| Some((at(&point, k), at(&force, k)))).collect()
    };
    names.map(one).collect()
}
