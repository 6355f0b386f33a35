//! Recording: the channels that are kept, as rows of a trajectory.
//! Not here: what a channel is (`channels`), when a row is due (the analyses).
//! In: patterns, states. Out: a `Trajectory`, and maps of pressure mats.

use crate::channels::Channels;
use crate::columns::Look;
use crate::pattern::fits;
use crate::plan_fault::PlanFault;
use crate::pressure::{Maps, PressureMap};
use borelli_data::{Column, TableFault, Trajectory};
use borelli_dynamics::formulation::Failure;
use borelli_model::{Findings, suggest};

/// Why a row could not be kept.
#[derive(Clone, Debug)]
pub(super) enum RowFault {
    /// The state cannot be evaluated.
    Evaluation(Failure),
    /// A value is not finite, or time does not increase.
    Table(TableFault),
    /// A watch has ended the run: points of a path have met, surfaces stick, a body goes through another, a singular position was not passed.
    Watched {
        /// What is to blame: `path.line`, `contact.foot`, `loop.closed`.
        element: String,
        /// For people.
        reason: String,
    },
}

/// Channels, and the rows recorded so far.
pub(super) struct Recorder<'s> {
    channels: Channels<'s>,
    /// Numbers of the channels that are kept.
    kept: Vec<usize>,
    row: Vec<f64>,
    table: Trajectory,
    maps: Maps,
}

impl<'s> Recorder<'s> {
    /// Keeps the channels that match one of the patterns, and all derived ones; all without patterns. They are asked for.
    pub(super) fn new(mut channels: Channels<'s>, patterns: &[String], maps: Maps, findings: &mut Findings) -> Recorder<'s> {
        let names = || channels.list().iter().map(|column| column.name.as_str());
        for pattern in patterns.iter().filter(|pattern| !names().any(|name| fits(pattern, name))) {
            let nearest = suggest(pattern, names()).map(str::to_string);
            findings.push(None, "", "columns", &PlanFault::NoColumn { pattern: pattern.clone(), nearest });
        }
        let keep = |name: &str| patterns.is_empty() || name.starts_with("derived.") || patterns.iter().any(|pattern| fits(pattern, name));
        // A column that may lack values is kept with the one that says where it has them.
        let optional = channels.list().iter().filter(|column| column.optional && keep(&column.name));
        let flags: Vec<String> = optional.filter_map(|column| Some(format!("{}.valid", column.name.rsplit_once('.')?.0))).collect();
        let is_kept = |name: &str| keep(name) || flags.iter().any(|flag| flag == name);
        let kept: Vec<usize> = names().enumerate().filter(|(_, name)| is_kept(name)).map(|(k, _)| k + 1).collect();
        kept.iter().for_each(|channel| channels.ask(*channel));
        if maps.are_wanted() {
            channels.ask_mats();
        }
        let columns: Vec<Column> = kept.iter().map(|k| channels.list()[k - 1].clone()).collect();
        // Names and units come from our own lists and from checked formulas.
        let table = Trajectory::new(columns).unwrap_or_else(|fault| panic!("columns of our own making: {fault}"));
        Recorder { row: vec![0.0; kept.len() + 1], channels, kept, table, maps }
    }

    /// The channels.
    pub(super) fn channels(&mut self) -> &mut Channels<'s> {
        &mut self.channels
    }

    /// The columns that are kept.
    pub(super) fn columns(&self) -> Vec<Column> {
        self.table.columns().to_vec()
    }

    /// Time of the last row.
    pub(super) fn last(&self) -> Option<f64> {
        self.table.time().last().copied()
    }

    /// Records a state.
    pub(super) fn push(&mut self, look: Look) -> Result<(), RowFault> {
        let values = self.channels.look(look).map_err(RowFault::Evaluation)?;
        self.row[0] = look.t;
        for (cell, k) in self.row[1..].iter_mut().zip(&self.kept) {
            *cell = values[*k];
        }
        self.table.push_row(&self.row).map_err(RowFault::Table)?;
        self.maps.note(look.t, self.channels.mats());
        Ok(())
    }

    /// What was recorded.
    pub(super) fn finish(self) -> (Trajectory, Vec<PressureMap>) {
        (self.table, self.maps.finish())
    }
}
