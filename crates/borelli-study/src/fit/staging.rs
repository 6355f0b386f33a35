//! Stages of a search: which unknowns are searched for, and what the others are meanwhile.
//! Not here: searches. In: scaled points of all unknowns, or of those that are searched for. Out: the other.

use super::definition::Fit;
use borelli_fit::{Answer, Bounds};

/// The unknowns of a stage.
pub(super) struct Staging {
    /// All unknowns where the stage begins, scaled.
    base: Vec<f64>,
    /// For every unknown the one of the stage that it has the place of; nothing: it stays.
    own: Vec<Option<usize>>,
    /// The unknowns of the stage.
    searched: Vec<usize>,
}

impl Staging {
    /// A stage, from 1, that begins at a point.
    pub(super) fn new(fit: &Fit, point: &[f64], stage: usize) -> Staging {
        let list = &fit.unknowns;
        let searched: Vec<usize> = (0..list.len()).filter(|k| list[*k].stage <= stage).collect();
        let place = |k: usize| searched.iter().position(|own| *own == k);
        let own = (0..list.len()).map(|k| {
            let before = list[k].before.as_ref().and_then(|name| list.iter().position(|other| other.name == *name));
            place(k).or_else(|| before.and_then(place))
        });
        Staging { base: point.to_vec(), own: own.collect(), searched }
    }

    /// A search from a point in which some unknowns stay.
    pub(super) fn holding(point: &[f64], held: &[usize]) -> Staging {
        let searched: Vec<usize> = (0..point.len()).filter(|k| !held.contains(k)).collect();
        let own = (0..point.len()).map(|k| searched.iter().position(|own| *own == k)).collect();
        Staging { base: point.to_vec(), own, searched }
    }

    /// Whether all unknowns are searched for.
    pub(super) fn is_whole(&self) -> bool {
        self.searched.len() == self.own.len()
    }

    /// A point of all unknowns.
    pub(super) fn widened(&self, point: &[f64]) -> Vec<f64> {
        self.own.iter().zip(&self.base).map(|(own, base)| own.map_or(*base, |own| point[own])).collect()
    }

    /// The part of a point that is searched for.
    pub(super) fn narrowed(&self, point: &[f64]) -> Vec<f64> {
        self.searched.iter().map(|k| point[*k]).collect()
    }

    /// Bounds of what is searched for.
    pub(super) fn narrowed_bounds(&self, bounds: &Bounds) -> Bounds {
        Bounds { low: self.narrowed(&bounds.low), high: self.narrowed(&bounds.high) }
    }

    /// Turns slopes by all unknowns into those by what is searched for.
    pub(super) fn narrow(&self, answer: &mut Answer) {
        if self.is_whole() {
            return;
        }
        let (n, m) = (self.own.len(), self.searched.len());
        let slopes = &mut answer.slopes;
        for list in [&mut slopes.objective, &mut slopes.residuals, &mut slopes.extra, &mut slopes.constraints] {
            let mut narrow = Vec::with_capacity(list.len() / n * m);
            for row in list.chunks_exact(n) {
                let first = narrow.len();
                narrow.resize(first + m, 0.0);
                self.own.iter().zip(row).for_each(|(own, slope)| own.iter().for_each(|own| narrow[first + own] += slope));
            }
            *list = narrow;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Files, StudyFile};

    /// A fit with one unknown of the first stage and two of the second, of which one follows it.
    fn fit() -> Fit {
        let unknown = |name: &str, more: &str| {
            format!("[[fit.unknown]]\nname = \"{name}\"\npath = \"law.{name}.stiffness\"\nlow = 1\nhigh = 2\n{more}\n")
        };
        let text = format!(
            "borelli = 1\ntitle = \"\"\nmodel = \"given\"\nanalysis = \"fit\"\n[time]\nend = 1\n[fit]\nof = \"evaluate\"\n\
             [[fit.term]]\nname = \"t\"\ncolumn = \"time\"\n{}{}{}",
            unknown("free", "stage = 2"),
            unknown("first", ""),
            unknown("follower", "stage = 2\nbefore = \"first\""),
        );
        let plan = StudyFile::parse("fit.toml", &text, Files::on_disk()).and_then(|study| study.plan("", &[]));
        plan.unwrap_or_else(|fault| panic!("{fault}")).fit.expect("a fit")
    }

    #[test]
    fn unknowns_of_later_stages_stay_or_follow() {
        let (fit, base) = (fit(), [0.1, 0.2, 0.3]);
        let staging = Staging::new(&fit, &base, 1);
        assert!(!staging.is_whole());
        assert_eq!(staging.widened(&[0.7]), [0.1, 0.7, 0.7]);
        assert_eq!(staging.narrowed(&[0.1, 0.7, 0.7]), [0.7]);
        let mut answer = Answer::default();
        answer.slopes.objective = vec![1.0, 2.0, 4.0];
        answer.slopes.residuals = vec![1.0, 2.0, 4.0, 0.5, 0.0, 8.0];
        staging.narrow(&mut answer);
        // Of two places with one value both slopes count.
        assert_eq!((answer.slopes.objective, answer.slopes.residuals), (vec![6.0], vec![6.0, 8.0]));
        let whole = Staging::new(&fit, &base, 2);
        assert!(whole.is_whole());
        assert_eq!(whole.widened(&[0.5, 0.6, 0.7]), [0.5, 0.6, 0.7]);
    }
}
