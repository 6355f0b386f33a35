//! Which part of a course finds a column, and by which unknowns it has slopes.
//! Not here: finding it (`course`). In: a system, which parameters are unknown, which columns are asked for. Out: groups of columns.

use super::course::Way;
use super::unknowns::Unknowns;
use crate::channels::{Channels, TIME};
use crate::column_visitor::{Listed, Needs};
use crate::contact_columns::{visit_contact, visit_pair};
use crate::instant_columns::{self, Scope};
use borelli_dynamics::System;
use std::ops::Range;

/// What is found in one go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Still,
    Pair(usize),
    Contact(usize),
    Whole,
}

/// A part with the columns that are asked of it.
pub(super) struct Group {
    pub part: Part,
    /// Of a pair or a contact: all its columns.
    pub listed: Listed,
    /// Cells of what is asked for: columns of the list above, or channels.
    pub cells: Vec<usize>,
    /// Unknowns that it depends on, increasing.
    pub unknowns: Vec<usize>,
    /// Pairs that are looked at, and bodies of their surfaces, by place in `Course::bodies`.
    pub pairs: Range<usize>,
    pub bodies: Vec<usize>,
}

/// Union of increasing lists.
pub(super) fn union(lists: impl Iterator<Item = Vec<usize>>) -> Vec<usize> {
    let mut all: Vec<usize> = lists.flatten().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Columns that are asked for, by the part that finds them.
///
/// `moving`: unknowns that the motion depends on.
pub(super) fn groups(
    system: &System,
    channels: &Channels,
    unknowns: &Unknowns,
    moving: &[usize],
    leaves: &[usize],
    way: Way,
) -> Vec<Group> {
    let all: Vec<usize> = (0..unknowns.list.len()).collect();
    let touched = |slots: &[usize]| -> Vec<usize> {
        let sees = |k: &usize| unknowns.list[*k].slots.iter().any(|(slot, _)| slots.contains(slot));
        all.iter().copied().filter(sees).collect()
    };
    let name = |channel: usize| &channels.list()[channel - 1].name;
    let mut rest: Vec<usize> = leaves.iter().copied().filter(|channel| *channel != TIME).collect();
    let mut groups = Vec::new();
    let by_parts = way == Way::Parts && touched(&system.parts.slots_of_joints()).is_empty();
    if by_parts {
        let contacts = &system.parts.contacts;
        let slots = |pairs: Range<usize>| union(pairs.map(|pair| contacts.slots_of(pair, &system.parts.places)));
        let mut candidates: Vec<Group> = Vec::new();
        for pair in 0..system.names.pairs.len() {
            let mut listed = Listed::default();
            visit_pair::<f64>(system, pair, false, &mut listed);
            let unknowns = union([touched(&slots(pair..pair + 1)), moving.to_vec()].into_iter());
            candidates.push(Group {
                part: Part::Pair(pair),
                listed,
                cells: Vec::new(),
                unknowns,
                pairs: pair..pair + 1,
                bodies: Vec::new(),
            });
        }
        for contact in 0..system.names.contacts.len() {
            let mut listed = Listed::default();
            visit_contact::<f64>(system, contact, &mut listed);
            let pairs = contacts.pairs_of(contact);
            let unknowns = union([touched(&slots(pairs.clone())), moving.to_vec()].into_iter());
            candidates.push(Group { part: Part::Contact(contact), listed, cells: Vec::new(), unknowns, pairs, bodies: Vec::new() });
        }
        // What a pair remembers it learns sample by sample.
        let remembers = |group: &Group| group.pairs.clone().any(|pair| system.numbers.contacts.remembers(pair));
        let mut quiet = Vec::new();
        for mut group in candidates {
            rest.retain(|channel| match group.listed.list.iter().position(|column| column.name == *name(*channel)) {
                Some(_) if group.unknowns.is_empty() && !remembers(&group) => {
                    quiet.push(*channel);
                    false
                }
                Some(column) => {
                    group.listed.ask(column);
                    group.cells.push(column);
                    false
                }
                None => true,
            });
            if !group.cells.is_empty() {
                groups.push(group);
            }
        }
        let mut listed = Listed::default();
        instant_columns::visit::<f64>(Scope { system, audited: false, root: None }, &mut listed);
        let on_bodies = touched(&system.parts.slots_of_bodies()).is_empty();
        let is_still = |channel: &usize| {
            let needs = listed.needs_of(*channel - 1);
            moving.is_empty() && (needs == Needs::NONE || on_bodies && (Needs::POSES | Needs::MOMENTA).has(needs))
        };
        let (mut cells, others): (Vec<usize>, Vec<usize>) = rest.into_iter().partition(is_still);
        rest = others;
        cells.extend(quiet);
        if !cells.is_empty() {
            groups.push(Group {
                part: Part::Still,
                listed: Listed::default(),
                cells,
                unknowns: Vec::new(),
                pairs: 0..0,
                bodies: Vec::new(),
            });
        }
    }
    if !rest.is_empty() {
        groups.push(Group { part: Part::Whole, listed: Listed::default(), cells: rest, unknowns: all, pairs: 0..0, bodies: Vec::new() });
    }
    groups
}
