//! Force elements: what pushes and pulls. One law per file, one line in the list below.
//! Not here: gravity (the accelerating base of `frames`), constraint forces (`constraint`), who asks (`formulation`).
//! In: a `Scene`. Out: `Loads`.

mod actuator;
mod at_point;
mod coordinate_spring;
mod dashpot;
mod effort;
mod joint_resistance;
mod lag_actuator;
mod load;
mod maxwell;
mod moment_actuator;
mod path;
mod spring;
mod torque;

#[cfg(test)]
mod tests;

pub use load::{Load, LoadReading};

use crate::compile::Context;
use crate::parts::{Named, Slot};
use crate::scene::{Loads, Scene};
use borelli_math::{Constant, Real};
use borelli_model::{Fields, Kind};

/// A law with a number type `N`: slots of the parameter array when compiled, values when computed with.
pub trait Law: Sized {
    /// Name and fields in model files.
    const KIND: Kind;
    /// Reads the element; faults go to the context. `None` when something is missing.
    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self>;
}

macro_rules! laws {
    ($($module:ident :: $Law:ident),* $(,)?) => {
        /// All force elements, elements of one law together.
        #[derive(Clone, Debug)]
        pub struct Forces<N> {
            $(#[allow(missing_docs)] pub $module: Vec<Named<$module::$Law<N>>>,)*
        }

        impl<N> Default for Forces<N> {
            fn default() -> Self {
                Forces { $($module: Vec::new(),)* }
            }
        }

        impl<N> Forces<N> {
            /// Writes the same elements with other numbers.
            pub(crate) fn rewrite<M>(&self, number: &mut impl FnMut(&N) -> M, out: &mut Forces<M>) {
                $(Named::rewrite(&self.$module, &mut out.$module, |law, _| law.map(number));)*
            }
            /// Each element alone, with its name.
            pub fn each(&self) -> Vec<(&str, Forces<N>)> where N: Clone {
                let mut list = Vec::new();
                $(for law in &self.$module {
                    list.push((law.name.as_str(), Forces { $module: vec![law.clone()], ..Forces::default() }));
                })*
                list
            }
            /// True without any element.
            pub fn is_empty(&self) -> bool {
                true $(&& self.$module.is_empty())*
            }
        }

        impl Forces<Slot> {
            /// Reads an element of the given type into its list; false if there is no such type.
            pub(crate) fn read(&mut self, kind: &str, fields: &mut Fields, context: &mut Context) -> bool {
                $(if kind == <$module::$Law<Slot> as Law>::KIND.name {
                    if let Some(law) = $module::$Law::read(fields, context) {
                        self.$module.push(Named { name: fields.element().name.clone(), item: law });
                    }
                    return true;
                })*
                false
            }
        }

        impl<C> Forces<C> {
            /// Adds the loads of all elements, and writes the length of every path, with or without an element.
            ///
            /// Path laws only add to the tension of their path; each path then pulls once with the sum. Compiled once for each
            /// number type and called: copies of all laws in every kernel would cost minutes of compiling and save a nanosecond.
            #[inline(never)]
            pub fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>) where C: Constant<S> {
                path::fill_path_lengths(scene, loads);
                $(for law in &self.$module {
                    law.item.apply(scene, loads);
                })*
                path::pull_paths(scene, loads);
            }
        }

        /// Names and fields of all laws.
        pub static KINDS: &[Kind] = &[$(<$module::$Law<Slot> as Law>::KIND),*];
    };
}

laws! {
    at_point::ForceAtPoint,
    torque::Torque,
    load::Load,
    effort::Effort,
    coordinate_spring::CoordinateSpring,
    joint_resistance::JointResistance,
    spring::Spring,
    dashpot::Dashpot,
    maxwell::Maxwell,
    actuator::Actuator,
    lag_actuator::LagActuator,
    moment_actuator::MomentActuator,
}
