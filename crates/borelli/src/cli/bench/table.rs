//! States of a model from a table: columns `q.NAME`, `qd.NAME`, `tau.NAME`, `qdd.NAME`; other columns are passed over.
//! Not here: timing.
//! In: CSV text and a system. Out: states in the order of the system, or what is wrong with the table.

use borelli_dynamics::System;
use borelli_dynamics::system::CoordinateName;
use borelli_model::Explain;

/// A state of the table.
#[derive(Debug)]
pub struct Row {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Generalised forces; zero where the table has none.
    pub tau: Vec<f64>,
    /// Expected accelerations, if the table has them.
    pub vdot: Option<Vec<f64>>,
}

/// States, and the groups of columns that were matched by order because no name fitted.
#[derive(Debug)]
pub struct Table {
    /// States.
    pub rows: Vec<Row>,
    /// `q`, `qd`, ...
    pub by_order: Vec<&'static str>,
}

/// What can be wrong with a table.
#[derive(Debug, PartialEq)]
pub enum TableFault {
    /// No state in it.
    Empty,
    /// A line has another number of cells than the header.
    RaggedLine { line: usize, found: usize, expected: usize },
    /// A cell is no finite number.
    BadNumber { line: usize, column: String, text: String },
    /// A column stands twice.
    DuplicateColumn { column: String },
    /// The columns of a group do not fit the system.
    WrongColumns { group: &'static str, found: usize, expected: usize, missing: Option<String> },
}

impl Explain for TableFault {
    fn code(&self) -> &'static str {
        match self {
            TableFault::Empty => "table-empty",
            TableFault::RaggedLine { .. } => "table-ragged-line",
            TableFault::BadNumber { .. } => "table-bad-number",
            TableFault::DuplicateColumn { .. } => "table-duplicate-column",
            TableFault::WrongColumns { .. } => "table-wrong-columns",
        }
    }

    fn message(&self) -> String {
        match self {
            TableFault::Empty => "the table has no states".into(),
            TableFault::RaggedLine { line, found, expected } => format!("line {line} has {found} cells, the header {expected}"),
            TableFault::BadNumber { line, column, text } => format!("line {line}, column `{column}`: `{text}` is not a finite number"),
            TableFault::DuplicateColumn { column } => format!("column `{column}` stands twice"),
            TableFault::WrongColumns { group, found, expected, missing: Some(name) } => {
                format!("no column `{group}.{name}`; the model has {expected}, the table {found} columns `{group}.*`")
            }
            TableFault::WrongColumns { group, found, expected, .. } => {
                format!("the table has {found} columns `{group}.*`, the model needs {expected}")
            }
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            TableFault::WrongColumns { .. } => Some("name columns as `borelli check` names coordinates and speeds, or none of them".into()),
            TableFault::Empty => Some("write a header such as `q.knee,qd.knee` and one line of numbers for each state".into()),
            TableFault::RaggedLine { .. } => Some("write as many cells as the header has, commas between them".into()),
            TableFault::BadNumber { .. } => Some("write a plain number in SI such as `0.25`".into()),
            TableFault::DuplicateColumn { .. } => Some("take one of the two out".into()),
        }
    }
}

/// Which column holds each entry.
struct Group {
    columns: Vec<usize>,
    by_order: bool,
}

fn group(header: &[&str], group: &'static str, names: &[CoordinateName]) -> Result<Option<Group>, TableFault> {
    let own: Vec<(usize, &str)> =
        header.iter().enumerate().filter_map(|(k, cell)| Some((k, cell.strip_prefix(group)?.strip_prefix('.')?))).collect();
    if own.is_empty() {
        // A model without a freedom needs no column.
        return Ok(names.is_empty().then(|| Group { columns: Vec::new(), by_order: false }));
    }
    if let Some((_, (column, _))) = own.iter().enumerate().find(|(k, (_, name))| own[..*k].iter().any(|(_, n)| n == name)) {
        return Err(TableFault::DuplicateColumn { column: header[*column].into() });
    }
    let find = |name: &str| own.iter().find(|(_, n)| *n == name).map(|(k, _)| *k);
    let found: Vec<Option<usize>> = names.iter().map(|c| find(&c.name)).collect();
    let wrong = |missing| TableFault::WrongColumns { group, found: own.len(), expected: names.len(), missing };
    if let Some(columns) = found.iter().copied().collect() {
        return Ok(Some(Group { columns, by_order: false }));
    }
    if let Some(k) = found.iter().position(Option::is_none)
        && found.iter().any(Option::is_some)
    {
        return Err(wrong(Some(names[k].name.clone())));
    }
    if own.len() != names.len() {
        return Err(wrong(None));
    }
    Ok(Some(Group { columns: own.iter().map(|(k, _)| *k).collect(), by_order: true }))
}

/// Reads a table for a system.
pub fn read(text: &str, system: &System) -> Result<Table, TableFault> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let header: Vec<&str> = lines.next().ok_or(TableFault::Empty)?.1.split(',').map(str::trim).collect();
    let (coordinates, speeds) = (&system.names.coordinates, &system.names.speeds);
    let none = |group, names: &[CoordinateName]| TableFault::WrongColumns { group, found: 0, expected: names.len(), missing: None };
    let q = group(&header, "q", coordinates)?.ok_or_else(|| none("q", coordinates))?;
    let v = group(&header, "qd", speeds)?.ok_or_else(|| none("qd", speeds))?;
    let tau = group(&header, "tau", speeds)?;
    let vdot = group(&header, "qdd", speeds)?;
    let mut rows = Vec::new();
    for (k, line) in lines {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        if cells.len() != header.len() {
            return Err(TableFault::RaggedLine { line: k + 1, found: cells.len(), expected: header.len() });
        }
        let number = |column: &usize| match cells[*column].parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            _ => Err(TableFault::BadNumber { line: k + 1, column: header[*column].into(), text: cells[*column].into() }),
        };
        let numbers = |group: &Group| group.columns.iter().map(number).collect::<Result<Vec<f64>, _>>();
        rows.push(Row {
            q: numbers(&q)?,
            v: numbers(&v)?,
            tau: tau.as_ref().map(numbers).transpose()?.unwrap_or_else(|| vec![0.0; speeds.len()]),
            vdot: vdot.as_ref().map(numbers).transpose()?,
        });
    }
    if rows.is_empty() {
        return Err(TableFault::Empty);
    }
    let groups = [("q", Some(&q)), ("qd", Some(&v)), ("tau", tau.as_ref()), ("qdd", vdot.as_ref())];
    let by_order = groups.into_iter().filter(|(_, g)| g.is_some_and(|g| g.by_order)).map(|(name, _)| name).collect();
    Ok(Table { rows, by_order })
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_dynamics::compile;
    use borelli_model::Model;

    fn system() -> System {
        let model = Model::parse("chain.toml", &super::super::chain::text(2, true)).unwrap_or_else(|rejected| panic!("{rejected}"));
        compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
    }

    #[test]
    fn columns_are_matched_by_name_whatever_their_order() {
        let table = read("state,q.j1,q.j0,qd.j0,qd.j1\n1,2,3,4,5\n", &system()).expect("a good table");
        assert_eq!((&table.rows[0].q[..], &table.rows[0].v[..]), (&[3.0, 2.0][..], &[4.0, 5.0][..]));
        assert_eq!(table.rows[0].tau, [0.0, 0.0]);
        assert!(table.rows[0].vdot.is_none() && table.by_order.is_empty());
    }

    #[test]
    fn columns_without_any_known_name_are_taken_in_order() {
        let table = read("q.a,q.b,qd.a,qd.b\n2,3,4,5\n", &system()).expect("a good table");
        assert_eq!((&table.rows[0].q[..], &table.by_order[..]), (&[2.0, 3.0][..], &["q", "qd"][..]));
    }

    #[test]
    fn a_table_that_does_not_fit_says_why() {
        let code = |text: &str| read(text, &system()).expect_err("a fault").code();
        assert_eq!(code(""), "table-empty");
        assert_eq!(code("q.j0,q.j1,qd.j0,qd.j1\n"), "table-empty");
        assert_eq!(code("q.j0,q.x,qd.j0,qd.j1\n1,2,3,4\n"), "table-wrong-columns");
        assert_eq!(code("q.j0,q.j1,q.j0,qd.j0,qd.j1\n1,2,3,4,5\n"), "table-duplicate-column");
        assert_eq!(code("q.j0,q.j1,qd.j0,qd.j1\n1,2,3\n"), "table-ragged-line");
        assert_eq!(code("q.j0,q.j1,qd.j0,qd.j1\n1,2,3,nan\n"), "table-bad-number");
    }
}
