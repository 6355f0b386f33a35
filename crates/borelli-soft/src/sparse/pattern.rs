//! Which entries of the matrix exist, and where the entries of each block go. Built once for all contact statuses.
//! Not here: numbers, the order of elimination (`order`).
//! In: groups of unknowns that a cell, a tie or a contact couples. Out: columns with sorted rows, a slot for each entry of a block.

use super::Fault;
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat, SymbolicSparseColMatRef};

/// Stands in a group for something that is no unknown (a held node, a carrier with a given pose): its rows and columns are left out.
pub const OUT: u32 = u32::MAX;

/// The pattern of a square matrix, stored whole: if (i, j) is in it then (j, i) is too, and so is each entry of the diagonal.
///
/// Both halves are kept for symmetric matrices as well: the check of the residual and the fallback to LU then need no second form.
#[derive(Clone, Debug)]
pub struct Pattern {
    columns: SymbolicSparseColMat<usize>,
    /// For each group, where its unknowns begin in `members` and its slots in `slots`.
    starts: Vec<[usize; 2]>,
    members: Vec<u32>,
    slots: Vec<u32>,
}

impl Pattern {
    /// The pattern of `unknowns` unknowns that are coupled in groups. An unknown may stand in a group twice; `OUT` is skipped.
    pub fn new<'a>(unknowns: usize, groups: impl IntoIterator<Item = &'a [u32]>) -> Result<Pattern, Fault> {
        let mut starts = vec![[0, 0]];
        let mut members: Vec<u32> = Vec::new();
        let mut slots_needed = 0;
        for group in groups {
            if let Some(&unknown) = group.iter().find(|&&u| u != OUT && u as usize >= unknowns) {
                return Err(Fault::NoSuchUnknown { unknown: unknown as usize, unknowns });
            }
            members.extend_from_slice(group);
            slots_needed += group.len() * group.len();
            starts.push([members.len(), slots_needed]);
        }
        let uses = Uses::new(unknowns, &starts, &members);

        let mut slots = vec![OUT; slots_needed];
        let mut col_ptr = Vec::with_capacity(unknowns + 1);
        col_ptr.push(0);
        let mut row_idx: Vec<usize> = Vec::new();
        let mut seen_in = vec![usize::MAX; unknowns]; // the last column in which a row was met
        let mut slot_of = vec![0u32; unknowns];
        for column in 0..unknowns {
            let start = row_idx.len();
            seen_in[column] = column;
            row_idx.push(column);
            for &(group, _) in uses.of(column) {
                for &row in &members[starts[group][0]..starts[group + 1][0]] {
                    if row != OUT && seen_in[row as usize] != column {
                        seen_in[row as usize] = column;
                        row_idx.push(row as usize);
                    }
                }
            }
            if row_idx.len() >= OUT as usize {
                return Err(Fault::TooLarge);
            }
            row_idx[start..].sort_unstable();
            for (slot, &row) in row_idx.iter().enumerate().skip(start) {
                slot_of[row] = slot as u32;
            }
            for &(group, place) in uses.of(column) {
                let rows = &members[starts[group][0]..starts[group + 1][0]];
                for (i, &row) in rows.iter().enumerate() {
                    if row != OUT {
                        slots[starts[group][1] + i * rows.len() + place] = slot_of[row as usize];
                    }
                }
            }
            col_ptr.push(row_idx.len());
        }
        let columns = SymbolicSparseColMat::new_checked(unknowns, unknowns, col_ptr, None, row_idx);
        Ok(Pattern { columns, starts, members, slots })
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.columns.ncols()
    }

    /// Number of stored entries: the length of a list of values.
    pub fn entries(&self) -> usize {
        self.columns.row_idx().len()
    }

    /// Number of groups.
    pub fn groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// Unknowns of a group, as given.
    pub fn group(&self, group: usize) -> &[u32] {
        &self.members[self.starts[group][0]..self.starts[group + 1][0]]
    }

    /// Slots of the block of a group, row by row; `OUT` where a row or a column is left out.
    pub fn slots(&self, group: usize) -> &[u32] {
        &self.slots[self.starts[group][1]..self.starts[group + 1][1]]
    }

    /// Adds the dense block of a group, row by row, to the values.
    pub fn add(&self, group: usize, block: &[f64], values: &mut [f64]) {
        let slots = self.slots(group);
        assert_eq!(block.len(), slots.len(), "the block does not fit its group");
        for (&slot, &entry) in slots.iter().zip(block) {
            if slot != OUT {
                values[slot as usize] += entry;
            }
        }
    }

    /// Adds the entries of a group to a vector over all unknowns.
    pub fn add_vector(&self, group: usize, entries: &[f64], vector: &mut [f64]) {
        let members = self.group(group);
        assert_eq!(entries.len(), members.len(), "the entries do not fit their group");
        for (&unknown, &entry) in members.iter().zip(entries) {
            if unknown != OUT {
                vector[unknown as usize] += entry;
            }
        }
    }

    /// Slot of one entry, by search.
    pub fn slot(&self, row: usize, column: usize) -> Option<usize> {
        let start = self.columns.col_ptr()[column];
        self.rows(column).binary_search(&row).ok().map(|k| start + k)
    }

    /// Rows of a column, ascending.
    pub fn rows(&self, column: usize) -> &[usize] {
        let ends = self.columns.col_ptr();
        &self.columns.row_idx()[ends[column]..ends[column + 1]]
    }

    /// out = A x.
    pub fn multiply(&self, values: &[f64], x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (column, &x_column) in x.iter().enumerate() {
            for (&row, &value) in self.rows(column).iter().zip(self.of_column(values, column)) {
                out[row] += value * x_column;
            }
        }
    }

    /// The values of a column, beside its rows.
    pub(super) fn of_column<'v>(&self, values: &'v [f64], column: usize) -> &'v [f64] {
        let ends = self.columns.col_ptr();
        &values[ends[column]..ends[column + 1]]
    }

    /// First unknown whose row or column holds a number that is not finite.
    pub(super) fn not_finite(&self, values: &[f64]) -> Option<usize> {
        let slot = values.iter().position(|v| !v.is_finite())?;
        Some(self.columns.col_ptr().partition_point(|&start| start <= slot) - 1)
    }

    /// The columns as the factorisations take them.
    pub(super) fn symbolic(&self) -> SymbolicSparseColMatRef<'_, usize> {
        self.columns.as_ref()
    }

    /// The matrix as the factorisations take it.
    pub(super) fn matrix<'a>(&'a self, values: &'a [f64]) -> SparseColMatRef<'a, usize, f64> {
        SparseColMatRef::new(self.columns.as_ref(), values)
    }
}

/// For each unknown, the groups it stands in and its place there.
struct Uses {
    starts: Vec<usize>,
    list: Vec<(usize, usize)>,
}

impl Uses {
    fn new(unknowns: usize, starts: &[[usize; 2]], members: &[u32]) -> Uses {
        let mut ends = vec![0; unknowns + 1];
        for &member in members.iter().filter(|&&m| m != OUT) {
            ends[member as usize + 1] += 1;
        }
        for k in 0..unknowns {
            ends[k + 1] += ends[k];
        }
        let mut next = ends.clone();
        let mut list = vec![(0, 0); ends[unknowns]];
        for group in 0..starts.len() - 1 {
            for (place, &member) in members[starts[group][0]..starts[group + 1][0]].iter().enumerate() {
                if member != OUT {
                    list[next[member as usize]] = (group, place);
                    next[member as usize] += 1;
                }
            }
        }
        Uses { starts: ends, list }
    }

    fn of(&self, unknown: usize) -> &[(usize, usize)] {
        &self.list[self.starts[unknown]..self.starts[unknown + 1]]
    }
}
