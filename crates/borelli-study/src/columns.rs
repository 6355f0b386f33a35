//! Columns: everything a system shows at one instant, as named numbers with units.
//! Not here: names, units and values of single columns (`instant_columns`), when to look (`run`), files, formulas over columns.
//! In: the columns that are asked for; time, coordinates, velocities. Out: one number for each of them, in a fixed order, without allocating.
//!
//! Only what a column that is asked for needs is computed.
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
//! | `system.work.switches` | energy that conditional points of paths brought into what elements store, where they came or went | J |
//! | `system.energy.balance` | T + V_gravity and what soft parts store − that at the start − work | J |
//! | `constraint.drift.position`, `.velocity` | the largest Φ and Φ̇ of rows that hold | m or rad |
//! | `root.residual.*` | in `inverse`: the effort of a free root as a force and a moment, see `root_residual` | N, N m |
//! | `soft.N.*`, `soft_contact.N.*`, `tie.N.*` ... | soft parts, see `soft_columns` | |
//! | `chain.NAME` | in `mixed`: all variables of the chain, and how well they were found | N, N m, rad/s^2, m/s^2 |

use crate::column_visitor::{Filler, Instant, Listed, Needs};
use crate::instant_columns::{self, Scope};
use crate::mixed_solver::MixedSolver;
use crate::root_residual;
use borelli_data::Column;
use borelli_dynamics::System;
use borelli_dynamics::constraint::{RowControl, Rows};
use borelli_dynamics::contact::{MatReading, Resultant, Touching, resultant};
use borelli_dynamics::force::LoadReading;
use borelli_dynamics::formulation::articulated::{Articulated, Parts};
use borelli_dynamics::formulation::{Declined, Evaluation, FORMULATIONS, Failure, Formulation, Input, check_state};
use borelli_dynamics::scene::{Inside, Push, Scene};
use borelli_dynamics::system::Motion;
use borelli_math::{Constant, Quat};

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

/// All columns of a system, and the memory to fill those that are asked for.
///
/// What a column shows has the same bits whatever else is asked for: each part of an evaluation has memory of its own, since where two curved surfaces touch is searched for
/// from where they did in the look before.
pub struct Columns<'s> {
    scope: Scope<'s>,
    listed: Listed,
    engine: Engine,
    /// Poses of bodies, and what is found from them.
    report: Articulated,
    /// Efforts.
    inverse: Articulated,
    evaluation: Evaluation,
    rows: Rows<f64>,
    loads: Vec<LoadReading<f64>>,
    mats: Vec<MatReading>,
    resultants: Vec<Resultant>,
    released: Vec<bool>,
    q: Vec<f64>,
    tau: Vec<f64>,
    effort: Vec<f64>,
    /// Values of the columns of soft parts.
    soft: Vec<f64>,
    /// Energy stored in soft parts, J.
    soft_energy: f64,
    /// T + V_gravity and what soft parts store, less the work, at the first look.
    energy_at_start: Option<f64>,
}

impl<'s> Columns<'s> {
    /// Memory for a system, computed by a formulation. `audited`: looks come with the work done.
    pub fn new(system: &'s System, formulation: &str, audited: bool) -> Result<Columns<'s>, Declined> {
        let entry = FORMULATIONS.iter().find(|entry| entry.name == formulation);
        let unknown = || Declined { reason: format!("there is no formulation `{formulation}`") };
        let formulation = (entry.ok_or_else(unknown)?.build)(system)?;
        Ok(Columns::by(Scope { system, audited, root: None }, Engine::Formulation(formulation)))
    }

    /// The same for a mixed problem, whose variables are further columns.
    pub fn of_mixed(system: &'s System, solver: MixedSolver, audited: bool) -> Columns<'s> {
        let own = solver.columns();
        let mut columns = Columns::by(Scope { system, audited, root: None }, Engine::Mixed(Box::new(solver)));
        columns.listed.extend(own, Needs::ACCELERATIONS);
        columns
    }

    /// The same for a system with soft parts, whose columns come last: accelerations and row forces are always given.
    pub fn with_soft(system: &'s System, audited: bool, own: &[Column]) -> Columns<'s> {
        let mut columns = Columns::by(Scope { system, audited, root: None }, Engine::Formulation(Box::new(Articulated::new(system))));
        columns.listed.extend(own.to_vec(), Needs::default());
        columns.soft = vec![0.0; own.len()];
        columns
    }

    /// What soft parts show, store and do to the bodies at the next look.
    pub fn set_soft(&mut self, values: &[f64], energy: f64, pushes: &[Push], paths: &[(u32, [f64; 2])]) {
        self.soft.copy_from_slice(values);
        self.soft_energy = energy;
        for (path, along) in paths {
            self.report.give_path(*path, *along);
            self.inverse.give_path(*path, *along);
        }
        self.report.set_pushes(pushes);
        self.inverse.set_pushes(pushes);
    }

    fn by(scope: Scope<'s>, engine: Engine) -> Columns<'s> {
        let system = scope.system;
        Columns {
            scope,
            listed: listed(scope),
            engine,
            report: Articulated::new(system),
            inverse: Articulated::new(system),
            evaluation: Evaluation::new(system),
            rows: Rows::new(system.names.rows.len(), system.numbers.constraints.entries()),
            loads: Vec::with_capacity(system.numbers.forces.load.len()),
            mats: system.numbers.contacts.mats.iter().map(|mat| MatReading::new(&mat.item)).collect(),
            resultants: Vec::with_capacity(system.names.contacts.len()),
            released: vec![false; system.names.rows.len()],
            q: vec![0.0; system.skeleton.coords()],
            tau: vec![0.0; system.skeleton.dofs()],
            effort: vec![0.0; system.skeleton.dofs()],
            soft: Vec::new(),
            soft_energy: 0.0,
            energy_at_start: None,
        }
    }

    /// With the residual of a free root, where the system has one; not for mixed problems, whose own columns come last.
    pub fn with_root_residual(mut self) -> Columns<'s> {
        if let Engine::Formulation(_) = &self.engine {
            self.scope.root = root_residual::free_root(self.scope.system);
            self.listed = listed(self.scope);
        }
        self
    }

    /// Names and units.
    pub fn list(&self) -> &[Column] {
        &self.listed.list
    }

    /// Asks for a column, by its number in the list. Looks find what is asked for before the first of them, and nothing else.
    pub fn ask(&mut self, column: usize) {
        self.listed.ask(column);
    }

    /// Asks for what pairs of surfaces do.
    pub fn ask_touching(&mut self) {
        self.listed.needs |= Needs::LOADS;
    }

    /// Asks for what pressure mats show.
    pub fn ask_mats(&mut self) {
        self.listed.needs |= Needs::MATS;
    }

    /// What all mats show at the last look, if they were asked for.
    pub fn mats(&self) -> &[MatReading] {
        &self.mats
    }

    /// Which rows hold, and what they ask for.
    pub fn set_row_control(&mut self, control: &RowControl) {
        self.engine.formulation().set_row_control(control);
        self.report.set_row_control(control);
        self.inverse.set_row_control(control);
        self.rows.set_control(control);
        self.released.iter_mut().enumerate().for_each(|(k, released)| *released = control.is_released(k));
    }

    /// What pairs of surfaces did at the last look, if that was asked for.
    pub fn touching(&self) -> &[Touching<f64>] {
        &self.evaluation.touching
    }

    /// Computes the columns that are asked for at one state, and writes them; the other values are left as they are.
    pub fn fill(&mut self, look: Look, values: &mut [f64]) -> Result<(), Failure> {
        self.q.copy_from_slice(look.q);
        normalise(self.scope.system, &mut self.q);
        self.find(look)?;
        let Columns { scope, listed, evaluation, rows, loads, mats, resultants, released, q, effort, .. } = self;
        let system = scope.system;
        let mut now = Instant {
            system,
            numbers: &system.numbers,
            q,
            v: look.v,
            z: if look.z.is_empty() { &system.numbers.states } else { look.z },
            evaluation,
            frames: self.report.frames(),
            effort,
            rows,
            released,
            loads,
            mats,
            resultants,
            work: look.work.unwrap_or(&[]),
            energy_at_start: f64::NAN,
            soft_energy: self.soft_energy,
        };
        if listed.needs.has(Needs::MOMENTA) {
            let start = now.balanced_energy() - now.work(0) - now.work(1) - now.work(2);
            now.energy_at_start = *self.energy_at_start.get_or_insert(start);
        }
        instant_columns::visit(*scope, &mut Filler::new(listed, &now, values));
        let of_soft = values.len() - self.soft.len();
        values[of_soft..].copy_from_slice(&self.soft);
        if let Engine::Mixed(solver) = &mut self.engine {
            let own = listed.list.len() - solver.columns_count();
            if listed.asks_from(own) {
                solver.fill(&mut values[own..])?;
            }
        }
        Ok(())
    }

    /// Finds what the columns that are asked for need.
    fn find(&mut self, look: Look) -> Result<(), Failure> {
        let (system, needs, out) = (self.scope.system, self.listed.needs, &mut self.evaluation);
        let (t, q, v) = (look.t, &self.q, look.v);
        let inside = Inside { z: look.z, u: &[] };
        let input = Input { t, q, v, inside, tau: &self.tau };
        check_state(system, &input)?;
        let mut parts =
            Parts { loads: needs.has(Needs::LOADS), momenta: needs.has(Needs::MOMENTA), reactions: needs.has(Needs::REACTIONS) };
        let accelerations = needs.has(Needs::ACCELERATIONS);
        let some = accelerations || parts != Parts::default();
        match (look.source, &mut self.engine) {
            (Source::Given { vdot, .. }, Engine::Mixed(solver)) => {
                if some {
                    solver.solve(system, input, vdot, out)?;
                }
                parts = Parts::default();
            }
            (Source::Given { vdot, row_force }, Engine::Formulation(_)) => {
                out.vdot.copy_from_slice(vdot);
                out.row_force.copy_from_slice(row_force);
            }
            (Source::Forward, engine) => {
                let formulation = engine.formulation();
                if let Some(apart) = formulation.apart() {
                    if accelerations {
                        apart.accelerate(system, input, &mut out.vdot)?;
                        out.row_force.copy_from_slice(apart.row_force());
                    }
                } else if some {
                    formulation.evaluate(system, input, out)?;
                    parts = Parts::default();
                }
            }
        }
        if needs.has(Needs::POSES) {
            self.report.report(system, input, parts, out)?;
        }
        if needs.has(Needs::EFFORTS) {
            self.inverse.inverse_inside(system, t, q, v, inside, &out.vdot, &mut self.effort)?;
        }
        let numbers = &system.numbers;
        let scene = Scene { skeleton: &system.skeleton, numbers, frames: self.report.frames(), q, v, vdot: &[], t, inside };
        look_around(needs, &scene, &out.touching, &mut self.rows, &mut self.loads, &mut self.resultants);
        if needs.has(Needs::MATS) {
            for (reading, mat) in self.mats.iter_mut().zip(&numbers.contacts.mats) {
                reading.look(&mat.item, &scene);
            }
        }
        Ok(())
    }
}

/// What follows from poses and pairs alone, over any scalar: rows of loops and guides, measured loads, contacts as a whole; as far as it is needed.
pub(crate) fn look_around<S: Constant<S>>(
    needs: Needs,
    scene: &Scene<S, S>,
    touching: &[Touching<S>],
    rows: &mut Rows<S>,
    loads: &mut Vec<LoadReading<S>>,
    resultants: &mut Vec<Resultant<S>>,
) {
    let numbers = scene.numbers;
    if needs.has(Needs::DRIFT) {
        numbers.constraints.fill(scene, rows);
    }
    if needs.has(Needs::MEASURED) {
        loads.clear();
        loads.extend(numbers.forces.load.iter().map(|load| load.item.reading(scene)));
    }
    if needs.has(Needs::RESULTANTS) {
        resultants.clear();
        resultants.extend((0..numbers.contacts.manners.len()).map(|contact| resultant(&numbers.contacts, contact, touching)));
    }
}

/// All columns, none of them asked for.
fn listed(scope: Scope) -> Listed {
    let mut listed = Listed::default();
    instant_columns::visit::<f64>(scope, &mut listed);
    listed
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
