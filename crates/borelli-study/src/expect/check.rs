//! Whether expectations can be judged at all: what they name is there, in units that fit. And which failures they expect.
//! Not here: judging.
//! In: expectations, and what the runs of all cases would leave: columns without samples, numbers without values. Out: every fault at its expectation.

use super::fault::SubjectFault;
use super::judge::options;
use super::subject::{scalar, series};
use super::{CaseResult, Chosen, Expect, Subject};
use crate::measure::{self, Measure, Takes};
use borelli_model::{Dim, Explain, Findings};

/// An expectation that cannot be judged.
struct Unjudgeable<'a> {
    quantity: &'a str,
    fault: SubjectFault,
    /// Cases in which it cannot; empty where nothing is swept.
    cases: Vec<&'a str>,
}

impl Explain for Unjudgeable<'_> {
    fn code(&self) -> &'static str {
        self.fault.code()
    }

    fn message(&self) -> String {
        let place = if self.cases.is_empty() { String::new() } else { format!(", in {}", self.cases.join(", ")) };
        format!("`{}`{place}: {}", self.quantity, self.fault.message())
    }

    fn hint(&self) -> Option<String> {
        self.fault.hint()
    }
}

/// All that keeps expectations from being judged. A case that is not among `cases` is passed over: it has faults of its own.
pub fn check(expects: &[Expect], cases: &[CaseResult]) -> Findings {
    let mut findings = Findings::new();
    for expect in expects {
        let mut found: Vec<Unjudgeable> = Vec::new();
        for case in cases.iter().filter(|case| expect.cases.is_empty() || expect.cases.iter().any(|name| name == case.name)) {
            for fault in faults(expect, case, cases) {
                let place = Some(case.name).filter(|name| !name.is_empty());
                match found.iter_mut().find(|known| known.fault == fault) {
                    Some(known) => known.cases.extend(place),
                    None => found.push(Unjudgeable { quantity: &expect.quantity, fault, cases: place.into_iter().collect() }),
                }
            }
        }
        found.iter().for_each(|fault| findings.push(expect.at, "expect", "", fault));
    }
    findings
}

/// What is wrong with the two sides of an expectation in a case.
fn faults(expect: &Expect, case: &CaseResult, cases: &[CaseResult]) -> Vec<SubjectFault> {
    let chosen = expect.measure.and_then(measure::find);
    let takes = chosen.map(Measure::takes);
    // What one case becomes before it is compared.
    let single = match takes {
        None | Some(Takes::Series | Takes::Pairs) => chosen,
        Some(Takes::Numbers | Takes::Points) => expect.of.and_then(measure::find),
    };
    let mut list: Vec<SubjectFault> = side(expect, single, case, &expect.subject, takes.is_none()).err().into_iter().collect();
    if let Some(against) = &expect.against
        && against.study.is_none()
        && against.value.is_none()
        && against.file.is_none()
    {
        let subject = against.subject.as_ref().unwrap_or(&expect.subject);
        let name = against.case.as_deref().unwrap_or(case.name);
        let other = cases.iter().find(|other| other.name == name).and_then(|other| side(expect, single, other, subject, false).err());
        list.extend(other.filter(|fault| !list.contains(fault)));
    }
    list
}

/// One side: a number of the whole run without a measure, else columns; `valued` where the number itself is expected.
fn side(expect: &Expect, measure: Option<&Measure>, case: &CaseResult, subject: &Subject, valued: bool) -> Result<(), SubjectFault> {
    let found = dimension_of(case, subject, measure, &expect.options)?;
    match (expect.value.dim, found) {
        (Some(expected), Some(found)) if valued && measure.is_none() && !found.fits(expected) => {
            Err(SubjectFault::ValueUnit { found, expected })
        }
        _ => Ok(()),
    }
}

/// The dimension of what is measured, before it is measured; or why it cannot be. Without a measure that is a number of the whole run, else columns.
pub(crate) fn dimension_of(
    case: &CaseResult,
    subject: &Subject,
    measure: Option<&Measure>,
    chosen: &[Chosen],
) -> Result<Option<Dim>, SubjectFault> {
    let Some(measure) = measure else {
        let Subject::Column(name) = subject else { return Err(SubjectFault::NotNumber) };
        return scalar(case, name).map(|(_, dim)| dim);
    };
    let dim = series(case.trajectory, subject)?.first().and_then(|values| values.dim);
    options(chosen, measure, dim).map(|_| dim)
}

/// True where a study says that the run of a case fails: `run.completed` is expected to be 0, and would not be met by 1.
pub fn expects_failure(expects: &[Expect], case: &str) -> bool {
    let of_case = |expect: &&Expect| expect.cases.iter().any(|name| name == case) || (expect.cases.is_empty() && case.is_empty());
    let completed = |expect: &&Expect| expect.measure.is_none() && expect.subject == Subject::Column("run.completed".into());
    let refused = |expect: &&Expect| {
        expect.bound.met(expect.value.si(), expect.tolerance.si(), 0.0) && !expect.bound.met(expect.value.si(), expect.tolerance.si(), 1.0)
    };
    expects.iter().filter(of_case).filter(completed).any(|expect| refused(&expect))
}
