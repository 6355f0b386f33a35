//! How the equations of soft parts were solved: iterations, factorisations, cuts, and the forces that each iteration leaves open.
//! Not here: solving them.

use super::super::soft::instant;
use super::super::{Case, significant};
use super::{Cell, number, table, text};
use crate::label::capital;
use borelli_dynamics::coupled::{Converged, exponents};

/// Steps that are listed: those that took the most iterations.
const MOST: usize = 6;

/// Totals in words, and the steps that were hardest; nothing where nothing was solved.
pub(super) fn convergence(case: &Case) -> String {
    let steps = &case.soft.steps;
    if steps.is_empty() {
        return String::new();
    }
    let sum = |of: &dyn Fn(&Converged) -> usize| steps.iter().map(of).sum::<usize>();
    let (iterations, factorisations) = (sum(&|step| step.iterations.len()), sum(&Converged::factorisations));
    let cut = steps.iter().filter(|step| step.attempts > 1).count();
    let cuts = match cut {
        0 => "none was cut".to_string(),
        1 => "1 was cut in two on the way".to_string(),
        more => format!("{more} were cut in two on the way"),
    };
    let mut hardest: Vec<usize> = (0..steps.len()).collect();
    hardest.sort_by_key(|k| std::cmp::Reverse((steps[*k].attempts, steps[*k].iterations.len())));
    hardest.truncate(MOST);
    hardest.sort_unstable();
    let rows: Vec<Vec<Cell>> = hardest.iter().map(|k| row(case, &steps[*k])).collect();
    let heads = [
        ("", "Step"),
        ("number", "Iterations"),
        ("number", "Factorisations"),
        ("number", "Cuts"),
        ("number", "Contacts that changed"),
        ("", "Largest open force, iteration by iteration / N"),
        ("number", "Exponent"),
    ];
    let count = if steps.len() == 1 { "1 step".to_string() } else { format!("{} steps", steps.len()) };
    format!(
        "<p>{count} took {iterations} iterations and {factorisations} factorisations; {cuts}.</p>\n{}<p class=\"fine\">Each step looks for the shape in which \
         all forces balance and improves it until what is left open is negligible. The exponent tells how fast that goes at the end: 2 where every iteration \
         makes its matrix anew, about 1 where it keeps the last one to save time.</p>\n",
        table("Steps that took the most iterations", &heads, &rows)
    )
}

fn row(case: &Case, step: &Converged) -> Vec<Cell> {
    let open: Vec<String> = step.iterations.iter().map(|one| significant(one.open, 2)).collect();
    let changed: usize = step.iterations.iter().map(|one| one.changed).sum();
    let count = |x: usize| number(Some(x as f64));
    vec![
        text(&capital(&instant(case, step.at))),
        count(step.iterations.len()),
        count(step.factorisations()),
        count(step.attempts.saturating_sub(1)),
        count(changed),
        text(&open.join(", ")),
        number(exponents(&step.iterations).last().copied()),
    ]
}
