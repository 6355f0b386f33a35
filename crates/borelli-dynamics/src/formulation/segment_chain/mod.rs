//! `segment-chain`: Newton's and Euler's equations of a planar chain, in which any variable may be known or unknown.
//! Not here: kinematics of the given state (`frames`), forces, rows of loops and guides, which all formulations share.
//! In: a `System` and a state, or segments and a posture. Out: an `Evaluation`, or the values of all variables.
//!
//! The method of Casius, Bobbert & van Soest 2004 (J. Appl. Biomech. 20:421-449): three equations for each of n segments over a pool of 7n + 5 named
//! variables; as many of these are unknown as there are equations. Forward and inverse dynamics are two choices among many.
//!
//! | file | what |
//! | --- | --- |
//! | `variables` | the pool: indices, symbols, names |
//! | `equations` | coefficients and right sides |
//! | `choice` | what is unknown, rows added, faults by name |
//! | `elimination` | the linear solve |
//! | `problem` | all of these together: the method for users of the library |
//! | `quality` | condition, guilty names, least squares |
//! | `tour` | a model's tree as a chain |
//! | `model_chain` | a model's state, loads and rows as a problem |
//! | `task` | a choice of unknowns for a model, by names |
//!
//! As a formulation it takes planar models of hinges and welds with one joint to the world; forces of loops and guides are supports that the solver
//! owns, so that no variable of the model changes its meaning. Cost: the cube of the number of segments, with a small factor.
//! Tests: two segments by hand, the other formulations, the oracle, random choices of unknowns.

mod choice;
mod elimination;
mod equations;
mod model_chain;
mod problem;
mod quality;
mod task;
mod tour;
mod variables;

#[cfg(test)]
mod tests;

pub use choice::{ChoiceFault, Group, MOST_SEGMENTS, Row, Setup, Term, WORST_CONDITION};
pub use equations::{Posture, Segment};
pub use problem::Problem;
pub use quality::{Fit, Quality};
pub use task::{Given, Mixed, Preset, Task, TaskFault, TaskRow};
pub use variables::{Direction, Labels, Layout, Quantity, Variable};

use super::{Declined, Evaluation, Failure, Formulation, Input};
use crate::constraint::RowControl;
use crate::system::System;
use model_chain::ModelChain;
use tour::{Ends, Tour};

/// Makes the formulation for a system, or says why the model is no chain of segments.
pub fn build(system: &System) -> Result<Box<dyn Formulation>, Declined> {
    Ok(Box::new(SegmentChain::new(system)?))
}

/// Forward dynamics of a model by its chain.
pub struct SegmentChain {
    chain: ModelChain,
    problem: Problem,
    values: Vec<f64>,
}

impl SegmentChain {
    /// Memory for a system, or why it is no chain.
    pub fn new(system: &System) -> Result<Self, Declined> {
        let chain = ModelChain::new(system, Tour::new(system, Ends::default())?);
        let problem =
            Problem::with_ties(&chain.forward(system), chain.ties(system, true)).map_err(|fault| Declined { reason: fault.to_string() })?;
        Ok(SegmentChain { values: vec![0.0; problem.layout().all()], chain, problem })
    }
}

impl Formulation for SegmentChain {
    fn evaluate(&mut self, system: &System, input: Input, out: &mut Evaluation) -> Result<(), Failure> {
        self.chain.look(system, &input, &[], &mut self.problem)?;
        self.chain.fill_values(system, &input, &mut self.values);
        // Welds ask for no relative acceleration; no chain of a model has other rows.
        let rights = self.chain.no_rights();
        if self.problem.solve_unexamined(self.chain.posture(), rights, &mut self.values).is_err() {
            return Err(Failure::of_joint(system, self.chain.root(), self.chain.unfound()));
        }
        self.chain.read_off(system, &self.problem, &self.values, out)
    }

    fn set_row_control(&mut self, control: &RowControl) {
        self.chain.set_row_control(control);
    }
}
