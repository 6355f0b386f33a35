//! A sector of an annulus, such as the liner of a joint, or a closed ring.
//! Not here: what it is made of.
//! In: centre, radii, angles, divisions. Out: a mesh with the boundaries `inner`, `outer`, and for a sector `start` and `end`.

use super::generator::{BadValue, Quads, check, check_divisions, check_grading, check_position, check_positive, graded};
use super::{Mesh, Shape, sub};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A sector of an annulus. Angles are counter-clockwise from the x axis; `start` is the face at the smaller angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Annulus {
    /// Centre, m.
    pub centre: [f64; 2],
    /// Inner radius, m.
    pub inner: f64,
    /// Outer radius, m.
    pub outer: f64,
    /// Direction of the middle of the sector, rad.
    pub middle: f64,
    /// Angle between both faces, rad; 2π closes the ring.
    pub span: f64,
    /// Cells around.
    pub around: usize,
    /// Cells through the wall.
    pub through: usize,
    /// Ratio of the outermost to the innermost radial edge.
    pub grading: f64,
}

impl Default for Annulus {
    /// The liner of the hip: half an annulus of 14 and 22 mm, open below, of 48 by 8 even cells.
    fn default() -> Self {
        Annulus { centre: [0.0; 2], inner: 0.014, outer: 0.022, middle: FRAC_PI_2, span: PI, around: 48, through: 8, grading: 1.0 }
    }
}

/// How far a span may miss a full turn and still close the ring, rad. Angles given in degrees do not hit 2π to the last digit.
const CLOSING: f64 = 1e-9;

impl Annulus {
    /// The mesh. Nodes run around first, from `start` to `end`, then from inside to outside.
    pub fn mesh(&self, shape: Shape) -> Result<Mesh, BadValue> {
        self.check()?;
        let closed = self.span > TAU - CLOSING;
        let row = if closed { self.around } else { self.around + 1 };
        let at = |i: usize, j: usize| (j * row + i % row) as u32;
        let mut quads = Quads::default();
        for t in graded(self.through, self.grading) {
            let radius = (1.0 - t) * self.inner + t * self.outer;
            quads.points.extend((0..row).map(|i| {
                let angle = self.middle + self.span * (i as f64 / self.around as f64 - 0.5);
                [self.centre[0] + radius * angle.cos(), self.centre[1] + radius * angle.sin()]
            }));
        }
        // outwards and then around turns left
        quads.add_grid(self.through, self.around, |j, i| at(i, j));
        quads.boundaries.push(("inner", (0..=self.around).rev().map(|i| at(i, 0)).collect()));
        quads.boundaries.push(("outer", (0..=self.around).map(|i| at(i, self.through)).collect()));
        if !closed {
            quads.boundaries.push(("start", (0..=self.through).map(|j| at(0, j)).collect()));
            quads.boundaries.push(("end", (0..=self.through).rev().map(|j| at(self.around, j)).collect()));
        }
        Ok(quads.mesh(shape, |a, b| self.halfway(a, b)))
    }

    fn check(&self) -> Result<(), BadValue> {
        check_position("centre", self.centre)?;
        check_positive("inner", self.inner)?;
        check(self.outer > self.inner && self.outer.is_finite(), "outer", self.outer, "finite and above `inner`")?;
        check(self.middle.is_finite(), "middle", self.middle, "finite")?;
        check(self.span > 0.0 && self.span <= TAU + CLOSING, "span", self.span, "above 0 and at most a full turn, 2π")?;
        check_divisions("through", self.through, Some(self.through))?;
        check_divisions("around", self.around, self.around.checked_mul(self.through))?;
        let widest = TAU / 3.0 + CLOSING; // wider cells would cut through the hole
        check(self.span / self.around as f64 <= widest, "around", self.around as f64, "larger: a cell may span a third of a turn")?;
        check_grading("grading", self.grading)
    }

    /// Halfway in radius and angle: on the arc for edges along it, straight for radial edges, bent alike for diagonals.
    fn halfway(&self, a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
        let [a, b] = [sub(a, self.centre), sub(b, self.centre)];
        let [ra, rb] = [a[0].hypot(a[1]), b[0].hypot(b[1])];
        let direction = [a[0] / ra + b[0] / rb, a[1] / ra + b[1] / rb];
        let scale = 0.5 * (ra + rb) / direction[0].hypot(direction[1]);
        [self.centre[0] + scale * direction[0], self.centre[1] + scale * direction[1]]
    }
}

#[cfg(test)]
mod tests {
    use super::super::generator::tests::{assert_area_order, assert_sound};
    use super::*;
    use borelli_testkit::assert_close;

    const SHAPES: [Shape; 4] = [Shape::Q4, Shape::T3, Shape::Q8, Shape::T6];

    fn radius(mesh: &Mesh, a: &Annulus, node: u32) -> f64 {
        let p = sub(mesh.points[node as usize], a.centre);
        p[0].hypot(p[1])
    }

    #[test]
    fn areas_come_to_the_exact_one_with_order_two_and_four() {
        let coarse = Annulus { centre: [0.3, -0.2], span: 2.5, around: 12, through: 3, grading: 2.0, ..Annulus::default() };
        let fine = Annulus { around: 24, through: 6, ..coarse };
        let exact = 0.5 * coarse.span * (coarse.outer.powi(2) - coarse.inner.powi(2));
        for (shape, order) in [(Shape::Q4, 2.0), (Shape::T3, 2.0), (Shape::Q8, 4.0), (Shape::T6, 4.0)] {
            let [coarse, fine] = [coarse.mesh(shape).unwrap(), fine.mesh(shape).unwrap()];
            assert_sound(&coarse);
            assert_sound(&fine);
            assert_area_order(&coarse, &fine, exact, order);
        }
    }

    #[test]
    fn the_liner_has_its_nodes_on_both_arcs() {
        let a = Annulus::default();
        for shape in SHAPES {
            let mesh = a.mesh(shape).unwrap();
            for (name, exact) in [("inner", a.inner), ("outer", a.outer)] {
                let nodes = mesh.boundary(name).unwrap().nodes();
                assert_eq!(nodes.len(), if matches!(shape, Shape::Q4 | Shape::T3) { 49 } else { 97 });
                for node in nodes {
                    assert_close(&[radius(&mesh, &a, node)], &[exact], 1e-12, "middle nodes too lie on the arc");
                }
            }
        }
        let mesh = a.mesh(Shape::Q4).unwrap();
        assert_eq!((mesh.cells.len(), mesh.points.len()), (384, 49 * 9));
        // open below: the sector starts on the right and ends on the left
        let start = mesh.boundary("start").unwrap().nodes();
        assert_close(&mesh.points[start[0] as usize], &[a.inner, 0.0], 1e-12, "start, inside");
        let end = mesh.boundary("end").unwrap().nodes();
        assert_close(&mesh.points[end[0] as usize], &[-a.outer, 0.0], 1e-12, "end, outside");
    }

    #[test]
    fn a_full_turn_closes_the_ring() {
        let ring = Annulus { span: 360f64.to_radians(), around: 9, through: 2, ..Annulus::default() };
        for shape in SHAPES {
            let mesh = ring.mesh(shape).unwrap();
            assert_sound(&mesh);
            assert!(mesh.boundary("start").is_none() && mesh.boundary("end").is_none());
            for name in ["inner", "outer"] {
                let chains = mesh.boundary(name).unwrap().chains();
                assert!(chains.len() == 1 && chains[0].closed);
            }
        }
        let mesh = ring.mesh(Shape::Q4).unwrap();
        assert_eq!((mesh.points.len(), mesh.cells.len()), (27, 18), "no double nodes");
        // three cells make the coarsest ring
        assert_sound(&Annulus { around: 3, through: 1, ..ring }.mesh(Shape::Q4).unwrap());
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let good = Annulus::default();
        let nan = f64::NAN;
        let bad = [
            ("centre", Annulus { centre: [nan, 0.0], ..good }),
            ("inner", Annulus { inner: 0.0, ..good }),
            ("outer", Annulus { outer: 0.014, ..good }),
            ("middle", Annulus { middle: f64::INFINITY, ..good }),
            ("span", Annulus { span: 6.3, ..good }),
            ("span", Annulus { span: nan, ..good }),
            ("around", Annulus { around: 1, ..good }),
            ("around", Annulus { around: usize::MAX, ..good }),
            ("through", Annulus { through: 0, ..good }),
            ("grading", Annulus { grading: 0.0, ..good }),
        ];
        for (field, annulus) in bad {
            assert_eq!(annulus.mesh(Shape::Q4).unwrap_err().field, field, "{annulus:?}");
        }
    }
}
