//! The recursive kernels against duals, themselves and the peers.

use super::{Articulated, Jacobian, Work};
use crate::compile;
use crate::retract::seed_tangent;
use crate::system::{Measure, System};
use borelli_math::{Dual, Real};
use borelli_model::Model;
use borelli_testkit::{differences::assert_close, peers, random::Random};

fn read(name: &str) -> System {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let model = Model::read(&path).unwrap_or_else(|e| panic!("{e}"));
    compile(&model).unwrap_or_else(|e| panic!("{e}"))
}

/// All gallery models that compile.
fn gallery() -> Vec<(String, System)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|e| e.unwrap().file_name().into_string().ok())
        .filter(|n| n.ends_with(".toml"))
        .collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), read(&name))).collect()
}

/// A random state near the start; not assembled: derivatives must hold anywhere.
fn state(system: &System, random: &mut Random) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut q = system.start.q.clone();
    let mut k = 0;
    while k < q.len() {
        if system.names.coordinates[k].measure == Measure::Quaternion {
            q[k..k + 4].copy_from_slice(&random.unit_quaternion());
            k += 4;
        } else {
            q[k] += random.uniform(-0.4, 0.4);
            k += 1;
        }
    }
    let n = system.skeleton.dofs();
    (q, random.uniforms(n, -1.0, 1.0), random.uniforms(n, -5.0, 5.0))
}

/// Column k of the derivative of accelerations and forces of rows by the tangent of q (k < n), by v, by tau or by time, from duals through forward dynamics.
fn by_duals(system: &System, t: f64, q: &[f64], v: &[f64], tau: &[f64], k: usize) -> [Vec<f64>; 2] {
    let n = system.skeleton.dofs();
    let lift = |list: &[f64]| list.iter().map(|x| Dual::<1>::from_f64(*x)).collect::<Vec<_>>();
    let (mut t, mut q, mut v, mut tau) = (Dual::from_f64(t), lift(q), lift(v), lift(tau));
    match k / n {
        0 => seed_tangent(&system.skeleton, &mut q, k, 0),
        1 => v[k - n].eps[0] = 1.0,
        2 => tau[k - 2 * n].eps[0] = 1.0,
        _ => t.eps[0] = 1.0,
    }
    let mut vdot = lift(&vec![0.0; n]);
    let mut work = Work::new(system);
    work.forward(&system.skeleton, &system.numbers, t, &q, &v, crate::scene::Inside::NONE, &tau, &mut vdot);
    [vdot, work.lambda].map(|list| list.iter().map(|x| x.eps[0]).collect())
}

#[test]
fn analytic_derivatives_equal_duals_through_forward_dynamics_on_every_gallery_model() {
    /// Inside all tables.
    const T: f64 = 0.02;
    let (mut random, mut timed) = (Random::new(11), 0);
    for (name, system) in gallery() {
        let n = system.skeleton.dofs();
        let mut articulated = Articulated::new(&system);
        let mut jacobian = Jacobian::new(&system);
        for _ in 0..3 {
            let (q, v, tau) = state(&system, &mut random);
            articulated.jacobian(&system, T, &q, &v, &tau, &mut jacobian).unwrap();
            let forces = [&jacobian.row_force_by_q[..], &jacobian.row_force_by_v, &[]];
            for (kind, table) in [&jacobian.by_q, &jacobian.by_v, &jacobian.by_tau].into_iter().enumerate() {
                let columns: Vec<[Vec<f64>; 2]> = (0..n).map(|k| by_duals(&system, T, &q, &v, &tau, kind * n + k)).collect();
                let expected = |of: usize, rows: usize| -> Vec<f64> { (0..rows * n).map(|at| columns[at % n][of][at / n]).collect() };
                assert_close(table, &expected(0, n), 1e-9, &format!("{name}, table {kind}"));
                let rows = forces[kind].len() / n;
                assert_close(forces[kind], &expected(1, rows), 1e-9, &format!("{name}, table {kind} of rows"));
            }
            let [by_t, force_by_t] = by_duals(&system, T, &q, &v, &tau, 3 * n);
            assert_close(&jacobian.by_t, &by_t, 1e-9, &format!("{name}, by time"));
            assert_close(&jacobian.row_force_by_t, &force_by_t, 1e-9, &format!("{name}, rows by time"));
            timed += usize::from(jacobian.by_t.iter().any(|x| *x != 0.0));
        }
    }
    assert!(timed >= 12, "states with a slope by time: {timed}");
}

#[test]
fn accelerations_equal_those_of_the_peers() {
    for name in peers::MODELS {
        let Some(states) = peers::states(name) else { return };
        let system = read(&format!("{name}.toml"));
        for spatial in [false, true] {
            let system = if spatial { system.spatial() } else { system.clone() };
            let mut articulated = Articulated::new(&system);
            let mut vdot = vec![0.0; system.skeleton.dofs()];
            let mut tau = vdot.clone();
            for state in &states {
                articulated.forward(&system, 0.0, &state.q, &state.v, &state.tau, &mut vdot).unwrap();
                for (got, expected) in vdot.iter().zip(&state.qdd) {
                    assert!((got - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{name} {spatial}: {got} {expected}");
                }
                articulated.inverse(&system, 0.0, &state.q, &state.v, &state.qdd, &mut tau).unwrap();
                assert_close(&tau, &state.tau, 1e-9, name);
            }
        }
    }
}

/// A trunk that flies with two limbs: every kind of joint, among them a ball and a function joint, and loads of every family that reach over them.
const TANGLE: &str = r#"
borelli = 1
dimension = "spatial"
[body.trunk]
mass = 3
center = [0.02, 0.1, -0.03]
inertia = [0.2, 0.15, 0.25]
point = { side = [0.1, 0.2, 0.05], low = [-0.1, -0.2, 0.02] }
[body.arm]
mass = 1
center = [0.1, 0.02, 0]
inertia = [0.02, 0.03, 0.04]
point = { tip = [0.3, 0.05, 0.02], mid = [0.1, -0.05, 0.04] }
[body.hand]
mass = 0.5
inertia = [0.01, 0.012, 0.014]
point = { end = [0.12, 0.03, -0.02] }
[body.leg]
mass = 2
center = [0, -0.2, 0.01]
inertia = [0.05, 0.02, 0.06]
point = { end = [0.03, -0.4, 0.02], front = [0.08, -0.15, 0] }
[body.foot]
mass = 1
inertia = [0.01, 0.02, 0.015]
point = { toe = [0.15, -0.05, 0.01] }
[joint.root]
type = "free"
parent = "world"
child = "trunk"
[joint.shoulder]
type = "ball"
parent = "trunk.side"
child = "arm"
[joint.wrist]
type = "universal"
parent = "arm.tip"
child = "hand"
[joint.hip]
type = "hinge"
parent = "trunk.low"
child = "leg"
axis = [0.36, 0.48, 0.8]
[joint.ankle]
type = "function"
parent = "leg.end"
child = "foot"
x = { type = "polynomial", coefficients = ["0.01 m", "0.05 m/rad", "-0.03 m/rad^2"] }
y = { type = "polynomial", coefficients = ["0.02 m", "-0.02 m/rad", "0.04 m/rad^2"] }
rotations = [
  { axis = [0, 0, 1], function = { type = "polynomial", coefficients = ["0 rad", "1 rad/rad", "0.2 rad/rad^2"] } },
  { axis = [0.6, 0.8, 0], function = { type = "polynomial", coefficients = ["0.1 rad", "0.3 rad/rad", "-0.1 rad/rad^2"] } },
]
[path.across]
points = ["hand.end", "arm.mid", "trunk.low", "leg.front", "foot.toe"]
[path.tether]
points = ["world", "foot.toe"]
[path.hip]
points = ["trunk.side", "leg.front"]
[force.elastic]
type = "spring"
path = "across"
stiffness = 300
length = 0.4
[force.viscous]
type = "dashpot"
path = "across"
damping = 30
[force.series]
type = "maxwell"
path = "tether"
stiffness = 200
damping = 20
length = 0.1
creep = 0.05
[force.motor]
type = "lag-actuator"
path = "across"
command = { type = "sine", amplitude = 20, frequency = 0.7 }
time_constant = 0.1
tension = 12
[force.turner]
type = "moment-actuator"
path = "hip"
joint = "hip"
moment = { type = "sine", amplitude = 5, frequency = 1.1 }
[force.wind]
type = "force"
at = "hand.end"
force = [{ type = "sine", amplitude = 7, frequency = 0.4 }, 3, -2]
axes = "body"
[force.twist]
type = "torque"
body = "foot"
torque = [1, -2, { type = "sine", amplitude = 3, frequency = 0.4 }]
[force.plate]
type = "load"
body = "foot"
force = [5, { type = "sine", amplitude = 30, frequency = 0.4 }, 1]
point = [0.2, { type = "polynomial", coefficients = ["0.1 m", "0.5 m/s"] }, 0.1]
[force.bend]
type = "coordinate-spring"
coordinate = "ankle"
stiffness = 8
damping = 0.3
[force.push]
type = "effort"
coordinate = "shoulder_wy"
effort = { type = "sine", amplitude = 4, frequency = 0.6 }
[force.controller]
type = "formula"
coordinate = "hip"
effort = "-k*sin(coord.hip.value)*path.tether.length - c*coord.ankle.rate*path.across.rate + force.series.creep*[30 N]*cos([3 1/s]*time) + force.motor.command*[0.1 m]/[1 rad] + integral.work*[0.3 1/rad]"
numbers = { k = "12 N/rad", c = "0.3 N s^2/rad^2" }
[force.swirl]
type = "formula"
coordinate = "shoulder_wz"
effort = "-[2 N m s/rad^2]*coord.shoulder_wz.rate - [0.4 N m s^2/rad^3]*coord.shoulder_wx.rate*coord.root_wy.rate"
[force.leash]
type = "formula"
path = "tether"
tension = "k*(path.tether.length - [0.3 m])^3 + [5 N s/m]*path.across.rate*coord.wrist_1.value/[1 rad] + force.motor.tension*exp(-time/[1 s])"
numbers = { k = "40 N/m^3" }
[force.drag]
type = "formula"
at = "hand.end"
force = ["-drag*sqrt(vx^2 + vy^2 + vz^2)*vx", "-drag*sqrt(vx^2 + vy^2 + vz^2)*vy + [3 N/m]*z*sin(coord.ankle.value)", "[2 N/m]*x + force.series.creep*[20 N/m]"]
numbers = { drag = "1.3 kg/m" }
[force.jet]
type = "formula"
at = "foot.toe"
force = ["[4 N/m]*y - [0.2 N s/m]*vz", "[3 N]*cos(coord.hip.value)", "-[2 N s/m]*path.tether.rate + [3 N s/m]*vx"]
axes = "body"
[surface.hand]
type = "ellipsoid"
at = "hand"
a = 1.5
b = 1.2
c = 1.3
[surface.foot]
type = "sphere"
at = "foot"
radius = 1.4
[surface.leg]
type = "ellipsoid"
at = "leg.front"
a = 2.0
b = 2.4
c = 2.2
[surface.ground]
type = "half-space"
at = "world"
nx = 0.1
ny = 1
nz = 0.05
[surface.palm]
type = "half-space"
at = "arm.tip"
nx = 0.3
ny = 1
nz = -0.2
[contact.clap]
a = "hand"
b = "foot"
normal = { type = "hunt-crossley", stiffness = 500, exponent = 1.5, dissipation = 0.3 }
friction = { type = "tanh", friction = 0.4, transition = 0.5 }
[contact.step]
a = "foot"
b = "ground"
normal = { type = "kelvin-voigt", stiffness = 300, damping = 5 }
friction = { type = "tanh", friction = 0.6, transition = 0.4 }
[contact.patch]
a = "leg"
b = "palm"
normal = { type = "volumetric", stiffness = 50, dissipation = 0.2 }
[integral.work]
rate = "path.across.force * path.across.rate"
unit = "J"
[integral.all]
rate = "force.motor.command * path.tether.rate * sin(coord.hip.value) * exp(-time/[0.5 s]) + force.series.creep * path.tether.force * path.tether.length / [0.2 m s] + integral.work * coord.ankle.rate / [1 rad]"
unit = "J"
"#;

/// Slopes by coordinate (tangent), speed, time, state and control of everything that depends on them, from duals through forward dynamics.
fn all_by_duals(system: &System, t: f64, q: &[f64], v: &[f64], z: &[f64], u: Option<&[f64]>, k: usize) -> Vec<f64> {
    let n = system.skeleton.dofs();
    let lift = |list: &[f64]| list.iter().map(|x| Dual::<1>::from_f64(*x)).collect::<Vec<_>>();
    let (mut t, mut q, mut v, mut z) = (Dual::from_f64(t), lift(q), lift(v), lift(z));
    let mut u = u.map_or(Vec::new(), lift);
    match k {
        k if k < n => seed_tangent(&system.skeleton, &mut q, k, 0),
        k if k < 2 * n => v[k - n].eps[0] = 1.0,
        k if k == 2 * n => t.eps[0] = 1.0,
        k if k <= 2 * n + z.len() => z[k - 2 * n - 1].eps[0] = 1.0,
        k => u[k - 2 * n - 1 - z.len()].eps[0] = 1.0,
    }
    let (tau, mut vdot, mut work) = (lift(&vec![0.0; n]), lift(&vec![0.0; n]), Work::new(system));
    work.forward(&system.skeleton, &system.numbers, t, &q, &v, crate::scene::Inside { z: &z, u: &u }, &tau, &mut vdot);
    vdot.iter().chain(&work.loads.inner.zdot).map(|x| x.eps[0]).collect()
}

#[test]
fn loads_that_reach_over_every_kind_of_joint_have_the_slopes_of_duals() {
    let model = Model::parse("tangle.toml", TANGLE).unwrap_or_else(|e| panic!("{e}"));
    let system = compile(&model).unwrap_or_else(|e| panic!("{e}"));
    let (n, states) = (system.skeleton.dofs(), system.numbers.states.len());
    let mut random = Random::new(23);
    let (mut articulated, mut table) = (Articulated::new(&system), Jacobian::new(&system));
    let mut touched = [0; 3];
    for round in 0..6 {
        let (q, v, _) = state(&system, &mut random);
        let z = random.uniforms(states, 0.0, 0.2);
        let given = random.uniforms(system.numbers.controls.len(), 5.0, 9.0);
        // Controls as the model gives them, and given ones.
        let u: &[f64] = if round % 2 == 0 { &[] } else { &given };
        let tau = vec![0.0; n];
        let input = crate::formulation::Input { t: 0.3, q: &q, v: &v, inside: crate::scene::Inside { z: &z, u }, tau: &tau };
        articulated.linearise(&system, input, &mut table).unwrap();
        articulated.pairs().touching.iter().zip(&mut touched).for_each(|(pair, count)| *count += usize::from(pair.normal_force > 0.0));
        assert_all_slopes(&format!("round {round}"), &system, &input, &table);
    }
    assert!(touched.iter().all(|count| *count > 0), "pairs that touched: {touched:?}");
}

#[test]
fn jacobians_of_bent_paths_are_those_of_duals() {
    use crate::force::tests::bent::{SPATIAL, near};
    let system = compile(&Model::parse("bent.toml", SPATIAL).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
    let (mut articulated, mut table) = (Articulated::new(&system), Jacobian::new(&system));
    for (k, (q, v, t)) in near(&system).into_iter().enumerate() {
        let tau = vec![0.0; v.len()];
        let input = crate::formulation::Input { t, q: &q, v: &v, inside: crate::scene::Inside::NONE, tau: &tau };
        articulated.linearise(&system, input, &mut table).unwrap();
        assert_all_slopes(&format!("state {k}"), &system, &input, &table);
    }
}

/// Conditional points that are kept as events know them, wherever coordinates are: slopes are those of differences with the same points kept.
#[test]
fn jacobians_with_points_kept_are_those_of_differences() {
    use crate::constraint::RowControl;
    use crate::force::tests::bent::{SPATIAL, near};
    use crate::formulation::Formulation;
    use crate::memory::Memory;
    for (there, range) in [(true, ["10 rad", "11 rad"]), (false, ["-5 rad", "5 rad"])] {
        let [from, to] = range;
        let text = format!(
            "{SPATIAL}[path.kept]\npoints = [\"world.high\", {{ at = \"world.hook\", when = {{ coordinate = \"knee\", from = \"{from}\", to = \"{to}\", jump = \"accept\" }} }}, \
             {{ wrap = \"drum\", side = [1, 0, 0] }}, \"a.low\", \"b.end\"]\n[force.kept]\ntype = \"spring\"\npath = \"kept\"\nstiffness = 250\nlength = 0.1\n"
        )
        .replace("high = [", "hook = [0.07, 0.1, 0.01]\nhigh = [");
        let system = compile(&Model::parse("kept.toml", &text).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
        let (mut articulated, mut table) = (Articulated::new(&system), Jacobian::new(&system));
        articulated.set_row_control(&RowControl::of(Memory { points: vec![there], ..Memory::default() }));
        let n = system.skeleton.dofs();
        let tau = vec![0.0; n];
        for (q, v, t) in near(&system) {
            let input = crate::formulation::Input { t, q: &q, v: &v, inside: crate::scene::Inside::NONE, tau: &tau };
            articulated.linearise(&system, input, &mut table).unwrap();
            let mut at = |k: usize, h: f64| {
                let (mut moved, mut vdot) = (q.clone(), vec![0.0; n]);
                moved[k] += h;
                articulated.forward(&system, t, &moved, &v, &tau, &mut vdot).unwrap();
                vdot
            };
            for k in 0..n {
                const H: f64 = 1e-4;
                let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|steps| at(k, steps * H));
                let expected: Vec<f64> = (0..n).map(|i| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * H)).collect();
                let found: Vec<f64> = (0..n).map(|i| table.by_q[i * n + k]).collect();
                assert_close(&found, &expected, 1e-7, &format!("kept {there}, coordinate {k}"));
            }
        }
    }
}

/// Compares a Jacobian with duals, column by column; the system has one control at most.
fn assert_all_slopes(name: &str, system: &System, input: &crate::formulation::Input, table: &Jacobian) {
    let (n, states, controls) = (system.skeleton.dofs(), system.numbers.states.len(), system.numbers.controls.len());
    let crate::formulation::Input { t, q, v, inside: crate::scene::Inside { z, u }, .. } = *input;
    // By a control where all are given, as its functions would give them.
    let now: Vec<f64> = system.numbers.controls.iter().map(|f| system.numbers.functions[*f as usize].eval(t)[0]).collect();
    let width = 2 * n + 1 + states + controls;
    for k in 0..width {
        let explicit = if u.is_empty() && k > 2 * n + states { Some(&now[..]) } else { (!u.is_empty()).then_some(u) };
        let expected = all_by_duals(system, t, q, v, z, explicit, k);
        let found: Vec<f64> = (0..n)
            .map(|i| match k {
                k if k < n => table.by_q[i * n + k],
                k if k < 2 * n => table.by_v[i * n + k - n],
                k if k == 2 * n => table.by_t[i],
                k if k <= 2 * n + states => table.by_z[i * states + k - 2 * n - 1],
                k => table.by_u[i * controls + k - 2 * n - 1 - states],
            })
            .chain((0..states).map(|state| table.of_state(state)[k]))
            .collect();
        assert_close(&found, &expected, 1e-9, &format!("{name}, variable {k} of {width}"));
    }
}

#[test]
fn a_moment_between_a_body_and_the_world_has_the_slopes_of_duals() {
    // The world is the first body of the path, then the last.
    for points in [r#"["world.wall", "rod.mid"]"#, r#"["rod.mid", "world.wall"]"#] {
        let text = format!(
            "borelli = 1\ndimension = \"spatial\"\n[world.point]\nwall = [0.4, 0.3, 0.1]\n\
             [body.rod]\nmass = 2\ncenter = [0.1, -0.3, 0.02]\ninertia = [0.1, 0.12, 0.09]\npoint = {{ mid = [0.1, -0.2, 0.03] }}\n\
             [joint.pin]\ntype = \"hinge\"\nparent = \"world\"\nchild = \"rod\"\naxis = [0.36, 0.48, 0.8]\n\
             [path.line]\npoints = {points}\n\
             [force.turner]\ntype = \"moment-actuator\"\npath = \"line\"\njoint = \"pin\"\n\
             moment = {{ type = \"sine\", amplitude = 5, frequency = 1.1 }}\n\
             [body.tip]\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n[joint.ball]\ntype = \"ball\"\nparent = \"rod.mid\"\nchild = \"tip\"\n\
             [integral.pull]\nrate = \"path.line.length * path.line.rate\"\nunit = \"m^2\"\n"
        );
        let system = compile(&Model::parse("turner.toml", &text).unwrap_or_else(|e| panic!("{e}"))).unwrap_or_else(|e| panic!("{e}"));
        let (mut articulated, mut table) = (Articulated::new(&system), Jacobian::new(&system));
        let (q, v, _) = state(&system, &mut Random::new(24));
        let tau = vec![0.0; v.len()];
        let input = crate::formulation::Input { t: 0.3, q: &q, v: &v, inside: crate::scene::Inside { z: &[0.0], u: &[] }, tau: &tau };
        articulated.linearise(&system, input, &mut table).unwrap();
        assert_all_slopes(points, &system, &input, &table);
    }
}
