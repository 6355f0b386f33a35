//! Sparse systems of soft bodies with ties and contacts: pattern, order of elimination, factorisation, checked solves. One thread: same bits.
//! Not here: what the entries mean (`element`, `tie`, `contact`), Newton's iteration.
//! In: blocks of coupled unknowns, right-hand sides. Out: solutions whose residual was looked at; faults that name an unknown.

pub mod ldlt;
pub mod lu;
pub mod order;
pub mod pattern;
mod substitute;
#[cfg(test)]
mod tests;

pub use ldlt::Ldlt;
pub use lu::Lu;
pub use order::{Order, Place};
pub use pattern::{OUT, Pattern};

/// Right-hand sides that are solved together; memory is taken for so many. Two carriers have six.
const BLOCK: usize = 6;
/// A residual below this is left as it is: the next iteration of Newton sees the true forces anyway. Above it, one step of refinement is made.
const FINE: f64 = 1e-10;
/// A row that is off by more than this part of its terms, or a residual above `RESIDUAL`, is not taken for a solution.
const ROW: f64 = 1e-8;
const RESIDUAL: f64 = 1e-6;

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The pattern or its factors do not fit in memory.
    TooLarge,
    /// A group names an unknown that does not exist.
    NoSuchUnknown {
        /// As named.
        unknown: usize,
        /// How many there are.
        unknowns: usize,
    },
    /// A list has the wrong length.
    WrongLength {
        /// Its length.
        found: usize,
        /// What it should be.
        expected: usize,
    },
    /// An entry of the matrix in this column, or of a right-hand side in this row, is not a finite number.
    NotFinite {
        /// The unknown of the column or row.
        unknown: usize,
    },
    /// The equations leave an unknown open: nothing holds a body, or a condition follows from others.
    Singular {
        /// An unknown that takes part in it.
        unknown: usize,
    },
    /// The solution does not fulfil the equations.
    Inaccurate {
        /// What was reached.
        accuracy: Accuracy,
    },
    /// There are no factors: none were asked for, or the last values had none.
    NotFactored,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::TooLarge => write!(f, "the system does not fit in memory"),
            Fault::NoSuchUnknown { unknown, unknowns } => write!(f, "unknown {unknown} does not exist; there are {unknowns}"),
            Fault::WrongLength { found, expected } => write!(f, "a list has {found} entries instead of {expected}"),
            Fault::NotFinite { unknown } => write!(f, "a number in row or column {unknown} is not finite"),
            Fault::Singular { unknown } => write!(f, "the equations leave unknown {unknown} open"),
            Fault::Inaccurate { accuracy } => {
                write!(f, "the solution misses the equations by {:.1e} of the right-hand side", accuracy.residual)?;
                write!(f, ", and a row by {:.1e} of its terms", accuracy.worst_row)
            }
            Fault::NotFactored => write!(f, "the matrix has not been factored"),
        }
    }
}

impl std::error::Error for Fault {}

/// How well a solution fulfils its equations; of several right-hand sides the worst.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// |A x - b| / |b|, in the Euclidean norm.
    pub residual: f64,
    /// The largest |A x - b| of a row beside the terms of that row, so that a row in metres counts as much as one in newtons.
    pub worst_row: f64,
}

impl Accuracy {
    /// The worse of both in each measure; what is not finite stays so.
    fn worse(self, other: Accuracy) -> Accuracy {
        let larger = |a: f64, b: f64| if a.is_nan() || a > b { a } else { b };
        Accuracy { residual: larger(self.residual, other.residual), worst_row: larger(self.worst_row, other.worst_row) }
    }

    fn within(self, residual: f64, row: f64) -> bool {
        // False for NaN.
        self.residual <= residual && self.worst_row <= row
    }
}

/// How a matrix was factored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// L D Lᵀ without pivoting.
    Ldlt,
    /// L U with row exchanges.
    Lu,
}

/// What happened since the start, for a report.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Notes {
    /// Matrices factored.
    pub factorisations: usize,
    /// Symmetric matrices that had to be factored with row exchanges.
    pub fallbacks: usize,
    /// Right-hand sides solved for.
    pub solved: usize,
    /// Right-hand sides that needed a step of refinement.
    pub refinements: usize,
    /// Why the symmetric factorisation was given up the last time.
    pub last_failure: Option<Fault>,
}

/// Factors and solves on one pattern. Hides which factorisation does it.
pub struct Solver {
    pattern: Pattern,
    ldlt: Option<Ldlt>,
    /// Made when first needed for symmetric matrices.
    lu: Option<Lu>,
    method: Option<Method>,
    /// The matrix that was factored, so that a residual never belongs to another one.
    values: Vec<f64>,
    /// For each row, the sum of the absolute values of its entries.
    row_sums: Vec<f64>,
    right_sides: Vec<f64>,
    /// For each row, what it misses and the sum of the absolute values of its terms.
    rows: Vec<[f64; 2]>,
    correction: Vec<f64>,
    notes: Notes,
}

impl Solver {
    /// A solver for matrices on a pattern. `symmetric` matrices take L D Lᵀ in the order given, others L U in an order of its own.
    pub fn new(pattern: Pattern, order: &Order, symmetric: bool) -> Result<Solver, Fault> {
        let (ldlt, lu) = if symmetric { (Some(Ldlt::new(&pattern, order)?), None) } else { (None, Some(Lu::new(&pattern)?)) };
        let (unknowns, entries) = (pattern.unknowns(), pattern.entries());
        Ok(Solver {
            pattern,
            ldlt,
            lu,
            method: None,
            values: vec![0.0; entries],
            row_sums: vec![0.0; unknowns],
            right_sides: vec![0.0; unknowns * BLOCK],
            rows: vec![[0.0; 2]; unknowns],
            correction: vec![0.0; unknowns],
            notes: Notes::default(),
        })
    }

    /// The pattern.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// How the present factors were made.
    pub fn method(&self) -> Option<Method> {
        self.method
    }

    /// What happened so far.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Number of stored entries of the symmetric factors.
    pub fn factor_entries(&self) -> Option<usize> {
        self.ldlt.as_ref().map(Ldlt::entries)
    }

    /// Factors a matrix. Asks for no memory as long as the symmetric factorisation succeeds.
    pub fn factor(&mut self, values: &[f64]) -> Result<Method, Fault> {
        self.method = None;
        if values.len() != self.values.len() {
            return Err(Fault::WrongLength { found: values.len(), expected: self.values.len() });
        }
        if let Some(unknown) = self.pattern.not_finite(values) {
            return Err(Fault::NotFinite { unknown });
        }
        self.values.copy_from_slice(values);
        self.row_sums.fill(0.0);
        for column in 0..self.pattern.unknowns() {
            for (&row, value) in self.pattern.rows(column).iter().zip(self.pattern.of_column(values, column)) {
                self.row_sums[row] += value.abs();
            }
        }
        self.notes.factorisations += 1;
        let method = match &mut self.ldlt {
            Some(ldlt) => match ldlt.factor(&self.pattern, &self.values) {
                Ok(()) => Method::Ldlt,
                // The factorisation with row exchanges judges whether the matrix or only the order is at fault.
                Err(failure) => self.fall_back(failure)?,
            },
            None => self.factor_with_exchanges()?,
        };
        self.method = Some(method);
        Ok(method)
    }

    /// Solves for one or more right-hand sides, one behind the other; `b` becomes the solution. Asks for no memory with L D Lᵀ.
    ///
    /// The residual is looked at, one step of refinement made where it is not small, and row exchanges tried where that did not help.
    pub fn solve(&mut self, b: &mut [f64]) -> Result<Accuracy, Fault> {
        let unknowns = self.pattern.unknowns();
        if unknowns == 0 && b.is_empty() {
            return Ok(Accuracy::default());
        }
        if unknowns == 0 || !b.len().is_multiple_of(unknowns) {
            return Err(Fault::WrongLength { found: b.len(), expected: unknowns });
        }
        if let Some(place) = b.iter().position(|x| !x.is_finite()) {
            return Err(Fault::NotFinite { unknown: place % unknowns });
        }
        self.notes.solved += b.len() / unknowns;
        let mut accuracy = Accuracy::default();
        for x in b.chunks_mut(BLOCK * unknowns) {
            accuracy = accuracy.worse(self.solve_block(x)?);
        }
        Ok(accuracy)
    }

    fn solve_block(&mut self, x: &mut [f64]) -> Result<Accuracy, Fault> {
        self.right_sides[..x.len()].copy_from_slice(x);
        let accuracy = self.solve_and_refine(x)?;
        if accuracy.within(RESIDUAL, ROW) {
            return Ok(accuracy);
        }
        let failure = Fault::Inaccurate { accuracy };
        if self.method == Some(Method::Ldlt) {
            self.method = None;
            self.method = Some(self.fall_back(failure)?);
            x.copy_from_slice(&self.right_sides[..x.len()]);
            let accuracy = self.solve_and_refine(x)?;
            return if accuracy.within(RESIDUAL, ROW) { Ok(accuracy) } else { Err(Fault::Inaccurate { accuracy }) };
        }
        Err(failure)
    }

    fn solve_and_refine(&mut self, x: &mut [f64]) -> Result<Accuracy, Fault> {
        let unknowns = self.pattern.unknowns();
        self.apply(x)?;
        let mut worst = Accuracy::default();
        for (k, x) in x.chunks_mut(unknowns).enumerate() {
            let mut accuracy = self.measure(x, k);
            if !accuracy.within(FINE, FINE) {
                self.notes.refinements += 1;
                let mut correction = std::mem::take(&mut self.correction);
                correction.iter_mut().zip(&self.rows).for_each(|(c, [missed, _])| *c = *missed);
                let applied = self.apply(&mut correction);
                for (x, correction) in x.iter_mut().zip(&correction) {
                    *x += correction;
                }
                self.correction = correction;
                applied?;
                accuracy = self.measure(x, k);
            }
            worst = worst.worse(accuracy);
        }
        Ok(worst)
    }

    fn apply(&mut self, x: &mut [f64]) -> Result<(), Fault> {
        match (self.method, &mut self.ldlt, &mut self.lu) {
            (Some(Method::Ldlt), Some(ldlt), _) => ldlt.solve_in_place(x),
            (Some(Method::Lu), _, Some(lu)) => lu.solve_in_place(x),
            _ => return Err(Fault::NotFactored),
        }
        Ok(())
    }

    /// Leaves b - A x in `rows` for the k-th right-hand side and says how large it is.
    fn measure(&mut self, x: &[f64], k: usize) -> Accuracy {
        let unknowns = self.pattern.unknowns();
        let b = &self.right_sides[k * unknowns..(k + 1) * unknowns];
        // Finite first: a maximum passes over NaN.
        if x.iter().any(|x| !x.is_finite()) {
            self.rows.fill([f64::NAN; 2]);
            return Accuracy { residual: f64::NAN, worst_row: f64::NAN };
        }
        for (row, b) in self.rows.iter_mut().zip(b) {
            *row = [*b, b.abs()];
        }
        for (column, &x_column) in x.iter().enumerate() {
            for (&row, &value) in self.pattern.rows(column).iter().zip(self.pattern.of_column(&self.values, column)) {
                let (term, [missed, terms]) = (value * x_column, &mut self.rows[row]);
                *missed -= term;
                *terms += term.abs();
            }
        }
        let largest = x.iter().fold(0.0, |s: f64, x| s.max(x.abs()));
        let (missed, given): (f64, f64) = (self.rows.iter().map(|[m, _]| m * m).sum(), b.iter().map(|b| b * b).sum());
        let (missed, given) = (missed.sqrt(), given.sqrt());
        // Where all terms are rounding left over from larger ones elsewhere, their ratio says nothing: hence the floor.
        let floor = f64::EPSILON / ROW * largest;
        let mut worst_row = 0.0;
        for ([missed, terms], sum) in self.rows.iter().zip(&self.row_sums) {
            let ratio = if *missed == 0.0 { 0.0 } else { missed.abs() / (terms + floor * sum) };
            if !(ratio <= worst_row) {
                worst_row = ratio;
            }
        }
        Accuracy { residual: if missed == 0.0 { 0.0 } else { missed / given }, worst_row }
    }

    fn fall_back(&mut self, failure: Fault) -> Result<Method, Fault> {
        self.notes.fallbacks += 1;
        self.notes.last_failure = Some(failure);
        match self.factor_with_exchanges() {
            // The lost pivot names the cause more closely.
            Err(Fault::Singular { .. }) if matches!(failure, Fault::Singular { .. }) => Err(failure),
            other => other,
        }
    }

    fn factor_with_exchanges(&mut self) -> Result<Method, Fault> {
        let lu = match &mut self.lu {
            Some(lu) => lu,
            empty => empty.insert(Lu::new(&self.pattern)?),
        };
        lu.factor(&self.pattern, &self.values)?;
        Ok(Method::Lu)
    }
}
