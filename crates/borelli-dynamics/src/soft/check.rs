//! Whether conditions on soft parts go together: nodes that are held twice, parts that nothing holds.
//! Not here: single elements (`read`, `attach`).
//! In: the recipe and the meshes for the numbers of the file. Out: faults at the later of two elements.

use super::read::Known;
use super::{Soft, SoftFault};
use crate::compile::Context;
use crate::parts::FunctionPart;
use borelli_model::{Element, Findings, Model};
use borelli_soft::definition::{BoundaryIndex, Partner};
use borelli_soft::mesh::Mesh;
use std::collections::HashMap;

/// What holds a node in one direction: the element, and for a support the function of its displacement.
#[derive(Clone, Copy)]
struct Holder<'m> {
    element: &'m Element,
    /// Function of a support, nothing for a displacement of zero; of a tie nobody knows.
    given: Option<Option<u32>>,
}

type Holders<'m> = HashMap<(usize, u32, usize), Holder<'m>>;

/// Enters what holds the nodes of a boundary; the first node that is held otherwise, and by what.
fn hold<'m>(
    mesh: &Mesh,
    of: BoundaryIndex,
    directions: [bool; 2],
    new: [Holder<'m>; 2],
    holders: &mut Holders<'m>,
) -> Option<(u32, String)> {
    let mut clash = None;
    for node in mesh.boundaries[of.boundary].nodes() {
        for k in (0..2).filter(|k| directions[*k]) {
            let old = *holders.entry((of.body, node, k)).or_insert(new[k]);
            let same = std::ptr::eq(old.element, new[k].element) || (old.given.is_some() && old.given == new[k].given);
            if !same {
                clash.get_or_insert((node, old.element.path()));
            }
        }
    }
    clash
}

/// Reports nodes that two ties, or a tie and a support, hold in the same direction, or two supports in different ways. Supports that agree may share
/// nodes: a corner belongs to two sides.
pub(super) fn shared_nodes(model: &Model, soft: &Soft, known: &[Known], context: &Context, findings: &mut Findings) {
    let meshes: HashMap<usize, &Mesh> = known.iter().filter_map(|part| part.body.as_ref()).map(|(body, mesh)| (*body, mesh)).collect();
    let mut holders = Holders::new();
    let mut clashes = Vec::new();
    for (element, tie) in model.ties.iter().zip(&soft.ties) {
        let holder = Holder { element, given: None };
        if let Some(clash) = hold(meshes[&tie.item.of.body], tie.item.of, [true; 2], [holder; 2], &mut holders) {
            clashes.push((element, tie.item.of, clash));
        }
    }
    for (element, support) in model.supports.iter().zip(&soft.supports) {
        let given = |k: usize| support.item.displacement[k].filter(|function| !is_zero(*function, context));
        let holder = [0, 1].map(|k| Holder { element, given: Some(given(k)) });
        if let Some(clash) = hold(meshes[&support.item.of.body], support.item.of, support.item.held, holder, &mut holders) {
            clashes.push((element, support.item.of, clash));
        }
    }
    for (element, of, (node, first)) in clashes {
        let at = meshes[&of.body].points[node as usize];
        let fault = SoftFault::SharedNode { node, at, first, second: element.path() };
        findings.push(element.value("boundary").map(|value| value.at), element, "boundary", &fault);
    }
    // Two boundaries tied to each other both ways.
    for (k, tie) in soft.ties.iter().enumerate() {
        let back = |other: &BoundaryIndex| {
            soft.ties[..k].iter().find(|first| first.item.of == *other && first.item.to == Partner::Boundary(tie.item.of))
        };
        if let Partner::Boundary(to) = &tie.item.to
            && let Some(first) = back(to)
        {
            let element = &model.ties[k];
            let mesh = meshes[&tie.item.of.body];
            let node = mesh.boundaries[tie.item.of.boundary].nodes().first().copied().unwrap_or_default();
            let fault = SoftFault::SharedNode {
                node,
                at: mesh.points[node as usize],
                first: format!("tie.{}", first.name),
                second: element.path(),
            };
            findings.push(element.value("to").map(|value| value.at), element, "to", &fault);
        }
    }
}

fn is_zero(function: u32, context: &Context) -> bool {
    matches!(context.function_part(function), FunctionPart::Constant(slot) if context.value(*slot) == 0.0)
}

/// Reports soft parts that no tie, support or contact holds.
pub(super) fn held(soft: &Soft, known: &[Known], findings: &mut Findings) {
    for part in known {
        let Some((body, _)) = part.body else { continue };
        let tied = soft.ties.iter().any(|tie| tie.item.of.body == body || matches!(tie.item.to, Partner::Boundary(to) if to.body == body));
        let supported = soft.supports.iter().any(|support| support.item.of.body == body);
        let touched = soft.contacts.iter().any(|contact| contact.item.of.body == body);
        if !(tied || supported || touched) {
            findings.push(part.at, format!("soft.{}", part.name), "", &SoftFault::Unheld { soft: part.name.clone() });
        }
    }
}
