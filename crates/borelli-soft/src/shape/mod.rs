//! Shapes of cells: shape functions with gradients and points of integration. One shape per file, one line in the list.
//! Not here: materials, what is integrated.
//! In: natural coordinates. Out: values and slopes of shape functions; weights.

mod edge;
mod q4;
mod q8;
mod quadrilateral;
mod t3;
mod t6;
#[cfg(test)]
mod tests;

pub use edge::edge_weights;

/// A point of integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gauss {
    /// Weight; all weights of a shape add to the area of the shape in natural coordinates, 1/2 for triangles and 4 for quadrilaterals.
    pub weight: f64,
    /// Natural coordinates.
    pub at: [f64; 2],
}

/// Writes the list of shapes: the enum, one line each, and the calls that ask the file of the one there is.
macro_rules! shapes {
    ($($(#[doc = $doc:literal])* $Shape:ident: $module:ident,)*) => {
        /// Shape of a cell.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Shape {
            $($(#[doc = $doc])* $Shape,)*
        }

        impl Shape {
            /// All shapes.
            pub const ALL: &'static [Shape] = &[$(Shape::$Shape),*];

            /// Number of nodes.
            pub const fn nodes(self) -> usize {
                match self { $(Shape::$Shape => $module::NODES.len(),)* }
            }

            /// Natural coordinates of the nodes, counter-clockwise, corners first and then the nodes on the sides.
            pub const fn places(self) -> &'static [[f64; 2]] {
                match self { $(Shape::$Shape => &$module::NODES,)* }
            }

            /// Number of corners.
            pub const fn corners(self) -> usize {
                match self { $(Shape::$Shape => $module::CORNERS,)* }
            }

            /// Points of integration of forces and stiffness.
            pub const fn points(self) -> &'static [Gauss] {
                match self { $(Shape::$Shape => &$module::POINTS,)* }
            }

            /// Points of integration of masses; products of shape functions need more points than products of their gradients.
            pub const fn mass_points(self) -> &'static [Gauss] {
                match self { $(Shape::$Shape => &$module::MASS_POINTS,)* }
            }

            /// Values of the shape functions; entries beyond the nodes of the shape are zero.
            pub fn values(self, at: [f64; 2]) -> [f64; 8] {
                match self { $(Shape::$Shape => $module::values(at),)* }
            }

            /// Slopes of the shape functions by both natural coordinates; entries beyond the nodes of the shape are zero.
            pub fn slopes(self, at: [f64; 2]) -> [[f64; 2]; 8] {
                match self { $(Shape::$Shape => $module::slopes(at),)* }
            }

            /// How much the value at a point of integration counts for the value at a place of the cell.
            ///
            /// The field carried there is the polynomial that a stress of this shape can be trusted for: constant on three nodes, linear on six,
            /// bilinear on quadrilaterals. Where there are more points than terms it is the best fit of least squares over the cell.
            pub fn extrapolation(self, point: usize, at: [f64; 2]) -> f64 {
                match self { $(Shape::$Shape => $module::extrapolation(point, at),)* }
            }
        }
    };
}

shapes! {
    /// Triangle with three nodes.
    T3: t3,
    /// Quadrilateral with four nodes.
    Q4: q4,
    /// Triangle with six nodes.
    T6: t6,
    /// Quadrilateral with eight nodes.
    Q8: q8,
}
