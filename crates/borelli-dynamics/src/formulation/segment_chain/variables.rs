//! The pool of variables of a chain: what may be known or unknown, in the order of the equations.
//! Not here: the equations (`equations`), which of them are unknown (`choice`).
//! In: the number n of segments. Out: indices, symbols and names.
//!
//! | from index | content | symbol | count |
//! | --- | --- | --- | --- |
//! | 0 | force of segment i−1 on segment i at joint i, x then y | `Frx_i`, `Fry_i` | 2(n + 1) |
//! | 2n + 2 | moment of segment i−1 on segment i about joint i | `M_i` | n + 1 |
//! | 3n + 3 | external force at the mass centre, weight included, x then y | `Fextx_i`, `Fexty_i` | 2n |
//! | 5n + 3 | external moment | `Mext_i` | n |
//! | 6n + 3 | angular acceleration | `phidd_i` | n |
//! | 7n + 3 | acceleration of the base, joint 1 | `xdd`, `ydd` | 2 |
//! | 7n + 5 | support at the proximal joint, x then y | `Fjx_i`, `Fjy_i` | 2n |
//! | 9n + 5 | support at the mass centre, x then y | `Fsx_i`, `Fsy_i` | 2n |
//! | 11n + 5 | supporting moment at the proximal joint, of the segment before | `Mj_i` | n |
//! | 12n + 5 | supporting moment of the environment | `Ms_i` | n |
//!
//! The last four belong to the solver: constraints write them, nobody else, so that external forces and forces between segments keep
//! their meaning where something is held. Source: Casius, Bobbert & van Soest 2004, J. Appl. Biomech. 20, whose matrix has the first seven
//! rows and who describe the others in words.

use std::fmt;

/// Direction of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Forward.
    X,
    /// Up.
    Y,
}

impl Direction {
    fn letter(self) -> char {
        match self {
            Direction::X => 'x',
            Direction::Y => 'y',
        }
    }
}

use Direction::{X, Y};

/// A variable; segments and joints are counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// Force of the segment before a joint on the one after it, N; at the last joint, of the last segment on the environment.
    JointForce(usize, Direction),
    /// Moment of the segment before a joint on the one after it, N m.
    JointMoment(usize),
    /// External force at the mass centre of a segment, its weight included, N.
    Force(usize, Direction),
    /// External moment on a segment, N m.
    Moment(usize),
    /// Angular acceleration of a segment, rad/s².
    AngularAcceleration(usize),
    /// Acceleration of the base, m/s².
    BaseAcceleration(Direction),
    /// Force of a support on a segment at its proximal joint, N.
    JointSupport(usize, Direction),
    /// Force of a support on a segment at its mass centre, N.
    Support(usize, Direction),
    /// Moment of a support between a segment and the one before, N m.
    JointSupportMoment(usize),
    /// Moment of a support on a segment, N m.
    SupportMoment(usize),
}

use Variable::{
    AngularAcceleration, BaseAcceleration, Force, JointForce, JointMoment, JointSupport, JointSupportMoment, Moment, Support, SupportMoment,
};

/// What a variable measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// N.
    Force,
    /// N m.
    Moment,
    /// rad/s².
    AngularAcceleration,
    /// m/s².
    Acceleration,
}

impl Quantity {
    /// SI unit.
    pub fn unit(self) -> &'static str {
        match self {
            Quantity::Force => "N",
            Quantity::Moment => "N m",
            Quantity::AngularAcceleration => "rad/s^2",
            Quantity::Acceleration => "m/s^2",
        }
    }
}

impl Variable {
    /// What it measures.
    pub fn quantity(self) -> Quantity {
        match self {
            JointForce(..) | Force(..) | JointSupport(..) | Support(..) => Quantity::Force,
            JointMoment(_) | Moment(_) | JointSupportMoment(_) | SupportMoment(_) => Quantity::Moment,
            AngularAcceleration(_) => Quantity::AngularAcceleration,
            BaseAcceleration(_) => Quantity::Acceleration,
        }
    }

    /// True for the variables that only constraints write.
    pub fn is_support(self) -> bool {
        matches!(self, JointSupport(..) | Support(..) | JointSupportMoment(_) | SupportMoment(_))
    }

    /// True for accelerations.
    pub fn is_acceleration(self) -> bool {
        matches!(self, AngularAcceleration(_) | BaseAcceleration(_))
    }
}

impl fmt::Display for Variable {
    /// The symbol of the paper, counted from one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            JointForce(i, d) => write!(f, "Fr{}_{}", d.letter(), i + 1),
            JointMoment(i) => write!(f, "M_{}", i + 1),
            Force(i, d) => write!(f, "Fext{}_{}", d.letter(), i + 1),
            Moment(i) => write!(f, "Mext_{}", i + 1),
            AngularAcceleration(i) => write!(f, "phidd_{}", i + 1),
            BaseAcceleration(d) => write!(f, "{}dd", d.letter()),
            JointSupport(i, d) => write!(f, "Fj{}_{}", d.letter(), i + 1),
            Support(i, d) => write!(f, "Fs{}_{}", d.letter(), i + 1),
            JointSupportMoment(i) => write!(f, "Mj_{}", i + 1),
            SupportMoment(i) => write!(f, "Ms_{}", i + 1),
        }
    }
}

/// Where each variable stands, for a number of segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of segments.
    pub segments: usize,
}

impl Layout {
    /// Number of variables of the paper, 7n + 5: those without supports.
    pub fn open(self) -> usize {
        7 * self.segments + 5
    }

    /// Number of all variables, 13n + 5.
    pub fn all(self) -> usize {
        13 * self.segments + 5
    }

    /// Equations of Newton and Euler, 3n.
    pub fn equations(self) -> usize {
        3 * self.segments
    }

    /// Where a variable stands.
    #[inline(always)]
    pub fn index(self, variable: Variable) -> usize {
        let n = self.segments;
        match variable {
            JointForce(i, X) => i,
            JointForce(i, Y) => n + 1 + i,
            JointMoment(i) => 2 * n + 2 + i,
            Force(i, X) => 3 * n + 3 + i,
            Force(i, Y) => 4 * n + 3 + i,
            Moment(i) => 5 * n + 3 + i,
            AngularAcceleration(i) => 6 * n + 3 + i,
            BaseAcceleration(X) => 7 * n + 3,
            BaseAcceleration(Y) => 7 * n + 4,
            JointSupport(i, X) => 7 * n + 5 + i,
            JointSupport(i, Y) => 8 * n + 5 + i,
            Support(i, X) => 9 * n + 5 + i,
            Support(i, Y) => 10 * n + 5 + i,
            JointSupportMoment(i) => 11 * n + 5 + i,
            SupportMoment(i) => 12 * n + 5 + i,
        }
    }

    /// Whether a chain of this many segments has the variable.
    pub fn has(self, variable: Variable) -> bool {
        match variable {
            JointForce(i, _) | JointMoment(i) => i <= self.segments,
            BaseAcceleration(_) => true,
            Force(i, _) | Moment(i) | AngularAcceleration(i) => i < self.segments,
            JointSupport(i, _) | Support(i, _) | JointSupportMoment(i) | SupportMoment(i) => i < self.segments,
        }
    }

    /// All variables in order.
    pub fn variables(self) -> Vec<Variable> {
        let n = self.segments;
        let (joints, segments) = (|| 0..=n, || 0..n);
        let mut list = Vec::with_capacity(self.all());
        list.extend(joints().map(|i| JointForce(i, X)));
        list.extend(joints().map(|i| JointForce(i, Y)));
        list.extend(joints().map(JointMoment));
        list.extend(segments().map(|i| Force(i, X)));
        list.extend(segments().map(|i| Force(i, Y)));
        list.extend(segments().map(Moment));
        list.extend(segments().map(AngularAcceleration));
        list.extend([BaseAcceleration(X), BaseAcceleration(Y)]);
        list.extend(segments().map(|i| JointSupport(i, X)));
        list.extend(segments().map(|i| JointSupport(i, Y)));
        list.extend(segments().map(|i| Support(i, X)));
        list.extend(segments().map(|i| Support(i, Y)));
        list.extend(segments().map(JointSupportMoment));
        list.extend(segments().map(SupportMoment));
        list
    }
}

/// Names of segments and joints, so that variables and equations can be called by them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// Segments.
    pub segments: Vec<String>,
    /// Joints, one more than segments.
    pub joints: Vec<String>,
}

impl Labels {
    /// Numbers from one.
    pub fn numbered(segments: usize) -> Self {
        Labels { segments: (1..=segments).map(|i| i.to_string()).collect(), joints: (1..=segments + 1).map(|i| i.to_string()).collect() }
    }

    /// Where variables of these segments stand.
    pub fn layout(&self) -> Layout {
        Layout { segments: self.segments.len() }
    }

    /// Name of a variable: `joint.ankle.force.x`, `body.foot.moment`, `base.acceleration.y`.
    pub fn name(&self, variable: Variable) -> String {
        let (joint, segment) = (|i: usize| &self.joints[i], |i: usize| &self.segments[i]);
        match variable {
            JointForce(i, d) => format!("joint.{}.force.{}", joint(i), d.letter()),
            JointMoment(i) => format!("joint.{}.moment", joint(i)),
            Force(i, d) => format!("body.{}.force.{}", segment(i), d.letter()),
            Moment(i) => format!("body.{}.moment", segment(i)),
            AngularAcceleration(i) => format!("body.{}.angular_acceleration", segment(i)),
            BaseAcceleration(d) => format!("base.acceleration.{}", d.letter()),
            JointSupport(i, d) => format!("joint.{}.support.{}", joint(i), d.letter()),
            Support(i, d) => format!("body.{}.support.{}", segment(i), d.letter()),
            JointSupportMoment(i) => format!("joint.{}.support.moment", joint(i)),
            SupportMoment(i) => format!("body.{}.support.moment", segment(i)),
        }
    }

    /// The variable of a name or of a symbol of the paper (`M_3`).
    pub fn find(&self, text: &str) -> Option<Variable> {
        self.layout().variables().into_iter().find(|variable| self.name(*variable) == text || variable.to_string() == text)
    }

    /// Name of an equation of Newton or Euler, in the order of the system.
    pub fn equation(&self, row: usize) -> String {
        let n = self.segments.len();
        let segment = &self.segments[row % n];
        match row / n {
            0 => format!("forces on `{segment}` along x"),
            1 => format!("forces on `{segment}` along y"),
            _ => format!("moments on `{segment}`"),
        }
    }
}
