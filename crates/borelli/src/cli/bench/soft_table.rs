//! The times of soft parts as text and as JSON.
//! Not here: what is timed (`soft`).
//! In: what was measured. Out: lines in milliseconds with goals; objects in nanoseconds as in the other groups.

use super::soft::{FACTOR_GOAL, GROWTH_GOAL, MEMORY_GOAL, Meshed, Whole, growth as exponent};
use serde_json::{Value, json};
use std::fmt::Write;

const MILLI: f64 = 1e3;
const NANO: f64 = 1e9;
const MEGA: f64 = 1e-6;

/// A whole computation.
pub fn whole(one: &Whole) -> Value {
    let best = one.timing.best();
    let share = |share: &super::soft::Share| json!({ "part": share.name, "calls": share.calls, "ns_each": NANO * share.each, "share": share.calls as f64 * share.each / best });
    json!({
        "soft": one.name, "ns_best": NANO * best, "ns_median": NANO * one.timing.median(), "ns_goal": NANO * one.goal,
        "parts": one.shares.iter().map(share).collect::<Vec<_>>(),
        "others": one.others.iter().map(|(name, taken)| json!({ "program": name, "ns": NANO * taken, "ratio": taken / best })).collect::<Vec<_>>(),
        one.result.0: one.result.1
    })
}

/// A mesh of the static liner.
pub fn mesh(one: &Meshed) -> Value {
    let [around, through] = one.divisions;
    json!({
        "soft": format!("static liner {around}x{through}"), "unknowns": one.unknowns, "factor_entries": one.entries,
        "ns_factorisation": NANO * one.factor.best(), "ns_assembly": NANO * one.assembly, "ns_solve": NANO * one.solve,
        "peak_memory_bytes": one.memory
    })
}

/// How the factorisation grows.
pub fn growth(meshes: &[Meshed]) -> Value {
    let largest = meshes.last();
    json!({
        "soft": "growth of the factorisation, last three meshes", "exponent": exponent(meshes), "exponent_goal": GROWTH_GOAL,
        "ns_factorisation_largest": largest.map(|mesh| NANO * mesh.factor.best()), "ns_goal": NANO * FACTOR_GOAL,
        "peak_memory_bytes": largest.and_then(|mesh| mesh.memory), "memory_goal_bytes": MEMORY_GOAL
    })
}

/// All as text.
pub fn text(wholes: &[Whole], meshes: &[Meshed]) -> String {
    let mut out = format!("{:<54} {:>10} {:>10} {:>10} {:>8} {:>7}\n", "soft parts", "best ms", "median ms", "goal ms", "calls", "share");
    for one in wholes {
        let best = one.timing.best();
        let _ = writeln!(
            out,
            "{:<54} {:>10.2} {:>10.2} {:>10.0}                   {}: {:.6}",
            one.name,
            MILLI * best,
            MILLI * one.timing.median(),
            MILLI * one.goal,
            one.result.0,
            one.result.1
        );
        let mut named = 0.0;
        for share in &one.shares {
            let whole = share.calls as f64 * share.each;
            named += whole;
            let (name, percent) = (share.name, 100.0 * whole / best);
            let _ = writeln!(out, "  {name:<52} {:>10.3} {:>10} {:>10} {:>8} {percent:>5.0} %", MILLI * share.each, "", "", share.calls);
        }
        if !one.shares.is_empty() {
            let percent = 100.0 * (1.0 - named / best);
            let _ = writeln!(out, "  {:<52} {:>10} {:>10} {:>10} {:>8} {percent:>5.0} %", "bodies, scheme, the rest", "", "", "", "");
        }
        for (name, taken) in one.others {
            let _ = writeln!(out, "  {:<52} {:>10.0} {:>10} {:>10} {:>8.0} times as long", name, MILLI * taken, "", "", taken / best);
        }
    }
    let _ = writeln!(
        out,
        "\n{:<14} {:>9} {:>11} {:>14} {:>12} {:>10} {:>10}",
        "static liner", "unknowns", "in factors", "factor ms", "assembly ms", "solve ms", "peak MB"
    );
    for one in meshes {
        let memory = one.memory.map_or_else(|| "-".to_string(), |bytes| format!("{:.0}", MEGA * bytes));
        let _ = writeln!(
            out,
            "{:<14} {:>9} {:>11} {:>14.2} {:>12.2} {:>10.2} {memory:>10}",
            format!("{}x{}", one.divisions[0], one.divisions[1]),
            one.unknowns,
            one.entries,
            MILLI * one.factor.best(),
            MILLI * one.assembly,
            MILLI * one.solve
        );
    }
    if let Some(exponent) = exponent(meshes) {
        let _ = writeln!(
            out,
            "fastest of five; over the last three meshes one factorisation grows with unknowns^{exponent:.2} (goal {GROWTH_GOAL}); largest {:.0} ms and {:.0} MB (goals)",
            MILLI * FACTOR_GOAL,
            MEGA * MEMORY_GOAL
        );
    }
    out
}
