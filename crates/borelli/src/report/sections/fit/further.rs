//! What further searches found: trials left out, profiles.
//! Not here: intervals from them, which stand with the unknowns. In: what a page shows of a fit. Out: HTML.

use super::super::super::chart::{Plain, plain_chart};
use super::super::super::fit::{FitLeftOut, FitPage, FitProfile};
use super::{Cell, folded, number, table, text};
use crate::label;

/// What a profile shows.
const PROFILE: &str = "<p class=\"fine\">In a profile one unknown is held and all others are fitted. What is drawn is the root of the rise of J over that which \
ends a 95 % interval, below zero for smaller values: the interval goes from −1 to 1. A linear model has a straight line; where it is bent, intervals by slopes mislead.</p>\n";

/// Tables and plots of further searches.
pub(super) fn block(fit: &FitPage) -> String {
    let mut out = left_out(fit);
    let profiles: String = fit.profiles.iter().map(|own| profile(fit, own)).collect();
    if !profiles.is_empty() {
        out.push_str(&format!("<div class=\"plots fitted\">\n{profiles}</div>\n{PROFILE}"));
    }
    out
}

/// How well the other trials foretell each trial.
fn left_out(fit: &FitPage) -> String {
    if fit.left_out.is_empty() {
        return String::new();
    }
    let names: Vec<String> = fit.unknowns.iter().map(|own| format!("Shift of {}", own.name)).collect();
    let mut heads = vec![("quantity", "Trial"), ("number", "J when fitted"), ("number", "J when left out"), ("number", "Ratio")];
    // Of many unknowns the one that goes farthest.
    let few = names.len() <= 6;
    match few {
        true => heads.extend(names.iter().map(|name| ("number", name.as_str()))),
        false => heads.extend([("quantity", "Largest shift"), ("number", "In its standard deviations")]),
    }
    heads.push(("", "Search"));
    let row = |own: &FitLeftOut| {
        let numbers = [own.fitted, own.left_out, own.left_out / own.fitted].map(|x| number(x.is_finite().then_some(x)));
        let mut cells = vec![text(&own.trial)];
        cells.extend(numbers);
        let known = |x: f64| x.is_finite().then_some(x);
        match few {
            true => cells.extend(own.shifts.iter().map(|shift| number(known(*shift)))),
            false => {
                let most = (0..own.shifts.len()).filter(|k| own.shifts[*k].is_finite());
                let most = most.max_by(|a, b| own.shifts[*a].abs().total_cmp(&own.shifts[*b].abs()));
                cells.push(text(most.map_or("", |k| &fit.unknowns[k].name)));
                cells.push(number(most.map(|k| own.shifts[k])));
            }
        }
        cells.push(if own.found { ("", "ended where it should".into()) } else { ("look", "ended before it should".into()) });
        cells
    };
    let rows: Vec<Vec<Cell>> = fit.left_out.iter().map(row).collect();
    let caption = "Each trial foretold by the others; shifts are those of the unknowns without it, in their standard deviations";
    folded(rows.len(), rows.len(), "trials", table(caption, &heads, &rows))
}

fn profile(fit: &FitPage, own: &FitProfile) -> String {
    let unit = fit.unknowns.iter().find(|known| known.name == own.unknown).map_or("1", |known| known.unit.as_str());
    let title = format!("Profile of {}", own.unknown);
    let x_name = if unit == "1" { own.unknown.clone() } else { format!("{} / {}", own.unknown, label::unit(unit)) };
    let line = Plain { label: "root of the rise of J".into(), x: own.value.clone(), y: own.root.clone() };
    let marks = [-1.0, 1.0].map(|y| Plain {
        label: format!("{} end of the interval", if y < 0.0 { "low" } else { "high" }),
        x: own.value.iter().copied().take(1).chain(own.value.last().copied()).collect(),
        y: vec![y; own.value.len().min(2)],
    });
    plain_chart(&title, "1", &x_name, std::iter::once(line).chain(marks).collect(), &[])
}
