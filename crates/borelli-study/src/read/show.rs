//! Reading `[[plot]]` and `[picture]`: what a reader of the study is shown.
//! Not here: drawing.
//! In: elements. Out: plots and the picture.

use super::cases::{Case, wrong_type};
use super::expectations::check_case;
use super::fault::StudyFault;
use super::fields::{PICTURE, PLOT, setting_unit};
use borelli_model::{Data, Dimension, Element, Fields, Findings, Span, Value};

/// What a plot of a sweep is drawn over, in place of time: one point for each case.
#[derive(Clone, Debug, PartialEq)]
pub struct Over {
    /// What is swept, as the study names it.
    pub path: String,
    /// Unit as it is written, of a setting that is written without one its SI unit; empty for other plain numbers.
    pub unit: String,
    /// Cases with the value of what is swept, as it is written.
    pub points: Vec<(String, f64)>,
    /// Name of the measure that makes one number of a column.
    pub measure: String,
}

/// Columns over time, over another column, or over what is swept, in one picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// Title.
    pub title: String,
    /// Columns, or patterns of columns.
    pub columns: Vec<String>,
    /// Cases; empty: all of them.
    pub cases: Vec<String>,
    /// Column that the columns are drawn over, in place of time.
    pub across: Option<String>,
    /// Where that is written.
    pub across_at: Option<Span>,
    /// What is swept, in place of time.
    pub over: Option<Over>,
    /// Where it stands.
    pub at: Span,
}

impl Plot {
    /// Whether it shows a case.
    pub fn shows(&self, case: &str) -> bool {
        self.cases.is_empty() || self.cases.iter().any(|own| own == case)
    }
}

/// What the picture of a study shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// A plot, by its place among the plots.
    Plot(usize),
    /// Figures of the body at some times.
    Strip {
        /// When.
        instants: Instants,
        /// Figures stay where they are, even if they cover each other; otherwise such figures are moved apart.
        superposed: bool,
        /// Case; nothing: the first.
        case: Option<String>,
    },
}

/// Times of the figures of a strip.
#[derive(Clone, Debug, PartialEq)]
pub enum Instants {
    /// Spread evenly over the run.
    Spread,
    /// These, s.
    At(Vec<f64>),
    /// From the first sample on in steps of so much, s.
    Every(f64),
}

fn case_of(fields: &mut Fields, cases: &[Case]) -> Option<String> {
    let value = fields.value("case")?;
    let name = value.as_text()?;
    let element = fields.element().path();
    check_case(name, value, &element, cases, fields.findings());
    Some(name.to_string())
}

pub(super) fn plot(element: &Element, cases: &[Case], findings: &mut Findings) -> Plot {
    let mut fields = Fields::read(element, &[PLOT], Dimension::Planar, findings);
    let one = case_of(&mut fields, cases);
    let list = fields.value("cases").and_then(|value| value.as_list()).unwrap_or_default();
    if one.is_some() && fields.has("cases") {
        let advice = "write either `case` or `cases`";
        fields.fault("cases", &StudyFault::WrongField { field: "cases", measure: "a plot with a `case`".into(), advice });
    }
    let several: Vec<_> = list.iter().filter_map(|value| value.as_text().map(|name| (name, value))).collect();
    for (name, value) in &several {
        let element = fields.element().path();
        check_case(name, value, &element, cases, fields.findings());
    }
    let shown = one.into_iter().chain(several.into_iter().map(|(name, _)| name.to_string())).collect();
    let columns = fields.texts("columns");
    if columns.as_ref().is_some_and(Vec::is_empty) {
        fields.fault("columns", &StudyFault::NothingListed { what: "column to plot" });
    }
    let title = fields.text("title").map_or(String::new(), |(title, _)| title.to_string());
    let mut plot = Plot {
        title,
        columns: columns.unwrap_or_default().into_iter().map(|(text, _)| text).collect(),
        cases: shown,
        across: fields.text("across").map(|(column, _)| column.to_string()),
        across_at: fields.value("across").map(|value| value.at),
        over: None,
        at: element.at,
    };
    plot.over = over(&mut fields, cases, &plot);
    if plot.over.is_some() && plot.across.is_some() {
        let advice = "write either `across` or `over`";
        fields.fault("across", &StudyFault::WrongField { field: "across", measure: "a plot with `over`".into(), advice });
    }
    plot
}

/// The swept path that a plot is drawn over.
fn over(fields: &mut Fields, cases: &[Case], plot: &Plot) -> Option<Over> {
    let measure = fields.text("measure").map(|(measure, _)| measure.to_string());
    let Some((path, _)) = fields.text("over").map(|(path, at)| (path.to_string(), at)) else {
        if measure.is_some() {
            let advice = "write `over`, too, or leave `measure` out";
            fields.fault("measure", &StudyFault::WrongField { field: "measure", measure: "a plot over time".into(), advice });
        }
        return None;
    };
    let shown: Vec<&Case> = cases.iter().filter(|case| plot.shows(&case.name)).collect();
    let written: Option<Vec<(f64, String)>> = shown.iter().map(|case| number_as_written(case.value(&path)?)).collect();
    match written {
        Some(list) if list.windows(2).all(|pair| pair[0].1 == pair[1].1) => {
            let written = list.first().map_or("", |(_, unit)| unit.as_str());
            let unit = if written.is_empty() { setting_unit(&path).unwrap_or_default() } else { written }.to_string();
            let points = shown.iter().zip(&list).map(|(case, (x, _))| (case.name.clone(), *x)).collect();
            Some(Over { path, unit, points, measure: measure.unwrap_or_else(|| "last".into()) })
        }
        _ => {
            let mut known: Vec<String> = Vec::new();
            for (path, value) in cases.iter().flat_map(|case| &case.settings) {
                if number_as_written(value).is_some() && !known.contains(path) {
                    known.push(path.clone());
                }
            }
            fields.fault("over", &StudyFault::NoSweptNumber { path, known });
            None
        }
    }
}

/// A swept value as a number with its unit: `0.5`, `"60 N s/m"`.
fn number_as_written(value: &Value) -> Option<(f64, String)> {
    match &value.data {
        Data::Number(x) => Some((*x, String::new())),
        Data::Text(text) => {
            let (number, unit) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
            number.parse().ok().filter(|x: &f64| x.is_finite()).map(|x| (x, unit.trim().to_string()))
        }
        _ => None,
    }
}

pub(super) fn picture(element: &Element, plots: &[Plot], cases: &[Case], findings: &mut Findings) -> Option<Picture> {
    let mut fields = Fields::read(element, &[PICTURE], Dimension::Planar, findings);
    let case = case_of(&mut fields, cases);
    let kind = fields.choice("kind")?;
    let idle: &[&'static str] = if kind == "plot" { &["times", "interval", "superposed"] } else { &["plot"] };
    for field in idle.iter().copied().filter(|field| fields.has(field)).collect::<Vec<_>>() {
        fields.fault(field, &StudyFault::IdlePicture { field, kind });
    }
    if kind == "strip" {
        if fields.has("times") && fields.has("interval") {
            let advice = "write either `times` or `interval`";
            fields.fault("interval", &StudyFault::WrongField { field: "interval", measure: "a picture with `times`".into(), advice });
        }
        let times = fields.numbers("times").map(|list| list.iter().map(|q| q.value).collect());
        let every = fields.quantity("interval").map(|q| Instants::Every(q.value));
        let instants = times.map(Instants::At).or(every).unwrap_or(Instants::Spread);
        return Some(Picture::Strip { instants, superposed: fields.flag("superposed").unwrap_or(false), case });
    }
    let chosen = match fields.value("plot").map(|value| (value, &value.data)) {
        None => Some((0, "1".to_string())),
        Some((_, Data::Number(x))) if x.fract() == 0.0 && *x >= 1.0 => Some((*x as usize - 1, x.to_string())),
        Some((_, Data::Text(title))) => {
            let place = plots.iter().position(|plot| plot.title == *title).unwrap_or(plots.len());
            Some((place, title.clone()))
        }
        Some((value, _)) => {
            wrong_type(value, "picture", "plot", "a whole number from 1, or a title in quotes", fields.findings());
            None
        }
    };
    let (place, found) = chosen?;
    if place >= plots.len() {
        fields.fault("plot", &StudyFault::UnknownPlot { found, count: plots.len() });
    }
    Some(Picture::Plot(place))
}
