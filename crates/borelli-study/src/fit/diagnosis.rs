//! What a fit is held up by, in words: the term that J is made of, the residual that is largest, the bound that costs most.
//! Not here: verdicts (`run::fit_health`), pages.
//! In: the record of a fit. Out: sentences.

use super::record::{FitRecord, Multiplier, Residual};

impl FitRecord {
    /// The term that has the largest part of J, and that part; nothing where J is made of no terms.
    pub fn dominant(&self) -> Option<(&str, f64)> {
        let total = self.terms.iter().map(|(_, _, end)| end).sum::<f64>() + self.extra;
        let (name, _, most) = self.terms.iter().max_by(|a, b| a.2.total_cmp(&b.2))?;
        let share = most / total;
        share.is_finite().then_some((name.as_str(), share))
    }

    /// The largest residual of fitted trials.
    pub fn worst(&self) -> Option<&Residual> {
        let fitted = self.residuals.iter().filter(|own| own.is_fitted && own.error.is_finite());
        fitted.max_by(|a, b| a.error.abs().total_cmp(&b.error.abs()))
    }

    /// What J is made of: `Most of J is the term `up` (83 %), most of all in trial `walk` at 0.12 s.`
    pub(crate) fn dominant_words(&self) -> Option<String> {
        let (term, share) = self.dominant().filter(|(_, share)| *share > 0.0)?;
        let place = self.worst().map_or(String::new(), |own| {
            format!(
                " The largest residual is that of `{}` in trial `{}` at {} s: measured {:.4e}, computed {:.4e}, SI.",
                own.term, own.trial, own.time, own.measured, own.computed
            )
        });
        Some(format!("The term `{term}` has the largest part of J, {:.0} %.{place}", 100.0 * share))
    }

    /// Bounds and limits in the way, with what each costs, the dearest first.
    pub(crate) fn blocking(&self) -> Vec<(String, Multiplier)> {
        let bounds =
            self.unknowns.iter().filter_map(|own| Some((format!("the {} bound of `{}`", own.at_bound?, own.name), own.multiplier?)));
        let limits = self.limits.iter().map(|own| (format!("the constraint `{}` on `{}`", own.name, own.unknown), own.multiplier));
        let mut list: Vec<(String, Multiplier)> = bounds.chain(limits).filter(|(_, own)| own.by_width > 0.0).collect();
        list.sort_by(|a, b| b.1.by_width.total_cmp(&a.1.by_width));
        list
    }

    /// The bound that costs most.
    pub(crate) fn blocking_words(&self) -> Option<String> {
        let list = self.blocking();
        let (what, cost) = list.first()?;
        let all = if list.len() > 1 { format!(", the most of {}", list.len()) } else { String::new() };
        Some(format!(
            "What blocks is {what}{all}: J would fall by {:.3e} for each SI unit that it gives way, {:.3e} for the width of the unknown, to first order.",
            cost.by_unit, cost.by_width
        ))
    }
}
