//! Tables whose values are numbers of their own: parameters, or duals where slopes by them are wanted.
//! Not here: knots and plain tables (`table`), how slopes at the knots follow from the values (`slopes`).
//! In: a plain table, values as any scalar. Out: value and two derivatives at an argument, exact in both; filled again without memory asked for.

use super::table::{Interpolation, Outside, Pieces, Place, Table, TableFault};
use crate::real::{Constant, Real};
use std::sync::Arc;

/// A table with other values at its knots.
#[derive(Clone, Debug, PartialEq)]
pub struct Points<C> {
    /// Knots and rules.
    base: Arc<Table>,
    y: Vec<C>,
    factor: f64,
    pieces: Pieces<C>,
    /// Whether the values are those of the table itself, without slopes.
    is_base: bool,
}

impl<C> Points<C> {
    /// The table whose knots and rules these are.
    pub fn base(&self) -> &Arc<Table> {
        &self.base
    }

    /// Whether the values are those of the table itself, without slopes.
    pub(super) fn is_base(&self) -> bool {
        self.is_base
    }
}

impl<C: Real> Points<C> {
    /// Memory for a table whose values may change; nothing for one of fifth degree.
    pub fn new(base: Arc<Table>) -> Option<Points<C>> {
        let pieces = Pieces::new(base.knots());
        (base.interpolation() != Interpolation::Quintic).then(|| Points { base, y: Vec::new(), factor: 1.0, pieces, is_base: false })
    }

    /// Takes other values, which `factor` multiplies; of a periodic table the last one is the first and is not given.
    pub fn fill(&mut self, values: impl Iterator<Item = C>, factor: f64) {
        let periodic = self.base.outside() == Outside::Periodic;
        self.factor = factor;
        let Points { base, y, pieces, .. } = self;
        y.clear();
        y.extend(values.take(base.knots().len() - usize::from(periodic)));
        if periodic {
            y.extend_from_within(..1);
        }
        if pieces.fill(base.interpolation(), periodic, y).is_err() {
            unreachable!("a table that was built with this rule");
        }
        // As the base was: first the pieces, then the factor.
        if factor != 1.0 {
            pieces.cells.iter_mut().flatten().chain(&mut pieces.last).for_each(|c| *c = *c * factor);
        }
        let same = |(own, base): (&C, &f64)| own.value() == *base && !own.varies();
        let cells = pieces.cells.iter().flatten().zip(base.cells().iter().flatten());
        self.is_base = cells.chain(pieces.last.iter().zip(base.last())).all(same);
    }

    /// Value, first and second derivative.
    pub(super) fn eval<S: Real>(&self, x: S) -> [S; 3]
    where
        C: Constant<S>,
    {
        let Pieces { cells, last, .. } = &self.pieces;
        let found = match self.base.place(x.value()) {
            Place::Inside { interval, beyond: u } => {
                let [y, s, c, b] = cells[interval];
                let six = b * 6.0;
                [y + (s + (c + b * u) * u) * u, s + (c * 2.0 + (b * 3.0) * u) * u, c * 2.0 + six * u, six]
            }
            place => place.outside(&cells[0], last),
        };
        // The argument without its value: nothing for a plain number.
        let beyond = x - S::from_f64(x.value());
        [0, 1, 2].map(|k| found[k].lift() + found[k + 1].times(beyond))
    }

    /// The same over another scalar.
    pub(super) fn map<D: Real>(&self, constant: impl FnMut(C) -> D) -> Points<D> {
        let y: Vec<D> = self.y.iter().copied().map(constant).collect();
        let mut points =
            Points { base: self.base.clone(), y: Vec::new(), factor: 1.0, pieces: Pieces::new(self.base.knots()), is_base: false };
        points.fill(y.into_iter(), self.factor);
        points
    }
}

impl Points<f64> {
    /// A plain table with these values.
    ///
    /// # Errors
    /// What is wrong with the values.
    pub fn table(&self) -> Result<Table, TableFault> {
        self.base.with_pieces(self.pieces.clone())
    }
}
