//! Loops and guides: rows that the motion must satisfy. One kind per file, one line in the list below.
//! Not here: solving for multipliers (`formulation`), finding a start that satisfies them (`assemble`).
//! In: a `Scene`. Out: `Rows`: residuals at position, velocity and acceleration level, and what each row's unit multiplier does to bodies
//! and coordinates.
//!
//! A row is Φ(q, t) = 0 with Φ̇ = Σ (μ·ω + φ·v over its two bodies) + Σ c_j v_j − ν(t). Its multiplier λ acts on each body with the moment λ μ
//! about the kernel origin and the force λ φ, and on each coordinate with λ c_j. Angular rows take relative angular velocity as their
//! rate, which is the slope of Φ only where Φ = 0; drift makes an error of second order.

mod ball;
mod coincident;
mod control;
mod guide_coordinate;
mod guide_orientation;
mod guide_point;
mod hinge;
mod jacobian;
mod relation;
mod rod;
mod turn;
mod weld;

#[cfg(test)]
mod tests;

pub use control::RowControl;
pub(crate) use jacobian::SparseJacobian;
pub use jacobian::fill_jacobian;

use crate::compile::{Context, Fault};
use crate::parts::{Named, Slot};
use crate::scene::Scene;
use crate::system::{Measure, Skeleton};
use borelli_math::function::Continuity;
use borelli_math::{Constant, Real, Vec3};
use borelli_model::{Fields, Kind};
use control::Turned;

/// All rows of a system at one instant.
#[derive(Clone, Debug)]
pub struct Rows<S> {
    /// The two bodies of each row (0 = world or none).
    pub body: Vec<[u32; 2]>,
    /// Moment of a unit multiplier on each of them about the kernel origin.
    pub moment: Vec<[Vec3<S>; 2]>,
    /// Force of a unit multiplier on each of them.
    pub force: Vec<[Vec3<S>; 2]>,
    /// Coefficients on degrees of freedom: row, degree of freedom, coefficient.
    pub on_dofs: Vec<(u32, u32, S)>,
    /// Φ, m or rad; what is left of it where the control has an offset.
    pub position: Vec<S>,
    /// Φ̇.
    pub velocity: Vec<S>,
    /// Φ̈ for the accelerations of the scene, and what the control adds to it: what must vanish.
    pub acceleration: Vec<S>,
    control: RowControl,
    /// Whether the control asks for nothing but Φ̈ = 0, and whether it shifts a row.
    plain: bool,
    shifted: bool,
    /// Rows of orientations.
    turned: Vec<Turned<S>>,
    next: usize,
}

/// One row to be written.
pub struct Row<S> {
    /// The two bodies.
    pub body: [usize; 2],
    /// Moments about kernel origins.
    pub moment: [Vec3<S>; 2],
    /// Forces.
    pub force: [Vec3<S>; 2],
    /// Φ.
    pub position: S,
    /// Φ̇.
    pub velocity: S,
    /// Φ̈.
    pub acceleration: S,
}

impl<S: Real> Rows<S> {
    /// Memory for `rows` rows with `entries` coefficients on degrees of freedom in all.
    pub fn new(rows: usize, entries: usize) -> Self {
        Rows {
            body: vec![[0; 2]; rows],
            moment: vec![[Vec3::ZERO; 2]; rows],
            force: vec![[Vec3::ZERO; 2]; rows],
            on_dofs: Vec::with_capacity(entries),
            position: vec![S::ZERO; rows],
            velocity: vec![S::ZERO; rows],
            acceleration: vec![S::ZERO; rows],
            control: RowControl::default(),
            plain: true,
            shifted: false,
            turned: Vec::with_capacity(rows),
            next: 0,
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// True without rows.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// What rows are asked for from the next filling on.
    pub fn set_control(&mut self, control: &RowControl) {
        self.control.copy_from(control);
        (self.plain, self.shifted) = (control.is_plain(), control.is_shifted());
    }

    /// What rows are asked for.
    pub fn control(&self) -> &RowControl {
        &self.control
    }

    /// The body at whose joint a row without finite numbers is to be looked for.
    pub(crate) fn seat(&self, skeleton: &Skeleton, row: usize) -> usize {
        let on_dof = self.on_dofs.iter().find(|(r, _, _)| *r as usize == row);
        let [a, b] = self.body[row];
        on_dof.map_or(a.max(b), |(_, dof, _)| skeleton.dof_body[*dof as usize]) as usize
    }

    /// Starts writing from the first row.
    pub fn restart(&mut self) {
        self.next = 0;
        self.on_dofs.clear();
        self.turned.clear();
    }

    /// Writes a row on bodies.
    #[inline(always)]
    pub fn push(&mut self, row: Row<S>) {
        let i = self.next;
        self.body[i] = [row.body[0] as u32, row.body[1] as u32];
        self.moment[i] = row.moment;
        self.force[i] = row.force;
        self.position[i] = row.position;
        self.velocity[i] = row.velocity;
        self.acceleration[i] = row.acceleration;
        self.next += 1;
    }

    /// Writes a row on coordinates only; the entries go to `on_dofs` with `row_index` first.
    #[inline(always)]
    pub fn push_on_dofs(&mut self, entries: impl Iterator<Item = (u32, S)>, position: S, velocity: S, acceleration: S) {
        let i = self.next;
        self.on_dofs.extend(entries.map(|(dof, c)| (i as u32, dof, c)));
        self.push(Row { body: [0; 2], moment: [Vec3::ZERO; 2], force: [Vec3::ZERO; 2], position, velocity, acceleration });
    }
}

/// A constraint kind with a number type `N`.
pub trait Constraint: Sized {
    /// Name and fields in model files.
    const KIND: Kind;
    /// Reads the element; faults go to the context. `None` when something is missing.
    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self>;
}

/// Reports a guide's function that is not C1 (an error) or not C2 (a warning).
fn check_smooth(fields: &mut Fields, field: &str, function: u32, context: &Context) {
    let info = context.function_info(function);
    match info.continuity {
        Continuity::C0 => fields.fault(field, &Fault::GuideNotSmooth { function: info.name.clone() }),
        Continuity::C1 => fields.fault(field, &Fault::GuideOnlyC1 { function: info.name.clone() }),
        Continuity::C2 | Continuity::Smooth => {}
    }
}

/// Whether a row closes a loop or follows a function of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Of a loop: does no work.
    Loop,
    /// Of a guide: may do work.
    Guide,
}

/// Name of a row within its loop or guide, and what its residual measures.
type Part = (&'static str, Measure);

/// Name and kind of a row, for reports.
#[derive(Clone, Debug)]
pub struct RowName {
    /// Loop or guide.
    pub kind: RowKind,
    /// Name of the loop or guide.
    pub name: String,
    /// Which of its rows: `x`, `angle`, ...
    pub part: &'static str,
    /// What its residual measures: a length (force in N) or an angle (force in N m).
    pub measure: Measure,
}

impl RowName {
    /// The loop or guide it belongs to: `loop.NAME`.
    pub fn element(&self) -> String {
        let family = match self.kind {
            RowKind::Loop => "loop",
            RowKind::Guide => "guide",
        };
        format!("{family}.{}", self.name)
    }

    /// The row: `loop.NAME.part`.
    pub fn path(&self) -> String {
        format!("{}.{}", self.element(), self.part)
    }
}

macro_rules! constraints {
    ($($kind:ident $module:ident :: $Constraint:ident),* $(,)?) => {
        /// All loops and guides, those of one kind together; rows come in the order of the lists.
        #[derive(Clone, Debug)]
        pub struct Constraints<N> {
            $(#[allow(missing_docs)] pub $module: Vec<Named<$module::$Constraint<N>>>,)*
        }

        impl<N> Default for Constraints<N> {
            fn default() -> Self {
                Constraints { $($module: Vec::new(),)* }
            }
        }

        impl<N> Constraints<N> {
            /// Writes the same constraints with other numbers.
            pub(crate) fn rewrite<M>(&self, number: &mut impl FnMut(&N) -> M, out: &mut Constraints<M>) {
                $(Named::rewrite(&self.$module, &mut out.$module, |item, old| item.map(number, old));)*
            }

            /// Names of all rows in order.
            pub fn row_names(&self) -> Vec<RowName> {
                let mut names = Vec::new();
                $(for c in &self.$module {
                    let row = |(part, measure)| RowName { kind: RowKind::$kind, name: c.name.clone(), part, measure };
                    names.extend(c.item.parts().into_iter().map(row));
                })*
                names
            }

            /// Number of coefficients on degrees of freedom.
            pub fn entries(&self) -> usize {
                0 $(+ self.$module.iter().map(|c| c.item.entries()).sum::<usize>())*
            }
        }

        impl Constraints<Slot> {
            /// Reads a loop or guide of the given type; false if there is no such type.
            pub(crate) fn read(&mut self, family: RowKind, kind: &str, fields: &mut Fields, context: &mut Context) -> bool {
                $(if family == RowKind::$kind && kind == <$module::$Constraint<Slot> as Constraint>::KIND.name {
                    if let Some(item) = $module::$Constraint::read(fields, context) {
                        self.$module.push(Named { name: fields.element().name.clone(), item });
                    }
                    return true;
                })*
                false
            }
        }

        impl<C> Constraints<C> {
            /// Fills all rows and applies their control. Kinds are not inlined: a row is worth a call, and kernels exist for many scalars.
            pub fn fill<S: Real>(&self, scene: &Scene<S, C>, rows: &mut Rows<S>) where C: Constant<S> {
                rows.restart();
                $(for c in &self.$module {
                    c.item.fill(scene, rows);
                })*
                rows.obey();
            }
        }

        /// Names and fields of all kinds, with their family.
        pub static KINDS: &[(RowKind, Kind)] = &[$((RowKind::$kind, <$module::$Constraint<Slot> as Constraint>::KIND)),*];
    };
}

constraints! {
    Loop coincident::Coincident,
    Loop ball::Ball,
    Loop hinge::Hinge,
    Loop weld::Weld,
    Loop rod::Rod,
    Loop relation::Relation,
    Guide guide_coordinate::GuideCoordinate,
    Guide guide_point::GuidePoint,
    Guide guide_orientation::GuideOrientation,
}
