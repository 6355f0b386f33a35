//! Maps of pressure mats as they stand without script: frames in a row, the highest pressure of every cell, and the bar of colours.
//! Not here: drawing a map (`plot::heat`); maps that follow the player (`page/pressure.js`).

use super::super::{Report, Section, escape, significant};
use super::case_name;
use crate::label;
use crate::plot::{HeatMap, colour_bar, round_top};
use borelli_study::pressure::PressureMap;

pub(in crate::report) const SECTION: Section = Section { id: "pressure", title: "Pressure", short: "Pressure", body };

/// Most frames of a mat that are shown.
const MOST_SHOWN: usize = 8;
/// Cases whose maps are shown; those of others are in their files.
const MOST_CASES: usize = 6;
/// Room of a frame in pixels, width and height.
const ROOM: [f64; 2] = [150.0, 200.0];

fn body(report: &Report) -> Option<String> {
    let all = || report.cases.iter().enumerate().flat_map(|(k, case)| case.pressure.iter().map(move |map| (k, case, map)));
    all().next()?;
    let mut out = String::from("<div id=\"mats\">\n");
    let with_maps = report.cases.iter().filter(|case| !case.pressure.is_empty()).count();
    let mut shown: Vec<usize> = Vec::new();
    for (k, case, map) in all() {
        if !shown.contains(&k) {
            if shown.len() == MOST_CASES {
                break;
            }
            shown.push(k);
        }
        // One bar for a mat in all cases, so that they can be compared; what a check warns of would set it for all, and has its own.
        let alike = all().filter(|(other, whose, own)| own.name == map.name && (*other == k || !case.warned() && !whose.warned()));
        let highest = alike.flat_map(|(_, _, map)| &map.peak).copied().fold(0.0, f64::max);
        let own = label::element(&map.name);
        let name = if report.cases.len() > 1 { format!("{}: {own}", case_name(k, case)) } else { own };
        out.push_str(&mat(&name, map, highest));
    }
    if with_maps > shown.len() {
        out.push_str(&format!("<p class=\"fine\">Maps of {} further cases are in their files.</p>\n", with_maps - shown.len()));
    }
    out.push_str("</div>\n");
    Some(out)
}

/// One mat.
fn mat(name: &str, map: &PressureMap, highest: f64) -> String {
    const KILO: f64 = 1e3;
    let (top, step) = round_top(highest / KILO);
    let count = map.time.len();
    let chosen: Vec<usize> =
        if count <= MOST_SHOWN { (0..count).collect() } else { (0..MOST_SHOWN).map(|k| k * (count - 1) / (MOST_SHOWN - 1)).collect() };
    let draw = |values: &[f64], mark, words: &str| {
        let label = format!("pressure on {name}, {words}");
        let svg = HeatMap { cells: map.cells, pitch: map.pitch, values, top: top * KILO, mark, label: &label }.svg(ROOM);
        format!("<figure class=\"mat\">{svg}<figcaption>{}</figcaption></figure>\n", escape(words))
    };
    let frames: String =
        chosen.iter().map(|k| draw(map.frame(*k), map.centre[*k], &format!("{} s", significant(map.time[*k], 4)))).collect();
    let ([x, z], [pitch_x, pitch_z]) = (map.cells, map.pitch.map(|pitch| significant(1e3 * pitch, 4)));
    let of = if chosen.len() < count { format!(" {} of {count} frames, evenly chosen.", chosen.len()) } else { String::new() };
    format!(
        "<div class=\"mat-box\"><h3>{}</h3>\n<p class=\"fine\">Seen from above: {x} cells of {pitch_x} mm along X, up the page, and {z} of {pitch_z} mm along Z, to the right, \
         from the corner at the lower left; a dot is the centre of pressure, and the last map the highest pressure of each cell over the whole run.{of}</p>\n\
         <div class=\"mats\">\n{frames}{}</div>\n{}</div>\n",
        escape(name),
        draw(&map.peak, None, "highest"),
        colour_bar(top, step, "kPa"),
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::{Case, html};
    use super::*;
    use crate::recorded::system;
    use borelli_study::plan::{Analysis, Plan, PressureFrames, Time};
    use borelli_study::run::{Unwatched, run};

    #[test]
    fn a_mat_is_drawn_once_for_each_frame_and_once_for_the_highest_pressures() {
        let system = system("heel-mat");
        for (frames, pictures) in [(6, 6), (40, MOST_SHOWN)] {
            let time = Time { start: 0.0, end: 0.2, sample: Some(0.005) };
            let plan = Plan { analysis: Analysis::Evaluate, time, pressure: PressureFrames::Count(frames), ..Plan::default() };
            let outcome = run(&system, &plan, None, &mut Unwatched).unwrap_or_else(|f| panic!("{:?}", f.iter().collect::<Vec<_>>()));
            let case = Case::of("", &system, &outcome);
            let page = html(&Report { title: "mat".into(), cases: vec![case.clone()], ..Report::default() });
            let part = page.split_once("<section id=\"pressure\"").expect("the section").1.split_once("</section>").expect("its end").0;
            assert_eq!(part.matches("<figure class=\"mat\">").count(), pictures + 1);
            // The heel presses with more than the least force all the time; the last picture has no centre.
            assert_eq!(part.matches("class=\"mark\"").count(), pictures);
            assert_eq!(part.contains(&format!("{pictures} of {frames} frames")), pictures < frames);
            assert!(part.contains(">kPa<") && part.contains("0.2 s") && part.contains("64 cells of 2.5 mm along X"));
            let bare = Case { pressure: &[], ..case };
            assert!(!html(&Report { title: "none".into(), cases: vec![bare], ..Report::default() }).contains("id=\"pressure\""));
        }
    }
}
