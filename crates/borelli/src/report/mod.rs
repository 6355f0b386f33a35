//! The report: one HTML file without network that shows a motion, its plots, what was expected and how it was computed.
//! Not here: computing any of it; static pictures (`plot`). One section per file, one line in `SECTIONS`.
//! In: a `Report` of plain data. Out: the text of the page. Samples stand in it digit for digit; what a player needs is script beside them.

mod chart;
mod data;
mod escape;
pub mod fit;
pub mod gait;
pub(crate) mod gather;
mod glossary;
mod groups;
mod outcome;
mod sections;
mod soft;
pub mod uncertainty;
pub mod viewer;

#[cfg(test)]
mod tests;

pub use crate::figure::{Courses, Figure};
pub use data::{
    FORMAT, Facts, MatPlace, MuscleFacts, courses_json, courses_of, drawn_height, f64s_of, f64s_value, figure_json, figure_of, height_of,
    read,
};
pub use escape::{escape, significant};
pub use gather::{Clock, about_cases, spans_without};
pub use groups::{Group, GroupKind, default_groups, main_case};
pub use outcome::{Ran, outcome_sentence, session_sentence};

use borelli_data::Trajectory;
use borelli_study::pressure::PressureMap;
use borelli_study::run::Verdict;
use borelli_study::soft_record::SoftRecord;

/// Something that happened at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Time, s.
    pub time: f64,
    /// Name.
    pub name: String,
    /// What was done: `note`, `stop`, `release loop.pin`, `engage loop.pin`.
    pub action: String,
    /// More for people; may be empty.
    pub text: String,
}

/// One number of a whole case.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// Name.
    pub name: String,
    /// Value, SI.
    pub value: f64,
    /// SI unit; `1` for a pure number.
    pub unit: String,
}

/// One line of the health block.
#[derive(Clone, Debug, PartialEq)]
pub struct Health {
    /// Key for machines: `energy_balance`.
    pub key: String,
    /// What it is.
    pub label: String,
    /// Value, SI; nothing where it does not apply.
    pub value: Option<f64>,
    /// SI unit.
    pub unit: String,
    /// What it says of the result.
    pub verdict: Verdict,
    /// The value as a part of what it is judged by; nothing where it is judged by a fixed limit.
    pub part: Option<f64>,
    /// What the value means.
    pub text: String,
}

/// An option of the command line that changed the computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The option: `--set`, `--formulation`.
    pub option: String,
    /// Its value as it was given; empty for a switch.
    pub value: String,
}

impl Change {
    /// Option of a parameter, a start value or a setting of the study.
    pub const SET: &str = "--set";
    /// Option of a start from another run.
    pub const RESTART: &str = "--restart";

    /// Whether it changed what was asked, not only how it was computed.
    pub fn alters_question(&self) -> bool {
        [Change::SET, Change::RESTART].contains(&self.option.as_str())
    }
}

/// One expected number.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// What is compared.
    pub quantity: String,
    /// Unit of the three numbers.
    pub unit: String,
    /// `published`, `reference`, `closed-form`, `benchmark`, `consistency`, `fitted` or `requirement`.
    pub basis: String,
    /// Expected value; nothing where the source's data are absent.
    pub expected: Option<f64>,
    /// Computed value; nothing where it could not be found.
    pub computed: Option<f64>,
    /// What stands before the expected value where it is a bound: `≤ `, `≥ `.
    pub bound: &'static str,
    /// Allowed absolute difference.
    pub tolerance: Option<f64>,
    /// Verdict; nothing where needed data are absent, or where the number is only shown.
    pub ok: Option<bool>,
    /// Where the expected value comes from.
    pub source: String,
    /// More for people; may be empty.
    pub note: String,
}

impl Expectation {
    /// Whether the number of others is known to be missed, and stands here to be seen.
    pub fn only_shown(&self) -> bool {
        self.ok.is_none() && self.computed.is_some()
    }

    /// Whether data of the model were fitted to it, so that meeting it predicts nothing; a missed one is a failure like any other.
    pub fn fitted(&self) -> bool {
        self.basis == "fitted" && self.ok == Some(true)
    }
}

/// One motion: a run, or one run of a sweep.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// Name; need not be given where there is one case only.
    pub name: String,
    /// What it is, in a sentence of the study; may be empty.
    pub about: String,
    /// What can be drawn of the model as this case has it.
    pub figure: Figure,
    /// What else the page must know of the model.
    pub facts: Facts,
    /// Where lines of pull lie that fixed places do not tell.
    pub courses: Courses,
    /// Samples.
    pub trajectory: &'a Trajectory,
    /// Maps of pressure mats.
    pub pressure: &'a [PressureMap],
    /// Soft parts at some instants.
    pub soft: &'a SoftRecord,
    /// What was fitted, where the run was a fit.
    pub fit: Option<fit::FitPage>,
    /// How uncertain it is, where that was asked.
    pub uncertainty: Option<uncertainty::UncertaintyPage>,
    /// Events in order of time.
    pub events: Vec<Event>,
    /// Numbers of the whole case.
    pub scalars: Vec<Scalar>,
    /// Health block.
    pub health: Vec<Health>,
    /// How it was computed: key and value.
    pub method: Vec<(String, String)>,
    /// Spans of time, s, in which loads or motion were not measured, so that forces and moments cannot be judged.
    pub unmeasured: Vec<[f64; 2]>,
    /// What the reader must know before anything else: why a run ended early.
    pub notice: Option<String>,
}

impl Case<'_> {
    /// Whether a check warns of it.
    fn warned(&self) -> bool {
        self.health.iter().any(|line| line.verdict.warns())
    }

    /// The time that the data of its fit span, if it is one.
    fn fitted_span(&self) -> Option<[f64; 2]> {
        let ends = self.fit.as_ref()?.curves.iter().filter_map(|curve| Some([*curve.time.first()?, *curve.time.last()?]));
        ends.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
    }
}

/// Everything a page shows.
#[derive(Clone, Debug, Default)]
pub struct Report<'a> {
    /// Title.
    pub title: String,
    /// What it shows, in a sentence or two.
    pub description: String,
    /// What came out, in a sentence or two with numbers; may be empty.
    pub outcome: String,
    /// Where model and numbers come from.
    pub source: String,
    /// The motions.
    pub cases: Vec<Case<'a>>,
    /// Expected numbers.
    pub expectations: Vec<Expectation>,
    /// What the command line changed.
    pub changes: Vec<Change>,
    /// How it was computed, for all cases: model file and hash, program version.
    pub method: Vec<(String, String)>,
    /// Plots asked for; without any, those of [`default_groups`].
    pub groups: Vec<Group>,
    /// Time at which the page opens and prints, s; without it the page chooses a telling instant (`page/stage.js`).
    pub poster: Option<f64>,
    /// What a gait session shows beside the motions.
    pub gait: Option<gait::GaitPage>,
}

impl Report<'_> {
    /// Whether there is anything to play and to plot over time; an equilibrium is one sample.
    fn moves(&self) -> bool {
        self.cases.iter().any(|case| case.trajectory.len() > 1)
    }
}

/// One part of the page.
struct Section {
    /// Anchor.
    id: &'static str,
    /// Heading.
    title: &'static str,
    /// What the list of parts calls it.
    short: &'static str,
    /// Its HTML; nothing where there is nothing to show.
    body: fn(&Report) -> Option<String>,
}

/// All parts, in the order of the page.
static SECTIONS: &[Section] = &[
    sections::figure::SECTION,
    sections::gait::WALKING,
    sections::gait::KINEMATICS,
    sections::gait::KINETICS,
    sections::gait::GROUND,
    sections::fit::SECTION,
    sections::uncertainty::SECTION,
    sections::plots::SECTION,
    sections::muscles::SECTION,
    sections::pressure::SECTION,
    sections::soft::SECTION,
    sections::state::SECTION,
    sections::cases::SECTION,
    sections::expectations::SECTION,
    sections::gait::QUALITY,
    sections::health::SECTION,
    sections::numbers::SECTION,
    sections::events::SECTION,
    sections::method::SECTION,
    sections::files::SECTION,
];

/// Most samples of one case that the page holds.
pub const MOST_FRAMES: usize = 2000;

/// What may be done in the page: its own scripts and styles, pictures it makes itself; nothing is fetched.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; media-src blob:";

/// What both stages share; it stands in the page's global scope.
const SCENE: &str = concat!(
    include_str!("page/scene.js"),
    include_str!("page/scene-moment.js"),
    include_str!("page/scene-pull.js"),
    include_str!("page/scene-soft.js")
);

/// Scripts of the plain stage and of the page, in the order they are run; they share their names with each other and with nothing else.
const SCRIPTS: [&str; 22] = [
    include_str!("page/elements.js"),
    include_str!("page/stage-shapes.js"),
    include_str!("page/stage-plain.js"),
    include_str!("page/stage-figure.js"),
    include_str!("page/stage-ground.js"),
    include_str!("page/stage-margin.js"),
    include_str!("page/stage-soft.js"),
    include_str!("page/state.js"),
    include_str!("page/stage.js"),
    include_str!("page/transport.js"),
    include_str!("page/panel.js"),
    include_str!("page/plot-curves.js"),
    include_str!("page/plot-draw.js"),
    include_str!("page/plot-pointer.js"),
    include_str!("page/plots.js"),
    include_str!("page/tree.js"),
    include_str!("page/save.js"),
    include_str!("page/pressure.js"),
    include_str!("page/soft.js"),
    include_str!("page/address.js"),
    include_str!("page/keys.js"),
    include_str!("page/page.js"),
];

/// The soft parts of a case above another picture, as a file; nothing where there is none to draw.
pub fn soft_above(case: &Case, other: &str) -> Option<String> {
    sections::soft::above(case, other)
}

/// The page.
pub fn html(report: &Report) -> String {
    let Some(session) = &report.gait else { return written(report) };
    // Curves over time have the same signs as those over the cycle.
    let (clinical, mut own) = (session.clinical(), report.clone());
    own.cases.iter_mut().for_each(|case| case.facts.clinical = clinical.clone());
    written(&own)
}

fn written(report: &Report) -> String {
    let shown: Vec<(&Section, String)> = SECTIONS.iter().filter_map(|s| Some((s, (s.body)(report)?))).collect();
    let title = escape(&report.title);
    let mut page = String::new();
    let mut add = |text: &str| page.push_str(text);
    add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n"));
    add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" content=\"borelli ");
    add(concat!(env!("CARGO_PKG_VERSION"), "\">\n"));
    add(&format!("<title>{title}</title>\n<style>\n{}</style>\n", include_str!("page/page.css")));
    // Before anything is drawn, so that what the scripts replace is not seen first.
    add("<script>document.documentElement.classList.add(\"js\")</script>\n</head>\n<body>\n");
    add("<a class=\"skip\" href=\"#main\">Skip to the content</a>\n");
    add(&sections::header::html(report));
    add("<nav aria-label=\"Parts of this page\">");
    for (section, _) in &shown {
        add(&format!("<a href=\"#{}\">{}</a> ", section.id, section.short));
    }
    add("</nav>\n<main id=\"main\" tabindex=\"-1\">\n");
    for (section, body) in &shown {
        let Section { id, title, .. } = section;
        // The figure needs no heading to be seen.
        let class = if *id == "figure" { " class=\"unseen\"" } else { "" };
        add(&format!(
            "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\"{class}>{title}</h2>\n{body}</section>\n"
        ));
    }
    add("</main>\n");
    add(&sections::header::footer());
    add("<script type=\"application/json\" id=\"data\">");
    add(&data::json(report));
    add("</script>\n<script>\n\"use strict\";\n");
    add(SCENE);
    add("</script>\n");
    // In an element of its own: whatever happens to it, the page goes on with the plain stage.
    if let Some(viewer) = viewer::script() {
        add(&format!("<script id=\"viewer\">\n{viewer}\n</script>\n"));
    }
    add("<script>\n\"use strict\";\n(function () {\n");
    SCRIPTS.iter().for_each(|script| add(script));
    add("})();\n</script>\n</body>\n</html>\n");
    page
}
