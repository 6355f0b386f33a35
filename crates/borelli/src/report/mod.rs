//! The report: one HTML file without network that shows a motion, its plots, what was expected and how it was computed.
//! Not here: computing any of it; static pictures (`plot`). One section per file, one line in `SECTIONS`.
//! In: a `Report` of plain data. Out: the text of the page. Samples stand in it digit for digit; what a player needs is script beside them.

mod data;
mod escape;
pub mod gait;
pub(crate) mod gather;
mod groups;
mod outcome;
mod sections;

#[cfg(test)]
mod tests;

pub use crate::figure::Figure;
pub use data::{FORMAT, Facts, MatPlace, f64s_of, f64s_value, figure_json, figure_of, height_of, read};
pub use escape::{escape, significant};
pub use groups::{Group, GroupKind, default_groups};
pub use outcome::{Ran, outcome_sentence, session_sentence};

use borelli_data::Trajectory;
use borelli_study::pressure::PressureMap;
use std::fmt::Write;

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
    /// What it is.
    pub label: String,
    /// Value, SI; nothing where it does not apply.
    pub value: Option<f64>,
    /// SI unit.
    pub unit: String,
    /// Nothing to worry about; nothing where no verdict is given.
    pub good: Option<bool>,
    /// What the value means.
    pub text: String,
}

/// One expected number.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// What is compared.
    pub quantity: String,
    /// Unit of the three numbers.
    pub unit: String,
    /// `published`, `reference`, `closed-form`, `benchmark` or `requirement`.
    pub basis: String,
    /// Expected value; nothing where the source's data are absent.
    pub expected: Option<f64>,
    /// Computed value; nothing where it could not be found.
    pub computed: Option<f64>,
    /// What stands before the expected value where it is a bound: `≤ `, `≥ `.
    pub bound: &'static str,
    /// Allowed absolute difference.
    pub tolerance: Option<f64>,
    /// Verdict; nothing where needed data are absent.
    pub ok: Option<bool>,
    /// Where the expected value comes from.
    pub source: String,
    /// More for people; may be empty.
    pub note: String,
}

/// One motion: a run, or one run of a sweep.
#[derive(Clone, Debug)]
pub struct Case<'a> {
    /// Name; need not be given where there is one case only.
    pub name: String,
    /// What can be drawn of the model as this case has it.
    pub figure: Figure,
    /// What else the page must know of the model.
    pub facts: Facts,
    /// Samples.
    pub trajectory: &'a Trajectory,
    /// Maps of pressure mats.
    pub pressure: &'a [PressureMap],
    /// Events in order of time.
    pub events: Vec<Event>,
    /// Numbers of the whole case.
    pub scalars: Vec<Scalar>,
    /// Health block.
    pub health: Vec<Health>,
    /// How it was computed: key and value.
    pub method: Vec<(String, String)>,
    /// What the reader must know before anything else: why a run ended early.
    pub notice: Option<String>,
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
    /// How it was computed, for all cases: model file and hash, program version.
    pub method: Vec<(String, String)>,
    /// Plots asked for; without any, those of [`default_groups`].
    pub groups: Vec<Group>,
    /// Time that a still picture of the motion shows, s; without it the middle.
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
    /// Its HTML; nothing where there is nothing to show.
    body: fn(&Report) -> Option<String>,
}

/// All parts, in the order of the page.
static SECTIONS: &[Section] = &[
    sections::gait::WALKING,
    sections::gait::KINEMATICS,
    sections::gait::KINETICS,
    sections::gait::GROUND,
    sections::motion::SECTION,
    sections::plots::SECTION,
    sections::pressure::SECTION,
    sections::state::SECTION,
    sections::expectations::SECTION,
    sections::events::SECTION,
    sections::numbers::SECTION,
    sections::gait::QUALITY,
    sections::health::SECTION,
    sections::gait::METHODS,
    sections::method::SECTION,
    sections::source::SECTION,
];

/// Most samples of one case that the page holds.
pub const MOST_FRAMES: usize = 2000;

/// Scripts, in the order they are run.
const SCRIPTS: [&str; 7] = [
    include_str!("page/base.js"),
    include_str!("page/geometry.js"),
    include_str!("page/surfaces.js"),
    include_str!("page/figure.js"),
    include_str!("page/forces.js"),
    include_str!("page/plots.js"),
    include_str!("page/page.js"),
];

/// The page.
pub fn html(report: &Report) -> String {
    let shown: Vec<(&Section, String)> = SECTIONS.iter().filter_map(|s| Some((s, (s.body)(report)?))).collect();
    let title = escape(&report.title);
    let mut page = String::new();
    let mut add = |text: &str| page.push_str(text);
    add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"generator\" content=\"borelli ");
    add(concat!(env!("CARGO_PKG_VERSION"), "\">\n"));
    add(&format!("<title>{title}</title>\n<style>\n{}</style>\n</head>\n<body>\n", include_str!("page/page.css")));
    add(&format!("<header>\n<h1>{title}</h1>\n"));
    if !report.description.is_empty() {
        add(&format!("<p class=\"lead\">{}</p>\n", escape(&report.description)));
    }
    add(&sections::verdict(report));
    for case in &report.cases {
        if let Some(notice) = &case.notice {
            let name = if case.name.is_empty() { String::new() } else { format!("<b>{}:</b> ", escape(&case.name)) };
            add(&format!("<p class=\"notice\" role=\"alert\">{name}{}</p>\n", escape(notice)));
        }
    }
    add("<nav aria-label=\"Parts of this page\">");
    for (section, _) in &shown {
        add(&format!("<a href=\"#{}\">{}</a> ", section.id, section.title));
    }
    add("</nav>\n</header>\n<main>\n");
    for (section, body) in &shown {
        let _ = writeln!(page, "<section id=\"{}\">\n<h2>{}</h2>\n{body}</section>", section.id, section.title);
    }
    page.push_str("</main>\n<script type=\"application/json\" id=\"data\">");
    page.push_str(&data::json(report));
    page.push_str("</script>\n<script>\n\"use strict\";\n(function () {\n");
    SCRIPTS.iter().for_each(|script| page.push_str(script));
    page.push_str("})();\n</script>\n</body>\n</html>\n");
    page
}
