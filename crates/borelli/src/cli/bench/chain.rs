//! Chains of equal rods on hinges, as text of a model file: the same problem at any length.
//! Not here: timing.

use std::fmt::Write;

/// A chain of `bodies` rods of 1 kg and 0.1 m; in space the axes of the hinges are Z, X, Y in turn.
pub fn text(bodies: usize, planar: bool) -> String {
    let dimension = if planar { "planar" } else { "spatial" };
    let (center, tip, inertia) =
        if planar { ("[0, -0.05]", "[0, -0.1]", "1e-3") } else { ("[0, -0.05, 0]", "[0, -0.1, 0]", "[1e-3, 2e-4, 1e-3]") };
    let mut text = format!("borelli = 1\nname = \"chain\"\ndimension = \"{dimension}\"\n");
    for k in 0..bodies {
        let parent = if k == 0 { "world".to_string() } else { format!("b{}.tip", k - 1) };
        // writing into a String cannot fail
        let _ = write!(text, "[body.b{k}]\nmass = 1\ncenter = {center}\ninertia = {inertia}\npoint = {{ tip = {tip} }}\n");
        let _ = write!(text, "[joint.j{k}]\ntype = \"hinge\"\nparent = \"{parent}\"\nchild = \"b{k}\"\n");
        if !planar {
            let _ = writeln!(text, "axis = {}", ["[0, 0, 1]", "[1, 0, 0]", "[0, 1, 0]"][k % 3]);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_dynamics::compile;
    use borelli_model::Model;

    #[test]
    fn a_chain_compiles_with_one_degree_of_freedom_per_body() {
        for planar in [true, false] {
            let model = Model::parse("chain.toml", &text(10, planar)).unwrap_or_else(|rejected| panic!("{rejected}"));
            let system = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
            assert_eq!((system.skeleton.bodies(), system.skeleton.dofs(), system.skeleton.planar), (10, 10, planar));
        }
    }
}
