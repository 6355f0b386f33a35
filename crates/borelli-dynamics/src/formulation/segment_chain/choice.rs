//! Which variables are unknown, which rows are added, and what is wrong with a choice, by name.
//! Not here: the equations, solving.
//! In: a chain, variables to be known or unknown, kinematic rows. Out: a `Setup` that counts, or a `ChoiceFault` for people.

use super::equations::Segment;
use super::variables::Direction::{X, Y};
use super::variables::{Direction, Labels, Layout, Variable};
use std::fmt;

/// A condition number above this is refused: fewer than three digits of a result would be left.
pub const WORST_CONDITION: f64 = 1e13;

/// Longer chains are refused: the equations are solved as a whole, at a cost that grows with the third power.
pub const MOST_SEGMENTS: usize = 64;

/// What a row sums up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// A variable.
    Variable(Variable),
    /// Acceleration of a joint.
    Joint(usize, Direction),
    /// Acceleration of the mass centre of a segment.
    Center(usize, Direction),
}

/// An equation beside those of Newton and Euler: a weighted sum of terms. Its right side is given with every solve.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Name for messages.
    pub name: String,
    /// Terms with their weights.
    pub terms: Vec<(Term, f64)>,
}

impl Row {
    /// Any sum: `Frx_1 − Frx_10`.
    pub fn new(name: impl Into<String>, terms: Vec<(Term, f64)>) -> Self {
        Row { name: name.into(), terms }
    }

    /// Angular acceleration of a segment.
    pub fn segment(name: impl Into<String>, segment: usize) -> Self {
        Row::new(name, vec![(Term::Variable(Variable::AngularAcceleration(segment)), 1.0)])
    }

    /// Angular acceleration of one segment less that of another.
    pub fn relative(name: impl Into<String>, one: usize, other: usize) -> Self {
        let term = |segment: usize| Term::Variable(Variable::AngularAcceleration(segment));
        Row::new(name, vec![(term(one), 1.0), (term(other), -1.0)])
    }

    /// Acceleration of a joint.
    pub fn joint(name: impl Into<String>, joint: usize, direction: Direction) -> Self {
        Row::new(name, vec![(Term::Joint(joint, direction), 1.0)])
    }

    /// Acceleration of one joint less that of another.
    pub fn between_joints(name: impl Into<String>, one: usize, other: usize, direction: Direction) -> Self {
        Row::new(name, vec![(Term::Joint(one, direction), 1.0), (Term::Joint(other, direction), -1.0)])
    }

    /// Acceleration of the mass centre of a segment.
    pub fn center(name: impl Into<String>, segment: usize, direction: Direction) -> Self {
        Row::new(name, vec![(Term::Center(segment, direction), 1.0)])
    }
}

/// A chain, what is unknown of it, and the rows added.
#[derive(Clone, Debug)]
pub struct Setup {
    pub(super) segments: Vec<Segment>,
    pub(super) labels: Labels,
    pub(super) unknown: Vec<bool>,
    pub(super) rows: Vec<Row>,
    /// For each variable the row that freed it.
    freed_by: Vec<Option<usize>>,
    /// A variable that was named though the chain has none such.
    foreign: Option<Variable>,
}

impl Setup {
    /// A chain of which nothing is unknown yet; segments and joints are numbered from one.
    pub fn new(segments: Vec<Segment>) -> Self {
        let all = Layout { segments: segments.len() }.all();
        let labels = Labels::numbered(segments.len());
        Setup { segments, labels, unknown: vec![false; all], rows: Vec::new(), freed_by: vec![None; all], foreign: None }
    }

    /// The same with names for segments and joints.
    pub fn named(mut self, labels: Labels) -> Result<Self, ChoiceFault> {
        let n = self.segments.len();
        for (what, expected, found) in [("names of segments", n, labels.segments.len()), ("names of joints", n + 1, labels.joints.len())] {
            if found != expected {
                return Err(ChoiceFault::WrongLength { what, expected, found });
            }
        }
        self.labels = labels;
        Ok(self)
    }

    /// Where variables stand.
    pub fn layout(&self) -> Layout {
        self.labels.layout()
    }

    /// Names.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Makes variables unknown.
    pub fn free(&mut self, variables: impl IntoIterator<Item = Variable>) -> &mut Self {
        variables.into_iter().for_each(|variable| self.set(variable, true));
        self
    }

    /// Makes variables known.
    pub fn know(&mut self, variables: impl IntoIterator<Item = Variable>) -> &mut Self {
        variables.into_iter().for_each(|variable| self.set(variable, false));
        self
    }

    fn set(&mut self, variable: Variable, unknown: bool) {
        if self.layout().has(variable) {
            let index = self.layout().index(variable);
            self.unknown[index] = unknown;
        } else {
            self.foreign = self.foreign.or(Some(variable));
        }
    }

    /// True for an unknown variable.
    pub fn is_unknown(&self, variable: Variable) -> bool {
        self.layout().has(variable) && self.unknown[self.layout().index(variable)]
    }

    /// All unknown variables, in order.
    pub fn unknowns(&self) -> Vec<Variable> {
        self.layout().variables().into_iter().filter(|variable| self.is_unknown(*variable)).collect()
    }

    /// Forces between segments and angular accelerations unknown: motion from forces. With `base_driven` the acceleration of the base is known and the
    /// force there unknown, else the other way round.
    pub fn forward(&mut self, base_driven: bool) -> &mut Self {
        let n = self.segments.len();
        self.unknown.fill(false);
        let first = if base_driven { 0 } else { 1 };
        self.free((first..n).flat_map(|i| [Variable::JointForce(i, X), Variable::JointForce(i, Y)]));
        self.free((0..n).map(Variable::AngularAcceleration));
        if !base_driven {
            self.free([Variable::BaseAcceleration(X), Variable::BaseAcceleration(Y)]);
        }
        self
    }

    /// Forces and moments at joints unknown, from the free end to the base: forces from motion.
    pub fn inverse(&mut self) -> &mut Self {
        self.inverse_at(0)
    }

    /// Forces and moments at joints unknown but for the base, where they are measured; those left over at the end show how well they fit.
    pub fn inverse_from_base(&mut self) -> &mut Self {
        self.inverse_at(1)
    }

    fn inverse_at(&mut self, first: usize) -> &mut Self {
        let n = self.segments.len();
        self.unknown.fill(false);
        self.free((first..first + n).flat_map(|i| [Variable::JointForce(i, X), Variable::JointForce(i, Y), Variable::JointMoment(i)]))
    }

    /// Adds a row and makes one known variable unknown for it. A variable that is unknown already, or that another row has freed, is refused.
    pub fn constrain(&mut self, row: Row, frees: Variable) -> Result<&mut Self, ChoiceFault> {
        let name = row.name.clone();
        if !self.layout().has(frees) {
            return Err(ChoiceFault::NoSuchVariable { symbol: frees.to_string(), segments: self.segments.len() });
        }
        let index = self.layout().index(frees);
        if let Some(other) = self.freed_by[index] {
            let other = self.rows[other].name.clone();
            return Err(ChoiceFault::Claimed { variable: self.labels.name(frees), row: name, other });
        }
        if self.unknown[index] {
            return Err(ChoiceFault::AlreadyUnknown { variable: self.labels.name(frees), row: name });
        }
        self.unknown[index] = true;
        self.freed_by[index] = Some(self.rows.len());
        self.rows.push(row);
        Ok(self)
    }

    /// Adds a row that frees nothing: what is unknown is said apart.
    pub fn add_row(&mut self, row: Row) -> &mut Self {
        self.rows.push(row);
        self
    }

    /// Checks that there are as many unknowns as equations; ties have one of each.
    pub(super) fn count(&self) -> Result<(), ChoiceFault> {
        self.check()?;
        let unknowns = self.unknowns();
        let (equations, rows) = (self.layout().equations(), self.rows.len());
        if unknowns.len() == equations + rows {
            return Ok(());
        }
        let unknown = unknowns.iter().map(|variable| (Group::of(*variable), self.labels.name(*variable))).collect();
        Err(ChoiceFault::Count { segments: self.segments.len(), rows: self.rows.iter().map(|row| row.name.clone()).collect(), unknown })
    }

    /// Checks that the chain is not too long and has all variables that are named, and that weights are finite.
    pub(super) fn check(&self) -> Result<(), ChoiceFault> {
        let (layout, segments) = (self.layout(), self.segments.len());
        if segments > MOST_SEGMENTS {
            return Err(ChoiceFault::TooLong { segments });
        }
        for row in &self.rows {
            if let Some((_, weight)) = row.terms.iter().find(|(_, weight)| !weight.is_finite()) {
                return Err(ChoiceFault::Weight { row: row.name.clone(), weight: *weight });
            }
        }
        let outside = |term: &Term| match *term {
            Term::Variable(variable) => (!layout.has(variable)).then_some(variable),
            Term::Joint(joint, direction) => (joint > segments).then_some(Variable::JointForce(joint, direction)),
            Term::Center(segment, direction) => (segment >= segments).then_some(Variable::Force(segment, direction)),
        };
        let foreign = self.foreign.or_else(|| self.rows.iter().flat_map(|row| &row.terms).find_map(|(term, _)| outside(term)));
        foreign.map_or(Ok(()), |variable| Err(ChoiceFault::NoSuchVariable { symbol: variable.to_string(), segments }))
    }
}

/// Groups of variables, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Between segments.
    JointForces,
    /// Between segments.
    JointMoments,
    /// From outside.
    Forces,
    /// From outside.
    Moments,
    /// Of segments and of the base.
    Accelerations,
    /// Of the solver.
    Supports,
}

impl Group {
    const ALL: [(Group, &'static str); 6] = [
        (Group::JointForces, "forces at joints"),
        (Group::JointMoments, "moments at joints"),
        (Group::Forces, "external forces"),
        (Group::Moments, "external moments"),
        (Group::Accelerations, "accelerations"),
        (Group::Supports, "supports"),
    ];

    /// The group of a variable.
    pub fn of(variable: Variable) -> Group {
        match variable {
            Variable::JointForce(..) => Group::JointForces,
            Variable::JointMoment(_) => Group::JointMoments,
            Variable::Force(..) => Group::Forces,
            Variable::Moment(_) => Group::Moments,
            Variable::AngularAcceleration(_) | Variable::BaseAcceleration(_) => Group::Accelerations,
            _ => Group::Supports,
        }
    }
}

/// What is wrong with a choice of unknowns.
#[derive(Clone, Debug, PartialEq)]
pub enum ChoiceFault {
    /// Not as many unknowns as equations.
    Count {
        /// Number of segments.
        segments: usize,
        /// Names of the rows added.
        rows: Vec<String>,
        /// Unknown variables with their groups.
        unknown: Vec<(Group, String)>,
    },
    /// A row wants to free a variable that is unknown already.
    AlreadyUnknown {
        /// The variable.
        variable: String,
        /// The row.
        row: String,
    },
    /// Two rows want to free one variable.
    Claimed {
        /// The variable.
        variable: String,
        /// The row.
        row: String,
        /// The one before it.
        other: String,
    },
    /// A list has the wrong length.
    WrongLength {
        /// Which.
        what: &'static str,
        /// Entries it should have.
        expected: usize,
        /// Entries it has.
        found: usize,
    },
    /// The chain has no such variable.
    NoSuchVariable {
        /// Its symbol.
        symbol: String,
        /// Number of segments.
        segments: usize,
    },
    /// The chain is too long.
    TooLong {
        /// Number of segments.
        segments: usize,
    },
    /// A weight is not a finite number.
    Weight {
        /// The row.
        row: String,
        /// The weight.
        weight: f64,
    },
    /// A row of the solver holds only accelerations that are known.
    Idle {
        /// The row.
        row: String,
    },
    /// A coefficient is not a finite number.
    NotFinite {
        /// Equations that have one.
        equations: Vec<String>,
    },
    /// The equations do not determine the unknowns.
    Singular {
        /// Condition in the 1-norm; infinite where no inverse could be had.
        condition: f64,
        /// Unknowns that can change together without any equation noticing.
        unknowns: Vec<String>,
        /// Equations that say the same of the unknowns.
        equations: Vec<String>,
    },
}

impl fmt::Display for ChoiceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChoiceFault::Count { segments, rows, unknown } => {
                let equations = 3 * segments + rows.len();
                let added = if rows.is_empty() { String::new() } else { format!(" and {} added: {}", rows.len(), quoted(rows)) };
                let verdict = if unknown.len() < equations {
                    let surplus = equations - unknown.len();
                    format!("{surplus} too few: no values can meet all equations, unless by chance")
                } else {
                    format!("{} too many: infinitely many values meet all equations", unknown.len() - equations)
                };
                write!(f, "{} unknowns for {equations} equations (3 for each of {segments} segments{added}); {verdict}", unknown.len())?;
                for (group, title) in Group::ALL {
                    let names: Vec<String> = unknown.iter().filter(|(own, _)| *own == group).map(|(_, name)| name.clone()).collect();
                    if !names.is_empty() {
                        write!(f, "\n  unknown {title}: {}", quoted(&names))?;
                    }
                }
                let hint = if unknown.len() < equations {
                    "make more variables unknown, or ask for least squares, which reports what is left over"
                } else {
                    "give values to some of them, or add kinematic rows"
                };
                write!(f, "\n  hint: {hint}")
            }
            ChoiceFault::AlreadyUnknown { variable, row } => write!(
                f,
                "row `{row}` frees `{variable}`, which is unknown already\n  hint: a row needs an unknown of its own, one that is known so far: the force or moment that upholds it"
            ),
            ChoiceFault::Claimed { variable, row, other } => {
                write!(f, "row `{row}` frees `{variable}`, which row `{other}` has freed\n  hint: every row needs an unknown of its own")
            }
            ChoiceFault::WrongLength { what, expected, found } => write!(f, "{found} {what} are given, the chain has {expected}"),
            ChoiceFault::NoSuchVariable { symbol, segments } => write!(f, "a chain of {segments} segments has no variable `{symbol}`"),
            ChoiceFault::TooLong { segments } => {
                write!(f, "the chain would have {segments} segments; at most {MOST_SEGMENTS} are solved as a whole")
            }
            ChoiceFault::Weight { row, weight } => {
                write!(f, "row `{row}` has the weight {weight}\n  hint: weights of a row are finite numbers")
            }
            ChoiceFault::Idle { row } => write!(
                f,
                "all accelerations that {row} holds are known, so that its force cannot be found\n  hint: make one of them unknown, or leave loops and guides out"
            ),
            ChoiceFault::NotFinite { equations } => write!(
                f,
                "coefficients are not finite numbers in: {}\n  hint: look for masses, lengths and weights that are beyond all measure",
                quoted(equations)
            ),
            ChoiceFault::Singular { condition, unknowns, equations } => {
                if condition.is_finite() {
                    write!(
                        f,
                        "the equations determine the unknowns badly or not at all (condition {condition:.1e}, allowed {WORST_CONDITION:.0e})"
                    )?;
                } else {
                    write!(
                        f,
                        "the equations do not determine the unknowns (the matrix has no inverse; allowed condition {WORST_CONDITION:.0e})"
                    )?;
                }
                write!(f, "\n  unknowns that can change together unnoticed: {}", quoted(unknowns))?;
                write!(f, "\n  equations that depend on each other: {}", quoted(equations))?;
                write!(f, "\n  hint: give one of these unknowns a value and ask for another variable that enters these equations")
            }
        }
    }
}

impl std::error::Error for ChoiceFault {}

fn quoted(names: &[String]) -> String {
    let mut text = String::new();
    for name in names {
        if !text.is_empty() {
            text.push_str(", ");
        }
        // Names of equations carry their own quotes.
        if name.contains('`') { text.push_str(name) } else { text.push_str(&format!("`{name}`")) }
    }
    text
}
