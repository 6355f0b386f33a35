//! A chain with its choice of unknowns, ready to be solved again and again.
//! Not here: choosing (`choice`), the equations (`equations`), what a model makes of a chain (`model_chain`).
//! In: a posture, values of known variables, right sides of rows. Out: values of unknown variables, multipliers of ties.
//!
//! A *tie* is a row with the wrench that upholds it. Its multiplier λ acts on each of its seats i with the force λ f at the mass centre and the moment
//! λ m, and by virtual power its row is
//!
//!     Σ_i (f·a_i + m φ̈_i) + rest = 0                                                                 (1)
//!
//! After a solve the supports of the pool (`Support`, `SupportMoment`) hold what ties exert on each segment.

use super::choice::{ChoiceFault, Row, Setup, Term};
use super::elimination::Elimination;
use super::equations::{Equations, Posture, Segment, cross};
use super::variables::Direction::{X, Y};
use super::variables::{Direction, Labels, Layout, Variable};

/// Pivots that fall below this part of their column make a look at the condition worth its cost.
const SUSPICIOUS: f64 = 1e-7;
/// A tie that was set aside must be met to this part of its terms; drift of redundant loops stays below it.
const UNMET: f64 = 1e-6;

/// A row that is upheld by a wrench of its own.
#[derive(Clone, Debug)]
pub(super) struct Tie {
    pub name: String,
    /// Segments it acts on.
    pub seats: Vec<usize>,
    /// Whether it has forces; else moments only.
    pub translates: bool,
    /// Force and moment about the mass centre of a unit multiplier, by seat.
    pub wrench: Vec<[f64; 3]>,
    /// What the row has beside the product with accelerations.
    pub rest: f64,
}

impl Tie {
    /// Accelerations that its row may have.
    fn reaches(&self) -> impl Iterator<Item = Variable> + '_ {
        let last = self.seats.iter().copied().max().unwrap_or(0);
        let turning = (0..=last).filter(|segment| self.translates || self.seats.contains(segment)).map(Variable::AngularAcceleration);
        turning.chain([X, Y].map(Variable::BaseAcceleration).into_iter().filter(|_| self.translates))
    }
}

/// A chain with a choice of unknowns.
#[derive(Clone, Debug)]
pub struct Problem {
    pub(super) equations: Equations,
    pub(super) labels: Labels,
    /// Column of each variable, if it is unknown.
    column: Vec<Option<u16>>,
    pub(super) unknowns: Vec<Variable>,
    pub(super) rows: Vec<Row>,
    pub(super) ties: Vec<Tie>,
    /// The matrix without what changes.
    template: Vec<f64>,
    pub(super) a: Vec<f64>,
    pub(super) x: Vec<f64>,
    /// Values with unknown ones zero.
    given: Vec<f64>,
    /// None where least squares are asked for.
    pub(super) elimination: Option<Elimination>,
    /// Multipliers of ties after a solve.
    pub(super) multipliers: Vec<f64>,
}

impl Problem {
    /// A problem with as many unknowns as equations.
    pub fn new(setup: &Setup) -> Result<Problem, ChoiceFault> {
        Problem::with_ties(setup, Vec::new())
    }

    /// The same, where the solver upholds rows of its own.
    pub(super) fn with_ties(setup: &Setup, ties: Vec<Tie>) -> Result<Problem, ChoiceFault> {
        setup.count()?;
        let idle = |tie: &&Tie| !tie.reaches().any(|variable| setup.is_unknown(variable));
        if let Some(tie) = ties.iter().find(idle) {
            return Err(ChoiceFault::Idle { row: tie.name.clone() });
        }
        let mut problem = Problem::filled(setup, ties);
        problem.elimination = Some(problem.plan());
        Ok(problem)
    }

    /// A problem with any number of unknowns, for [`Problem::fit`].
    pub fn least_squares(setup: &Setup) -> Result<Problem, ChoiceFault> {
        Problem::least_squares_with_ties(setup, Vec::new())
    }

    /// The same, where the solver upholds rows of its own.
    pub(super) fn least_squares_with_ties(setup: &Setup, ties: Vec<Tie>) -> Result<Problem, ChoiceFault> {
        setup.check()?;
        Ok(Problem::filled(setup, ties))
    }

    /// Everything but the order of elimination.
    fn filled(setup: &Setup, ties: Vec<Tie>) -> Problem {
        let equations = Equations::new(setup.segments.clone());
        let unknowns = setup.unknowns();
        let layout = setup.layout();
        let mut column = vec![None; layout.all()];
        for (k, variable) in unknowns.iter().enumerate() {
            column[layout.index(*variable)] = Some(k as u16);
        }
        let height = layout.equations() + setup.rows.len() + ties.len();
        let columns = unknowns.len() + ties.len();
        let template = vec![0.0; height * (columns + 1)];
        let mut problem = Problem {
            equations,
            labels: setup.labels.clone(),
            column,
            unknowns,
            rows: setup.rows.clone(),
            a: template.clone(),
            template,
            x: vec![0.0; columns],
            given: vec![0.0; layout.all()],
            elimination: None,
            multipliers: vec![0.0; ties.len()],
            ties,
        };
        problem.fill_template();
        problem
    }

    /// The same choice for segments with other numbers; the order of elimination does not depend on them.
    pub(super) fn set_segments(&mut self, segments: &[Segment]) {
        self.equations.segments.copy_from_slice(segments);
        self.fill_template();
    }

    /// The part of the matrix that no posture changes.
    fn fill_template(&mut self) {
        let (layout, width) = (self.layout(), self.width());
        let Problem { equations, column, template, .. } = self;
        equations.for_each_constant(|row, variable, value| {
            if let Some(column) = column[layout.index(variable)] {
                template[row * width + column as usize] = value;
            }
        });
    }

    /// Where variables stand.
    pub fn layout(&self) -> Layout {
        self.equations.layout
    }

    /// Names.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Unknown variables, in order.
    pub fn unknowns(&self) -> &[Variable] {
        &self.unknowns
    }

    /// Rows added to those of Newton and Euler; each wants a right side.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(super) fn height(&self) -> usize {
        self.layout().equations() + self.rows.len() + self.ties.len()
    }

    pub(super) fn width(&self) -> usize {
        self.x.len() + 1
    }

    /// Where entries can stand, which of them never change, and the order of elimination that follows.
    fn plan(&self) -> Elimination {
        let (layout, size) = (self.layout(), self.x.len());
        let mut entries = vec![Some(0.0); size * size];
        let mut put = |row: usize, variable: Variable, value: Option<f64>| {
            if let Some(column) = self.column[layout.index(variable)] {
                entries[row * size + column as usize] = value;
            }
        };
        // Masses are no pivots: a light segment would spoil them.
        self.equations.for_each_constant(|row, variable, value| put(row, variable, (!variable.is_acceleration()).then_some(value)));
        self.equations.changing_places().into_iter().for_each(|(row, variable)| put(row, variable, None));
        let mut row = layout.equations();
        for own in &self.rows {
            own.terms.iter().flat_map(|(term, _)| places(*term)).for_each(|variable| put(row, variable, None));
            row += 1;
        }
        for tie in &self.ties {
            tie.reaches().for_each(|variable| put(row, variable, None));
            row += 1;
        }
        for (k, tie) in self.ties.iter().enumerate() {
            let lines = if tie.translates { 0..3 } else { 2..3 };
            for row in lines.flat_map(|line| tie.seats.iter().map(move |seat| line * layout.segments + seat)) {
                entries[row * size + self.unknowns.len() + k] = None;
            }
        }
        Elimination::new(size, entries, self.unknowns.len())
    }

    /// Sets up the matrix and the right side.
    pub(super) fn fill(&mut self, posture: &Posture, rights: &[f64], values: &[f64]) {
        let (layout, width) = (self.layout(), self.width());
        let right = width - 1;
        for ((given, value), column) in self.given.iter_mut().zip(values).zip(&self.column) {
            *given = if column.is_none() { *value } else { 0.0 };
        }
        self.a.copy_from_slice(&self.template);
        self.equations.look(posture);
        self.equations.fill_changing(&self.column, width, &mut self.a);
        let Problem { equations, given, a, .. } = self;
        equations.fill_right(given, |row, value| a[row * width + right] = value);
        let mut row = layout.equations();
        for (own, wanted) in self.rows.iter().zip(rights) {
            let line = &mut self.a[row * width..][..width];
            let mut known = 0.0;
            for (term, weight) in &own.terms {
                for_each_entry(*term, &self.equations, |variable, coefficient| {
                    if let Some(column) = self.column[layout.index(variable)] {
                        line[column as usize] += weight * coefficient;
                    }
                });
                known += weight * known_part(*term, &self.equations, &self.given);
            }
            line[right] = wanted - known;
            row += 1;
        }
        let n = layout.segments;
        for (k, tie) in self.ties.iter().enumerate() {
            let column = self.unknowns.len() + k;
            let mut product = tie.rest;
            for (seat, [fx, fy, m]) in tie.seats.iter().copied().zip(&tie.wrench) {
                if tie.translates {
                    self.a[seat * width + column] += fx;
                    self.a[(n + seat) * width + column] += fy;
                }
                self.a[(2 * n + seat) * width + column] += m;
                let acceleration = self.equations.center_acceleration[seat];
                product += fx * acceleration[0] + fy * acceleration[1] + m * self.given[layout.index(Variable::AngularAcceleration(seat))];
            }
            let line = &mut self.a[row * width..][..width];
            let mut put = |variable: Variable, coefficient: f64| {
                if let Some(column) = self.column[layout.index(variable)] {
                    line[column as usize] += coefficient;
                }
            };
            for (seat, [fx, fy, m]) in tie.seats.iter().copied().zip(&tie.wrench) {
                let force = [*fx, *fy];
                if tie.translates {
                    for before in 0..seat {
                        put(Variable::AngularAcceleration(before), cross(self.equations.to_next[before], force));
                    }
                    put(Variable::BaseAcceleration(X), *fx);
                    put(Variable::BaseAcceleration(Y), *fy);
                }
                put(Variable::AngularAcceleration(seat), cross(self.equations.to_center[seat], force) + m);
            }
            line[right] = -product;
            row += 1;
        }
    }

    /// Solves at a posture. `values` holds all variables: known ones are read, unknown ones and supports of ties are written. `rights` are the right
    /// sides of [`Problem::rows`]. Refuses what is singular or has a condition above [`WORST_CONDITION`](super::WORST_CONDITION). Allocates nothing
    /// unless it refuses or is close to it.
    pub fn solve(&mut self, posture: &Posture, rights: &[f64], values: &mut [f64]) -> Result<(), ChoiceFault> {
        self.check_lengths(posture, rights, values)?;
        let solved = self.eliminate(posture, rights, values);
        if solved.is_err() || self.weakest_pivot() < SUSPICIOUS {
            let quality = self.examine(posture)?;
            // The look has used the memory.
            self.eliminate(posture, rights, values).map_err(|column| ChoiceFault::Singular {
                condition: quality.condition,
                unknowns: vec![self.column_name(column)],
                equations: Vec::new(),
            })?;
        }
        self.write_back(values);
        Ok(())
    }

    /// Solves as [`Problem::solve`] without a look at the condition; dependent ties are set aside. The column that cannot be had, if any.
    pub(super) fn solve_unexamined(&mut self, posture: &Posture, rights: &[f64], values: &mut [f64]) -> Result<(), usize> {
        self.eliminate(posture, rights, values)?;
        self.write_back(values);
        Ok(())
    }

    fn eliminate(&mut self, posture: &Posture, rights: &[f64], values: &[f64]) -> Result<(), usize> {
        self.fill(posture, rights, values);
        self.elimination.as_mut().map_or(Err(0), |elimination| elimination.solve(&mut self.a, &mut self.x))
    }

    pub(super) fn check_lengths(&self, posture: &Posture, rights: &[f64], values: &[f64]) -> Result<(), ChoiceFault> {
        let layout = self.layout();
        let lists = [
            ("cosines", layout.segments, posture.cos.len()),
            ("sines", layout.segments, posture.sin.len()),
            ("rates", layout.segments, posture.rate.len()),
            ("right sides", self.rows.len(), rights.len()),
            ("values of variables", layout.all(), values.len()),
        ];
        match lists.into_iter().find(|(_, expected, found)| expected != found) {
            Some((what, expected, found)) => Err(ChoiceFault::WrongLength { what, expected, found }),
            None => Ok(()),
        }
    }

    /// Where the last solve set ties aside: the row that the values meet worst, if they do not meet it, and by how much they miss it.
    ///
    /// All rows are looked at: that a tie's force depends on others does not say that its row is the one left over.
    pub(super) fn unmet(&mut self, rights: &[f64], values: &[f64]) -> Option<(&str, f64)> {
        self.elimination.as_ref()?.set_aside().next()?;
        let layout = self.equations.layout;
        // Accelerations of mass centres for all values, known or found.
        self.equations.fill_right(values, |_, _| {});
        let turn = |segment: usize| values[layout.index(Variable::AngularAcceleration(segment))];
        // A row is judged by the largest accelerations of the chain: its own terms may be rounding errors of these.
        let largest =
            |list: &mut dyn Iterator<Item = f64>| list.fold(0.0_f64, |largest, x| if x.abs() > largest { x.abs() } else { largest });
        let linear = largest(&mut self.equations.center_acceleration.iter().chain(&self.equations.joint_acceleration).flatten().copied());
        let angular = largest(&mut (0..layout.segments).map(turn));
        let (mut worst, mut worst_part) = (None, UNMET);
        let mut judge = |name, miss: f64, size: f64| {
            if !(miss.abs() <= worst_part * size) {
                (worst, worst_part) = (Some((name, miss)), miss.abs() / size);
            }
        };
        for tie in &self.ties {
            let (mut sum, mut size) = (tie.rest, tie.rest.abs());
            for (seat, [fx, fy, m]) in tie.seats.iter().copied().zip(&tie.wrench) {
                let acceleration = self.equations.center_acceleration[seat];
                sum += fx * acceleration[0] + fy * acceleration[1] + m * turn(seat);
                size += (fx.abs() + fy.abs()) * linear + m.abs() * angular;
            }
            judge(tie.name.as_str(), sum, size);
        }
        for (row, right) in self.rows.iter().zip(rights) {
            let (mut sum, mut size) = (-right, right.abs());
            for (term, weight) in &row.terms {
                sum += weight * known_part(*term, &self.equations, values);
                size += weight.abs()
                    * match term {
                        Term::Joint(..) | Term::Center(..) => linear,
                        Term::Variable(Variable::AngularAcceleration(_)) => angular,
                        Term::Variable(variable) => values[layout.index(*variable)].abs(),
                    };
            }
            judge(row.name.as_str(), sum, size);
        }
        worst
    }

    /// Unknowns, multipliers and supports from the solution.
    pub(super) fn write_back(&mut self, values: &mut [f64]) {
        let (layout, count) = (self.layout(), self.unknowns.len());
        for (variable, x) in self.unknowns.iter().zip(&self.x) {
            values[layout.index(*variable)] = *x;
        }
        self.multipliers.copy_from_slice(&self.x[count..]);
        for (tie, multiplier) in self.ties.iter().zip(&self.multipliers) {
            for (seat, [fx, fy, m]) in tie.seats.iter().copied().zip(&tie.wrench) {
                values[layout.index(Variable::Support(seat, X))] += multiplier * fx;
                values[layout.index(Variable::Support(seat, Y))] += multiplier * fy;
                values[layout.index(Variable::SupportMoment(seat))] += multiplier * m;
            }
        }
    }

    /// How small the pivots of the last solve became, as part of their columns.
    pub(super) fn weakest_pivot(&self) -> f64 {
        self.elimination.as_ref().map_or(0.0, Elimination::weakest)
    }

    /// Largest |A′V − b′| of the equations of forces and of moments, each relative to its largest term, for values of all variables.
    pub fn residual(&mut self, posture: &Posture, values: &[f64]) -> f64 {
        self.equations.look(posture);
        let (forces, mut worst) = (2 * self.layout().segments, [0.0_f64; 2]);
        self.equations.fill_right(values, |row, left_over| {
            let kind = usize::from(row >= forces);
            // A maximum would swallow a NaN.
            if !(left_over.abs() <= worst[kind]) && !worst[kind].is_nan() {
                worst[kind] = left_over.abs();
            }
        });
        let largest = self.equations.largest_terms(values);
        let part = |kind: usize| if worst[kind] == 0.0 { 0.0 } else { worst[kind] / largest[kind] };
        if part(0) > part(1) || part(0).is_nan() { part(0) } else { part(1) }
    }

    pub(super) fn column_name(&self, column: usize) -> String {
        match self.unknowns.get(column) {
            Some(variable) => self.labels.name(*variable),
            None => format!("force of {}", self.ties[column - self.unknowns.len()].name),
        }
    }

    pub(super) fn row_name(&self, row: usize) -> String {
        let (equations, rows) = (self.layout().equations(), self.rows.len());
        if row < equations {
            self.labels.equation(row)
        } else if row < equations + rows {
            self.rows[row - equations].name.clone()
        } else {
            self.ties[row - equations - rows].name.clone()
        }
    }
}

/// Variables that a term depends on.
fn places(term: Term) -> Vec<Variable> {
    let accelerations =
        |count: usize| (0..count).map(Variable::AngularAcceleration).chain([X, Y].map(Variable::BaseAcceleration)).collect();
    match term {
        Term::Variable(variable) => vec![variable],
        Term::Joint(joint, _) => accelerations(joint),
        Term::Center(segment, _) => accelerations(segment + 1),
    }
}

/// Coefficients of variables in a term, at the posture of the equations.
#[inline(always)]
fn for_each_entry(term: Term, equations: &Equations, mut put: impl FnMut(Variable, f64)) {
    let lever = |arm: [f64; 2], direction: Direction| if direction == X { -arm[1] } else { arm[0] };
    let (joint, direction) = match term {
        Term::Variable(variable) => return put(variable, 1.0),
        Term::Joint(joint, direction) => (joint, direction),
        Term::Center(segment, direction) => {
            put(Variable::AngularAcceleration(segment), lever(equations.to_center[segment], direction));
            (segment, direction)
        }
    };
    for k in 0..joint {
        put(Variable::AngularAcceleration(k), lever(equations.to_next[k], direction));
    }
    put(Variable::BaseAcceleration(direction), 1.0);
}

/// What known variables and velocities give a term.
#[inline(always)]
fn known_part(term: Term, equations: &Equations, given: &[f64]) -> f64 {
    match term {
        Term::Variable(variable) => given[equations.layout.index(variable)],
        Term::Joint(joint, direction) => equations.joint_acceleration[joint][direction as usize],
        Term::Center(segment, direction) => equations.center_acceleration[segment][direction as usize],
    }
}
