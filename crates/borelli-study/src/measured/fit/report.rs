//! What is told of fitted markers: columns, numbers and lines of the health block.
//! Not here: the fit.
//! In: frames that were fitted. Out: tables, scalars, health.

use super::{Fitted, Frame, Walk};
use crate::measured::markers::Pair;
use crate::run::{CheckWords, HealthLine, Scalar, Verdict};
use borelli_data::{Column, Recording, Trajectory};
use borelli_dynamics::kinematics::Fit;
use borelli_dynamics::system::Measure;
use borelli_math::Vec3;

/// Errors beyond this are worth a look, m: twice what skin moves over bones.
const LARGE: f64 = 0.04;
/// Frames from which on filters and derivatives mean something.
const FEW: usize = 11;

impl Walk<'_> {
    /// Tables of all frames, columns of markers and numbers of those that were asked for.
    pub(super) fn finish(mut self, recording: &Recording, told: Vec<(String, String)>) -> Result<Fitted, String> {
        let unit = |measure: Measure| match measure {
            Measure::Angle => "rad",
            Measure::Length => "m",
            Measure::Quaternion => "1",
        };
        let columns =
            self.system.names.coordinates.iter().map(|c| Column::new(format!("coord.{}.value", c.name), unit(c.measure))).collect();
        let mut table = Trajectory::new(columns).map_err(|fault| fault.to_string())?;
        let mut beside = Trajectory::new(self.columns()).map_err(|fault| fault.to_string())?;
        let all = self.frames.len();
        for own in &self.frames {
            table.push_row(&[&[own.time], &own.q[..]].concat()).map_err(|fault| fault.to_string())?;
        }
        self.frames.retain(|frame| frame.asked);
        for own in &self.frames {
            beside.push_row(&self.row(own, recording)).map_err(|fault| fault.to_string())?;
        }
        let (scalars, mut health) = (self.scalars(), self.health());
        health.extend(few(all));
        Ok(Fitted { table, beside, told, health, scalars })
    }

    /// The name of a marker as part of a column's name.
    fn name(&self, pair: &Pair) -> &str {
        &self.system.names.markers[pair.marker as usize]
    }

    pub(super) fn columns(&self) -> Vec<Column> {
        let mut list = Vec::new();
        for pair in self.pairs {
            let name = self.name(pair);
            list.extend(["x", "y", "z"].map(|axis| Column::optional(format!("marker.{name}.{axis}"), "m")));
            list.push(Column::new(format!("marker.{name}.valid"), "1"));
            list.extend(["x", "y", "z", "norm"].map(|axis| Column::optional(format!("marker.{name}.error.{axis}"), "m")));
            list.push(Column::new(format!("marker.{name}.error.valid"), "1"));
        }
        list.push(Column::new("markers.seen", "1"));
        list.push(Column::new("markers.rms", "m"));
        list.push(Column::new("markers.largest", "m"));
        list
    }

    fn row(&self, own: &Frame, recording: &Recording) -> Vec<f64> {
        let mut row = vec![own.time];
        for k in 0..self.pairs.len() {
            match own.seen.iter().position(|seen| *seen == k) {
                Some(place) => {
                    let error = own.fit.error[place];
                    row.extend(recording.points[k].position[own.frame].to_array());
                    row.push(1.0);
                    row.extend(error.to_array());
                    row.extend([error.norm(), 1.0]);
                }
                None => row.extend([f64::NAN, f64::NAN, f64::NAN, 0.0, f64::NAN, f64::NAN, f64::NAN, f64::NAN, 0.0]),
            }
        }
        row.extend([own.seen.len() as f64, own.fit.rms, own.fit.largest]);
        row
    }

    /// Mean and largest error of each pair over the frames in which it was seen, and in how many that was.
    fn errors(&self) -> Vec<(f64, f64, usize)> {
        let mut list = vec![(0.0, 0.0_f64, 0_usize); self.pairs.len()];
        for frame in &self.frames {
            for (error, k) in frame.fit.error.iter().zip(&frame.seen) {
                let size = Vec3::norm(*error);
                let (sum, most, count) = &mut list[*k];
                (*sum, *most, *count) = (*sum + size, most.max(size), *count + 1);
            }
        }
        list.into_iter().map(|(sum, most, count)| (sum / count.max(1) as f64, most, count)).collect()
    }

    /// Root mean square of the errors of markers with a weight, over all frames.
    fn rms(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0_f64);
        for frame in &self.frames {
            for (error, _) in frame.fit.error.iter().zip(&frame.seen).filter(|(_, k)| self.pairs[**k].weight > 0.0) {
                sum += error.dot(*error);
                count += 1.0;
            }
        }
        (sum / count.max(1.0)).sqrt()
    }

    pub(super) fn scalars(&self) -> Vec<Scalar> {
        let scalar = |name: String, value: f64, unit: &str| Scalar { name, value, unit: unit.into() };
        let errors = self.errors();
        let most = errors.iter().map(|(_, most, _)| *most).fold(0.0, f64::max);
        let iterations: usize = self.frames.iter().map(|frame| frame.fit.iterations).sum();
        let mut list = vec![
            scalar("markers.rms".into(), self.rms(), "m"),
            scalar("markers.largest".into(), most, "m"),
            scalar("markers.iterations".into(), iterations as f64 / self.frames.len().max(1) as f64, "1"),
        ];
        for (pair, (mean, most, count)) in self.pairs.iter().zip(errors) {
            let name = self.name(pair);
            list.push(scalar(format!("marker.{name}.mean_error"), mean, "m"));
            list.push(scalar(format!("marker.{name}.largest_error"), most, "m"));
            list.push(scalar(format!("marker.{name}.frames"), count as f64, "1"));
        }
        list
    }

    fn health(&self) -> Vec<HealthLine> {
        let errors = self.errors();
        let worst = (0..self.pairs.len()).max_by(|a, b| errors[*a].1.total_cmp(&errors[*b].1));
        let label = |k: usize| self.system.markers[self.pairs[k].marker as usize].label.clone();
        let most = worst.map_or(0.0, |k| errors[k].1);
        let found = worst.map_or("No marker was seen".to_string(), |k| {
            format!("Root mean square over all frames; at most {:.1} mm, of `{}`", 1e3 * errors[k].1, label(k))
        });
        let words = CheckWords {
            found,
            allowed: "40 mm for any marker at any time, twice what skin moves over bone",
            advice: "check whether this marker has the right name and place on the model, or give it less weight",
        };
        let mut lines = vec![HealthLine::judged(
            "marker_errors",
            "errors of markers",
            (1e3 * self.rms(), "mm"),
            Verdict::good_if(most <= LARGE),
            words,
        )];
        let coordinates = |list: fn(&Fit) -> &Vec<u32>| {
            let mut names: Vec<&str> = Vec::new();
            for k in self.frames.iter().flat_map(|frame| list(&frame.fit)) {
                let name = self.system.names.coordinates[*k as usize].name.as_str();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names.join(", ")
        };
        let mut count = |key: &'static str, label: &str, holds: fn(&Frame) -> bool, found: String, advice: &str| {
            let count = self.frames.iter().filter(|frame| holds(frame)).count();
            if count > 0 {
                let words = CheckWords { found: format!("Of {} frames: {found}", self.frames.len()), allowed: "none", advice };
                lines.push(HealthLine::judged(key, label, (count as f64, "1"), Verdict::Look, words));
            }
        };
        count(
            "not_converged",
            "frames not converged",
            |frame| !frame.fit.converged,
            "the search for the pose did not settle, and the pose where it ended is taken".into(),
            "look at these frames for lost or exchanged markers",
        );
        count(
            "unobserved",
            "frames with coordinates that no marker tells",
            |frame| !frame.fit.unobserved.is_empty(),
            format!("held at their last value, because too few markers are seen: {}", coordinates(|fit| &fit.unobserved)),
            "fill the gaps of the markers, or leave these frames out",
        );
        count(
            "at_bound",
            "frames at a bound",
            |frame| !frame.fit.at_bound.is_empty(),
            format!("the markers ask for more than the range of {}", coordinates(|fit| &fit.at_bound)),
            "check the markers beside this joint, or widen its range in the model",
        );
        count(
            "bridged",
            "frames with too few markers of the root",
            |frame| frame.bridged,
            "the pose is taken between that of the frames before and after".into(),
            "fill the gaps of the markers of the pelvis, or leave these frames out",
        );
        let swapped: Vec<String> = self
            .frames
            .iter()
            .filter_map(|frame| {
                let (a, b) = frame.fit.swap?;
                let name = |k: u32| self.system.markers[k as usize].label.clone();
                Some(format!("{} and {} at {:.3} s", name(a), name(b), frame.time))
            })
            .collect();
        if !swapped.is_empty() {
            let shown = swapped.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
            let words = CheckWords {
                found: format!("The first: {shown}"),
                allowed: "none",
                advice: "mend the names in the file, or let them be put back (`gait --fix-swaps`)",
            };
            lines.push(HealthLine::judged("swaps", "frames with exchanged markers", (swapped.len() as f64, "1"), Verdict::Look, words));
        }
        let missing: usize = self.frames.iter().map(|frame| self.pairs.len() - frame.seen.len()).sum();
        let never: Vec<String> = (0..self.pairs.len()).filter(|k| errors[*k].2 == 0).map(label).collect();
        let never = if never.is_empty() { String::new() } else { format!("; never seen: {}", never.join(", ")) };
        let text = format!("Of {} markers in all frames together{never}. No limit.", self.pairs.len() * self.frames.len());
        lines.push(HealthLine::counted("missing_markers", "markers not seen", (missing as f64, "1"), text));
        lines
    }
}

/// A line for a recording that is too short for what is done with it.
fn few(frames: usize) -> Option<HealthLine> {
    (frames < FEW).then(|| {
        let words = CheckWords {
            found: format!("With fewer than {FEW} frames neither a filter nor velocities, accelerations and moments mean anything"),
            allowed: "11 or more",
            advice: "take a longer part of the recording",
        };
        HealthLine::judged("few_frames", "frames", (frames as f64, "1"), Verdict::Bad, words)
    })
}
