//! What forces and constraints see of a system at one instant, and where they write.
//! Not here: how the kinematics were found (`frames`) or what becomes of the loads (`formulation`).
//! In: `Frames` with points, q, v, states and controls of elements, time. Out: `Loads` on bodies and coordinates, rates of the states.

use crate::contact::{PairMemory, Unsolved};
use crate::force::{Lines, Lost};
use crate::frames::Frames;
use crate::memory::Memory;
use crate::system::{Numbers, Skeleton};
use crate::wrap::Pose;
use borelli_math::function::Function;
use borelli_math::{Constant, Mat3, Real, Vec3};

/// Kinematics, numbers and coordinates at one instant.
#[derive(Clone, Copy)]
pub struct Scene<'a, S, C> {
    /// Topology.
    pub skeleton: &'a Skeleton,
    /// Numbers.
    pub numbers: &'a Numbers<C>,
    /// Kinematics, points included.
    pub frames: &'a Frames<S>,
    /// Coordinates.
    pub q: &'a [S],
    /// Velocities.
    pub v: &'a [S],
    /// Accelerations, or empty where they are taken as zero (as in `frames`).
    pub vdot: &'a [S],
    /// Time, s.
    pub t: S,
    /// States and controls of elements.
    pub inside: Inside<'a, S>,
}

/// States and controls of force elements at one instant.
#[derive(Clone, Copy, Debug)]
pub struct Inside<'a, S> {
    /// States; empty: as the model starts.
    pub z: &'a [S],
    /// Controls; empty: as the functions of the model say.
    pub u: &'a [S],
}

impl<S> Inside<'_, S> {
    /// All as the model says.
    pub const NONE: Self = Inside { z: &[], u: &[] };
}

impl<S> Default for Inside<'_, S> {
    fn default() -> Self {
        Self::NONE
    }
}

/// A place on a body in world axes.
#[derive(Clone, Copy, Debug)]
pub struct Point<S> {
    /// Body.
    pub body: usize,
    /// From the body's kernel origin, m.
    pub r_W: Vec3<S>,
    /// Position, m.
    pub p_W: Vec3<S>,
    /// Velocity, m/s.
    pub v_W: Vec3<S>,
}

impl<S: Real, C: Constant<S>> Scene<'_, S, C> {
    /// Position and velocity of a place.
    #[inline(always)]
    pub fn point(&self, place: u32) -> Point<S> {
        let body = self.numbers.place_body[place as usize] as usize;
        let r_W = self.frames.R[body].mul_const(self.numbers.tree.place_p[place as usize]);
        Point { body, r_W, p_W: self.frames.p[body] + r_W, v_W: self.frames.v[body] + self.frames.w[body].cross(r_W) }
    }

    /// A point of space as one that is fixed to a body.
    #[inline(always)]
    pub fn point_at(&self, body: usize, p_W: Vec3<S>) -> Point<S> {
        let r_W = p_W - self.frames.p[body];
        Point { body, r_W, p_W, v_W: self.frames.v[body] + self.frames.w[body].cross(r_W) }
    }

    /// Acceleration of a place, gravity not subtracted, m/s².
    #[inline(always)]
    pub fn acceleration(&self, point: &Point<S>) -> Vec3<S> {
        let (b, r) = (point.body, point.r_W);
        let w = self.frames.w[b];
        self.frames.a[b] - self.frames.a[0] + self.frames.al[b].cross(r) + w.cross(w.cross(r))
    }

    /// Axes of a place in world axes.
    #[inline(always)]
    pub fn axes(&self, place: u32) -> Mat3<S> {
        let body = self.numbers.place_body[place as usize] as usize;
        self.frames.R[body].mul_const_mat(&self.numbers.tree.place_R[place as usize])
    }

    /// Axes and position of a place.
    #[inline(always)]
    pub(crate) fn pose(&self, place: u32) -> Pose<S> {
        let body = self.numbers.place_body[place as usize] as usize;
        let p = self.frames.p[body] + self.frames.R[body].mul_const(self.numbers.tree.place_p[place as usize]);
        Pose { R: self.axes(place), p }
    }

    /// Time, states and controls without kinematics.
    #[inline(always)]
    pub fn now(&self) -> Now<'_, S, C> {
        Now { numbers: self.numbers, t: self.t, inside: self.inside }
    }

    /// Value and two derivatives of a function of time.
    #[inline(always)]
    pub fn at_time(&self, function: u32) -> [S; 3] {
        self.now().at_time(function)
    }
}

/// What a law of one variable sees beside that variable: time, states and controls.
#[derive(Clone, Copy)]
pub struct Now<'a, S, C> {
    /// Numbers.
    pub numbers: &'a Numbers<C>,
    /// Time, s.
    pub t: S,
    /// States and controls of elements.
    pub inside: Inside<'a, S>,
}

impl<S: Real, C: Constant<S>> Now<'_, S, C> {
    /// A state of an element.
    #[inline(always)]
    pub fn state(&self, index: u32) -> S {
        match self.inside.z.get(index as usize) {
            Some(z) => *z,
            None => self.numbers.states[index as usize].lift(),
        }
    }

    /// A control of an element.
    #[inline(always)]
    pub fn control(&self, index: u32) -> S {
        match self.inside.u.get(index as usize) {
            Some(u) => *u,
            None => self.at_time(self.numbers.controls[index as usize])[0],
        }
    }

    /// Whether a control is one number at all times.
    pub fn has_constant(&self, index: u32) -> bool {
        let function = self.numbers.controls[index as usize];
        self.inside.u.is_empty() && matches!(self.numbers.functions[function as usize], Function::Constant(_))
    }

    /// Value and two derivatives of a function of time.
    #[inline(always)]
    pub fn at_time(&self, function: u32) -> [S; 3] {
        self.numbers.functions[function as usize].eval(self.t)
    }
}

/// Where elements write what concerns only themselves.
#[derive(Clone, Debug)]
pub struct Inner<S> {
    /// Rate of each state of an element.
    pub zdot: Vec<S>,
    /// What elements report, by output; the controls stand behind.
    pub output: Vec<S>,
    /// Power of all muscles: what their active force does, and what the damping of their fibres takes (negative), W.
    pub power: [S; 2],
    /// Whether outputs are wanted; where they are not, elements may leave out those that cost something.
    pub reporting: bool,
}

impl<S: Real> Inner<S> {
    /// Memory for a system.
    pub fn new<C>(numbers: &Numbers<C>) -> Self {
        Inner {
            zdot: vec![S::ZERO; numbers.states.len()],
            output: vec![S::ZERO; numbers.outputs + numbers.controls.len()],
            power: [S::ZERO; 2],
            reporting: true,
        }
    }
}

/// A force and a moment on a body that no element of the tree makes: of soft parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// The body, by index in the tree.
    pub body: usize,
    /// Force, world axes, N.
    pub force: Vec3<f64>,
    /// Moment about the origin of the kernel frame, N m.
    pub moment: Vec3<f64>,
}

/// What could not be found at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfound {
    /// Where two surfaces touch.
    Contact(Unsolved),
    /// Where a path lies on its obstacles.
    Path(Lost),
}

/// Loads that force elements add up, and what they report.
#[derive(Clone, Debug)]
pub struct Loads<S> {
    /// Moment on each body about its kernel origin, world axes, N m.
    pub moment: Vec<Vec3<S>>,
    /// Force on each body, world axes, N.
    pub force: Vec<Vec3<S>>,
    /// Generalised force on each degree of freedom, N or N m.
    pub tau: Vec<S>,
    /// Energy stored in elastic elements, J.
    pub stored: S,
    /// Paths: where they run, how long they are, how they pull.
    pub lines: Lines<S>,
    /// Rates of states, and what elements report.
    pub inner: Inner<S>,
    /// What pairs of surfaces do, and remember.
    pub pairs: PairMemory<S>,
}

impl<S: Real> Loads<S> {
    /// Memory for a system.
    pub fn new<C>(skeleton: &Skeleton, numbers: &Numbers<C>) -> Self {
        let n = skeleton.parent.len();
        Loads {
            moment: vec![Vec3::ZERO; n],
            force: vec![Vec3::ZERO; n],
            tau: vec![S::ZERO; skeleton.dofs()],
            stored: S::ZERO,
            lines: Lines::new(&numbers.paths),
            inner: Inner::new(numbers),
            pairs: PairMemory::new(&numbers.contacts),
        }
    }

    /// Takes over what events have written.
    pub(crate) fn recall(&mut self, memory: &Memory) {
        self.pairs.recall(&memory.touch);
        self.lines.hold(&memory.points);
    }

    /// The same from another workspace.
    pub(crate) fn recall_from<T: Real>(&mut self, other: &Loads<T>) {
        self.pairs.recall_from(&other.pairs);
        self.lines.hold(other.lines.held());
    }

    /// Sets all loads to zero.
    pub fn clear(&mut self) {
        self.moment.fill(Vec3::ZERO);
        self.force.fill(Vec3::ZERO);
        self.tau.fill(S::ZERO);
        self.stored = S::ZERO;
        self.inner.power = [S::ZERO; 2];
        self.pairs.unsolved = None;
    }

    /// Forgets where searches for contacts and paths ended.
    pub(crate) fn forget(&mut self) {
        self.pairs.forget();
        self.lines.forget();
    }

    /// What could not be found in the last look, so that its forces are no numbers.
    pub fn unfound(&self) -> Option<Unfound> {
        match (self.pairs.unsolved, self.lines.lost) {
            (Some(pair), _) => Some(Unfound::Contact(pair)),
            (None, Some(lost)) => Some(Unfound::Path(lost)),
            (None, None) => None,
        }
    }

    /// Adds what comes from outside the tree.
    #[inline(always)]
    pub fn add_pushes(&mut self, pushes: &[Push]) {
        for push in pushes {
            self.force[push.body] += Vec3::from_array(push.force.to_array().map(S::from_f64));
            self.moment[push.body] += Vec3::from_array(push.moment.to_array().map(S::from_f64));
        }
    }

    /// Adds a force at a point of a body.
    #[inline(always)]
    pub fn push(&mut self, point: &Point<S>, force: Vec3<S>) {
        self.force[point.body] += force;
        self.moment[point.body] += point.r_W.cross(force);
    }
}
