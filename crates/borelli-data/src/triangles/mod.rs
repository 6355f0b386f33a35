//! Surfaces of triangles from files of scanners and drawing programs, one format per file: Wavefront OBJ, STL.
//! Not here: units, what is drawn with them. Colours, textures and normals of files are left alone.
//! In: the bytes of a file. Out: vertices that are used, triangles with area; what is wrong, with its line.

mod obj;
mod stl;

use std::collections::HashMap;

/// A surface of triangles, in units of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// Corners; each is used.
    pub vertices: Vec<[f64; 3]>,
    /// Indices of corners, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Why a file is no surface of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleFault {
    /// Line, from 1; 0 when the fault is that of the whole file.
    pub line: usize,
    /// What was found, and what was expected.
    pub reason: String,
    /// What to do.
    pub advice: &'static str,
}

impl TriangleFault {
    fn at(line: usize, reason: impl Into<String>) -> TriangleFault {
        TriangleFault { line, reason: reason.into(), advice: "export the surface again, as OBJ or STL" }
    }
}

/// Endings of files that can be read.
pub const ENDINGS: [&str; 2] = ["obj", "stl"];

/// Reads a file by its ending.
pub fn read(path: &str, bytes: &[u8]) -> Result<Triangles, TriangleFault> {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    let surface = match ending.as_str() {
        "obj" => obj::read(bytes)?,
        "stl" => stl::read(bytes)?,
        _ => {
            let reason = format!("found the ending `{ending}`, expected one of: {}", ENDINGS.join(", "));
            return Err(TriangleFault { line: 0, reason, advice: "convert the surface to OBJ or STL" });
        }
    };
    if surface.triangles.is_empty() {
        return Err(TriangleFault::at(0, "found no triangle with an area, expected at least one"));
    }
    Ok(surface)
}

/// A surface as it is read, triangle by triangle. Corners at one place are one vertex, triangles without area are left out.
#[derive(Default)]
struct Gathered {
    surface: Triangles,
    known: HashMap<[u64; 3], u32>,
}

impl Gathered {
    fn add(&mut self, corners: [[f64; 3]; 3]) {
        let [a, b, c] = corners;
        let edge = |p: [f64; 3]| [0, 1, 2].map(|k| p[k] - a[k]);
        let (u, v) = (edge(b), edge(c));
        let area = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        if area.iter().all(|x| *x == 0.0) {
            return;
        }
        let triangle = corners.map(|corner| {
            // 0 and -0 are one place.
            let key = corner.map(|x| (x + 0.0).to_bits());
            *self.known.entry(key).or_insert_with(|| {
                self.surface.vertices.push(corner);
                (self.surface.vertices.len() - 1) as u32
            })
        });
        self.surface.triangles.push(triangle);
    }
}

#[cfg(test)]
mod tests;
