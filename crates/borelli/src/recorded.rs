//! Motions of gallery models for tests of pages and pictures: integrated here, with the columns that runs leave.
//! Not here: anything that is shipped.

pub mod soft;

use crate::{Model, System, compile, gallery};
use borelli_data::{Column, Trajectory};
use borelli_dynamics::assemble::assemble;
use borelli_dynamics::contact::Touching;
use borelli_dynamics::formulation::articulated::Articulated;
use borelli_dynamics::formulation::{Evaluation, Formulation, Input};
use borelli_dynamics::frames::Frames;
use borelli_dynamics::integrate::{Settings, Statistics, at_times, find, integrate};
use borelli_dynamics::movement::{Movement, Options};
use borelli_dynamics::system::Measure;
use borelli_math::{Quat, Vec3};

/// A model of the gallery, compiled.
pub fn system(name: &str) -> System {
    let model = gallery::read(name).unwrap_or_else(|| panic!("no {name}")).unwrap_or_else(|rejected| panic!("{rejected}"));
    compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// A model given as text, compiled.
pub fn parsed(text: &str) -> System {
    let model = Model::parse("model.toml", text).unwrap_or_else(|rejected| panic!("{rejected}"));
    compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// A corner of a cube of 10 units, as a file of triangles.
pub const CORNER: &str = "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// A pendulum of two bodies, the upper of which is drawn as the triangles of a file in centimetres.
pub fn meshed(surface: &str) -> System {
    let load = |path: &str| match path {
        "corner.obj" => Ok(surface.as_bytes().to_vec()),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    let text = include_str!("recorded/meshed.toml");
    let model = Model::parse_with("model.toml", text, &load).unwrap_or_else(|rejected| panic!("{rejected}"));
    compile(&model).unwrap_or_else(|rejected| panic!("{rejected}"))
}

/// A planar foot on a shank falls on a slope: a circle, an ellipse and a point against a half-space whose frame is turned, and a disc that rolls.
pub const PLANAR_FOOT: &str = include_str!("recorded/planar-foot.toml");

/// A spatial foot falls on a floor: every bounded shape of space against it, and a ball on an ellipsoid.
pub const SPATIAL_FOOT: &str = include_str!("recorded/spatial-foot.toml");

/// What the pairs of surfaces do at a sample of a motion, from its coordinates and rates.
pub fn touching(system: &System, table: &Trajectory, sample: usize) -> Vec<Touching<f64>> {
    let column = |name: String| table.column(&name).expect("a column")[sample];
    let q: Vec<f64> = system.names.coordinates.iter().map(|c| column(format!("coord.{}.value", c.name))).collect();
    let v: Vec<f64> = system.names.speeds.iter().map(|s| column(format!("coord.{}.rate", s.name))).collect();
    let (tau, mut out) = (vec![0.0; v.len()], Evaluation::new(system));
    let input = Input { t: table.time()[sample], q: &q, v: &v, tau: &tau, ..Input::default() };
    Articulated::new(system).evaluate(system, input, &mut out).expect("an evaluation");
    out.touching
}

/// The model's motion from its start to a time, `samples` at equal distances.
pub fn motion(system: &System, end: f64, samples: usize) -> Trajectory {
    let times: Vec<f64> = (0..samples).map(|k| end * k as f64 / (samples - 1) as f64).collect();
    let tau = vec![0.0; system.skeleton.dofs()];
    let mut movement = Movement::new(system, Options::default()).expect("a movement");
    let start = assemble(system, 0.0, &system.start.q, &system.start.v, &system.start.held).expect("a start");
    let mut y = movement.state(system, &start.q, &start.v);
    let mut states = vec![y.clone()];
    let (mut method, mut statistics) = ((find("dopri5").expect("it").build)(y.len()), Statistics::default());
    let mut record = at_times(&times[1..], y.len(), |_, y: &[f64]| states.push(y.to_vec()));
    integrate(&mut *method, &mut movement.of(system), (0.0, end), &mut y, &Settings::tolerance(1e-8), &mut statistics, &mut record)
        .expect("a motion");
    let mut table = Trajectory::new(columns(system)).expect("columns");
    let mut recorder = Recorder { system, articulated: Articulated::new(system), out: Evaluation::new(system), tau };
    for (t, y) in times.iter().zip(&states) {
        table.push_row(&recorder.row(*t, y)).expect("a row");
    }
    table
}

fn columns(system: &System) -> Vec<Column> {
    let mut list = Vec::new();
    let mut add = |name: String, unit: &str| list.push(Column::new(name, unit));
    let planar = system.skeleton.planar;
    let axes: &[&str] = if planar { &["x", "y"] } else { &["x", "y", "z"] };
    for body in &system.names.bodies[1..] {
        axes.iter().for_each(|axis| add(format!("body.{body}.{axis}"), "m"));
        if planar {
            add(format!("body.{body}.angle"), "rad");
        } else {
            ["qw", "qx", "qy", "qz"].iter().for_each(|part| add(format!("body.{body}.{part}"), "1"));
        }
    }
    let unit = |measure: Measure| {
        if measure == Measure::Angle {
            "rad"
        } else if measure == Measure::Length {
            "m"
        } else {
            "1"
        }
    };
    for coordinate in &system.names.coordinates {
        add(format!("coord.{}.value", coordinate.name), unit(coordinate.measure));
    }
    for speed in &system.names.speeds {
        add(format!("coord.{}.rate", speed.name), if speed.measure == Measure::Length { "m/s" } else { "rad/s" });
    }
    for joint in &system.names.joints[1..] {
        axes.iter().for_each(|axis| add(format!("joint.{joint}.reaction.force.{axis}"), "N"));
    }
    for path in &system.names.paths {
        add(format!("path.{path}.length"), "m");
        add(format!("path.{path}.force"), "N");
    }
    for pair in &system.names.pairs {
        add(format!("contact.{pair}.depth"), "m");
        add(format!("contact.{pair}.normal_force"), "N");
        axes.iter().for_each(|axis| add(format!("contact.{pair}.friction.{axis}"), "N"));
        axes.iter().for_each(|axis| add(format!("contact.{pair}.point.{axis}"), "m"));
    }
    ["kinetic", "gravity", "stored", "total"].iter().for_each(|part| add(format!("system.energy.{part}"), "J"));
    list
}

struct Recorder<'s> {
    system: &'s System,
    articulated: Articulated,
    out: Evaluation,
    tau: Vec<f64>,
}

impl Recorder<'_> {
    fn row(&mut self, t: f64, y: &[f64]) -> Vec<f64> {
        let (system, out) = (self.system, &mut self.out);
        let (q, v) = y.split_at(system.skeleton.coords());
        self.articulated.evaluate(system, Input { t, q, v, tau: &self.tau, ..Input::default() }, out).expect("an evaluation");
        let tree = &system.numbers.tree;
        let mut frames = Frames::<f64>::new(&system.skeleton);
        frames.fill::<f64, false>(&system.skeleton, tree, q, v, &self.tau);
        frames.fill_points(&system.skeleton);
        let planar = system.skeleton.planar;
        let flat = |p: Vec3<f64>| p.to_array().into_iter().take(if planar { 2 } else { 3 });
        let mut row = vec![t];
        for b in 1..system.names.bodies.len() {
            let (p, R) = (frames.p[b] + frames.R[b] * tree.p_KB[b], frames.R[b] * tree.R_KB[b]);
            row.extend(flat(p));
            if planar { row.push(R.x.y.atan2(R.x.x)) } else { row.extend(Quat::from_rotation(&R).to_array()) }
        }
        row.extend_from_slice(q);
        row.extend_from_slice(v);
        out.reaction_force[1..].iter().for_each(|force| row.extend(flat(*force)));
        out.lines.length.iter().zip(&out.lines.tension).for_each(|(length, tension)| row.extend([length, tension]));
        for pair in &out.touching {
            row.extend([pair.depth, pair.normal_force]);
            row.extend(flat(pair.friction).chain(flat(pair.point)));
        }
        let energy = [out.kinetic_energy, out.gravity_energy, out.stored_energy];
        row.extend(energy);
        row.push(energy.iter().sum());
        row
    }
}
