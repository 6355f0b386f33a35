//! The account of energy: what changed the total energy since the start, part by part, so that the parts add up to the change by eye.
//! Not here: finding energies and works (`borelli-study`), which columns stand in a plot (`groups`).
//! In: columns of energy and work of a case. Out: columns for the page; none where the run did not integrate work.
//!
//! With E the sum of kinetic, gravity and stored energy, W_e and W_r the works of efforts and of loops and guides, L what contacts lost, and B the balance
//! that the run leaves open (`system.energy.balance`): E − E₀ = W_e + W_r + W_m + W_f − L + B, W_m what muscles do and lose where the run knows it. W_f, the
//! work of drives and dampers beyond what elements store, is what remains; the run knows it as the work of all forces plus what they stored.

use crate::report::Case;

/// What begins the names of the columns.
pub(in crate::report) const ACCOUNT: &str = "account.";

/// The sum of all others.
pub(in crate::report) const SUM: &str = "account.change";

/// A part below this share of the largest is nothing.
const NOTHING: f64 = 1e-9;

/// Names and values of the account, the change first and what is left open last. A part that is nothing is left out, but for these two.
pub(super) fn account(case: &Case) -> Vec<(&'static str, Vec<f64>)> {
    let since = |name: &str| {
        let values = case.trajectory.column(name)?;
        let first = *values.first()?;
        Some(values.iter().map(|x| x - first).collect::<Vec<f64>>())
    };
    let all = ["system.energy.total", "system.work.efforts", "system.work.rows", "system.energy.balance"].map(since);
    let [Some(change), Some(efforts), Some(rows), Some(open)] = all else { return Vec::new() };
    let losses: Vec<&[f64]> = (case.trajectory.columns().iter().enumerate())
        .filter(|(_, column)| column.name.starts_with("contact.") && column.name.ends_with(".dissipated"))
        .map(|(k, _)| case.trajectory.values(k))
        .collect();
    let lost: Vec<f64> = (0..change.len()).map(|k| losses.iter().map(|own| own[0] - own[k]).sum()).collect();
    let [muscles, fibres] =
        ["system.work.muscles", "system.work.fibre_damping"].map(|name| since(name).unwrap_or_else(|| vec![0.0; change.len()]));
    let others = |k: usize| efforts[k] + rows[k] + muscles[k] + fibres[k] + lost[k] + open[k];
    let elements: Vec<f64> = (0..change.len()).map(|k| change[k] - others(k)).collect();
    // Losses that were not recorded are among the work of elements.
    let elements_name = if losses.len() < case.figure.pairs.len() { "account.forces" } else { "account.elements" };
    let size = |values: &[f64]| values.iter().filter(|x| x.is_finite()).fold(0.0_f64, |most, x| most.max(x.abs()));
    let kinetic = case.trajectory.column("system.energy.kinetic").map_or(0.0, size);
    let least =
        NOTHING * [size(&change), size(&elements), size(&efforts), size(&muscles), size(&lost), kinetic].into_iter().fold(0.0, f64::max);
    let parts = [
        ("account.efforts", efforts),
        ("account.rows", rows),
        ("account.muscles", muscles),
        ("account.fibres", fibres),
        (elements_name, elements),
        ("account.contacts", lost),
    ];
    let parts = parts.into_iter().filter(|(_, values)| size(values) > least);
    [(SUM, change)].into_iter().chain(parts).chain([("account.open", open)]).collect()
}

/// Whether anything came or went: the account of a motion that keeps its energy would be lines at zero.
pub(in crate::report) fn tells(case: &Case) -> bool {
    account(case).len() > 2
}
