//! A system in motion: coordinates, velocities, states of elements and audit integrals as the state of an `Ode`, with control of drift.
//! Not here: integrators (`integrate`), which see no body; events; recording.
//! In: a `System` and `Options`. Out: rates y' = (N(q) v, v̇, ż, powers), their exact Jacobian, corrected states after each step, breakpoints of functions of time,
//! drift of loops and guides.
//!
//! State y = (q, v, z, w) (`Layout`): coordinates, velocities, states of elements and, where `audit` is on, the work since the start of force elements, of the given efforts and
//! of rows, so that
//!
//!     T + V_gravity = that at the start + Σ w                                                     (1)
//!
//! and further the work that each pair of surfaces has lost since then, so that what a contact did equals what it stored less what it lost, and of muscles what their active
//! forces did and what damping took, so that what they did to bodies is the sum of both less what they store. All that holds up to the errors of integration and of drift control. The integrals are under error control like the motion.
//!
//! A quaternion p enters the rates only through its direction, so with δθ = 2 vec(p̄ δp)/|p|² the slopes by p are those by the three turns of the tangent,
//! and the direction of p itself has none.

mod breakpoints;
mod elimination;
mod layout;
mod slopes;
#[cfg(test)]
mod tests;
mod warm_check;

use crate::constraint::RowControl;
use crate::contact::PairMemory;
use crate::formulation::articulated::Articulated;
use crate::formulation::{Declined, Evaluation, FORMULATIONS, Failure, Formulation, Input, decline_soft};
use crate::integrate::{Ode, Trouble, finite};
use crate::memory::Memory;
use crate::power::PowerMeter;
use crate::retract::{normalise, rate};
use crate::scene::Inside;
use crate::system::{Extent, System};
use elimination::Elimination;
use slopes::{Slopes, Target};

pub(crate) use breakpoints::Breakpoints;
pub use layout::Layout;
pub use warm_check::WarmCheck;

/// Audit integrals in the state that every system has: work of force elements and contacts, of the given efforts, of rows. Work lost in each pair of surfaces
/// follows, and where there are muscles that of their active forces and of the damping of their fibres. Where there are conditional points of paths the
/// energy that their switches brought is the last: it has no rate, whoever finds a switch adds to it.
pub const AUDITED: usize = 3;

/// Number of audit integrals of a system.
pub fn audited(system: &System) -> usize {
    audited_of(&system.skeleton.extent)
}

/// Number of audit integrals of a system of this extent.
pub(crate) fn audited_of(extent: &Extent) -> usize {
    AUDITED + extent.pairs + if extent.muscles > 0 { 2 } else { 0 } + usize::from(extent.switches > 0)
}

/// What keeps loops and guides from drifting apart.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum DriftControl {
    /// Nothing: rows are held at the level of accelerations only.
    #[default]
    None,
    /// Rows are asked for Φ̈ + 2α Φ̇ + β² Φ = 0, see [`RowControl`].
    Baumgarte {
        /// Half the damping, 1/s.
        alpha: f64,
        /// Frequency, 1/s.
        beta: f64,
    },
    /// After each step coordinates and velocities are corrected to Φ = 0 and Φ̇ = 0, by the shortest way in the metric of the mass matrix.
    Projection,
}

/// How a system is to be moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Name of the formulation that gives the accelerations. The Jacobian is that of `articulated` always: the equations are the same.
    pub formulation: &'static str,
    /// Generalised forces beside the model's own that do not change; empty: none.
    pub tau: Vec<f64>,
    /// Control of drift.
    pub drift: DriftControl,
    /// Which rows are held and where, and how pairs of surfaces touch.
    pub memory: Memory,
    /// Controls of elements, in the order of the names of the system; empty: as the functions of the model say.
    pub controls: Vec<f64>,
    /// Whether the state carries the audit integrals.
    pub audit: bool,
    /// Whether steps end where functions of time change their polynomial.
    pub stop_at_breakpoints: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            formulation: "articulated",
            tau: Vec::new(),
            drift: DriftControl::None,
            memory: Memory::default(),
            controls: Vec::new(),
            audit: false,
            stop_at_breakpoints: true,
        }
    }
}

/// Largest residuals of the rows that are not released.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    /// |Φ|, m or rad.
    pub position: f64,
    /// |Φ̇|, m/s or rad/s.
    pub velocity: f64,
}

/// Audit integrals of a state, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Of force elements and contacts, springs included.
    pub elements: f64,
    /// Of the given generalised forces, and of those that a formulation of one's own finds.
    pub efforts: f64,
    /// Of guides, and of loops as far as they drift.
    pub rows: f64,
}

impl Work {
    /// All work: what kinetic energy and that of gravity have gained.
    pub fn total(&self) -> f64 {
        self.elements + self.efforts + self.rows
    }
}

/// A formulation other than the recursive one.
struct Other {
    formulation: Box<dyn Formulation>,
    out: Evaluation,
    meter: PowerMeter<f64>,
}

/// Memory of one compiled model and its copies as equations of first order; [`Movement::of`] puts it together with one of them.
pub struct Movement {
    articulated: Articulated,
    other: Option<Other>,
    layout: Layout,
    tau: Vec<f64>,
    controls: Vec<f64>,
    drift: DriftControl,
    /// How many controls, rows and pairs of surfaces there are.
    extent: Extent,
    control: RowControl,
    slopes: Slopes,
    /// For methods that solve with slopes; takes its memory when one asks.
    elimination: Elimination,
    breakpoints: Option<Breakpoints>,
    warm: Option<Box<WarmCheck>>,
}

/// Memory put together with the system that it is used for: what an integrator sees. Systems that differ in numbers only may take turns.
pub struct Of<'a, M> {
    pub(crate) system: &'a System,
    pub(crate) memory: &'a mut M,
}

/// A state as formulations see it.
fn input<'a>(layout: &Layout, controls: &'a [f64], tau: &'a [f64], t: f64, y: &'a [f64]) -> Input<'a> {
    Input { t, q: layout.q(y), v: layout.v(y), inside: Inside { z: layout.z(y), u: controls }, tau }
}

fn declined(reason: String) -> Declined {
    Declined { reason }
}

/// Generalised forces as they are given, none as zeros; or why they do not fit.
pub(crate) fn given_efforts(system: &System, tau: Vec<f64>) -> Result<Vec<f64>, Declined> {
    let dofs = system.skeleton.dofs();
    match tau.len() {
        0 => Ok(vec![0.0; dofs]),
        given if given == dofs => Ok(tau),
        given => Err(declined(format!("{given} generalised forces are given, the system has {dofs} degrees of freedom"))),
    }
}

/// Writes rates of the audit integrals: powers of elements, efforts and rows (`Work`), then what each pair of surfaces loses, then those of muscles.
pub(crate) fn fill_powers(out: &mut [f64], powers: [f64; AUDITED], pairs: &PairMemory<f64>, muscles: [f64; 2]) {
    let (first, rest) = out.split_at_mut(AUDITED);
    first.copy_from_slice(&powers);
    let (lost, own) = rest.split_at_mut(pairs.touching.len());
    lost.fill(0.0);
    pairs.near().iter().for_each(|pair| lost[*pair as usize] = pairs.touching[*pair as usize].dissipation);
    // Energy of switches comes at once, without a power; without muscles theirs is zero.
    own.fill(0.0);
    own.iter_mut().zip(muscles).for_each(|(own, power)| *own = power);
}

/// Whether controls are those of all elements, or none.
pub(crate) fn check_controls(controls: &[f64], extent: Extent) -> Result<(), Declined> {
    let (given, known) = (controls.len(), extent.controls);
    if given == 0 || given == known { Ok(()) } else { Err(declined(format!("{given} controls are given, the system has {known}"))) }
}

impl Movement {
    /// The movement of a system, or why it cannot be had with these options.
    pub fn new(system: &System, options: Options) -> Result<Self, Declined> {
        let name = options.formulation;
        let entry = FORMULATIONS.iter().find(|entry| entry.name == name).ok_or_else(|| {
            let known: Vec<&str> = FORMULATIONS.iter().map(|entry| entry.name).collect();
            declined(format!("there is no formulation `{name}`, only {}", known.join(", ")))
        })?;
        let formulation = if name == "articulated" { None } else { Some((entry.build)(system)?) };
        Movement::by(system, options, formulation)
    }

    /// The same with accelerations of a formulation of one's own, which may find other motions than the forces of the model make: methods that ask
    /// for the Jacobian must not be used with it.
    pub fn with_formulation(system: &System, options: Options, formulation: Box<dyn Formulation>) -> Result<Self, Declined> {
        Movement::by(system, options, Some(formulation))
    }

    fn by(system: &System, options: Options, formulation: Option<Box<dyn Formulation>>) -> Result<Self, Declined> {
        decline_soft(system)?;
        let Options { tau, drift, memory, controls, audit, stop_at_breakpoints, .. } = options;
        let tau = given_efforts(system, tau)?;
        let (mut alpha, mut beta) = (0.0, 0.0);
        if let DriftControl::Baumgarte { alpha: a, beta: b } = drift {
            if !(a >= 0.0 && b >= 0.0 && a.is_finite() && b.is_finite()) {
                return Err(declined(format!("Baumgarte's constants must be finite and not negative, not {a} and {b}")));
            }
            (alpha, beta) = (a, b);
        }
        let other = formulation.map(|formulation| Other { formulation, out: Evaluation::new(system), meter: PowerMeter::new(system) });
        let mut movement = Movement {
            articulated: Articulated::new(system),
            other,
            layout: Layout::new(system, audit),
            tau,
            controls: Vec::new(),
            drift,
            extent: system.skeleton.extent,
            control: RowControl { alpha, beta, ..RowControl::default() },
            slopes: Slopes::new(system),
            elimination: Elimination::default(),
            breakpoints: stop_at_breakpoints.then(|| Breakpoints::new(system)),
            warm: WarmCheck::new(system).map(Box::new),
        };
        movement.recall(&memory)?;
        movement.replace_controls(&controls)?;
        Ok(movement)
    }

    /// Sets what is remembered from now on. A step before and a step after must not share a start of the integrator.
    pub fn recall(&mut self, memory: &Memory) -> Result<(), Declined> {
        if let Some(reason) = memory.fault(&self.extent) {
            return Err(declined(reason));
        }
        self.control.memory.copy_from(memory);
        self.articulated.set_row_control(&self.control);
        if let Some(other) = &mut self.other {
            other.formulation.set_row_control(&self.control);
            other.meter.set_control(&self.control);
        }
        Ok(())
    }

    /// The equation of a system.
    pub fn of<'a>(&'a mut self, system: &'a System) -> Of<'a, Movement> {
        Of { system, memory: self }
    }

    /// What rows are asked for.
    pub fn row_control(&self) -> &RowControl {
        &self.control
    }

    /// Replaces the controls of elements, in the order of the names of the system; empty: the functions of the model again. A step before and a step after
    /// must not share a start of the integrator.
    pub fn replace_controls(&mut self, controls: &[f64]) -> Result<(), Declined> {
        check_controls(controls, self.extent)?;
        self.controls.clear();
        self.controls.extend(controls);
        Ok(())
    }

    /// Where the parts of a state lie.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The state of coordinates and velocities, elements as the model starts, no work done yet.
    pub fn state(&self, system: &System, q: &[f64], v: &[f64]) -> Vec<f64> {
        let mut y = [q, v, &system.numbers.states].concat();
        y.resize(self.layout.dim(), 0.0);
        y
    }

    /// Coordinates and velocities of a state.
    pub fn split<'y>(&self, y: &'y [f64]) -> (&'y [f64], &'y [f64]) {
        (self.layout.q(y), self.layout.v(y))
    }

    /// Audit integrals of a state, where it carries them.
    pub fn work(&self, y: &[f64]) -> Option<Work> {
        self.layout.work(y).map(|w| Work { elements: w[0], efforts: w[1], rows: w[2] })
    }

    /// Work lost in each pair of surfaces since the start, J, where a state carries it.
    pub fn lost<'y>(&self, y: &'y [f64]) -> Option<&'y [f64]> {
        self.layout.work(y).map(|w| &w[AUDITED..AUDITED + self.extent.pairs])
    }

    /// Whether states carry audit integrals.
    pub fn is_audited(&self) -> bool {
        self.layout.work > 0
    }

    /// Derivatives of the accelerations and of the rates of elements' states by parameters (by slot), row by row; they stand behind the coordinates of a state.
    pub(crate) fn parameter_slopes(&mut self, system: &System, t: f64, y: &[f64], slots: &[usize], out: &mut [f64]) -> Result<(), Failure> {
        let input = input(&self.layout, &self.controls, &self.tau, t, y);
        self.articulated.parameter_slopes(system, input, slots, out)
    }

    /// Everything the formulation finds at a state of this movement, with its efforts, control of drift and released rows.
    pub fn evaluate(&mut self, system: &System, t: f64, y: &[f64], out: &mut Evaluation) -> Result<(), Failure> {
        let input = input(&self.layout, &self.controls, &self.tau, t, y);
        match &mut self.other {
            None => self.articulated.evaluate(system, input, out),
            Some(other) => other.formulation.evaluate(system, input, out),
        }
    }

    /// Largest residuals of the rows that are not released; not a number where a table is left.
    pub fn drift(&mut self, system: &System, t: f64, y: &[f64]) -> Drift {
        let (q, v) = self.split(y);
        let [position, velocity] = self.articulated.drift(system, t, q, v);
        Drift { position, velocity }
    }

    /// Φ and Φ̇ of all rows, released ones included; Φ counts from where a row is held.
    pub fn fill_drift(&mut self, system: &System, t: f64, y: &[f64], position: &mut [f64], velocity: &mut [f64]) {
        let (q, v) = self.split(y);
        self.articulated.fill_drift(system, t, q, v, position, velocity);
    }

    /// All rates but the accelerations: of coordinates, and where it is integrated the powers, those `found` of elements and rows among them.
    fn fill_others(&self, system: &System, q: &[f64], v: &[f64], found: [f64; 2], dy: &mut [f64]) {
        rate(&system.skeleton, q, v, &mut dy[..q.len()]);
        if self.is_audited() {
            let (pairs, muscles) = match &self.other {
                None => (self.articulated.pairs(), self.articulated.muscle_powers()),
                Some(other) => (other.meter.pairs(), other.meter.muscle_powers()),
            };
            let whole = self.other.as_ref().and_then(|other| other.formulation.whole_power(system));
            let given = || self.tau.iter().zip(v).map(|(tau, v)| tau * v).sum();
            let efforts = whole.map_or_else(given, |whole| whole - found[0] - found[1]);
            fill_powers(&mut dy[self.layout.work_range()], [found[0], efforts, found[1]], pairs, muscles);
        }
    }

    pub(crate) fn rates(&mut self, system: &System, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Failure> {
        let (layout, audit) = (self.layout, self.is_audited());
        let input = input(&layout, &self.controls, &self.tau, t, y);
        let (q, v) = (input.q, input.v);
        let vdot = &mut dy[layout.v_range()];
        let found = match &mut self.other {
            None => {
                self.articulated.accelerate(system, input, vdot)?;
                dy[layout.z_range()].copy_from_slice(self.articulated.rates_of_states());
                if audit { self.articulated.powers(v) } else { [0.0; 2] }
            }
            Some(Other { formulation, out, meter }) => {
                formulation.evaluate(system, input, out)?;
                vdot.copy_from_slice(&out.vdot);
                dy[layout.z_range()].copy_from_slice(&out.zdot);
                if audit { meter.powers(system, t, q, v, input.inside, &out.row_force) } else { [0.0; 2] }
            }
        };
        self.fill_others(system, q, v, found, dy);
        Ok(())
    }

    pub(crate) fn jacobian(&mut self, system: &System, t: f64, y: &[f64], jac: &mut [f64], dt: &mut [f64]) -> Result<(), Failure> {
        let target = Target { jac, width: self.layout.dim(), left_out: 0..0 };
        self.fill_slopes(system, t, y, target, dt)
    }

    fn fill_slopes(&mut self, system: &System, t: f64, y: &[f64], target: Target, dt: &mut [f64]) -> Result<(), Failure> {
        let input = input(&self.layout, &self.controls, &self.tau, t, y);
        self.slopes.fill(system, &mut self.articulated, &self.control, input, self.layout, target, dt)
    }

    fn linearise(&mut self, system: &System, t: f64, y: &[f64], dy: &mut [f64], target: Target, dt: &mut [f64]) -> Result<(), Failure> {
        if self.other.is_some() {
            self.rates(system, t, y, dy)?;
            return self.fill_slopes(system, t, y, target, dt);
        }
        self.fill_slopes(system, t, y, target, dt)?;
        let (q, v) = self.split(y);
        dy[self.layout.v_range()].copy_from_slice(self.articulated.linearised());
        dy[self.layout.z_range()].copy_from_slice(self.articulated.rates_of_states());
        let found = if self.is_audited() { self.articulated.powers(v) } else { [0.0; 2] };
        self.fill_others(system, q, v, found, dy);
        Ok(())
    }

    pub(crate) fn accepted(&mut self, system: &System, t: f64, y: &mut [f64]) -> bool {
        normalise(self.articulated.skeleton(), y);
        if let Some(warm) = &mut self.warm {
            let lines = self.other.as_ref().map_or_else(|| self.articulated.lines(), |other| other.meter.lines());
            warm.keep(system, t, self.layout.q(y), lines);
        }
        if self.drift != DriftControl::Projection {
            return false;
        }
        let (q, rest) = y.split_at_mut(self.layout.coords);
        self.articulated.project(system, t, q, &mut rest[..self.layout.dofs])
    }

    /// Searches for paths from two starts, compared at kept steps; nothing where no path is searched for.
    pub fn warm_check(&self) -> Option<&WarmCheck> {
        self.warm.as_deref()
    }

    /// The first time after `t` at which a function of time changes its polynomial; nothing where steps do not end there.
    pub fn breakpoint_after(&self, t: f64) -> Option<f64> {
        self.breakpoints.as_ref()?.after(t)
    }
}

impl Ode for Of<'_, Movement> {
    fn dim(&self) -> usize {
        self.memory.layout.dim()
    }

    fn driving(&self) -> usize {
        self.memory.layout.work_range().start
    }

    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Failure> {
        self.memory.rates(self.system, t, y, dy)
    }

    fn jacobian(&mut self, t: f64, y: &[f64], jac: &mut [f64], dt: &mut [f64]) -> Result<bool, Failure> {
        self.memory.jacobian(self.system, t, y, jac, dt).map(|()| true)
    }

    fn linearise(&mut self, t: f64, y: &[f64], dy: &mut [f64], jac: &mut [f64], dt: &mut [f64]) -> Result<bool, Failure> {
        let target = Target { jac, width: self.memory.layout.dim(), left_out: 0..0 };
        self.memory.linearise(self.system, t, y, dy, target, dt).map(|()| true)
    }

    fn prepare(&mut self, t: f64, y: &[f64], dy: &mut [f64], dt: &mut [f64]) -> Result<(), Trouble> {
        let mut elimination = std::mem::take(&mut self.memory.elimination);
        let layout = self.memory.layout;
        let pairs = self.memory.extent.pairs;
        let known = self.memory.linearise(self.system, t, y, dy, elimination.target(&layout, pairs, y), dt);
        let checked = elimination.check(&layout, pairs, self.memory.articulated.lost_slopes());
        self.memory.elimination = elimination;
        known?;
        finite(dy)?;
        checked
    }

    fn factor(&mut self, shift: f64) -> Result<(), Trouble> {
        let Movement { elimination, layout, .. } = &mut *self.memory;
        elimination.factor(&self.system.skeleton, layout, shift)
    }

    fn solve(&mut self, x: &mut [f64]) {
        let Movement { elimination, layout, extent, articulated, .. } = &mut *self.memory;
        elimination.solve(&self.system.skeleton, layout, extent.pairs, articulated.lost_slopes(), x);
    }

    fn accepted(&mut self, t: f64, y: &mut [f64]) -> bool {
        self.memory.accepted(self.system, t, y)
    }

    fn next_breakpoint(&self, t: f64) -> Option<f64> {
        self.memory.breakpoint_after(t)
    }
}
