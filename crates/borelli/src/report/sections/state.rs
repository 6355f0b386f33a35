//! The one state that an analysis without motion leaves: coordinates, paths, contacts and what holds the bodies, one column per case.
//! Not here: motions, which have a player and plots.

use super::super::{Report, Section};
use super::{case_name, number, table, text, unit};
use borelli_data::Column;
use borelli_study::pattern::fits;

pub(in crate::report) const SECTION: Section = Section { id: "state", title: "State", body };

/// What tells a state; poses are in the figure, and speeds are zero.
const TOLD: [&str; 8] = [
    "coord.*.value",
    "path.*",
    "contact.*.depth",
    "contact.*.normal_force",
    "contact.*.total.*",
    "loop.*.reaction.*",
    "guide.*.reaction.*",
    "joint.*.reaction.*",
];

fn body(report: &Report) -> Option<String> {
    if report.moves() || report.cases.iter().all(|case| case.trajectory.is_empty()) {
        return None;
    }
    let columns = || report.cases.iter().flat_map(|case| case.trajectory.columns());
    let mut shown: Vec<&Column> = Vec::new();
    for pattern in TOLD {
        for column in columns().filter(|column| fits(pattern, &column.name)) {
            if shown.iter().all(|known| known.name != column.name) {
                shown.push(column);
            }
        }
    }
    let several = report.cases.len() > 1;
    let cases: Vec<String> =
        report.cases.iter().enumerate().map(|(k, case)| if several { case_name(k, case) } else { "Value".into() }).collect();
    let mut heads = vec![("", "Column")];
    heads.extend(cases.iter().map(|name| ("number", name.as_str())));
    heads.push(("", "Unit"));
    let row = |column: &&Column| {
        let values =
            report.cases.iter().map(|case| number(case.trajectory.column(&column.name).and_then(|values| values.first().copied())));
        let mut row = vec![text(&column.name)];
        row.extend(values);
        row.push(unit(column.unit.as_deref().unwrap_or("1")));
        row
    };
    let rows: Vec<_> = shown.iter().map(row).collect();
    Some(table("Coordinates and forces of the state", &heads, &rows))
}
