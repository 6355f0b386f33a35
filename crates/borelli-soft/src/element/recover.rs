//! Stresses at nodes of cells with straight sides, from the middles of cells, where they are most accurate.
//! Not here: stresses at points of integration (`output`).
//! In: stress and deformation gradient in the middle of each cell. Out: the same at nodes.
//!
//! Around a node inside the body the middles of its cells carry a plane, by least squares; its value at the node is the node's. A node on the rim takes
//! the mean of the planes of the nodes inside that it shares a cell with, which reaches out to the rim with an error of second order; a mean of cells
//! would lag behind a gradient by half a cell. Where there is no such node the mean of the cells stays.
//! Source: Zienkiewicz, Zhu 1992, Int. J. Numer. Methods Eng. 33:1331-1364, with the one point of each cell that linear cells are best at.

use super::output::{NodeStress, PointStress};
use super::{Solid, Stress};

/// Numbers of a stress and a deformation gradient.
const NUMBERS: usize = 8;

/// A plane through values around a node: value there, slopes along x and y.
type Planes = [[f64; 3]; NUMBERS];

fn numbers(stress: &Stress, [a, b, c, d]: [f64; 4]) -> [f64; NUMBERS] {
    [stress.xx, stress.yy, stress.xy, stress.zz, a, b, c, d]
}

fn set(stress: &mut Stress, gradient: &mut [f64; 4], [xx, yy, xy, zz, a, b, c, d]: [f64; NUMBERS]) {
    *stress = Stress { xx, yy, xy, zz };
    *gradient = [a, b, c, d];
}

impl Solid {
    /// Replaces means of cells in `out` and `gradients` by what planes through the middles of cells say, where cells have straight sides.
    pub(super) fn recover(&self, x: &[f64], points: &[PointStress], out: &mut [NodeStress], gradients: &mut [[f64; 4]]) {
        let middles = self.middles(points);
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); out.len()];
        for cell in 0..self.cells.len() {
            self.slots_of(cell).iter().for_each(|slot| around[*slot as usize].push(cell as u32));
        }
        let at = |slot: usize| {
            let node = 2 * self.places[slot].node as usize;
            [x[node], x[node + 1]]
        };
        let planes: Vec<Option<Planes>> = around
            .iter()
            .enumerate()
            .map(|(slot, cells)| if self.is_inside(slot, cells) { plane(at(slot), cells, &middles) } else { None })
            .collect();
        for slot in 0..out.len() {
            if let Some(own) = &planes[slot] {
                set(&mut out[slot].stress, &mut gradients[slot], own.map(|plane| plane[0]));
                continue;
            }
            let (mut sum, mut count, mut seen) = ([0.0; NUMBERS], 0.0, Vec::with_capacity(8));
            for other in around[slot].iter().flat_map(|cell| self.slots_of(*cell as usize)).map(|slot| *slot as usize) {
                let Some(planes) = planes[other].as_ref().filter(|_| !seen.contains(&other)) else { continue };
                seen.push(other);
                let ([px, py], [ox, oy]) = (at(slot), at(other));
                for (sum, [value, by_x, by_y]) in sum.iter_mut().zip(planes) {
                    *sum += value + by_x * (px - ox) + by_y * (py - oy);
                }
                count += 1.0;
            }
            if count > 0.0 {
                set(&mut out[slot].stress, &mut gradients[slot], sum.map(|sum| sum / count));
            }
        }
    }

    /// Position, stress and deformation gradient in the middle of each cell: the mean of its points.
    fn middles(&self, points: &[PointStress]) -> Vec<([f64; 2], [f64; NUMBERS])> {
        let mut middles = vec![([0.0; 2], [0.0; NUMBERS], 0.0); self.cells.len()];
        for point in points {
            let (position, sum, count) = &mut middles[point.cell as usize];
            (0..2).for_each(|k| position[k] += point.position[k]);
            sum.iter_mut().zip(numbers(&point.stress, point.gradient)).for_each(|(sum, more)| *sum += more);
            *count += 1.0;
        }
        middles.into_iter().map(|(position, sum, count)| (position.map(|p| p / count), sum.map(|s| s / count))).collect()
    }

    /// Whether cells of the region surround a node: then as many sides as cells meet there, on the rim one more.
    fn is_inside(&self, slot: usize, cells: &[u32]) -> bool {
        let mut ends = Vec::with_capacity(8);
        for cell in cells {
            let slots = self.slots_of(*cell as usize);
            let Some(k) = slots.iter().position(|own| *own as usize == slot) else { continue };
            for end in [slots[(k + 1) % slots.len()], slots[(k + slots.len() - 1) % slots.len()]] {
                if !ends.contains(&end) {
                    ends.push(end);
                }
            }
        }
        cells.len() >= 3 && ends.len() == cells.len()
    }

    fn slots_of(&self, cell: usize) -> &[u32] {
        let own = &self.cells[cell];
        &self.slots[own.node..own.node + own.shape.nodes()]
    }
}

/// The planes through the middles of cells by least squares, about a point; none where the middles do not span one.
fn plane([x, y]: [f64; 2], cells: &[u32], middles: &[([f64; 2], [f64; NUMBERS])]) -> Option<Planes> {
    let (mut A, mut b) = ([[0.0; 3]; 3], [[0.0; 3]; NUMBERS]);
    let size = cells.iter().map(|cell| middles[*cell as usize].0).map(|[mx, my]| (mx - x).hypot(my - y)).fold(0.0, f64::max);
    for cell in cells {
        let ([mx, my], values) = middles[*cell as usize];
        let row = [1.0, (mx - x) / size, (my - y) / size];
        for i in 0..3 {
            for j in 0..3 {
                A[i][j] += row[i] * row[j];
            }
            b.iter_mut().zip(values).for_each(|(b, value)| b[i] += row[i] * value);
        }
    }
    let minor = |i: usize, j: usize| {
        let (r, c) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
        A[r[0]][c[0]] * A[r[1]][c[1]] - A[r[0]][c[1]] * A[r[1]][c[0]]
    };
    let det: f64 = (0..3).map(|j| A[0][j] * minor(0, j)).sum();
    // Middles on a line leave nothing; the matrix has entries of about the number of cells.
    if !(det > 1e-6) {
        return None;
    }
    Some(b.map(|b| {
        let [value, by_x, by_y] = [0, 1, 2].map(|i| (0..3).map(|j| minor(j, i) * b[j]).sum::<f64>() / det);
        [value, by_x / size, by_y / size]
    }))
}
