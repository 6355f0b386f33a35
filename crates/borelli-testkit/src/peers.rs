//! The states of the reference models on which several independent multibody programs agree.
//! Not here: the models themselves; each formulation builds them its own way.
//! In: `peers/NAME_states.csv` of the reference folder. Out: q, v, tau and the expected accelerations.

use crate::reference::reference;
use std::fs;

/// Names of the models that have states.
pub const MODELS: [&str; 3] = ["squat4", "walker7", "human3d"];

/// A state of a reference model and the accelerations expected there (gravity and `tau` only).
#[derive(Clone, Debug, PartialEq)]
pub struct PeerState {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Speeds.
    pub v: Vec<f64>,
    /// Generalised forces.
    pub tau: Vec<f64>,
    /// Expected accelerations v'.
    pub qdd: Vec<f64>,
}

/// All states of a model, or nothing (and a counted skip) when the reference folder is absent.
pub fn states(model: &str) -> Option<Vec<PeerState>> {
    let path = reference(&format!("peers/{model}_states.csv"))?;
    let text = fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    Some(parse(&text))
}

fn parse(text: &str) -> Vec<PeerState> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let state = |line: &str| {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.trim().parse().expect("a number")).collect();
        assert_eq!(cells.len(), header.len(), "columns of: {line}");
        let group = |prefix: &str| header.iter().zip(&cells).filter(|(name, _)| name.starts_with(prefix)).map(|(_, x)| *x).collect();
        PeerState { q: group("q."), v: group("qd."), tau: group("tau."), qdd: group("qdd.") }
    };
    lines.filter(|line| !line.trim().is_empty()).map(state).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{Body, Motion, Tree};
    use serde_json::Value;

    fn vector<const N: usize>(value: &Value) -> [f64; N] {
        let list = value.as_array().expect("a list");
        assert_eq!(list.len(), N);
        std::array::from_fn(|k| list[k].as_f64().expect("a number"))
    }

    fn tree(model: &str) -> Option<Tree> {
        let text = fs::read_to_string(reference(&format!("peers/{model}.json"))?).expect("readable");
        let file: Value = serde_json::from_str(&text).expect("JSON");
        let listed = file["bodies"].as_array().expect("bodies");
        let bodies = listed.iter().map(|body| {
            let motions = body["joints"].as_array().expect("joints").iter().flat_map(|joint| match joint["type"].as_str() {
                Some("hinge") => vec![Motion::Turn { axis: vector(&joint["axis"]) }],
                Some("slide") => vec![Motion::Slide { axis: vector(&joint["axis"]) }],
                Some("free") => Motion::free(),
                other => panic!("unknown joint {other:?}"),
            });
            let [xx, yy, zz, xy, xz, yz] = vector(&body["inertia_com"]);
            Body {
                parent: listed.iter().position(|other| other["name"] == body["parent"]),
                offset: vector(&body["joint_origin_in_parent"]),
                motions: motions.collect(),
                mass: body["mass"].as_f64().expect("mass"),
                center: vector(&body["com"]),
                inertia: [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
                ..Body::default()
            }
        });
        Some(Tree { gravity: vector(&file["gravity"]), bodies: bodies.collect() })
    }

    #[test]
    fn the_oracle_agrees_with_the_other_programs_on_every_reference_model() {
        for (model, (speeds, total_mass)) in MODELS.into_iter().zip([(4, 75.0), (9, 75.0), (37, 76.54)]) {
            let (Some(tree), Some(states)) = (tree(model), states(model)) else { continue };
            assert_eq!(tree.speeds(), speeds);
            assert!((tree.bodies.iter().map(|b| b.mass).sum::<f64>() - total_mass).abs() < 1e-9);
            assert_eq!(states.len(), 5);
            for (k, state) in states.iter().enumerate() {
                let qdd = tree.accelerations(&state.q, &state.v, &state.tau);
                for (i, (got, expected)) in qdd.iter().zip(&state.qdd).enumerate() {
                    let off = (got - expected).abs() / expected.abs().max(1.0);
                    assert!(off <= 1e-9, "{model}, state {k}, entry {i}: {got} instead of {expected} ({off:e})");
                }
                assert_eq!(qdd.len(), speeds);
            }
        }
    }

    #[test]
    fn columns_are_sorted_into_their_groups_by_the_header() {
        let states = parse("state,q.a,q.b,qd.a,qd.b,tau.a,tau.b,qdd.a,qdd.b\n1,1,2,3,4,5,6,7,8\n\n");
        let expected = PeerState { q: vec![1.0, 2.0], v: vec![3.0, 4.0], tau: vec![5.0, 6.0], qdd: vec![7.0, 8.0] };
        assert_eq!(states, [expected]);
    }
}
