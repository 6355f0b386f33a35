//! Edges: which share of a uniform load along an edge each of its nodes takes.

/// Shares of both ends and of the node between them, ∫N ds over the length of a straight edge.
///
/// Two nodes: 1/2, 1/2. With a node in the middle: 1/6, 1/6, 4/6, by Simpson's rule, which is exact for quadratic shape functions.
pub const fn edge_weights(has_middle: bool) -> [f64; 3] {
    if has_middle { [1.0 / 6.0, 1.0 / 6.0, 4.0 / 6.0] } else { [0.5, 0.5, 0.0] }
}
