//! Integrators: from rates to motion, with step control, dense output and located events. One method per file.
//! Not here: bodies, forces, files. A method sees an `Ode` (a length, rates, perhaps solves with their slopes, breakpoints), an implicit scheme
//! a `Residual`, which solves for Newton's corrections itself: no method sees a matrix.
//! In: an `Ode` or a `Residual`, a start, an end, `Settings`. Out: the state at the end; every accepted step goes to an `Observer`.

mod adams;
mod control;
mod dense;
mod dopri5;
mod drive;
mod events;
mod failure;
mod fixed;
mod generalised_alpha;
mod heun;
mod implicit;
mod lu;
mod newmark;
mod observe;
mod ode;
mod quadrature;
mod residual;
mod rk4;
mod rosenbrock;
mod scheme;
mod subdivision;

#[cfg(test)]
mod tests;

pub(crate) use drive::finite;
pub(crate) use lu::Lu;

pub use dense::{DenseNewton, DenseSlopes, Tangents};
pub use drive::{End, Guard, integrate};
pub use events::{Direction, EventFunctions, Located, Rule, WithEvents, with_events};
pub use failure::{Failure, Trouble};
pub use generalised_alpha::generalised_alpha;
pub use implicit::{Carried, Form, Implicit, Newton, StartAcceleration, integrate_implicit};
pub use newmark::newmark;
pub use observe::{AtTimes, Flow, Found, Interpolant, Observer, Step, Unobserved, at_times};
pub use ode::{Ode, Settings, Statistics};
pub use residual::{Linearised, Motion, Residual, Trial, Weights};
pub use scheme::{Scheme, SchemeEntry, SchemeParameter};
pub use subdivision::MOST_CUTS;

/// Whether a method chooses its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Steps of the given length; `Settings::step` is needed, tolerances are not used.
    Fixed,
    /// Steps chosen from an error estimate and the tolerances.
    Adaptive,
}

/// A method with its memory, sized once for one length of state.
pub trait Method: Interpolant {
    /// Forgets the past and prepares for steps from `t`: first rates, first step length.
    fn start(&mut self, guard: &mut Guard, settings: &Settings, t: f64, limit: f64, y: &[f64]) -> Result<(), Failure>;

    /// Makes one accepted step from where the last one ended, not beyond `limit`; writes the new state and returns the new time.
    fn advance(&mut self, guard: &mut Guard, settings: &Settings, limit: f64, y: &mut [f64]) -> Result<f64, Failure>;

    /// h |λ| of the last step, with the rate λ of the direction that is damped fastest, as the stages show it. Where it stays at what the method is
    /// stable for, the step is chosen by stability and not by accuracy. None for methods whose stages do not show it.
    fn strain(&self) -> Option<f64> {
        None
    }
}

/// One line of the list of integrators.
pub struct Entry {
    /// Name in files and on the command line.
    pub name: &'static str,
    /// What it is made for.
    pub doc: &'static str,
    /// Fixed or chosen steps.
    pub kind: Kind,
    /// Whether it solves with slopes of the rates (`Ode::prepare`).
    pub needs_jacobian: bool,
    /// Makes one for states of a length.
    pub build: fn(usize) -> Box<dyn Method>,
}

/// All integrators.
pub static INTEGRATORS: &[Entry] = &[
    Entry {
        name: "dopri5",
        doc: "Dormand-Prince 5(4), seven stages, dense output of order 4; the default for what is not stiff",
        kind: Kind::Adaptive,
        needs_jacobian: false,
        build: dopri5::build,
    },
    Entry {
        name: "adams",
        doc: "Adams PECE of orders 1 to 12 with variable steps; few evaluations for smooth motion at tight tolerances",
        kind: Kind::Adaptive,
        needs_jacobian: false,
        build: adams::build,
    },
    Entry {
        name: "rosenbrock",
        doc: "RODASP 4(3), six stages, L-stable, exact Jacobian; for stiff elements",
        kind: Kind::Adaptive,
        needs_jacobian: true,
        build: rosenbrock::build,
    },
    Entry {
        name: "rk4",
        doc: "the classical Runge-Kutta method of order 4, fixed steps",
        kind: Kind::Fixed,
        needs_jacobian: false,
        build: rk4::build,
    },
    Entry { name: "heun", doc: "Heun's method of order 2, fixed steps", kind: Kind::Fixed, needs_jacobian: false, build: heun::build },
];

/// The integrator of a name.
pub fn find(name: &str) -> Option<&'static Entry> {
    INTEGRATORS.iter().find(|entry| entry.name == name)
}

/// All implicit schemes for equations of second order with constraints.
pub static SCHEMES: &[SchemeEntry] = &[newmark::ENTRY, generalised_alpha::ENTRY];

/// The implicit scheme of a name.
pub fn find_scheme(name: &str) -> Option<&'static SchemeEntry> {
    SCHEMES.iter().find(|entry| entry.name == name)
}
