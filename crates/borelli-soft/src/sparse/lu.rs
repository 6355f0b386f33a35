//! A = L U with row exchanges, for matrices that are not symmetric or that the symmetric factorisation cannot do.
//! Not here: when it is used (`Solver`). Its order of columns is its own; it asks for memory each time and is 5 to 13 times slower than LDLᵀ.
//! In: values on the pattern. Out: solutions; or an unknown that the equations leave open.

use super::pattern::Pattern;
use super::{BLOCK, Fault};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::lu::{LuRef, LuSymbolicParams, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::linalg::{LuError, SupernodalThreshold};
use faer::{Conj, MatMut, Par};

/// A known solution that comes back with a relative error above this was not determined by the equations.
const UNKNOWN: f64 = 1e-3;

/// The factors.
pub struct Lu {
    symbolic: SymbolicLu<usize>,
    numeric: NumericLu<usize, f64>,
    memory: MemBuffer,
}

impl Lu {
    /// Looks at the pattern.
    pub fn new(pattern: &Pattern) -> Result<Lu, Fault> {
        let params = LuSymbolicParams { supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL, ..Default::default() };
        let symbolic = factorize_symbolic_lu(pattern.symbolic(), params).map_err(|_| Fault::TooLarge)?;
        let request = symbolic
            .factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default())
            .or(symbolic.solve_in_place_scratch::<f64>(BLOCK, Par::Seq));
        let memory = MemBuffer::try_new(request).map_err(|_| Fault::TooLarge)?;
        Ok(Lu { symbolic, numeric: NumericLu::new(), memory })
    }

    /// Factors new values.
    pub fn factor(&mut self, pattern: &Pattern, values: &[f64]) -> Result<(), Fault> {
        let stack = MemStack::new(&mut self.memory);
        match self.symbolic.factorize_numeric_lu(&mut self.numeric, pattern.matrix(values), Par::Seq, stack, Default::default()) {
            Ok(_) => self.try_known_solution(pattern, values),
            Err(LuError::SymbolicSingular { index }) => Err(Fault::Singular { unknown: self.symbolic.col_perm().arrays().0[index] }),
            Err(LuError::Generic(_)) => Err(Fault::TooLarge),
        }
    }

    /// Solves in place for right-hand sides one behind the other.
    pub fn solve_in_place(&mut self, x: &mut [f64]) {
        let unknowns = self.symbolic.ncols();
        if unknowns == 0 {
            return;
        }
        for columns in x.chunks_mut(BLOCK * unknowns) {
            let count = columns.len() / unknowns;
            LuRef::new_unchecked(&self.symbolic, &self.numeric).solve_in_place_with_conj(
                Conj::No,
                MatMut::from_column_major_slice_mut(columns, unknowns, count),
                Par::Seq,
                MemStack::new(&mut self.memory),
            );
        }
    }

    /// The pivots cannot be looked at, so a known solution is: of a singular matrix it comes back with a part of the free motion
    /// added, largest where that motion is largest. Row exchanges keep the residual small all the same, which is why it is no judge.
    fn try_known_solution(&mut self, pattern: &Pattern, values: &[f64]) -> Result<(), Fault> {
        // Each unknown in its own measure, so that millimetres count beside kilonewtons: columns of about equal size.
        let sizes: Vec<f64> =
            (0..pattern.unknowns()).map(|k| pattern.of_column(values, k).iter().fold(0.0, |s: f64, v| s.max(v.abs()))).collect();
        if let Some(unknown) = sizes.iter().position(|&size| size == 0.0) {
            return Err(Fault::Singular { unknown });
        }
        let known: Vec<f64> = sizes.iter().enumerate().map(|(k, size)| (1.0 + 0.5 * (k as f64).sin()) / size).collect();
        let mut x = vec![0.0; known.len()];
        pattern.multiply(values, &known, &mut x);
        let right_side = x.clone();
        self.solve_in_place(&mut x);
        if x.iter().any(|x| !x.is_finite()) {
            // A pivot of exactly zero leaves nothing to look at. With a nudge on the diagonal the free motion is lost from the solution.
            let mut nudged = values.to_vec();
            for (k, size) in sizes.iter().enumerate() {
                nudged[pattern.slot(k, k).expect("the diagonal is part of every pattern")] += 1e-9 * size;
            }
            x.copy_from_slice(&right_side);
            let stack = MemStack::new(&mut self.memory);
            if self.symbolic.factorize_numeric_lu(&mut self.numeric, pattern.matrix(&nudged), Par::Seq, stack, Default::default()).is_ok() {
                self.solve_in_place(&mut x);
            }
            let unknown = worst(&x, &known).0;
            return Err(Fault::Singular { unknown });
        }
        let (unknown, error) = worst(&x, &known);
        if error > UNKNOWN { Err(Fault::Singular { unknown }) } else { Ok(()) }
    }
}

/// The entry with the largest relative error; what is not finite counts as larger than all.
fn worst(found: &[f64], known: &[f64]) -> (usize, f64) {
    let mut worst = (0, 0.0);
    for (k, (found, known)) in found.iter().zip(known).enumerate() {
        let error = ((found - known) / known).abs();
        if !(error <= worst.1) {
            worst = (k, if error.is_nan() { f64::INFINITY } else { error });
        }
    }
    worst
}
