//! One walk over columns, for who lists them and for who fills them, so that name, unit and value of a column stand in one place.
//! Not here: which columns there are (`instant_columns` and its neighbours), how what they show is found (`columns`).
//! In: a walk. Out: names with units and needs; or the values of the columns that were asked for.

use borelli_data::Column;
use borelli_dynamics::System;
use borelli_dynamics::constraint::Rows;
use borelli_dynamics::contact::{MatReading, Resultant};
use borelli_dynamics::force::LoadReading;
use borelli_dynamics::formulation::Evaluation;
use borelli_dynamics::frames::Frames;
use borelli_dynamics::system::Numbers;
use borelli_math::{Real, Vec3};
use std::ops::{BitOr, BitOrAssign};

/// What has to be found at an instant before a column can be written; each with what it rests on itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs(u16);

impl Needs {
    /// The state alone.
    pub(crate) const NONE: Needs = Needs(0);
    /// Poses and velocities of bodies.
    pub(crate) const POSES: Needs = Needs(1);
    /// How far rows of loops and guides are from being met.
    pub(crate) const DRIFT: Needs = Needs(1 << 1 | Needs::POSES.0);
    /// What force elements and pairs of surfaces do.
    pub(crate) const LOADS: Needs = Needs(1 << 2 | Needs::POSES.0);
    /// Kinetic energy, that of gravity, momenta.
    pub(crate) const MOMENTA: Needs = Needs(1 << 3 | Needs::POSES.0);
    /// Accelerations and row forces.
    pub(crate) const ACCELERATIONS: Needs = Needs(1 << 4);
    /// Reactions of joints.
    pub(crate) const REACTIONS: Needs = Needs(1 << 5 | Needs::ACCELERATIONS.0 | Needs::LOADS.0);
    /// Efforts along coordinates, by inverse dynamics.
    pub(crate) const EFFORTS: Needs = Needs(1 << 6 | Needs::ACCELERATIONS.0);
    /// Measured loads.
    pub(crate) const MEASURED: Needs = Needs(1 << 7 | Needs::POSES.0);
    /// Pressure mats.
    pub(crate) const MATS: Needs = Needs(1 << 8 | Needs::POSES.0);
    /// Contacts as a whole.
    pub(crate) const RESULTANTS: Needs = Needs(1 << 9 | Needs::LOADS.0);
    /// Work since the start.
    pub(crate) const WORK: Needs = Needs(1 << 10);

    /// Whether all of `other` is among these.
    pub(crate) fn has(self, other: Needs) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Needs {
    type Output = Needs;

    fn bitor(self, other: Needs) -> Needs {
        Needs(self.0 | other.0)
    }
}

impl BitOrAssign for Needs {
    fn bitor_assign(&mut self, other: Needs) {
        *self = *self | other;
    }
}

/// What was found at an instant; only what is needed by a column that was asked for has a meaning. Over duals: with slopes.
pub(crate) struct Instant<'a, S = f64> {
    pub system: &'a System,
    /// The system's numbers over the same scalar.
    pub numbers: &'a Numbers<S>,
    /// Coordinates, quaternions of unit length.
    pub q: &'a [S],
    pub v: &'a [S],
    /// States of force elements.
    pub z: &'a [S],
    pub evaluation: &'a Evaluation<S>,
    pub frames: &'a Frames<S>,
    pub effort: &'a [S],
    pub rows: &'a Rows<S>,
    /// Rows that are let go.
    pub released: &'a [bool],
    pub loads: &'a [LoadReading<S>],
    /// What pressure mats show, without slopes.
    pub mats: &'a [MatReading],
    pub resultants: &'a [Resultant<S>],
    /// Work since the start: of forces, of efforts, of rows, then that lost in each pair of surfaces; without slopes, and empty where it is not integrated.
    pub work: &'a [f64],
    /// T + V_gravity and what soft parts store, less the work, where the run began.
    pub energy_at_start: f64,
    /// Energy stored in soft parts, J.
    pub soft_energy: f64,
}

impl<S: Real> Instant<'_, S> {
    /// T + V_gravity.
    pub(crate) fn moving_energy(&self) -> S {
        self.evaluation.kinetic_energy + self.evaluation.gravity_energy
    }

    /// What the elements and soft parts store.
    pub(crate) fn stored_energy(&self) -> S {
        self.evaluation.stored_energy + self.soft_energy
    }

    /// What a balance compares with the work of forces: soft parts do no work, they store it.
    pub(crate) fn balanced_energy(&self) -> S {
        self.moving_energy() + self.soft_energy
    }

    /// An entry of the work since the start; NaN where it is not integrated.
    pub(crate) fn work(&self, entry: usize) -> S {
        S::from_f64(self.work.get(entry).copied().unwrap_or(f64::NAN))
    }
}

/// Who is shown all columns, one after the other.
pub(crate) trait Visitor<S: Real> {
    /// Begins a section; false where none of its columns is asked for, and they need not be shown.
    fn section(&mut self) -> bool;

    /// Columns whose values are found together: the k-th of them, and what it takes to find their values.
    fn put<const N: usize>(&mut self, needs: Needs, column: impl Fn(usize) -> Column, values: impl FnOnce(&Instant<S>) -> [S; N]);

    /// A single column.
    fn one(&mut self, needs: Needs, column: impl Fn() -> Column, value: impl FnOnce(&Instant<S>) -> S) {
        self.put(needs, |_| column(), |now| [value(now)]);
    }

    /// A vector along the axes of a model: x and y of a planar one.
    fn along(&mut self, planar: bool, needs: Needs, column: impl Fn(&str) -> Column, value: impl FnOnce(&Instant<S>) -> Vec3<S>) {
        let column = |k: usize| column(AXES[k]);
        if planar {
            self.put(needs, column, |now| {
                let x = value(now);
                [x.x, x.y]
            });
        } else {
            self.put(needs, column, |now| value(now).to_array());
        }
    }

    /// A vector about the axes of a model: z of a planar one.
    fn about(&mut self, planar: bool, needs: Needs, column: impl Fn(&str) -> Column, value: impl FnOnce(&Instant<S>) -> Vec3<S>) {
        if planar {
            self.one(needs, || column(AXES[2]), |now| value(now).z);
        } else {
            self.put(needs, |k| column(AXES[k]), |now| value(now).to_array());
        }
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// Lists all columns that it is shown, and knows which of them are asked for.
#[derive(Default)]
pub(crate) struct Listed {
    /// Names and units.
    pub list: Vec<Column>,
    /// What all columns that are asked for need.
    pub needs: Needs,
    needs_of: Vec<Needs>,
    asked: Vec<bool>,
    sections: Vec<Section>,
}

/// Columns that stand together, up to the beginning of the next section.
struct Section {
    start: usize,
    asked: bool,
}

impl Listed {
    /// Adds columns that somebody else lists and fills.
    pub(crate) fn extend(&mut self, columns: Vec<Column>, needs: Needs) {
        Visitor::<f64>::section(self);
        for column in columns {
            Visitor::<f64>::put(self, needs, |_| column.clone(), |_| [0.0]);
        }
    }

    /// Asks for a column.
    pub(crate) fn ask(&mut self, column: usize) {
        self.asked[column] = true;
        self.needs |= self.needs_of[column];
        if let Some(section) = self.sections.iter_mut().rfind(|section| section.start <= column) {
            section.asked = true;
        }
    }

    /// What a column needs.
    pub(crate) fn needs_of(&self, column: usize) -> Needs {
        self.needs_of[column]
    }

    /// Whether one of the columns from this one on is asked for.
    pub(crate) fn asks_from(&self, column: usize) -> bool {
        self.asked[column..].contains(&true)
    }
}

impl<S: Real> Visitor<S> for Listed {
    fn section(&mut self) -> bool {
        self.sections.push(Section { start: self.list.len(), asked: false });
        true
    }

    fn put<const N: usize>(&mut self, needs: Needs, column: impl Fn(usize) -> Column, _values: impl FnOnce(&Instant<S>) -> [S; N]) {
        self.list.extend((0..N).map(column));
        self.needs_of.resize(self.list.len(), needs);
        self.asked.resize(self.list.len(), false);
    }
}

/// Writes the values of the columns that are asked for; the cells of others are left as they are.
pub(crate) struct Filler<'a, S> {
    listed: &'a Listed,
    now: &'a Instant<'a, S>,
    values: &'a mut [S],
    /// The column that is shown next.
    next: usize,
    /// The section that begins next.
    section: usize,
}

impl<'a, S> Filler<'a, S> {
    /// Begins at the first column.
    pub(crate) fn new(listed: &'a Listed, now: &'a Instant<'a, S>, values: &'a mut [S]) -> Filler<'a, S> {
        Filler { listed, now, values, next: 0, section: 0 }
    }
}

impl<S: Real> Visitor<S> for Filler<'_, S> {
    #[inline]
    fn section(&mut self) -> bool {
        let section = &self.listed.sections[self.section];
        self.next = section.start;
        self.section += 1;
        section.asked
    }

    #[inline]
    fn put<const N: usize>(&mut self, _needs: Needs, _column: impl Fn(usize) -> Column, values: impl FnOnce(&Instant<S>) -> [S; N]) {
        let cells = self.next..self.next + N;
        self.next = cells.end;
        if self.listed.asked[cells.clone()].contains(&true) {
            self.values[cells].copy_from_slice(&values(self.now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Needs;

    #[test]
    fn a_need_brings_what_it_rests_on() {
        assert!(Needs::REACTIONS.has(Needs::POSES) && Needs::REACTIONS.has(Needs::ACCELERATIONS) && Needs::RESULTANTS.has(Needs::LOADS));
        assert!(!Needs::EFFORTS.has(Needs::POSES) && !Needs::LOADS.has(Needs::ACCELERATIONS) && !Needs::POSES.has(Needs::DRIFT));
        assert_eq!(Needs::LOADS | Needs::ACCELERATIONS | Needs::REACTIONS, Needs::REACTIONS);
    }
}
