//! Two walking models of OpenSim, turned into borelli files by the test: kinematics, mass matrix, accelerations and inverse dynamics with
//! measured loads as that program computed them.
//! Not here: the translator (`borelli_testkit::osim`); inverse kinematics.
//! Without the reference folder the tests say `SKIPPED`.

use borelli::dynamics::MeasuredLoad;
use borelli::dynamics::formulation::articulated::Articulated;
use borelli::dynamics::formulation::{Evaluation, FORMULATIONS, Input};
use borelli::dynamics::frames::Frames;
use borelli::dynamics::scene::Scene;
use borelli::math::function::{Function, Interpolation, Outside, Table};
use borelli::{Model, System, compile};
use borelli_testkit::{ReferenceTable, assert_close, osim, reference};
use std::sync::Arc;

const MODELS: [(&str, &str, usize); 2] =
    [("opensim-gait10dof", "subject01_pipeline.osim", 10), ("opensim-gait2354", "subject01_simbody.osim", 23)];

/// A model of the reference folder, and the folder of its numbers.
struct Peer {
    system: System,
    folder: &'static str,
}

/// Both models; those that are absent are left out.
fn peers() -> Vec<Peer> {
    let mut list = Vec::new();
    for (folder, file, freedoms) in MODELS {
        let Some(path) = reference(&format!("data/{folder}/{file}")) else { continue };
        let text = osim::translate(&std::fs::read_to_string(path).expect("readable")).unwrap_or_else(|what| panic!("{folder}: {what}"));
        let model = Model::parse("translated.toml", &text).unwrap_or_else(|rejected| panic!("{rejected}"));
        let system = compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"));
        assert_eq!(system.skeleton.dofs(), freedoms);
        list.push(Peer { system, folder });
    }
    list
}

impl Peer {
    fn table(&self, name: &str) -> ReferenceTable {
        ReferenceTable::read(&format!("data/{}/reference/{name}.csv", self.folder)).expect("beside the model")
    }

    /// Values of a row in the order of the system, from columns such as `q.NAME`.
    fn by_coordinate(&self, table: &ReferenceTable, row: usize, prefix: &str) -> Vec<f64> {
        self.system.names.coordinates.iter().map(|c| table.number(row, &format!("{prefix}{}", c.name))).collect()
    }

    fn frames(&self, q: &[f64], v: &[f64]) -> Frames<f64> {
        let mut frames = Frames::new(&self.system.skeleton);
        frames.fill::<f64, false>(&self.system.skeleton, &self.system.numbers.tree, q, v, &[]);
        frames.fill_points(&self.system.skeleton);
        frames
    }

    fn inverse(&self, q: &[f64], v: &[f64], vdot: &[f64]) -> Vec<f64> {
        inverse(&self.system, 0.0, q, v, vdot)
    }
}

fn inverse(system: &System, t: f64, q: &[f64], v: &[f64], vdot: &[f64]) -> Vec<f64> {
    let mut tau = vec![0.0; vdot.len()];
    Articulated::new(system).inverse(system, t, q, v, vdot, &mut tau).unwrap_or_else(|failure| panic!("{failure}"));
    tau
}

#[test]
fn bodies_and_markers_are_where_the_other_program_has_them() {
    for peer in peers() {
        let (states, bodies, markers) = (peer.table("states"), peer.table("bodies"), peer.table("markers"));
        let tree = &peer.system.numbers.tree;
        for row in 0..bodies.rows.len() {
            let state = bodies.number(row, "state") as usize;
            let (q, v) = (peer.by_coordinate(&states, state, "q."), peer.by_coordinate(&states, state, "u."));
            let frames = peer.frames(&q, &v);
            let name = &bodies.rows[row][bodies.column("body")];
            let Some(b) = peer.system.names.bodies.iter().position(|body| body == name) else { panic!("no body {name}") };
            let (R, arm) = (frames.R[b] * tree.R_KB[b], frames.R[b] * tree.p_KB[b]);
            let center = frames.p[b] + (frames.R[b] * tree.mc_B[b]).scale(1.0 / tree.mass[b]);
            let rows = [[R.x.x, R.y.x, R.z.x], [R.x.y, R.y.y, R.z.y], [R.x.z, R.y.z, R.z.z]].concat();
            let vectors = [frames.w[b], frames.v[b] + frames.w[b].cross(arm)].map(|x| x.to_array()).concat();
            let found = [(frames.p[b] + arm).to_array().to_vec(), rows, center.to_array().to_vec(), vectors].concat();
            let names = ["x", "y", "z", "rxx", "rxy", "rxz", "ryx", "ryy", "ryz", "rzx", "rzy", "rzz"];
            let names = names.into_iter().chain(["com_x", "com_y", "com_z", "wx", "wy", "wz", "vx", "vy", "vz"]);
            let expected: Vec<f64> = names.map(|column| bodies.number(row, column)).collect();
            assert_close(&found, &expected, 1e-9, &format!("{} {name}", peer.folder));
        }
        for row in 0..markers.rows.len() {
            let state = markers.number(row, "state") as usize;
            let (q, v) = (peer.by_coordinate(&states, state, "q."), peer.by_coordinate(&states, state, "u."));
            let frames = peer.frames(&q, &v);
            let System { skeleton, numbers, .. } = &peer.system;
            let scene = Scene {
                skeleton,
                numbers,
                frames: &frames,
                q: &q,
                v: &v,
                vdot: &[],
                t: 0.0,
                inside: borelli::dynamics::scene::Inside::NONE,
            };
            let label = &markers.rows[row][markers.column("marker")];
            let marker = peer.system.markers.iter().find(|marker| marker.label == *label).unwrap_or_else(|| panic!("no marker {label}"));
            let expected = ["x", "y", "z"].map(|axis| markers.number(row, axis));
            assert_close(&scene.point(marker.place).p_W.to_array(), &expected, 1e-9, label);
        }
    }
}

#[test]
fn accelerations_and_mass_matrix_are_those_of_the_other_program() {
    for peer in peers() {
        let (states, matrix, given) = (peer.table("states"), peer.table("mass_matrix"), peer.table("inverse"));
        let n = peer.system.skeleton.dofs();
        for entry in FORMULATIONS {
            let mut formulation = match (entry.build)(&peer.system) {
                Ok(formulation) => formulation,
                Err(_) => continue,
            };
            for row in 0..states.rows.len() {
                let (q, v) = (peer.by_coordinate(&states, row, "q."), peer.by_coordinate(&states, row, "u."));
                let mut out = Evaluation::new(&peer.system);
                formulation
                    .evaluate(&peer.system, Input { t: 0.0, q: &q, v: &v, tau: &vec![0.0; n], ..Input::default() }, &mut out)
                    .expect("a state");
                assert_close(&out.vdot, &peer.by_coordinate(&states, row, "udot."), 1e-9, &format!("{} {}", peer.folder, entry.name));
            }
        }
        for row in 0..given.rows.len() {
            let state = given.number(row, "state") as usize;
            let (q, v) = (peer.by_coordinate(&states, state, "q."), peer.by_coordinate(&states, state, "u."));
            let tau = peer.inverse(&q, &v, &peer.by_coordinate(&given, row, "udot."));
            assert_close(&tau, &peer.by_coordinate(&given, row, "tau."), 1e-9, "given accelerations");
        }
        for row in 0..matrix.rows.len() {
            let state = matrix.number(row, "state") as usize;
            let (q, still) = (peer.by_coordinate(&states, state, "q."), vec![0.0; n]);
            let name = &matrix.rows[row][matrix.column("row")];
            let Some(k) = peer.system.names.speeds.iter().position(|speed| speed.name == *name) else { panic!("no speed {name}") };
            let mut unit = still.clone();
            unit[k] = 1.0;
            let (moving, resting) = (peer.inverse(&q, &still, &unit), peer.inverse(&q, &still, &still));
            let found: Vec<f64> = moving.iter().zip(&resting).map(|(a, b)| a - b).collect();
            assert_close(&found, &peer.by_coordinate(&matrix, row, ""), 1e-9, name);
        }
    }
}

#[test]
fn inverse_dynamics_of_walking_with_measured_loads_is_that_of_the_other_program() {
    for peer in peers() {
        let inputs = peer.table("id_inputs");
        let time = inputs.numbers("time");
        // At the times of the table its values count as they are.
        let function = |column: String| {
            let table = Table::new(time.clone(), inputs.numbers(&column), Interpolation::Linear, Outside::Error).expect("increasing times");
            Function::Table(Arc::new(table))
        };
        let loads = ["calcn_r", "calcn_l"].map(|foot| {
            let vector = |letter: &str| ["x", "y", "z"].map(|axis| function(format!("{foot}.{letter}{axis}")));
            let body = peer.system.names.bodies.iter().position(|body| body == foot).expect("a foot") as u32;
            MeasuredLoad { name: format!("ground_{foot}"), body, force: vector("f"), point: vector("p"), moment: vector("t") }
        });
        let loaded = peer.system.with_loads(&loads).expect("names of their own");
        let mut worst = 0.0_f64;
        for (row, &t) in time.iter().enumerate() {
            let [q, v, vdot, expected] = ["q.", "u.", "udot.", "tau."].map(|prefix| peer.by_coordinate(&inputs, row, prefix));
            let tau = inverse(&loaded, t, &q, &v, &vdot);
            worst = tau.iter().zip(&expected).fold(worst, |worst, (a, b)| worst.max((a - b).abs()));
        }
        assert!(time.len() > 100 && worst < 1e-8, "{}: {worst:e} N m", peer.folder);
    }
}
