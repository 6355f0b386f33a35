//! One step of an implicit scheme for equations of second order with constraints at the level of positions: Newton's iteration, cuts.
//! Not here: weights (`scheme`), the loop over steps (`drive`), the equations (`residual`) and their linear solve, which they own.
//! In: a `Residual`, `Settings::step`. Out: q, v, accelerations and multipliers at the end of each step; dense output is the cubic through both ends.
//!
//! With the step s in tangent directions, q₁ = q₀ ∘ exp(s), and all of s, v₁, v̇₁ linear in one unknown w, the equation gives corrections Δw and
//! Δλ of
//!
//!     R = 0    Φ = 0        s += c Δw    v += b Δw    v̇ += a Δw    λ += Δλ                                    (1)
//!
//! | unknown w | a | b | c |
//! | --- | --- | --- | --- |
//! | displacement | κ/(β h²) | γ/(β h) | 1 |
//! | velocity | κ/(γ h) | 1 | β h/γ |
//! | acceleration | κ | γ h | β h² |
//!
//! States of first order are velocities without a way: they have rows of their own among those of R, and no columns by s.
//! κ = (1 − α_m)/(1 − α_f). The iteration begins with v̇₁ = 0, unless the equation knows better (`Residual::predict`), and the last λ.
//! Source: the table is the predictor and corrector of Newmark's family in Hughes 2000, The Finite Element Method, section 9.2.
//!
//! A step of the grid that the equation finds too long, or that fails in a way which the equation says a shorter one could mend, is made in
//! halves, quarters and so on down to 2^−`MOST_CUTS` of it; after two parts of a length the next is twice as long, so that the grid is met
//! exactly. Each step of the grid is tried whole first: what came before it leaves no trace, and a run taken up again on the grid has the same
//! bits. An equation that knows better says so by `longest_step`.
//!
//! The averaged acceleration a₀ of generalised-α lies `lead` steps after v̇₀. Where a cut changes the length of steps it is at the wrong time by
//! a part of a step, which would leave an error of order h in a₀ at each change: order 1 where lengths change all the time. Moving a₀ along the
//! line through v̇₀ and a₀ would keep the order, but blows up what multipliers ring with by the ratio of lengths, faster than the scheme damps
//! it. So the scheme starts afresh there, with accelerations of the equations: coordinates and velocities keep order 2 however often lengths
//! change; multipliers are of order 1 right after a change, as after every start, and come back to order 2 as fast as the scheme damps (ρ∞ per
//! step). Newmark's family and ρ∞ = 1 have no lead and go on with what they have. A last step before the end or a breakpoint that is shorter
//! only because the grid does not fit is one change, of which the order takes no notice: it is left as it is.

use super::drive::{End, Stepper, count_attempt, finite, run};
use super::failure::{Failure, Trouble};
use super::fixed::{cubic, fixed_end};
use super::observe::{Found, Interpolant, Observer, Step};
use super::ode::{Settings, Statistics};
use super::quadrature::{Quadrature, StepEnd};
use super::residual::{Motion, Residual, Trial, Weights};
use super::scheme::Scheme;
use super::subdivision::Subdivision;

/// Which unknown Newton's iteration corrects. The results differ by rounding and by what the iteration leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Coordinates.
    Displacement,
    /// Velocities.
    Velocity,
    /// Accelerations.
    Acceleration,
}

/// Accelerations at the start of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartAcceleration {
    /// Those of the equations of motion and the second derivatives of the rows.
    Consistent,
    /// Zero, with multipliers of zero; after a breakpoint they are consistent all the same.
    Zero,
}

/// What a user may choose beside the scheme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newton {
    /// Which unknown is corrected.
    pub form: Form,
    /// Accelerations at the start.
    pub start: StartAcceleration,
    /// The iteration ends when a correction of coordinates is below this part of the displacement in the step.
    pub tolerance: f64,
    /// Most iterations per step.
    pub max_iterations: usize,
}

impl Default for Newton {
    fn default() -> Self {
        Newton { form: Form::Displacement, start: StartAcceleration::Consistent, tolerance: 1e-9, max_iterations: 25 }
    }
}

/// Corrections below this part of the coordinates (at least 1) are rounding.
const FLOOR: f64 = 1e-13;
/// The rate of accelerations at a start is a difference over this part of a step; its error enters at the order of the scheme's own.
const GLANCE: f64 = 1.0 / 64.0;
/// Lengths of steps that differ by less than this part are the same but for rounding.
const SAME_LENGTH: f64 = 1e-9;

/// What a scheme carries from step to step beside the state: enough to go on from the end of a step with the same bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// Accelerations and rates of states.
    pub rates: Vec<f64>,
    /// The same averaged, as generalised-α has them.
    pub average: Vec<f64>,
    /// Multipliers.
    pub multipliers: Vec<f64>,
}

/// A scheme with its memory.
pub struct Implicit {
    scheme: Scheme,
    newton: Newton,
    coords: usize,
    t_start: f64,
    steps: u64,
    /// The step of the grid that is being made.
    parts: Subdivision,
    t0: f64,
    t1: f64,
    /// q and v at both ends, and their rates.
    y: [Vec<f64>; 2],
    rate: [Vec<f64>; 2],
    /// Multipliers at both ends.
    lambda: [Vec<f64>; 2],
    /// Averaged acceleration of the last step, and averaged rates of states.
    average: Vec<f64>,
    /// Halvings of the steps that the average belongs to.
    average_halvings: u32,
    step: Vec<f64>,
    correction: Vec<f64>,
    multipliers: Vec<f64>,
    /// Integrals behind the states, which the scheme carries along.
    quadrature: Quadrature,
    /// What the next integration goes on with.
    resumed: Option<Carried>,
}

fn weights(scheme: &Scheme, form: Form, h: f64) -> Weights {
    let kappa = (1.0 - scheme.alpha_m) / (1.0 - scheme.alpha_f);
    let Scheme { beta, gamma, .. } = *scheme;
    let [a, b, c] = match form {
        Form::Displacement => [kappa / (beta * h * h), gamma / (beta * h), 1.0],
        Form::Velocity => [kappa / (gamma * h), 1.0, beta * h / gamma],
        Form::Acceleration => [kappa, gamma * h, beta * h * h],
    };
    Weights { a, b, c }
}

fn largest(list: &[f64]) -> f64 {
    list.iter().fold(0.0, |most, x| x.abs().max(most))
}

impl Implicit {
    /// Memory for an equation.
    pub fn new(scheme: Scheme, newton: Newton, equation: &dyn Residual) -> Self {
        let (coords, dofs, states, rows) = (equation.coords(), equation.dofs(), equation.states(), equation.rows());
        let all = dofs + states;
        let list = |n: usize| vec![0.0; n];
        let quadrature = Quadrature::new(equation);
        let whole = coords + all + quadrature.len();
        Implicit {
            scheme,
            newton,
            coords,
            t_start: 0.0,
            steps: 0,
            parts: Subdivision::done(),
            t0: 0.0,
            t1: 0.0,
            y: [list(whole), list(whole)],
            rate: [list(whole), list(whole)],
            lambda: [list(rows), list(rows)],
            average: list(all),
            average_halvings: 0,
            step: list(dofs),
            correction: list(all),
            multipliers: list(rows),
            quadrature,
            resumed: None,
        }
    }

    /// What the next integration starts from. A caller that goes on after an event asks for consistent accelerations: a run has one start.
    pub fn start_from(&mut self, start: StartAcceleration) {
        self.newton.start = start;
    }

    /// What the scheme has at the end of its last step; none where it would start afresh for the next one, since the last was cut.
    pub fn carried(&self) -> Option<Carried> {
        let rates = || self.rate[1][self.moving()].to_vec();
        let carried = || Carried { rates: rates(), average: self.average.clone(), multipliers: self.lambda[1].clone() };
        (!self.is_average_of_other_steps(0)).then(carried)
    }

    /// Entries of a state that are velocities and states, and of its rates what belongs to them.
    fn moving(&self) -> std::ops::Range<usize> {
        self.coords..self.coords + self.average.len()
    }

    /// Whether the average belongs to steps of another length than those of so many halvings.
    fn is_average_of_other_steps(&self, halvings: u32) -> bool {
        self.scheme.lead() != 0.0 && self.average_halvings != halvings
    }

    /// Goes on from the end of a step: the next integration begins with what the scheme had there. False where that is of another equation.
    pub fn resume(&mut self, carried: &Carried) -> bool {
        let fits = carried.rates.len() == self.average.len()
            && carried.average.len() == self.average.len()
            && carried.multipliers.len() == self.lambda[1].len();
        self.resumed = fits.then(|| carried.clone());
        fits
    }

    /// Accelerations, multipliers and rates at a start, for steps of length `h`; the second halves hold it, the first are scratch.
    fn begin(&mut self, equation: &mut dyn Residual, t: f64, h: f64, zero: bool, statistics: &mut Statistics) -> Result<(), Trouble> {
        let (c, lead, moving) = (self.coords, self.scheme.lead(), self.moving());
        let ([ahead, y], [bent, rate], [scratch, lambda]) = (&mut self.y, &mut self.rate, &mut self.lambda);
        let (q, v) = (&y[..c], &y[moving.clone()]);
        let (qdot, rest) = rate.split_at_mut(c);
        let (a, of_integrals) = rest.split_at_mut(moving.len());
        equation.rate(q, &v[..self.step.len()], qdot);
        statistics.evaluations += 1;
        equation.accelerations(t, q, v, a, lambda).map_err(Trouble::Refused)?;
        self.average.copy_from_slice(a);
        if let Some(carried) = self.resumed.take() {
            a.copy_from_slice(&carried.rates);
            lambda.copy_from_slice(&carried.multipliers);
            self.average.copy_from_slice(&carried.average);
        } else if zero {
            a.fill(0.0);
            lambda.fill(0.0);
            self.average.fill(0.0);
        } else if lead != 0.0 {
            // a₀ = v̇(t + lead h) by a look a little ahead, so that multipliers are of order 2 from the first step on.
            let short = GLANCE * h;
            let (moved, faster) = ahead[..moving.end].split_at_mut(c);
            moved.copy_from_slice(q);
            for i in 0..v.len() {
                faster[i] = v[i] + short * a[i];
            }
            for (i, step) in self.step.iter_mut().enumerate() {
                *step = short * (v[i] + 0.5 * short * a[i]);
            }
            equation.retract(moved, &self.step);
            statistics.evaluations += 2;
            equation.accelerations(t + short, moved, faster, &mut bent[moving], scratch).map_err(Trouble::Refused)?;
            // Again, so that the choice of rows is that of the start.
            equation.accelerations(t, q, v, a, lambda).map_err(Trouble::Refused)?;
            for i in 0..v.len() {
                self.average[i] = a[i] + lead * h * (bent[c + i] - a[i]) / short;
            }
        }
        equation.fill_rates(t, Motion { q, v, a }, lambda, of_integrals).map_err(Trouble::Refused)?;
        finite(&self.average).map_err(|trouble| in_state(trouble, c))
    }

    /// Newton's iteration for the end `t1` of a step of length `h`, from the first halves to the second. Entries of trouble are those of the state.
    fn solve(&mut self, equation: &mut dyn Residual, t1: f64, h: f64, statistics: &mut Statistics) -> Result<(), Trouble> {
        let (coords, n, all) = (self.coords, self.step.len(), self.average.len());
        let weights = weights(&self.scheme, self.newton.form, h);
        let Weights { b, c, .. } = weights;
        self.predict(h);
        let rounding = FLOOR * largest(&self.y[0][..coords]).max(1.0);
        let of_states = coords + n..coords + all;
        let states_rounding = FLOOR * largest(&self.y[0][of_states.clone()]).max(1.0);
        let (mut entry, mut row) = (coords, None);
        self.place(equation);
        let [before, after] = [0, 1].map(|k| {
            let (q, v) = self.y[k][..coords + all].split_at(coords);
            Motion { q, v, a: &self.rate[k][coords..coords + all] }
        });
        let trial = Trial { t: t1, at: after, lambda: &self.lambda[1], step: &self.step, weights, iteration: 0 };
        if equation.predict(before, &trial, &mut self.correction) {
            finite(&self.correction).map_err(|trouble| in_state(trouble, coords))?;
            self.advance(weights);
        }
        for iteration in 0..self.newton.max_iterations {
            statistics.iterations += 1;
            self.place(equation);
            let (q, v) = self.y[1][..coords + all].split_at(coords);
            let at = Motion { q, v, a: &self.rate[1][coords..coords + all] };
            let trial = Trial { t: t1, at, lambda: &self.lambda[1], step: &self.step, weights, iteration };
            statistics.evaluations += 1;
            let report = equation.linearise(&trial).map_err(|trouble| in_state(trouble, coords))?;
            statistics.jacobians += usize::from(report.renewed);
            statistics.factorisations += usize::from(report.renewed);
            row = report.row;
            let (correction, multipliers) = (&mut self.correction[..], &mut self.multipliers[..]);
            let may_end = equation.solve(correction, multipliers).map_err(|trouble| in_state(trouble, coords))?;
            finite(correction).map_err(|trouble| in_state(trouble, coords))?;
            if let Some(row) = multipliers.iter().position(|x| !x.is_finite()) {
                return Err(Trouble::RowNotFinite { row });
            }
            for (l, x) in self.lambda[1].iter_mut().zip(multipliers) {
                *l += *x;
            }
            self.advance(weights);
            let correction = &self.correction;
            let (change, states_change) = (c * largest(&correction[..n]), b * largest(&correction[n..]));
            let moved = of_states.clone().fold(0.0_f64, |most, k| most.max((self.y[1][k] - self.y[0][k]).abs()));
            if may_end
                && change <= self.newton.tolerance * largest(&self.step) + rounding
                && states_change <= self.newton.tolerance * moved + states_rounding
            {
                self.place(equation);
                self.integrate(equation, t1, h)?;
                finite(&self.y[1])?;
                return if equation.admits(t1, &self.y[1]) { Ok(()) } else { Err(Trouble::TooLong { step: h }) };
            }
            entry = coords + (0..all).max_by(|i, j| correction[*i].abs().total_cmp(&correction[*j].abs())).unwrap_or(0);
        }
        Err(Trouble::NotConverged { iterations: self.newton.max_iterations, entry, row })
    }

    /// Moves the end of the step by the correction.
    fn advance(&mut self, Weights { a, b, c }: Weights) {
        for (i, w) in self.correction.iter().enumerate() {
            self.y[1][self.coords + i] += b * w;
            self.rate[1][self.coords + i] += a * w;
        }
        for (step, w) in self.step.iter_mut().zip(&self.correction) {
            *step += c * w;
        }
    }

    /// The step and the velocities that belong to v̇₁ = 0; multipliers are the last ones.
    fn predict(&mut self, h: f64) {
        let [before, after] = &mut self.lambda;
        after.copy_from_slice(before);
        let Scheme { alpha_m, alpha_f, beta, gamma } = self.scheme;
        for i in 0..self.average.len() {
            let k = self.coords + i;
            let (v, old, average) = (self.y[0][k], self.rate[0][k], self.average[i]);
            let new = (alpha_f * old - alpha_m * average) / (1.0 - alpha_m);
            if let Some(step) = self.step.get_mut(i) {
                *step = h * (v + h * ((0.5 - beta) * average + beta * new));
            }
            self.y[1][k] = v + h * ((1.0 - gamma) * average + gamma * new);
            self.rate[1][k] = 0.0;
        }
    }

    /// Coordinates at the end of the step.
    fn place(&mut self, equation: &dyn Residual) {
        let [before, after] = &mut self.y;
        let q = &mut after[..self.coords];
        q.copy_from_slice(&before[..self.coords]);
        equation.retract(q, &self.step);
    }

    /// Integrals at the end of a step that is solved, and their rates.
    fn integrate(&mut self, equation: &mut dyn Residual, t1: f64, h: f64) -> Result<(), Trouble> {
        let (c, moving) = (self.coords, self.moving());
        let ([y0, y1], [rate0, rate1], [l0, l1]) = (&mut self.y, &mut self.rate, &self.lambda);
        let (found, w) = y1.split_at_mut(moving.end);
        let (rates, of_integrals) = rate1.split_at_mut(moving.end);
        let at = Motion { q: &found[..c], v: &found[moving.clone()], a: &rates[moving.clone()] };
        equation.fill_rates(t1, at, l1, of_integrals).map_err(Trouble::Refused)?;
        w.copy_from_slice(&y0[moving.end..]);
        let before = StepEnd { v: &y0[moving.clone()], a: &rate0[moving.clone()], lambda: l0, rates: &rate0[moving.end..] };
        let after = StepEnd { v: at.v, a: at.a, lambda: l1, rates: of_integrals };
        let along = (&y0[..c], &self.step[..]);
        self.quadrature.advance(equation, (t1 - 0.5 * h, h), along, [before, after], w).map_err(Trouble::Refused)
    }

    /// Averaged acceleration and rates of a step that is accepted.
    fn settle(&mut self, equation: &dyn Residual) {
        let Scheme { alpha_m, alpha_f, .. } = self.scheme;
        for (i, average) in self.average.iter_mut().enumerate() {
            let (old, new) = (self.rate[0][self.coords + i], self.rate[1][self.coords + i]);
            *average = ((1.0 - alpha_f) * new + alpha_f * old - alpha_m * *average) / (1.0 - alpha_m);
        }
        let (q, v) = self.y[1].split_at(self.coords);
        equation.rate(q, &v[..self.step.len()], &mut self.rate[1][..self.coords]);
    }
}

/// An entry among the velocities as one of the state.
fn in_state(trouble: Trouble, coords: usize) -> Trouble {
    match trouble {
        Trouble::NotFinite { entry } => Trouble::NotFinite { entry: coords + entry },
        Trouble::Singular { entry } => Trouble::Singular { entry: coords + entry },
        Trouble::NotConverged { iterations, entry, row } => Trouble::NotConverged { iterations, entry: coords + entry, row },
        other => other,
    }
}

impl Interpolant for Implicit {
    fn eval(&self, t: f64, y: &mut [f64]) {
        if t >= self.t1 {
            return y.copy_from_slice(&self.y[1]);
        }
        cubic((self.t0, self.t1), t, [&self.y[0], &self.y[1]], [&self.rate[0], &self.rate[1]], y);
    }
}

/// A scheme at work on an equation.
struct Run<'a> {
    method: &'a mut Implicit,
    equation: &'a mut dyn Residual,
    settings: &'a Settings,
    statistics: &'a mut Statistics,
    length: f64,
    piece: (f64, f64),
    attempts: usize,
    starts: usize,
}

impl Run<'_> {
    /// Starts from a state at `t` with steps of so many halvings.
    fn set_out(&mut self, t: f64, limit: f64, halvings: u32, zero: bool, y: &[f64]) -> Result<(), Failure> {
        let method = &mut *self.method;
        method.y[1].copy_from_slice(y);
        method.average_halvings = halvings;
        let h = (self.length / f64::from(1_u32 << halvings)).min(limit - t);
        let inside = t.clamp(self.piece.0, self.piece.1);
        method.begin(self.equation, inside, h, zero, self.statistics).map_err(|trouble| Failure::of(trouble, t))
    }

    /// Makes the step that is being made half as long; or says why that is not enough.
    fn cut(&mut self, t: f64, trouble: Trouble) -> Result<(), Failure> {
        let step = self.method.parts.end() - t;
        if self.method.parts.cut() {
            self.statistics.cuts += 1;
            return Ok(());
        }
        Err(Failure::CutInVain { step, cause: Box::new(Failure::of(trouble, t)) })
    }
}

impl Stepper for Run<'_> {
    fn next_breakpoint(&self, t: f64) -> Option<f64> {
        self.equation.next_breakpoint(t)
    }

    fn start(&mut self, piece: (f64, f64), t: f64, limit: f64, y: &[f64]) -> Result<(), Failure> {
        self.statistics.starts += 1;
        self.piece = piece;
        let method = &mut *self.method;
        (method.t_start, method.steps, method.t1, method.parts) = (t, 0, t, Subdivision::done());
        let zero = self.starts == 0 && method.newton.start == StartAcceleration::Zero;
        self.starts += 1;
        self.set_out(t, limit, 0, zero, y)
    }

    fn advance(&mut self, limit: f64, y: &mut [f64]) -> Result<f64, Failure> {
        let t = self.method.t1;
        let longest = self.equation.longest_step(t, y);
        let method = &mut *self.method;
        if method.parts.is_done() {
            method.steps += 1;
            method.parts = Subdivision::new(t, fixed_end(method.t_start, method.steps, self.length, limit));
        }
        loop {
            let step = self.method.parts.end() - t;
            if step <= longest * (1.0 + SAME_LENGTH) {
                break;
            }
            self.cut(t, Trouble::TooLong { step })?;
        }
        // What is known at the start of the step stands in the second halves until it is made.
        let mut departed = false;
        loop {
            count_attempt(&mut self.attempts, self.settings, t)?;
            let halvings = self.method.parts.halvings();
            if self.method.is_average_of_other_steps(halvings) {
                self.set_out(t, limit, halvings, false, y)?;
                departed = false;
            }
            let method = &mut *self.method;
            if !departed {
                method.t0 = t;
                method.y[0].copy_from_slice(y);
                method.rate.swap(0, 1);
                method.lambda.swap(0, 1);
                departed = true;
            }
            let end = method.parts.end();
            let h = end - t;
            if !(h > 0.0) {
                return Err(Failure::StepTooSmall { t, step: self.length, entry: 0 });
            }
            let Err(trouble) = method.solve(self.equation, end.clamp(self.piece.0, self.piece.1), h, self.statistics) else {
                method.settle(self.equation);
                method.parts.pass();
                method.t1 = end;
                self.statistics.note_step(h, method.scheme.order());
                y.copy_from_slice(&method.y[1]);
                return Ok(end);
            };
            if !matches!(trouble, Trouble::TooLong { .. }) && !self.equation.shorter_step_may_help(&trouble) {
                return Err(Failure::of(trouble, t));
            }
            self.statistics.rejected += 1;
            self.cut(t, trouble)?;
        }
    }

    fn correct(&mut self, _t: f64, y: &mut [f64]) {
        let (q, v) = y.split_at_mut(self.method.coords);
        self.equation.correct(q, v);
    }

    fn commit(&mut self, t: f64, y: &[f64]) {
        self.equation.commit(t, y);
    }

    fn step<'s>(&'s self, t0: f64, t1: f64, y: &'s [f64]) -> Step<'s> {
        let method = &*self.method;
        let [before, after] = &method.rate;
        let found = Found {
            t: (method.t0, method.t1),
            a: [&before[method.moving()], &after[method.moving()]],
            lambda: [&method.lambda[0], &method.lambda[1]],
        };
        Step { t0, t1, y, interpolant: method, statistics: self.statistics, found: Some(found), strain: None }
    }
}

/// Integrates from `t0` to `t1` with steps of `Settings::step`; the state `y` is q, then v, then states, then integrals, and becomes the one reached, also on failure.
///
/// As `integrate`: steps end exactly at breakpoints and at `t1`, times are counted from the start of the piece, nothing is allocated, the same input gives the same bits.
/// Steps are shorter only where the equation asks for that or allows it, at least 2^−`MOST_CUTS` of `Settings::step`; `Statistics::cuts` counts
/// how often.
/// The start has to satisfy the rows (`assemble`). Observers also see the scheme's own accelerations and multipliers in `Step::found`.
pub fn integrate_implicit(
    method: &mut Implicit,
    equation: &mut dyn Residual,
    interval: (f64, f64),
    y: &mut [f64],
    settings: &Settings,
    statistics: &mut Statistics,
    observer: &mut dyn Observer,
) -> Result<End, Failure> {
    let length = settings.step.ok_or(Failure::BadSetting { name: "step", value: f64::NAN })?;
    let expected = equation.coords() + equation.dofs() + equation.states() + equation.integrals();
    for (expected, found) in [(method.y[0].len(), expected), (method.lambda[0].len(), equation.rows())] {
        if expected != found {
            return Err(Failure::WrongLength { expected, found });
        }
    }
    let Newton { tolerance, max_iterations, .. } = method.newton;
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(Failure::BadSetting { name: "newton_tolerance", value: tolerance });
    }
    if max_iterations == 0 {
        return Err(Failure::BadSetting { name: "max_iterations", value: 0.0 });
    }
    let mut work = Run { method, equation, settings, statistics, length, piece: interval, attempts: 0, starts: 0 };
    run(&mut work, expected, interval, y, settings, observer)
}
