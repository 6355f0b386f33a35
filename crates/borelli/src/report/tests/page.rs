//! The page around the data: text that cannot become markup, parts, first lines, what is read without script.

use super::{keep, report};
use crate::figure::Figure;
use crate::recorded::{motion, system};
use crate::report::fit::FitPage;
use crate::report::gait::{GaitPage, PlainTable, Remark, SidedNumber, Weight};
use crate::report::uncertainty::UncertaintyPage;
use crate::report::{Case, Expectation, Group, Report, SCENE, SCRIPTS, SECTIONS, Scalar, html, viewer};
use borelli_data::{Column, Trajectory};
use borelli_study::pressure::PressureMap;

/// Everything that could end a script, open an element, close an attribute or a template.
const EVIL: &str = "</script><script>alert(1)</script><!--\" onload='x' `${alert(2)}` <img src=x onerror=alert(3)> &amp;";

fn mat(name: &str) -> PressureMap {
    PressureMap {
        name: name.into(),
        cells: [1, 2],
        pitch: [0.01, 0.01],
        time: vec![0.0],
        centre: vec![None],
        pressure: vec![0.0, 2e3],
        peak: vec![0.0, 2e3],
    }
}

fn table_of(text: &str) -> PlainTable {
    PlainTable { caption: text.into(), heads: vec![text.into()], rows: vec![vec![text.into()]] }
}

/// What a gait session shows, with one text everywhere.
fn session(text: &str) -> GaitPage {
    let cell = || {
        let (title, unit, up, down) = (text.to_string(), text.to_string(), text.to_string(), text.to_string());
        vec![Some(crate::plot::GridCell { title, unit, up, down, ..crate::plot::GridCell::default() })]
    };
    GaitPage {
        facts: vec![(text.into(), text.into())],
        trials: table_of(text),
        numbers: vec![SidedNumber { quantity: text.into(), unit: text.into(), sides: [None, Some((1.0, None, 1))], symmetry: None }],
        kinematics: cell(),
        kinetics: cell(),
        ground: cell(),
        remarks: [Weight::Severe, Weight::Note].map(|weight| Remark { weight, trial: text.into(), text: text.into() }).into(),
        quality: vec![table_of(text)],
        methods: text.into(),
        signs: table_of(text),
        ..GaitPage::default()
    }
}

/// A report of two cases with one text in every field.
fn everywhere<'a>(text: &str, table: &'a Trajectory, maps: &'a [PressureMap]) -> Report<'a> {
    let mut report = report(text, Figure::of(&system("pendulum")), table);
    for field in [&mut report.description, &mut report.source, &mut report.outcome] {
        *field = text.into();
    }
    report.method.extend([(text.into(), text.into()), (text.into(), format!("sha256 {text}"))]);
    report.groups.push(Group { title: text.into(), columns: vec![text.into()], cases: vec![text.into()], ..Group::default() });
    for row in &mut report.expectations {
        for field in [&mut row.quantity, &mut row.unit, &mut row.basis, &mut row.source, &mut row.note] {
            *field = text.into();
        }
    }
    let case = &mut report.cases[0];
    case.pressure = maps;
    case.notice = Some(text.into());
    (case.scalars[0].name, case.scalars[0].unit) = (text.into(), text.into());
    case.method[0] = (text.into(), text.into());
    let (event, health) = (&mut case.events[0], &mut case.health[0]);
    for field in [&mut event.name, &mut event.action, &mut event.text] {
        *field = text.into();
    }
    for field in [&mut health.label, &mut health.unit, &mut health.text, &mut case.name] {
        *field = text.into();
    }
    case.figure.bodies[1].name = text.into();
    case.figure.joints[0].name = text.into();
    let mut other = case.clone();
    other.name = "plain".into();
    report.cases.push(other);
    report.gait = Some(session(text));
    report
}

fn samples(name: &str) -> Trajectory {
    let mut table = Trajectory::foreign(vec![Column::new(name, "m")]).expect("columns");
    table.push_row(&[0.0, 1.0]).expect("a row");
    table.push_row(&[1.0, 2.0]).expect("a row");
    table
}

#[test]
fn no_text_of_a_report_can_become_markup_or_end_a_script() {
    let pages = [EVIL, "plain words"].map(|text| {
        let (table, maps) = (samples(text), [mat(text)]);
        html(&everywhere(text, &table, &maps))
    });
    keep("evil", &pages[0]);
    let [evil, plain] = &pages;
    for sign in ["<script", "</script", "<img", "<!--", "<a ", "<td", "<svg"] {
        assert_eq!(evil.matches(sign).count(), plain.matches(sign).count(), "{sign}");
    }
    let (markup, data) = evil.split_once("id=\"data\"").expect("the data");
    assert!(!markup.contains("onload='") && !data.split_once("</script>").expect("its end").0.contains('<'));
    assert!(markup.matches("&lt;img src=x onerror=alert(3)&gt;").count() > 40, "the text is shown");
    assert_eq!(super::data_of(evil)["figures"][0]["bodies"][1]["name"].text(), EVIL);
    assert_eq!(super::data_of(evil)["cases"][0]["columns"][0]["name"].text(), EVIL);
}

#[test]
fn scripts_end_no_element_and_fetch_nothing() {
    for script in SCRIPTS.into_iter().chain([SCENE]) {
        let bare = script.replace("http://www.w3.org/2000/svg", "");
        for sign in ["</script", "<!--", "http:", "https:", "fetch(", "XMLHttpRequest", "innerHTML", "import("] {
            assert!(!bare.contains(sign), "{sign}");
        }
    }
    let table = samples("coord.a.value");
    let page = html(&report("policy", Figure::of(&system("pendulum")), &table));
    assert!(page.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'"));
    let markup = page.split_once("id=\"data\"").expect("the data").0.replace("http://www.w3.org/2000/svg", "");
    assert!(["http://", "https://", " src=", "@import", "url(h"].iter().all(|way| !markup.contains(way)));
    assert_eq!(page.contains("class=\"licences\""), viewer::script().is_some(), "licences go with the viewer");
}

#[test]
fn every_part_has_a_heading_and_a_link_and_those_without_content_are_left_out() {
    let system = system("pendulum");
    let table = motion(&system, 1.0, 3);
    let maps = [mat("mat")];
    let mut whole = report("pendulum", Figure::of(&system), &table);
    whole.cases[0].pressure = &maps;
    let soft = crate::recorded::soft::ring();
    whole.cases[0].soft = &soft;
    whole.gait = Some(session("words"));
    whole.cases[0].fit = Some(FitPage::default());
    whole.cases[0].uncertainty = Some(UncertaintyPage::default());
    let full = html(&whole);
    for word in [">met<", ">missed<", ">not judged<", ">good<", "77.68", "\u{2212}0.02"] {
        assert!(full.contains(word), "{word}");
    }
    // A motion is told by figure and plots, a state by a table; one case needs no list of cases, a pendulum has no muscles.
    for section in SECTIONS.iter().filter(|section| !["state", "cases", "muscles"].contains(&section.id)) {
        assert!(full.contains(&format!("<section id=\"{0}\" aria-labelledby=\"{0}-title\">", section.id)), "{}", section.id);
        assert!(full.contains(&format!("<a href=\"#{}\">{}</a>", section.id, section.short)), "{}", section.id);
    }
    let empty = html(&Report { title: "nothing".into(), ..Report::default() });
    assert!(!empty.contains("<section") && empty.contains("<main id=\"main\""));
}

#[test]
fn the_first_lines_say_what_came_out_and_lead_to_what_was_missed() {
    let table = samples("coord.a.value");
    let figure = Figure::of(&system("pendulum"));
    let mut page = report("first lines", figure, &table);
    page.outcome = "It swung for 1 s.".into();
    let text = html(&page);
    assert!(text.contains("<p class=\"outcome\">It swung for 1\u{a0}s.</p>"));
    assert!(text.contains("<a class=\"chip bad\" href=\"#missed-1\">1 of 3 expected numbers met, 1 missed, 1 not judged</a>"));
    assert_eq!(text.matches("<tr id=\"missed-1\"><td class=\"bad\">missed</td>").count(), 1);
    page.expectations.truncate(1);
    assert!(html(&page).contains("<a class=\"chip good\" href=\"#expected\">1 of 1 expected number met</a>"));
}

#[test]
fn a_run_that_failed_never_looks_good() {
    let table = samples("coord.a.value");
    let mut page = report("failed", Figure::of(&system("pendulum")), &table);
    page.expectations.truncate(1);
    page.cases[0].notice = Some("This run failed at 0.5 s.\nThe step became too small.".into());
    let text = html(&page);
    let (first, rest) = text.split_once("<nav").expect("the list of parts");
    assert!(
        first.contains("class=\"chip bad\" href=\"#notice-0\">the run did not end as planned<") && !first.contains("chip good"),
        "{first}"
    );
    assert!(first.contains("role=\"alert\" id=\"notice-0\">This run failed at 0.5 s."));
    let health = rest.split_once("id=\"health\"").expect("health").1;
    assert!(health.find(">bad<").expect("a verdict") < health.find(">good<").expect("another"), "the end of the run is the first check");
}

#[test]
fn without_script_there_are_poses_plots_and_tables() {
    let system = system("ballistic-gait");
    let table = motion(&system, 0.6, 401);
    let page = html(&report("no script", Figure::of(&system), &table));
    let (markup, _) = page.split_once("id=\"data\"").expect("the data");
    let plots = super::data_of(&page)["groups"].list().len();
    assert!(plots > 3);
    assert_eq!(markup.matches("<figure class=\"plot\">").count(), plots);
    assert!(markup.contains("<figure class=\"still\"><svg") && markup.contains("<noscript>") && !markup.contains("NaN"));
    // Start, end and extremes for those who do not see a plot.
    assert_eq!(markup.matches("<th>Smallest</th>").count(), plots);
    // Controls are made by script: they would do nothing without. Times of events are the only buttons.
    assert_eq!(markup.matches("<button").count(), markup.matches("data-time=").count());
}

#[test]
fn a_single_state_has_a_table_in_place_of_plots() {
    let system = system("path-muscles");
    let moving = motion(&system, 0.1, 3);
    let mut still = Trajectory::new(moving.columns().to_vec()).expect("columns");
    let first: Vec<f64> = [0.0].into_iter().chain((0..moving.columns().len()).map(|k| moving.values(k)[0])).collect();
    still.push_row(&first).expect("a sample");
    let page = html(&report("still", Figure::of(&system), &still));
    assert!(page.contains("<section id=\"state\"") && !page.contains("<section id=\"plots\""));
    let tension = still.columns().iter().find(|c| c.name.starts_with("path.") && c.name.ends_with(".force")).expect("a path").name.clone();
    let value = still.column(&tension).expect("a column")[0];
    let row = page.split_once(&format!("<span title=\"{tension}\">")).expect("its row").1.split_once("</tr>").expect("its end").0;
    assert!(row.contains(&format!("<td class=\"number\"><span title=\"{value:?}\">")), "{row}");
    let page = html(&report("moving", Figure::of(&system), &moving));
    assert!(!page.contains("<section id=\"state\"") && page.contains("<section id=\"plots\""));
}

#[test]
fn numbers_have_six_digits_or_those_that_the_allowed_difference_is_about() {
    let system = system("pendulum");
    let table = motion(&system, 1.0, 3);
    let mut page = report("digits", Figure::of(&system), &table);
    page.cases[0].scalars[0].value = 12_345_678.0;
    page.cases[0].scalars.push(Scalar { name: "run.longest".into(), value: 0.123_456_789, unit: "s".into() });
    let row = &mut page.expectations[0];
    (row.expected, row.computed, row.tolerance) = (Some(0.764_213_508), Some(0.764_213_508_397_448), Some(1e-9));
    let text = html(&page);
    for cell in [
        ">12345678<",
        ">0.123457</span></td><td class=\"unit\">s<",
        ">0.764213508<",
        ">0.7642135084<",
        ">3.97e\u{2212}10<",
        "title=\"0.764213508397448\"",
    ] {
        assert!(text.contains(cell), "{cell}");
    }
}

#[test]
fn many_met_numbers_are_one_line_and_what_was_missed_is_never_folded() {
    let table = samples("coord.a.value");
    let mut page = report("long table", Figure::of(&system("pendulum")), &table);
    let first = page.expectations[0].clone();
    let list = |missed: usize, met: usize| -> Vec<Expectation> {
        let verdict = |k: usize| match k {
            k if k < met => Some(true),
            k if k < met + missed => Some(false),
            _ => None,
        };
        let computed = |k: usize| first.computed.filter(|_| verdict(k).is_some());
        let row = |k: usize| Expectation { quantity: format!("number {k};"), ok: verdict(k), computed: computed(k), ..first.clone() };
        (0..met + missed + 1).map(row).collect()
    };
    for (missed, met) in [(0, 40), (3, 96), (40, 31)] {
        page.expectations = list(missed, met);
        let text = html(&page);
        let (before, folded) = text.split_once("<details class=\"more met\">").expect("a fold");
        let (folded, after) = folded.split_once("</details>").expect("its end");
        let counts = [before, folded, after].map(|part| part.matches(">number ").count());
        assert_eq!(counts, [missed, met, 1], "what was not judged stands last");
        assert!(
            !folded.contains(">missed<")
                && folded.contains(&format!("{met} {} numbers were met", if missed > 0 { "further" } else { "expected" }))
        );
        // One source of all, cited where it is read.
        assert_eq!(text.matches("<li id=\"source-").count(), 2, "the source, and the remark that all rows share");
    }
    page.expectations = list(0, 30);
    assert!(!html(&page).contains("class=\"more\""));
}

#[test]
fn numbers_that_are_fitted_or_not_reached_are_shown_and_not_counted() {
    let table = samples("coord.a.value");
    let mut page = report("three kinds", Figure::of(&system("pendulum")), &table);
    page.expectations.truncate(1);
    let first = page.expectations[0].clone();
    page.expectations.push(Expectation { quantity: "chosen".into(), basis: "fitted".into(), ..first.clone() });
    page.expectations.push(Expectation { quantity: "too small".into(), ok: None, ..first.clone() });
    let text = html(&page);
    assert!(text.contains(">1 of 1 expected number met, 1 more not reached, 1 more fitted</a>"), "{text}");
    for (word, class) in [("fitted", "none"), ("not reached", "look"), ("met", "good")] {
        assert!(text.contains(&format!("<td class=\"{class}\">{word}</td>")), "{word}");
    }
    // A fitted one that is missed is a failure like any other.
    page.expectations[1].ok = Some(false);
    assert!(html(&page).contains(">1 of 2 expected numbers met, 1 missed, 1 more not reached</a>"));
}

#[test]
fn numbers_that_wait_for_data_name_the_file_and_the_way_to_give_it() {
    let table = samples("coord.a.value");
    let mut page = report("waiting", Figure::of(&system("pendulum")), &table);
    let wait = |file: &str| Expectation {
        ok: None,
        computed: None,
        note: format!("the reference `{file}` is not there; to 1 mm"),
        ..page.expectations[0].clone()
    };
    page.expectations = vec![wait("walk/forces.csv"), page.expectations[0].clone(), wait("walk/forces.csv")];
    let text = html(&page);
    assert!(text.contains("2 numbers were not judged: missing <code>walk/forces.csv</code>, which others made"), "{text}");
    assert!(text.contains("With a folder that holds it") && text.contains("--reference FOLDER"));
    assert!(text.find(">met<") < text.find(">not judged<"), "judged rows first");
}

#[test]
fn cases_without_samples_have_no_figure_and_others_show_theirs() {
    let (table, empty) = (samples("coord.a.value"), Trajectory::new(vec![Column::new("coord.a.value", "rad")]).expect("columns"));
    let mut page = report("gaps", Figure::of(&system("pendulum")), &empty);
    assert!(!html(&page).contains("<section id=\"figure\""));
    let with = Case { name: "second".into(), trajectory: &table, ..page.cases[0].clone() };
    page.cases.push(with);
    assert!(html(&page).contains("<section id=\"figure\""));
}
