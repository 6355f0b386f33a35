//! Which bodies and rows belong together: parts of a system that only the ground connects.
//! Not here: forces, which may act from one part on another.
//! In: a system. Out: for each body and each row the mechanism it belongs to.

use crate::row_system::RowStructure;
use crate::system::System;

/// Parts of a system that move without each other as far as joints, loops and guides go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mechanisms {
    of_body: Vec<Option<usize>>,
    of_row: Vec<Option<usize>>,
}

impl Mechanisms {
    /// Of a system, numbered in the order of their first bodies.
    pub fn new(system: &System) -> Mechanisms {
        let structure = RowStructure::new(system);
        let parent = &system.skeleton.parent;
        let ground = RowStructure::ground(&system.skeleton);
        // The first body of the mechanism of each, as far as it is known: a chain of numbers that become smaller.
        let mut first: Vec<usize> = (0..parent.len()).collect();
        let root = |first: &[usize], mut b: usize| {
            while first[b] != b {
                b = first[b];
            }
            b
        };
        let mut join = |a: usize, b: usize| {
            let (a, b) = (root(&first, a), root(&first, b));
            first[a.max(b)] = a.min(b);
        };
        for b in (1..parent.len()).filter(|b| !ground[*b] && !ground[parent[*b] as usize]) {
            join(b, parent[b] as usize);
        }
        for row in 0..structure.rows() {
            structure.way(row).windows(2).for_each(|pair| join(pair[0] as usize, pair[1] as usize));
        }
        let mut number = vec![None; parent.len()];
        let mut count = 0;
        let of_body: Vec<Option<usize>> = (0..parent.len())
            .map(|b| {
                let own = (!ground[b]).then(|| root(&first, b))?;
                *number[own].get_or_insert_with(|| {
                    count += 1;
                    Some(count - 1)
                })
            })
            .collect();
        let of_row = (0..structure.rows()).map(|row| structure.way(row).first().and_then(|b| of_body[*b as usize])).collect();
        Mechanisms { of_body, of_row }
    }

    /// The mechanism of a body; none for what is fixed to the ground.
    pub fn of_body(&self, body: usize) -> Option<usize> {
        self.of_body[body]
    }

    /// The mechanism of a row; none for one that nothing can move.
    pub fn of_row(&self, row: usize) -> Option<usize> {
        self.of_row[row]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile;
    use borelli_model::Model;

    #[test]
    fn bodies_on_one_branch_or_in_one_loop_belong_together() {
        let body = |name: &str| format!("[body.{name}]\nmass = 1\ninertia = 1\npoint.tip = [1, 0]\n");
        let joint = |name: &str, parent: &str, kind: &str| {
            format!("[joint.j_{name}]\ntype = \"{kind}\"\nparent = \"{parent}\"\nchild = \"{name}\"\n")
        };
        let bodies: String = ["a", "b", "c", "d", "frame", "e"].map(body).concat();
        let joints = [
            joint("a", "world", "hinge"),
            joint("b", "world", "hinge"),
            joint("c", "b.tip", "hinge"),
            joint("d", "world", "hinge"),
            joint("frame", "world", "weld"),
            joint("e", "frame", "hinge"),
        ]
        .concat();
        let closed = "[loop.closed]\ntype = \"coincident\"\na = \"a.tip\"\nb = \"c.tip\"\n";
        let text = format!("borelli = 1\ndimension = \"planar\"\n{bodies}{joints}{closed}");
        let system = compile(&Model::parse("test.toml", &text).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
        let found = Mechanisms::new(&system);
        let of = |name: &str| found.of_body(system.names.bodies.iter().position(|body| body == name).expect("a body"));
        assert!(of("a") == of("b") && of("b") == of("c"), "{found:?}");
        assert!(of("d").is_some() && of("d") != of("a") && of("e").is_some() && of("e") != of("d") && of("e") != of("a"), "{found:?}");
        assert_eq!(of("frame"), None, "fixed to the ground");
        assert!((0..system.names.rows.len()).all(|row| found.of_row(row) == of("a")));
    }
}
