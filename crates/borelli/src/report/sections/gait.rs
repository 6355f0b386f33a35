//! Sections of a gait session: numbers of walking, curves over the cycle, ground reaction, quality, methods.
//! Not here: what they show (`report::gait`), how plots are drawn (`plot`).

use super::super::escape::{prose, with_minus};
use super::super::gait::{PlainTable, Remark, SidedNumber, Weight};
use super::super::{Report, Section, escape};
use super::health::said;
use super::{Cell, table, text};
use crate::plot::{FONT, GridCell, INK, LEFT, LINE, RIGHT, SOFT, dashes, floor_plan, force_vectors, grid_cells};
use borelli_study::run::Verdict;

pub(in crate::report) const WALKING: Section = Section { id: "walking", title: "Walking", short: "Walking", body: walking };
pub(in crate::report) const KINEMATICS: Section = Section { id: "kinematics", title: "Joint angles", short: "Angles", body: kinematics };
pub(in crate::report) const KINETICS: Section =
    Section { id: "kinetics", title: "Joint moments and powers", short: "Moments", body: kinetics };
pub(in crate::report) const GROUND: Section = Section { id: "ground", title: "Ground reaction", short: "Ground", body: ground };
pub(in crate::report) const QUALITY: Section = Section { id: "quality", title: "Quality", short: "Quality", body: quality };

/// A picture in the colours and the type of the page, which is dark at times; files keep their own.
fn themed(svg: &str) -> String {
    let colours = [("#ffffff", "--page"), (INK, "--text"), (SOFT, "--soft"), (LINE, "--line"), (LEFT, "--l0"), (RIGHT, "--r0")];
    let own =
        colours.iter().fold(svg.to_string(), |svg, (colour, name)| svg.replace(&format!("\"{colour}\""), &format!("\"var({name})\"")));
    own.replace(&format!("\"{FONT}\""), "\"system-ui, sans-serif\"")
}

/// A picture with what it shows, for those who do not see it.
fn picture(svg: &str, caption: &str, class: &str) -> String {
    format!(
        "<figure class=\"wide {class}\" role=\"img\" aria-label=\"{0}\">{1}<figcaption>{0}</figcaption></figure>\n",
        escape(caption),
        themed(svg)
    )
}

/// Rows of three places. One without anything is left out; one that fits into the gaps of the row above it, as inversion of the foot beside the flexion of
/// the ankle, goes there.
fn rows_of(pictures: &[Option<String>]) -> Vec<[Option<&str>; 3]> {
    let mut rows: Vec<[Option<&str>; 3]> = Vec::new();
    for cells in pictures.chunks(3) {
        let row = [0, 1, 2].map(|k| cells.get(k).and_then(|svg| svg.as_deref()));
        if row.iter().all(Option::is_none) {
            continue;
        }
        match rows.last_mut().filter(|above| above.iter().zip(&row).all(|(a, b)| a.is_none() || b.is_none())) {
            Some(above) => above.iter_mut().zip(row).for_each(|(a, b)| *a = a.or(b)),
            None => rows.push(row),
        }
    }
    rows
}

/// Small plots three by three, two or one beside each other as the page is wide, with a legend and what they show.
fn cells(list: &[Option<GridCell>], x_label: &str, caption: &str) -> String {
    let pictures = grid_cells(list, 100.0, x_label);
    let mut out = format!("<figure class=\"wide\" role=\"img\" aria-label=\"{0}\"><div class=\"cells\">", escape(caption));
    // What is missing in a row keeps its place where three stand beside each other.
    for svg in rows_of(&pictures).iter().flatten() {
        out.push_str(&svg.map_or("<span class=\"empty\"></span>".into(), themed));
    }
    let line = |colour: &str, dash: &str, word: &str| {
        format!(
            "<svg width=\"24\" height=\"8\" aria-hidden=\"true\"><path d=\"M0 4h24\" stroke=\"var({colour})\" stroke-width=\"2.5\"{dash}/></svg> {word} "
        )
    };
    out.push_str(&format!(
        "</div><figcaption>{}{}<br>{}</figcaption></figure>\n",
        line("--l0", &dashes(LEFT), "left"),
        line("--r0", &dashes(RIGHT), "right"),
        escape(caption)
    ));
    out
}

fn plain(own: &PlainTable) -> String {
    if own.rows.is_empty() {
        return String::new();
    }
    let heads: Vec<(&str, &str)> = own.heads.iter().map(|head| ("", head.as_str())).collect();
    let rows: Vec<Vec<Cell>> = own.rows.iter().map(|row| row.iter().map(|cell| text(cell)).collect()).collect();
    table(&own.caption, &heads, &rows)
}

fn walking(report: &Report) -> Option<String> {
    let page = report.gait.as_ref()?;
    let facts = PlainTable {
        caption: String::new(),
        heads: vec!["Session".into(), "".into()],
        rows: page.facts.iter().map(|(key, value)| vec![key.clone(), value.clone()]).collect(),
    };
    let mut out = plain(&facts);
    out.push_str(&plain(&page.trials));
    if !page.numbers.is_empty() {
        out.push_str(&numbers(&page.numbers));
    }
    Some(out)
}

fn numbers(list: &[SidedNumber]) -> String {
    let side = |value: &Option<(f64, Option<f64>, usize)>| match value {
        Some((mean, Some(sd), _)) => format!("{} ± {sd:.1$}", with_minus(&format!("{mean:.0$}", decimals(*mean))), decimals(*mean)),
        Some((mean, None, _)) => with_minus(&format!("{mean:.0$}", decimals(*mean))),
        None => "–".into(),
    };
    let cycles = |value: &Option<(f64, Option<f64>, usize)>| value.map_or("–".to_string(), |(_, _, count)| count.to_string());
    let rows: Vec<Vec<Cell>> = list
        .iter()
        .map(|row| {
            let [left, right] = &row.sides;
            vec![
                text(&row.quantity),
                text(&row.unit),
                ("number", side(left)),
                ("number", side(right)),
                ("number", row.symmetry.map_or("–".into(), percent)),
                ("number", format!("{} / {}", cycles(left), cycles(right))),
            ]
        })
        .collect();
    let heads = [
        ("", "quantity"),
        ("", "unit"),
        ("number", "left"),
        ("number", "right"),
        ("number", "symmetry index / %"),
        ("number", "values left / right"),
    ];
    table("Spatio-temporal parameters: mean ± standard deviation", &heads, &rows) + &definitions(list)
}

/// Decimals that show four digits of a mean. Its standard deviation has no more: what is smaller is rounding.
fn decimals(mean: f64) -> usize {
    if mean == 0.0 || !mean.is_finite() { 3 } else { (3 - mean.abs().log10().floor() as i32).clamp(0, 6) as usize }
}

/// A hundredth of a percent is less than any walk repeats; zero has no sign.
fn percent(x: f64) -> String {
    let text = format!("{x:.2}");
    with_minus(if text == "-0.00" { "0.00" } else { &text })
}

/// What the numbers of walking mean, as they are computed in `borelli-data`.
const MEANINGS: [(&str, &str); 9] = [
    ("stride length", "from a strike of a foot to its next strike, along the walk: two steps, one of each foot"),
    ("step length", "from where the other heel struck to where the own heel strikes, along the walk: a left and a right step are a stride"),
    ("step width", "from the left to the right heel across the walk when the own foot strikes; negative where the feet cross"),
    ("step time", "from the strike of the other foot to the strike of the own"),
    ("cadence", "steps of both feet in a minute"),
    ("stance", "part of the cycle with the foot on the ground; swing is the rest"),
    ("single support", "part of the cycle in which the other foot is in the air"),
    ("first double support", "both feet on the ground, after the own strike"),
    ("second double support", "both feet on the ground, before the own foot leaves"),
];

fn definitions(list: &[SidedNumber]) -> String {
    let known = |word: &str| list.iter().any(|own| own.quantity == word);
    let index =
        [("symmetry index", "200 (right − left)/(right + left) %: zero where both sides are equal, positive where the right is larger")];
    let all = MEANINGS.iter().filter(|(word, _)| known(word)).chain(index.iter().filter(|_| list.iter().any(|own| own.symmetry.is_some())));
    let items: String = all.map(|(word, meaning)| format!("<dt>{word}</dt><dd>{meaning}</dd>\n")).collect();
    if items.is_empty() { items } else { format!("<dl class=\"terms\">\n{items}</dl>\n") }
}

fn kinematics(report: &Report) -> Option<String> {
    let page = report.gait.as_ref().filter(|page| page.kinematics.iter().any(Option::is_some))?;
    // One cycle of a side is drawn by itself.
    let several = page.kinematics.iter().flatten().flat_map(|cell| &cell.curves).any(|curve| !curve.mean);
    let lines = match (several, page.bands.is_empty()) {
        (true, true) => "Thin lines are single cycles, thick lines their mean, bands one standard deviation.".to_string(),
        (true, false) => format!("Thin lines are single cycles, thick lines their mean. {}", page.bands),
        (false, true) => "One cycle of each side.".into(),
        (false, false) => format!("One cycle of each side. {}", page.bands),
    };
    let caption = format!(
        "Angles over the gait cycle, in the sagittal, frontal and transverse plane. {lines} Vertical lines mark foot off, dashed ones events of the other foot."
    );
    Some(cells(&page.kinematics, "% of the gait cycle", &caption))
}

fn kinetics(report: &Report) -> Option<String> {
    let page = report.gait.as_ref().filter(|page| page.kinetics.iter().any(Option::is_some))?;
    let bands = if page.bands.is_empty() { String::new() } else { format!(" {}", page.bands) };
    let caption = format!(
        "Angle, internal moment and power of hip, knee and ankle over the gait cycle, for cycles in which the foot stood on a force plate alone. Net joint moments are what muscles, ligaments and contact do together.{bands}"
    );
    Some(cells(&page.kinetics, "% of the gait cycle", &caption))
}

fn ground(report: &Report) -> Option<String> {
    let page = report.gait.as_ref()?;
    let mut out = String::new();
    if page.ground.iter().any(Option::is_some) {
        out.push_str(&cells(&page.ground, "% of stance", "Ground reaction force on the foot over stance, in percent of body weight."));
    }
    out.push_str("<div class=\"beside\">\n");
    if !page.vectors.is_empty() {
        out.push_str(&picture(
            &force_vectors(&page.vectors),
            "Ground reaction force every 10 ms, drawn from the centre of pressure (Pedotti diagram).",
            "tall",
        ));
    }
    if !page.floor.is_empty() {
        out.push_str(&picture(&floor_plan(&page.floor), "Force plates and path of the centre of pressure, seen from above.", ""));
    }
    out.push_str("</div>\n");
    let shown = page.ground.iter().any(Option::is_some) || !page.vectors.is_empty() || !page.floor.is_empty();
    shown.then_some(out)
}

fn quality(report: &Report) -> Option<String> {
    let page = report.gait.as_ref()?;
    let class = |weight: Weight| match weight {
        Weight::Severe => "bad",
        Weight::Warning => "look",
        Weight::Note => "none",
    };
    let verdict = |weight: Weight| match weight {
        Weight::Severe => said(Verdict::Bad),
        Weight::Warning => said(Verdict::Look),
        Weight::Note => "note",
    };
    let row = |remark: &Remark| vec![(class(remark.weight), verdict(remark.weight).to_string()), text(&remark.trial), text(&remark.text)];
    let rows: Vec<Vec<Cell>> = page.remarks.iter().map(row).collect();
    let mut out = if rows.is_empty() {
        "<p>No remarks.</p>\n".to_string()
    } else {
        table("Remarks, the most serious first", &[("", "Verdict"), ("", "Trial"), ("", "Remark")], &rows)
    };
    page.quality.iter().for_each(|own| out.push_str(&plain(own)));
    Some(out)
}

/// How the session was evaluated; part of the section on methods.
pub(super) fn methods(report: &Report) -> Option<String> {
    let page = report.gait.as_ref()?;
    let mut out = format!("<p>{}</p>\n", prose(&page.methods));
    out.push_str(&plain(&page.signs));
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::super::super::gait::GaitPage;
    use super::super::super::{Report, html};
    use super::*;

    #[test]
    fn pictures_take_the_colours_of_the_page() {
        let svg = grid_cells(&[Some(GridCell { title: "Knee".into(), ..GridCell::default() })], 100.0, "%").remove(0).expect("a picture");
        for svg in [svg, floor_plan(&[]), force_vectors(&[])] {
            let own = themed(&svg);
            assert!(own.contains("var(--page)") && own.contains("system-ui") && !own.contains("\"#"), "{own}");
        }
    }

    #[test]
    fn a_row_goes_into_the_gaps_of_the_one_above() {
        let some = |name: &str| Some(name.to_string());
        let list = [some("knee"), None, None, some("ankle"), None, None, None, some("foot"), None, None, None, None, some("last")];
        let rows = [[Some("knee"), None, None], [Some("ankle"), Some("foot"), None], [Some("last"), None, None]];
        assert_eq!(rows_of(&list), rows);
    }

    #[test]
    fn numbers_of_walking_have_the_digits_that_a_walk_repeats() {
        assert_eq!([114.3, 1.05, 0.5249, 7.715, 0.0].map(decimals), [1, 3, 4, 3, 3]);
        assert_eq!([-2.49e-14, 4.2e-3, -0.0506, 12.345].map(percent), ["0.00", "0.00", "\u{2212}0.05", "12.35"]);
    }

    #[test]
    fn a_session_shows_numbers_remarks_and_methods_and_other_reports_do_not() {
        let number = SidedNumber {
            quantity: "stride time".into(),
            unit: "s".into(),
            sides: [Some((1.2, Some(0.03), 3)), Some((1.25, None, 1))],
            symmetry: Some(4.08),
        };
        let remark = |weight, text: &str| Remark { weight, trial: "walk".into(), text: text.into() };
        let page = GaitPage {
            facts: vec![("body mass".into(), "72.6 kg".into())],
            numbers: vec![number],
            remarks: vec![remark(Weight::Severe, "residuals <too> large"), remark(Weight::Note, "filled a gap")],
            methods: "Markers were low-pass filtered.".into(),
            ..GaitPage::default()
        };
        let with = html(&Report { title: "walk".into(), gait: Some(page), ..Report::default() });
        for part in [
            "1.200 ± 0.030",
            "1.25",
            "72.6 kg",
            "<dt>symmetry index</dt>",
            "residuals &lt;too&gt; large",
            "filled a gap",
            "role=\"alert\"",
            "3 / 1",
        ] {
            assert!(with.contains(part), "{part}");
        }
        let without = html(&Report { title: "walk".into(), ..Report::default() });
        assert!(!without.contains("id=\"walking\"") && !without.contains("id=\"quality\""));
    }
}
