//! Which columns stand in one plot when nobody asked for any: grouped by kind and unit, the telling ones first.
//! Not here: drawing; the page splits a group once more by unit.
//! In: a trajectory and its figure. Out: titles with names of columns.

use super::{Figure, Report};
use borelli_data::Trajectory;
use borelli_study::pattern::fits;

/// A plot: a title and the columns in it, by name or pattern. Columns of different units become plots of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Title.
    pub title: String,
    /// Names or patterns of columns, such as `coord.*.value`.
    pub columns: Vec<String>,
    /// Names of the cases it shows side by side, whichever is chosen; empty: the chosen case.
    pub cases: Vec<String>,
}

/// More curves than this in one plot cannot be told apart.
const MOST_CURVES: usize = 8;

/// More plots than this nobody reads; the page can plot any column anyway.
const MOST_PLOTS: usize = 14;

/// The groups asked for with their patterns spelt out over the columns of all cases, else the defaults of the first case with samples.
pub(super) fn groups_of(report: &Report) -> Vec<Group> {
    if report.groups.is_empty() {
        let case = report.cases.iter().find(|case| !case.trajectory.is_empty());
        return case.map(|case| default_groups(case.trajectory, &case.figure)).unwrap_or_default();
    }
    let known: Vec<&str> = report.cases.iter().flat_map(|case| case.trajectory.columns()).map(|column| column.name.as_str()).collect();
    let spell = |group: &Group| {
        let mut columns: Vec<String> = Vec::new();
        for word in &group.columns {
            for name in known.iter().filter(|name| fits(word, name)) {
                if !columns.iter().any(|column| column == name) {
                    columns.push(name.to_string());
                }
            }
        }
        Group { title: group.title.clone(), columns, cases: group.cases.clone() }
    };
    report.groups.iter().map(spell).collect()
}

/// How a kind of columns is found and called: prefix, suffix, title.
type Kind = (&'static str, &'static str, &'static str);

/// Kinds in the order of interest. A prefix or suffix of a name, never both empty.
const KINDS: [Kind; 15] = [
    ("derived.", "", "Derived"),
    ("coord.", ".value", "Coordinates"),
    ("coord.", ".rate", "Rates of coordinates"),
    ("path.", ".force", "Tension of paths"),
    ("path.", ".length", "Length of paths"),
    ("coord.", ".effort", "Efforts"),
    ("system.energy.", "", "Energy"),
    ("contact.", ".normal_force", "Contact, normal force"),
    ("contact.", ".depth", "Contact, depth"),
    ("system.center.", "", "Mass centre"),
    ("guide.", "", "Guides"),
    ("loop.", "", "Loops"),
    ("ground.", "", "Ground"),
    ("constraint.", "", "Drift of constraints"),
    ("coord.", ".accel", "Accelerations of coordinates"),
];

/// Below this, in SI, a column is zero but for rounding; columns that measure errors are shown whatever their size.
const ROUNDING: f64 = 1e-10;

/// Plots that tell most about a motion: columns that never leave zero are left out, and flags.
pub fn default_groups(trajectory: &Trajectory, figure: &Figure) -> Vec<Group> {
    let alive = |k: &usize| {
        let name = &trajectory.columns()[*k].name;
        if name.ends_with(".valid") {
            return false;
        }
        let floor = if name.starts_with("constraint.") || name == "system.energy.balance" { 0.0 } else { ROUNDING };
        trajectory.values(*k).iter().any(|x| x.abs() > floor)
    };
    let columns: Vec<(usize, &str)> =
        trajectory.columns().iter().enumerate().filter(|(k, _)| alive(k)).map(|(k, column)| (k, column.name.as_str())).collect();
    let plots = |title: &str, names: Vec<&(usize, &str)>| {
        let mut groups = Vec::new();
        // By unit, so that a group is a plot; then in parts that can be told apart.
        let mut units: Vec<Option<&str>> = Vec::new();
        for (k, _) in &names {
            let unit = trajectory.columns()[*k].unit.as_deref();
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        for unit in units {
            let of_unit: Vec<&str> =
                names.iter().filter(|(k, _)| trajectory.columns()[*k].unit.as_deref() == unit).map(|(_, name)| *name).collect();
            let parts = of_unit.len().div_ceil(MOST_CURVES);
            for (i, part) in of_unit.chunks(of_unit.len().div_ceil(parts)).enumerate() {
                let title = if parts > 1 { format!("{title}, part {} of {parts}", i + 1) } else { title.to_string() };
                groups.push(Group { title, columns: part.iter().map(|name| name.to_string()).collect(), cases: Vec::new() });
            }
        }
        groups
    };
    let of_kind = |(prefix, suffix, _): Kind| {
        let fits = |name: &str| name.starts_with(prefix) && name.ends_with(suffix) && name != "system.energy.balance";
        columns.iter().filter(|(_, name)| fits(name)).collect::<Vec<_>>()
    };
    let mut groups = Vec::new();
    for (k, kind) in KINDS.iter().enumerate() {
        groups.extend(plots(kind.2, of_kind(*kind)));
        // What holds the body up comes right after how it moves.
        if k == 2 {
            for joint in figure.joints.iter().filter(|joint| joint.parent.body == 0) {
                let prefix = format!("joint.{}.reaction.force.", joint.name);
                let title = format!("Force of the ground at joint {}", joint.name);
                groups.extend(plots(&title, columns.iter().filter(|(_, name)| name.starts_with(&prefix)).collect()));
            }
        }
    }
    groups.extend(plots("Energy balance", columns.iter().filter(|(_, name)| *name == "system.energy.balance").collect()));
    // Names of other programs fit no kind: show them in their order.
    if groups.is_empty() {
        groups.extend(plots("Columns", columns.iter().collect()));
    }
    groups.truncate(MOST_PLOTS);
    groups
}
