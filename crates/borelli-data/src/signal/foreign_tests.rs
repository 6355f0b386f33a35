//! Checks of the other program's filter against what that program made of two trials.

use super::*;
use crate::signal::tests::columns;
use std::f64::consts::TAU;

#[test]
fn the_foreign_filter_gives_the_inputs_of_the_other_program() {
    for model in ["gait10dof", "gait2354"] {
        let files = ["ik", "id_inputs"].map(|file| columns(&format!("data/opensim-{model}/reference/{file}.csv")));
        let [Some(given), Some(expected)] = files else { continue };
        let mut worst = [0.0_f64; 3];
        for name in given.keys().filter(|name| *name != "time") {
            let (times, filtered) = foreign_filter(&given["time"], &given[name], 6.0).expect("a filtered record");
            let spline = natural_quintic(&times, &filtered).expect("a spline");
            for (k, letter) in ["q", "u", "udot"].iter().enumerate() {
                let expected_values = &expected[&format!("{letter}.{name}")];
                for (t, value) in expected["time"].iter().zip(expected_values) {
                    worst[k] = worst[k].max((spline.derivatives(*t)[k] - value).abs());
                }
            }
        }
        assert!(worst[0] < 1e-8 && worst[1] < 1e-7 && worst[2] < 1e-5, "{model}: {worst:?}");
    }
}

#[test]
fn the_gain_at_the_cutoff_is_one_half_and_even_times_stay() {
    let times: Vec<f64> = (0..3000).map(|k| f64::from(k) * 0.01).collect();
    let sine: Vec<f64> = times.iter().map(|t| (TAU * 6.0 * t).sin()).collect();
    let (out_times, filtered) = foreign_filter(&times, &sine, 6.0).expect("a filtered record");
    assert_eq!(filtered.len(), 6000);
    let worst = (2500..3500).map(|k| (filtered[k] - 0.5 * (TAU * 6.0 * out_times[k]).sin()).abs()).fold(0.0, f64::max);
    assert!(worst < 1e-10, "{worst:e}");
    assert!((out_times[1500] - times[0]).abs() < 1e-12);
}

#[test]
fn records_that_cannot_be_filtered_are_refused() {
    let times = [0.0, 0.1, 0.2, 0.3, 0.4];
    assert!(matches!(foreign_filter(&times, &[0.0; 5], 5.1), Err(SignalFault::CutoffTooHigh { .. })));
    assert!(matches!(foreign_filter(&times[..3], &[0.0; 3], 1.0), Err(SignalFault::TooFewSamples { .. })));
    assert!(matches!(foreign_filter(&times, &[0.0; 4], 1.0), Err(SignalFault::SampleCounts { .. })));
    assert!(matches!(foreign_filter(&[0.0, 0.1, 0.1, 0.2], &[0.0; 4], 1.0), Err(SignalFault::SampleTimes { .. })));
    let stray = [0.0, 1.0, 1.0 + 1e-12, 2.0, 3.0];
    assert!(matches!(foreign_filter(&stray, &[0.0; 5], 0.1), Err(SignalFault::UnevenTimes { .. })));
}
