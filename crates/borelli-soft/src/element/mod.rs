//! Elements: forces, tangents, masses and stresses of the cells of a soft body. One kind of element per file, one line in the list.
//! Not here: laws of materials, where cells go in a system of equations.
//! In: a mesh in its reference placement, materials, current positions, velocities and accelerations. Out: what each cell adds, stresses.

mod blocks;
mod f_bar;
mod fault;
mod fill;
mod output;
mod plain;
mod recover;
mod solid;
mod stress;
#[cfg(test)]
mod tests;
mod view;

pub use fault::{BadCell, Inverted, Why};
pub use fill::{CellWeights, CellWork};
pub use output::{NodeStress, PointStress};
pub use solid::Solid;
pub use stress::{Strain, Stress};

/// How a cell is kept from locking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Not at all.
    Plain,
    /// By the mean change of volume of the cell in place of that of each point.
    FBar,
}

/// What a kind of element is called and does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Its name.
    pub name: &'static str,
    /// What it is, in one line.
    pub doc: &'static str,
    /// The kind.
    pub kind: Kind,
}

/// All kinds of elements.
pub const KINDS: &[About] = &[plain::ABOUT, f_bar::ABOUT];
