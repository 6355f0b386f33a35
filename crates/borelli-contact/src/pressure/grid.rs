//! A grid of square-cornered cells on the plane, as of a pressure mat.

use super::chord::Presser;
use crate::law::{Fault, Range};
use borelli_math::{Constant, Real, Vec3};

/// Cells on the plane and the points in each at which pressure is taken.
///
/// A cell reports its mean pressure. One point per cell misses or counts whole cells at the rim: at a pitch of 7.5 mm the force of a heel
/// is then off by a percent or two, with 3 × 3 points by a tenth of that (`sub_samples_take_out_the_error_of_a_coarse_mat`).
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    corner: Vec3<f64>,
    along: [Vec3<f64>; 2],
    pitch: [f64; 2],
    cells: [usize; 2],
    samples: usize,
}

impl Grid {
    /// A grid from its corner (a point of the plane), two unit vectors along its sides at right angles, the pitch (m) and number of cells along
    /// each, and the number of points along each side of a cell, at least one; three serve well.
    pub fn new(corner: Vec3<f64>, along: [Vec3<f64>; 2], pitch: [f64; 2], cells: [usize; 2], samples: usize) -> Result<Self, Fault> {
        for side in along {
            crate::volume::unit_normal(side)?;
        }
        let cosine = along[0].dot(along[1]);
        if !(cosine.abs() < 1e-9) {
            return Err(Fault::NotOrthogonal { cosine });
        }
        let refuse = |parameter, value, range, unit| Err(Fault::OutOfRange { parameter, value, range, unit });
        if let Some(&value) = pitch.iter().find(|&&p| !Range::POSITIVE.contains(p)) {
            return refuse("pitch", value, Range::POSITIVE, "m");
        }
        if samples == 0 {
            return refuse("samples", 0.0, Range::AT_LEAST_ONE, "1");
        }
        Ok(Grid { corner, along, pitch, cells, samples })
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells[0] * self.cells[1]
    }

    /// True without any cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Area of a cell, m².
    pub fn cell_area(&self) -> f64 {
        self.pitch[0] * self.pitch[1]
    }

    /// Middle of a cell; cells run along the first side first.
    pub fn middle(&self, cell: usize) -> Vec3<f64> {
        let (i, j) = (cell % self.cells[0], cell / self.cells[0]);
        self.place(i as f64 + 0.5, j as f64 + 0.5)
    }

    fn place(&self, i: f64, j: f64) -> Vec3<f64> {
        self.corner + self.along[0].scale(self.pitch[0] * i) + self.along[1].scale(self.pitch[1] * j)
    }

    /// Points of a cell.
    fn points(&self, cell: usize) -> impl Iterator<Item = Vec3<f64>> + '_ {
        let (i, j, per_side) = (cell % self.cells[0], cell / self.cells[0], self.samples);
        let at = move |k: usize| (k as f64 + 0.5) / per_side as f64;
        (0..per_side * per_side).map(move |k| self.place(i as f64 + at(k % per_side), j as f64 + at(k / per_side)))
    }

    /// All points, each with the area it stands for, m².
    pub(super) fn all_points(&self) -> impl Iterator<Item = (Vec3<f64>, f64)> + '_ {
        let area = self.cell_area() / (self.samples * self.samples) as f64;
        (0..self.len()).flat_map(move |cell| self.points(cell).map(move |x| (x, area)))
    }

    /// Mean pressure (Pa) of an ellipsoid on a cell: that of its points.
    pub fn mean<S: Real, C: Constant<S>>(&self, presser: &Presser<S, C>, cell: usize) -> S {
        let mut sum = S::ZERO;
        for x in self.points(cell) {
            sum += presser.pressure(Vec3::lift(x));
        }
        sum * (1.0 / (self.samples * self.samples) as f64)
    }

    /// Cells under the shadow of an ellipsoid, the only ones that it can press on; none where it is above the plane.
    pub fn under<S: Real, C: Constant<S>>(&self, presser: &Presser<S, C>) -> impl Iterator<Item = usize> + use<S, C> {
        let (height, reach) = presser.shadow(self.corner, presser.normal().values());
        let [columns, rows] = [0, 1].map(|side| {
            let (middle, half) = presser.shadow(self.corner, self.along[side]);
            let cell = |x: f64| (x / self.pitch[side]).clamp(0.0, self.cells[side] as f64);
            cell(middle - half).floor() as usize..cell(middle + half).ceil() as usize
        });
        let (rows, wide) = (if height >= reach { 0..0 } else { rows }, self.cells[0]);
        rows.flat_map(move |row| columns.clone().map(move |column| row * wide + column))
    }

    /// Adds the mean pressure (Pa) of an ellipsoid to each cell; where ellipsoids overlap their pressures add.
    pub fn add_pressures<S: Real, C: Constant<S>>(&self, presser: &Presser<S, C>, pressures: &mut [S]) {
        for cell in self.under(presser) {
            pressures[cell] += self.mean(presser, cell);
        }
    }

    /// Total force (N) of cell pressures and its centre Σ p x/Σ p, if there is any force.
    pub fn total<S: Real>(&self, pressures: &[S]) -> (S, Option<Vec3<S>>) {
        let (mut sum, mut first) = (S::ZERO, Vec3::ZERO);
        for (cell, &p) in pressures.iter().enumerate().take(self.len()) {
            sum += p;
            first += Vec3::lift(self.middle(cell)).scale(p);
        }
        let centre = (sum.value() > 0.0).then(|| first.scale(sum.recip()));
        (sum * self.cell_area(), centre)
    }
}
