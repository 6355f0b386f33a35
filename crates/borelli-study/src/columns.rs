//! Columns: everything a system shows at one instant, as named numbers with units.
//! Not here: when to look (`run`), files, formulas over columns.
//! In: time, coordinates, velocities. Out: one number per column, in a fixed order, without allocating.
//!
//! | columns | what | unit |
//! | --- | --- | --- |
//! | `coord.N.value`, `.rate`, `.accel` | coordinate, speed, its rate (a quaternion has values; its speeds have names of their own) | rad, m |
//! | `coord.N.effort` | generalised force that loops, guides or, in `inverse`, actuators exert along it | N m, N |
//! | `body.N.x` `.y` `.angle` `.vx` `.vy` `.rate` | pose and velocity of the body's frame (spatial: `.x` to `.z`, `.qw` to `.qz`, `.vx` to `.wz`) | m, rad |
//! | `joint.N.reaction.force.x`, `.moment.z` ... | what the joint does to the child, without its effort, world axes | N, N m |
//! | `joint.N.power` | of the efforts along the joint's coordinates on the pair of bodies | W |
//! | `loop.N.reaction.PART`, `guide.N.reaction.PART` | force or moment of a row: of a loop on its body `b`, of a guide on what it guides | N, N m |
//! | `loop.N.drift.PART`, `.drift_rate.PART` | how far the row is from being met, Φ and Φ̇ | m, rad |
//! | `path.N.length`, `.force` | length and tension | m, N |
//! | `load.N.*` | measured loads, see `load_columns` | |
//! | `contact.N.*` | pairs of surfaces and contacts, see `contact_columns` | |
//! | `sensor.N.*` | pressure mats, see `pressure` | |
//! | `system.energy.*`, `system.momentum.*`, `system.center.*` | sums over all bodies; angular momentum about the world origin | J, kg m/s, m |
//! | `system.work.forces`, `.efforts`, `.rows` | work since the start, where a run integrates it | J |
//! | `system.energy.balance` | T + V_gravity − that at the start − work | J |
//! | `constraint.drift.position`, `.velocity` | the largest Φ and Φ̇ of rows that hold | m or rad |
//! | `root.residual.*` | in `inverse`: the effort of a free root as a force and a moment, see `root_residual` | N, N m |
//! | `chain.NAME` | in `mixed`: all variables of the chain, and how well they were found | N, N m, rad/s^2, m/s^2 |

use crate::contact_columns;
use crate::load_columns;
use crate::mixed_solver::MixedSolver;
use crate::pressure;
use crate::root_residual;
use borelli_data::Column;
use borelli_dynamics::System;
use borelli_dynamics::constraint::{RowControl, Rows};
use borelli_dynamics::contact::{MatReading, Touching};
use borelli_dynamics::force::LoadReading;
use borelli_dynamics::formulation::articulated::Articulated;
use borelli_dynamics::formulation::{Declined, Evaluation, FORMULATIONS, Failure, Formulation, Input};
use borelli_dynamics::frames::Frames;
use borelli_dynamics::movement::AUDITED;
use borelli_dynamics::scene::{Inside, Scene};
use borelli_dynamics::system::{Measure, Motion};
use borelli_math::{Quat, Vec3};

/// A state to be looked at, and what is known of it beside the equations of motion.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// Time, s.
    pub t: f64,
    /// Coordinates; quaternions need not be of unit length.
    pub q: &'a [f64],
    /// Velocities.
    pub v: &'a [f64],
    /// States of force elements; empty: as the model starts.
    pub z: &'a [f64],
    /// Where accelerations and row forces come from.
    pub source: Source<'a>,
    /// Work of force elements and contacts, of given efforts and of rows since the start, and that lost in each pair of surfaces, J; nothing where it is not integrated.
    pub work: Option<&'a [f64]>,
}

/// Where accelerations and row forces come from.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// The equations of motion.
    Forward,
    /// Given, with row forces; what is missing is supplied by efforts.
    Given {
        /// Rates of v.
        vdot: &'a [f64],
        /// Forces of rows.
        row_force: &'a [f64],
    },
}

/// What finds accelerations and forces.
enum Engine {
    Formulation(Box<dyn Formulation>),
    Mixed(Box<MixedSolver>),
}

impl Engine {
    fn formulation(&mut self) -> &mut dyn Formulation {
        match self {
            Engine::Formulation(formulation) => &mut **formulation,
            Engine::Mixed(solver) => &mut **solver,
        }
    }
}

/// All columns of a system, and the memory to fill them.
pub struct Columns<'s> {
    system: &'s System,
    list: Vec<Column>,
    values: Vec<f64>,
    engine: Engine,
    articulated: Articulated,
    evaluation: Evaluation,
    frames: Frames<f64>,
    rows: Rows<f64>,
    loads: Vec<LoadReading<f64>>,
    mats: Vec<MatReading>,
    released: Vec<bool>,
    q: Vec<f64>,
    tau: Vec<f64>,
    effort: Vec<f64>,
    /// The free root whose residual is among the columns.
    root: Option<usize>,
    /// T + V_gravity at the first look.
    energy_at_start: Option<f64>,
}

const AXES: [&str; 3] = ["x", "y", "z"];

fn unit(measure: Measure, angle: &'static str, length: &'static str) -> &'static str {
    match measure {
        Measure::Angle => angle,
        Measure::Length => length,
        Measure::Quaternion => "1",
    }
}

/// Names and units, in the order in which `Columns::fill` writes.
fn list(system: &System, audited: bool) -> Vec<Column> {
    let mut list = Vec::new();
    let mut add = |name: String, unit: &str| list.push(Column::new(name, unit));
    let names = &system.names;
    for c in &names.coordinates {
        add(format!("coord.{}.value", c.name), unit(c.measure, "rad", "m"));
    }
    for s in &names.speeds {
        add(format!("coord.{}.rate", s.name), unit(s.measure, "rad/s", "m/s"));
        add(format!("coord.{}.accel", s.name), unit(s.measure, "rad/s^2", "m/s^2"));
        add(format!("coord.{}.effort", s.name), unit(s.measure, "N m", "N"));
    }
    let planar = system.skeleton.planar;
    let axes = if planar { &AXES[..2] } else { &AXES[..] };
    for body in &names.bodies[1..] {
        axes.iter().for_each(|axis| add(format!("body.{body}.{axis}"), "m"));
        if planar {
            add(format!("body.{body}.angle"), "rad");
        } else {
            ["qw", "qx", "qy", "qz"].iter().for_each(|part| add(format!("body.{body}.{part}"), "1"));
        }
        axes.iter().for_each(|axis| add(format!("body.{body}.v{axis}"), "m/s"));
        if planar {
            add(format!("body.{body}.rate"), "rad/s");
        } else {
            axes.iter().for_each(|axis| add(format!("body.{body}.w{axis}"), "rad/s"));
        }
    }
    for joint in &names.joints[1..] {
        axes.iter().for_each(|axis| add(format!("joint.{joint}.reaction.force.{axis}"), "N"));
        let turns = if planar { &AXES[2..] } else { &AXES[..] };
        turns.iter().for_each(|axis| add(format!("joint.{joint}.reaction.moment.{axis}"), "N m"));
        add(format!("joint.{joint}.power"), "W");
    }
    for row in &names.rows {
        let prefix = row.element();
        add(format!("{prefix}.reaction.{}", row.part), unit(row.measure, "N m", "N"));
        add(format!("{prefix}.drift.{}", row.part), unit(row.measure, "rad", "m"));
        add(format!("{prefix}.drift_rate.{}", row.part), unit(row.measure, "rad/s", "m/s"));
    }
    for path in &names.paths {
        add(format!("path.{path}.length"), "m");
        add(format!("path.{path}.force"), "N");
    }
    for inside in names.states.iter().chain(&names.outputs) {
        add(inside.column(), &inside.unit);
    }
    list.extend(load_columns::list(system));
    list.extend(contact_columns::list(system, audited));
    let mut add = |name: String, unit: &str| list.push(Column::new(name, unit));
    for kind in ["kinetic", "gravity", "stored", "total"] {
        add(format!("system.energy.{kind}"), "J");
    }
    axes.iter().for_each(|axis| add(format!("system.momentum.{axis}"), "kg m/s"));
    let turns = if planar { &AXES[2..] } else { &AXES[..] };
    turns.iter().for_each(|axis| add(format!("system.angular_momentum.{axis}"), "kg m^2/s"));
    axes.iter().for_each(|axis| add(format!("system.center.{axis}"), "m"));
    if !names.rows.is_empty() {
        // Rows may measure lengths and angles; 1 rad counts as 1 m.
        add("constraint.drift.position".into(), "1");
        add("constraint.drift.velocity".into(), "1/s");
    }
    if audited {
        ["work.forces", "work.efforts", "work.rows", "energy.balance"].iter().for_each(|part| add(format!("system.{part}"), "J"));
    }
    list.extend(pressure::columns(system));
    list
}

impl<'s> Columns<'s> {
    /// Memory for a system, computed by a formulation. `audited`: looks come with the work done.
    pub fn new(system: &'s System, formulation: &str, audited: bool) -> Result<Columns<'s>, Declined> {
        let entry = FORMULATIONS.iter().find(|entry| entry.name == formulation);
        let unknown = || Declined { reason: format!("there is no formulation `{formulation}`") };
        let formulation = (entry.ok_or_else(unknown)?.build)(system)?;
        Ok(Columns::by(system, Engine::Formulation(formulation), list(system, audited)))
    }

    /// The same for a mixed problem, whose variables are further columns.
    pub fn of_mixed(system: &'s System, solver: MixedSolver, audited: bool) -> Columns<'s> {
        let list = [list(system, audited), solver.columns()].concat();
        Columns::by(system, Engine::Mixed(Box::new(solver)), list)
    }

    fn by(system: &'s System, engine: Engine, list: Vec<Column>) -> Columns<'s> {
        Columns {
            engine,
            articulated: Articulated::new(system),
            evaluation: Evaluation::new(system),
            frames: Frames::new(&system.skeleton),
            rows: Rows::new(system.names.rows.len(), system.numbers.constraints.entries()),
            loads: Vec::with_capacity(system.numbers.forces.load.len()),
            mats: system.numbers.contacts.mats.iter().map(|mat| MatReading::new(&mat.item)).collect(),
            released: vec![false; system.names.rows.len()],
            q: vec![0.0; system.skeleton.coords()],
            tau: vec![0.0; system.skeleton.dofs()],
            effort: vec![0.0; system.skeleton.dofs()],
            root: None,
            energy_at_start: None,
            values: vec![0.0; list.len()],
            list,
            system,
        }
    }

    /// With the residual of a free root, where the system has one; not for mixed problems, whose own columns come last.
    pub fn with_root_residual(mut self) -> Columns<'s> {
        if let (Some(root), Engine::Formulation(_)) = (root_residual::free_root(self.system), &self.engine) {
            self.root = Some(root);
            self.list.extend(root_residual::list(self.system));
            self.values.resize(self.list.len(), 0.0);
        }
        self
    }

    /// Names and units.
    pub fn list(&self) -> &[Column] {
        &self.list
    }

    /// What all mats show at the last look.
    pub fn mats(&self) -> &[MatReading] {
        &self.mats
    }

    /// Which rows hold, and what they ask for.
    pub fn set_row_control(&mut self, control: &RowControl) {
        self.engine.formulation().set_row_control(control);
        self.articulated.set_row_control(control);
        self.rows.set_control(control);
        self.released.iter_mut().enumerate().for_each(|(k, released)| *released = control.is_released(k));
    }

    /// What pairs of surfaces did at the last state.
    pub fn touching(&self) -> &[Touching<f64>] {
        &self.evaluation.touching
    }

    /// Computes all columns at one state.
    pub fn fill(&mut self, look: Look) -> Result<&[f64], Failure> {
        let system = self.system;
        self.q.copy_from_slice(look.q);
        normalise(system, &mut self.q);
        let (t, q, v) = (look.t, &self.q, look.v);
        let inside = Inside { z: look.z, u: &[] };
        let input = Input { t, q, v, inside, tau: &self.tau };
        match (look.source, &mut self.engine) {
            (Source::Forward, engine) => engine.formulation().evaluate(system, input, &mut self.evaluation)?,
            (Source::Given { vdot, .. }, Engine::Mixed(solver)) => solver.solve(system, input, vdot, &mut self.evaluation)?,
            (Source::Given { vdot, row_force }, Engine::Formulation(_)) => {
                self.evaluation.vdot.copy_from_slice(vdot);
                self.evaluation.row_force.copy_from_slice(row_force);
                self.articulated.report(system, input, &mut self.evaluation)?;
            }
        }
        self.articulated.inverse_inside(system, t, q, v, inside, &self.evaluation.vdot, &mut self.effort)?;
        self.frames.fill::<f64, false>(&system.skeleton, &system.numbers.tree, q, v, &[]);
        self.frames.fill_points(&system.skeleton);
        let scene = Scene { skeleton: &system.skeleton, numbers: &system.numbers, frames: &self.frames, q, v, vdot: &[], t, inside };
        system.numbers.constraints.fill(&scene, &mut self.rows);
        self.loads.clear();
        self.loads.extend(system.numbers.forces.load.iter().map(|load| load.item.reading(&scene)));
        for (reading, mat) in self.mats.iter_mut().zip(&system.numbers.contacts.mats) {
            reading.look(&mat.item, &scene);
        }
        self.write(v, look.z, look.work);
        if let Engine::Mixed(solver) = &mut self.engine {
            let own = self.list.len() - solver.columns_count();
            solver.fill(&mut self.values[own..])?;
        }
        Ok(&self.values)
    }

    fn write(&mut self, v: &[f64], z: &[f64], work: Option<&[f64]>) {
        let (system, out) = (self.system, &self.evaluation);
        // Taken out while it is filled, since poses of bodies are asked of `self`.
        let mut values = std::mem::take(&mut self.values);
        let mut rest = values.iter_mut();
        let mut put = |x: f64| {
            if let Some(cell) = rest.next() {
                *cell = x;
            }
        };
        self.q.iter().for_each(|x| put(*x));
        for (k, rate) in v.iter().enumerate() {
            put(*rate);
            put(out.vdot[k]);
            put(self.effort[k]);
        }
        let planar = system.skeleton.planar;
        let vector = |x: Vec3<f64>, put: &mut dyn FnMut(f64)| {
            put(x.x);
            put(x.y);
            if !planar {
                put(x.z);
            }
        };
        let turn = |x: Vec3<f64>, put: &mut dyn FnMut(f64)| {
            if !planar {
                put(x.x);
                put(x.y);
            }
            put(x.z);
        };
        let tree = &system.numbers.tree;
        let (mut mass, mut first) = (0.0, Vec3::ZERO);
        for b in 1..system.skeleton.parent.len() {
            let (R, p, w) = (&self.frames.R[b], self.frames.p[b], self.frames.w[b]);
            let arm = *R * tree.p_KB[b];
            vector(p + arm, &mut put);
            let R_WB = *R * tree.R_KB[b];
            if planar {
                put(self.angle(b));
            } else {
                Quat::from_rotation(&R_WB).to_array().into_iter().for_each(&mut put);
            }
            vector(self.frames.v[b] + w.cross(arm), &mut put);
            turn(w, &mut put);
            mass += tree.mass[b];
            first += p.scale(tree.mass[b]) + *R * tree.mc_B[b];
        }
        for b in 1..system.skeleton.parent.len() {
            vector(out.reaction_force[b], &mut put);
            turn(out.reaction_moment[b], &mut put);
            put(system.skeleton.dofs_of(b).map(|k| self.effort[k] * v[k]).sum());
        }
        let mut drift = [0.0_f64; 2];
        for k in 0..system.names.rows.len() {
            put(out.row_force[k]);
            put(self.rows.position[k]);
            put(self.rows.velocity[k]);
            if !self.released[k] {
                drift = [drift[0].max(self.rows.position[k].abs()), drift[1].max(self.rows.velocity[k].abs())];
            }
        }
        for (length, tension) in out.path_length.iter().zip(&out.path_tension) {
            put(*length);
            put(*tension);
        }
        let z = if z.is_empty() { &system.numbers.states } else { z };
        z.iter().chain(&out.output).for_each(|x| put(*x));
        load_columns::write(system, &self.loads, &mut put);
        contact_columns::write(system, &out.touching, work.map(|work| &work[AUDITED..]), &mut put);
        let moving = out.kinetic_energy + out.gravity_energy;
        [out.kinetic_energy, out.gravity_energy, out.stored_energy, moving + out.stored_energy].into_iter().for_each(&mut put);
        vector(out.momentum, &mut put);
        turn(out.angular_momentum, &mut put);
        vector(first.scale(1.0 / mass), &mut put);
        if !system.names.rows.is_empty() {
            drift.into_iter().for_each(&mut put);
        }
        if let Some(&[forces, efforts, rows, ..]) = work {
            let start = *self.energy_at_start.get_or_insert(moving - forces - efforts - rows);
            [forces, efforts, rows, moving - start - forces - efforts - rows].into_iter().for_each(&mut put);
        }
        pressure::write(&self.mats, &mut put);
        if let Some(root) = self.root {
            root_residual::write(system, &self.frames, root, &self.effort, &mut put);
        }
        self.values = values;
    }

    /// The angle of a planar body's own frame: the turns on the way from the world and the constant angle of the frame in its kernel frame, which
    /// is parallel to the parent's where all coordinates are zero. Unlike the arctangent of a direction it does not jump at half a turn.
    fn angle(&self, body: usize) -> f64 {
        let (skeleton, tree) = (&self.system.skeleton, &self.system.numbers.tree);
        let own = tree.R_KB[body].x;
        let (mut turned, mut b) = (0.0, body);
        while b != 0 {
            for motion in skeleton.motions_of(b) {
                match *motion {
                    Motion::Turn { coord, .. } => turned += self.q[coord as usize],
                    Motion::Function { slot, coord, .. } => {
                        let turns = &tree.curves[slot as usize].turns;
                        turned += turns.iter().map(|(_, angle)| angle.eval(self.q[coord as usize])[0]).sum::<f64>();
                    }
                    Motion::Slide { .. } | Motion::Ball { .. } | Motion::Fixed { .. } => {}
                }
            }
            b = skeleton.parent[b] as usize;
        }
        turned + own.y.atan2(own.x)
    }
}

/// Scales quaternions to unit length.
pub(crate) fn normalise(system: &System, q: &mut [f64]) {
    for motion in &system.skeleton.motions {
        if let Motion::Ball { coord, .. } = motion {
            let p = &mut q[*coord as usize..][..4];
            p.copy_from_slice(&Quat::from_slice(p).normalized().to_array());
        }
    }
}
