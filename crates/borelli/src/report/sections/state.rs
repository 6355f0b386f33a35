//! The one state that an analysis without motion leaves: coordinates, paths, contacts and what holds the bodies, one column per case.
//! Not here: motions, which have a player and plots.

use super::super::data::Wide;
use super::super::{Case, Report, Section};
use super::{CaseRow, case_table, labelled, settled, unit};
use crate::plot::shown_unit;
use borelli_data::Column;
use borelli_study::pattern::fits;

pub(in crate::report) const SECTION: Section = Section { id: "state", title: "State", short: "State", body };

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
    let wide: Vec<Wide> = report.cases.iter().map(Wide::new).collect();
    let label = |name: &str| wide.iter().find_map(|wide| Some(wide.labels[wide.index(name)?].text.as_str())).unwrap_or_default();
    let row = |column: &&Column| {
        let (unit_shown, factor) = shown_unit(column.unit.as_deref().unwrap_or("1"));
        let value = |case: &Case| case.trajectory.column(&column.name).and_then(|values| values.first().map(|x| x * factor));
        let cases = report.cases.iter().map(|case| settled(value(case))).collect();
        CaseRow { name: labelled(label(&column.name), &column.name), cases, unit: Some(unit(&unit_shown)) }
    };
    let rows: Vec<CaseRow> = shown.iter().map(row).collect();
    Some(case_table(report, "", "Quantity", "number", &rows))
}
