//! What a gait session says about how far its numbers can be trusted: residuals, health lines, marker errors.
//! Not here: computing them (`borelli::gait`, `borelli-study`).

use super::Computed;
use borelli::gait::Residual;
use borelli::report::gait::{PlainTable, Remark, Weight};
use borelli_data::{Recording, Trajectory};
use borelli_dynamics::System;
use borelli_study::measured::Markers;
use borelli_study::run::{HealthLine, Verdict, residual_lines};

/// Lines that a run takes over samples with a ground reaction, also those with a foot on the bare floor.
const OF_ALL_SAMPLES: [&str; 2] = ["residual_force", "residual_moment"];

/// Puts what the walk says of residuals in place of what the run says over all samples, so that there is one verdict; gives the keys of those lines.
pub(super) fn judge_again(health: &mut [HealthLine], residual: Option<&Residual>) -> [&'static str; 2] {
    let own = residual.map(|own| {
        let share = own.percent();
        let over = format!("Root mean square over the {} samples in which every foot on the ground is on its own force plate", own.samples);
        let found = [
            format!("{over}; at most {:.2} N, {:.2} % of the largest ground reaction", own.force.1, share.0),
            format!("{over}; at most {:.2} N m, {:.2} % of it times the height of the mass centre", own.moment.1, share.1),
        ];
        residual_lines([own.force.0, own.moment.0], own.good().into(), found)
    });
    for (k, key) in OF_ALL_SAMPLES.into_iter().enumerate() {
        let Some(line) = health.iter_mut().find(|line| line.key == key) else { continue };
        match &own {
            Some(own) => *line = own[k].clone(),
            None => {
                line.verdict = Verdict::None;
                line.text = "Not judged: taken over all samples with a ground reaction, also those with a foot on the bare floor.".into();
            }
        }
    }
    OF_ALL_SAMPLES
}

/// Brings exchanged markers of a recording to where the run put them back, so that events and plates see the same feet.
pub(super) fn mended(recording: &mut Recording, markers: &Markers, system: &System, table: &Trajectory) {
    let clock = recording.clock.clone();
    for point in &mut recording.points {
        let meant = markers.names.iter().find(|(file, _)| *file == point.name).map_or(&point.name, |(_, model)| model);
        let Some(k) = system.markers.iter().position(|marker| marker.label.eq_ignore_ascii_case(meant)) else { continue };
        let name = &system.names.markers[k];
        let columns = ["x", "y", "z"].map(|axis| table.column(&format!("marker.{name}.{axis}")));
        let [Some(x), Some(y), Some(z)] = columns else { continue };
        for (row, t) in table.time().iter().enumerate() {
            let frame = ((t - clock.time(0)) * clock.rate).round() as usize;
            if point.seen.get(frame).copied().unwrap_or(false) && x[row].is_finite() {
                point.position[frame] = borelli_math::vec3(x[row], y[row], z[row]);
            }
        }
    }
}

/// What is said of the residuals of a trial.
pub(super) fn residual_remark(own: &Computed, residual: Option<&Residual>) -> Option<Remark> {
    if own.recording.plates.is_empty() {
        return None;
    }
    let remark = |weight, text: String| Some(Remark { weight, trial: own.name.clone(), text });
    let Some(residual) = residual else {
        let text = "residuals cannot be judged: at no time is every foot on the ground on its own force plate".to_string();
        return remark(Weight::Warning, text);
    };
    let ((force, moment), good) = (residual.percent(), residual.good());
    let text = format!(
        "residual force at most {:.0} N, {force:.1} % of the largest ground reaction (allowed: 5 %), residual moment at most {:.1} N m, {moment:.1} % of it \
         times the height of the mass centre (allowed: 1 %), over {} of {} samples, those in which every foot on the ground is on its own force plate{}",
        residual.force.1,
        residual.moment.1,
        residual.samples,
        own.outcome.trajectory.len(),
        if good == (true, true) { "" } else { ": joint moments are uncertain by about as much; see Health for what to do" }
    );
    remark(if good == (true, true) { Weight::Note } else { Weight::Warning }, text)
}

/// How much a line of the health block matters as a remark: the same verdict in other words.
pub(super) fn weight_of(verdict: Verdict) -> Option<Weight> {
    match verdict {
        Verdict::Bad => Some(Weight::Severe),
        Verdict::Look => Some(Weight::Warning),
        Verdict::Good | Verdict::None => None,
    }
}

/// Errors of markers of a trial: mean and largest, mm.
pub(super) fn marker_table(own: &Computed) -> PlainTable {
    let table = &own.outcome.trajectory;
    let mut rows: Vec<(f64, Vec<String>)> = Vec::new();
    for (k, column) in table.columns().iter().enumerate() {
        let Some(name) = column.name.strip_prefix("marker.").and_then(|rest| rest.strip_suffix(".error.norm")) else { continue };
        let seen: Vec<f64> = table.values(k).iter().copied().filter(|x| x.is_finite()).collect();
        let (mean, most) = (seen.iter().sum::<f64>() / seen.len().max(1) as f64, seen.iter().copied().fold(0.0, f64::max));
        rows.push((
            mean,
            vec![
                name.to_string(),
                format!("{:.1}", 1e3 * mean),
                format!("{:.1}", 1e3 * most),
                format!("{} of {}", seen.len(), table.len()),
            ],
        ));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let heads = ["marker", "mean error / mm", "largest / mm", "frames"].map(String::from).to_vec();
    PlainTable {
        caption: format!("Distance of measured and model markers in {}", own.name),
        heads,
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    }
}
