//! Sparse symmetric positive semi-definite solves over any scalar: an order that keeps factors sparse, LDLᵀ in that order, dependent rows set aside.
//! Why by hand: dual numbers must pass through, redundant rows must be set aside by name rather than fail, and nothing may be allocated.
//! In: a pattern once; entries, and for each row what counts as rounding. Out: solutions in place. For small full matrices `linalg` has pivots.
//!
//! The order is found once from the pattern (least degree first, the first of equals), so that a chain costs as much per link however long it is.
//! Pivots are taken in this order whatever the numbers are: for semi-definite matrices that is stable. A row whose pivot is rounding follows from
//! those before it; its unknown is zero, which is the right answer when the right-hand side is consistent. Between rounding and what is surely left
//! of a row there is a gate:
//!
//!     1/d becomes x³/(ρ (1 + x⁴)),   x = d/ρ,                                                          (1)
//!
//! for a pivot d with the floor ρ, so that solutions are smooth where a row comes to follow from others and ceases to.
//!
//! Source: George, Liu 1989, SIAM Review 31:1-19 (least degree); Davis 2006, Direct Methods for Sparse Linear Systems, section 4.8 (rows one after the other).

use crate::real::Real;

/// Pivots below and above these parts of the floor are nothing, or untouched by (1) to the last digit.
const GATE: [f64; 2] = [1e-3, 1e4];

/// Which entries of the lower half of a symmetric matrix may differ from zero, and the order in which it is eliminated.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pattern {
    /// Entries (row, column) with column ≤ row, by rows; the diagonal is the last of its row.
    entries: Vec<(u32, u32)>,
    /// Rows in order of elimination.
    order: Vec<u32>,
    /// First entry of each eliminated row, by position in the order, in `scatter`.
    scatter_start: Vec<u32>,
    /// Place in the order of the other index of an entry, and the entry.
    scatter: Vec<(u32, u32)>,
    /// Columns of the factor by rows: positions below that of the row, rising.
    row_start: Vec<u32>,
    row_columns: Vec<u32>,
    /// Rows of the factor by columns, rising.
    column_start: Vec<u32>,
    column_rows: Vec<u32>,
}

impl Pattern {
    /// The pattern of a matrix with `n` rows where (row, column) pairs, in any order and any number of times, and the diagonal may differ from zero.
    pub fn new(n: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut lower: Vec<Vec<u32>> = vec![Vec::new(); n];
        for (i, j) in pairs {
            lower[i.max(j)].push(i.min(j) as u32);
        }
        let mut graph = Graph::new(n);
        let mut entries = Vec::new();
        for (i, list) in lower.iter_mut().enumerate() {
            list.push(i as u32);
            list.sort_unstable();
            list.dedup();
            for &j in list.iter() {
                entries.push((i as u32, j));
                graph.join(i, j as usize);
            }
        }
        let (order, columns) = graph.eliminate();
        let mut place = vec![0u32; n];
        order.iter().enumerate().for_each(|(k, row)| place[*row as usize] = k as u32);
        let mut by_row: Vec<Vec<(u32, u32)>> = vec![Vec::new(); n];
        for (entry, (i, j)) in entries.iter().enumerate() {
            let (a, b) = (place[*i as usize], place[*j as usize]);
            by_row[a.max(b) as usize].push((a.min(b), entry as u32));
        }
        let columns: Vec<Vec<u32>> = columns
            .into_iter()
            .map(|rows| {
                let mut rows: Vec<u32> = rows.into_iter().map(|row| place[row as usize]).collect();
                rows.sort_unstable();
                rows
            })
            .collect();
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); n];
        for (j, column) in columns.iter().enumerate() {
            column.iter().for_each(|i| rows[*i as usize].push(j as u32));
        }
        let starts = |lists: &mut dyn Iterator<Item = usize>| {
            let mut starts = vec![0];
            for length in lists {
                starts.push(starts[starts.len() - 1] + length as u32);
            }
            starts
        };
        Pattern {
            entries,
            order,
            scatter_start: starts(&mut by_row.iter().map(Vec::len)),
            scatter: by_row.concat(),
            row_start: starts(&mut rows.iter().map(Vec::len)),
            row_columns: rows.concat(),
            column_start: starts(&mut columns.iter().map(Vec::len)),
            column_rows: columns.concat(),
        }
    }

    /// Entries (row, column) of the lower half, row by row, in the order of the values of a matrix.
    pub fn entries(&self) -> &[(u32, u32)] {
        &self.entries
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.order.len()
    }

    /// Entries of the factor below its diagonal.
    pub fn fill(&self) -> usize {
        self.column_rows.len()
    }
}

/// An undirected graph as rows of bits.
struct Graph {
    n: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Graph {
    fn new(n: usize) -> Self {
        let words = n.div_ceil(64);
        Graph { n, words, bits: vec![0; n * words] }
    }

    fn join(&mut self, i: usize, j: usize) {
        if i != j {
            self.bits[i * self.words + j / 64] |= 1 << (j % 64);
            self.bits[j * self.words + i / 64] |= 1 << (i % 64);
        }
    }

    /// Eliminates the vertex with the fewest neighbours again and again; the neighbours that each had become neighbours of each other.
    fn eliminate(mut self) -> (Vec<u32>, Vec<Vec<u32>>) {
        let (n, words) = (self.n, self.words);
        let degree = |bits: &[u64]| bits.iter().map(|word| word.count_ones()).sum::<u32>();
        let mut degrees: Vec<u32> = (0..n).map(|i| degree(&self.bits[i * words..][..words])).collect();
        let mut left: Vec<u32> = (0..n as u32).collect();
        let (mut order, mut columns) = (Vec::with_capacity(n), Vec::with_capacity(n));
        while !left.is_empty() {
            let at = (0..left.len()).min_by_key(|at| degrees[left[*at] as usize]).unwrap_or(0);
            let vertex = left.remove(at) as usize;
            let own = self.bits[vertex * words..][..words].to_vec();
            let neighbours: Vec<u32> = left.iter().copied().filter(|j| own[*j as usize / 64] >> (j % 64) & 1 == 1).collect();
            for &j in &neighbours {
                let row = &mut self.bits[j as usize * words..][..words];
                row.iter_mut().zip(&own).for_each(|(word, own)| *word |= own);
                for gone in [vertex, j as usize] {
                    row[gone / 64] &= !(1 << (gone % 64));
                }
                degrees[j as usize] = degree(row);
            }
            order.push(vertex as u32);
            columns.push(neighbours);
        }
        (order, columns)
    }
}

/// A symmetric positive semi-definite matrix of a pattern and its factors.
#[derive(Clone, Debug)]
pub struct SparseLdl<S> {
    pattern: Pattern,
    /// Values of the matrix, by `Pattern::entries`.
    pub values: Vec<S>,
    /// Factor below the diagonal, by columns.
    l: Vec<S>,
    /// Reciprocals of pivots by position; zero for rows set aside.
    inverse: Vec<S>,
    scratch: Vec<S>,
    filled: Vec<u32>,
    dependent: Vec<usize>,
    /// Pivot of each row.
    pivots: Vec<f64>,
}

impl<S: Real> SparseLdl<S> {
    /// Memory for matrices of a pattern.
    pub fn new(pattern: Pattern) -> Self {
        let (n, fill, entries) = (pattern.rows(), pattern.fill(), pattern.entries.len());
        SparseLdl {
            pattern,
            values: vec![S::ZERO; entries],
            l: vec![S::ZERO; fill],
            inverse: vec![S::ZERO; n],
            scratch: vec![S::ZERO; n],
            filled: vec![0; n],
            dependent: Vec::with_capacity(n),
            pivots: vec![0.0; n],
        }
    }

    /// The pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Rows set aside, in the order of elimination.
    pub fn dependent(&self) -> &[usize] {
        &self.dependent
    }

    /// What elimination left of the diagonal of each row.
    pub fn pivots(&self) -> &[f64] {
        &self.pivots
    }

    /// Factors the matrix in `values`, with the floor of each row in (1). A row whose pivot is not above its floor counts as set aside; what is not
    /// a number stays so.
    pub fn factor(&mut self, floor: &[f64]) {
        let SparseLdl { pattern, values, l, inverse, scratch: y, filled, dependent, pivots } = self;
        dependent.clear();
        for (k, row) in pattern.order.iter().enumerate() {
            filled[k] = pattern.column_start[k];
            let from = pattern.scatter_start[k] as usize..pattern.scatter_start[k + 1] as usize;
            for &(place, entry) in &pattern.scatter[from] {
                y[place as usize] = values[entry as usize];
            }
            let mut pivot = y[k];
            y[k] = S::ZERO;
            for &j in &pattern.row_columns[pattern.row_start[k] as usize..pattern.row_start[k + 1] as usize] {
                let j = j as usize;
                let x = y[j];
                y[j] = S::ZERO;
                let column = pattern.column_start[j] as usize..filled[j] as usize;
                for (i, l) in pattern.column_rows[column.clone()].iter().zip(&l[column]) {
                    y[*i as usize] -= *l * x;
                }
                let scaled = x * inverse[j];
                pivot -= scaled * x;
                l[filled[j] as usize] = scaled;
                filled[j] += 1;
            }
            let row = *row as usize;
            pivots[row] = pivot.value();
            let (left, floor) = (pivot.value(), floor[row]);
            if left <= floor {
                dependent.push(row);
            }
            inverse[k] = if left <= GATE[0] * floor {
                S::ZERO
            } else if left < GATE[1] * floor {
                let x = pivot * (1.0 / floor);
                let cube = x * x * x;
                cube / ((cube * x + 1.0) * floor)
            } else {
                pivot.recip()
            };
        }
    }

    /// Solves in place with the factors of the last matrix; unknowns of rows set aside become zero.
    pub fn solve(&mut self, x: &mut [S]) {
        let SparseLdl { pattern, l, inverse, scratch: y, .. } = self;
        let column = |k: usize| pattern.column_start[k] as usize..pattern.column_start[k + 1] as usize;
        for (y, row) in y.iter_mut().zip(&pattern.order) {
            *y = x[*row as usize];
        }
        for k in 0..y.len() {
            let own = y[k];
            for (i, l) in pattern.column_rows[column(k)].iter().zip(&l[column(k)]) {
                y[*i as usize] -= *l * own;
            }
            y[k] = own * inverse[k];
        }
        for k in (0..y.len()).rev() {
            // A row set aside has no pivot: its unknown is zero, whatever the others are.
            if inverse[k].value() == 0.0 {
                y[k] = S::ZERO;
                continue;
            }
            let mut own = y[k];
            for (i, l) in pattern.column_rows[column(k)].iter().zip(&l[column(k)]) {
                own -= *l * y[*i as usize];
            }
            y[k] = own;
        }
        for (y, row) in y.iter_mut().zip(&pattern.order) {
            x[*row as usize] = *y;
            *y = S::ZERO;
        }
    }
}

impl SparseLdl<f64> {
    /// Solves for all columns of a matrix in place, whole rows of `width` numbers at a time.
    pub fn solve_columns(&self, x: &mut [f64], width: usize) {
        let SparseLdl { pattern, l, inverse, .. } = self;
        let row = |k: usize| pattern.order[k] as usize;
        let column = |k: usize| {
            let range = pattern.column_start[k] as usize..pattern.column_start[k + 1] as usize;
            pattern.column_rows[range.clone()].iter().map(|i| *i as usize).zip(&l[range])
        };
        for k in 0..inverse.len() {
            for (i, l) in column(k) {
                let (to, from) = two(x, width, row(i), row(k));
                to.iter_mut().zip(from).for_each(|(to, from)| *to -= l * *from);
            }
            x[row(k) * width..][..width].iter_mut().for_each(|x| *x *= inverse[k]);
        }
        for k in (0..inverse.len()).rev() {
            if inverse[k] == 0.0 {
                x[row(k) * width..][..width].fill(0.0);
                continue;
            }
            for (i, l) in column(k) {
                let (to, from) = two(x, width, row(k), row(i));
                to.iter_mut().zip(from).for_each(|(to, from)| *to -= l * *from);
            }
        }
    }
}

/// Two rows of a matrix, the first to be written.
fn two(x: &mut [f64], width: usize, to: usize, from: usize) -> (&mut [f64], &[f64]) {
    let (head, tail) = x.split_at_mut(to.max(from) * width);
    if to > from { (&mut tail[..width], &head[from * width..][..width]) } else { (&mut head[to * width..][..width], &tail[..width]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dual::Dual;
    use crate::random::Random;

    /// B Bᵀ over a pattern of pairs of groups, with right sides of known solutions.
    struct Problem {
        pattern: Pattern,
        rows: Vec<Vec<f64>>,
    }

    impl Problem {
        /// Rows with entries in a few of `width` columns each; rows that share a column are coupled.
        fn new(random: &mut Random, n: usize, width: usize, each: usize) -> Self {
            let mut rows = vec![vec![0.0; width]; n];
            for row in &mut rows {
                for _ in 0..each {
                    row[(random.uniform(0.0, width as f64) as usize).min(width - 1)] = random.uniform(-1.0, 1.0);
                }
            }
            Problem { pattern: coupled(&rows), rows }
        }

        fn entry(&self, i: usize, j: usize) -> f64 {
            self.rows[i].iter().zip(&self.rows[j]).map(|(a, b)| a * b).sum()
        }

        fn matrix(&self) -> SparseLdl<f64> {
            let mut matrix = SparseLdl::new(self.pattern.clone());
            for (value, (i, j)) in matrix.values.iter_mut().zip(self.pattern.entries()) {
                *value = self.entry(*i as usize, *j as usize);
            }
            matrix
        }

        fn floor(&self) -> Vec<f64> {
            (0..self.rows.len()).map(|i| 1e-11 * self.entry(i, i)).collect()
        }

        /// The matrix times a vector.
        fn times(&self, x: &[f64]) -> Vec<f64> {
            (0..x.len()).map(|i| (0..x.len()).map(|j| self.entry(i, j) * x[j]).sum()).collect()
        }
    }

    fn coupled(rows: &[Vec<f64>]) -> Pattern {
        let share = |i: usize, j: usize| rows[i].iter().zip(&rows[j]).any(|(a, b)| *a != 0.0 && *b != 0.0);
        let pairs: Vec<(usize, usize)> = (0..rows.len()).flat_map(|i| (0..i).map(move |j| (i, j))).filter(|(i, j)| share(*i, *j)).collect();
        Pattern::new(rows.len(), pairs.into_iter())
    }

    #[test]
    fn regular_matrices_of_any_pattern_are_solved() {
        let mut random = Random::new(11);
        for n in 1..20 {
            let problem = Problem::new(&mut random, n, 3 * n, 4);
            let mut matrix = problem.matrix();
            matrix.factor(&problem.floor());
            assert!(matrix.dependent().len() <= n / 4, "{n}: {:?}", matrix.dependent());
            let mut x = random.uniforms(n, -1.0, 1.0);
            matrix.dependent().iter().for_each(|k| x[*k] = 0.0);
            let mut found = problem.times(&x);
            matrix.solve(&mut found);
            for k in 0..n {
                assert!((found[k] - x[k]).abs() < 1e-9, "{n}, {k}: {} for {}", found[k], x[k]);
            }
        }
    }

    #[test]
    fn rows_that_follow_from_others_are_set_aside_and_the_rest_is_met() {
        let mut random = Random::new(12);
        for n in 3..15 {
            let mut problem = Problem::new(&mut random, n, 3 * n, 5);
            let sum: Vec<f64> = problem.rows[0].iter().zip(&problem.rows[n - 1]).map(|(a, b)| a - 2.0 * b).collect();
            problem.rows[n / 2] = sum;
            problem.pattern = coupled(&problem.rows);
            let mut matrix = problem.matrix();
            matrix.factor(&problem.floor());
            assert!(!matrix.dependent().is_empty());
            let right = problem.times(&random.uniforms(n, -1.0, 1.0));
            let mut x = right.clone();
            matrix.solve(&mut x);
            matrix.dependent().iter().for_each(|k| assert!(x[*k].abs() < 1e-6));
            for (back, right) in problem.times(&x).iter().zip(&right) {
                assert!((back - right).abs() < 1e-9, "{n}: {back} for {right}");
            }
        }
    }

    #[test]
    fn a_chain_a_ring_and_a_tree_fill_in_no_more_than_their_links() {
        let n = 200;
        let fill = |pairs: Vec<(usize, usize)>| Pattern::new(n, pairs.into_iter()).fill();
        assert_eq!(fill((1..n).map(|k| (k - 1, k)).collect()), n - 1);
        assert!(fill((0..n).map(|k| (k, (k + 1) % n)).collect()) < 2 * n);
        assert_eq!(fill((1..n).map(|k| (k, (k - 1) / 2)).collect()), n - 1);
        // A star: its centre must not go first.
        assert_eq!(fill((1..n).map(|k| (0, k)).collect()), n - 1);
    }

    #[test]
    fn a_row_comes_and_goes_smoothly() {
        // Two rows at an angle s, the second asked for what only it can give: μ = r/s² as long as s² is far above the floor.
        let solve = |s: f64| {
            let mut matrix = SparseLdl::<f64>::new(Pattern::new(2, [(0, 1)].into_iter()));
            matrix.values.copy_from_slice(&[1.0, 1.0, 1.0 + s * s]);
            matrix.factor(&[1e-10, 1e-10]);
            let mut x = [0.0, s * s];
            matrix.solve(&mut x);
            (x[1], matrix.dependent().len())
        };
        for (s, expected, dependent) in [(1e-2, 1.0, 0), (1e-5, 0.5, 1), (1e-4, 1.0 - 1e-8, 0), (1e-7, 0.0, 1), (0.0, 0.0, 1)] {
            let (found, set_aside) = solve(s);
            assert!((found - expected).abs() < 1e-4, "{s}: {found} for {expected}");
            assert!(s == 1e-5 || set_aside == dependent, "{s}: {set_aside}");
        }
        let all: Vec<f64> = (0..200).map(|k| solve(10f64.powf(-7.0 + 0.02 * f64::from(k))).0).collect();
        assert!(all.windows(2).all(|pair| pair[1] > pair[0] - 1e-6 && pair[1] < pair[0] + 0.1), "no jumps");
    }

    #[test]
    fn columns_are_solved_as_one_by_one() {
        let mut random = Random::new(13);
        let mut problem = Problem::new(&mut random, 9, 20, 4);
        problem.rows[4] = problem.rows[2].iter().map(|x| 2.0 * x).collect();
        problem.pattern = coupled(&problem.rows);
        let mut matrix = problem.matrix();
        matrix.factor(&problem.floor());
        let mut all = random.uniforms(27, -1.0, 1.0);
        let given = all.clone();
        matrix.solve_columns(&mut all, 3);
        for c in 0..3 {
            let mut x: Vec<f64> = given.iter().skip(c).step_by(3).copied().collect();
            matrix.solve(&mut x);
            x.iter().enumerate().for_each(|(i, x)| assert!((all[3 * i + c] - x).abs() < 1e-12));
        }
    }

    #[test]
    fn duals_pass_through() {
        // (2 + s) x = 1 + 3 s: x = 0.5, slope 1.5 − 0.25; the second row is bound to the first.
        let mut matrix = SparseLdl::<Dual<1>>::new(Pattern::new(2, [(0, 1)].into_iter()));
        let s = Dual::<1>::variable(0.0, 0);
        matrix.values.copy_from_slice(&[s + 2.0, s * 1.0, Dual::from_f64(1.0)]);
        matrix.factor(&[0.0, 0.0]);
        let mut x = [s * 3.0 + 1.0, Dual::from_f64(0.0)];
        matrix.solve(&mut x);
        assert!((x[0].re - 0.5).abs() < 1e-15 && (x[0].eps[0] - 1.25).abs() < 1e-14, "{x:?}");
        assert!((x[1].eps[0] + 0.5).abs() < 1e-14, "{x:?}");
    }

    #[test]
    fn what_is_not_a_number_stays_so() {
        let mut matrix = SparseLdl::<f64>::new(Pattern::new(2, [(0, 1)].into_iter()));
        matrix.values.copy_from_slice(&[1.0, f64::NAN, 1.0]);
        matrix.factor(&[0.0, 0.0]);
        let mut x = [1.0, 1.0];
        matrix.solve(&mut x);
        assert!(x.iter().any(|x| x.is_nan()) && matrix.dependent().is_empty());
    }
}
