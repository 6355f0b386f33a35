//! A block with four straight sides.
//! Not here: what it is made of.
//! In: four corners, divisions. Out: a mesh with the boundaries `bottom`, `right`, `top` and `left`.

use super::generator::{BadValue, Quads, check, check_divisions, check_grading, check_position, graded};
use super::{Mesh, Shape, between, cross, sub};

/// A block with four straight sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Corners counter-clockwise, m; `bottom` runs from the first to the second.
    pub corners: [[f64; 2]; 4],
    /// Cells along `bottom` and along `left`.
    pub divisions: [usize; 2],
    /// Ratio of the last to the first edge, from left to right and from bottom to top.
    pub grading: [f64; 2],
}

impl Block {
    /// A rectangle with sides along the axes and even cells; `corner` is its lower left one.
    pub fn rectangle(corner: [f64; 2], size: [f64; 2], divisions: [usize; 2]) -> Block {
        let [[x, y], [w, h]] = [corner, size];
        Block { corners: [[x, y], [x + w, y], [x + w, y + h], [x, y + h]], divisions, grading: [1.0; 2] }
    }

    /// The mesh. Nodes run from left to right first, then from bottom to top.
    pub fn mesh(&self, shape: Shape) -> Result<Mesh, BadValue> {
        self.check()?;
        let [nx, ny] = self.divisions;
        let at = |i: usize, j: usize| (j * (nx + 1) + i) as u32;
        let [a, b, c, d] = self.corners;
        let along = graded(nx, self.grading[0]);
        let mut quads = Quads::default();
        for t in graded(ny, self.grading[1]) {
            let [left, right] = [between(a, d, t), between(b, c, t)];
            quads.points.extend(along.iter().map(|&s| between(left, right, s)));
        }
        quads.add_grid(nx, ny, at);
        quads.boundaries.push(("bottom", (0..=nx).map(|i| at(i, 0)).collect()));
        quads.boundaries.push(("right", (0..=ny).map(|j| at(nx, j)).collect()));
        quads.boundaries.push(("top", (0..=nx).rev().map(|i| at(i, ny)).collect()));
        quads.boundaries.push(("left", (0..=ny).rev().map(|j| at(0, j)).collect()));
        Ok(quads.mesh(shape, |a, b| between(a, b, 0.5)))
    }

    fn check(&self) -> Result<(), BadValue> {
        for k in 0..4 {
            check_position("corners", self.corners[k])?;
            let [before, here, after] = [3, 0, 1].map(|step| self.corners[(k + step) % 4]);
            let turn = cross(sub(here, before), sub(after, here));
            check(
                turn > 0.0 && turn.is_finite(),
                "corners",
                (k + 1) as f64,
                "a corner that turns left: corners go round counter-clockwise",
            )?;
        }
        let [nx, ny] = self.divisions;
        check_divisions("divisions", nx, nx.checked_mul(ny.max(1)))?;
        check_divisions("divisions", ny, nx.checked_mul(ny))?;
        self.grading.into_iter().try_for_each(|grading| check_grading("grading", grading))
    }
}

#[cfg(test)]
mod tests {
    use super::super::generator::tests::assert_sound;
    use super::*;
    use borelli_testkit::assert_close;

    const SHAPES: [Shape; 4] = [Shape::Q4, Shape::T3, Shape::Q8, Shape::T6];

    #[test]
    fn a_rectangle_has_its_area_and_sides() {
        for shape in SHAPES {
            let mesh = Block { grading: [3.0, 0.5], ..Block::rectangle([1.0, -2.0], [3.0, 4.0], [4, 3]) }.mesh(shape).unwrap();
            assert_sound(&mesh);
            let quality = mesh.quality();
            assert_close(&[quality.area], &[12.0], 1e-13, "area");
            assert_eq!(quality.bounds, [[1.0, -2.0], [4.0, 2.0]]);
            for (name, axis, value, length) in
                [("bottom", 1, -2.0, 3.0), ("right", 0, 4.0, 4.0), ("top", 1, 2.0, 3.0), ("left", 0, 1.0, 4.0)]
            {
                let boundary = mesh.boundary(name).unwrap();
                assert!(boundary.nodes().iter().all(|&n| (mesh.points[n as usize][axis] - value).abs() < 1e-14), "{name}");
                assert_close(&[boundary.length(&mesh.points)], &[length], 1e-13, name);
            }
        }
    }

    #[test]
    fn node_counts_follow_from_the_divisions() {
        let block = Block::rectangle([0.0; 2], [1.0; 2], [4, 3]);
        for (shape, points, cells) in [(Shape::Q4, 20, 12), (Shape::T3, 20, 24), (Shape::Q8, 20 + 31, 12), (Shape::T6, 20 + 31 + 12, 24)] {
            let mesh = block.mesh(shape).unwrap();
            assert_eq!((mesh.points.len(), mesh.cells.len()), (points, cells));
        }
    }

    #[test]
    fn cooks_membrane_has_its_area() {
        let membrane = Block { corners: [[0.0, 0.0], [48.0, 44.0], [48.0, 60.0], [0.0, 44.0]], divisions: [8, 8], grading: [1.0; 2] };
        for shape in SHAPES {
            let mesh = membrane.mesh(shape).unwrap();
            assert_sound(&mesh);
            assert_close(&[mesh.quality().area], &[48.0 * (44.0 + 16.0) / 2.0], 1e-12, "trapezoid with sides of 44 and 16");
            assert_close(&[mesh.boundary("right").unwrap().length(&mesh.points)], &[16.0], 1e-12, "loaded side");
        }
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let good = Block::rectangle([0.0; 2], [1.0; 2], [2, 2]);
        let mut clockwise = good;
        clockwise.corners.reverse();
        let mut dented = good;
        dented.corners[2] = [0.2, 0.2];
        let bad = [
            ("corners", clockwise),
            ("corners", dented),
            ("corners", Block::rectangle([f64::NAN, 0.0], [1.0; 2], [2, 2])),
            ("divisions", Block { divisions: [0, 1], ..good }),
            ("divisions", Block { divisions: [1, 0], ..good }),
            ("divisions", Block { divisions: [usize::MAX, 3], ..good }),
            ("grading", Block { grading: [1.0, -1.0], ..good }),
        ];
        for (field, block) in bad {
            assert_eq!(block.mesh(Shape::T6).unwrap_err().field, field, "{block:?}");
        }
    }
}
