//! Muscles one by one: excitation and activation, fibre length, force over time; what the fibre did on its force-length and force-velocity curves.
//! Not here: all muscles together over time (`plots`), their lines in space (`figure`).
//!
//! In both diagrams forces are parts of the largest isometric one. The curves are what a fully active fibre can do at rest, and at its optimal length; the run lies below
//! them by as much as activation and the other of the two curves leave.

use super::super::chart::{Plain, plain_chart};
use super::super::data::MuscleFacts;
use super::super::{Case, Report, Section, escape};
use super::case_name;
use crate::label::side_of;
use borelli_dynamics::muscle::CurveSamples;

pub(in crate::report) const SECTION: Section = Section { id: "muscles", title: "Muscles", short: "Muscles", body };

/// Cases whose muscles are shown; those of others are in the plots.
const MOST_CASES: usize = 4;
/// More muscles than this stand folded.
const MOST_OPEN: usize = 2;
/// Most points of a curve; samples are taken evenly.
const MOST_POINTS: usize = 400;

fn body(report: &Report) -> Option<String> {
    let with = || report.cases.iter().enumerate().filter(|(_, case)| case.trajectory.len() > 1 && !case.facts.muscles.is_empty());
    let count = with().count();
    // Runs whose muscles do the same are shown once.
    let mut shown: Vec<(usize, &Case)> = Vec::new();
    let mut alike: Vec<Vec<String>> = Vec::new();
    for (k, case) in with() {
        match shown.iter().position(|(_, other)| same_muscles(case, other)) {
            Some(first) => alike[first].push(format!("“{}”", case_name(k, case))),
            None => {
                shown.push((k, case));
                alike.push(Vec::new());
            }
        }
    }
    let (mut out, mut repeated) = (String::new(), String::new());
    for (k, case) in shown.iter().copied().take(MOST_CASES) {
        let muscles = &case.facts.muscles;
        let several = count > 1 || report.cases.len() > 1;
        let name = |muscle: &MuscleFacts| {
            let own = case.facts.given().element("muscle", &muscle.name, side_of(&muscle.name));
            if several { format!("{}: {own}", case_name(k, case)) } else { own }
        };
        for muscle in muscles {
            let Some(charts) = charts(case, muscle) else { continue };
            let open = if muscles.len() <= MOST_OPEN && count == 1 { " open" } else { "" };
            out.push_str(&format!(
                "<details class=\"muscle\"{open}><summary><h3>{}</h3></summary>\n<div class=\"plots\">\n{charts}</div></details>\n",
                escape(&name(muscle))
            ));
        }
    }
    for ((k, case), others) in shown.iter().zip(&alike).take(MOST_CASES).filter(|(_, others)| !others.is_empty() && !out.is_empty()) {
        let words = format!("Muscles of {} exert the same forces as those of “{}”, to 0.1 %.", others.join(", "), case_name(*k, case));
        repeated.push_str(&format!("<p class=\"fine\">{}</p>\n", escape(&words)));
    }
    out.push_str(&repeated);
    if shown.len() > MOST_CASES {
        let (n, word) = (shown.len() - MOST_CASES, if shown.len() == MOST_CASES + 1 { "case" } else { "cases" });
        out.push_str(&format!("<p class=\"fine\">Muscles of {n} further {word} can be plotted above.</p>\n"));
    }
    let words = "<p class=\"fine paper\">Diagrams of each muscle that is folded here are in the page itself.</p>\n<p class=\"fine of-diagrams\">In the last two diagrams of a muscle forces are parts of its largest isometric force. Curves of the law: a fully active fibre at rest over its \
                 length, and at its optimal length over its speed, shortening to the left. The run lies below them by as much as activation, and speed or length, take \
                 away.</p>\n";
    (!out.is_empty()).then(|| format!("{words}{out}"))
}

/// Forces that differ by less than this part of the largest are the same but for the method.
const ALIKE: f64 = 1e-3;

/// Whether muscles of two runs exert the same forces at the same times.
fn same_muscles(a: &Case, b: &Case) -> bool {
    let force = |case: &Case<'_>, muscle: &MuscleFacts| case.trajectory.index(&format!("muscle.{}.force", muscle.name));
    let same = |muscle: &MuscleFacts| {
        let (Some(i), Some(j)) = (force(a, muscle), force(b, muscle)) else { return false };
        let (f, g) = (a.trajectory.values(i), b.trajectory.values(j));
        let most = f.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        f.iter().zip(g).all(|(x, y)| (x - y).abs() <= ALIKE * most)
    };
    let names = |case: &Case| case.facts.muscles.iter().map(|muscle| muscle.name.clone()).collect::<Vec<_>>();
    names(a) == names(b) && a.trajectory.time() == b.trajectory.time() && a.facts.muscles.iter().all(same)
}

/// The diagrams of one muscle; nothing where its columns were not recorded.
fn charts(case: &Case, muscle: &MuscleFacts) -> Option<String> {
    let table = case.trajectory;
    let step = table.len().div_ceil(MOST_POINTS);
    let last = table.len() - 1;
    let kept: Vec<usize> = (0..table.len()).filter(|k| k % step == 0 || *k == last).collect();
    let thin = |values: &[f64]| -> Vec<f64> { kept.iter().map(|k| values[*k]).collect() };
    let column = |part: &str| table.column(&format!("muscle.{}.{part}", muscle.name)).map(thin);
    let time = thin(table.time());
    let over_time = |label: &str, y: Vec<f64>| Plain { label: label.into(), x: time.clone(), y };
    let scaled = |y: Vec<f64>, by: f64| -> Vec<f64> { y.into_iter().map(|y| y / by).collect() };
    let (force, length, speed) = (column("force")?, column("fibre_length")?, column("fibre_speed")?);
    let (active, passive) = (scaled(column("active_force")?, muscle.force), scaled(column("passive_force")?, muscle.force));
    let drive = [("excitation", column("excitation")), ("activation", column("activation"))];
    let drive: Vec<Plain> = drive.into_iter().filter_map(|(label, y)| Some(over_time(label, y?))).collect();
    let mut out = plain_chart("Excitation and activation", "1", "Time / s", drive, &[0.0, 1.0]);
    let optimal = vec![muscle.fibre_length * 1e3; time.len()];
    let fibre = vec![over_time("fibre", length.iter().map(|x| x * 1e3).collect()), over_time("optimal length", optimal)];
    out.push_str(&plain_chart("Fibre length", "mm", "Time / s", fibre, &[]));
    out.push_str(&plain_chart("Muscle force", "N", "Time / s", vec![over_time("along the tendon", force)], &[0.0]));
    let law = |label: &str, x: [f64; 2], y: &[f64]| Plain { label: label.into(), x: CurveSamples::places(x).collect(), y: y.to_vec() };
    let run = |label: &str, x: &[f64], y: &[f64]| Plain { label: label.into(), x: x.to_vec(), y: y.to_vec() };
    let n = scaled(length, muscle.fibre_length);
    // Far out the passive curve would hide the rest.
    let stiff: Vec<f64> = muscle.curves.passive.iter().map(|f| if *f <= 1.2 { *f } else { f64::NAN }).collect();
    let by_length = vec![
        law("active, law", CurveSamples::LENGTHS, &muscle.curves.active),
        law("passive, law", CurveSamples::LENGTHS, &stiff),
        run("active, in the run", &n, &active),
        run("passive, in the run", &n, &passive),
    ];
    out.push_str(&plain_chart("Force over fibre length", "1", "Fibre length / optimal length", by_length, &[0.0, 1.1]));
    let nu = scaled(speed, muscle.speed * muscle.fibre_length);
    let by_speed = vec![law("active, law", CurveSamples::SPEEDS, &muscle.curves.speed), run("active, in the run", &nu, &active)];
    out.push_str(&plain_chart("Force over fibre speed", "1", "Lengthening speed / largest shortening speed", by_speed, &[0.0]));
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::system;
    use crate::report::html;
    use borelli_study::plan::{Plan, Time};
    use borelli_study::run::{Unwatched, run};

    #[test]
    fn every_muscle_has_its_diagrams_and_the_run_lies_under_the_curve_of_the_law() {
        let system = system("elbow-muscles");
        let plan = Plan { time: Time { start: 0.0, end: 0.6, sample: Some(0.01) }, ..Plan::default() };
        let outcome = run(&system, &plan, None, &mut Unwatched).unwrap_or_else(|_| panic!("a run"));
        let case = Case::of("", &system, &outcome);
        assert_eq!(case.facts.muscles.iter().map(|muscle| muscle.name.as_str()).collect::<Vec<_>>(), ["flexor", "extensor"]);
        for muscle in &case.facts.muscles {
            // The curve of the law with the numbers of the muscle: highest at the optimal length, none at the largest shortening speed.
            let at = |places: [f64; 2], curve: &[f64], x: f64| {
                let k = CurveSamples::places(places).position(|place| place >= x - 1e-9).expect("a place");
                curve[k]
            };
            assert!((at(CurveSamples::LENGTHS, &muscle.curves.active, 1.0) - 1.0).abs() < 2e-2, "{}", muscle.name);
            let column = |part: &str| outcome.trajectory.column(&format!("muscle.{}.{part}", muscle.name)).expect("a column");
            let (active, length, a) = (column("active_force"), column("fibre_length"), column("activation"));
            for k in 0..active.len() {
                // Lengthening adds at most 0.4 to what the fibre has at rest.
                let n = length[k] / muscle.fibre_length;
                let law = at(CurveSamples::LENGTHS, &muscle.curves.active, n);
                assert!(active[k] / muscle.force <= 1.45 * a[k] * (law + 0.05), "{} {k}", muscle.name);
            }
        }
        let page = html(&Report { title: "elbow".into(), cases: vec![case], ..Report::default() });
        let section = page.split("<section id=\"muscles\"").nth(1).and_then(|rest| rest.split("</section>").next()).expect("a section");
        for title in ["Excitation and activation", "Fibre length", "Muscle force", "Force over fibre length", "Force over fibre speed"] {
            assert_eq!(section.matches(&format!("<h3>{title}</h3>")).count(), 2, "{title}");
        }
        assert_eq!(section.matches("<details class=\"muscle\" open>").count(), 2);
        assert_eq!(section.matches("active, law</span>").count(), 4);
    }

    #[test]
    fn runs_whose_muscles_do_the_same_are_shown_once() {
        let system = system("elbow-muscles");
        let plan = |sample: f64| Plan { time: Time { start: 0.0, end: 0.2, sample: Some(sample) }, ..Plan::default() };
        let [fine, coarse] =
            [0.01, 0.02].map(|sample| run(&system, &plan(sample), None, &mut Unwatched).unwrap_or_else(|_| panic!("a run")));
        let cases = vec![Case::of("one", &system, &fine), Case::of("two", &system, &fine), Case::of("three", &system, &coarse)];
        let text = body(&Report { cases, ..Report::default() }).expect("a section");
        assert_eq!(text.matches("<details class=\"muscle\"").count(), 4, "two muscles of two cases");
        assert!(
            text.contains("Muscles of “Two” exert the same forces as those of “One”, to 0.1 %.") && text.contains("<h3>Three: "),
            "{text}"
        );
    }

    #[test]
    fn models_without_muscles_have_no_such_section() {
        let system = system("pendulum");
        let plan = Plan { time: Time { start: 0.0, end: 0.1, sample: None }, ..Plan::default() };
        let outcome = run(&system, &plan, None, &mut Unwatched).unwrap_or_else(|_| panic!("a run"));
        assert!(body(&Report { cases: vec![Case::of("", &system, &outcome)], ..Report::default() }).is_none());
    }
}
