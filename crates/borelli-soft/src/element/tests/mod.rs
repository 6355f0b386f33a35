//! Elements against differences, exact fields, closed forms and tables. What the files share: materials, cells, a small solver.

mod convergence;
mod kernel;
mod patch;
mod refusals;
mod stress;

use super::*;
use crate::material::{Material, Plane};
use crate::mesh::Cell;
use crate::shape::Shape;
use borelli_math::random::Random;

fn material(name: &str, given: &[(&str, f64)]) -> Material {
    Material::new(name, given).expect("in range")
}

fn cell(shape: Shape, nodes: &[u32]) -> Cell {
    let mut all = [0; 8];
    all[..nodes.len()].copy_from_slice(nodes);
    Cell { shape, nodes: all, region: 0 }
}

/// Shapes and kinds of elements that go together.
fn pairs() -> Vec<(Shape, Kind)> {
    let all = Shape::ALL.iter().flat_map(|&shape| KINDS.iter().map(move |about| (shape, about.kind)));
    all.filter(|&(shape, kind)| kind == Kind::Plain || f_bar::refusal(shape).is_none()).collect()
}

/// One crooked cell of about unit size.
fn crooked(shape: Shape, random: &mut Random) -> Vec<[f64; 2]> {
    shape
        .places()
        .iter()
        .map(|&[r, s]| [0.3 + r + 0.2 * s + random.uniform(-0.08, 0.08), s - 0.1 * r + random.uniform(-0.08, 0.08)])
        .collect()
}

/// Positions under a deformation gradient, with noise.
fn deformed(points: &[[f64; 2]], F: [f64; 4], noise: f64, random: &mut Random) -> Vec<f64> {
    let place = |&[x, y]: &[f64; 2]| [F[0] * x + F[1] * y, F[2] * x + F[3] * y];
    points.iter().flat_map(place).map(|x| x + random.uniform(-noise, noise)).collect()
}

/// Newton's method on the free unknowns, by a factor L D Lᵀ within the band; returns the inner forces of the whole body.
fn solve(solid: &Solid, x: &mut [f64], fixed: &[bool], load: &[f64]) -> Vec<f64> {
    let n = x.len();
    let dofs = |cell: usize| solid.nodes_of(cell).iter().flat_map(|&node| [2 * node as usize, 2 * node as usize + 1]).collect::<Vec<_>>();
    let reach = |d: Vec<usize>| d.iter().max().expect("nodes") - d.iter().min().expect("nodes");
    let band = (0..solid.cells()).map(|cell| reach(dofs(cell))).max().expect("cells");
    let size = x.iter().fold(0.0f64, |s, x| s.max(x.abs()));
    let mut work = CellWork::default();
    for _ in 0..30 {
        // k[i * (band + 1) + band + j - i] for j from i − band to i.
        let (mut k, mut r, mut f) = (vec![0.0; n * (band + 1)], load.to_vec(), vec![0.0; n]);
        let at = |i: usize, j: usize| i * (band + 1) + band + j - i;
        for cell in 0..solid.cells() {
            solid.fill(cell, x, None, None, Some(CellWeights::default()), &mut work).expect("not inside out");
            let d = dofs(cell);
            for (a, &i) in d.iter().enumerate() {
                f[i] += work.f[a];
                for (b, &j) in d.iter().enumerate().filter(|&(_, &j)| j <= i && !fixed[i] && !fixed[j]) {
                    k[at(i, j)] += work.k[a * d.len() + b];
                }
            }
        }
        for i in 0..n {
            r[i] -= f[i];
            if fixed[i] {
                (k[at(i, i)], r[i]) = (1.0, 0.0);
            }
        }
        for i in 0..n {
            let first = i.saturating_sub(band);
            for j in first..=i {
                let dot: f64 = (first.max(j.saturating_sub(band))..j).map(|m| k[at(i, m)] * k[at(j, m)] * k[at(m, m)]).sum();
                k[at(i, j)] -= dot;
                if j < i {
                    k[at(i, j)] /= k[at(j, j)];
                }
            }
            r[i] -= (first..i).map(|j| k[at(i, j)] * r[j]).sum::<f64>();
        }
        for i in 0..n {
            r[i] /= k[at(i, i)];
        }
        for i in (0..n).rev() {
            for j in i.saturating_sub(band)..i {
                r[j] -= k[at(i, j)] * r[i];
            }
        }
        let step = r.iter().fold(0.0f64, |s, x| s.max(x.abs()));
        x.iter_mut().zip(&r).for_each(|(x, d)| *x += d);
        assert!(step.is_finite());
        // Convergence is quadratic: after such a step the rest is rounding.
        if step < 1e-9 * size {
            return f;
        }
    }
    panic!("no convergence");
}
