//! Surfaces from files that a model names for its bodies: drawn as they are, instead of solids that are made up.
//! Not here: files (`borelli_data::triangles`), what a solid is good for (`super`).
//! In: triangles in a body's frame. Out: the same with the numbers that a page holds, or why a page cannot hold them.

use borelli_data::triangles::Triangles;
use borelli_math::Vec3;

/// A surface of triangles in its body's frame, m.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Corners.
    pub vertices: Vec<[f32; 3]>,
    /// Indices of corners, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Bytes of corners and triangles that a page takes for one body.
const MOST_BYTES: usize = 200_000;

impl Mesh {
    /// The surface for pages; its size in bytes where that is more than a page takes.
    pub(in crate::figure) fn of(surface: &Triangles) -> Result<Mesh, usize> {
        let bytes = 12 * (surface.vertices.len() + surface.triangles.len());
        if bytes > MOST_BYTES {
            return Err(bytes);
        }
        Ok(Mesh { vertices: surface.vertices.iter().map(|p| p.map(|x| x as f32)).collect(), triangles: surface.triangles.clone() })
    }

    /// Why a body is drawn without its mesh.
    pub(in crate::figure) fn too_large(file: &str, label: &str, bytes: usize) -> String {
        format!(
            "The mesh of {label}, {file}, is left out: a page holds {} kB for one body, and it has {} kB. A mesh with fewer triangles will be drawn.",
            MOST_BYTES / 1000,
            bytes.div_ceil(1000)
        )
    }

    /// Corners.
    pub fn corners(&self) -> impl Iterator<Item = Vec3<f64>> {
        self.vertices.iter().map(|p| Vec3::from_array(p.map(f64::from)))
    }

    /// How far it reaches along a unit vector, m.
    pub fn reach(&self, n: Vec3<f64>) -> f64 {
        self.corners().map(|p| p.dot(n)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Middle of its box.
    pub(super) fn middle(&self) -> Vec3<f64> {
        let [low, high] = self.sides();
        (low + high).scale(0.5)
    }

    /// Half of the smallest edge of its box, m.
    pub(super) fn smallest(&self) -> f64 {
        let [low, high] = self.sides();
        (high - low).to_array().into_iter().fold(f64::INFINITY, f64::min) * 0.5
    }

    fn sides(&self) -> [Vec3<f64>; 2] {
        let side = |pick: fn(f64, f64) -> f64| {
            let all = self.corners().map(Vec3::to_array).reduce(|a, b| [0, 1, 2].map(|k| pick(a[k], b[k])));
            Vec3::from_array(all.unwrap_or_default())
        };
        [side(f64::min), side(f64::max)]
    }
}
