//! Relations between the numbers of one shape or law of contact, which the ranges of single numbers do not tell.
//! Not here: the relations themselves, which stand with the shapes and laws (`borelli-contact`); ranges (`borelli-model`).
//! In: a kind and values, or a system whose parameters were set. Out: faults, with the parameters that are meant.

use super::Fault;
use crate::System;
use crate::contact::{Manner, NormalLaw};
use crate::parts::Slot;
use borelli_contact::law;
use borelli_contact::pressure::Foundation;
use borelli_contact::shape::ShapeFault;
use borelli_contact::volume::Volumetric;
use borelli_model::Explain;

/// Numbers of a system that do not go together.
#[derive(Clone, Debug)]
pub struct Misfit {
    /// Paths of all parameters of the shape or law.
    pub paths: Vec<String>,
    /// What is wrong with them.
    pub fault: Fault,
}

/// Two numbers of a law in the wrong order, and the field that is blamed; values in the order of the law's parameters.
pub(crate) fn out_of_order(kind: &law::Kind, values: &[f64]) -> Option<(&'static str, Fault)> {
    match kind.check_orders(values) {
        Err(law::Fault::OutOfOrder { greater, lesser, values, .. }) => Some((greater, Fault::LawOrder { greater, lesser, values })),
        _ => None,
    }
}

/// What is wrong with a shape, and what to do, from its own words.
pub(crate) fn bad_shape(fault: &ShapeFault) -> Fault {
    let text = fault.to_string();
    let (reason, advice) = text.split_once("\n  hint: ").unwrap_or((&text, "change its numbers"));
    Fault::BadShape { reason: reason.into(), advice: advice.into() }
}

/// Surfaces and laws of contact whose numbers do not go together, each once, also a law that several contacts share.
pub fn misfits(system: &System) -> Vec<Misfit> {
    let mut list: Vec<Misfit> = Vec::new();
    let mut add = |slots: &[Slot], fault: Option<Fault>| {
        let path = |slot: &Slot| if let Slot::Param(k) = slot { Some(system.parameters[*k as usize].path.clone()) } else { None };
        let paths: Vec<String> = slots.iter().filter_map(path).collect();
        if let Some(fault) = fault
            && list.iter().all(|known| known.paths != paths)
        {
            list.push(Misfit { paths, fault });
        }
    };
    for (parts, numbers) in system.parts.contacts.surfaces.iter().zip(&system.numbers.contacts.surfaces) {
        let mut slots = Vec::new();
        parts.item.shape.map(&mut |slot| slots.push(*slot));
        add(&slots, numbers.item.shape.check().err().as_ref().map(bad_shape));
    }
    let values: Vec<f64> = system.parameters.iter().map(|parameter| parameter.value).collect();
    let mut judge = |kind: &law::Kind, slots: Vec<Slot>| {
        let values: Vec<f64> = slots.iter().map(|slot| slot.get(&values)).collect();
        add(&slots, out_of_order(kind, &values).map(|(_, fault)| fault));
    };
    for manner in &system.parts.contacts.manners {
        let Manner { normal, friction, spin, .. } = &manner.item;
        let mut slots = Vec::new();
        let kind = match normal {
            NormalLaw::Point(law) => {
                law.map(&mut |slot| slots.push(*slot));
                law.kind()
            }
            NormalLaw::Volume { law, .. } => {
                law.map(&mut |slot| slots.push(*slot));
                &Volumetric::<Slot>::KIND
            }
            NormalLaw::Foundation(law) => {
                law.map(&mut |slot| slots.push(*slot));
                &Foundation::<Slot>::KIND
            }
        };
        judge(kind, slots);
        if let Some(law) = friction {
            let mut slots = Vec::new();
            law.map(&mut |slot| slots.push(*slot));
            judge(law.kind(), slots);
        }
        if let Some(law) = spin {
            let mut slots = Vec::new();
            law.map(&mut |slot| slots.push(*slot));
            judge(law.kind(), slots);
        }
    }
    if let Some((what, fault)) = crate::soft::misfit(system) {
        let paths = system.parameters.iter().map(|p| &p.path).filter(|path| path.starts_with(&format!("{what}."))).cloned().collect();
        list.push(Misfit { paths, fault: Fault::BadShape { reason: fault.message(), advice: fault.hint().unwrap_or_default() } });
    }
    list
}
