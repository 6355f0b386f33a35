//! Small dense symmetric systems without allocation: Cholesky factors, and which unknowns a matrix determines.
//! Not here: where matrices come from. In: row-major lower triangles. Out: factors in place, solutions in place.

/// Replaces the lower triangle of `a` (n × n) by its Cholesky factor; the smallest pivot before its root, or nothing where one is not above `floor`.
pub(super) fn factor(a: &mut [f64], n: usize, floor: f64) -> Option<f64> {
    let mut smallest = f64::INFINITY;
    for i in 0..n {
        let (above, rest) = a.split_at_mut(i * n);
        let row = &mut rest[..=i];
        for j in 0..i {
            let other = &above[j * n..=j * n + j];
            let sum = dot(&row[..j], &other[..j]);
            row[j] = (row[j] - sum) / other[j];
        }
        let pivot = row[i] - dot(&row[..i], &row[..i]);
        if !(pivot > floor) {
            return None;
        }
        smallest = smallest.min(pivot);
        row[i] = pivot.sqrt();
    }
    Some(smallest)
}

/// Solves L Lᵀ x = b in place.
pub(super) fn solve(l: &[f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        let row = &l[i * n..=i * n + i];
        let sum = dot(&row[..i], &x[..i]);
        x[i] = (x[i] - sum) / row[i];
    }
    for i in (0..n).rev() {
        let row = &l[i * n..=i * n + i];
        x[i] /= row[i];
        let known = x[i];
        for (x, l) in x[..i].iter_mut().zip(row) {
            *x -= l * known;
        }
    }
}

/// Scalar product with four sums, so that additions need not wait for each other.
#[inline(always)]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut sums = [0.0; 4];
    let (fours_a, fours_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = fours_a.remainder().iter().zip(fours_b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in fours_a.zip(fours_b) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}

/// Calls `free` for each unknown of a semi-definite matrix (lower triangle of `a`, n × n, used up) that it does not determine: those left when the
/// largest remaining pivot has fallen to `floor`. The first of equal pivots is taken, so the choice is the same every time.
pub(super) fn undetermined(a: &mut [f64], n: usize, floor: f64, taken: &mut Vec<bool>, mut free: impl FnMut(usize)) {
    taken.clear();
    taken.resize(n, false);
    let at = |i: usize, j: usize| if i >= j { i * n + j } else { j * n + i };
    for _ in 0..n {
        let mut best = None;
        let mut most = floor;
        for i in (0..n).filter(|i| !taken[*i]) {
            if a[i * n + i] > most {
                (best, most) = (Some(i), a[i * n + i]);
            }
        }
        let Some(k) = best else { break };
        taken[k] = true;
        for i in (0..n).filter(|i| !taken[*i]) {
            let factor = a[at(i, k)] / most;
            if factor == 0.0 {
                continue;
            }
            for j in 0..=i {
                if !taken[j] {
                    a[i * n + j] -= factor * a[at(j, k)];
                }
            }
        }
    }
    (0..n).filter(|i| !taken[*i]).for_each(&mut free);
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_testkit::Random;

    #[test]
    fn a_factored_matrix_solves_and_dependent_unknowns_are_named() {
        let mut random = Random::new(5);
        for n in [1, 2, 5, 9, 23] {
            let rows: Vec<Vec<f64>> = (0..n + 2).map(|_| (0..n).map(|_| random.uniform(-1.0, 1.0)).collect()).collect();
            let a: Vec<f64> = (0..n * n).map(|k| rows.iter().map(|row| row[k / n] * row[k % n]).sum()).collect();
            let x: Vec<f64> = (0..n).map(|_| random.uniform(-1.0, 1.0)).collect();
            let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a[i * n + j] * x[j]).sum()).collect();
            let mut l = a.clone();
            assert!(factor(&mut l, n, 0.0).is_some());
            solve(&l, n, &mut b);
            for (found, expected) in b.iter().zip(&x) {
                assert!((found - expected).abs() < 1e-9, "{n}: {found} {expected}");
            }
            let mut left = Vec::new();
            undetermined(&mut a.clone(), n, 1e-12, &mut Vec::new(), |k| left.push(k));
            assert!(left.is_empty(), "{n}: {left:?}");
        }
        // The third column is the sum of the first two; the fourth is nothing.
        let columns = [[1.0, 0.0], [0.0, 2.0], [1.0, 2.0], [0.0, 0.0]];
        let mut a: Vec<f64> = (0..16).map(|k| columns[k / 4][0] * columns[k % 4][0] + columns[k / 4][1] * columns[k % 4][1]).collect();
        let mut left = Vec::new();
        undetermined(&mut a, 4, 1e-12, &mut Vec::new(), |k| left.push(k));
        assert!(left == [0, 3] || left == [1, 3], "{left:?}");
    }
}
