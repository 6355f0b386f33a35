//! Soft parts as users meet them: what `check` sees of their start, runs that fail and what they leave, paths over nodes.

use crate::runs::Place;
use crate::{stderr, stdout};
use std::fs;

/// A gel block on a table, with a place for what loads it.
const BLOCK: &str = r#"borelli = 1
dimension = "planar"
[material.gel]
type = "kirchhoff"
young = "1 MPa"
poisson = 0.3
[soft.block]
type = "block"
corner = [-0.05, 0]
size = [0.1, 0.05]
divisions = [8, 4]
depth = 0.02
material = "gel"
[support.table]
boundary = "block.bottom"
"#;

/// A second block on the first, a part of an edge too high.
fn stack(gap: f64) -> String {
    format!(
        "{BLOCK}[soft.roof]\ntype = \"block\"\ncorner = [-0.05, {}]\nsize = [0.1, 0.05]\ndivisions = [8, 4]\ndepth = 0.02\nmaterial = \"gel\"\n\
         [tie.seam]\nboundary = \"roof.bottom\"\nto = \"block.top\"\nstiffness = \"1 N/mm\"\n",
        0.05 + gap
    )
}

#[test]
fn check_tells_gaps_between_tied_boundaries() {
    let bench = Place::new("soft-gaps");
    for (gap, word) in [(0.0, ""), (5e-6, "up to 5.00e-3 mm apart")] {
        bench.write("stack.toml", &stack(gap));
        let output = bench.borelli(&["check", "stack.toml"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(
            stdout(&output).contains(&format!("seam (9 nodes{})", if word.is_empty() { String::new() } else { format!(", {word}") })),
            "{}",
            stdout(&output)
        );
        assert_eq!(stderr(&output).contains("warning[tie-gap]"), gap > 0.0, "{}", stderr(&output));
    }
    bench.write("stack.toml", &stack(1e-3));
    let output = bench.borelli(&["check", "stack.toml"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("error[soft-start]: tie `seam`") && stderr(&output).contains("away from the boundary"),
        "{}",
        stderr(&output)
    );
}

/// What a failing run says, and that its finished steps are on disk in a closed folder.
fn fails(bench: &Place, study: &str) -> String {
    bench.write("study.toml", study);
    let output = bench.borelli(&["run", "study.toml", "--force", "--format", "csv"]);
    assert_eq!(output.status.code(), Some(1), "{}{}", stdout(&output), stderr(&output));
    let folder = bench.path("study-run");
    for file in
        ["trajectory.csv", "summary.json", "soft.json", "soft/block_0000.vtu", "soft/block.pvd", "soft/block.gauss.pvd", "report.html"]
    {
        assert!(folder.join(file).exists(), "{file} is missing");
    }
    assert!(!bench.path("study-run.partial").exists());
    let table = fs::read_to_string(folder.join("trajectory.csv")).expect("a table");
    assert!(table.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count() > 0, "{table}");
    stdout(&output)
}

#[test]
fn load_that_crushes_a_block_is_told_by_its_part_and_finished_steps_are_kept() {
    let bench = Place::new("soft-crushed");
    bench.write("model.toml", &format!("{BLOCK}[traction.load]\nboundary = \"block.top\"\nforce = [\"0 Pa\", \"-0.5 MPa\"]\n"));
    let told = fails(
        &bench,
        "borelli = 1\ntitle = \"t\"\nmodel = \"model.toml\"\nanalysis = \"statics\"\nformulation = \"coupled\"\n[integrator]\nload_steps = 20\n",
    );
    assert!(told.contains("FAILED at 0.") && told.contains("of the loads in soft.block"), "{told}");
    assert!(told.contains("cell") && told.contains("node") && told.contains("hint:") && !told.contains("t = 0"), "{told}");
    assert!(told.contains("kept: 0.05 to"), "{told}");
}

#[test]
fn impact_that_crushes_a_block_names_time_cell_and_node() {
    let bench = Place::new("soft-impact");
    let ball = "[body.ball]\nmass = \"2000 kg\"\ninertia = \"1 kg m^2\"\n[joint.fall]\ntype = \"slider\"\naxis = [0, 1]\nparent = \"world\"\nchild = \"ball\"\n\
                coordinates = [\"y\"]\n[surface.ball]\ntype = \"circle\"\nat = \"ball\"\nradius = 0.1\n[soft_contact.touch]\nboundary = \"block.top\"\n\
                target = \"ball\"\nstiffness = \"1 N/mm\"\n[initial]\ncoordinates = { y = 0.151 }\nspeeds = { y = -30 }\n";
    bench.write("model.toml", &format!("{BLOCK}{ball}"));
    let told = fails(
        &bench,
        "borelli = 1\ntitle = \"t\"\nmodel = \"model.toml\"\nformulation = \"coupled\"\n[time]\nend = 0.1\nsample = 0.0005\n[integrator]\nmethod = \"generalised-alpha\"\nstep = 0.0005\n",
    );
    assert!(told.contains("FAILED at t = 0.00") && told.contains("soft"), "{told}");
    assert!(told.contains("cell") && told.contains("node") && told.contains("hint:"), "{told}");
}

#[test]
fn path_to_a_node_that_is_not_there_is_refused_at_its_place() {
    let bench = Place::new("soft-path");
    let rope = |place: &str| {
        format!(
            "{BLOCK}[world.point]\nhook = [0, 0.3]\n[path.rope]\npoints = [\"world.hook\", \"{place}\"]\n[force.pull]\ntype = \"actuator\"\npath = \"rope\"\ntension = \"1 N\"\n"
        )
    };
    for (place, code, word) in [
        ("block.top.9", "no-such-node", "has 9 nodes and none of them is `9`"),
        ("block.top", "no-such-node", "one of its nodes is needed"),
        ("block.side.1", "unknown-boundary", "no boundary `side`"),
        ("blok.top.1", "unknown", "blok"),
    ] {
        bench.write("model.toml", &rope(place));
        let output = bench.borelli(&["check", "model.toml"]);
        assert_eq!(output.status.code(), Some(2), "{place}: {}", stdout(&output));
        let said = stderr(&output);
        assert!(said.contains(&format!("error[{code}")) && said.contains(word) && said.contains("model.toml:"), "{place}: {said}");
    }
    bench.write("model.toml", &rope("block.top.middle"));
    let output = bench.borelli(&["check", "model.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
