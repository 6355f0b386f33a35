//! From what an expectation names to what a measure takes: series of columns and formulas, numbers of a run.
//! Not here: measures, verdicts.
//! In: the results of a case, or a table. Out: values over time with their dimension, or why there are none.

use super::fault::SubjectFault;
use super::{CaseResult, Subject};
use crate::column_formula::{FormulaFault, Names};
use borelli_data::Trajectory;
use borelli_model::{Dim, parse_unit, suggest};

/// A quantity over time that owns its values.
pub(super) struct Values {
    pub time: Vec<f64>,
    pub values: Vec<f64>,
    pub dim: Option<Dim>,
}

fn dim_of(unit: Option<&str>) -> Option<Dim> {
    parse_unit(unit?).ok().map(|(_, dim)| dim)
}

/// A column of a table.
pub(super) fn column(table: &Trajectory, name: &str) -> Result<Values, SubjectFault> {
    let dim = if name == "time" { Some(Dim::TIME) } else { table.index(name).and_then(|k| dim_of(table.columns()[k].unit.as_deref())) };
    match table.column(name) {
        Some(values) => Ok(Values { time: table.time().to_vec(), values: values.to_vec(), dim }),
        None => {
            let nearest = suggest(name, table.columns().iter().map(|c| c.name.as_str())).map(str::to_string);
            Err(SubjectFault::NoColumn { name: name.into(), nearest })
        }
    }
}

/// A formula over the columns of a table.
fn formula(table: &Trajectory, text: &str) -> Result<Values, SubjectFault> {
    // variable 0 is time, then the columns in their order
    let names = Names {
        count: table.columns().len() + 1,
        index: &|name| if name == "time" { Some(0) } else { table.index(name).map(|k| k + 1) },
        dim: &|k| if k == 0 { Some(Dim::TIME) } else { dim_of(table.columns()[k - 1].unit.as_deref()) },
    };
    let (formula, dim) = names.formula(text).map_err(|fault| match fault {
        FormulaFault::Text(fault) => {
            let text = fault.to_string();
            let (cause, hint) =
                text.split_once("\n  hint: ").map_or((text.as_str(), None), |(cause, hint)| (cause, Some(hint.to_string())));
            SubjectFault::Formula { cause: cause.into(), hint }
        }
        FormulaFault::Units(fault) => SubjectFault::Units { fault },
    })?;
    let mut row = vec![0.0; table.columns().len() + 1];
    let values = (0..table.len())
        .map(|sample| {
            table.fill_row(sample, &mut row);
            formula.eval(&row)
        })
        .collect();
    Ok(Values { time: table.time().to_vec(), values, dim })
}

/// What a subject is over time.
pub(super) fn series(table: &Trajectory, subject: &Subject) -> Result<Vec<Values>, SubjectFault> {
    match subject {
        Subject::Column(name) => column(table, name).map(|values| vec![values]),
        Subject::Columns(names) => names.iter().map(|name| column(table, name)).collect(),
        Subject::Formula(text) => formula(table, text).map(|values| vec![values]),
    }
}

/// A number of the whole run.
pub(super) fn scalar(result: &CaseResult, name: &str) -> Result<(f64, Option<Dim>), SubjectFault> {
    match result.scalars.iter().find(|scalar| scalar.name == name) {
        Some(scalar) => Ok((scalar.value, dim_of(Some(&scalar.unit)))),
        None if result.trajectory.column(name).is_some() => Err(SubjectFault::IsColumn { name: name.into() }),
        None => {
            let nearest = suggest(name, result.scalars.iter().map(|scalar| scalar.name.as_str())).map(str::to_string);
            Err(SubjectFault::NoNumber { name: name.into(), nearest })
        }
    }
}
