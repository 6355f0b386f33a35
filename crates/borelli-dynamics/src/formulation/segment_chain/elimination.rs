//! Gaussian elimination for the equations of chains: pivots of 1 and −1 are found once, the rest is dense with partial pivoting.
//! Not here: what the rows and columns mean.
//! In: the entries that never change; then a matrix. Out: the solution.
//!
//! Most columns of forces and moments have an entry ±1 that no posture changes and that is the largest of its column as long as segments are shorter
//! than a metre. Taking those first, in the order that fills least (Markowitz), leaves little: for n segments in free motion n + 2 columns of 3n. The
//! sequence is made when the unknowns are chosen, so that a solve runs along lists.
//!
//! Why by hand: sparse libraries pivot anew in each factorisation or not at all, allocate, and cannot set dependent rows aside.

/// Pivot of the dense rest below this part of its column, as it was: the column depends on those before.
const DEPENDENT: f64 = 1e-10;
/// The same where nothing may depend: not more than rounding is left.
const VANISHED: f64 = 1e-15;

/// One pivot of the sequence.
#[derive(Clone, Debug)]
struct Pivot {
    row: usize,
    column: usize,
    /// Other rows with an entry in its column.
    rows: Vec<u16>,
    /// Other columns with an entry in its row, and the right side.
    columns: Vec<u16>,
}

/// A sequence of pivots for one pattern, and memory.
#[derive(Clone, Debug)]
pub(super) struct Elimination {
    size: usize,
    pivots: Vec<Pivot>,
    rest_rows: Vec<u16>,
    rest_columns: Vec<u16>,
    /// Columns from here on may depend on others: their unknowns are then zero.
    optional: usize,
    dense: Vec<f64>,
    /// Entries of a pivot's row.
    along: Vec<f64>,
    /// Row of each pivot of the dense rest.
    pivot_row: Vec<Option<u16>>,
    scale: Vec<f64>,
    weakest: f64,
}

impl Elimination {
    /// Prepares for matrices of `size` rows and columns. `entries` (by rows) says which of them always have the same value; columns from `optional` on
    /// may depend on others.
    pub(super) fn new(size: usize, mut entries: Vec<Option<f64>>, optional: usize) -> Self {
        let (mut open_row, mut open_column) = (vec![true; size], vec![true; size]);
        let mut pivots = Vec::new();
        loop {
            let filled = |i: usize, j: usize| entries[i * size + j] != Some(0.0);
            let in_row = |i: usize| -> Vec<u16> { (0..size).filter(|j| open_column[*j] && filled(i, *j)).map(|j| j as u16).collect() };
            let in_column = |j: usize| -> Vec<u16> { (0..size).filter(|i| open_row[*i] && filled(*i, j)).map(|i| i as u16).collect() };
            let (lengths, heights): (Vec<usize>, Vec<usize>) = (0..size).map(|k| (in_row(k).len(), in_column(k).len())).unzip();
            let places = (0..size * size).map(|k| (k / size, k % size)).filter(|(i, j)| open_row[*i] && open_column[*j]);
            let units = places.filter(|(i, j)| entries[i * size + j].is_some_and(|value| value.abs() == 1.0));
            let Some((row, column)) = units.min_by_key(|(i, j)| (lengths[*i] - 1) * (heights[*j] - 1)) else { break };
            let (mut rows, mut columns) = (in_column(column), in_row(row));
            rows.retain(|i| *i as usize != row);
            columns.retain(|j| *j as usize != column);
            (open_row[row], open_column[column]) = (false, false);
            for i in &rows {
                for j in &columns {
                    // A constant stays one if all that is added to it is.
                    let (place, own) = (*i as usize * size + *j as usize, row * size + *j as usize);
                    let factor = entries[*i as usize * size + column].zip(entries[row * size + column]).map(|(below, sign)| below * sign);
                    entries[place] = factor.zip(entries[own]).zip(entries[place]).map(|((factor, own), value)| value - factor * own);
                }
            }
            columns.push(size as u16);
            pivots.push(Pivot { row, column, rows, columns });
        }
        let rest = |open: &[bool]| -> Vec<u16> { (0..size).filter(|k| open[*k]).map(|k| k as u16).collect() };
        let (rest_rows, rest_columns) = (rest(&open_row), rest(&open_column));
        let k = rest_columns.len();
        let optional = rest_columns.iter().position(|column| *column as usize >= optional).unwrap_or(k);
        let (dense, pivot_row, scale) = (vec![0.0; k * (k + 1)], vec![None; k], vec![0.0; k]);
        let along = vec![0.0; size + 1];
        Elimination { size, pivots, rest_rows, rest_columns, optional, dense, along, pivot_row, scale, weakest: 1.0 }
    }

    /// The smallest part of a column that was left to pivot on in the last solve: near zero where the system is near singular.
    pub(super) fn weakest(&self) -> f64 {
        self.weakest
    }

    /// Columns that the last solve found to depend on others.
    pub(super) fn set_aside(&self) -> impl Iterator<Item = usize> + '_ {
        let columns = self.rest_columns.iter().zip(&self.pivot_row);
        columns.filter(|(_, row)| row.is_none()).map(|(column, _)| *column as usize)
    }

    /// Solves for `x`; `a` has the right side as last entry of each row and is used up. The index of a column that cannot be had, if any.
    pub(super) fn solve(&mut self, a: &mut [f64], x: &mut [f64]) -> Result<(), usize> {
        let width = self.size + 1;
        for pivot in &self.pivots {
            // The pivot's row is gathered once; the rows below then need one index each.
            let own = &a[pivot.row * width..][..width];
            let sign = own[pivot.column];
            let along = &mut self.along[..pivot.columns.len()];
            for (entry, column) in along.iter_mut().zip(&pivot.columns) {
                *entry = own[*column as usize];
            }
            for row in &pivot.rows {
                let other = &mut a[*row as usize * width..][..width];
                let factor = other[pivot.column] * sign;
                for (entry, column) in along.iter().zip(&pivot.columns) {
                    other[*column as usize] -= factor * entry;
                }
            }
        }
        self.solve_rest(a, x)?;
        for pivot in self.pivots.iter().rev() {
            let own = pivot.row * width;
            let (_, along) = pivot.columns.split_last().unwrap_or((&0, &[]));
            let mut sum = a[own + self.size];
            for column in along {
                sum -= a[own + *column as usize] * x[*column as usize];
            }
            x[pivot.column] = sum * a[own + pivot.column];
        }
        Ok(())
    }

    fn solve_rest(&mut self, a: &[f64], x: &mut [f64]) -> Result<(), usize> {
        let (k, width) = (self.rest_columns.len(), self.size + 1);
        let dense = &mut self.dense[..];
        for (own, row) in dense.chunks_exact_mut(k + 1).zip(&self.rest_rows) {
            let from = &a[*row as usize * width..][..width];
            for (entry, column) in own.iter_mut().zip(&self.rest_columns) {
                *entry = from[*column as usize];
            }
            own[k] = from[self.size];
        }
        fill_scale(dense, k, 0, &mut self.scale);
        self.weakest = 1.0;
        let mut next = 0;
        for column in 0..k {
            if column == self.optional {
                // From here on the rest is G M⁻¹ Gᵀ: dependence is judged by its size, not by that of Gᵀ.
                fill_scale(dense, k, next, &mut self.scale);
            }
            let (mut best, mut largest) = (next, 0.0);
            for row in next..k {
                let size = dense[row * (k + 1) + column].abs();
                if size > largest {
                    (best, largest) = (row, size);
                }
            }
            let limit = if column < self.optional { VANISHED } else { DEPENDENT };
            if !(largest > limit * self.scale[column]) {
                if column < self.optional {
                    return Err(self.rest_columns[column] as usize);
                }
                self.pivot_row[column] = None;
                continue;
            }
            self.weakest = self.weakest.min(largest / self.scale[column]);
            if best != next {
                let (upper, lower) = dense.split_at_mut(best * (k + 1));
                upper[next * (k + 1)..][..k + 1].swap_with_slice(&mut lower[..k + 1]);
            }
            let (upper, lower) = dense.split_at_mut((next + 1) * (k + 1));
            let pivot = &upper[next * (k + 1)..][..k + 1];
            let inverse = 1.0 / pivot[column];
            for row in lower.chunks_exact_mut(k + 1) {
                let factor = row[column] * inverse;
                for (entry, above) in row[column + 1..].iter_mut().zip(&pivot[column + 1..]) {
                    *entry -= factor * above;
                }
            }
            self.pivot_row[column] = Some(next as u16);
            next += 1;
        }
        for column in (0..k).rev() {
            let value = match self.pivot_row[column] {
                None => 0.0,
                Some(row) => {
                    let row = &dense[row as usize * (k + 1)..][..k + 1];
                    let mut sum = row[k];
                    for later in column + 1..k {
                        sum -= row[later] * x[self.rest_columns[later] as usize];
                    }
                    sum / row[column]
                }
            };
            x[self.rest_columns[column] as usize] = value;
        }
        Ok(())
    }
}

/// Largest size in each column of the rows from `first` on.
fn fill_scale(dense: &[f64], k: usize, first: usize, scale: &mut [f64]) {
    scale.fill(0.0);
    for row in dense.chunks_exact(k + 1).skip(first) {
        for (largest, entry) in scale.iter_mut().zip(row) {
            // Not `max`, which minds NaN and costs more: one is found where it becomes a pivot.
            *largest = if entry.abs() > *largest { entry.abs() } else { *largest };
        }
    }
}
