//! How uncertain results are: what was uncertain, bands of numbers, which inputs make them so.
//! Not here: bands of curves (`chart`, `page/plot-draw.js`), the health lines of uncertainty.

use super::super::escape::with_minus;
use super::super::uncertainty::{PageRank, UncertainResult, UncertaintyPage};
use super::super::{Case, Report, Section, escape, significant};
use super::{Cell, case_name, folded, number, table, text, unit};
use crate::label;

pub(in crate::report) const SECTION: Section = Section { id: "uncertainty", title: "Uncertainty", short: "Uncertainty", body };

fn body(report: &Report) -> Option<String> {
    let several = report.cases.len() > 1;
    let one = |(k, case): (usize, &Case)| {
        let own = case.uncertainty.as_ref()?;
        let head = if several { format!("<h3>Case {}</h3>\n", escape(&case_name(k, case))) } else { String::new() };
        Some(head + &block(own))
    };
    let blocks: Vec<String> = report.cases.iter().enumerate().filter_map(one).collect();
    (!blocks.is_empty()).then(|| blocks.concat())
}

fn block(own: &UncertaintyPage) -> String {
    let mut out = told(own);
    let inputs: Vec<Vec<Cell>> = own.inputs.iter().map(|input| vec![named(&input.name, &input.paths), text(&input.words)]).collect();
    out.push_str(&folded(
        inputs.len(),
        inputs.len(),
        "inputs",
        table("What is uncertain", &[("quantity", "Input"), ("meaning", "Distribution")], &inputs),
    ));
    if !own.results.is_empty() {
        let heads = [
            ("quantity", "Result"),
            ("number", "At the means"),
            ("number", "Mean"),
            ("number", "Standard deviation"),
            ("number", "The same by slopes"),
            ("number", "95 % of runs"),
            ("", "Unit"),
        ];
        let rows: Vec<Vec<Cell>> = own.results.iter().map(result).collect();
        out.push_str(&folded(rows.len(), rows.len(), "results", table("Numbers of a run", &heads, &rows)));
    }
    own.results.iter().for_each(|result| out.push_str(&ranking(own, result)));
    out + &meanings(own)
}

/// What the columns of the rankings mean; only of those that are there.
fn meanings(own: &UncertaintyPage) -> String {
    let has = |of: fn(&PageRank) -> bool| own.results.iter().flat_map(|result| &result.ranks).any(of);
    let all = [
        (
            has(|rank| rank.first.is_some()),
            "share alone",
            "part of the variance of the result that would go if this input were known exactly (Sobol), ± its standard error; the bar",
        ),
        (has(|rank| rank.total.is_some()), "with others", "the same, with what the input does together with others; the paler bar"),
        (
            has(|rank| rank.linear_share.is_some()),
            "share by slopes",
            "part of the variance if the result were a linear function of the inputs",
        ),
        (
            has(|rank| rank.effect.is_some()),
            "effect from end to end",
            "how much the result changes, on average, as the input goes from one end of what is likely to the other (Morris), in the unit of the result",
        ),
        (has(|rank| rank.effect.is_some()), "its spread", "standard deviation of that effect: large where it depends on the other inputs"),
    ];
    let items: String =
        all.iter().filter(|(shown, ..)| *shown).map(|(_, word, meaning)| format!("<dt>{word}</dt><dd>{meaning}</dd>\n")).collect();
    if items.is_empty() { items } else { format!("<dl class=\"terms\">\n{items}</dl>\n") }
}

/// A method as people call it.
fn method(name: &str) -> &str {
    match name {
        "linear" => "slopes at the means",
        "monte-carlo" => "Monte Carlo runs",
        "latin-hypercube" => "a Latin hypercube",
        "sobol" => "Sobol's shares of variance",
        "morris" => "Morris's steps",
        other => other,
    }
}

fn named(name: &str, paths: &str) -> Cell {
    ("quantity", format!("<span title=\"{}\">{}</span>", escape(paths), escape(&plain(name))))
}

/// A name without the hyphens of files.
fn plain(name: &str) -> String {
    label::lower(&label::case(name))
}

/// How it was found, and how well that went.
fn told(own: &UncertaintyPage) -> String {
    let [all, made, failed] = own.runs;
    let methods: Vec<&str> = own.methods.iter().map(|name| method(name)).collect();
    let mut list = vec![format!("Found by {}", escape(&methods.join(", ")))];
    if all > 0 {
        let made = if made < all { format!("{made} of {all} runs") } else { format!("{all} runs") };
        let failed = if failed == 0 { "none".to_string() } else { failed.to_string() };
        list.push(format!("{made} with inputs drawn at random (seed {}), of which {failed} failed", own.seed));
    }
    let bands = match (own.runs[1] > 0, own.bands.is_empty()) {
        (_, true) => "",
        (true, _) => " Bands in the plots hold 95 % of the runs; the curve is the run with all inputs at their means.",
        (false, _) => " Bands in the plots are 1.96 standard deviations on either side of the run with all inputs at their means.",
    };
    format!("<p>{}.{bands}</p>\n", list.join("; "))
}

fn result(own: &UncertainResult) -> Vec<Cell> {
    let drawn = |place: usize| number(own.sampled.map(|sampled| sampled[place]));
    let ends = own
        .sampled
        .map_or("–".to_string(), |[_, _, low, _, high]| with_minus(&format!("{} to {}", significant(low, 4), significant(high, 4))));
    vec![named(&own.name, &own.words), number(own.nominal), drawn(0), drawn(1), number(own.linear_sd), ("number", ends), unit(&own.unit)]
}

/// Which inputs make a result uncertain, the first before the others.
fn ranking(own: &UncertaintyPage, result: &UncertainResult) -> String {
    let ranked = |rank: &PageRank| rank.first.is_some() || rank.effect.is_some() || rank.linear_share.is_some();
    if !result.ranks.iter().any(ranked) {
        return String::new();
    }
    let mut order: Vec<usize> = (0..result.ranks.len().min(own.inputs.len())).filter(|k| ranked(&result.ranks[*k])).collect();
    order.sort_by(|a, b| result.ranks[*b].weight().total_cmp(&result.ranks[*a].weight()));
    let has = |of: fn(&PageRank) -> bool| result.ranks.iter().any(of);
    let (shares, effects, linear) =
        (has(|own| own.first.is_some()), has(|own| own.effect.is_some()), has(|own| own.linear_share.is_some()));
    let largest = result.ranks.iter().filter_map(|own| own.effect).fold(0.0_f64, |most, own| most.max(own[0]));
    let mut heads = vec![("quantity", "Input"), ("", "")];
    if shares {
        heads.extend([("number", "Share alone"), ("number", "With others")]);
    }
    if linear {
        heads.push(("number", "Share by slopes"));
    }
    if effects {
        heads.extend([("number", "Effect from end to end"), ("number", "Its spread")]);
    }
    let row = |k: &usize| {
        let rank = &result.ranks[*k];
        // Of effects the largest is the whole.
        let whole = rank.effect.map_or(0.0, |own| own[0] / largest.max(f64::MIN_POSITIVE));
        let ends = match (rank.first, rank.total, rank.linear_share) {
            (Some(first), total, _) => [first[0], total.unwrap_or(first)[0]],
            (None, _, Some(share)) => [share; 2],
            _ => [whole; 2],
        };
        let mut cells = vec![named(&own.inputs[*k].name, &own.inputs[*k].paths), ("", bar(ends))];
        let share = |own: Option<[f64; 2]>| -> Cell {
            ("number", own.map_or("–".into(), |[share, error]| with_minus(&format!("{share:.3} ± {error:.3}"))))
        };
        if shares {
            cells.extend([share(rank.first), share(rank.total)]);
        }
        if linear {
            cells.push(("number", rank.linear_share.map_or("–".into(), |share| format!("{share:.3}"))));
        }
        if effects {
            cells.extend([number(rank.effect.map(|own| own[0])), number(rank.effect.map(|own| own[1]))]);
        }
        cells
    };
    let rows: Vec<Vec<Cell>> = order.iter().map(row).collect();
    let caption = format!("What makes “{}” uncertain", plain(&result.name));
    folded(rows.len(), rows.len(), "inputs", table(&caption, &heads, &rows))
}

/// A bar from 0 to 1: the share alone, and paler that with others.
fn bar([alone, all]: [f64; 2]) -> String {
    let wide = |part: f64| 120.0 * part.clamp(0.0, 1.0);
    format!(
        "<svg width=\"120\" height=\"12\" aria-hidden=\"true\"><rect class=\"band\" width=\"{:.1}\" height=\"12\" style=\"fill:var(--c0)\"/>\
         <rect y=\"2\" width=\"{:.1}\" height=\"8\" style=\"fill:var(--c0)\"/></svg>",
        wide(all.max(alone)),
        wide(alone)
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::report;
    use super::super::super::uncertainty::{PageBand, UncertainInput};
    use super::*;
    use crate::recorded::{motion, system};
    use crate::report::{Figure, html};

    fn page() -> UncertaintyPage {
        let input = |name: &str| UncertainInput { name: name.into(), paths: format!("body.{name}"), words: "normal, sd 0.1 kg".into() };
        let rank = |first: f64, total: f64| PageRank { first: Some([first, 0.02]), total: Some([total, 0.03]), ..PageRank::default() };
        UncertaintyPage {
            methods: vec!["sobol".into()],
            seed: 3.0,
            runs: [400, 400, 2],
            inputs: vec![input("thigh"), input("shank")],
            linear: Some([30.0, 40.0, 0.7]),
            results: vec![UncertainResult {
                name: "peak".into(),
                words: "max of `coord.knee.effort`".into(),
                unit: "N m".into(),
                nominal: Some(50.0),
                sampled: Some([51.0, 4.0, -43.5, 51.0, 58.25]),
                linear_sd: Some(4.5),
                ranks: vec![rank(0.2, 0.25), rank(0.7, 0.8)],
            }],
            bands: vec![PageBand {
                column: "system.energy.total".into(),
                time: vec![0.0, 0.5, 1.0],
                low: vec![-1.0, -2.0, -1.0],
                high: vec![1.0, 2.0, 1.0],
            }],
        }
    }

    #[test]
    fn uncertainty_has_a_section_with_a_ranking_and_plots_have_its_bands() {
        let system = system("double-pendulum");
        let table = motion(&system, 1.0, 11);
        let mut shown = report("bands", Figure::of(&system), &table);
        assert_eq!(body(&shown), None);
        shown.cases[0].uncertainty = Some(page());
        let part = body(&shown).expect("a section");
        for words in [
            "Found by Sobol&#39;s shares of variance; 400 runs with inputs drawn at random (seed 3), of which 2 failed.",
            "hold 95 % of the runs",
            "normal, sd 0.1 kg",
            "\u{2212}43.5 to 58.25",
            "What makes “peak” uncertain",
            "0.700 ± 0.020",
        ] {
            assert!(part.contains(words), "{words} in {part}");
        }
        // The first input is the one that matters most.
        let (shank, thigh) = (part.rfind(">shank<").expect("it"), part.rfind(">thigh<").expect("it"));
        assert!(shank < thigh);
        assert!(part.contains("<rect y=\"2\" width=\"84.0\""));
        let page = html(&shown);
        assert!(page.contains("<path class=\"band\"") && page.contains("\"band\":{\"t\":"), "no band is drawn");
    }
}
