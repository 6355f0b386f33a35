//! Tension along a path that follows a command with a lag.

use super::Law;
use super::path::PATH;
use crate::compile::Context;
use crate::parts::Slot;
use crate::scene::{Loads, Scene};
use borelli_math::{Constant, Real};
use borelli_model::{Field, FieldKind, Fields, Kind, Need, Range};

/// An actuator along a path whose tension follows a command with a lag of first order: the simplest motor or muscle with dynamics of its own.
///
/// ```text
/// N = a        T ȧ = u(t) − a                                                                  (1)
/// ```
///
/// | N tension, N | a state `tension`, N, at first `tension` of the file | u control `command`, N, function of time unless it is replaced | T `time_constant` s |
///
/// Output: `command`. Source: elementary. Limits: a negative command pushes; nothing prevents it.
/// Tests: `an_actuator_with_a_lag_follows_its_command_as_the_closed_form_says`, `every_path_law_acts_and_reacts`.
#[derive(Clone, Debug)]
pub struct LagActuator<N> {
    path: u32,
    time_constant: N,
    control: u32,
    tension: u32,
    command: u32,
}

impl Law for LagActuator<Slot> {
    const KIND: Kind = Kind {
        name: "lag-actuator",
        doc: "Tension along a path that follows a command with a lag: time_constant tension' = command - tension",
        fields: &[
            PATH,
            Field {
                name: "command",
                kind: FieldKind::Function { value: "N" },
                need: Need::Required,
                doc: "control: tension wanted, function of time",
            },
            Field {
                name: "time_constant",
                kind: FieldKind::Quantity { unit: "s", range: Range::POSITIVE },
                need: Need::Required,
                doc: "time after which all but 1/e of a step of the command is followed",
            },
            Field {
                name: "tension",
                kind: FieldKind::Quantity { unit: "N", range: Range::ANY },
                need: Need::Default(0.0),
                doc: "tension at the start",
            },
        ],
        planar: true,
        spatial: true,
    };

    fn read(fields: &mut Fields, context: &mut Context) -> Option<Self> {
        let path = context.path(fields, "path");
        let control = context.control(fields, "command", "N");
        let time_constant = context.quantity(fields, "time_constant", "s");
        let start = context.quantity(fields, "tension", "N");
        let (tension, command) = (context.state(fields, "tension", "N", start?), context.output(fields, "command", "N"));
        Some(LagActuator { path: path?, time_constant: time_constant?, control: control?, tension, command })
    }
}

impl<N> LagActuator<N> {
    pub(super) fn map<M>(&self, number: &mut impl FnMut(&N) -> M) -> LagActuator<M> {
        let LagActuator { path, control, tension, command, .. } = *self;
        LagActuator { path, time_constant: number(&self.time_constant), control, tension, command }
    }
}

impl<C> LagActuator<C> {
    #[inline]
    pub(super) fn apply<S: Real>(&self, scene: &Scene<S, C>, loads: &mut Loads<S>)
    where
        C: Constant<S>,
    {
        let (tension, command) = (scene.state(self.tension), scene.control(self.control));
        loads.path_tension[self.path as usize] += tension;
        loads.zdot[self.tension as usize] = (command - tension) / self.time_constant.lift();
        loads.output[self.command as usize] = command;
    }
}
