//! The columns of a system at one instant: name, unit, what it takes to find them, and value, each in one place.
//! Not here: finding what they show (`columns`); families with files of their own: `load_columns`, `contact_columns`, `pressure`, `root_residual`.
//! In: a system. Out: every column, shown to a visitor in a fixed order. The table of them all stands in `columns`.

use crate::column_visitor::{Instant, Needs, Visitor};
use crate::{contact_columns, load_columns, pressure, root_residual};
use borelli_data::Column;
use borelli_dynamics::System;
use borelli_dynamics::force::{Stop, movers};
use borelli_dynamics::movement::{AUDITED, audited};
use borelli_dynamics::system::{Measure, Motion, Numbers, Skeleton};
use borelli_math::{Constant, Quat, Real, Vec3};

/// What decides which columns there are.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'s> {
    pub system: &'s System,
    /// Whether looks come with the work done.
    pub audited: bool,
    /// The free root whose residual is among the columns.
    pub root: Option<usize>,
}

fn unit(measure: Measure, angle: &'static str, length: &'static str) -> &'static str {
    match measure {
        Measure::Angle => angle,
        Measure::Length => length,
        Measure::Quaternion => "1",
    }
}

/// Shows all columns.
pub(crate) fn visit<S: Constant<S>>(scope: Scope, visitor: &mut impl Visitor<S>) {
    let Scope { system, audited, root } = scope;
    coordinates(system, visitor);
    bodies(system, visitor);
    joints(system, visitor);
    rows(system, visitor);
    elements(system, visitor);
    joint_angles(system, visitor);
    load_columns::visit(system, visitor);
    contact_columns::visit(system, audited, visitor);
    whole(system, visitor);
    if audited {
        audit(system, visitor);
    }
    pressure::visit(system, visitor);
    if let Some(root) = root {
        root_residual::visit(system, root, visitor);
    }
}

fn coordinates<S: Constant<S>>(system: &System, visitor: &mut impl Visitor<S>) {
    if visitor.section() {
        for (k, c) in system.names.coordinates.iter().enumerate() {
            visitor.one(Needs::NONE, || Column::new(format!("coord.{}.value", c.name), unit(c.measure, "rad", "m")), |now| now.q[k]);
        }
    }
    if visitor.section() {
        for (k, s) in system.names.speeds.iter().enumerate() {
            let own = |part: &str, unit: &str| Column::new(format!("coord.{}.{part}", s.name), unit);
            visitor.one(Needs::NONE, || own("rate", unit(s.measure, "rad/s", "m/s")), |now| now.v[k]);
            visitor.one(Needs::ACCELERATIONS, || own("accel", unit(s.measure, "rad/s^2", "m/s^2")), |now| now.evaluation.vdot[k]);
            visitor.one(Needs::EFFORTS, || own("effort", unit(s.measure, "N m", "N")), |now| now.effort[k]);
        }
    }
}

fn bodies<S: Constant<S>>(system: &System, visitor: &mut impl Visitor<S>) {
    if !visitor.section() {
        return;
    }
    let planar = system.skeleton.planar;
    for (b, body) in system.names.bodies.iter().enumerate().skip(1) {
        let own = |part: &str, unit: &str| Column::new(format!("body.{body}.{part}"), unit);
        let arm = |now: &Instant<S>| now.frames.R[b] * now.numbers.tree.p_KB[b];
        visitor.along(planar, Needs::POSES, |axis| own(axis, "m"), |now| now.frames.p[b] + arm(now));
        if planar {
            visitor.one(Needs::NONE, || own("angle", "rad"), |now| angle(&system.skeleton, now.numbers, now.q, b));
        } else {
            let quaternion = |now: &Instant<S>| Quat::from_rotation(&(now.frames.R[b] * now.numbers.tree.R_KB[b])).to_array();
            visitor.put(Needs::POSES, |k| own(["qw", "qx", "qy", "qz"][k], "1"), quaternion);
        }
        let velocity = |now: &Instant<S>| now.frames.v[b] + now.frames.w[b].cross(arm(now));
        visitor.along(planar, Needs::POSES, |axis| own(&format!("v{axis}"), "m/s"), velocity);
        let turning = |axis: &str| if planar { own("rate", "rad/s") } else { own(&format!("w{axis}"), "rad/s") };
        visitor.about(planar, Needs::POSES, turning, |now| now.frames.w[b]);
    }
}

/// The angle of a planar body's own frame: the turns on the way from the world and the constant angle of the frame in its kernel frame, which
/// is parallel to the parent's where all coordinates are zero. Unlike the arctangent of a direction it does not jump at half a turn.
fn angle<S: Constant<S>>(skeleton: &Skeleton, numbers: &Numbers<S>, q: &[S], body: usize) -> S {
    let tree = &numbers.tree;
    let own = tree.R_KB[body].x;
    let (mut turned, mut b) = (S::ZERO, body);
    while b != 0 {
        for motion in skeleton.motions_of(b) {
            match *motion {
                Motion::Turn { coord, .. } => turned += q[coord as usize],
                Motion::Function { slot, coord, .. } => {
                    let turns = &tree.curves[slot as usize].turns;
                    turned += turns.iter().map(|(_, angle)| angle.eval(q[coord as usize])[0]).fold(S::ZERO, |sum, turn| sum + turn);
                }
                Motion::Slide { .. } | Motion::Ball { .. } | Motion::Fixed { .. } => {}
            }
        }
        b = skeleton.parent[b] as usize;
    }
    turned + own.y.atan2(own.x)
}

fn joint_angles<S: Constant<S>>(system: &System, visitor: &mut impl Visitor<S>) {
    if !visitor.section() {
        return;
    }
    for own in &system.joint_angles {
        let look = |now: &Instant<S>| own.look(now.numbers, &now.frames.p, &now.frames.R);
        let named = |part: &str, unit: &str| Column::new(format!("joint_angles.{}.{part}", own.name), unit);
        visitor.put(Needs::POSES, |k| named(["flexion", "adduction", "external_rotation"][k], "rad"), |now| look(now).angles);
        visitor.put(Needs::POSES, |k| named(["lateral", "anterior", "distraction"][k], "m"), |now| look(now).shifts);
    }
}

fn joints<S: Constant<S>>(system: &System, visitor: &mut impl Visitor<S>) {
    if !visitor.section() {
        return;
    }
    let planar = system.skeleton.planar;
    for (b, joint) in system.names.joints.iter().enumerate().skip(1) {
        let own = |part: &str, unit: &str| Column::new(format!("joint.{joint}.{part}"), unit);
        let force = |axis: &str| own(&format!("reaction.force.{axis}"), "N");
        let moment = |axis: &str| own(&format!("reaction.moment.{axis}"), "N m");
        visitor.along(planar, Needs::REACTIONS, force, |now| now.evaluation.reaction_force[b]);
        visitor.about(planar, Needs::REACTIONS, moment, |now| now.evaluation.reaction_moment[b]);
        let power = |now: &Instant<S>| system.skeleton.dofs_of(b).fold(S::ZERO, |sum, k| sum + now.effort[k] * now.v[k]);
        visitor.one(Needs::EFFORTS, || own("power", "W"), power);
    }
}

fn rows<S: Constant<S>>(system: &System, visitor: &mut impl Visitor<S>) {
    if !visitor.section() {
        return;
    }
    for (k, row) in system.names.rows.iter().enumerate() {
        let own = |what: &str, unit: &str| Column::new(format!("{}.{what}.{}", row.element(), row.part), unit);
        visitor.one(Needs::ACCELERATIONS, || own("reaction", unit(row.measure, "N m", "N")), |now| now.evaluation.row_force[k]);
        visitor.one(Needs::DRIFT, || own("drift", unit(row.measure, "rad", "m")), |now| now.rows.position[k]);
        visitor.one(Needs::DRIFT, || own("drift_rate", unit(row.measure, "rad/s", "m/s")), |now| now.rows.velocity[k]);
    }
}

/// The name of a path's stop that is an obstacle, with its number where the path passes it more than once.
fn wrap_name(system: &System, path: usize, stop: usize, wrap: u32) -> String {
    let paths = &system.numbers.paths;
    let same = |own: &&Stop<f64>| matches!(own, Stop::Wrap { wrap: other, .. } if *other == wrap);
    let name = &paths.wraps[wrap as usize].name;
    match paths.list[path][..stop].iter().filter(same).count() {
        0 => name.clone(),
        before => format!("{name}-{}", before + 1),
    }
}

/// Paths, states and outputs of force elements.
fn elements<S: Constant<S>>(system: &System, visitor: &mut impl Visitor<S>) {
    if !visitor.section() {
        return;
    }
    for (k, path) in system.names.paths.iter().enumerate() {
        let own = |part: &str, unit: &str| Column::new(format!("path.{path}.{part}"), unit);
        visitor.one(Needs::LOADS, || own("length", "m"), |now| now.evaluation.lines.length[k]);
        visitor.one(Needs::LOADS, || own("rate", "m/s"), |now| now.evaluation.lines.rate[k]);
        visitor.one(Needs::LOADS, || own("force", "N"), |now| now.evaluation.lines.tension[k]);
        for dof in movers(system, k) {
            let speed = &system.names.speeds[dof];
            let arm = || own(&format!("arm.{}", speed.name), unit(speed.measure, "m", "1"));
            visitor.one(Needs::LOADS, arm, |now| now.evaluation.lines.arm(&system.skeleton, now.frames, k, dof));
        }
        for (stop, what) in system.numbers.paths.list[k].iter().enumerate() {
            let Stop::Wrap { wrap, .. } = what else { continue };
            let named = |part: &str, unit: &str| own(&format!("{}.{part}", wrap_name(system, k, stop, *wrap)), unit);
            let touching = move |now: &Instant<S>| now.evaluation.lines.touching(k, stop);
            visitor.one(Needs::LOADS, || named("touching", "1"), |now| S::from_f64(f64::from(touching(now).is_some())));
            visitor.one(Needs::LOADS, || named("arc", "m"), |now| touching(now).map_or(S::ZERO, |(arc, _)| arc));
        }
    }
    for (k, state) in system.names.states.iter().enumerate() {
        visitor.one(Needs::NONE, || Column::new(state.column(), &state.unit), |now| now.z[k]);
    }
    for (k, output) in system.names.outputs.iter().enumerate() {
        visitor.one(Needs::LOADS, || Column::new(output.column(), &output.unit), |now| now.evaluation.output[k]);
    }
}

/// Sums over all bodies, and the largest drift.
fn whole<S: Constant<S>>(system: &System, visitor: &mut impl Visitor<S>) {
    if !visitor.section() {
        return;
    }
    let planar = system.skeleton.planar;
    let energy = |kind: &'static str| move || Column::new(format!("system.energy.{kind}"), "J");
    visitor.one(Needs::MOMENTA, energy("kinetic"), |now| now.evaluation.kinetic_energy);
    visitor.one(Needs::MOMENTA, energy("gravity"), |now| now.evaluation.gravity_energy);
    visitor.one(Needs::LOADS, energy("stored"), |now| now.stored_energy());
    visitor.one(Needs::MOMENTA | Needs::LOADS, energy("total"), |now| now.moving_energy() + now.stored_energy());
    let momentum = |axis: &str| Column::new(format!("system.momentum.{axis}"), "kg m/s");
    let spin = |axis: &str| Column::new(format!("system.angular_momentum.{axis}"), "kg m^2/s");
    visitor.along(planar, Needs::MOMENTA, momentum, |now| now.evaluation.momentum);
    visitor.about(planar, Needs::MOMENTA, spin, |now| now.evaluation.angular_momentum);
    visitor.along(planar, Needs::POSES, |axis| Column::new(format!("system.center.{axis}"), "m"), center);
    if !system.names.rows.is_empty() {
        // Rows may measure lengths and angles; 1 rad counts as 1 m.
        let drift = [("position", "1"), ("velocity", "1/s")];
        visitor.put(Needs::DRIFT, |k| Column::new(format!("constraint.drift.{}", drift[k].0), drift[k].1), largest_drift);
    }
}

/// The centre of mass of all bodies.
fn center<S: Constant<S>>(now: &Instant<S>) -> Vec3<S> {
    let (tree, frames) = (&now.numbers.tree, now.frames);
    let (mut mass, mut first) = (S::ZERO, Vec3::ZERO);
    for b in 1..now.system.skeleton.parent.len() {
        mass += tree.mass[b];
        first += frames.p[b].scale(tree.mass[b]) + frames.R[b] * tree.mc_B[b];
    }
    // A model of soft parts alone has no mass: its centre is taken to be the origin.
    if mass.value() > 0.0 { first.scale(mass.recip()) } else { Vec3::ZERO }
}

/// The largest Φ and Φ̇ of rows that hold.
fn largest_drift<S: Real>(now: &Instant<S>) -> [S; 2] {
    let larger = |most: S, own: S| if own.value().abs() > most.value() { own.chain(own.value().abs(), own.value().signum()) } else { most };
    let mut drift = [S::ZERO; 2];
    for (k, released) in now.released.iter().enumerate() {
        if !released {
            drift = [larger(drift[0], now.rows.position[k]), larger(drift[1], now.rows.velocity[k])];
        }
    }
    drift
}

/// Work since the start, and what it leaves of the balance of energy.
fn audit<S: Constant<S>>(system: &System, visitor: &mut impl Visitor<S>) {
    if !visitor.section() {
        return;
    }
    for (k, what) in ["forces", "efforts", "rows"].into_iter().enumerate() {
        visitor.one(Needs::WORK, || Column::new(format!("system.work.{what}"), "J"), |now| now.work(k));
    }
    let balance = |now: &Instant<S>| now.balanced_energy() - now.energy_at_start - now.work(0) - now.work(1) - now.work(2);
    visitor.one(Needs::MOMENTA | Needs::WORK, || Column::new("system.energy.balance", "J"), balance);
    if system.skeleton.extent.muscles > 0 {
        let first = AUDITED + system.names.pairs.len();
        for (k, what) in ["muscles", "fibre_damping"].into_iter().enumerate() {
            visitor.one(Needs::WORK, || Column::new(format!("system.work.{what}"), "J"), |now| now.work(first + k));
        }
    }
    if system.skeleton.extent.switches > 0 {
        let last = audited(system) - 1;
        visitor.one(Needs::WORK, || Column::new("system.work.switches", "J"), |now| now.work(last));
    }
}
