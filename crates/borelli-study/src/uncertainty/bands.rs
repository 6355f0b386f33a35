//! Bands of all columns from runs: at every time that several of them have.
//! Not here: quantiles themselves (`borelli-fit`), the runs (`samples`).
//! In: samples of runs, each with times of its own. Out: times, runs that reached each, and the band of each column at each.
//!
//! Runs are recorded at the same times, bit for bit, and where events are located at times of their own: those are left out. A run that ends early counts up to
//! its end.

use super::samples::{Ended, Finished};
use borelli_fit::uncertainty::bands::{Band, sampled};

/// Bands of columns at some times.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bands {
    pub times: Vec<f64>,
    pub reached: Vec<usize>,
    /// By column, by time.
    pub columns: Vec<Vec<Option<Band>>>,
}

/// Times that at least two of the runs have (one, where there is but one).
fn common_times<'t>(runs: impl Iterator<Item = &'t [f64]> + Clone) -> Vec<(f64, usize)> {
    let least = runs.clone().count().min(2);
    let mut all: Vec<f64> = runs.flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    let same = all.chunk_by(|a, b| a == b).map(|own| (own[0], own.len()));
    same.filter(|(_, count)| *count >= least).collect()
}

/// Bands of runs that ended well.
pub(crate) fn bands(runs: &[Ended], columns: usize) -> Bands {
    let kept: Vec<&(Vec<f64>, Vec<Vec<f64>>)> = runs.iter().filter_map(samples_of).collect();
    let (times, reached): (Vec<f64>, Vec<usize>) = common_times(kept.iter().map(|(times, _)| &times[..])).into_iter().unzip();
    // For each run where the times of the bands stand in it.
    let place = |own: &[f64]| -> Vec<Option<usize>> { times.iter().map(|t| own.binary_search_by(|x| x.total_cmp(t)).ok()).collect() };
    let places: Vec<Vec<Option<usize>>> = kept.iter().map(|(own, _)| place(own)).collect();
    let mut values = Vec::with_capacity(kept.len());
    let mut band = |column: usize, k: usize| {
        values.clear();
        let own = kept.iter().zip(&places).filter_map(|((_, cells), place)| Some(cells.get(column)?[place[k]?]));
        values.extend(own.filter(|x: &f64| !x.is_nan()));
        sampled(&mut values)
    };
    let columns = (0..columns).map(|column| (0..times.len()).map(|k| band(column, k)).collect()).collect();
    Bands { times, reached, columns }
}

fn samples_of(ended: &Ended) -> Option<&(Vec<f64>, Vec<Vec<f64>>)> {
    match ended {
        Ended::Well(Finished { samples, .. }) => samples.as_ref(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(times: &[f64], column: &[f64]) -> Ended {
        Ended::Well(Finished { numbers: Vec::new(), samples: Some((times.to_vec(), vec![column.to_vec()])) })
    }

    #[test]
    fn runs_that_end_early_count_as_far_as_they_go_and_events_of_single_runs_are_left_out() {
        let runs = [
            run(&[0.0, 1.0, 1.3], &[1.0, 2.0, 9.0]),
            Ended::Badly("lost".into()),
            run(&[0.0, 1.0, 2.0, 2.1], &[3.0, f64::NAN, 5.0, 9.0]),
            run(&[0.0, 1.0, 2.0], &[5.0, 4.0, 7.0]),
        ];
        let found = bands(&runs, 1);
        assert_eq!((&found.times[..], &found.reached[..]), (&[0.0, 1.0, 2.0][..], &[3, 3, 2][..]));
        let means: Vec<f64> = found.columns[0].iter().map(|band| band.unwrap().mean).collect();
        assert_eq!(means, [3.0, 3.0, 6.0]);
        assert_eq!(bands(&[Ended::Unmade], 2).columns, [Vec::new(), Vec::new()]);
        assert_eq!(bands(&[run(&[0.5], &[1.0])], 1).times, [0.5]);
    }
}
