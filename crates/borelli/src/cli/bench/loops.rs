//! Many loops: time of an evaluation as four-bar linkages are put in a row, in every formulation, with the exponent of its growth.
//! Not here: the clock, what is timed (`subject`).
//! In: numbers of loops. Out: one line per operation.

use super::growth::Line;
use super::subject::Operation;
use borelli_dynamics::compile;
use borelli_dynamics::formulation::FORMULATIONS;
use borelli_math::random::Random;
use borelli_model::{Model, Rejected};
use borelli_study::states::scatter;
use serde_json::{Value, json};
use std::fmt::Write;

/// Loops in a row.
const LOOPS: [usize; 5] = [2, 6, 20, 60, 200];
/// Distinct states.
const STATES: usize = 64;

/// Slope of ln time over ln loops.
fn exponent(line: &Line) -> Option<f64> {
    line.exponent(&LOOPS.map(|loops| loops as f64))
}

/// For machines.
pub fn json_of(line: &Line) -> Value {
    match &line.found {
        Ok(times) => {
            let ns: Vec<f64> = times.iter().map(|t| 1e9 * t).collect();
            json!({ "loops": line.name, "numbers": LOOPS, "ns_best": ns, "exponent": exponent(line), "checksum": line.checksum })
        }
        Err(reason) => json!({ "loops": line.name, "declined": reason }),
    }
}

/// A row of four-bar linkages: cranks on the ground, couplers between their tips, bars of 1 m and 1 kg.
pub fn text(loops: usize) -> String {
    let bar = "mass = 1\ncenter = [0.5, 0]\ninertia = \"0.08333333333333333 kg m^2\"\npoint.tip = [1, 0]\n";
    let mut text = String::from("borelli = 1\nname = \"four-bars\"\ndimension = \"planar\"\n[world.point]\n");
    // writing into a String cannot fail
    for k in 0..=loops {
        let _ = writeln!(text, "P{k} = [{k}, 0]");
    }
    for k in 0..=loops {
        let _ = write!(text, "[body.crank{k}]\n{bar}[joint.crank{k}]\ntype = \"hinge\"\nparent = \"world.P{k}\"\nchild = \"crank{k}\"\n");
    }
    for k in 0..loops {
        let _ = write!(text, "[body.bar{k}]\n{bar}[joint.bar{k}]\ntype = \"hinge\"\nparent = \"crank{k}.tip\"\nchild = \"bar{k}\"\n");
        let _ = write!(text, "[loop.L{k}]\ntype = \"coincident\"\na = \"bar{k}.tip\"\nb = \"crank{}.tip\"\n", k + 1);
    }
    let list = |names: &dyn Fn(usize) -> String, count: usize| (0..count).map(names).collect::<Vec<_>>().join(", ");
    let (cranks, bars) = (list(&|k| format!("crank{k} = \"70 deg\""), loops + 1), list(&|k| format!("bar{k} = \"-70 deg\""), loops));
    let _ = write!(text, "[initial]\ncoordinates = {{ {cranks}, {bars} }}\n");
    text
}

/// All operations.
pub fn lines() -> Result<Vec<Line>, Rejected> {
    let mut systems = Vec::new();
    for loops in LOOPS {
        let system = compile(&Model::parse("loops.toml", &text(loops))?)?;
        let mut random = Random::new(1);
        let states = (0..STATES).map(|_| scatter(&system, &mut random)).collect();
        systems.push((system, states));
    }
    let operations = [Operation::Forward, Operation::Jacobian].into_iter().chain(FORMULATIONS.iter().map(Operation::Evaluate));
    Ok(operations.map(|operation| Line::of(&systems, operation)).collect())
}

/// For people.
pub fn text_of(lines: &[Line]) -> String {
    let width = lines.iter().map(|line| line.name.len()).max().unwrap_or(0);
    let mut text = format!("\n{:<width$}", "loops in a row, best us");
    for loops in LOOPS {
        let _ = write!(text, " {loops:>10}");
    }
    let _ = writeln!(text, "  exponent  checksum");
    for line in lines {
        let _ = write!(text, "{:<width$}", line.name);
        match &line.found {
            Ok(times) => {
                for time in times {
                    let _ = write!(text, " {:>10.2}", 1e6 * time);
                }
                let _ = writeln!(text, "  {:>8.2}  {:.9e}", exponent(line).unwrap_or(f64::NAN), line.checksum);
            }
            Err(reason) => {
                let _ = writeln!(text, " declined: {reason}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_linkages_has_two_rows_per_loop_and_one_freedom() {
        for loops in [1, 5] {
            let model = Model::parse("loops.toml", &text(loops)).unwrap_or_else(|rejected| panic!("{rejected}"));
            let system = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
            assert_eq!((system.names.rows.len(), system.skeleton.dofs()), (2 * loops, 2 * loops + 1));
        }
    }
}
