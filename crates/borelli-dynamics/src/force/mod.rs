//! Force elements: what pushes and pulls. One law per file, one line in the list below.
//! Not here: gravity (the accelerating base of `frames`), constraint forces (`constraint`), who asks (`formulation`).
//! In: a `Scene`. Out: `Loads`, and their local slopes.
//!
//! Most laws are of one variable: they see the length of a path or a coordinate, its rate, time, their own states and controls, and answer with one force
//! (`declare`). What they do to bodies, and how that changes with the pose, is found once for all of them. Others act on bodies and see the whole scene.

mod actuator;
mod at_point;
mod coordinate_spring;
mod cord;
mod dashpot;
mod declare;
mod effort;
mod formula;
mod joint_resistance;
mod lag_actuator;
mod load;
mod maxwell;
mod moment_actuator;
mod path;
mod path_margin;
mod path_pinch;
mod path_slopes;
mod path_view;
mod slopes;
mod spring;
mod switch;
mod torque;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use declare::told;
pub(crate) use formula::{FormulaForce, On};
pub use load::{Load, LoadReading};
pub(crate) use path::moving_point;
pub use path::{Lines, Lost, Paths, Segment, Stop, Wrap};
pub use path_margin::{Margin, MarginKind};
pub use path_pinch::Pinch;
pub(crate) use path_slopes::Run;
pub use path_view::{PathView, movers};
pub(crate) use slopes::{By, LineSlope, LineSlopes, Variable};
pub use switch::{Jump, Switches};

use crate::compile::Context;
use crate::ligament;
use crate::local::{BodySlopes, Slope};
use crate::muscle::{CurvePanel, CurveSamples, MuscleFault, MuscleSize, SIDE_BY_SIDE, dgf, millard, thelen};
use crate::parts::{Named, Slot};
use crate::scene::{Inner, Loads, Now, Scene};
use borelli_math::{Constant, Real};
use borelli_model::{Field, Fields, Kind};
use std::ops::Range;

/// A law with a number type `N`: slots of the parameter array when compiled, values when computed with.
pub trait Law: Sized {
    /// Section of model files in which it stands.
    const SECTION: &'static str = "force";
    /// Fields that all laws of its section have.
    const COMMON: &'static [Field] = &[];
    /// What its doc comment says, for pages about it; empty where there is no page.
    const ABOUT: &'static str = "";
    /// Name and fields in model files.
    const KIND: Kind;
    /// Reads the element; faults go to the context. `None` when something is missing.
    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self>;
}

/// What a law of one variable sees: a path's length or a coordinate, and its rate.
#[derive(Clone, Copy, Debug)]
pub struct Along<S> {
    /// Length, m, or coordinate, rad or m.
    pub x: S,
    /// Its rate.
    pub rate: S,
}

/// What a law of one variable answers.
#[derive(Clone, Copy, Debug)]
pub struct Answer<S> {
    /// Tension of the path, N, or generalised force on the coordinate.
    pub force: S,
    /// Energy stored, J.
    pub stored: S,
}

/// Which states and controls belong to an element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// Entries of z.
    pub states: Range<usize>,
    /// Entries of u.
    pub controls: Range<usize>,
}

macro_rules! laws {
    (
        by formulas: $formula:ident :: $FormulaLaw:ident;
        on bodies: $($body:ident :: $BodyLaw:ident),*;
        on coordinates: $($coordinate:ident :: $CoordinateLaw:ident),*;
        along paths: $($line:ident :: $LineLaw:ident),*;
        muscles, along paths too: $($muscle:ident :: $MuscleLaw:ident),*;
    ) => {
        laws! { @families
            by formulas: $formula :: $FormulaLaw;
            on bodies: $($body :: $BodyLaw),*;
            on coordinates: $($coordinate :: $CoordinateLaw),*;
            along paths: $($line :: $LineLaw),*;
            muscles: $($muscle :: $MuscleLaw),*;
            both: $($line :: $LineLaw,)* $($muscle :: $MuscleLaw),*;
        }

        impl<N> Forces<N> {
            /// Number of muscles.
            pub(crate) fn count_of_muscles(&self) -> usize {
                0 $(+ self.$muscle.len())*
            }

            /// Gives muscles the tables of their curves, when all numbers are known.
            pub(crate) fn settle(&mut self) where N: Real {
                $($muscle::$MuscleLaw::settle(&mut self.$muscle);)*
            }
        }

        /// Curves of a muscle law with its published numbers, by name.
        pub fn muscle_curves(kind: &str) -> Option<Vec<CurvePanel>> {
            $(if kind == <$muscle::$MuscleLaw<Slot> as Law>::KIND.name {
                return Some($muscle::$MuscleLaw::<f64>::portrait());
            })*
            None
        }

        impl Forces<f64> {
            /// Writes the states of muscles where they start at the lengths of their paths. What is worth telling comes with the element.
            pub(crate) fn start(&self, scene: &Scene<f64, f64>, lines: &mut Lines<f64>, z: &mut [f64], mut tell: impl FnMut(String, MuscleFault)) {
                lines.fill(scene);
                let now = scene.now();
                $(for muscle in &self.$muscle {
                    let length = lines.length[muscle.item.on() as usize];
                    muscle.item.start(length, &now, z, &mut |note| tell(format!("muscle.{}", muscle.name), note));
                })*
            }

            /// Muscles by name, with their numbers.
            pub fn muscles(&self) -> Vec<(&str, MuscleSize)> {
                let mut list = Vec::new();
                $(list.extend(self.$muscle.iter().filter_map(|muscle| Some((muscle.name.as_str(), muscle.item.size()?))));)*
                list
            }

            /// Muscles by name, with the curves that their numbers make.
            pub fn muscle_samples(&self) -> Vec<(&str, CurveSamples)> {
                let mut list = Vec::new();
                $(list.extend(self.$muscle.iter().filter_map(|muscle| Some((muscle.name.as_str(), muscle.item.samples()?))));)*
                list
            }
        }
    };
    (
        @families
        by formulas: $formula:ident :: $FormulaLaw:ident;
        on bodies: $($body:ident :: $BodyLaw:ident),*;
        on coordinates: $($coordinate:ident :: $CoordinateLaw:ident),*;
        along paths: $($line:ident :: $LineLaw:ident),*;
        muscles: $($muscle:ident :: $MuscleLaw:ident),*;
        both: $($pulling:ident :: $PullingLaw:ident),*;
    ) => {
        laws! { @all $formula :: $FormulaLaw, $($body :: $BodyLaw,)* $($coordinate :: $CoordinateLaw,)* $($pulling :: $PullingLaw,)* }

        impl<C> Forces<C> {
            /// Adds the loads of all elements, and fills all paths, with or without an element.
            ///
            /// Each path pulls once with the sum of the tensions along it. Compiled once for each number type and called: copies of all laws in every kernel
            /// would cost minutes of compiling and save a nanosecond.
            #[inline(never)]
            pub fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>) where C: Constant<S> {
                let now = scene.now();
                let Loads { force, moment, tau, stored, lines, inner, .. } = &mut *loads;
                lines.fill(scene);
                $(for law in &self.$line {
                    let path = law.item.on() as usize;
                    let answer = law.item.answer(Along { x: lines.length[path], rate: lines.rate[path] }, &now, inner);
                    // Of a path without a place the length is no number, and so is its pull, whatever the law.
                    lines.pulled[path] += answer.force + lines.length[path] * 0.0;
                    *stored += answer.stored;
                })*
                $(for some in self.$muscle.chunks(SIDE_BY_SIDE) {
                    let mut begun = [const { None }; SIDE_BY_SIDE];
                    for (law, begun) in some.iter().zip(&mut begun) {
                        let path = law.item.on() as usize;
                        *begun = law.item.begin(Along { x: lines.length[path], rate: lines.rate[path] }, &now, inner);
                    }
                    for (law, begun) in some.iter().zip(begun) {
                        let path = law.item.on() as usize;
                        let answer = law.item.finish(begun, inner);
                        lines.pulled[path] += answer.force + lines.length[path] * 0.0;
                        *stored += answer.stored;
                    }
                })*
                for law in &self.$formula {
                    law.item.pull(scene, lines, inner);
                }
                lines.pull(force, moment, tau);
                $(for law in &self.$coordinate {
                    let on = law.item.on();
                    let answer = law.item.answer(Along { x: scene.q[on.coord as usize], rate: scene.v[on.dof as usize] }, &now, inner);
                    tau[on.dof as usize] += answer.force;
                    *stored += answer.stored;
                })*
                report_controls(&now, inner);
                $(for law in &self.$body {
                    law.item.apply(scene, loads);
                })*
                for law in &self.$formula {
                    law.item.push(scene, loads);
                }
            }
        }

        impl<N> Forces<N> {
            /// Elements that pull along paths, `muscle.NAME`, each with its path.
            pub fn on_paths(&self) -> Vec<(String, u32)> {
                let mut list = Vec::new();
                $(list.extend(self.$pulling.iter().map(|law| (format!("{}.{}", <$pulling::$PullingLaw<Slot> as Law>::SECTION, law.name), law.item.on())));)*
                let along = |law: &Named<$formula::$FormulaLaw<N>>| Some((format!("force.{}", law.name), law.item.path()?));
                list.extend(self.$formula.iter().filter_map(along));
                list
            }
        }

        impl Forces<f64> {
            /// Slopes of all laws of one variable, for whoever chains them.
            pub(crate) fn line_slopes(
                &self,
                memory: &mut LineSlopes,
                now: &Now<f64, f64>,
                lines: &Lines<f64>,
                q: &[f64],
                v: &[f64],
                mut visit: impl FnMut(LineSlope<'_>),
            ) {
                memory.begin(now);
                $(for law in &self.$pulling {
                    let path = law.item.on() as usize;
                    let at = Along { x: lines.length[path], rate: lines.rate[path] };
                    memory.visit(now, Variable::Path(path), at, law.item.own(), |at, now, inner| law.item.answer(at, now, inner).force, &mut visit);
                })*
                $(for law in &self.$coordinate {
                    let on = law.item.on();
                    let at = Along { x: q[on.coord as usize], rate: v[on.dof as usize] };
                    let variable = Variable::Coordinate { dof: on.dof as usize };
                    memory.visit(now, variable, at, law.item.own(), |at, now, inner| law.item.answer(at, now, inner).force, &mut visit);
                })*
            }

            /// Hands over all laws on bodies, each with its two bodies and a way to add its loads over duals.
            pub(crate) fn body_slopes(&self, place_body: &[u32], slopes: &mut impl BodySlopes) {
                $(for law in &self.$body {
                    slopes.element(law.item.bodies(place_body), |scene: &Scene<Slope, f64>, loads: &mut Loads<Slope>| law.item.apply(scene, loads));
                })*
            }
        }
    };
    (@all $($module:ident :: $Law:ident,)*) => {
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
            pub(crate) fn rewrite<M: Constant<M>>(&self, number: &mut impl FnMut(&N) -> M, out: &mut Forces<M>) {
                $(Named::rewrite(&self.$module, &mut out.$module, |law, old| law.map(number, old));)*
            }
            /// Each element alone, with its path in model files: `force.NAME`.
            pub fn each(&self) -> Vec<(String, Forces<N>)> where N: Clone {
                let mut list = Vec::new();
                $(for law in &self.$module {
                    list.push((format!("{}.{}", <$module::$Law<Slot> as Law>::SECTION, law.name), Forces { $module: vec![law.clone()], ..Forces::default() }));
                })*
                list
            }
            /// True without any element.
            pub fn is_empty(&self) -> bool {
                true $(&& self.$module.is_empty())*
            }
        }

        impl Forces<Slot> {
            /// Reads an element of the given section and type into its list; false if there is no such type.
            pub(crate) fn read(&mut self, section: &str, kind: &str, fields: &mut Fields, context: &mut Context) -> bool {
                $(if section == <$module::$Law<Slot> as Law>::SECTION && kind == <$module::$Law<Slot> as Law>::KIND.name {
                    if let Some(law) = $module::$Law::read(fields, context) {
                        self.$module.push(Named { name: fields.element().name.clone(), item: law });
                    }
                    return true;
                })*
                false
            }
        }

        /// Section, fields it has in common, what its comment says, name and fields of all laws.
        static KINDS: &[(&str, &[Field], &str, Kind)] = &[$((
            <$module::$Law<Slot> as Law>::SECTION,
            <$module::$Law<Slot> as Law>::COMMON,
            <$module::$Law<Slot> as Law>::ABOUT,
            <$module::$Law<Slot> as Law>::KIND,
        )),*];
    };
}

laws! {
    by formulas: formula::FormulaForce;
    on bodies: at_point::ForceAtPoint, torque::Torque, load::Load, moment_actuator::MomentActuator;
    on coordinates: effort::Effort, coordinate_spring::CoordinateSpring, joint_resistance::JointResistance;
    along paths: spring::Spring, cord::Cord, dashpot::Dashpot, maxwell::Maxwell, actuator::Actuator, lag_actuator::LagActuator, ligament::Ligament;
    muscles, along paths too: thelen::Thelen, millard::Millard, dgf::Dgf;
}

/// Names and fields of the laws of a section.
pub fn kinds(section: &str) -> Vec<&'static Kind> {
    KINDS.iter().filter(|(own, ..)| *own == section).map(|(.., kind)| kind).collect()
}

/// Fields that all laws of a section have.
pub fn common(section: &str) -> &'static [Field] {
    KINDS.iter().find(|(own, ..)| *own == section).map_or(&[], |(_, common, ..)| common)
}

/// What the doc comment of a law says: equations, symbols, source, limits, tests. Empty for laws without a page.
pub fn about(section: &str, name: &str) -> &'static str {
    KINDS.iter().find(|(own, .., kind)| *own == section && kind.name == name).map_or("", |(_, _, about, _)| about)
}

impl<N> Forces<N> {
    /// Whether an element pulls at the ends of a path by itself, so that the tension of the path is not that of its laws alone.
    pub(crate) fn has_own_pull(&self, path: u32) -> bool {
        self.moment_actuator.iter().any(|law| law.item.path == path)
    }
}

/// Controls are columns, too: they stand behind the outputs.
#[inline]
fn report_controls<S: Real, C: Constant<S>>(now: &Now<S, C>, inner: &mut Inner<S>) {
    let first = now.numbers.outputs;
    for control in 0..now.numbers.controls.len() {
        inner.output[first + control] = now.control(control as u32);
    }
}
