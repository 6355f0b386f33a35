//! Measured loads made ready: samples below the threshold are no load, the rest is filtered and becomes functions of time.
//! Not here: which foot a plate loads (`loading`), reading plates (`borelli-data`), what a load does to a body (`borelli-dynamics`).
//! In: plates in the axes of models. Out: force, point of application and couple over time for each load.
//!
//! A wrench (f, m) about c that presses on a plane with normal n is a force at p with a couple t along n:
//!
//!     p = c + n × m / (f·n),        t = m − (p − c) × f                                            (1)
//!
//! for p in the plane through c. Filtering works on f and m, which are what a plate measures; p and t follow.

use super::plan::{LoadCutoff, LoadFile, LoadInterpolation, LoadOutside, LoadPart};
use crate::plan_fault::PlanFault;
use borelli_data::Explain;
use borelli_data::recording::{Plate, PlateKind};
use borelli_data::signal::{Butterworth, Correction, filter_seen};
use borelli_dynamics::MeasuredLoad;
use borelli_math::function::{Function, Interpolation, Outside, Table};
use borelli_math::{Vec3, vec3};
use std::sync::Arc;

/// Loads are filtered below this part of the rate of the motion.
const PART: f64 = 0.45;
/// Upwards, in the axes of models.
const UP: Vec3<f64> = Vec3 { x: 0.0, y: 1.0, z: 0.0 };

/// What a plate does to the body on it, sample by sample, world axes.
#[derive(Clone, Debug)]
pub(crate) struct PlateLoad {
    /// Name of the plate as a name of columns.
    pub name: String,
    /// Times, s.
    pub time: Vec<f64>,
    /// Force, N; zero where there is no load.
    pub force: Vec<Vec3<f64>>,
    /// Point of application, m; that of the nearest sample with a load where there is none.
    pub point: Vec<Vec3<f64>>,
    /// Couple, N m.
    pub moment: Vec<Vec3<f64>>,
    /// Where there is a load.
    pub loaded: Vec<bool>,
    /// Normal of the surface, away from the ground.
    pub normal: Vec3<f64>,
}

/// The name of a plate as part of a column's name.
pub(crate) fn load_name(plate: &str) -> String {
    let trimmed = plate.trim_matches('_');
    if trimmed.starts_with(|c: char| c.is_ascii_alphabetic()) { trimmed.to_string() } else { format!("plate_{trimmed}") }
}

impl PlateLoad {
    /// The load of a plate as a plan asks for it; `rate` is that of the motion, where there is one. What was done is told.
    pub(crate) fn new(file: &LoadFile, plate: &Plate, rate: Option<f64>) -> Result<(PlateLoad, String), PlanFault> {
        let name = load_name(&plate.name);
        let time = plate.clock.times();
        let normal = match plate.kind {
            PlateKind::Platform(_) => -(plate.R_LP * vec3(0.0, 0.0, 1.0)),
            PlateKind::Columns => UP,
        };
        let Some(threshold) = file.threshold else {
            let (point, moment) = raw(file, plate);
            let loaded = plate.force.iter().map(|f| f.norm() > 0.0).collect();
            // As they are: at the times that the file prints, too.
            let time = if plate.clock.printed.len() == time.len() { plate.clock.printed.clone() } else { time };
            let told = "all samples as they are".to_string();
            let mut load = PlateLoad { name, time, force: plate.force.clone(), point, moment, loaded, normal };
            load.disturb(file, plate);
            return Ok((load, told));
        };
        let loaded: Vec<bool> = plate.force.iter().map(|f| f.dot(normal) > threshold).collect();
        let cutoff = match file.cutoff {
            LoadCutoff::None => None,
            LoadCutoff::At(cutoff) => Some(cutoff),
            // Equal rates differ by the rounding of printed times.
            LoadCutoff::OfMotion => rate.filter(|rate| *rate < (1.0 - 1e-6) * plate.clock.rate).map(|rate| PART * rate),
        };
        let mut load = PlateLoad {
            name,
            time,
            force: plate.force.clone(),
            point: plate.cop.clone(),
            moment: plate.free_moment.clone(),
            loaded,
            normal,
        };
        load.disturb(file, plate);
        let mut told = format!("no load below {threshold} N");
        if let Some(cutoff) = cutoff {
            load.low_pass(plate, cutoff)?;
            told.push_str(&format!(", low-pass {} Hz", (1e4 * cutoff).round() / 1e4));
        }
        load.clear_unloaded();
        Ok((load, told))
    }

    /// Puts noise on the samples with a load.
    fn disturb(&mut self, file: &LoadFile, plate: &Plate) {
        for noise in file.noise.iter().filter(|noise| noise.plate == plate.name) {
            let list = match noise.part {
                LoadPart::Force => &mut self.force,
                LoadPart::Point => &mut self.point,
                LoadPart::Couple => &mut self.moment,
            };
            for (k, x) in list.iter_mut().enumerate().filter(|(k, _)| self.loaded[*k]) {
                let (added, scaled) = (noise.added.get(k), noise.scaled.get(k));
                *x = x.scale(1.0 + scaled.copied().unwrap_or(0.0)) + added.copied().unwrap_or(Vec3::ZERO);
            }
        }
    }

    /// Filters force and moment in every stretch with a load, and finds the points anew, equation (1).
    fn low_pass(&mut self, plate: &Plate, cutoff: f64) -> Result<(), PlanFault> {
        let fault = |reason: String| PlanFault::FilterFault { signal: self.name.clone(), reason };
        let filter = Butterworth::low_pass(2, cutoff, plate.clock.rate, 2, Correction::Exact).map_err(|e| fault(e.message()))?;
        // About the middle of the points of application, so that moments stay small; in the height of the points themselves.
        let seen = || (0..self.loaded.len()).filter(|k| self.loaded[*k]);
        let count = seen().count();
        if count == 0 {
            return Ok(());
        }
        let c = seen().fold(Vec3::ZERO, |sum, k| sum + self.point[k]).scale(1.0 / count as f64);
        let mut rows: [Vec<f64>; 6] = std::array::from_fn(|_| vec![0.0; self.loaded.len()]);
        for k in 0..self.loaded.len() {
            let m = (self.point[k] - c).cross(self.force[k]) + self.moment[k];
            let values = [self.force[k].to_array(), m.to_array()].concat();
            rows.iter_mut().zip(values).for_each(|(row, x)| row[k] = x);
        }
        for row in &mut rows {
            filter_seen(row, &self.loaded, &filter, None);
        }
        for k in (0..self.loaded.len()).filter(|k| self.loaded[*k]) {
            let f = vec3(rows[0][k], rows[1][k], rows[2][k]);
            let m = vec3(rows[3][k], rows[4][k], rows[5][k]);
            let n = self.normal;
            let across = n.cross(m).scale(1.0 / f.dot(n));
            (self.force[k], self.point[k], self.moment[k]) = (f, c + across, m - across.cross(f));
        }
        Ok(())
    }

    /// No load where there is none; points go on from the nearest sample that has one.
    fn clear_unloaded(&mut self) {
        let loaded: Vec<usize> = (0..self.loaded.len()).filter(|k| self.loaded[*k]).collect();
        for k in (0..self.loaded.len()).filter(|k| !self.loaded[*k]) {
            let after = loaded.partition_point(|own| *own < k);
            let near = match (after.checked_sub(1).map(|i| loaded[i]), loaded.get(after)) {
                (Some(a), Some(b)) => Some(if k - a <= b - k { a } else { *b }),
                (a, b) => a.or(b.copied()),
            };
            (self.force[k], self.moment[k]) = (Vec3::ZERO, Vec3::ZERO);
            self.point[k] = near.map_or(Vec3::ZERO, |near| self.point[near]);
        }
    }

    /// The same with the load of some samples only.
    pub(crate) fn only(mut self, samples: &[usize]) -> PlateLoad {
        let mut kept = vec![false; self.loaded.len()];
        samples.iter().filter(|k| self.loaded[**k]).for_each(|k| kept[*k] = true);
        self.loaded = kept;
        self.clear_unloaded();
        self
    }

    /// Both loads as one on the same body, where their times are the same.
    ///
    /// Where only one of them is there it stays as it is; where both are, forces add and the common point follows from (1).
    pub(crate) fn with(&self, other: &PlateLoad) -> Option<PlateLoad> {
        if self.time != other.time {
            return None;
        }
        let mut sum = self.clone();
        for k in 0..self.time.len() {
            match (self.loaded[k], other.loaded[k]) {
                (_, false) => {}
                (false, true) => (sum.force[k], sum.point[k], sum.moment[k]) = (other.force[k], other.point[k], other.moment[k]),
                (true, true) => {
                    let (f, n) = (self.force[k] + other.force[k], self.normal);
                    let c = (self.point[k] + other.point[k]).scale(0.5);
                    let about = |load: &PlateLoad| (load.point[k] - c).cross(load.force[k]) + load.moment[k];
                    let m = about(self) + about(other);
                    let across = n.cross(m).scale(1.0 / f.dot(n));
                    (sum.force[k], sum.point[k], sum.moment[k]) = (f, c + across, m - across.cross(f));
                }
            }
            sum.loaded[k] |= other.loaded[k];
        }
        sum.clear_unloaded();
        Some(sum)
    }

    /// As functions of time on a body.
    pub(crate) fn measured(&self, name: &str, body: u32, file: &LoadFile) -> Result<MeasuredLoad, PlanFault> {
        let closed = file.outside == LoadOutside::Unloaded;
        // Beyond the ends, by an interval or so, straight loads stay and splines go on; or there is none from the next interval on.
        let (between, outside) = match file.interpolation {
            LoadInterpolation::Linear => (Interpolation::Linear, Outside::Hold),
            LoadInterpolation::Natural if closed => (Interpolation::Natural, Outside::Hold),
            LoadInterpolation::Natural => (Interpolation::Natural, Outside::Extrapolate),
        };
        let (first, last) = (self.time.first().copied().unwrap_or(0.0), self.time.last().copied().unwrap_or(0.0));
        let step = (last - first) / (self.time.len().max(2) - 1) as f64;
        let ends = |inner: &[f64], [before, after]: [f64; 2]| {
            if closed { [&[before], inner, &[after]].concat() } else { inner.to_vec() }
        };
        let time = ends(&self.time, [first - step, last + step]);
        let table = |axis: usize, list: &[Vec3<f64>], stays: bool| {
            let values: Vec<f64> = list.iter().map(|v| v.to_array()[axis]).collect();
            let beyond = [values.first(), values.last()].map(|end| if stays { end.copied().unwrap_or(0.0) } else { 0.0 });
            let table = Table::new(time.clone(), ends(&values, beyond), between, outside);
            table.map(|table| Function::Table(Arc::new(table))).map_err(|fault| PlanFault::LoadValues {
                load: name.into(),
                cause: fault.to_string().lines().next().unwrap_or_default().into(),
            })
        };
        let vector = |list: &[Vec3<f64>], stays: bool| -> Result<[Function<f64>; 3], PlanFault> {
            Ok([table(0, list, stays)?, table(1, list, stays)?, table(2, list, stays)?])
        };
        Ok(MeasuredLoad {
            name: name.into(),
            body,
            force: vector(&self.force, false)?,
            point: vector(&self.point, true)?,
            moment: vector(&self.moment, false)?,
        })
    }
}

/// Points and couples of a plate as they stand in its columns, also where nothing presses.
fn raw(file: &LoadFile, plate: &Plate) -> (Vec<Vec3<f64>>, Vec<Vec3<f64>>) {
    let column = |stem: &str, axis: &str| {
        let (_, channel) = file.recording.channel(&format!("{stem}{axis}"))?;
        (channel.samples.len() == plate.force.len()).then_some(channel.samples.as_slice())
    };
    let vector = |stem: String| {
        let [x, y, z] = ["x", "y", "z"].map(|axis| column(&stem, axis));
        let (x, y, z) = (x?, y?, z?);
        Some((0..x.len()).map(|k| file.R_ML * vec3(x[k], y[k], z[k])).collect::<Vec<_>>())
    };
    let point = vector(format!("{}p", plate.name)).unwrap_or_else(|| plate.cop.clone());
    let moment = vector(plate.name.replace("force", "torque")).unwrap_or_else(|| plate.free_moment.clone());
    (point, moment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_data::recording::Clock;
    use borelli_math::Mat3;

    fn load(force: impl Fn(f64) -> Vec3<f64>, point: impl Fn(f64) -> Vec3<f64>, couple: impl Fn(f64) -> f64) -> (PlateLoad, Plate) {
        let clock = Clock::even(500.0, 0.0, 301);
        let times = clock.times();
        let each = |of: &dyn Fn(f64) -> Vec3<f64>| times.iter().map(|t| of(*t)).collect::<Vec<_>>();
        let plate = Plate {
            name: "1".into(),
            kind: PlateKind::Columns,
            corners: None,
            R_LP: Mat3::IDENTITY,
            center: Vec3::ZERO,
            force: each(&force),
            cop: each(&point),
            free_moment: each(&|t| UP.scale(couple(t))),
            moment: each(&|t| point(t).cross(force(t)) + UP.scale(couple(t))),
            loaded: vec![true; times.len()],
            threshold: 20.0,
            baseline: None,
            clock,
        };
        let own = PlateLoad {
            name: "plate_1".into(),
            time: times,
            force: plate.force.clone(),
            point: plate.cop.clone(),
            moment: plate.free_moment.clone(),
            loaded: plate.loaded.clone(),
            normal: UP,
        };
        (own, plate)
    }

    /// Force and moment that are straight in time pass a filter as they are, and with them place and couple, equation (1).
    #[test]
    fn a_filter_leaves_slow_loads_where_they_are() {
        let force = vec3(60.0, 700.0, -35.0);
        let (before, plate) = load(|_| force, |t| vec3(0.8 + 0.4 * t, 0.01, 0.2 - 0.1 * t), |t| 4.0 - 9.0 * t);
        let mut after = before.clone();
        after.low_pass(&plate, 20.0).expect("a filter");
        // A fifth of a second from the ends, which a filter at 20 Hz has forgotten by then.
        for k in 100..200 {
            assert!((after.force[k] - before.force[k]).norm() < 1e-9, "{k}");
            assert!((after.point[k] - before.point[k]).norm() < 1e-9, "{k}: {:?} {:?}", after.point[k], before.point[k]);
            assert!((after.moment[k] - before.moment[k]).norm() < 1e-9, "{k}: {:?}", after.moment[k]);
        }
    }

    /// Two loads on one body are one with the same force and the same moment about any point, and its couple is about the normal.
    #[test]
    fn the_sum_of_two_loads_has_their_force_and_moment() {
        let (a, _) = load(|t| vec3(30.0, 400.0 + 50.0 * t, 10.0), |t| vec3(0.3 + t, 0.02, 0.1), |_| 3.0);
        let (b, _) = load(|t| vec3(-20.0 * t, 250.0, -15.0), |t| vec3(0.9, 0.02, 0.3 - 0.2 * t), |t| -2.0 * t);
        let sum = a.with(&b).expect("one clock");
        let about = |load: &PlateLoad, k: usize, o: Vec3<f64>| (load.point[k] - o).cross(load.force[k]) + load.moment[k];
        for k in (0..sum.time.len()).step_by(50) {
            assert!((sum.force[k] - a.force[k] - b.force[k]).norm() < 1e-12);
            for o in [Vec3::ZERO, vec3(0.4, 1.2, -0.7)] {
                assert!((about(&sum, k, o) - about(&a, k, o) - about(&b, k, o)).norm() < 1e-9, "{k}");
            }
            assert!(sum.moment[k].cross(UP).norm() < 1e-9 && (sum.point[k].y - 0.02).abs() < 1e-12, "{k}");
        }
    }
}
