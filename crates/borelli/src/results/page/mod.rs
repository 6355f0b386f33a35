//! What a page says beside samples and figures, as `page` of the summary: texts, plots, methods, gait sections. And back.
//! Not here: what stands in the summary anyway: status, health, scalars, settings, expectations (`record` takes them from there).
//! In: a report. Out: JSON; the parts of a report again.

mod gait;

use crate::report::gait::GaitPage;
use crate::report::read::{Wrong, each, field, numbers_of, optional_number, plain_text, text};
use crate::report::{Group, GroupKind, Report};
use borelli_study::read::Over;
use serde_json::{Value, json};

/// What a page says beside its cases and expectations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PageTexts {
    pub title: String,
    pub description: String,
    pub source: String,
    pub outcome: String,
    pub method: Vec<(String, String)>,
    pub groups: Vec<Group>,
    pub poster: Option<f64>,
    pub gait: Option<GaitPage>,
    /// What stands before each expected number.
    pub bounds: Vec<&'static str>,
    /// What each case is, in a sentence.
    pub about: Vec<String>,
    /// Spans of time of each case that cannot be judged.
    pub unmeasured: Vec<Vec<[f64; 2]>>,
    /// Names of the pressure mats of each case.
    pub mats: Vec<Vec<String>>,
}

/// What may stand before an expected number: nothing, or the sign of a bound.
const BOUNDS: [&str; 3] = ["", "≤ ", "≥ "];

/// What the summary keeps of a page.
pub fn page_json(report: &Report) -> Value {
    let over = |over: &Over| {
        let (cases, values): (Vec<&str>, Vec<f64>) = over.points.iter().map(|(case, x)| (case.as_str(), *x)).unzip();
        json!({ "path": over.path, "unit": over.unit, "cases": cases, "values": values, "measure": over.measure })
    };
    let group = |group: &Group| {
        let (kind, over) = (group.kind.word(), group.over.as_ref().map(over));
        json!({ "title": group.title, "columns": group.columns, "cases": group.cases, "kind": kind, "over": over })
    };
    let mats = |case: &crate::report::Case| json!(case.pressure.iter().map(|map| map.name.as_str()).collect::<Vec<_>>());
    json!({
        "title": report.title,
        "description": report.description,
        "source": report.source,
        "outcome": report.outcome,
        "groups": report.groups.iter().map(group).collect::<Vec<_>>(),
        "poster": report.poster,
        "method": pairs_json(&report.method),
        "bounds": report.expectations.iter().map(|row| row.bound).collect::<Vec<_>>(),
        "about": report.cases.iter().map(|case| case.about.as_str()).collect::<Vec<_>>(),
        "unmeasured": report.cases.iter().map(|case| case.unmeasured.clone()).collect::<Vec<_>>(),
        "mats": report.cases.iter().map(mats).collect::<Vec<_>>(),
        "gait": report.gait.as_ref().map(gait::to_json),
    })
}

fn pairs_json(pairs: &[(String, String)]) -> Value {
    pairs.iter().map(|(key, value)| json!([key, value])).collect()
}

fn pair(value: &Value) -> Result<(String, String), Wrong> {
    match value.as_array().map(Vec::as_slice) {
        Some([key, value]) => Ok((plain_text(key)?, plain_text(value)?)),
        _ => Err("a pair of texts is expected".into()),
    }
}

fn texts(value: &Value, key: &str) -> Result<Vec<String>, Wrong> {
    each(value, key, plain_text)
}

fn over(value: &Value) -> Result<Over, Wrong> {
    let number = |value: &Value| value.as_f64().ok_or_else(|| "`values` is not a list of numbers".to_string());
    let (cases, values) = (texts(value, "cases")?, each(value, "values", number)?);
    if cases.len() != values.len() {
        return Err(format!("{} cases of a sweep have {} values", cases.len(), values.len()));
    }
    let points = cases.into_iter().zip(values).collect();
    Ok(Over { path: text(value, "path")?, unit: text(value, "unit")?, points, measure: text(value, "measure")? })
}

impl PageTexts {
    /// From the JSON of [`page_json`].
    pub fn from_json(value: &Value) -> Result<PageTexts, Wrong> {
        let group = |value: &Value| -> Result<Group, Wrong> {
            let kind = text(value, "kind")?;
            let kind = GroupKind::of_word(&kind).ok_or_else(|| format!("there are no plots over `{kind}`"))?;
            let swept = field(value, "over")?;
            let over = if swept.is_null() { None } else { Some(over(swept)?) };
            let (title, columns, cases) = (text(value, "title")?, texts(value, "columns")?, texts(value, "cases")?);
            Ok(Group { title, columns, cases, kind, over, ..Group::default() })
        };
        let bound = |value: &Value| -> Result<&'static str, Wrong> {
            let sign = plain_text(value)?;
            BOUNDS.into_iter().find(|known| *known == sign).ok_or_else(|| format!("`{sign}` is no sign of a bound"))
        };
        let mats = |value: &Value| -> Result<Vec<String>, Wrong> {
            value.as_array().ok_or_else(|| "`mats` is not a list of lists".to_string())?.iter().map(plain_text).collect()
        };
        let spans = |value: &Value| -> Result<Vec<[f64; 2]>, Wrong> {
            let list = value.as_array().ok_or_else(|| "`unmeasured` is not a list of lists".to_string())?;
            list.iter().map(|span| numbers_of(span, "unmeasured")).collect()
        };
        let session = field(value, "gait")?;
        Ok(PageTexts {
            title: text(value, "title")?,
            description: text(value, "description")?,
            source: text(value, "source")?,
            outcome: text(value, "outcome")?,
            method: each(value, "method", pair)?,
            groups: each(value, "groups", group)?,
            poster: optional_number(value, "poster")?,
            gait: if session.is_null() { None } else { Some(gait::from_json(session)?) },
            bounds: each(value, "bounds", bound)?,
            about: texts(value, "about")?,
            unmeasured: each(value, "unmeasured", spans)?,
            mats: each(value, "mats", mats)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_and_damage_is_named() {
        let over = Over { path: "body.a.mass".into(), unit: "kg".into(), points: vec![("a".into(), 0.1 + 0.2)], measure: "peak".into() };
        let group = Group {
            title: "Angles <of>".into(),
            columns: vec!["coord.*.value".into()],
            cases: vec!["a".into()],
            kind: GroupKind::Sweep,
            over: Some(over),
            ..Group::default()
        };
        let report = Report {
            title: "walk".into(),
            description: "a\nb".into(),
            source: "table 3".into(),
            outcome: "Simulated.".into(),
            method: vec![("program".into(), "borelli".into())],
            groups: vec![group.clone()],
            poster: Some(0.1 + 0.2),
            ..Report::default()
        };
        let value: Value = serde_json::from_str(&page_json(&report).to_string()).expect("JSON");
        let back = PageTexts::from_json(&value).expect("a page");
        assert_eq!((back.title, back.description, back.groups, back.poster), ("walk".into(), "a\nb".into(), vec![group], Some(0.1 + 0.2)));
        for (key, broken, words) in [
            ("title", json!(1), "`title` is not a text"),
            ("groups", json!([{ "title": "a" }]), "`kind` is missing"),
            ("method", json!([["a"]]), "a pair of texts is expected"),
            ("bounds", json!(["> "]), "no sign of a bound"),
            ("gait", json!({}), "is missing"),
            ("mats", json!([1]), "`mats` is not a list of lists"),
            ("unmeasured", json!([[[1.0]]]), "`unmeasured` is not a list of 2 numbers"),
        ] {
            let mut damaged = value.clone();
            damaged[key] = broken;
            let wrong = PageTexts::from_json(&damaged).expect_err(words);
            assert!(wrong.contains(words), "{wrong}");
        }
    }
}
