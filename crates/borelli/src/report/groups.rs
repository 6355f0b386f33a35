//! Which columns stand in one plot when nobody asked for any: what a person looks at first, both sides of the body together.
//! Not here: drawing; the page splits a group once more by unit.
//! In: a case. Out: titles with names of columns.

use super::data::{ACCOUNT, Wide, axes_of, tells};
use super::{Case, Report};
use crate::label::{Side, capital, side_of, words};
use borelli_study::pattern::fits;
use borelli_study::read::Over;

/// What the columns of a plot are drawn over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GroupKind {
    /// Time.
    #[default]
    Time,
    /// Part of a cycle.
    Cycle,
    /// The second and further columns over the first.
    Phase,
    /// What is swept: one point for each case. Such plots are drawn here only, no script replaces them.
    Sweep,
}

impl GroupKind {
    /// One word for scripts and files.
    pub fn word(self) -> &'static str {
        match self {
            GroupKind::Time => "time",
            GroupKind::Cycle => "cycle",
            GroupKind::Phase => "phase",
            GroupKind::Sweep => "sweep",
        }
    }

    /// The kind that a word means.
    pub fn of_word(word: &str) -> Option<GroupKind> {
        [GroupKind::Time, GroupKind::Cycle, GroupKind::Phase, GroupKind::Sweep].into_iter().find(|kind| kind.word() == word)
    }
}

/// A plot: a title and the columns in it, by name or pattern. Columns of different units become plots of their own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Title.
    pub title: String,
    /// What a reader must know to read it; may be empty.
    pub note: &'static str,
    /// Names or patterns of columns, such as `coord.*.value`.
    pub columns: Vec<String>,
    /// Names of the cases it shows side by side, whichever is chosen; empty: the chosen case.
    pub cases: Vec<String>,
    /// What they are drawn over.
    pub kind: GroupKind,
    /// For [`GroupKind::Sweep`]: what is swept, and its values.
    pub over: Option<Over>,
}

/// More curves than this in one plot cannot be told apart.
const MOST_CURVES: usize = 8;

/// More plots than this nobody reads; the page can plot any column anyway.
const MOST_PLOTS: usize = 14;

/// Plots of angles that show left and right, and of moments or tensions.
const MOST_PAIRS: [usize; 2] = [5, 3];

/// The groups asked for with their patterns spelt out over the columns of all cases, else the defaults of the first case with samples.
pub(super) fn groups_of(report: &Report) -> Vec<Group> {
    if report.groups.is_empty() {
        let case = report.cases.get(opening(report)).filter(|case| !case.trajectory.is_empty());
        return case.map(default_groups).unwrap_or_default();
    }
    let wide: Vec<Wide> = report.cases.iter().map(Wide::new).collect();
    let known: Vec<&str> = wide.iter().flat_map(|wide| &wide.columns).map(|column| column.name.as_str()).collect();
    let spell = |group: &Group| {
        let mut columns: Vec<String> = Vec::new();
        for word in &group.columns {
            for name in known.iter().filter(|name| fits(word, name)) {
                if !columns.iter().any(|column| column == name) {
                    columns.push(name.to_string());
                }
            }
        }
        Group { columns, ..group.clone() }
    };
    let mut groups: Vec<Group> = report.groups.iter().map(spell).collect();
    // Energies that stand alone leave open where they come from.
    let of_energy = |name: &String| name.starts_with("system.energy.") || name.starts_with("system.work.") || name.ends_with(".dissipated");
    let last = groups.iter().rposition(|group| group.kind == GroupKind::Time && group.columns.iter().any(of_energy));
    let told = last.and_then(|at| {
        // One case: the parts of several would be a thicket.
        let name = groups[at].cases.first().cloned();
        let case = name.as_ref().map_or(report.cases.get(opening(report)), |name| report.cases.iter().find(|case| case.name == *name))?;
        Some((at, account_group(case, name.into_iter().collect())?))
    });
    if let Some((at, group)) = told {
        groups.insert(at + 1, group);
    }
    groups
}

/// The plot of where energy comes from and goes; nothing where none does, or the run did not integrate work.
fn account_group(case: &Case, cases: Vec<String>) -> Option<Group> {
    let wide = Wide::new(case);
    let columns = || wide.columns.iter().map(|column| &column.name).filter(|name| name.starts_with(ACCOUNT));
    let title = "Where the energy comes from and goes".to_string();
    tells(case).then(|| Group { title, note: ACCOUNT_NOTE, columns: columns().cloned().collect(), cases, ..Group::default() })
}

const ACCOUNT_NOTE: &str = "Since the start: the change of the total (kinetic, gravity and stored energy together) is the sum of the other curves, gains above \
zero and losses below.";

/// The case that the page opens with: the one that most plots of the study are about; where it has no samples, the first that has.
pub(super) fn opening(report: &Report) -> usize {
    let names: Vec<&str> = report.cases.iter().map(|case| case.name.as_str()).collect();
    let sampled = |k: &usize| report.cases.get(*k).is_some_and(|case| !case.trajectory.is_empty());
    let main = main_case(&report.groups, &names);
    [main].into_iter().chain(0..names.len()).find(sampled).unwrap_or(0)
}

/// The case that most plots over time name; the first of those, and of all where no plot names one.
pub fn main_case(groups: &[Group], names: &[&str]) -> usize {
    let shown =
        |name: &str| groups.iter().filter(|group| group.kind != GroupKind::Sweep && group.cases.iter().any(|own| own == name)).count();
    let counts: Vec<usize> = names.iter().map(|name| shown(name)).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    counts.iter().position(|count| *count == most).unwrap_or(0)
}

/// Below this, in SI, a column is zero but for rounding; columns that measure errors are shown whatever their size.
const ROUNDING: f64 = 1e-10;

/// Columns of a case on their way to plots.
struct Choice<'w> {
    wide: &'w Wide<'w>,
    /// Columns that leave zero and are no flags.
    alive: Vec<usize>,
    groups: Vec<Group>,
}

/// Plots that tell most about a motion: columns that never leave zero are left out, and flags.
pub fn default_groups(case: &Case) -> Vec<Group> {
    let wide = Wide::new(case);
    let alive = |k: &usize| {
        let name = &wide.columns[*k].name;
        let floor = if name.starts_with("constraint.") || name == "system.energy.balance" { 0.0 } else { ROUNDING };
        !name.ends_with(".valid") && !name.starts_with(ACCOUNT) && wide.values[*k].iter().any(|x| x.abs() > floor)
    };
    let alive = (0..wide.columns.len()).filter(alive).collect();
    let mut choice = Choice { wide: &wide, alive, groups: Vec::new() };
    choice.study();
    choice.angles();
    choice.ground(&[0, 1]);
    choice.held_joints();
    choice.moments();
    choice.sided("path.*.force", None, MOST_PAIRS[1]);
    if case.facts.clinical.is_empty() {
        choice.together("Joint angles", &["coord.*.value"], Some("rad"));
        choice.together("Joint moments", &["coord.*.effort"], Some("N m"));
    }
    choice.together("Muscle activation", &["muscle.*.activation"], None);
    choice.together("Ligament strain", &["ligament.*.strain"], None);
    choice.together("Tension of muscles and paths", &["path.*.force"], None);
    choice.together("Energy", &["system.energy.kinetic", "system.energy.gravity", "system.energy.stored", "system.energy.total"], None);
    choice.groups.extend(account_group(case, Vec::new()));
    choice.together("Mass centre", &["system.center.*"], None);
    choice.together("Joint displacements", &["coord.*.value"], Some("m"));
    choice.ground(&[2]);
    choice.together("Pressure mats: force", &["sensor.*.force"], None);
    choice.together("Pressure mats: highest pressure", &["sensor.*.peak"], None);
    choice.together("Normal force of contacts", &["contact.*.normal_force"], None);
    choice.together("Errors of markers", &["markers.rms", "markers.largest"], None);
    choice.together("Residual force", &["root.residual.force.*"], None);
    choice.together("Residual moment", &["root.residual.moment.*"], None);
    choice.together("Joint velocities", &["coord.*.rate"], Some("rad/s"));
    choice.together("Velocities of displacements", &["coord.*.rate"], Some("m/s"));
    choice.together("Joint efforts", &["coord.*.effort"], Some("N"));
    choice.together("Length of muscles and paths", &["path.*.length"], None);
    choice.together("Reactions of loops and guides", &["loop.*.reaction.*", "guide.*.reaction.*"], None);
    choice.together("Gaps of loops and guides", &["constraint.drift.*"], None);
    choice.together("Energy balance", &["system.energy.balance"], None);
    // names of other programs fit no kind: show them in their order
    if choice.groups.is_empty() {
        choice.together("Columns", &["*"], None);
    }
    choice.groups.truncate(MOST_PLOTS);
    choice.groups
}

/// A label without its side: what left and right have in common.
fn without_side(text: &str, side: Side) -> String {
    let word = side.word();
    if let Some(rest) = text.strip_prefix(&capital(word)) {
        return capital(rest.trim_start_matches([':', ',', ' ']));
    }
    let parts = [format!(", {word}"), format!(" {word}")].iter().find_map(|own| text.split_once(own.as_str()));
    parts.map_or(text.to_string(), |(a, b)| format!("{a}{b}"))
}

impl Choice<'_> {
    /// Columns that fit and stand in no plot yet.
    fn fitting(&self, pattern: &str, unit: Option<&str>) -> Vec<usize> {
        let used = |name: &String| self.groups.iter().any(|group| group.columns.contains(name));
        let fits = |k: &usize| {
            let column = &self.wide.columns[*k];
            fits(pattern, &column.name) && unit.is_none_or(|unit| column.unit.as_deref() == Some(unit)) && !used(&column.name)
        };
        self.alive.iter().copied().filter(fits).collect()
    }

    /// Adds columns as plots of one unit each with as many curves as can be told apart.
    fn add(&mut self, title: &str, list: &[usize]) {
        let unit = |k: usize| self.wide.columns[k].unit.as_deref();
        let mut units: Vec<Option<&str>> = Vec::new();
        for k in list {
            if !units.contains(&unit(*k)) {
                units.push(unit(*k));
            }
        }
        for own in units {
            let of_unit: Vec<&String> = list.iter().filter(|k| unit(**k) == own).map(|k| &self.wide.columns[*k].name).collect();
            let parts = of_unit.len().div_ceil(MOST_CURVES);
            for (i, part) in of_unit.chunks(of_unit.len().div_ceil(parts)).enumerate() {
                let title = if parts > 1 { format!("{title}, part {} of {parts}", i + 1) } else { title.to_string() };
                let columns = part.iter().map(|name| name.to_string()).collect();
                self.groups.push(Group { title, columns, ..Group::default() });
            }
        }
    }

    /// All columns that fit in one plot.
    fn together(&mut self, title: &str, patterns: &[&str], unit: Option<&str>) {
        let list: Vec<usize> = patterns.iter().flat_map(|pattern| self.fitting(pattern, unit)).collect();
        self.add(title, &list);
    }

    /// A plot for what left and right have in common, `most` of them, those that move most.
    fn sided(&mut self, pattern: &str, unit: Option<&str>, most: usize) {
        let mut pairs: Vec<(String, Vec<usize>)> = Vec::new();
        for k in self.fitting(pattern, unit) {
            let label = &self.wide.labels[k];
            let Some(key) = label.side.map(|side| without_side(&label.text, side)) else { continue };
            match pairs.iter_mut().find(|(known, _)| *known == key) {
                Some((_, own)) => own.push(k),
                None => pairs.push((key, vec![k])),
            }
        }
        let range = |list: &[usize]| {
            let of = |k: &usize| {
                let known = || self.wide.values[*k].iter().copied().filter(|x| x.is_finite());
                known().fold(f64::NEG_INFINITY, f64::max) - known().fold(f64::INFINITY, f64::min)
            };
            list.iter().map(of).fold(0.0, f64::max)
        };
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|a, b| range(&pairs[*b].1).total_cmp(&range(&pairs[*a].1)));
        order.truncate(most);
        order.sort_unstable();
        for k in order {
            let (key, mut list) = pairs[k].clone();
            // left before right, as everywhere
            list.sort_by_key(|k| self.wide.labels[*k].side);
            self.add(&key, &list);
        }
    }

    /// What the study itself derives.
    fn study(&mut self) {
        let list: Vec<usize> =
            self.fitting("derived.*", None).into_iter().filter(|k| self.wide.columns[*k].name.split('.').count() == 2).collect();
        self.add("From this study", &list);
    }

    /// How the body moves.
    fn angles(&mut self) {
        if !self.wide.case.facts.clinical.is_empty() {
            self.sided("clinical.*.angle", None, usize::MAX);
            self.together("Pelvis, seen from the right side", &["clinical.*.angle"], None);
            return;
        }
        self.sided("coord.*.value", Some("rad"), MOST_PAIRS[0]);
        if self.groups.is_empty() {
            self.together("Joint angles", &["coord.*.value"], Some("rad"));
        }
        for (joint, _) in &self.wide.case.facts.rotations {
            let title = format!("{}: rotation", self.wide.case.facts.given().element("joint", joint, side_of(joint)));
            self.together(&title, &[&format!("derived.{joint}.rotation.*")], None);
        }
        if self.groups.is_empty() {
            self.together("Joint displacements", &["coord.*.value"], Some("m"));
        }
    }

    /// What turns the joints, left and right together.
    fn moments(&mut self) {
        match self.wide.case.facts.clinical.is_empty() {
            true => self.sided("coord.*.effort", Some("N m"), MOST_PAIRS[1]),
            false => self.sided("clinical.*.moment", Some("N m"), usize::MAX),
        }
    }

    /// Forces of the ground along some of: up, forward, sideways.
    fn ground(&mut self, which: &[usize]) {
        let (figure, axes) = (&self.wide.case.figure, axes_of(&self.wide.case.figure));
        let on_ground = |contact: &str| {
            let world = |k: usize| figure.surfaces[k].spot.body == 0;
            let own = |name: &str| name == contact || name.strip_prefix(contact).is_some_and(|rest| rest.starts_with('.'));
            figure.pairs.iter().any(|pair| own(&pair.name) && (world(pair.first) || world(pair.second)))
        };
        // What is no plane of the world is no ground: a condyle of a thigh that is the world.
        let flat = figure.surfaces.iter().filter(|surface| surface.spot.body == 0).all(|surface| surface.half_space().is_some());
        let what = if flat { "Ground force" } else { "Contact force" };
        let upward = (0..3).max_by(|a, b| figure.up[*a].abs().total_cmp(&figure.up[*b].abs())).unwrap_or(1);
        let order = [upward, if upward == 0 { 1 } else { 0 }, if upward == 2 { 1 } else { 2 }];
        let contact =
            |name: &'_ str| name.strip_prefix("contact.")?.strip_suffix(".total.force.x").filter(|own| on_ground(own)).map(str::to_string);
        let grounded: Vec<String> = self.wide.columns.iter().filter_map(|column| contact(&column.name)).collect();
        for axis in which.iter().map(|k| order[*k]) {
            let letter = ["x", "y", "z"][axis];
            let mut list = self.fitting(&format!("load.*.force.{letter}"), None);
            list.extend(grounded.iter().flat_map(|name| self.fitting(&format!("contact.{name}.total.force.{letter}"), None)));
            list.sort_by_key(|k| self.wide.labels[*k].side);
            self.add(&format!("{what}, {}", axes.word(axis)), &list);
        }
    }

    /// Forces of joints that hold the body to the world.
    fn held_joints(&mut self) {
        for joint in self.wide.case.figure.joints.iter().filter(|joint| joint.parent.body == 0) {
            let own = self.wide.case.facts.given().get("joint", &joint.name).map_or_else(|| words(&joint.name), str::to_string);
            let title = format!("Force of the ground at joint {own}");
            self.together(&title, &[&format!("joint.{}.reaction.force.*", joint.name)], None);
        }
    }
}
