//! Reading `[[expect]]`: what is measured, how, and what must come out.
//! Not here: judging (`expect`), measures and their fields (`measure`).
//! In: elements. Out: expectations; with faults among the findings they must not be used.

use super::cases::{Case, no_such_case, wrong_type};
use super::fault::StudyFault;
use super::fields::{AGAINST, EXPECT};
use super::formula;
use crate::expect::{Against, Amount, Bound, Choice, Expect, Subject};
use crate::measure::{self, MEASURES, Measure, Takes};
use borelli_model::{Dimension, Element, Field, FieldKind, Fields, Findings, Range, ReadFault, Value, in_range};

/// Reads one expectation.
pub(super) fn read(element: &Element, cases: &[Case], findings: &mut Findings) -> Option<Expect> {
    let chosen = |key| element.text(key).and_then(measure::find);
    let (measure, of) = (chosen("measure"), chosen("of"));
    let element = known_part(element, EXPECT, measure, of, findings);
    let own: Vec<_> = [measure, of].into_iter().flatten().map(|m| m.fields).collect();
    let declared = [&[EXPECT], &own[..]].concat();
    let mut fields = Fields::read(&element, &declared, Dimension::Planar, findings);
    let subject = subject_of(&mut fields);
    let (value, tolerance) = amounts(&mut fields);
    let options = options_of(&fields, &own);
    for (name, range) in declared.iter().flat_map(|list| list.iter()).filter_map(unchecked) {
        if let Some(Err(fault)) = fields.quantity(name).map(|q| in_range(q.value, range, "")) {
            fields.fault(name, &fault);
        }
    }
    formula::check(&mut fields, "formula");
    let against_table = fields.table("against");
    suit(&mut fields, measure, of, subject.as_ref(), against_table.as_ref());
    let over = fields.text("over").map(|(path, _)| path.to_string());
    if let Some(path) = &over
        && measure.is_some_and(|m| m.takes() == Takes::Points)
        && cases.iter().any(|case| case.value(path).is_none())
    {
        fields.fault("over", &StudyFault::NotSwept { path: path.clone() });
    }
    let joint = measure.is_some_and(|m| m.takes() == Takes::Points);
    let chosen_cases = cases_of(&mut fields, cases, joint);
    let bounds = [("at-least", Bound::AtLeast), ("at-most", Bound::AtMost)];
    let bound = fields.choice("bound").and_then(|word| bounds.iter().find(|(name, _)| *name == word)).map_or(Bound::Within, |(_, b)| *b);
    if bound == Bound::Within && !fields.has("tolerance") && fields.has("value") {
        fields.fault("value", &StudyFault::ToleranceMissing);
    }
    let text = |name| fields.text(name).map_or(String::new(), |(text, _)| text.to_string());
    let (quantity, source, note) = (text("quantity"), text("source"), text("note"));
    let (basis, measure, of) = (fields.choice("basis"), measure.map(|m| m.name), of.map(|m| m.name));
    let reached = fields.flag("reached").unwrap_or(true);
    let against = against_table.map(|table| against(&table, cases, findings));
    let exact = Amount { number: 0.0, ..value.clone()? };
    Some(Expect {
        quantity,
        subject: subject?,
        cases: chosen_cases,
        measure,
        of,
        over,
        options,
        value: value?,
        tolerance: tolerance.unwrap_or(exact),
        bound,
        against,
        reached,
        basis: basis?,
        source,
        note,
        at: element.at,
    })
}

/// Name and range of a number whose unit only the column knows; it was read without a look at its range.
pub(super) fn unchecked(field: &'static Field) -> Option<(&'static str, Range)> {
    if let FieldKind::Quantity { unit: "*", range } = field.kind { Some((field.name, range)) } else { None }
}

/// The element without fields of measures that are not chosen, where that is because the measure is misspelt or missing: one fault is told, not two.
pub(super) fn known_part(
    element: &Element,
    declared: &[Field],
    measure: Option<&Measure>,
    of: Option<&Measure>,
    findings: &mut Findings,
) -> Element {
    let mut element = element.clone();
    let lost = ["measure", "of"].iter().any(|key| element.get(key).is_some())
        && (measure.is_none() || element.get("of").is_some() && of.is_none());
    let foreign = |key: &str| {
        let chosen = [measure, of].into_iter().flatten().any(|m| m.fields.iter().any(|f| f.name == key));
        !chosen && declared.iter().all(|f| f.name != key) && MEASURES.iter().any(|m| m.fields.iter().any(|f| f.name == key))
    };
    if measure.is_none()
        && element.get("measure").is_none()
        && let Some(entry) = element.fields.iter().find(|entry| foreign(&entry.key))
    {
        let owners: Vec<&str> = MEASURES.iter().filter(|m| m.fields.iter().any(|f| f.name == entry.key)).map(|m| m.name).collect();
        let doc = format!("`{}` is a field of the measures: {}", entry.key, owners.join(", "));
        findings.push(entry.key_at, &element, "", &ReadFault::MissingField { name: "measure".into(), doc });
        element.fields.retain(|entry| !foreign(&entry.key));
    } else if lost {
        element.fields.retain(|entry| !foreign(&entry.key));
    }
    element
}

/// The one of `column`, `columns` and `formula` that is given.
fn subject_of(fields: &mut Fields) -> Option<Subject> {
    let found = ["column", "columns", "formula"].iter().filter(|name| fields.has(name)).count();
    if found != 1 {
        let at = fields.element().at;
        let element = fields.element();
        fields.findings().push(at, element, "", &StudyFault::SubjectCount { found });
        return None;
    }
    given_subject(fields)
}

fn given_subject(fields: &Fields) -> Option<Subject> {
    let text = |name| fields.text(name).map(|(text, _)| text.to_string());
    let columns = || fields.texts("columns").map(|list| Subject::Columns(list.into_iter().map(|(text, _)| text).collect()));
    text("column").map(Subject::Column).or_else(|| text("formula").map(Subject::Formula)).or_else(columns)
}

/// Value and tolerance, in units that belong together.
fn amounts(fields: &mut Fields) -> (Option<Amount>, Option<Amount>) {
    let read = |name| fields.quantity(name).and(fields.value(name)).and_then(Amount::of);
    let (mut value, mut tolerance) = (read("value"), read("tolerance"));
    if let (Some(value), Some(tolerance)) = (&mut value, &mut tolerance) {
        let shown = |amount: &Amount| amount.unit.as_ref().map_or("a bare number".to_string(), |unit| format!("in {unit}"));
        match (value.dim, tolerance.dim) {
            (Some(expected), Some(found)) if !found.fits(expected) => fields.fault("tolerance", &ReadFault::WrongUnit { found, expected }),
            // zero is zero in every unit
            (None, Some(_)) if value.number == 0.0 => *value = Amount { number: 0.0, ..tolerance.clone() },
            (Some(_), None) if tolerance.number == 0.0 => *tolerance = Amount { number: 0.0, ..value.clone() },
            (None, Some(_)) | (Some(_), None) => {
                let (value, tolerance) = (shown(value), shown(tolerance));
                fields.fault("tolerance", &StudyFault::ToleranceUnit { value, tolerance });
            }
            _ => {}
        }
    }
    (value, tolerance)
}

/// Values of the measures' own fields.
pub(super) fn options_of(fields: &Fields, own: &[&'static [Field]]) -> Vec<(&'static str, Choice)> {
    let mut options: Vec<(&'static str, Choice)> = Vec::new();
    for field in own.iter().flat_map(|list| list.iter()).filter(|field| fields.has(field.name)) {
        let choice = match field.kind {
            FieldKind::Choice(_) => fields.choice(field.name).map(Choice::Word),
            _ => fields.quantity(field.name).map(Choice::Number),
        };
        if options.iter().all(|(known, _)| *known != field.name) {
            options.extend(choice.map(|choice| (field.name, choice)));
        }
    }
    options
}

/// Reports fields that a measure needs and does not have, or has no use for.
fn suit(fields: &mut Fields, measure: Option<&Measure>, of: Option<&Measure>, subject: Option<&Subject>, against: Option<&Element>) {
    if fields.has("measure") && measure.is_none() {
        return;
    }
    let name = measure.map_or("a number of the whole run".to_string(), |m| format!("`{}`", m.name));
    let takes = measure.map(Measure::takes);
    let mut idle = |field: &'static str, advice: &'static str| {
        if fields.has(field) {
            fields.fault(field, &StudyFault::WrongField { field, measure: name.clone(), advice });
        }
    };
    if !matches!(takes, Some(Takes::Pairs | Takes::Points)) {
        idle("columns", "write one `column`, or a `formula`");
    }
    if !matches!(takes, Some(Takes::Points)) {
        idle("over", "it belongs to `measure = \"order\"`");
    }
    if !matches!(takes, Some(Takes::Points | Takes::Numbers)) {
        idle("of", "it belongs to the measures `ratio` and `order`");
    }
    if !matches!(takes, Some(Takes::Pairs | Takes::Points | Takes::Numbers)) {
        idle("against", "it belongs to the measures `ratio`, `distance` and `order`");
    }
    if takes.is_none() {
        idle("formula", "write `column = \"run....\"`, or say how the formula becomes one number with `measure`");
    }
    let at = fields.element().at;
    let mut needs = |field: &'static str, advice: &'static str| {
        let element = fields.element();
        fields.findings().push(at, element, field, &StudyFault::FieldForMeasure { field, measure: name.clone(), advice });
    };
    match takes {
        Some(Takes::Pairs) if against.is_none_or(|t| ["file", "case", "study"].iter().all(|key| t.get(key).is_none())) => {
            needs("against", "write `against = { file = \"...\" }`, or another case or study");
        }
        Some(Takes::Numbers) if against.is_none() => needs("against", "write `against = { case = \"...\" }`, or another column or study"),
        Some(Takes::Numbers) if matches!(subject, Some(Subject::Formula(_))) && of.is_none() => {
            needs("of", "say how the formula becomes one number, such as `of = \"last\"`");
        }
        Some(Takes::Points) => {
            if of.is_none() && !matches!(subject, Some(Subject::Column(_))) {
                needs("of", "say how each case becomes one number, such as `of = \"last\"`");
            }
            if !fields.has("over") {
                let element = fields.element();
                let advice = "name the swept path that is the step, such as `over = \"integrator.step\"`";
                fields.findings().push(at, element, "over", &StudyFault::FieldForMeasure { field: "over", measure: name.clone(), advice });
            }
        }
        _ => {}
    }
    if let Some(of) = of
        && matches!(of.takes(), Takes::Points | Takes::Numbers)
    {
        let fault =
            StudyFault::WrongField { field: "of", measure: format!("`{}`", of.name), advice: "name a measure of a column, such as `last`" };
        fields.fault("of", &fault);
    }
}

/// The cases that are meant; `joint` where all are judged together.
fn cases_of(fields: &mut Fields, cases: &[Case], joint: bool) -> Vec<String> {
    let known: Vec<String> = cases.iter().map(|case| case.name.clone()).collect();
    let swept = cases.iter().any(|case| !case.name.is_empty());
    let mut chosen: Vec<(String, &Value)> = Vec::new();
    let one = |name: &str| fields.value(name).and_then(|value| value.as_text().map(|text| (text.to_string(), value)));
    match (one("case"), fields.value("cases")) {
        (Some(case), None) => chosen.push(case),
        (Some(_), Some(_)) => {
            let advice = "write either `case` or `cases`";
            fields.fault("cases", &StudyFault::WrongField { field: "cases", measure: "an expectation with a `case`".into(), advice });
        }
        (None, Some(value)) if value.as_text() == Some("all") => return if swept { known } else { Vec::new() },
        (None, Some(value)) => match value.as_list().and_then(|l| l.iter().map(|v| v.as_text().map(|t| (t.to_string(), v))).collect()) {
            Some(list) => chosen = list,
            None => {
                let element = fields.element().path();
                wrong_type(value, &element, "cases", "\"all\" or a list of texts", fields.findings());
            }
        },
        (None, None) if swept && !joint && !fields.has("case") => {
            let (at, element) = (fields.element().at, fields.element());
            fields.findings().push(at, element, "", &StudyFault::CaseMissing { known });
            return Vec::new();
        }
        (None, None) => {}
    }
    let element = fields.element().path();
    for (name, value) in &chosen {
        check_case(name, value, &element, cases, fields.findings());
    }
    chosen.into_iter().map(|(name, _)| name).collect()
}

/// Reports a case that does not exist.
pub(super) fn check_case(name: &str, value: &Value, element: &str, cases: &[Case], findings: &mut Findings) {
    if let Some(fault) = no_such_case(name, cases) {
        findings.push(value.at, element, "case", &fault);
    }
}

/// Reads `against`.
fn against(element: &Element, cases: &[Case], findings: &mut Findings) -> Against {
    let mut fields = Fields::read(element, &[AGAINST], Dimension::Planar, findings);
    formula::check(&mut fields, "formula");
    let text = |name| fields.text(name).map(|(text, _)| text.to_string());
    let (case, study, file) = (text("case"), text("study"), text("file"));
    let several = fields.texts("file_columns").map(|list| list.into_iter().map(|(text, _)| text).collect());
    let file_columns = text("file_column").map(|column| vec![column]).or(several).unwrap_or_default();
    let found = ["column", "columns", "formula"].iter().filter(|name| fields.has(name)).count();
    let subject = given_subject(&fields);
    let value = fields.quantity("value").and(fields.value("value")).and_then(Amount::of);
    let at = fields.element().at;
    if found > 1 {
        fields.findings().push(at, "against", "", &StudyFault::SubjectCount { found });
    }
    let idle = ["file_column", "file_columns", "file_rate"].into_iter().find(|field| fields.has(field));
    if let Some(field) = idle.filter(|_| file.is_none()) {
        let advice = "write `file = \"...\"` beside it";
        fields.fault(field, &StudyFault::WrongField { field, measure: "`against` without a file".into(), advice });
    }
    let named = fields.value("case").and_then(|value| value.as_text().map(|text| (text, value)));
    if let Some((name, value)) = named
        && study.is_none()
    {
        check_case(name, value, "against", cases, fields.findings());
    }
    let file_rate = fields.quantity("file_rate").map(|q| q.value);
    Against { case, study, subject, file, file_columns, file_rate, value }
}
