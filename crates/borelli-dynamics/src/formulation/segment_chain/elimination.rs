//! Gaussian elimination for the equations of chains: pivots of 1 and −1 are found once, the rest is dense with partial pivoting.
//! Not here: what the rows and columns mean.
//! In: a pattern with its anchors, the entries that are always 1 or −1; then a matrix. Out: the solution.
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
    /// Row of each pivot of the dense rest.
    pivot_row: Vec<Option<u16>>,
    scale: Vec<f64>,
    weakest: f64,
}

impl Elimination {
    /// Prepares for matrices of `size` rows and columns with the given pattern (by rows). `anchors` are places whose entry is 1 or −1 always;
    /// columns from `optional` on may depend on others.
    pub(super) fn new(size: usize, pattern: &[bool], anchors: &[(usize, usize)], optional: usize) -> Self {
        let mut filled = pattern.to_vec();
        let mut anchors = anchors.to_vec();
        let (mut open_row, mut open_column) = (vec![true; size], vec![true; size]);
        let mut pivots = Vec::new();
        loop {
            let in_row = |row: usize| (0..size).filter(|j| open_column[*j] && filled[row * size + *j]).count();
            let in_column = |column: usize| (0..size).filter(|i| open_row[*i] && filled[*i * size + column]).count();
            let cost = |&(row, column): &(usize, usize)| (in_row(row) - 1) * (in_column(column) - 1);
            let Some(&(row, column)) = anchors.iter().min_by_key(|place| cost(place)) else { break };
            (open_row[row], open_column[column]) = (false, false);
            let rows: Vec<u16> = (0..size).filter(|i| open_row[*i] && filled[*i * size + column]).map(|i| i as u16).collect();
            let mut columns: Vec<u16> = (0..size).filter(|j| open_column[*j] && filled[row * size + *j]).map(|j| j as u16).collect();
            // An entry that is written to is 1 or −1 no longer.
            anchors.retain(|&(i, j)| open_row[i] && open_column[j] && !(rows.contains(&(i as u16)) && columns.contains(&(j as u16))));
            for i in &rows {
                for j in &columns {
                    filled[*i as usize * size + *j as usize] = true;
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
        Elimination { size, pivots, rest_rows, rest_columns, optional, dense, pivot_row, scale, weakest: 1.0 }
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
            let own = pivot.row * width;
            let sign = a[own + pivot.column];
            for row in &pivot.rows {
                let other = *row as usize * width;
                let factor = a[other + pivot.column] * sign;
                for column in &pivot.columns {
                    a[other + *column as usize] -= factor * a[own + *column as usize];
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
        let column_scale = |dense: &[f64], from: usize, column: usize| {
            dense[from * (k + 1)..].chunks_exact(k + 1).fold(0.0_f64, |largest, row| largest.max(row[column].abs()))
        };
        for column in 0..k {
            self.scale[column] = column_scale(dense, 0, column);
        }
        self.weakest = 1.0;
        let mut next = 0;
        for column in 0..k {
            if column == self.optional {
                // From here on the rest is G M⁻¹ Gᵀ: dependence is judged by its size, not by that of Gᵀ.
                for later in column..k {
                    self.scale[later] = column_scale(dense, next, later);
                }
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
                if column < self.optional || largest.is_nan() {
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
