//! The person `human3d` with muscles about every joint, as text of a model file: what the right-hand side of a muscle-driven body costs.
//! Not here: timing (`borelli bench --only muscles`).
//! In: the name of a muscle law. Out: a compiled system of 37 degrees of freedom, 80 muscles and 40 cylinders.

use crate::gallery;
use borelli_dynamics::{System, compile};
use borelli_model::{Model, Rejected};
use std::f64::consts::TAU;
use std::fmt::Write;

/// Muscles about each of the sixteen joints between bodies.
const ABOUT_A_JOINT: usize = 5;

/// Joints between bodies of `human3d`: bodies, and where the joint is on the first of them, m.
const JOINTS: [(&str, &str, [f64; 3]); 16] = [
    ("pelvis", "torso", [-0.03, 0.1, 0.0]),
    ("torso", "head", [0.01, 0.5, 0.0]),
    ("torso", "upperarm_r", [0.0, 0.37, 0.17]),
    ("torso", "upperarm_l", [0.0, 0.37, -0.17]),
    ("upperarm_r", "forearm_r", [0.01, -0.29, 0.0]),
    ("upperarm_l", "forearm_l", [0.01, -0.29, 0.0]),
    ("forearm_r", "hand_r", [0.0, -0.26, 0.01]),
    ("forearm_l", "hand_l", [0.0, -0.26, -0.01]),
    ("pelvis", "thigh_r", [0.0, -0.02, 0.085]),
    ("pelvis", "thigh_l", [0.0, -0.02, -0.085]),
    ("thigh_r", "shank_r", [0.0, -0.41, 0.0]),
    ("thigh_l", "shank_l", [0.0, -0.41, 0.0]),
    ("shank_r", "foot_r", [0.0, -0.43, 0.0]),
    ("shank_l", "foot_l", [0.0, -0.43, 0.0]),
    ("foot_r", "toes_r", [0.13, -0.05, 0.001]),
    ("foot_l", "toes_l", [0.13, -0.05, -0.001]),
];

/// The text of `human3d` with 80 muscles of a law on paths over four places, every second of them over a cylinder, too.
///
/// Paths are about 0.2 m long, 100 mm up and 100 mm down from the joint, which a cylinder of 30 mm is in the way of; fibres of 80 mm and tendons of 130 mm then work near their
/// optimal lengths.
fn text(human: &str, law: &str) -> String {
    let mut points: Vec<(&str, String)> = Vec::new();
    let mut rest = String::new();
    for (joint, (parent, child, at)) in JOINTS.iter().enumerate() {
        for own in 0..ABOUT_A_JOINT {
            let k = joint * ABOUT_A_JOINT + own;
            let (sin, cos) = (TAU * own as f64 / ABOUT_A_JOINT as f64).sin_cos();
            for (name, body, height, from) in
                [("a", parent, 0.10, at), ("b", parent, 0.05, at), ("c", child, -0.05, &[0.0; 3]), ("d", child, -0.10, &[0.0; 3])]
            {
                let place = [from[0] + 0.02 * cos, from[1] + height, from[2] + 0.02 * sin];
                points.push((body, format!("point.{name}{k} = {place:?}\n")));
            }
            let wrap = if k.is_multiple_of(2) { format!("{{ wrap = \"w{k}\", side = [1, 0, 0] }}, ") } else { String::new() };
            // writing into a String cannot fail
            let _ = writeln!(
                rest,
                "[path.p{k}]\npoints = [\"{parent}.a{k}\", \"{parent}.b{k}\", {wrap}\"{child}.c{k}\", \"{child}.d{k}\"]\n\
                 [muscle.m{k}]\ntype = \"{law}\"\npath = \"p{k}\"\nforce = 800\nfibre_length = 0.08\ntendon_length = 0.13\npennation = \"10 deg\"\nexcitation = 0.3"
            );
            if k.is_multiple_of(2) {
                points.push((parent, format!("point.w{k} = {at:?}\n")));
                let _ = writeln!(rest, "[wrap.w{k}]\ntype = \"cylinder\"\nat = \"{parent}.w{k}\"\nradius = 0.03");
            }
        }
    }
    let mut all = human.to_string();
    for (body, point) in points {
        let head = format!("[body.{body}]\n");
        if let Some(at) = all.find(&head) {
            all.insert_str(at + head.len(), &point);
        }
    }
    all + &rest
}

/// `human3d` with 80 muscles of a law.
pub fn person(law: &str) -> Result<System, Rejected> {
    let human = gallery::file("human3d.toml").unwrap_or_default();
    compile(&Model::parse("human3d-muscles.toml", &text(human, law))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use borelli_dynamics::force::Stop;

    #[test]
    fn the_person_has_eighty_muscles_and_forty_cylinders_that_are_touched_at_the_start() {
        let system = person("millard").unwrap_or_else(|rejected| panic!("{rejected}"));
        assert_eq!((system.skeleton.dofs(), system.numbers.forces.muscles().len()), (37, 80));
        let mut view = borelli_dynamics::force::PathView::new(&system);
        view.look(&system, &system.start.q);
        let wraps = |path: usize| system.numbers.paths.list[path].iter().position(|stop| matches!(stop, Stop::Wrap { .. }));
        let touched = (0..80).filter(|path| wraps(*path).is_some_and(|stop| view.lines().touching(*path, stop).is_some()));
        assert_eq!(touched.count(), 40);
    }
}
