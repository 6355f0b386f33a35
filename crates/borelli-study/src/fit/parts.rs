//! Which part of a course finds a column, and by which unknowns it has slopes.
//! Not here: finding it (`course`). In: a system, which parameters are unknown, which columns are asked for. Out: groups of columns.

use super::course::Way;
use super::unknowns::Unknowns;
use crate::channels::{Channels, TIME};
use crate::column_visitor::{Listed, Needs};
use crate::contact_columns::visit_contact;
use crate::instant_columns::{self, Scope};
use crate::pair_columns::PairColumn;
use borelli_dynamics::System;
use std::ops::Range;

/// What is found in one go.
pub(super) enum Part {
    Still,
    /// A pair of surfaces, and the columns that are asked for.
    Pair(usize, Vec<PairColumn>),
    /// A contact, all its columns, and which of them are asked for.
    Contact(usize, Listed, Vec<usize>),
    Whole,
}

/// A part with the columns that are asked of it.
pub(super) struct Group {
    pub part: Part,
    /// Channels that are asked for, cell by cell.
    pub channels: Vec<usize>,
    /// Unknowns that it depends on, increasing.
    pub unknowns: Vec<usize>,
    /// The first of them, where there are no gaps.
    pub run: Option<usize>,
    /// Pairs that are looked at, and bodies of their surfaces, by place in `Course::bodies`.
    pub pairs: Range<usize>,
    pub bodies: Vec<usize>,
}

impl Group {
    fn new(part: Part, unknowns: Vec<usize>, pairs: Range<usize>) -> Group {
        let ends = unknowns.first().zip(unknowns.last());
        let run = ends.and_then(|(first, last)| (last - first + 1 == unknowns.len()).then_some(*first));
        Group { part, channels: Vec::new(), unknowns, run, pairs, bodies: Vec::new() }
    }

    /// Whether its cells are kept from the start.
    pub fn is_still(&self) -> bool {
        matches!(self.part, Part::Still)
    }

    /// Whether a cell has slopes where the surfaces of a pair are apart.
    pub fn is_seen_apart(&self, cell: usize) -> bool {
        if let Part::Pair(_, columns) = &self.part { columns[cell].is_seen_apart() } else { true }
    }
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
        let by = |pairs: Range<usize>| union([touched(&slots(pairs)), moving.to_vec()].into_iter());
        // Names of what a part can find, and how a column of it is asked for.
        type Candidate<'a> = (Group, Vec<String>, Box<dyn Fn(&mut Group, usize) + 'a>);
        let mut candidates: Vec<Candidate> = Vec::new();
        for pair in 0..system.names.pairs.len() {
            let list = PairColumn::list(system.skeleton.planar, system.numbers.contacts.has_volume(pair));
            let names = list.iter().map(|column| format!("contact.{}.{}", system.names.pairs[pair], column.words().0)).collect();
            let ask = |group: &mut Group, column: usize| {
                if let Part::Pair(_, columns) = &mut group.part {
                    columns.push(list[column]);
                }
            };
            candidates.push((Group::new(Part::Pair(pair, Vec::new()), by(pair..pair + 1), pair..pair + 1), names, Box::new(ask)));
        }
        for contact in 0..system.names.contacts.len() {
            let mut listed = Listed::default();
            visit_contact::<f64>(system, contact, &mut listed);
            let names = listed.list.iter().map(|column| column.name.clone()).collect();
            let pairs = contacts.pairs_of(contact);
            let ask = |group: &mut Group, column: usize| {
                if let Part::Contact(_, listed, columns) = &mut group.part {
                    listed.ask(column);
                    columns.push(column);
                }
            };
            candidates.push((Group::new(Part::Contact(contact, listed, Vec::new()), by(pairs.clone()), pairs), names, Box::new(ask)));
        }
        // What a pair remembers it learns sample by sample.
        let remembers = |group: &Group| group.pairs.clone().any(|pair| system.numbers.contacts.remembers(pair));
        let mut quiet = Vec::new();
        for (mut group, names, ask) in candidates {
            rest.retain(|channel| match names.iter().position(|own| own == name(*channel)) {
                Some(_) if group.unknowns.is_empty() && !remembers(&group) => {
                    quiet.push(*channel);
                    false
                }
                Some(column) => {
                    ask(&mut group, column);
                    group.channels.push(*channel);
                    false
                }
                None => true,
            });
            if !group.channels.is_empty() {
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
        let (mut channels, others): (Vec<usize>, Vec<usize>) = rest.into_iter().partition(is_still);
        rest = others;
        channels.extend(quiet);
        if !channels.is_empty() {
            groups.push(Group { channels, ..Group::new(Part::Still, Vec::new(), 0..0) });
        }
    }
    if !rest.is_empty() {
        groups.push(Group { channels: rest, ..Group::new(Part::Whole, all, 0..0) });
    }
    groups
}
