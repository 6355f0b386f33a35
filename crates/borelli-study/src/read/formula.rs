//! Formulas of a study as far as they can be judged without a model: their text.
//! Not here: which columns exist and what dimension a formula has; the run knows.
//! In: a field that holds a formula. Out: a fault at its place.

use super::fault::StudyFault;
use borelli_math::function::Formula;
use borelli_model::Fields;

/// Reports a formula that cannot be read.
pub(super) fn check(fields: &mut Fields, name: &str) {
    let Some((text, _)) = fields.text(name) else { return };
    let Err(fault) = Formula::parse(text, &mut |_| Some(0)) else { return };
    let text = fault.to_string();
    let (reason, advice) = text.split_once("\n  hint: ").unwrap_or((&text, "operators are + - * / ^; names are those of columns"));
    fields.fault(name, &StudyFault::BadFormula { reason: reason.to_string(), advice: advice.to_string() });
}
