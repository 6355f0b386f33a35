//! From where a figure is seen: along parallel lines, or from an eye.
//! Not here: what is drawn, scales of the page.
//! In: places in the world, m. Out: places in the picture's plane, m, to the right and up, and how near they are.

use crate::figure::Figure;
use borelli_math::Vec3;

/// A way to look.
#[derive(Clone, Copy, Debug)]
pub(in crate::plot) struct View {
    right: Vec3<f64>,
    up: Vec3<f64>,
    toward: Vec3<f64>,
    /// What the eye looks at and how far it is away, m; none for parallel lines.
    eye: Option<(Vec3<f64>, f64)>,
}

/// Where the viewer of a spatial figure stands: forward, up and to the right of it.
const OBLIQUE: [f64; 3] = [0.62, 0.32, 1.0];

impl View {
    /// From the right side: forward is to the right.
    pub fn side(figure: &Figure) -> View {
        View::along(figure, Vec3::from_array(figure.right))
    }

    /// From the right, in front and above; planar figures from the side.
    pub fn oblique(figure: &Figure) -> View {
        if figure.planar {
            return View::side(figure);
        }
        let [forward, up, right] = [figure.forward, figure.up, figure.right].map(Vec3::from_array);
        View::along(figure, forward.scale(OBLIQUE[0]) + up.scale(OBLIQUE[1]) + right.scale(OBLIQUE[2]))
    }

    fn along(figure: &Figure, toward: Vec3<f64>) -> View {
        let toward = toward.scale(1.0 / toward.norm());
        let right = Vec3::from_array(figure.up).cross(toward);
        let right = right.scale(1.0 / right.norm());
        View { right, up: toward.cross(right), toward, eye: None }
    }

    /// The same from an eye at a distance from what it looks at.
    pub fn with_eye(self, target: Vec3<f64>, distance: f64) -> View {
        View { eye: Some((target, distance)), ..self }
    }

    /// Toward the viewer at a place.
    pub fn toward(&self, p: Vec3<f64>) -> Vec3<f64> {
        let Some((target, distance)) = self.eye else { return self.toward };
        let line = target + self.toward.scale(distance) - p;
        line.scale(1.0 / line.norm())
    }

    /// Where a place is seen.
    pub fn flat(&self, p: Vec3<f64>) -> [f64; 2] {
        let (p, scale) = match self.eye {
            None => (p, 1.0),
            Some((target, distance)) => (p - target, distance / (distance - self.toward.dot(p - target)).max(0.05 * distance)),
        };
        [scale * self.right.dot(p), scale * self.up.dot(p)]
    }

    /// How near a place is: more is nearer.
    pub fn near(&self, p: Vec3<f64>) -> f64 {
        self.toward.dot(p)
    }

    /// Whether a plane with a normal is seen from its edge.
    pub fn sees_edge(&self, normal: Vec3<f64>) -> bool {
        self.eye.is_none() && normal.dot(self.toward).abs() < 1e-6
    }
}

impl View {
    /// Along parallel lines with axes of its own: to the right, up and toward the viewer.
    pub fn along_axes(right: Vec3<f64>, up: Vec3<f64>, toward: Vec3<f64>) -> View {
        View { right, up, toward, eye: None }
    }
}
