//! Vectors and rotations of jets: places and orientations with their first and second derivatives in time.
//! Not here: the engine's own vectors; the walk is to be judged by something else.

use borelli_testkit::jet::Jet;
use std::array::from_fn;

/// A vector over time.
pub type Vector = [Jet; 3];
/// A rotation over time, rows; body to world where nothing else is said.
pub type Rotation = [[Jet; 3]; 3];

/// A vector that does not change.
pub fn fixed(v: [f64; 3]) -> Vector {
    v.map(Jet::constant)
}

pub fn add(a: Vector, b: Vector) -> Vector {
    from_fn(|k| a[k] + b[k])
}

pub fn sub(a: Vector, b: Vector) -> Vector {
    from_fn(|k| a[k] - b[k])
}

/// R v.
pub fn turn(r: &Rotation, v: Vector) -> Vector {
    from_fn(|i| r[i][0] * v[0] + r[i][1] * v[1] + r[i][2] * v[2])
}

pub fn product(a: &Rotation, b: &Rotation) -> Rotation {
    from_fn(|i| from_fn(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j]))
}

pub fn transposed(r: &Rotation) -> Rotation {
    from_fn(|i| from_fn(|j| r[j][i]))
}

/// Rotation about an axis of the frame: 0 x, 1 y, 2 z.
pub fn about(axis: usize, angle: Jet) -> Rotation {
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut r = [[Jet::default(); 3]; 3];
    r[axis][axis] = Jet::constant(1.0);
    (r[j][j], r[j][k]) = (angle.cos(), -angle.sin());
    (r[k][j], r[k][k]) = (angle.sin(), angle.cos());
    r
}

/// R_z(a) R_x(b) R_y(c).
pub fn zxy(angles: [Jet; 3]) -> Rotation {
    product(&product(&about(2, angles[0]), &about(0, angles[1])), &about(1, angles[2]))
}

/// The angles of [`zxy`], the second between -90 and 90 degrees.
pub fn zxy_angles(r: &Rotation) -> [Jet; 3] {
    let level = (r[0][1] * r[0][1] + r[1][1] * r[1][1]).sqrt();
    [(-r[0][1]).atan2(r[1][1]), r[2][1].atan2(level), (-r[2][0]).atan2(r[2][2])]
}

pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    from_fn(|k| a[k] + b[k])
}

pub fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    from_fn(|k| a[k] - b[k])
}

pub fn times(a: [f64; 3], s: f64) -> [f64; 3] {
    a.map(|x| x * s)
}

/// Where a vector is now.
pub fn now(v: Vector) -> [f64; 3] {
    v.map(|x| x.value)
}

/// How it is accelerated.
pub fn second(v: Vector) -> [f64; 3] {
    v.map(|x| x.second)
}
