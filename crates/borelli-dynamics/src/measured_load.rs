//! Measured loads put on a compiled system: what a study adds to a model without writing a file.
//! Not here: the law of a load (`force::load`), files of force plates and who decides which body they act on.
//! In: a `System`, loads as functions of time. Out: the same system with force elements `load`.

use crate::force::Load;
use crate::parts::{FunctionPart, Named, Slot};
use crate::system::{BodyIndex, Bound, System};
use borelli_data::Explain;
use borelli_math::function::Function;
use std::sync::Arc;

/// A force at a moving point, with a couple, on a body; world axes. In planar models only what lies in the plane counts.
#[derive(Clone, Debug)]
pub struct MeasuredLoad {
    /// Name of the force element, and of the columns `load.NAME.*`.
    pub name: String,
    /// Body it acts on.
    pub body: BodyIndex,
    /// Force over time, N.
    pub force: [Function<f64>; 3],
    /// Point of application over time, m.
    pub point: [Function<f64>; 3],
    /// Couple over time, N m.
    pub moment: [Function<f64>; 3],
}

/// Why loads cannot be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadFault {
    /// A force element has this name already.
    NameTaken {
        /// The name.
        name: String,
    },
    /// There is no such body.
    NoSuchBody {
        /// The load.
        name: String,
        /// The index asked for.
        body: BodyIndex,
    },
}

impl Explain for LoadFault {
    fn code(&self) -> &'static str {
        match self {
            LoadFault::NameTaken { .. } => "load-name-taken",
            LoadFault::NoSuchBody { .. } => "load-no-body",
        }
    }

    fn message(&self) -> String {
        match self {
            LoadFault::NameTaken { name } => format!("the model has a force `{name}` already"),
            LoadFault::NoSuchBody { name, body } => format!("load `{name}` is to act on body {body}, which the model does not have"),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            LoadFault::NameTaken { .. } => Some("give the load a name of its own".into()),
            LoadFault::NoSuchBody { .. } => None,
        }
    }
}

impl System {
    /// The same system with measured loads. Their numbers are no parameters; their tables bound the time as those of a file do.
    ///
    /// Tests: `loads_added_to_a_system_are_those_of_a_file`.
    pub fn with_loads(&self, loads: &[MeasuredLoad]) -> Result<System, LoadFault> {
        let mut system = self.clone();
        for load in loads {
            let taken = system.parts.forces.each().iter().any(|(name, _)| *name == format!("force.{}", load.name));
            if taken {
                return Err(LoadFault::NameTaken { name: load.name.clone() });
            }
            if load.body as usize >= system.skeleton.parent.len() {
                return Err(LoadFault::NoSuchBody { name: load.name.clone(), body: load.body });
            }
            let (along, about) = if system.skeleton.planar { (0..2, 2..3) } else { (0..3, 0..3) };
            let force = system.add_functions(load, "force", &load.force, along.clone());
            let point = system.add_functions(load, "point", &load.point, along);
            let moment = system.add_functions(load, "moment", &load.moment, about);
            let item = Load::new(load.body, force, point, moment);
            system.parts.forces.load.push(Named { name: load.name.clone(), item });
        }
        Arc::make_mut(&mut system.skeleton).extent = system.parts.extent();
        system.refill(&system.values());
        Ok(system)
    }

    /// Adds those functions of time that lie in `axes`, named as inline functions of a file are.
    fn add_functions(
        &mut self,
        load: &MeasuredLoad,
        field: &str,
        functions: &[Function<f64>; 3],
        axes: std::ops::Range<usize>,
    ) -> [Option<u32>; 3] {
        let mut indices = [None; 3];
        for (k, axis) in axes.enumerate() {
            let (function, index) = (&functions[axis], self.parts.functions.len() as u32);
            let name = format!("force.{}.{field}.{}", load.name, k + 1);
            if let Some(range) = function.domain() {
                self.bounds.push(Bound { function: name.clone(), element: format!("force.{}", load.name), coord: None, range });
            }
            self.of_time.push(index);
            self.names.functions.push(name);
            self.parts.functions.push(FunctionPart::of(function));
            indices[axis] = Some(index);
        }
        indices
    }
}

impl FunctionPart<Slot> {
    /// A function whose numbers are no parameters.
    fn of(function: &Function<f64>) -> Self {
        let constants = |list: &[f64]| list.iter().map(|x| Slot::Const(*x)).collect();
        match function {
            Function::Constant(c) => FunctionPart::Constant(Slot::Const(*c)),
            Function::Polynomial { origin, coefficients } => FunctionPart::Polynomial(Slot::Const(*origin), constants(coefficients)),
            Function::Sine { amplitude, frequency, phase, offset } => {
                FunctionPart::Sine([*amplitude, *frequency, *phase, *offset].map(Slot::Const))
            }
            Function::Fourier { period, mean, cosines, sines } => {
                FunctionPart::Fourier(Slot::Const(*period), Slot::Const(*mean), constants(cosines), constants(sines))
            }
            Function::Table(table) => FunctionPart::Table(table.clone(), None),
            Function::Points(points) => FunctionPart::Table(points.base().clone(), None),
            Function::Expression(expression) => FunctionPart::Expression(expression.clone()),
        }
    }
}
