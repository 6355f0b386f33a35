//! Half or a quarter of a disc under its flat face, for contact at the middle of that face.
//! Not here: what presses on it.
//! In: centre, radius, divisions. Out: a mesh with the boundaries `flat`, `arc` and, for the quarter, `symmetry`.
//!
//! A core of quadrilaterals lies under the middle of the flat face; rows around it turn into the arc step by step. No cell collapses to a triangle:
//!
//! ```text
//!   centre  flat ────────────────┐
//!   ├──┬──┬────┬──────┬──────────┤
//!   ├──┼──┼────┼──────┼─────────/
//!   ├──┼──┘\    \      \       /
//!   │  │    \    \      \     /  arc
//!   symmetry
//! ```

use super::generator::{BadValue, Quads, check, check_divisions, check_grading, check_position, check_positive, graded};
use super::{Mesh, Shape, between, sub};

/// How much of the disc is meshed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All that lies below the flat face.
    Half,
    /// Only the right of it; `symmetry` is the cut below the centre.
    Quarter,
}

/// Half or a quarter of a disc. The flat face looks up and lies at the height of the centre; the body hangs below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Centre of the circle and middle of the flat face, m.
    pub centre: [f64; 2],
    /// Radius, m.
    pub radius: f64,
    /// How much of it.
    pub part: Part,
    /// Cells along the flat face from the centre to the rim.
    pub along: usize,
    /// How many of those belong to the core, which has as many cells in depth.
    pub core: usize,
    /// Ratio of the last to the first edge along the flat face, from the centre to the rim.
    pub grading: f64,
}

impl Default for Disc {
    /// The sector of the contact test of Hertz: 1560 cells in a quarter of 8 cm radius.
    fn default() -> Self {
        Disc { centre: [0.0; 2], radius: 0.08, part: Part::Quarter, along: 49, core: 20, grading: 30.0 }
    }
}

/// The lower corner of the core is drawn in by this factor. Three cells meet there; a square corner would leave 135 degrees to two of them.
const CORNER: f64 = 0.85;

impl Disc {
    /// The mesh. Nodes of the core come first, then row after row around it.
    pub fn mesh(&self, shape: Shape) -> Result<Mesh, BadValue> {
        let s = self.check()?;
        let mut quads = self.quarter(&s);
        if self.part == Part::Half {
            mirror(&mut quads);
        }
        for p in &mut quads.points {
            *p = [self.centre[0] + self.radius * p[0], self.centre[1] + self.radius * p[1]];
        }
        Ok(quads.mesh(shape, |a, b| self.halfway(a, b)))
    }

    /// Positions along the flat face as fractions of the radius, if all numbers are good.
    fn check(&self) -> Result<Vec<f64>, BadValue> {
        check_position("centre", self.centre)?;
        check_positive("radius", self.radius)?;
        check_divisions("along", self.along, self.along.checked_mul(self.along).and_then(|n| n.checked_mul(4)))?;
        check(self.core >= 1 && self.core < self.along, "core", self.core as f64, "at least 1 and below `along`")?;
        check_grading("grading", self.grading)?;
        let s = graded(self.along, self.grading);
        check(s[self.core] <= 0.65, "core", self.core as f64, "smaller: the core may reach to 0.65 of the radius")?;
        Ok(s)
    }

    /// The right quarter of the unit disc about the origin.
    fn quarter(&self, s: &[f64]) -> Quads {
        let [core, rows] = [self.core, self.along - self.core];
        let width = s[core];
        let mut quads = Quads::default();
        // core: rows from the flat face downwards
        let [right, corner, bottom] = [[width, 0.0], [CORNER * width, -CORNER * width], [0.0, -width]];
        for t in &s[..=core] {
            let t = t / width;
            let [from, to] = [between([0.0; 2], bottom, t), between(right, corner, t)];
            quads.points.extend(s[..=core].iter().map(|x| between(from, to, x / width)));
        }
        let in_core = |i: usize, j: usize| (j * (core + 1) + i) as u32;
        quads.add_grid(core, core, |i, j| in_core(i, core - j)); // to the right and then up turns left
        // rows around the core: along its bottom from the left, then up its right side
        let around = |i: usize, row: usize| match row {
            0 if i <= core => in_core(i, core),
            0 => in_core(core, 2 * core - i),
            _ => ((core + 1).pow(2) + (row - 1) * (2 * core + 1) + i) as u32,
        };
        for row in 1..=rows {
            let t = (s[core + row] - width) / (1.0 - width);
            for i in 0..=2 * core {
                let foot = quads.points[around(i, 0) as usize];
                let distance = foot[0].hypot(foot[1]);
                quads.points.push(between(foot, foot.map(|x| x / distance), t));
            }
        }
        quads.add_grid(rows, 2 * core, |row, i| around(i, row)); // outwards and then around turns left
        let flat = (0..=rows).rev().map(|row| around(2 * core, row)).chain((0..core).rev().map(|i| in_core(i, 0)));
        let cut = (0..=core).map(|j| in_core(0, j)).chain((1..=rows).map(|row| around(0, row)));
        quads.boundaries.push(("flat", flat.collect()));
        quads.boundaries.push(("arc", (0..=2 * core).map(|i| around(i, rows)).collect()));
        quads.boundaries.push(("symmetry", cut.collect()));
        quads
    }

    /// Halfway between two points: on the arc if both are.
    fn halfway(&self, a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
        let straight = between(a, b, 0.5);
        let distance = |p: [f64; 2]| {
            let [x, y] = sub(p, self.centre);
            x.hypot(y)
        };
        let on_arc = |p: [f64; 2]| (distance(p) - self.radius).abs() < 1e-9 * self.radius;
        if on_arc(a) && on_arc(b) { between(self.centre, straight, self.radius / distance(straight)) } else { straight }
    }
}

/// Adds the mirror image on the left of the y axis. Nodes on the axis are shared.
fn mirror(quads: &mut Quads) {
    let mut image: Vec<u32> = (0..quads.points.len() as u32).collect();
    for k in 0..quads.points.len() {
        let [x, y] = quads.points[k];
        if x != 0.0 {
            image[k] = quads.points.len() as u32;
            quads.points.push([-x, y]);
        }
    }
    let mirrored: Vec<[u32; 4]> = quads.cells.iter().map(|&[a, b, c, d]| [a, d, c, b].map(|n| image[n as usize])).collect();
    quads.cells.extend(mirrored);
    quads.boundaries.retain(|(name, _)| *name != "symmetry");
    for (name, nodes) in &mut quads.boundaries {
        let mut left: Vec<u32> = nodes.iter().rev().map(|&n| image[n as usize]).collect();
        // the flat face runs from right to left, the arc from left to right
        if *name == "flat" {
            nodes.extend(left.drain(1..));
        } else {
            left.extend(nodes.drain(1..));
            *nodes = left;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::generator::tests::{assert_area_order, assert_sound};
    use super::*;
    use borelli_testkit::assert_close;
    use std::f64::consts::PI;

    const SHAPES: [Shape; 4] = [Shape::Q4, Shape::T3, Shape::Q8, Shape::T6];

    #[test]
    fn areas_come_to_the_exact_one_with_order_two_and_four() {
        for (part, share) in [(Part::Half, 0.5), (Part::Quarter, 0.25)] {
            let coarse = Disc { centre: [0.3, 0.1], radius: 2.0, part, along: 8, core: 4, grading: 1.0 };
            let fine = Disc { along: 16, core: 8, ..coarse };
            for (shape, order) in [(Shape::Q4, 2.0), (Shape::T3, 2.0), (Shape::Q8, 4.0), (Shape::T6, 4.0)] {
                let [coarse, fine] = [coarse.mesh(shape).unwrap(), fine.mesh(shape).unwrap()];
                assert_sound(&coarse);
                assert_sound(&fine);
                assert_area_order(&coarse, &fine, share * PI * 4.0, order);
            }
        }
    }

    #[test]
    fn the_disc_of_hertz_has_good_cells() {
        for part in [Part::Quarter, Part::Half] {
            let disc = Disc { part, ..Disc::default() };
            let mesh = disc.mesh(Shape::Q4).unwrap();
            assert_eq!(mesh.cells.len(), if part == Part::Half { 3120 } else { 1560 });
            let quality = mesh.quality();
            assert!(quality.smallest_angle > 30f64.to_radians(), "{} degrees", quality.smallest_angle.to_degrees());
            for shape in SHAPES {
                assert_sound(&disc.mesh(shape).unwrap());
            }
        }
        // other divisions, from even to very fine in the middle
        for (along, core, grading) in [(2, 1, 1.0), (20, 10, 5.0), (60, 30, 100.0), (100, 40, 200.0), (30, 3, 0.5)] {
            let angle = Disc { along, core, grading, ..Disc::default() }.mesh(Shape::Q4).unwrap().quality().smallest_angle;
            assert!(angle > 30f64.to_radians(), "{along} {core} {grading}: {} degrees", angle.to_degrees());
        }
    }

    #[test]
    fn boundaries_lie_where_they_should() {
        let disc = Disc { centre: [0.01, 0.02], ..Disc::default() };
        let mesh = disc.mesh(Shape::Q8).unwrap();
        let [x, y] = disc.centre;
        let nodes = |name: &str| mesh.boundary(name).unwrap().nodes().into_iter().map(|n| mesh.points[n as usize]).collect::<Vec<_>>();
        assert!(nodes("flat").iter().all(|p| (p[1] - y).abs() < 1e-14));
        assert!(nodes("symmetry").iter().all(|p| (p[0] - x).abs() < 1e-14));
        for p in nodes("arc") {
            assert_close(&[(p[0] - x).hypot(p[1] - y)], &[disc.radius], 1e-12, "arc");
        }
        // material on the left: the flat face runs to the left, the cut down, the arc back up
        let flat = nodes("flat");
        assert_close(&flat[0], &[x + disc.radius, y], 1e-12, "flat starts at the rim");
        assert_close(&flat[flat.len() - 1], &disc.centre, 1e-12, "and ends at the centre");
        // edges of the flat face grow by the grading from the centre to the rim
        let edges = &mesh.boundary("flat").unwrap().edges;
        let ratio = edges[0].length(&mesh.points) / edges[edges.len() - 1].length(&mesh.points);
        assert_close(&[ratio], &[disc.grading], 1e-9, "grading");
        let half = Disc { part: Part::Half, ..disc }.mesh(Shape::Q4).unwrap();
        assert!(half.boundary("symmetry").is_none());
        assert!(half.boundaries.iter().all(|b| b.chains().len() == 1), "mirrored chains join");
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let good = Disc::default();
        let bad = [
            ("centre", Disc { centre: [0.0, f64::NAN], ..good }),
            ("radius", Disc { radius: -1.0, ..good }),
            ("along", Disc { along: 0, ..good }),
            ("along", Disc { along: usize::MAX, ..good }),
            ("core", Disc { core: 0, ..good }),
            ("core", Disc { core: 49, ..good }),
            ("core", Disc { core: 40, grading: 1.0, ..good }),
            ("grading", Disc { grading: f64::NAN, ..good }),
        ];
        for (field, disc) in bad {
            assert_eq!(disc.mesh(Shape::Q4).unwrap_err().field, field, "{disc:?}");
        }
    }
}
