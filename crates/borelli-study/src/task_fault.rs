//! Faults of a choice of unknowns as people read them: code, message, hint. The same for study files and for the command line.
//! Not here: where a fault is written (`mixed_solver`), the faults themselves (`borelli-dynamics`).
//! In: a `TaskFault`. Out: a `PlanFault` with a hint.

use crate::plan_fault::PlanFault;
use borelli_dynamics::formulation::segment_chain::{ChoiceFault, TaskFault};
use borelli_model::suggest;

impl From<&TaskFault> for PlanFault {
    /// The fault without its place, which a reader of files or options knows better.
    fn from(fault: &TaskFault) -> PlanFault {
        let text = fault.to_string();
        let (message, hint) = text.split_once("\n  hint: ").unwrap_or((&text, "the manual has a page on chains of segments"));
        let (mut message, mut hint) = (message.to_string(), hint.to_string());
        let code = match fault {
            TaskFault::Declined { .. } => {
                hint = "`mixed` takes planar models of hinges and welds with one joint to the world".into();
                "not-a-chain"
            }
            TaskFault::UnknownName { found, place, known } => {
                let body = place == "base" || place == "end";
                message = format!("there is no {} `{found}`", if body { "body" } else { "variable" });
                let list = known.join(", ");
                // The nearest may be far off: all names are told.
                hint = match suggest(found, known.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`? there are {list}"),
                    None => format!("there are {list}"),
                };
                if body { "unknown-body" } else { "unknown-variable" }
            }
            TaskFault::Reserved { place, .. } | TaskFault::BaseHeld { place, .. } => {
                message = message.trim_start_matches(&format!("{place}: ")).to_string();
                if matches!(fault, TaskFault::BaseHeld { .. }) { "base-held" } else { "reserved-variable" }
            }
            TaskFault::KnownTwice { .. } => "known-twice",
            TaskFault::KnownAndUnknown { .. } => {
                hint = "take it off one of the lists; a variable of the preset that is given a value is known by itself".into();
                "known-and-unknown"
            }
            TaskFault::Choice(ChoiceFault::Count { .. }) => "unknown-count",
            TaskFault::Choice(ChoiceFault::AlreadyUnknown { .. }) => "already-unknown",
            TaskFault::Choice(ChoiceFault::Claimed { .. }) => "claimed-twice",
            TaskFault::Choice(ChoiceFault::Singular { .. }) => "singular-choice",
            TaskFault::Choice(ChoiceFault::Idle { .. }) => "idle-row",
            TaskFault::Choice(ChoiceFault::Weight { .. } | ChoiceFault::NotFinite { .. }) => "weight-not-finite",
            TaskFault::Choice(ChoiceFault::TooLong { .. } | ChoiceFault::NoSuchVariable { .. } | ChoiceFault::WrongLength { .. }) => {
                "not-a-chain"
            }
        };
        PlanFault::Task { code, message, hint }
    }
}
