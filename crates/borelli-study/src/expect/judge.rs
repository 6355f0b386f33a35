//! Verdicts: measures taken of results, held against what is expected.
//! Not here: how a measure is computed (`measure`), where results come from.
//! In: expectations, the cases and their results. Out: `Judgement`s, in the units of the file.

use super::fault::{SubjectFault, si_unit, told};
use super::subject::{Values, column, scalar, series};
use super::{Against, Bound, CaseResult, Choice, Chosen, Elsewhere, Expect, Subject, swept_number};
use crate::measure::{self, Inputs, Measure, Number, Options, Series, Takes};
use crate::read::Case;
use borelli_data::even_times;
use borelli_model::{Dim, Explain, FieldKind};

/// Whether an expectation is met. Numbers are in `unit`, the one the expected value is written in.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Name of the study.
    pub study: String,
    /// In words; the case stands behind it where several are judged.
    pub quantity: String,
    /// Unit of the numbers; `1` for a pure number.
    pub unit: String,
    /// Where the expected value comes from.
    pub basis: &'static str,
    /// Expected.
    pub expected: f64,
    /// Computed; nothing where it could not be.
    pub computed: Option<f64>,
    /// Allowed difference.
    pub tolerance: f64,
    /// From which side the expected value is met.
    pub bound: Bound,
    /// The verdict; nothing where data that is needed is absent (then nothing is computed either), or where the number is only shown.
    pub ok: Option<bool>,
    /// Where exactly the expected value comes from.
    pub source: String,
    /// What a reader should know, and why there is no number or no verdict.
    pub note: String,
}

impl Judgement {
    /// Whether the number of others is known to be missed, and stands here to be seen.
    pub fn only_shown(&self) -> bool {
        self.ok.is_none() && self.computed.is_some()
    }
}

/// Why there is no number.
enum Lack {
    /// Data outside the study is absent: no verdict.
    Absent(String),
    /// The study itself is at fault.
    Fault(String),
}

use Lack::{Absent, Fault};

impl From<SubjectFault> for Lack {
    fn from(fault: SubjectFault) -> Lack {
        Fault(told(&fault))
    }
}

/// What is said of a table below the reference folder that is not there.
fn absent(file: &str) -> String {
    format!("{ABSENT}{file}{NOT_THERE}")
}

const ABSENT: &str = "the reference `";
const NOT_THERE: &str = "` is not there";

/// The table that a verdict waits for, from the note of a judgement.
pub fn absent_reference(note: &str) -> Option<&str> {
    Some(note.strip_prefix(ABSENT)?.split_once(NOT_THERE)?.0)
}

/// Holds all expectations of a study against the results of its cases.
pub fn judge(study: &str, expects: &[Expect], cases: &[Case], results: &[CaseResult], elsewhere: &Elsewhere) -> Vec<Judgement> {
    let bench = Bench { cases, results, elsewhere };
    let mut judgements = Vec::new();
    for expect in expects {
        let joint = takes(expect.measure) == Some(Takes::Points);
        if joint || expect.cases.len() <= 1 {
            let name = if joint { "" } else { expect.cases.first().map_or("", String::as_str) };
            judgements.push(verdict(study, &expect.quantity, expect, bench.number(expect, name)));
        } else {
            for name in &expect.cases {
                judgements.push(verdict(study, &format!("{} ({name})", expect.quantity), expect, bench.number(expect, name)));
            }
        }
    }
    judgements
}

fn takes(name: Option<&str>) -> Option<Takes> {
    name.and_then(measure::find).map(Measure::takes)
}

fn verdict(study: &str, quantity: &str, expect: &Expect, number: Result<Number, Lack>) -> Judgement {
    let (value, tolerance) = (&expect.value, expect.tolerance.in_unit(expect.value.factor));
    let measured = number.as_ref().ok().and_then(|number| number.dim);
    let unit = value.unit.clone().unwrap_or_else(|| measured.map_or("1".into(), si_unit));
    let mut notes: Vec<String> = Vec::new();
    let (computed, ok) = match number {
        Err(Absent(reason)) => {
            notes.push(reason);
            (None, None)
        }
        Err(Fault(reason)) => {
            notes.push(reason);
            (None, Some(false))
        }
        Ok(Number { value: si, dim }) => match (value.dim, dim) {
            (Some(expected), Some(found)) if !found.fits(expected) => {
                notes.push(SubjectFault::ValueUnit { found, expected }.message());
                (None, Some(false))
            }
            _ if !si.is_finite() => {
                notes.push("the computed value is not a finite number".into());
                (None, Some(false))
            }
            _ => {
                let computed = si / value.factor;
                let met = expect.bound.met(value.number, tolerance, computed);
                let ok = match (expect.reached, met) {
                    (true, met) => Some(met),
                    (false, false) => None,
                    (false, true) => {
                        notes.push("it is met now: take out `reached = false`".into());
                        Some(false)
                    }
                };
                (Some(computed), ok)
            }
        },
    };
    match expect.bound {
        Bound::Within => {}
        Bound::AtLeast => notes.push("a lower bound".into()),
        Bound::AtMost => notes.push("an upper bound".into()),
    }
    notes.extend((!expect.note.is_empty()).then(|| expect.note.clone()));
    Judgement {
        study: study.to_string(),
        quantity: quantity.to_string(),
        unit,
        basis: expect.basis,
        expected: value.number,
        computed,
        tolerance,
        bound: expect.bound,
        ok,
        source: expect.source.clone(),
        note: notes.join("; "),
    }
}

/// Everything that measures may be taken of.
struct Bench<'a, 'e> {
    cases: &'a [Case],
    results: &'a [CaseResult<'a>],
    elsewhere: &'a Elsewhere<'e>,
}

impl<'a> Bench<'a, '_> {
    /// The result of a case; the only one without a name.
    fn result(&self, name: &str) -> Result<CaseResult<'a>, Lack> {
        let found = self.results.iter().find(|result| result.name == name).copied();
        found.ok_or_else(|| Fault(if name.is_empty() { "there is no result".into() } else { format!("the case `{name}` has no result") }))
    }

    /// The number an expectation asks for.
    fn number(&self, expect: &Expect, case: &str) -> Result<Number, Lack> {
        let Some(name) = expect.measure else { return single(&expect.options, None, &self.result(case)?, &expect.subject) };
        let measure = measure::find(name).ok_or_else(|| Fault(format!("there is no measure `{name}`")))?;
        match measure.takes() {
            Takes::Series => single(&expect.options, Some(measure), &self.result(case)?, &expect.subject),
            Takes::Pairs => self.distance(expect, measure, case),
            Takes::Numbers => {
                let of = expect.of.and_then(measure::find);
                let against = expect.against.clone().unwrap_or_default();
                let above = single(&expect.options, of, &self.result(case)?, &expect.subject)?;
                let below = self.other(expect, &against, case)?;
                taken(measure, measure::Subject::Numbers(above, below), &Options::new())
            }
            Takes::Points => self.order(expect, measure),
        }
    }

    /// The number on the other side of a comparison.
    fn other(&self, expect: &Expect, against: &Against, case: &str) -> Result<Number, Lack> {
        if let Some(value) = &against.value {
            return Ok(Number { value: value.si(), dim: value.dim });
        }
        let result = self.elsewhere(against, case)?;
        single(&expect.options, expect.of.and_then(measure::find), &result, against.subject.as_ref().unwrap_or(&expect.subject))
    }

    /// The case, of this or another study, that something is compared with.
    fn elsewhere(&self, against: &Against, case: &str) -> Result<CaseResult<'a>, Lack> {
        let name = against.case.as_deref();
        match &against.study {
            None => self.result(name.unwrap_or(case)),
            Some(study) => {
                let found = (self.elsewhere.study)(study, name.unwrap_or(""));
                found.ok_or_else(|| Absent(format!("the study `{study}` has no result here")))
            }
        }
    }

    /// Distance of columns from those of a file or of another run.
    fn distance(&self, expect: &Expect, measure: &Measure, case: &str) -> Result<Number, Lack> {
        let against = expect.against.clone().unwrap_or_default();
        let result = good(self.result(case)?)?;
        let own = series(result.trajectory, &expect.subject)?;
        let subject = against.subject.as_ref().unwrap_or(&expect.subject);
        let reference: Vec<Values> = match &against.file {
            None => series(good(self.elsewhere(&against, case)?)?.trajectory, subject)?,
            Some(file) => {
                let table = (self.elsewhere.table)(file).ok_or_else(|| Absent(absent(file)))?;
                let mut list: Vec<Values> = if against.file_columns.is_empty() {
                    series(&table, subject)?
                } else {
                    against.file_columns.iter().map(|name| column(&table, name)).collect::<Result<_, _>>()?
                };
                if let Some(rate) = against.file_rate {
                    let off = || Fault(format!("the times of `{file}` are not those of {rate} samples a second"));
                    let times = even_times(table.time(), rate).ok_or_else(off)?;
                    list.iter_mut().for_each(|values| values.time.clone_from(&times));
                }
                list
            }
        };
        if own.len() != reference.len() {
            return Err(Fault(format!("{} columns are compared with {}", own.len(), reference.len())));
        }
        let dim = own.first().and_then(|values| values.dim);
        let pairs: Vec<(Series, Series)> = own.iter().zip(&reference).map(|(a, b)| (borrowed(a), borrowed(b))).collect();
        taken(measure, measure::Subject::Pairs(&pairs), &options(&expect.options, measure, dim)?)
    }

    /// The order of an error over the cases of a sweep.
    fn order(&self, expect: &Expect, measure: &Measure) -> Result<Number, Lack> {
        let over = expect.over.as_deref().unwrap_or("");
        let of = expect.of.and_then(measure::find);
        let mut points = Vec::new();
        for case in self.cases {
            let chosen = expect.cases.is_empty() || expect.cases.contains(&case.name);
            let is_reference = expect.against.as_ref().is_some_and(|a| a.study.is_none() && a.case.as_ref() == Some(&case.name));
            if !chosen || is_reference {
                continue;
            }
            let step = case.value(over).and_then(swept_number);
            let step = step.ok_or_else(|| Fault(format!("`{over}` is no number in the case `{}`", case.name)))?;
            let error = match of {
                Some(of) if of.takes() == Takes::Pairs => self.distance(expect, of, &case.name)?.value,
                of => {
                    let own = single(&expect.options, of, &self.result(&case.name)?, &expect.subject)?;
                    match &expect.against {
                        Some(against) => own.value - self.other(expect, against, &case.name)?.value,
                        None => own.value,
                    }
                }
            };
            points.push((step, error));
        }
        taken(measure, measure::Subject::Points(&points), &Options::new())
    }
}

/// A measure of one subject in one case; without a measure, a number of the whole run. These may be asked of a run that failed.
fn single(chosen: &[Chosen], measure: Option<&Measure>, result: &CaseResult, subject: &Subject) -> Result<Number, Lack> {
    let Some(measure) = measure else {
        let Subject::Column(name) = subject else { return Err(SubjectFault::NotNumber.into()) };
        let (value, dim) = scalar(result, name)?;
        return Ok(Number { value, dim });
    };
    let values = series(good(*result)?.trajectory, subject)?;
    let [one] = &values[..] else { return Err(Fault(format!("`{}` is taken of one column", measure.name))) };
    taken(measure, measure::Subject::Series(borrowed(one)), &options(chosen, measure, one.dim)?)
}

/// A number of a case: a measure of a column or formula, or, without a measure, a number of the whole run.
///
/// # Errors
/// Why there is none, for people.
pub(crate) fn number_of(result: &CaseResult, subject: &Subject, measure: Option<&Measure>, chosen: &[Chosen]) -> Result<Number, String> {
    single(chosen, measure, result, subject).map_err(|lack| match lack {
        Absent(reason) | Fault(reason) => reason,
    })
}

/// The result, unless its run failed.
fn good(result: CaseResult) -> Result<CaseResult, Lack> {
    match result.failure {
        None => Ok(result),
        Some(reason) => Err(Fault(format!("the run failed: {}", reason.replace("\n  hint: ", "; ")))),
    }
}

fn borrowed(values: &Values) -> Series<'_> {
    Series { time: &values.time, values: &values.values, dim: values.dim }
}

fn taken(measure: &Measure, subject: measure::Subject, options: &Options) -> Result<Number, Lack> {
    measure.compute(&Inputs { subject, options }).map_err(|fault| Fault(told(&fault)))
}

/// The fields of a measure; those in the unit of the column must have its dimension.
pub(super) fn options(chosen: &[Chosen], measure: &Measure, dim: Option<Dim>) -> Result<Options, SubjectFault> {
    let mut options = Options::new();
    for (name, choice) in chosen {
        let Some(field) = measure.fields.iter().find(|field| field.name == *name) else { continue };
        options = match choice {
            Choice::Word(word) => options.word(name, word),
            Choice::Number(q) => {
                if let (FieldKind::Quantity { unit: "*", .. }, Some(dim)) = (field.kind, dim) {
                    q.expect(dim).map_err(|fault| SubjectFault::OptionUnit { field: name, cause: fault.message() })?;
                }
                options.number(name, q.value)
            }
        };
    }
    Ok(options)
}
